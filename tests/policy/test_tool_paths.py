from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_lsp.policy.tools.patch_text import PatchedFile, patched_files
from rules_lsp.policy.tools.paths import Touched, TouchedPath, argument_path_problem, touched_paths

PAYLOADS = Path(__file__).parent.parent / "data" / "payloads"
TABLE = Path(__file__).parent.parent.parent / "rules_lsp" / "policy" / "tools" / "data" / "tool_paths.json"


def pairs(name: str, arguments: object, **extra: tuple[str, ...]) -> list[tuple[str, str]]:
    touched = touched_paths(name, arguments, extra)
    assert touched.problem is None
    assert touched.checked
    return [(path.operation, path.path) for path in touched.paths]


def problem(name: str, arguments: object, extra: Mapping[str, tuple[str, ...]] | None = None) -> str:
    touched = touched_paths(name, arguments, extra or {})
    assert touched.problem is not None
    assert touched.paths == ()
    assert not touched.checked
    return touched.problem


CALLS: list[tuple[str, object, list[tuple[str, str]]]] = [
    ("github/create_or_update_file", {"owner": "o", "path": "a/k", "content": "x"}, [("write", "a/k")]),
    ("mcp__github__create_or_update_file", {"path": "a/k"}, [("write", "a/k")]),
    ("github-push_files", {"files": [{"path": "a"}, {"path": "b"}]}, [("write", "a"), ("write", "b")]),
    ("github/github-mcp-server/push_files", {"files": [{"path": "a"}]}, [("write", "a")]),
    ("GitHub/delete_file", {"path": "a"}, [("delete", "a")]),
    ("mcp__plugin_x_github__delete_file", {"path": "a"}, [("delete", "a")]),
    ("gitlab/create_or_update_file", {"file_path": "a"}, [("write", "a")]),
    ("gitlab/create_or_update_file", {"file_path": "b", "previous_path": "a"}, [("write", "b"), ("rename", "a")]),
    (
        "gitlab/push_files",
        {
            "actions": [
                {"action": "create", "file_path": "a"},
                {"action": "move", "previous_path": "b", "file_path": "c"},
                {"action": "delete", "file_path": "d"},
                {"action": "update", "file_path": "e", "previous_path": None},
                {"action": "chmod", "file_path": "f", "previous_path": ""},
            ]
        },
        [("create", "a"), ("rename", "b"), ("write", "c"), ("delete", "d"), ("write", "e"), ("write", "f")],
    ),
    ("gitlab/push_files", {"files": [{"path": "a"}, {"file_path": "b"}]}, [("write", "a"), ("write", "b")]),
    ("read_file", {"filepath": "a"}, [("read", "a")]),
    ("create_file", {"filepath": "a", "content": ""}, [("create", "a")]),
    ("insert_edit_into_file", {"filepath": "a"}, [("write", "a")]),
    ("delete_file", {"filepath": "a"}, [("delete", "a")]),
    ("Delete", {"path": "a"}, [("delete", "a")]),
    ("StrReplace", {"path": "a", "old_string": "", "new_string": ""}, [("write", "a")]),
    ("EditNotebook", {"target_notebook": "a"}, [("write", "a")]),
    ("ApplyPatch", {"patch": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}, [("delete", "a")]),
    ("editFiles", {"files": ["a", "b"]}, [("write", "a"), ("write", "b")]),
    ("LS", {"target_directory": "a"}, [("read", "a")]),
    ("rg", {"pattern": "x", "paths": "a"}, [("read", "a")]),
    ("LSP", {"operation": "hover", "filePath": "a"}, [("read", "a")]),
    ("lsp", {"operation": "workspaceSymbol"}, []),
    ("SendUserFile", {"files": ["a", {"path": "b"}]}, [("read", "a"), ("read", "b")]),
    ("Artifact", {"file_path": "a"}, [("read", "a")]),
    ("filesystem/read_file", {"path": "a"}, [("read", "a")]),
    ("filesystem/read_text_file", {"path": "a"}, [("read", "a")]),
    ("filesystem/read_media_file", {"path": "a"}, [("read", "a")]),
    ("filesystem/read_multiple_files", {"paths": ["a", "b"]}, [("read", "a"), ("read", "b")]),
    ("filesystem/write_file", {"path": "a", "content": ""}, [("write", "a")]),
    ("filesystem/edit_file", {"path": "a", "edits": []}, [("write", "a")]),
    ("filesystem/create_directory", {"path": "a"}, [("create", "a")]),
    ("filesystem/list_directory", {"path": "a"}, [("read", "a")]),
    ("filesystem/list_directory_with_sizes", {"path": "a"}, [("read", "a")]),
    ("filesystem/directory_tree", {"path": "a"}, [("read", "a")]),
    ("filesystem/move_file", {"source": "a", "destination": "b"}, [("rename", "a")]),
    ("filesystem/search_files", {"path": "a", "pattern": "x"}, [("read", "a")]),
    ("filesystem/get_file_info", {"path": "a"}, [("read", "a")]),
    ("filesystem/list_allowed_directories", {}, []),
    ("mcp__filesystem__write_file", {"path": "a"}, [("write", "a")]),
    ("filesystem_write_file", {"path": "a"}, [("write", "a")]),
    ("text/editor", {"command": "create", "path": "a"}, [("create", "a")]),
    ("text_editor", {"command": "view", "path": "a"}, [("read", "a")]),
    ("str_replace_based_edit_tool", {"command": "str_replace", "path": "a"}, [("write", "a")]),
    ("str_replace_editor", {"command": ["view"], "path": "a"}, [("write", "a")]),
    ("Read", {"file_path": "a"}, [("read", "a")]),
    ("Write", {"file_path": "a", "content": ""}, [("write", "a")]),
    ("Write", {"path": "a", "file_text": ""}, [("write", "a")]),
    ("Write", {"path": "a", "file_path": "b"}, [("write", "a"), ("write", "b")]),
    ("Write", {"path": None, "file_path": "b"}, [("write", "b")]),
    ("Write", {"file_path": ""}, [("write", "")]),
    ("Edit", {"file_path": "a"}, [("write", "a")]),
    ("MultiEdit", {"file_path": "a", "edits": []}, [("write", "a")]),
    ("NotebookEdit", {"notebook_path": "a"}, [("write", "a")]),
    ("LS", {"path": "a"}, [("read", "a")]),
    ("Glob", {"pattern": "*.py"}, []),
    ("Grep", {"pattern": "x", "path": "a"}, [("read", "a")]),
    ("Grep", {"pattern": "x", "path": ""}, []),
    ("write_file", {"file_path": "a"}, [("write", "a")]),
    ("replace", {"file_path": "a"}, [("write", "a")]),
    ("read_file", {"absolute_path": "a"}, [("read", "a")]),
    ("read_many_files", {"paths": ["a", "b"], "include": ["c"]}, [("read", "a"), ("read", "b"), ("read", "c")]),
    ("list_directory", {"dir_path": "a"}, [("read", "a")]),
    ("edit", {"filePath": "a"}, [("write", "a")]),
    ("edit", {"path": "a"}, [("write", "a")]),
    ("create", {"path": "a"}, [("create", "a")]),
    ("view", {"path": "a"}, [("read", "a")]),
    ("editor", {"path": "a"}, [("write", "a")]),
    ("read_files", {"files": [{"path": "a"}, "b"]}, [("read", "a"), ("read", "b")]),
    (
        "multi_replace_string_in_file",
        {"replacements": [{"filePath": "a"}, {"filePath": "b"}]},
        [("write", "a"), ("write", "b")],
    ),
    ("create_directory", {"dirPath": "a"}, [("create", "a")]),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), CALLS)
