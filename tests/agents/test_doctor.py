"""What keeps an installed hook from being obeyed, host by host, beside neighbours that are fine."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.agents.doctor import HostReport, examine
from rules_lsp.agents.hook_trial import try_hook
from rules_lsp.agents.hosts import HOSTS
from rules_lsp.agents.installing import plan_install

CHECKOUT = Path(__file__).parents[2]
PLACES = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "copilot": ".github/hooks/rules-lsp.json",
    "qwen": ".qwen/settings.json",
    "cursor": ".cursor/hooks.json",
    "vscode": ".github/hooks/rules-lsp.json",
    "cline": ".clinerules/hooks/PreToolUse",
    "opencode": ".opencode/plugins/rules-lsp.js",
}

PROGRAMS = {*HOSTS, "cursor-agent", "code", "code-insiders"}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project beside an empty home, on a machine without any host."""
    root, home = tmp_path.resolve() / "project", tmp_path.resolve() / "home"
    root.mkdir()
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME", "GEMINI_CLI_TRUST_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    pretend_programs(monkeypatch, {})
    return root


def pretend_programs(monkeypatch: pytest.MonkeyPatch, known: dict[str, str]) -> None:
    """Let just these programs of hosts be there, whatever the machine has."""
    find = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: known.get(name) if name in PROGRAMS else find(name))


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def install(host: str, root: Path | None) -> Path:
    change = plan_install(host, None if root is None else str(root))
    path = write(Path(change.path), (change.after or b"").decode())
    path.chmod(change.mode & 0o755)
    return path


def change(path: Path, edit: Callable[[Any], object]) -> None:
    data = json.loads(path.read_text())
    edit(data)
    path.write_text(json.dumps(data))


def report(host: str, root: Path) -> HostReport:
    return next(each for each in examine(str(root)) if each.host == host)


def problems(host: str, root: Path) -> list[str]:
    return [finding.code for finding in report(host, root).problems]


def opened(host: str, root: Path) -> list[str]:
    return [finding.code for finding in report(host, root).findings if finding.level == "open"]


def trust_all(root: Path) -> None:
    """What the users of the hosts that ask for trust answer."""
    home = root.parent / "home"
    write(home / ".gemini/trustedFolders.json", {str(root): "TRUST_FOLDER"})
    write(home / ".copilot/config.json", {"trustedFolders": [str(root)]})
    notes = plan_install("codex", str(root)).notes
    write(home / ".codex/config.toml", "\n".join(line for note in notes for line in note.splitlines()[1:]))


def test_nothing_is_found_where_nothing_is(root: Path) -> None:
    assert examine(str(root)) == []


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_without_a_hook(host: str, root: Path) -> None:
    (root / PLACES[host]).parent.mkdir(parents=True)
    (root / ".vscode").mkdir()
    (finding,) = report(host, root).problems
    assert (finding.code, finding.message) == ("no-hook", f"it has no hook: {host} does not ask before it acts")
    assert finding.advice == f"rules-lsp hook install {host}"


def test_a_host_is_found_by_its_program_and_by_the_home_of_its_user(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root.parent / "home" / ".qwen").mkdir()
    pretend_programs(monkeypatch, {"codex": "/usr/local/bin/codex"})
    found = [(each.host, each.found_by) for each in examine(str(root))]
    assert found == [("codex", "/usr/local/bin/codex"), ("qwen", str(root.parent / "home" / ".qwen"))]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("of_user", [False, True])
def test_what_was_just_installed_is_fine(host: str, of_user: bool, root: Path) -> None:
    (root / ".vscode").mkdir()
    if not of_user:
        trust_all(root)
        install(host, root)
    elif host == "codex":
        path = install(host, None)
        entry = plan_install(host, None).notes[0].splitlines()[1:]
        write(path.parent / "config.toml", "\n".join(entry))
    else:
        trust_all(root)
        install(host, None)
    found = report(host, root)
    assert found.problems == ()
    assert len(found.hooks) == 1
    assert try_hook(found.hooks[0], str(root)).failure is None


LEFT_OPEN = {
    "claude": ["flags", "worktree", "below"],
    "codex": ["write-stdin", "flags"],
    "gemini": ["acp", "flags", "below", "search"],
    "copilot": ["flags", "timeout"],
    "qwen": ["flags", "last-wins"],
    "cursor": ["documents"],
    "vscode": ["documents"],
    "cline": [],
    "opencode": ["flags"],
}


@pytest.mark.parametrize("host", HOSTS)
def test_what_a_host_leaves_open_is_told(host: str, root: Path) -> None:
    (root / ".vscode").mkdir()
    install(host, root)
    assert opened(host, root) == LEFT_OPEN[host]
    assert all(finding.advice for finding in report(host, root).findings)


