from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules_lsp.schemas import validate
from rules_lsp.workspace.folders import Folders

NO_FOLDER = "no folder is open, so there are no rules to ask"


def folder(path: Path, rules: str = "") -> Path:
    path.mkdir(parents=True)
    if rules:
        (path / ".coding-agent-rules.yaml").write_text(rules)
    return path


@pytest.fixture
def outer(tmp_path: Path) -> Path:
    return folder(tmp_path / "outer", "denied_tools: [Bash]\nfile_patterns: {exclude: ['*.key', inner/shut/]}\n")


@pytest.fixture
def inner(outer: Path) -> Path:
    return folder(outer / "inner", "file_patterns: {exclude: ['*.txt']}\n")


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    return folder(tmp_path / "beside", "denied_tools: [Read]\nfile_patterns: {exclude: ['*.md']}\n")


@pytest.fixture
def folders(outer: Path, inner: Path, beside: Path) -> Folders:
    made = Folders()
    for path in (outer, inner, beside):
        made.open(str(path))
    return made


def verdict(folders: Folders, query: Any) -> tuple[bool, str]:
    answer = folders.answer(query)
    assert validate("decision", answer) == []
    return answer["allowed"], answer["code"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("outer/a.key", (False, "excluded")),
        ("outer/a.txt", (True, "unrestricted")),
        ("outer/inner/a.txt", (False, "excluded")),
        ("outer/inner/a.key", (True, "unrestricted")),
        ("outer/inner/shut/a.key", (True, "unrestricted")),
        ("outer/inner", (True, "unrestricted")),
        ("outer/inner-too/a.txt", (True, "unrestricted")),
        ("outer/x/../inner/a.txt", (False, "excluded")),
        ("beside/a.md", (False, "excluded")),
        ("beside/a.txt", (True, "unrestricted")),
        ("nowhere/a.txt", (False, "outside-root")),
        ("outer/../nowhere", (False, "outside-root")),
    ],
)
def test_an_absolute_path_belongs_to_the_innermost_folder(
    folders: Folders, tmp_path: Path, path: str, expected: tuple[bool, str]
) -> None:
    absolute = f"{tmp_path}/{path}"
    assert verdict(folders, {"path": absolute}) == expected
    assert verdict(folders, {"uri": f"file://{absolute}"}) == expected
    assert verdict(folders, {"path": absolute, "root": "/no/such/folder"}) == expected
    assert folders.answer({"paths": [absolute]})["answers"] == [{"allowed": expected[0], "code": expected[1]}]


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("a.md", None, (False, "excluded")),
        ("a.key", None, (False, "excluded")),
        ("a.py", None, (True, "unrestricted")),
        ("a.md", "beside", (False, "excluded")),
        ("a.md", "outer", (True, "unrestricted")),
        ("a.key", "outer", (False, "excluded")),
        ("a.key", "outer/inner", (True, "unrestricted")),
        ("inner/a.txt", "outer", (False, "excluded")),
        ("inner/a.key", "outer", (True, "unrestricted")),
        ("../beside/a.py", "outer", (False, "outside-root")),
        ("../a.py", "outer/inner", (False, "outside-root")),
        ("a.py", "outer/x", (False, "invalid-request")),
        ("a.py", "", (False, "invalid-request")),
    ],
)
def test_a_relative_path_is_asked_of_the_root_or_of_all(
    folders: Folders, tmp_path: Path, path: str, root: str | None, expected: tuple[bool, str]
) -> None:
    query = {"path": path} if root is None else {"path": path, "root": str(tmp_path / root)}
    assert verdict(folders, query) == expected


@pytest.mark.parametrize("root", ["{}/outer/", "file://{}/outer", "file://{}/outer/", "{}/beside/../outer"])
def test_a_root_is_a_path_or_a_uri(folders: Folders, tmp_path: Path, root: str) -> None:
    assert verdict(folders, {"tool": "Bash", "root": root.format(tmp_path)}) == (False, "denied-tool")
    assert verdict(folders, {"tool": "Read", "root": root.format(tmp_path)}) == (True, "unrestricted")


@pytest.mark.parametrize(
    "root", ["outer", "", 5, ["a"], {}, "https://example.org/outer", "file://host/outer", "\ud800"]
)
def test_a_root_that_names_no_open_folder_is_no_request(folders: Folders, root: object) -> None:
    assert verdict(folders, {"tool": "Edit", "root": root}) == (False, "invalid-request")
    assert verdict(folders, {"path": "a.py", "root": root}) == (False, "invalid-request")


def test_a_single_folder_does_not_answer_for_another_root(outer: Path) -> None:
    folders = Folders()
    folders.open(str(outer))
    assert verdict(folders, {"path": "a.py"}) == (True, "unrestricted")
    assert verdict(folders, {"path": "a.py", "root": "/no/such"}) == (False, "invalid-request")
    answers = folders.answer({"paths": ["a.py", "/etc/a"], "root": "/no/such"})["answers"]
    assert answers == [{"allowed": False, "code": "invalid-request"}, {"allowed": False, "code": "outside-root"}]