def test_paths_of_calls(name: str, arguments: object, expected: list[tuple[str, str]]) -> None:
    assert pairs(name, arguments) == expected


def test_a_rename_carries_both_paths() -> None:
    touched = touched_paths("filesystem/move_file", {"destination": "b", "source": "a"}, {})
    assert touched == Touched(True, (TouchedPath("a", "rename", "b", "source"),))
    arguments = {"actions": [{"file_path": "x"}, {"file_path": "b", "previous_path": "a"}]}
    touched = touched_paths("gitlab/push_files", arguments, {})
    assert touched.paths == (
        TouchedPath("x", "write", None, "actions[0].file_path"),
        TouchedPath("b", "write", None, "actions[1].file_path"),
        TouchedPath("a", "rename", "b", "actions[1].previous_path"),
    )


@pytest.mark.parametrize(
    "name",
    [
        "TodoWrite",
        "todo_write",
        "weather/forecast",
        "Bash",
        "srv/Write",
        "srv_write",
        "write/note",
        "github/get_me",
        "mcp__x__read_file",
    ],
)
def test_tools_without_an_entry(name: str) -> None:
    assert touched_paths(name, {"path": "a"}, {}) == Touched(False)


def test_a_question_without_arguments() -> None:
    assert touched_paths("github/create_or_update_file", None, {}) == Touched(False)
    assert touched_paths("Write", None, {}) == Touched(False)


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("Write", {"content": "x"}, "`file_path` or `filePath` or `path` or `target_file` is missing"),
        ("Write", {"file_path": None}, "is missing"),
        ("Write", {"file_path": 42}, "`file_path` must be a text and is a number"),
        ("Write", {"file_path": True}, "`file_path` must be a text and is a boolean"),
        ("Write", {"file_path": ["a", "b"]}, "`file_path` must be a text and is a list"),
        ("Write", {"file_path": {"path": "a"}}, "`file_path` must be a text and is an object"),
        ("Write", {"path": "a", "file_path": 42}, "`file_path` must be a text and is a number"),
        ("Write", "a", "the arguments of a tool must be an object and are a text"),
        ("Write", ["a"], "the arguments of a tool must be an object and are a list"),
        ("Bash", 7, "the arguments of a tool must be an object and are a number"),
        ("Grep", {"pattern": "x", "path": 7}, "`path` must be a text and is a number"),
        ("github/push_files", {}, "`files[].path` is missing"),
        ("github/push_files", {"files": "a"}, "`files` must be a list and is a text"),
        ("github/push_files", {"files": {"path": "a"}}, "`files` must be a list and is an object"),
        ("github/push_files", {"files": []}, "`files` is an empty list"),
        ("github/push_files", {"files": ["a"]}, "`files[0]` must be an object and is a text"),
        ("github/push_files", {"files": [{"path": "a"}, None]}, "`files[1]` must be an object and is null"),
        ("github/push_files", {"files": [{"path": "a"}, {"content": "x"}]}, "`files[1].path` is missing"),
        ("github/push_files", {"files": [{"path": ["a"]}]}, "`files[0].path` must be a text and is a list"),
        ("gitlab/push_files", {"actions": [{"previous_path": "a"}]}, "`actions[0].file_path` is missing"),
        ("filesystem/move_file", {"source": "a"}, "`destination` is missing"),
        ("filesystem/move_file", {"destination": "a"}, "`source` is missing"),
        ("filesystem/move_file", {"source": "a", "destination": 7}, "`destination` must be a text and is a number"),
        ("filesystem/read_multiple_files", {"paths": ["a", 7]}, "`paths[1]` must be a text and is a number"),
        ("apply_patch", {}, "`command` or `input` or `patch` or `patchText` is missing"),
        ("apply_patch", {"input": "echo"}, "the patch in the argument `input` names no file"),
        ("apply_patch", {"command": ["apply_patch", "x"]}, "`command` must be a text and is a list"),
    ],
)
def test_arguments_that_cannot_be_read(name: str, arguments: object, text: str) -> None:
    assert text in problem(name, arguments)


