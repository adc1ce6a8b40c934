"""The record of a changed file of rules: what, by their ids, and who."""

from __future__ import annotations

import getpass
import json
import subprocess
from pathlib import Path

import pytest

from rules_lsp.prompter.audit import AuditLog
from rules_lsp.prompter.authoring import author_of, changed_rules, record_saved
from rules_lsp.prompter.places import audit_directory, project_name
from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.source.text import Text

NOW = 1_800_000_000.0
A = "  - {id: a, when: always, action: inject_instruction, instruction: x}\n"
B = "  - {id: b, when: tool.before, action: audit_only}\n"
HEAD = "version: 1\nrules:\n"


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        (HEAD + A, HEAD + A, ()),
        (HEAD + A, f"# a remark\n{HEAD}{A}", ()),
        (HEAD + A, HEAD + A + B, ("b",)),
        (HEAD + A + B, HEAD + B, ("a",)),
        (HEAD + A + B, HEAD + B + A, ()),
        (HEAD + A + B, HEAD + A.replace("x}", "y}") + B, ("a",)),
        (HEAD + A, HEAD + A.replace("x}", "x, enabled: false}"), ("a",)),
        (HEAD + A, f"enabled: false\n{HEAD}{A}", ("enabled",)),
        (f"enabled: false\n{HEAD}{A}", f"enabled: false\n{HEAD}{B}", ("a", "b")),
        (f"enabled: true\n{HEAD}{A}", HEAD + A, ()),
        (HEAD + A, HEAD + A + A, ("a",)),
        (HEAD + A, f"x-dangerous: [acme]\n{HEAD}{A}", ("x-dangerous",)),
        (HEAD + A, HEAD + A + "x: [", ("a",)),
        ("", "", ()),
    ],
)
def test_what_was_changed(before: str, after: str, what: tuple[str, ...]) -> None:
    read = [read_auto_prompter(Text(each)).rules for each in (before, after)]
    assert changed_rules(read[0], read[1]) == what


def test_the_record_has_ids_and_a_name_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("[user]\n\tname = Ada\n")
    store = str(tmp_path / "state" / "prompter.db")
    assert record_saved(str(tmp_path), store, Text(HEAD + A), Text(f"enabled: false\n{HEAD}{B}"), NOW) is None
    (file,) = Path(audit_directory(store, project_name(str(tmp_path)))).iterdir()
    (event,) = map(json.loads, file.read_text().splitlines())
    assert len(event.pop("eventId")) == 32
    assert event == {
        "type": "settings_changed",
        "createdAt": "2027-01-15T08:00:00Z",
        "who": "Ada",
        "what": ["a", "b", "enabled"],
    }


def test_nothing_is_recorded_where_nothing_changed(tmp_path: Path) -> None:
    store = str(tmp_path / "state" / "prompter.db")
    assert record_saved(str(tmp_path), store, Text(HEAD + A), Text(f"{HEAD}{A}# done\n"), NOW) is None
    assert not (tmp_path / "state").exists()


def test_an_old_audit_is_left_alone(tmp_path: Path) -> None:
    store = str(tmp_path / "state" / "prompter.db")
    directory = audit_directory(store, project_name(str(tmp_path)))
    AuditLog(directory).append({"eventId": "x" * 32, "type": "policy_action"}, 1_000_000_000.0)
    record_saved(str(tmp_path), store, Text(HEAD + A), Text(HEAD + B), NOW)
    assert sorted(path.name for path in Path(directory).iterdir()) == ["2001-09-09.jsonl", "2027-01-15.jsonl"]


def test_a_record_that_fails_says_why(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    reason = record_saved(str(tmp_path), str(tmp_path / "state" / "prompter.db"), Text(HEAD + A), Text(HEAD + B), NOW)
    assert reason is not None
    assert reason.startswith("the audit failed: ")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    return home


def git(directory: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=directory, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("name", ["Ada Lovelace", "A # B; C", 'Qu"ote', "\u65e5\u672c", "a\\b"])
def test_the_author_is_the_one_of_git(tmp_path: Path, home: Path, name: str) -> None:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    git(root, "init", "-q")
    git(root, "config", "user.name", name)
    git(root, "config", "user.nameless", "other")
    git(root, "config", "remote.user.name", "other")
    assert author_of(str(root / "sub")) == git(root, "config", "user.name") == name


def test_the_project_is_asked_before_the_user(tmp_path: Path, home: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    git(root, "init", "-q")
    (home / ".gitconfig").write_text("[USER]\n name = Global # who\n[other]\n name = x\n")
    assert author_of(str(root)) == git(root, "config", "user.name") == "Global"
    git(root, "config", "user.name", "Local")
    assert author_of(str(root)) == "Local"


def test_a_worktree_has_the_author_of_its_repository(tmp_path: Path, home: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    git(root, "init", "-q")
    git(root, "config", "user.name", "Ada")
    git(root, "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x")
    git(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert author_of(str(tmp_path / "tree")) == "Ada"


def test_without_a_name_it_is_the_user_of_the_system(tmp_path: Path, home: Path) -> None:
    assert author_of(str(tmp_path)) == getpass.getuser()


def test_a_configuration_that_is_none_names_nobody(tmp_path: Path, home: Path) -> None:
    (home / ".gitconfig").write_bytes(b"\xff\0[user\nname = x\n[user]\nemail = y\nname\n")
    assert author_of(str(tmp_path)) == getpass.getuser()