def test_a_tool_must_be_allowed_by_all(folders: Folders, outer: Path, beside: Path) -> None:
    assert verdict(folders, {"tool": "Bash"}) == (False, "denied-tool")
    assert verdict(folders, {"tool": "Read"}) == (False, "denied-tool")
    assert verdict(folders, {"tool": "Edit"}) == (True, "unrestricted")
    assert folders.answer({"tool": "Read"})["policy"]["uri"] == (beside / ".coding-agent-rules.yaml").as_uri()
    assert folders.answer({"tool": "Edit"})["policy"]["uri"] == (outer / ".coding-agent-rules.yaml").as_uri()
    batch = folders.answer({"tools": ["Bash", "Read", "Edit", 5]})
    assert batch["answers"] == [
        {"allowed": False, "code": "denied-tool"},
        {"allowed": False, "code": "denied-tool"},
        {"allowed": True, "code": "unrestricted"},
        {"allowed": False, "code": "invalid-request"},
    ]


def test_a_batch_keeps_its_order_over_several_folders(folders: Folders, outer: Path, beside: Path) -> None:
    paths: list[Any] = [f"{beside}/a.md", f"{outer}/a.md", "a.md", "/no/a.md", f"{outer}/inner/a.txt", None, {}]
    batch = folders.answer({"paths": paths, "detail": "full", "operation": "read"})
    assert validate("decision", batch) == []
    assert [(answer["code"], answer["path"], answer["operation"]) for answer in batch["answers"]] == [
        ("excluded", "a.md", "read"),
        ("unrestricted", "a.md", "read"),
        ("excluded", "a.md", "read"),
        ("outside-root", "/no/a.md", "read"),
        ("excluded", "a.txt", "read"),
        ("invalid-request", None, "read"),
        ("invalid-request", None, "read"),
    ]
    assert folders.answer({"paths": []})["answers"] == []


@pytest.mark.parametrize("query", [None, 5, [], "a.py", {}, {"path": "a", "tool": "b"}, {"paths": "a"}, {"tools": {}}])
def test_what_is_no_query_is_refused(folders: Folders, query: object) -> None:
    assert verdict(folders, query) == (False, "invalid-request")


@pytest.mark.parametrize(
    "query", [{"path": 5}, {"path": "a", "cwd": "x"}, {"path": "a", "cwd": 5}, {"uri": "a"}, {"uri": None}]
)
def test_a_question_without_a_place_is_refused(folders: Folders, query: object) -> None:
    assert verdict(folders, query) == (False, "invalid-request")


def test_a_working_directory_places_a_relative_path(folders: Folders, outer: Path, beside: Path) -> None:
    assert verdict(folders, {"path": "a.md", "cwd": str(beside)}) == (False, "excluded")
    assert verdict(folders, {"path": "a.md", "cwd": str(outer)}) == (True, "unrestricted")
    assert verdict(folders, {"path": "../a.txt", "cwd": str(outer / "inner" / "x")}) == (False, "excluded")


def test_a_rename_into_an_inner_folder_needs_that_folder_too(folders: Folders, outer: Path) -> None:
    (outer / "a.py").write_text("")
    rename = {"operation": "rename", "path": f"{outer}/a.py"}
    assert verdict(folders, {**rename, "newPath": f"{outer}/b.txt"}) == (True, "unrestricted")
    assert verdict(folders, {**rename, "newPath": f"{outer}/inner/b.txt"}) == (False, "excluded")
    assert verdict(folders, {**rename, "newPath": f"{outer}/inner/b.py"}) == (True, "unrestricted")
    assert verdict(folders, {**rename, "newPath": "inner/b.txt", "cwd": str(outer)}) == (False, "excluded")
    assert verdict(folders, {**rename, "newPath": f"file://{outer}/inner/b.txt"}) == (False, "excluded")
    batch = {"operation": "rename", "paths": [f"{outer}/a.py"], "newPath": f"{outer}/inner/b.txt"}
    assert folders.answer(batch)["answers"] == [{"allowed": False, "code": "excluded"}]
    (full,) = folders.answer({**batch, "detail": "full"})["answers"]
    assert (full["operation"], full["path"], "policy" in full) == ("create", "b.txt", False)


def test_to_delete_a_directory_needs_the_folders_inside_it(folders: Folders, outer: Path, tmp_path: Path) -> None:
    other = folder(outer / "libs" / "one", "file_patterns: {exclude: [kept.c]}\n")
    (other / ".coding-agent-rules.yaml").rename(other / "rules.yaml")
    (other / "config.yaml").write_text("project_agent_rules: {rule_files: [rules.yaml], protect_rule_files: false}\n")
    (other / "kept.c").write_text("")
    delete = {"path": f"{outer}/libs", "operation": "delete"}
    assert verdict(folders, delete) == (True, "unrestricted")
    folders.open(str(other))
    assert verdict(folders, delete) == (False, "excluded")
    (other / "kept.c").unlink()
    assert verdict(folders, delete) == (True, "unrestricted")