IN_REACH = {
    "claude": "`/.claude/settings.json`, `/.claude/settings.local.json`",
    "codex": "`/.codex/hooks.json`, `/.codex/config.toml`",
    "gemini": "`/.gemini/settings.json`",
    "cline": "`/.clinerules/hooks/PreToolUse`",
    "opencode": "`/.opencode/plugins/rules-lsp.js`",
}


@pytest.mark.parametrize("host", IN_REACH)
def test_an_agent_that_may_write_its_own_hook(host: str, root: Path) -> None:
    install(host, root)
    trust_all(root)
    rules = write(root / ".coding-agent-rules.yaml", "file_patterns: {exclude: ['*.pem']}\n")
    found = [finding.advice for finding in report(host, root).findings if finding.code == "in-reach"]
    assert found == [f"exclude {IN_REACH[host]} in the rules"]
    assert problems(host, root) == []
    rules.write_text(f"file_patterns: {{exclude: [{IN_REACH[host].replace('`', '')}]}}\n")
    assert "in-reach" not in opened(host, root)


def test_the_settings_of_the_project_switch_off_the_hook_of_the_user(root: Path) -> None:
    install("claude", None)
    write(root / ".coding-agent-rules.yaml", "file_patterns: {exclude: [/.claude/settings.json]}\n")
    found = [finding.advice for finding in report("claude", root).findings if finding.code == "in-reach"]
    assert found == ["exclude `/.claude/settings.local.json` in the rules"]


@pytest.mark.parametrize("host", ["codex", "gemini", "copilot"])
def test_a_project_that_is_not_trusted(host: str, root: Path) -> None:
    install(host, root)
    found = problems(host, root)
    assert found == (["not-trusted", "project-not-trusted"] if host == "codex" else ["project-not-trusted"])


def test_a_hook_of_codex_that_changed_after_it_was_trusted(root: Path) -> None:
    path = install("codex", root)
    trust_all(root)
    assert problems("codex", root) == []
    change(path, lambda data: data["hooks"]["PreToolUse"][0].update(matcher=".*"))
    (finding,) = report("codex", root).problems
    assert finding.message == "the hook was changed after it was trusted, and codex passes over it without a word"
    assert "trusted_hash = " in finding.advice


def test_a_hook_in_the_configuration_of_codex(root: Path) -> None:
    command = json.dumps(f"{sys.executable} -m rules_lsp hook codex")
    text = f'[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = {command}\n'
    config = write(root.parent / "home" / ".codex/config.toml", text)
    (finding,) = report("codex", root).problems
    assert finding.code == "not-trusted"
    config.write_text(text + "\n".join(finding.advice.splitlines()[1:]))
    assert problems("codex", root) == []


@pytest.mark.parametrize(
    ("folders", "trusted"),
    [
        ({"@": "TRUST_FOLDER"}, True),
        ({"@/..": "TRUST_FOLDER"}, True),
        ({"@/sub": "TRUST_PARENT"}, True),
        ({"@/sub": "TRUST_FOLDER"}, False),
        ({"@": "DO_NOT_TRUST", "@/..": "TRUST_FOLDER"}, False),
        ({"@x": "TRUST_FOLDER"}, False),
        ([], False),
    ],
)
def test_whom_gemini_trusts(folders: Any, trusted: bool, root: Path) -> None:
    install("gemini", root)
    text = json.dumps(folders).replace("@/..", str(root.parent)).replace("@", str(root))
    write(root.parent / "home/.gemini/trustedFolders.json", text)
    assert problems("gemini", root) == ([] if trusted else ["project-not-trusted"])


