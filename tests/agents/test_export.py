"""What `rules-lsp export` writes for each host, what it leaves alone, and what it says is lost."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

from rules_lsp.agents.export import HOST_FILES, Plan, Refused, plan_export
from rules_lsp.agents.export.marked import CLOSING, OPENING
from rules_lsp.cli.main import main
from tests.agents.export_projects import RULES, policy_of, with_excludes, write_project

GOLDEN = Path(__file__).parent / "export_golden"
SMALL = "file_patterns: {exclude: [secrets/]}\n"
NOTHING = "file_patterns: {}\nx-unprotected: [config.yaml]\n"


def plan(host: str, root: Path) -> Plan:
    return plan_export(host, *policy_of(root))


def losses(host: str, root: Path) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {loss.code: (loss.effect, loss.entries) for loss in plan(host, root).losses}


def write(host: str, root: Path) -> int:
    return main(["export", host, "--write", "--root", str(root)])


def check(host: str, root: Path) -> int:
    return main(["export", host, "--check", "--root", str(root)])


@pytest.mark.parametrize("host", HOST_FILES)
def test_a_host_gets_exactly_this(host: str, tmp_path: Path) -> None:
    told = plan(host, write_project(tmp_path / "p"))
    golden = GOLDEN / host
    assert told.file.after is not None
    assert told.file.after.decode("utf-8") == (golden / Path(HOST_FILES[host]).name).read_text(encoding="utf-8")
    report = json.loads((golden / "losses.json").read_text(encoding="utf-8"))
    assert [loss.as_json() for loss in told.losses] == report


@pytest.mark.parametrize("host", HOST_FILES)
def test_writing_twice_is_writing_once_and_check_tells_a_change(host: str, tmp_path: Path) -> None:
    root = write_project(tmp_path / "p", SMALL)
    assert check(host, root) == 1
    assert write(host, root) == 0
    first = (root / HOST_FILES[host]).read_bytes()
    assert check(host, root) == 0
    assert write(host, root) == 0
    assert (root / HOST_FILES[host]).read_bytes() == first
    (root / RULES).write_text("file_patterns: {exclude: [secrets/, build/]}\n", encoding="utf-8")
    assert check(host, root) == 1
    assert write(host, root) == 0
    (root / RULES).write_text(SMALL, encoding="utf-8")
    assert write(host, root) == 0
    assert (root / HOST_FILES[host]).read_bytes() == first


@pytest.mark.parametrize("host", HOST_FILES)
def test_nothing_is_written_without_being_asked(host: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_project(tmp_path / "p", SMALL)
    before = sorted(path.name for path in root.rglob("*"))
    assert main(["export", host, "--root", str(root), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["host"], told["current"], "secrets" in told["content"]) == (host, False, True)
    assert sorted(path.name for path in root.rglob("*")) == before


FOREIGN = {
    "claude": """\
{
  // mine
  "permissions": {
    "deny": [
      "Bash(rm *)", // why
      "Read(/**/mine)"
    ]
  }
}
""",
    "vscode": """\
{
\t// mine
\t"editor.tabSize": 2,
\t"chat.tools.edits.autoApprove": {
\t\t"**/*": true, // all
\t}
}
""",
    "opencode": """\
{
  // mine
  "model": "a/b",
  "permission": {
    "edit": {
      // ask
      "*": "ask"
    }
  }
}
""",
    "codex": '# mine\nmodel = "m" # why\n\n[features]\nhooks = true\n',
    "cursor": "# mine\nbuild/\n!secrets/kept\n",
    "gemini": "build/\n",
    "aider": "build/\r\n*.log\r\n",
}


@pytest.mark.parametrize("host", HOST_FILES)
def test_what_others_wrote_stays_and_ours_goes_again(host: str, tmp_path: Path) -> None:
    root = write_project(tmp_path / "p", SMALL)
    file = root / HOST_FILES[host]
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(FOREIGN[host].encode())
    assert write(host, root) == 0
    written = file.read_bytes().decode()
    assert written != FOREIGN[host]
    assert all(line.strip().rstrip(",") in written for line in FOREIGN[host].splitlines())
    (root / RULES).unlink()
    assert write(host, root) == 0
    assert file.read_bytes().decode() == FOREIGN[host]


def test_a_foreign_entry_that_says_the_same_stays_foreign(tmp_path: Path) -> None:
    root = write_project(tmp_path / "p", SMALL)
    file = root / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"permissions": {"deny": ["Edit(/**/secrets)"]}}\n', encoding="utf-8")
    assert write("claude", root) == 0
    assert json.loads(file.read_text())["permissions"]["deny"].count("Edit(/**/secrets)") == 1
    (root / RULES).unlink()
    assert write("claude", root) == 0
    assert json.loads(file.read_text()) == {"permissions": {"deny": ["Edit(/**/secrets)"]}}


@pytest.mark.parametrize("host", ["cursor", "gemini", "aider"])
def test_a_line_behind_ours_that_takes_back_is_not_current(host: str, tmp_path: Path) -> None:
    root = write_project(tmp_path / "p", SMALL)
    assert write(host, root) == 0
    file = root / HOST_FILES[host]
    file.write_text(file.read_text() + "!secrets\n")
    assert check(host, root) == 1
    assert write(host, root) == 0
    assert file.read_text().startswith(f"!secrets\n{OPENING}\nsecrets\n")


@pytest.mark.parametrize(
    ("host", "path", "allow"),
    [("vscode", ("chat.tools.edits.autoApprove",), True), ("opencode", ("permission", "edit"), "allow")],
)
def test_a_member_behind_ours_that_allows_is_not_current(
    host: str, path: tuple[str, ...], allow: object, tmp_path: Path
) -> None:
    root = write_project(tmp_path / "p", SMALL)
    assert write(host, root) == 0
    file = root / HOST_FILES[host]
    data = held = json.loads(file.read_text())
    for key in path:
        held = held[key]
    held["**/x"] = allow
    file.write_text(json.dumps(data))
    assert check(host, root) == 1
    assert write(host, root) == 0
    held = json.loads(file.read_text())
    for key in path:
        held = held[key]
    assert (next(iter(held)), held["**/x"]) == ("**/x", allow)


@pytest.mark.parametrize(
    ("host", "content", "reason"),
    [
        ("claude", "{", "a key in double quotes must stand here"),
        ("claude", "[]", "it holds no JSON object"),
        ("claude", '{"permissions": {"deny": "x"}}', "`permissions.deny` is no list"),
        ("vscode", '{"chat.tools.edits.autoApprove": true}', "`chat.tools.edits.autoApprove` is no object"),
        ("codex", "[a", "it is no TOML: "),
        ("codex", "[permissions.rules-lsp]\n", "it has a profile `rules-lsp` that is not ours: rename it"),
        ("cursor", f"a\n{CLOSING}\n", "line 2 is a mark of ours without its counterpart: delete it"),
    ],
)
def test_a_file_that_cannot_be_merged_is_left_alone(host: str, content: str, reason: str, tmp_path: Path) -> None:
    root = write_project(tmp_path / "p", SMALL)
    file = root / HOST_FILES[host]
    file.parent.mkdir(exist_ok=True)
    file.write_text(content)
    with pytest.raises(Refused) as told:
        plan(host, root)
    assert str(told.value).startswith(reason)
    assert write(host, root) == 2
    assert file.read_text() == content


@pytest.mark.parametrize(
    ("host", "everything"),
    [
        ("claude", ["Edit(/**)", "Read(/**)"]),
        ("cursor", ["/**"]),
        ("vscode", ['"**": false']),
        ("opencode", ['"edit": {\n      "**": "deny"', '"read": {\n      "**": "deny"']),
        ("codex", ['"**" = "deny"']),
    ],
)
def test_rules_that_cannot_be_read_deny_everything(host: str, everything: list[str], tmp_path: Path) -> None:
    broken = plan(host, with_excludes(tmp_path / "p", ["src", "[a"])).file.after
    assert broken is not None
    assert [each for each in everything if each not in broken.decode()] == []
    whole = plan(host, with_excludes(tmp_path / "q", ["src"])).file.after
    assert whole is not None
    assert [each for each in everything if each in whole.decode()] == []


def test_rules_that_are_switched_off_are_not_exported(tmp_path: Path) -> None:
    root = write_project(tmp_path / "p")
    (root / "config.yaml").write_text("project_agent_rules: {enabled: false}\n", encoding="utf-8")
    assert [(host, plan(host, root).file.after) for host in HOST_FILES] == [(host, None) for host in HOST_FILES]


def test_protected_files_are_denied_for_writing_alone_where_the_host_can(tmp_path: Path) -> None:
    root = write_project(tmp_path / "p", SMALL)
    rules = json.loads(plan("claude", root).file.after or b"")["permissions"]["deny"]
    assert (f"Edit(/{RULES})" in rules, f"Read(/{RULES})" in rules) == (True, False)
    profile = tomllib.loads((plan("codex", root).file.after or b"").decode())["permissions"]["rules-lsp"]
    assert profile["filesystem"][":workspace_roots"][RULES] == "read"
    assert losses("gemini", root)["protection"][0] == "lets-through"
    assert losses("cursor", root)["protection"][0] == "denies-more"


def test_a_protected_file_that_is_excluded_is_not_made_readable(tmp_path: Path) -> None:
    root = write_project(tmp_path / "p", "file_patterns: {exclude: [/.github/]}\n")
    profile = tomllib.loads((plan("codex", root).file.after or b"").decode())["permissions"]["rules-lsp"]
    held = profile["filesystem"][":workspace_roots"]
    assert (held[".github"], ".github/AGENTS.md" in held, held["config.yaml"]) == ("deny", False, "read")


def test_codex_is_told_that_another_profile_is_chosen(tmp_path: Path) -> None:
    root = write_project(tmp_path / "p", SMALL)
    file = root / ".codex" / "config.toml"
    file.parent.mkdir()
    file.write_text('default_permissions = ":read-only"\n')
    assert losses("codex", root)["not-chosen"][0] == "lets-through"
    assert tomllib.loads((plan("codex", root).file.after or b"").decode())["default_permissions"] == ":read-only"


def test_opencode_is_told_of_a_wildcard_that_goes_before(tmp_path: Path) -> None:
    root = write_project(tmp_path / "p", SMALL)
    file = root / "opencode.json"
    file.write_text('{"permission": {"edit": "ask", "*": "allow"}}')
    assert losses("opencode", root)["overruled"] == ("lets-through", ("*",))
    file.write_text('{"permission": {"*": "allow", "edit": "ask"}}')
    assert "overruled" not in losses("opencode", root)


def test_git_does_not_track_less_for_it(tmp_path: Path) -> None:
    root = tmp_path / "p"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / RULES).write_text(SMALL, encoding="utf-8")
    assert write("cursor", root) == 0
    told = subprocess.run(["git", "-C", str(root), "status", "--porcelain"], capture_output=True, text=True, check=True)
    assert told.stdout == f"?? {RULES}\n?? .cursorignore\n"