def test_folders_open_and_close(outer: Path, beside: Path) -> None:
    folders = Folders()
    folders.open(str(outer))
    folders.open(f"{outer}/")
    assert [project.root.given for project in folders.projects] == [str(outer)]
    folders.open(str(beside))
    assert verdict(folders, {"tool": "Read"}) == (False, "denied-tool")
    folders.close(str(beside))
    folders.close(str(beside))
    assert verdict(folders, {"tool": "Read"}) == (True, "unrestricted")


@pytest.mark.parametrize("query", [{"path": "/a"}, {"tool": "Bash"}, {"paths": ["a"]}, None])
def test_without_a_folder_nothing_is_allowed(query: object) -> None:
    answer = Folders().answer(query)
    assert validate("decision", answer) == []
    assert (answer["allowed"], answer["code"], answer["reason"]) == (False, "invalid-request", NO_FOLDER)


def test_a_folder_through_a_link_is_the_folder(outer: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(outer)
    folders = Folders()
    folders.open(str(link))
    for top in (link, outer):
        assert verdict(folders, {"path": f"{top}/a.key"}) == (False, "excluded")
        assert verdict(folders, {"path": f"{top}/a.py"}) == (True, "unrestricted")
        assert verdict(folders, {"path": "a.py", "root": str(top)}) == (True, "unrestricted")


def test_the_operators_maps_and_directories_count_for_paths_of_no_folder(tmp_path: Path) -> None:
    one, two = (folder(tmp_path / name, "file_patterns: {exclude: ['*.key']}\n") for name in ("one", "two"))
    docs = folder(tmp_path / "docs")
    config = tmp_path / "operator.yaml"
    config.write_text(
        f"project_agent_rules:\n  path_map: [{{from: /container/two, to: {two}}}]\n  read_roots: [{docs}]\n"
    )
    folders = Folders(str(config))
    folders.open(str(one))
    folders.open(str(two))
    assert verdict(folders, {"path": "/container/two/a.py"}) == (True, "unrestricted")
    assert verdict(folders, {"path": "/container/two/a.key"}) == (False, "excluded")
    assert verdict(folders, {"path": "/container/one/a.py"}) == (False, "outside-root")
    assert verdict(folders, {"path": f"{docs}/a", "operation": "read"}) == (True, "unrestricted")
    assert verdict(folders, {"path": f"{docs}/a"}) == (False, "outside-root")


def test_buffers_count_only_where_they_are_asked_for(outer: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(outer)
    folders = Folders()
    folders.open(str(link))
    overlay = {str(link / ".coding-agent-rules.yaml"): "file_patterns: {exclude: ['*.py']}\n", str(link / "x"): "y"}
    for source, path, allowed in (
        ("saved", "a.py", True),
        (None, "a.py", True),
        ("buffer", "a.py", False),
        ("saved", "a.key", False),
        ("buffer", "a.key", True),
    ):
        query = {"path": path, "source": source}
        assert folders.answer(query, overlay=overlay)["allowed"] is allowed
    assert folders.answer({"path": "a", "source": 1}, overlay=overlay)["code"] == "invalid-request"


def test_a_buffer_that_does_not_parse_falls_back_as_the_file_would(outer: Path) -> None:
    (outer / "config.yaml").write_text("project_agent_rules: {on_error: last-good}\n")
    folders = Folders()
    folders.open(str(outer))
    overlay = {str(outer / ".coding-agent-rules.yaml"): "denied_tools: ["}
    answer = folders.answer({"path": "a.key", "source": "buffer"}, overlay=overlay)
    assert (answer["code"], answer["policy"]["degraded"]) == ("excluded", True)


def test_a_relative_path_must_pass_every_folder_wherever_it_leads(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    folders = Folders()
    folders.open(str(tmp_path / "a"))
    folders.open(str(tmp_path / "b"))
    assert folders.answer({"path": "../b/q"})["code"] == "outside-root"
    assert folders.answer({"path": str(tmp_path / "b" / "q")})["code"] == "unrestricted"
    assert folders.answer({"path": "q"})["code"] == "unrestricted"
    assert folders.answer({"tool": "Write", "arguments": {"file_path": "../b/q"}})["code"] == "outside-root"


def test_an_absolute_path_in_a_call_is_judged_by_the_folder_that_holds_it(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    (tmp_path / "b" / ".coding-agent-rules.yaml").write_text("file_patterns: {exclude: [secrets/]}\n")
    folders = Folders()
    folders.open(str(tmp_path / "a"))
    folders.open(str(tmp_path / "b"))

    def written(*paths: Path) -> str:
        arguments = {"files": [{"path": str(path)} for path in paths]}
        return str(folders.answer({"tool": "github/push_files", "arguments": arguments})["code"])

    assert written(tmp_path / "a" / "x") == "unrestricted"
    assert written(tmp_path / "b" / "x") == "unrestricted"
    assert written(tmp_path / "b" / "secrets" / "x") == "excluded"
    assert written(tmp_path / "a" / "x", tmp_path / "b" / "secrets" / "x") == "outside-root"
    assert written(tmp_path / "c" / "x") == "outside-root"