def test_gemini_asks_for_no_trust_where_that_is_switched_off(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install("gemini", root)
    monkeypatch.setenv("GEMINI_CLI_TRUST_WORKSPACE", "true")
    assert problems("gemini", root) == []
    monkeypatch.delenv("GEMINI_CLI_TRUST_WORKSPACE")
    write(root.parent / "home/.gemini/settings.json", {"security": {"folderTrust": {"enabled": False}}})
    assert problems("gemini", root) == []


SWITCHES: list[tuple[str, str, Any, Any]] = [
    ("claude", "project/.claude/settings.local.json", {"disableAllHooks": True}, {"disableAllHooks": False}),
    ("claude", "home/.claude/settings.json", {"disableAllHooks": True}, {}),
    ("codex", "project/.codex/config.toml", "[features]\nhooks = false\n", "[features]\nhooks = true\n"),
    ("gemini", "home/.gemini/settings.json", {"hooksConfig": {"enabled": False}}, {"hooksConfig": {"enabled": True}}),
    ("gemini", "home/.gemini/settings.json", {"hooksConfig": {"disabled": ["rules-lsp"]}},
     {"hooksConfig": {"disabled": ["a"]}}),
    ("copilot", "project/.github/copilot/settings.local.json", {"disableAllHooks": True}, {"disableAllHooks": None}),
    ("qwen", "home/.qwen/settings.json", {"disableAllHooks": True}, {"other": True}),
    ("vscode", "project/.vscode/settings.json", {"chat.hookFilesLocations": {".github/hooks": False}},
     {"chat.hookFilesLocations": {"elsewhere": False}}),
]  # fmt: skip


@pytest.mark.parametrize(("host", "place", "off", "on"), SWITCHES)
def test_hooks_that_are_switched_off(host: str, place: str, off: Any, on: Any, root: Path) -> None:
    (root / ".vscode").mkdir()
    install(host, root)
    trust_all(root)
    path = write(root.parent / place, on)
    assert problems(host, root) == []
    write(path, off)
    (finding,) = report(host, root).problems
    assert (finding.code, finding.path) == ("switched-off", str(path))


@pytest.mark.parametrize(
    ("host", "effect"),
    [
        ("claude", "claude runs no hooks of it, without a word"),
        ("qwen", "qwen runs no hooks of it, without a word"),
        ("gemini", "gemini does not start"),
    ],
)
def test_a_file_that_does_not_parse(host: str, effect: str, root: Path) -> None:
    path = write(root / PLACES[host], '{"hooks": {')
    found = report(host, root)
    assert [(each.code, each.path) for each in found.problems] == [("invalid-file", str(path)), ("no-hook", None)]
    assert found.problems[0].message == f"a key in double quotes must stand here: {effect}"


def first(data: Any, event: str = "PreToolUse") -> Any:
    return data["hooks"][event][0]


MATCHERS = [
    ("claude", "PreToolUse", "Write|Edit", False),
    ("claude", "PreToolUse", "*", True),
    ("claude", "PreToolUse", "", True),
    ("gemini", "BeforeTool", "write", False),
    ("gemini", "BeforeTool", ".*", True),
    ("copilot", "preToolUse", "*", False),
    ("copilot", "preToolUse", ".*", True),
    ("qwen", "PreToolUse", "mcp__.*", False),
]


@pytest.mark.parametrize(("host", "event", "matcher", "fine"), MATCHERS)
def test_a_matcher_that_misses_tools(host: str, event: str, matcher: str, fine: bool, root: Path) -> None:
    path = install(host, root)
    trust_all(root)
    change(path, lambda data: first(data, event).update(matcher=matcher))
    assert problems(host, root) == ([] if fine else ["matcher"])


TIMEOUTS = [
    ("claude", 30, [], []),
    ("claude", 5, ["timeout"], []),
    ("claude", 30000, [], ["timeout-unit"]),
    ("claude", "30", ["timeout"], []),
    ("gemini", 30, ["timeout"], []),
    ("gemini", 30000, [], []),
    ("qwen", 6, [], []),
    ("qwen", 1000, ["timeout"], []),
    ("qwen", 6000, [], []),
]


@pytest.mark.parametrize(("host", "timeout", "wrong", "remarks"), TIMEOUTS)
def test_the_unit_of_a_time_limit(host: str, timeout: object, wrong: list[str], remarks: list[str], root: Path) -> None:
    path = install(host, root)
    trust_all(root)
    event = "BeforeTool" if host == "gemini" else "PreToolUse"
    change(path, lambda data: first(data, event)["hooks"][0].update(timeout=timeout))
    assert problems(host, root) == wrong
    assert opened(host, root) == [*remarks, *LEFT_OPEN[host]]


@pytest.mark.parametrize(
    ("option", "fine"), [("--deadline 40", False), ("--deadline=40", False), ("--deadline 20", True)]
)
def test_a_deadline_beyond_the_time_limit(option: str, fine: bool, root: Path) -> None:
    path = install("claude", root)

    def longer(data: Any) -> None:
        handler = first(data)["hooks"][0]
        handler["command"] += f" {option}"

    change(path, longer)
    assert problems("claude", root) == ([] if fine else ["timeout"])


def set_command(command: str) -> Callable[[Any], object]:
    return lambda data: first(data)["hooks"][0].update(command=command)


def test_a_program_that_is_gone_or_may_not_be_run(root: Path) -> None:
    path = install("claude", root)
    program = write(root.parent / "rules-lsp", "#!/bin/sh\n")
    change(path, set_command(f"{root.parent}/gone/rules-lsp hook claude"))
    assert [each.message for each in report("claude", root).problems] == [
        f"its program `{root.parent}/gone/rules-lsp` is not there"
    ]
    change(path, set_command(f"{program} hook claude"))
    assert [each.message for each in report("claude", root).problems] == [f"its program `{program}` may not be run"]
    program.chmod(0o755)
    assert problems("claude", root) == []
    assert opened("claude", root) == ["unguarded", *LEFT_OPEN["claude"]]


def test_the_hook_of_another_host(root: Path) -> None:
    path = install("qwen", root)
    change(path, set_command(f"{sys.executable} -m rules_lsp hook gemini"))
    (finding,) = report("qwen", root).problems
    assert finding.message == "it answers as for gemini under `PreToolUse`, which qwen does not understand"


def test_copilot_and_vscode_read_the_hook_of_claude(root: Path) -> None:
    (root / ".vscode").mkdir()
    (root / ".github/hooks").mkdir(parents=True)
    trust_all(root)
    install("claude", root)
    assert problems("copilot", root) == problems("vscode", root) == []
    assert try_hook(report("copilot", root).hooks[0], str(root)).failure is None


def test_another_hook_behind_ours_in_qwen(root: Path) -> None:
    path = install("qwen", root)
    lint = {"hooks": [{"type": "command", "command": "lint"}]}
    change(path, lambda data: data["hooks"]["PreToolUse"].insert(0, lint))
    assert problems("qwen", root) == []
    change(path, lambda data: data["hooks"]["PreToolUse"].append(lint))
    (finding,) = report("qwen", root).problems
    assert finding.message == "the hook `lint` stands behind it: if that says allow, qwen obeys it"
    install("qwen", root)
    assert problems("qwen", root) == []


def test_claude_goes_on_without_a_hook_unless_told_otherwise(root: Path) -> None:
    path = install("claude", root)
    change(path, lambda data: first(data)["hooks"][0].pop("onFailure"))
    assert (problems("claude", root), opened("claude", root)) == ([], ["timeout", *LEFT_OPEN["claude"]])


def test_a_hook_that_is_no_command(root: Path) -> None:
    change(install("claude", root), lambda data: first(data)["hooks"][0].update(type="prompt"))
    assert problems("claude", root) == ["type"]


def test_cursor(root: Path) -> None:
    path = install("cursor", root)
    change(path, lambda data: data.pop("version"))
    assert set(problems("cursor", root)) == {"version"}
    install("cursor", root)
    change(path, lambda data: data.update(version=1))
    change(path, lambda data: first(data, "preToolUse").pop("failClosed"))
    assert (problems("cursor", root), opened("cursor", root)) == ([], ["fail-open", "documents"])


def test_the_script_of_cline_may_not_be_run(root: Path) -> None:
    install("cline", root).chmod(0o644)
    assert problems("cline", root) == ["not-executable"]


@pytest.mark.parametrize("host", ["cline", "opencode"])
def test_a_file_of_ours_that_was_changed(host: str, root: Path) -> None:
    path = install(host, root)
    path.write_text(
        "\n".join(line for line in path.read_text().splitlines() if not line.startswith(("answer=", "const COMMAND")))
    )
    assert problems(host, root) == ["changed"]


@pytest.mark.parametrize("host", ["cline", "opencode"])
def test_a_file_of_another(host: str, root: Path) -> None:
    write(root / PLACES[host], "#!/bin/sh\n")
    assert problems(host, root) == ["no-hook"]


@pytest.mark.parametrize(
    ("command", "failure"),
    [
        ("exit 0; rules-lsp hook claude", None),
        ("exit 7; rules-lsp hook claude", "it ended with code 7 and no answer"),
        ("echo policy engine failed: x >&2; exit 2; rules-lsp hook claude", "policy engine failed: x"),
        ("echo a cause >&2; echo policy engine failed >&2; rules-lsp hook claude", "policy engine failed (a cause)"),
    ],
)
def test_a_hook_is_tried(command: str, failure: str | None, root: Path) -> None:
    change(install("claude", root), set_command(command))
    assert try_hook(report("claude", root).hooks[0], str(root)).failure == failure


def test_a_hook_that_hangs_is_given_up(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules_lsp.agents.hook_trial.LIMIT", 0.2)
    change(install("claude", root), set_command("exec tail -f /dev/null; rules-lsp hook claude"))
    assert try_hook(report("claude", root).hooks[0], str(root)).failure == "it gave no answer within 0.2 seconds"