def test_the_bound_on_paths() -> None:
    files = [{"path": f"f{index}"} for index in range(10_001)]
    assert problem("github/push_files", {"files": files}) == "the call names more than 10000 paths"
    assert len(touched_paths("github/push_files", {"files": files[1:]}, {}).paths) == 10_000
    patch = "".join(f"*** Delete File: f{index}\n" for index in range(10_001))
    assert problem("apply_patch", {"input": patch}) == "the call names more than 10000 paths"


def test_the_table_of_the_rule_file() -> None:
    extra = {"site/publish": ("pages[].file", "target")}
    arguments = {"target": "t", "pages": [{"file": "a"}, {"file": "b"}]}
    for name in ("site/publish", "mcp__site__publish", "site-publish", "Site/Publish"):
        touched = touched_paths(name, arguments, extra)
        assert [(path.operation, path.path) for path in touched.paths] == [
            ("write", "t"),
            ("write", "a"),
            ("write", "b"),
        ]
    assert touched_paths("site/preview", arguments, extra) == Touched(False)
    assert problem("site/publish", {"target": "t"}, extra) == "the argument `pages[].file` is missing"
    assert pairs("site/publish", {"x": {"y": [{"z": "a"}]}}, mcp__site__publish=("x.y[].z",)) == [("write", "a")]
    assert pairs("Publish", {"f": "a"}, Publish=("f",)) == [("write", "a")]
    assert touched_paths("site/publish", {"f": "a"}, {"publish": ("f",)}) == Touched(False)


