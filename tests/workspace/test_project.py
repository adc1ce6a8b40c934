"""A project over time: what is answered while the files that govern it change, and which root a directory has."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.workspace.finding import find_root, operator_config
from rules_lsp.workspace.project import Project
from tests.support.projects import MARKDOWN, RULES, build, code, project

NO_BASH = "denied_tools: [Bash]\n"
NO_GREP = "denied_tools: [Grep]\n"
BROKEN = "denied_tools: [Bash\n"


def last_good(directory: Path, rules: str | None = None) -> Project:
    files = {"config.yaml": "project_agent_rules: {on_error: last-good}\n"}
    return project(directory, files if rules is None else {**files, RULES: rules})


def rules_of(found: Project) -> Path:
    return Path(found.root.real) / RULES


def tool_codes(found: Project) -> tuple[str, str]:
    return code(found, tool="Bash"), code(found, tool="Grep")


def state(found: Project) -> tuple[bool, list[str]]:
    policy = found.answer({"path": "x"})["policy"]
    return policy["degraded"], [error["code"] for error in policy["errors"]]


def test_a_rule_file_replaced_by_one_of_the_same_size_and_time_counts_at_once(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: NO_BASH})
    path = rules_of(found)
    before = path.stat()
    assert tool_codes(found) == ("denied-tool", "unrestricted")
    path.write_text(NO_GREP)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert tool_codes(found) == ("unrestricted", "denied-tool")


def test_a_rule_file_that_goes_away_gives_way_to_the_next(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: NO_BASH, MARKDOWN: "## Denied Tools\n- Grep\n"})
    assert tool_codes(found) == ("denied-tool", "unrestricted")
    rules_of(found).unlink()
    assert tool_codes(found) == ("unrestricted", "denied-tool")
    (Path(found.root.real) / MARKDOWN).unlink()
    assert tool_codes(found) == ("unrestricted", "unrestricted")
    assert state(found) == (False, [])
    rules_of(found).write_text(NO_BASH)
    assert tool_codes(found) == ("denied-tool", "unrestricted")


@pytest.mark.parametrize(
    "kind", ["directory", "fifo", "outside", "dangling", "loop", "large", "latin", "merge", "list"]
)
def test_a_rule_file_that_becomes_something_else_degrades_the_answers(tmp_path: Path, kind: str) -> None:
    found = project(tmp_path, {RULES: NO_BASH})
    path = rules_of(found)
    outside = tmp_path / "outside.yaml"
    outside.write_text(NO_BASH)
    assert state(found) == (False, [])
    path.unlink()
    makers: dict[str, Callable[[], object]] = {
        "directory": path.mkdir,
        "fifo": lambda: os.mkfifo(path),
        "outside": lambda: path.symlink_to(outside),
        "dangling": lambda: path.symlink_to("nothing"),
        "loop": lambda: path.symlink_to(RULES),
        "large": lambda: path.write_bytes(b"#" * (1 << 20) + b"\n"),
        "latin": lambda: path.write_bytes(b"denied_tools: [B\xe4sh]\n"),
        "merge": lambda: path.write_text("<<: {}\n" + NO_BASH),
        "list": lambda: path.write_text("- Bash\n"),
    }
    makers[kind]()
    expected = "wrong-type" if kind in ("merge", "list") else "unreadable-file"
    assert state(found) == (True, [expected])
    assert tool_codes(found) == ("unrestricted", "unrestricted")
    # It is not in force, and yet no agent may touch it.
    assert code(found, path=RULES) in ("protected", "outside-root", "invalid-request")


def test_a_rule_file_that_may_not_be_read_degrades_the_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = project(tmp_path, {RULES: NO_BASH})
    really = os.open

    def refuse(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if str(path).endswith(RULES):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return really(path, flags, mode, dir_fd=dir_fd)

    assert tool_codes(found) == ("denied-tool", "unrestricted")
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        answer = found.answer({"tool": "Bash"})
    assert (answer["code"], answer["policy"]["degraded"]) == ("unrestricted", True)
    assert answer["policy"]["errors"][0]["message"] == (
        f"`{RULES}` cannot be read: permission denied; the rules of this file, its deny list included, are not in force"
    )
    assert tool_codes(found) == ("denied-tool", "unrestricted")


@pytest.mark.parametrize(
    ("config", "answer"),
    [
        ("", "unrestricted"),
        ("on_error: default", "unrestricted"),
        ("on_error: deny", "policy-error"),
        ("on_error: last-good", "policy-error"),
        ("on_error: whatever", "policy-error"),
        ("on_error: [default]", "policy-error"),
        ("on_error: default\n  on_error: default", "policy-error"),
        ("default_rules: {denied_tools: [Bash]}", "denied-tool"),
        ("default_rules: [Bash]", "policy-error"),
        ("default_rules: {denied_tools: [Bash]}\n  on_error: deny", "policy-error"),
    ],
)
def test_what_a_rule_file_that_does_not_parse_comes_to(tmp_path: Path, config: str, answer: str) -> None:
    found = project(tmp_path, {RULES: BROKEN, "config.yaml": f"project_agent_rules:\n  {config}\n"})
    assert code(found, tool="Bash") == answer
    assert state(found)[0]


def test_the_last_good_rules_hold_while_the_file_is_broken(tmp_path: Path) -> None:
    found = last_good(tmp_path, NO_BASH)
    good = found.answer({"tool": "Bash"})
    rules_of(found).write_text(BROKEN)
    held = found.answer({"tool": "Bash"})
    assert (held["code"], held["rule"]) == ("denied-tool", good["rule"])
    assert (held["policy"]["degraded"], held["policy"]["errors"][0]["code"]) == (True, "syntax-error")
    assert held["policy"]["version"] != good["policy"]["version"]
    assert code(found, tool="Grep") == "unrestricted"
    rules_of(found).write_text(NO_GREP)
    assert tool_codes(found) == ("unrestricted", "denied-tool")
    rules_of(found).write_text(BROKEN)
    assert tool_codes(found) == ("unrestricted", "denied-tool")
    rules_of(found).write_text(NO_BASH)
    assert found.answer({"tool": "Bash"}) == good


def test_there_is_no_last_good_before_a_file_parsed(tmp_path: Path) -> None:
    found = last_good(tmp_path)
    # No file is no policy that parsed: it must not be what is kept.
    assert tool_codes(found) == ("unrestricted", "unrestricted")
    rules_of(found).write_text(BROKEN)
    assert tool_codes(found) == ("policy-error", "policy-error")


def test_a_save_in_two_steps_keeps_the_last_good_rules(tmp_path: Path) -> None:
    found = last_good(tmp_path, NO_BASH)
    assert tool_codes(found) == ("denied-tool", "unrestricted")
    rules_of(found).unlink()
    assert tool_codes(found) == ("unrestricted", "unrestricted")
    rules_of(found).write_text(BROKEN)
    assert tool_codes(found) == ("denied-tool", "unrestricted")


def test_threads_never_see_a_mixture(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: NO_BASH})
    texts = (NO_BASH, NO_GREP)
    expected: dict[str, tuple[str, str]] = {}
    for text in texts:
        rules_of(found).write_text(text)
        answer = found.answer({"tools": ["Bash", "Grep"]})
        expected[answer["policy"]["version"]] = tuple(item["code"] for item in answer["answers"])
    assert sorted(expected.values()) == [("denied-tool", "unrestricted"), ("unrestricted", "denied-tool")]
    done = threading.Event()
    seen: list[tuple[str, tuple[str, ...]]] = []

    def ask() -> None:
        while not done.is_set():
            answer = found.answer({"tools": ["Bash", "Grep"]})
            seen.append((answer["policy"]["version"], tuple(item["code"] for item in answer["answers"])))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for turn in range(200):
        new = rules_of(found).with_name("new")
        new.write_text(texts[turn % 2])
        new.replace(rules_of(found))
    done.set()
    for thread in threads:
        thread.join()
    assert len(seen) >= 2
    assert {version for version, _ in seen} <= set(expected)
    assert [codes for version, codes in seen if expected[version] != codes] == []


def version(found: Project) -> str:
    answer: str = found.answer({"path": "x"})["policy"]["version"]
    return answer


def test_the_version_changes_with_what_decides_and_with_nothing_else(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: NO_BASH, "config.yaml": "other: 1\n"})
    root = Path(found.root.real)
    first = version(found)
    assert first.startswith("sha256:")
    assert len(first) == len("sha256:") + 64
    (root / "file").write_text("x")
    (root / MARKDOWN).write_text("# Superseded\n")
    os.utime(root / RULES, (1, 1))
    assert version(found) == first
    assert version(Project(str(root), fold_case=False)) == first
    seen = {first}

    def changed() -> None:
        new = version(found)
        assert new not in seen
        seen.add(new)

    (root / RULES).write_text(NO_BASH + "# comment\n")
    changed()
    (root / "config.yaml").write_text("project_agent_rules: {protect_rule_files: false}\n")
    changed()
    (root / ".mcp.json").write_text('{"mcpServers": {"github": {"command": "x"}}}')
    changed()
    (root / RULES).unlink()
    changed()
    (root / RULES).mkdir()
    changed()
    assert version(Project(str(root), fold_case=True)) not in seen
    (root / RULES).rmdir()
    (root / RULES).write_text(NO_BASH)
    (root / "config.yaml").write_text("other: 1\n")
    (root / ".mcp.json").unlink()
    assert version(found) == first


def test_the_operators_configuration_stands_in_for_the_projects_own(tmp_path: Path) -> None:
    operator = tmp_path / "operator.yaml"
    operator.write_text("project_agent_rules: {default_rules: {denied_tools: [Bash]}}\n")
    own = {"config.yaml": "project_agent_rules: {enabled: false}\n"}
    assert code(project(tmp_path, own), tool="Bash") == "disabled"
    assert code(project(tmp_path, own, config=operator), tool="Bash") == "denied-tool"
    # Without a section it configures nothing, and the project's own still does not count.
    operator.write_text("other: 1\n")
    assert code(project(tmp_path, own, config=operator), tool="Bash") == "unrestricted"


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (None, "config-value"),
        ("a: [", "syntax-error"),
        ("[]", "config-value"),
        ("project_agent_rules: 1\n", "config-value"),
        (b"\xff", "config-value"),
    ],
)
def test_an_operators_configuration_that_cannot_be_read_denies(
    tmp_path: Path, content: str | bytes | None, error: str
) -> None:
    operator = tmp_path / "operator.yaml"
    if content is not None:
        operator.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = project(tmp_path, config=operator)
    assert code(found, path="x") == "policy-error"
    assert state(found) == (False, [error])


def test_a_configuration_that_is_a_link_out_of_the_root_denies_if_it_is_one(tmp_path: Path) -> None:
    shared = tmp_path / "shared.yaml"
    shared.write_text("project_agent_rules: {default_rules: {allowed_tools: []}}\n")
    found = project(tmp_path, links={"config.yaml": "../shared.yaml"})
    assert code(found, tool="Bash") == "policy-error"
    assert state(found) == (False, ["config-value"])
    shared.write_text("other: 1\n")
    assert code(found, tool="Bash") == "unrestricted"
    assert state(found) == (False, [])


def test_the_variable_names_the_operators_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULES_LSP_CONFIG", "other.yaml")
    assert operator_config(None) == str(Path.cwd() / "other.yaml")
    assert operator_config("/etc/rules.yaml") == "/etc/rules.yaml"
    monkeypatch.setenv("RULES_LSP_CONFIG", "")
    assert operator_config(None) is None
    monkeypatch.delenv("RULES_LSP_CONFIG")
    assert operator_config(None) is None


def test_keys_of_the_operator_count_in_no_file_of_the_root(tmp_path: Path) -> None:
    away = tmp_path.resolve() / "away"
    away.mkdir()
    text = (
        f"project_agent_rules: {{read_roots: ['{away}'], path_map: [{{from: /box, to: '{tmp_path.resolve()}/app'}}]}}\n"
    )
    root = build(tmp_path, {"config.yaml": text})
    operator = tmp_path / "operator.yaml"
    operator.write_text(text)
    asked: list[dict[str, Any]] = [{"path": f"{away}/x", "operation": "read"}, {"path": "/box/x"}]
    for config in (None, str(root / "config.yaml")):
        own = Project(str(root), config, fold_case=False)
        assert [code(own, **query) for query in asked] == ["outside-root", "outside-root"]
    theirs = Project(str(root), str(operator), fold_case=False)
    assert [code(theirs, **query) for query in asked] == ["unrestricted", "unrestricted"]


def test_a_project_that_does_not_exist_still_answers(tmp_path: Path) -> None:
    found = Project(str(tmp_path / "none"))
    assert code(found, path="x") == "policy-error"
    assert code(found, path="../x") == "outside-root"


def test_the_root_is_the_work_tree_else_the_outermost_rule_file_else_the_directory(tmp_path: Path) -> None:
    top = tmp_path.resolve()
    deep = top / "a" / "b" / "c"
    deep.mkdir(parents=True)
    assert find_root(str(deep)) == str(deep)
    (top / "a" / "b" / RULES).write_text("")
    assert find_root(str(deep)) == str(top / "a" / "b")
    (top / "a" / ".github").mkdir()
    (top / "a" / ".github" / "AGENTS.md").write_text("")
    assert find_root(str(deep)) == str(top / "a")
    # A work tree may be a linked one, whose `.git` is a file.
    (top / "a" / "b" / ".git").write_text("gitdir: elsewhere\n")
    assert find_root(str(deep)) == str(top / "a" / "b")
    assert find_root(str(top / "a")) == str(top / "a")
