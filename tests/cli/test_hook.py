"""`rules-lsp hook install` and `uninstall`: what is written, said and left alone; and a call that is answered."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rules_lsp.agents.hosts import HOSTS
from rules_lsp.cli.main import main

GOLDEN = Path(__file__).parent.parent / "data" / "hook_files"
CLAUDE = (GOLDEN / "claude.json").read_text()
SETTINGS = ".claude/settings.json"


@pytest.fixture(autouse=True)
def installation(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project and an empty home, and an installation that does not depend on where the tests run."""
    home = here.parent / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(sys, "executable", "/opt/rules lsp/bin/python")
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def hook(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["hook", *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


Hook = Callable[..., tuple[int, str, str]]


def files(directory: Path) -> list[str]:
    return sorted(path.relative_to(directory).as_posix() for path in directory.rglob("*"))


def test_install_twice_and_uninstall_twice(here: Path, hook: Hook) -> None:
    assert hook("install", "claude") == (0, f"installed claude: {SETTINGS}\n", "")
    assert (here / SETTINGS).read_text() == CLAUDE
    assert hook("install", "claude") == (0, f"{SETTINGS}: it is installed already, nothing changed\n", "")
    assert hook("uninstall", "claude") == (0, f"uninstalled claude: {SETTINGS}\n", "")
    assert files(here) == []
    assert hook("uninstall", "claude") == (0, f"{SETTINGS}: no hook of ours is in it, nothing changed\n", "")


@pytest.mark.parametrize("host", HOSTS)
def test_each_host(host: str, here: Path, hook: Hook) -> None:
    code, said, error = hook("install", host)
    assert (code, error, said.split(": ")[0]) == (0, "", f"installed {host}")
    (path,) = (path for path in here.rglob("*") if path.is_file())
    (golden,) = GOLDEN.glob(f"{host}.*")
    assert path.read_text() == golden.read_text()
    assert os.access(path, os.X_OK) == (host == "cline")
    assert hook("uninstall", host)[0] == 0
    assert files(here) == []


def test_what_is_left_to_do_is_said(hook: Hook) -> None:
    said = hook("install", "codex")[1].splitlines()
    assert said[1].startswith("codex passes over a hook that is not trusted, without a word: trust it with `/hooks` in")
    assert [line.split(" ")[4] for line in said if line.startswith("    ")] == [
        f'[hooks.state."{os.getcwd()}/.codex/hooks.json:pre_tool_use:0:0"]',
        "trusted_hash",
        f'[projects."{os.getcwd()}"]',
        "trust_level",
    ]
    assert hook("install", "gemini")[1].splitlines()[1:] == [
        "gemini runs the hooks of a project that is trusted: answer its question with `trust`"
    ]


def test_the_hook_of_a_user(here: Path, hook: Hook, installation: Path) -> None:
    assert hook("install", "claude", "--user") == (0, "installed claude: ../home/.claude/settings.json\n", "")
    assert (files(here), (installation / SETTINGS).read_text()) == ([], CLAUDE)
    assert hook("uninstall", "claude", "--user")[0] == 0
    assert files(installation) == []


def test_another_root_and_no_look_into_the_shell(here: Path, hook: Hook) -> None:
    (here / "sub").mkdir()
    assert hook("install", "claude", "--root", "sub", "--no-shell-look")[1] == f"installed claude: sub/{SETTINGS}\n"
    assert (here / "sub" / SETTINGS).read_text() == CLAUDE.replace("hook claude", "hook claude --no-shell-look")
    assert hook("install", "claude", "--root", "sub", "--project")[1] == f"installed claude: sub/{SETTINGS}\n"
    assert (here / "sub" / SETTINGS).read_text() == CLAUDE


@pytest.mark.parametrize("before", [None, '{"model": "opus"}\n', "{\n}\n"])
def test_a_dry_run_writes_nothing_and_shows_a_patch(before: str | None, here: Path, hook: Hook) -> None:
    path = here / SETTINGS
    if before is not None:
        path.parent.mkdir()
        path.write_text(before)
    was = files(here)
    code, patch, error = hook("install", "claude", "--dry-run")
    assert (code, error, files(here)) == (0, "", was)
    assert before is None or path.read_text() == before
    subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=here, check=True)
    applied = path.read_text()
    assert hook("install", "claude", "--dry-run") == (0, f"{SETTINGS}: nothing would change\n", "")
    undone = hook("uninstall", "claude", "--dry-run")[1]
    assert path.read_text() == applied
    subprocess.run(["git", "apply", "-"], input=undone.encode(), cwd=here, check=True)
    assert (path.read_text() if path.exists() else None) == before


def test_the_patch_of_a_new_file(hook: Hook) -> None:
    lines = CLAUDE.splitlines()
    patch = ["--- /dev/null", f"+++ b/{SETTINGS}", f"@@ -0,0 +1,{len(lines)} @@", *(f"+{line}" for line in lines)]
    assert hook("install", "claude", "--dry-run")[1].splitlines() == patch


def test_links_and_modes_stay(here: Path, hook: Hook, installation: Path) -> None:
    kept = installation / "dotfiles.json"
    kept.write_text("{}")
    kept.chmod(0o600)
    (here / ".claude").mkdir()
    (here / SETTINGS).symlink_to(kept)
    assert hook("install", "claude")[0] == 0
    assert (here / SETTINGS).is_symlink()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert json.loads(kept.read_text()) == json.loads(CLAUDE)
    assert hook("uninstall", "claude")[0] == 0
    assert ((here / SETTINGS).is_symlink(), kept.read_text()) == (True, "{}")


def test_a_link_that_leads_nowhere_is_followed(here: Path, hook: Hook, installation: Path) -> None:
    (here / ".claude").mkdir()
    (here / SETTINGS).symlink_to(installation / "later" / "settings.json")
    assert hook("install", "claude")[0] == 0
    assert (installation / "later" / "settings.json").read_text() == CLAUDE
    assert hook("uninstall", "claude")[0] == 0
    assert ((here / SETTINGS).is_symlink(), (here / SETTINGS).exists()) == (True, False)


def test_a_script_of_ours_becomes_one_that_may_be_run(here: Path, hook: Hook) -> None:
    script = here / ".clinerules" / "hooks" / "PreToolUse"
    script.parent.mkdir(parents=True)
    script.write_text((GOLDEN / "cline.sh").read_text().replace("/opt/", "/old/"))
    script.chmod(0o640)
    assert hook("install", "cline")[0] == 0
    assert (script.read_text(), stat.S_IMODE(script.stat().st_mode)) == ((GOLDEN / "cline.sh").read_text(), 0o750)


@pytest.mark.parametrize(
    ("host", "place", "content", "cause"),
    [
        ("claude", SETTINGS, '{"a": }', "a value is missing here, or is none that JSON knows"),
        ("claude", SETTINGS, '{"hooks": 1}', "`hooks` is no object"),
        ("cline", ".clinerules/hooks/PreToolUse", "#!/bin/sh\n",
         "it is not ours: move it away, or call `rules-lsp hook` in it"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("option", [[], ["--dry-run"]])
def test_what_cannot_be_edited_is_left_alone(
    host: str, place: str, content: str, cause: str, option: list[str], here: Path, hook: Hook
) -> None:
    path = here / place
    path.parent.mkdir(parents=True)
    path.write_text(content)
    assert hook("install", host, *option) == (2, "", f"rules-lsp: {place}: it is left as it is: {cause}\n")
    assert path.read_text() == content
    assert files(path.parent) == [path.name]


def test_a_directory_that_is_a_file(here: Path, hook: Hook) -> None:
    (here / ".clinerules").write_text("be kind\n")
    code, said, error = hook("install", "cline")
    assert (code, said) == (2, "")
    assert error == "rules-lsp: .clinerules/hooks/PreToolUse: it cannot be written (not a directory)\n"
    assert files(here) == [".clinerules"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["install"], f"hook install: name a host, one of {', '.join(HOSTS)}"),
        (["install", "claude", "--deadline", "3"], "--deadline is for `rules-lsp hook HOST`"),
        (["install", "claude", "--root", "nowhere"], "--root nowhere: there is no such directory"),
        (["claude", "--user"], "hook claude: it answers a call; to install it: hook install claude"),
    ],
)
def test_a_call_that_makes_no_sense(arguments: list[str], message: str, hook: Hook) -> None:
    assert hook(*arguments) == (2, "", f"rules-lsp: {message}\n")


@pytest.mark.parametrize(("tool", "code"), [("WebFetch", 2), ("Think", 0)])
def test_a_call_is_answered(
    tool: str, code: int, here: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (here / ".coding-agent-rules.yaml").write_text("denied_tools: [WebFetch]\n")
    message = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {}, "cwd": str(here)}
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(message).encode())))
    assert main(["hook", "vscode", "--root", str(here)]) == code
    reason = "`WebFetch` is denied by `WebFetch`\n" if code else ""
    printed = capfd.readouterr()
    assert (bool(printed.out), printed.err) == (bool(code), reason)