def test_the_table_of_the_rule_file_adds_to_the_package() -> None:
    extra = {"Write": ("also",)}
    assert pairs("Write", {"also": "b", "file_path": "a"}, **extra) == [("write", "b"), ("write", "a")]
    assert problem("Write", {"also": "b"}, extra).endswith("is missing")


def test_an_argument_path_of_the_rule_file_that_cannot_be_read() -> None:
    extra = {"site/publish": ("a..b",)}
    assert problem("site/publish", {"a": "x"}, extra).startswith("in `x-tool-paths` `a..b` is no argument path")
    assert touched_paths("site/preview", {"a": "x"}, extra) == Touched(False)


@pytest.mark.parametrize("text", ["path", "files[].path", "paths[]", "a.b[].c", "a b.c", "$x", "日本.x"])
def test_argument_paths(text: str) -> None:
    assert argument_path_problem(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "a.",
        ".a",
        "a..b",
        "a[",
        "a]",
        "a[0]",
        "[]",
        "[].a",
        "a[][]",
        "a[]b",
        " a",
        "a .b",
        "a. b",
        ".".join("a" * 17),
    ],
)
def test_texts_that_are_no_argument_paths(text: str) -> None:
    assert argument_path_problem(text) is not None


def test_patch_headers() -> None:
    patch = (
        "*** Begin Patch\n"
        "*** Add File: new.py\n"
        "+*** Delete File: content.py\n"
        "+x\n"
        "*** Update File: a b.py\n"
        "*** Move to: c.py\n"
        "@@\n"
        "-*** Delete File: old.py\n"
        "+*** Add File: other.py\n"
        " *** Update File: context.py\n"
        "*** Update File: d.py\n"
        "@@ def f():\n"
        " x\n"
        "*** End of File\n"
        "*** Delete File: e.py\n"
        "*** End Patch\n"
    )
    expected = [
        PatchedFile("new.py", "create"),
        PatchedFile("a b.py", "rename", "c.py"),
        PatchedFile("d.py", "write"),
        PatchedFile("e.py", "delete"),
    ]
    assert patched_files(patch) == expected
    assert patched_files(patch.replace("\n", "\r\n")) == expected


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ("", []),
        ("echo hello", []),
        ("*** Begin Patch\n*** End Patch", []),
        ("*** Add File: b\n+*** Add File: a", [PatchedFile("b", "create")]),
        ("*** Add File:a", [PatchedFile("a", "create")]),
        ("*** add file: a", [PatchedFile("a", "create")]),
        ("  *** Delete File: a  ", [PatchedFile("a", "delete")]),
        ("*** Add File: a\n+x\n *** Delete File: b", [PatchedFile("a", "create"), PatchedFile("b", "delete")]),
        ("*** Delete File: a\n+*** Delete File: b", [PatchedFile("a", "delete")]),
        ("*** Add File: a\rb", [PatchedFile("a\rb", "create")]),
        ("*** Move to: a", [PatchedFile("a", "write")]),
        ("*** Add File: a\n*** Move to: b", [PatchedFile("a", "create"), PatchedFile("b", "write")]),
        (
            "*** Update File: a\n*** End Patch\n *** Add File: b",
            [PatchedFile("a", "write"), PatchedFile("b", "create")],
        ),
        ("*** Update File: ", [PatchedFile("", "write")]),
        ("apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF", [PatchedFile("a", "delete")]),
    ],
)
def test_odd_patches(patch: str, expected: list[PatchedFile]) -> None:
    assert patched_files(patch) == expected


def test_the_paths_of_a_patch() -> None:
    patch = "*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Add File: c\n+x\n"
    for key in ("command", "input", "patch", "patchText"):
        assert touched_paths("apply_patch", {key: patch}, {}) == Touched(
            True, (TouchedPath("a", "rename", "b", key), TouchedPath("c", "create", None, key))
        )
    both = {"command": "*** Add File: a", "input": "*** Delete File: b"}
    assert pairs("apply_patch", both) == [("create", "a"), ("delete", "b")]


PAYLOAD_PATHS: dict[str, list[tuple[str, str]]] = {
    "claude/Edit.json": [("write", "@ROOT/src/app.py")],
    "claude/Read.json": [("read", "@ROOT/src/app.py")],
    "claude/Write.json": [("write", "@ROOT/secrets/key.pem")],
    "cline/editor.json": [("write", "@ROOT/src/app.py")],
    "cline/read_files.json": [("read", "@ROOT/src/app.py")],
    "codex/apply_patch-add.json": [("create", "secrets/key.pem")],
    "copilot/create.json": [("create", "@ROOT/secrets/key.pem")],
    "copilot/view.json": [("read", "@ROOT/src/app.py")],
    "copilot-reading-claude-settings/Read.json": [("read", "@ROOT/src/app.py")],
    "copilot-reading-claude-settings/Write.json": [("write", "@ROOT/secrets/key.pem")],
    "gemini/read_file.json": [("read", "@ROOT/src/app.py")],
    "gemini/write_file.json": [("write", "@ROOT/secrets/key.pem")],
    "opencode/edit.json": [("write", "@ROOT/src/app.py")],
    "opencode/read.json": [("read", "@ROOT/src/app.py")],
    "opencode/write.json": [("write", "@ROOT/secrets/key.pem")],
    "qwen/read_file.json": [("read", "@ROOT/src/app.py")],
    "qwen/write_file.json": [("write", "@ROOT/secrets/key.pem")],
}
PAYLOAD_NAMES = sorted(path.relative_to(PAYLOADS).as_posix() for path in PAYLOADS.rglob("*.json"))


def test_every_payload_is_there() -> None:
    assert len(PAYLOAD_NAMES) == 37
    assert set(PAYLOAD_PATHS) <= set(PAYLOAD_NAMES)


@pytest.mark.parametrize("file", PAYLOAD_NAMES)
def test_payloads_of_hosts(file: str) -> None:
    payload = json.loads((PAYLOADS / file).read_text("utf-8"))
    call = payload.get("tool_call", {})
    name = payload.get("tool_name") or payload.get("toolName") or payload.get("tool") or call["name"]
    keys = [key for key in ("tool_input", "toolArgs", "args") if key in payload]
    touched = touched_paths(name, payload[keys[0]] if keys else call["input"], {})
    assert touched.problem is None
    assert [(path.operation, path.path) for path in touched.paths] == PAYLOAD_PATHS.get(file, [])
    assert touched.checked is (file in PAYLOAD_PATHS)


def test_the_table_is_well_formed() -> None:
    groups = json.loads(TABLE.read_text("utf-8"))
    operations = {"read", "write", "create", "delete", "rename"}
    tools = [tool.lower() for group in groups for tool in group["tools"]]
    assert len(tools) == len(set(tools))
    for group in groups:
        assert set(group) == {"tools", "arguments"}
        for argument in group["arguments"]:
            assert set(argument) <= {"argument", "operation", "optional", "newPath", "operationOf", "patch"}
            assert [path for path in argument["argument"] if argument_path_problem(path)] == []
            assert argument.get("patch") is True or argument["operation"] in operations
            assert (argument.get("operation") == "rename") is ("newPath" in argument)
            assert set(argument.get("operationOf", {"values": {}})["values"].values()) <= operations - {"rename"}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["path", "file_path", "files", "actions", "previous_path", "paths", "command"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@given(
    st.sampled_from(
        ["Write", "github/push_files", "gitlab/push_files", "read_many_files", "apply_patch", "text_editor"]
    ),
    values,
)
def test_any_arguments_are_answered(name: str, arguments: object) -> None:
    touched = touched_paths(name, arguments, {"Write": ("files[].path",)})
    assert all(isinstance(path.path, str) for path in touched.paths)
    if touched.problem is not None:
        assert (touched.checked, touched.paths) == (False, ())
