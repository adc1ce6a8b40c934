"""All edits of a batch or none: what is kept of a file, and what happens when something comes in between."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.prompt.edits import applying, ending
from rules_lsp.prompt.edits.applying import apply_structured_edits
from rules_lsp.prompt.edits.as_json import edits_as_json
from rules_lsp.prompt.edits.disk import digest, write_new
from rules_lsp.prompt.edits.journal import Entry, Journal, write_journal
from rules_lsp.prompt.edits.places import journal_directory
from rules_lsp.prompt.edits.recovering import Recovery, recover_structured_edits
from rules_lsp.schemas import validate
from rules_lsp.workspace.project import Project
from tests.prompt.edits.support import edit, reasons, statuses, tree

ROOT = Path(__file__).parents[3]
OK = ("applied", "unrestricted")
BAD = "invalid-request"


def left_in(state: str) -> list[str]:
    return sorted(path.name for path in Path(state).rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\n", b"a\nx\ny\n"),
        (b"a\r\nb\r\n", b"a\r\nx\r\ny\r\n"),
        (b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfa\nx\ny\n"),
        ("\ufeffä\r\nb".encode("utf-16-le"), "\ufeffä\r\nx\r\ny".encode("utf-16-le")),
        ("\ufeff😀\nb".encode("utf-16-be"), "\ufeff😀\nx\ny".encode("utf-16-be")),
        ("日本\u2028b".encode(), "日本\u2028x\ny".encode()),
    ],
)
def test_encoding_mark_line_ends_and_mode_are_kept(root: Path, state: str, before: bytes, after: bytes) -> None:
    path = root / "f"
    path.write_bytes(before)
    path.chmod(0o751)
    found = apply_structured_edits(Project(str(root)), [edit("f", "b", "x\ny")], state=state)
    assert (statuses(found), found.applied, found.reason) == ([OK], True, "1 edit applied")
    assert path.read_bytes() == after
    assert path.stat().st_mode & 0o777 == 0o751
    assert sorted(os.listdir(root)) == [".coding-agent-rules.yaml", "f"]
    assert left_in(state) == ["lock"]
    assert validate("edit-answers", edits_as_json(found)) == []


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"a\xff", "it is no UTF-8"),
        (b"\xff\xfea", "it is no UTF-16"),
        (b"\xff\xfe\0\0a\0\0\0", "it is UTF-32, and only UTF-8 and UTF-16 are edited"),
        (b"a" * (64 * 1024 * 1024 + 1), "it is larger than 64 MiB"),
    ],
    ids=["utf-8", "utf-16", "utf-32", "large"],
)
def test_what_cannot_be_read_as_text_is_refused(root: Path, state: str, data: bytes, reason: str) -> None:
    (root / "f").write_bytes(data)
    (root / "ok").write_bytes(b"a")
    found = apply_structured_edits(Project(str(root)), [edit("ok", "a", "b"), edit("f", "a", "b")], state=state)
    assert statuses(found) == [("ready", "unrestricted"), ("not-editable", BAD)]
    assert reasons(found)[1] == f"`f` cannot be edited: {reason}"
    assert (root / "ok").read_bytes() == b"a"


def test_a_pipe_is_not_waited_for(root: Path, state: str) -> None:
    os.mkfifo(root / "pipe")
    found = apply_structured_edits(Project(str(root)), [edit("pipe", "a", "b")], state=state)
    assert reasons(found) == ["`pipe` cannot be edited: it is no ordinary file"]


def test_links_stay_links(root: Path, state: str) -> None:
    (root / "data").mkdir()
    (root / "data" / "real").write_text("one\n", encoding="utf-8")
    (root / "link").symlink_to("data/real")
    (root / "dangling").symlink_to("data/new")
    os.link(root / "data" / "real", root / "hard")
    batch = [edit("link", "one", "1"), edit("dangling", "", "new\n")]
    found = apply_structured_edits(Project(str(root)), batch, state=state)
    assert statuses(found) == [OK, OK]
    assert (os.readlink(root / "link"), os.readlink(root / "dangling")) == ("data/real", "data/new")
    assert (root / "data" / "real").read_text() == "1\n"
    assert (root / "data" / "new").read_text() == "new\n"
    # The other name of the old file keeps the old text, as the note of the answer says.
    assert (root / "hard").read_text() == "one\n"


def test_files_are_created_with_their_directories_and_deleted(root: Path, state: str) -> None:
    (root / "old").write_text("all\n", encoding="utf-8")
    batch = [edit("a/b/c", "", "x\r\ny"), edit("a/d", "", "z"), edit("old", "all\n", "")]
    found = apply_structured_edits(Project(str(root)), batch, allow_delete=True, state=state)
    assert statuses(found) == [OK, OK, OK]
    assert [answer.decision.operation for answer in found.answers] == ["create", "create", "delete"]
    assert (root / "a" / "b" / "c").read_bytes() == b"x\r\ny"
    mask = os.umask(0o022)
    os.umask(mask)
    assert (root / "a" / "d").stat().st_mode & 0o777 == 0o666 & ~mask
    assert not (root / "old").exists()


@pytest.mark.parametrize(
    "bad",
    [edit("k.pem", "a", "b"), edit("../x", "", "b"), edit("f", "zzz", ""), {"file_path": "f"}, edit("f", "", "x")],
)
def test_one_bad_edit_changes_nothing(root: Path, state: str, bad: dict[str, Any]) -> None:
    (root / "f").write_text("one\n", encoding="utf-8")
    before = tree(root.parent)
    found = apply_structured_edits(Project(str(root)), [edit("f", "one", "1"), edit("n/g", "", "x"), bad], state=state)
    assert (found.allowed, found.applied) == (False, False)
    assert found.reason == "1 of 3 edits cannot be applied, so nothing is changed"
    after = tree(root.parent)
    assert {name: what for name, what in after.items() if not name.startswith("state")} == before


def change(path: Path) -> Callable[[], object]:
    return lambda: path.write_text("others\n", encoding="utf-8")


def same_again(path: Path) -> Callable[[], object]:
    def rewrite() -> None:
        text = path.read_text(encoding="utf-8")
        path.unlink()
        path.write_text(text, encoding="utf-8")

    return rewrite


@pytest.mark.parametrize(
    ("meddle", "expected"),
    [
        (lambda root: change(root / "g"), [("ready", "unrestricted"), ("changed", BAD), ("ready", "unrestricted")]),
        (lambda root: same_again(root / "g"), [("ready", "unrestricted"), ("changed", BAD), ("ready", "unrestricted")]),
        (lambda root: (root / "g").unlink, [("ready", "unrestricted"), ("changed", BAD), ("ready", "unrestricted")]),
        (lambda root: change(root / "new"), [("ready", "unrestricted"), ("ready", "unrestricted"), ("changed", BAD)]),
        (
            lambda root: lambda: (root / ".coding-agent-rules.yaml").write_text("file_patterns: {exclude: [f]}\n"),
            [("denied", "excluded"), ("ready", "unrestricted"), ("ready", "unrestricted")],
        ),
    ],
    ids=["written", "replaced", "gone", "created", "rules"],
)
@pytest.mark.parametrize("when", ["written", "checked"])
def test_what_comes_in_between_refuses_all(
    root: Path,
    state: str,
    monkeypatch: pytest.MonkeyPatch,
    meddle: Callable[[Path], Callable[[], object]],
    expected: list[tuple[str, str]],
    when: str,
) -> None:
    (root / "f").write_text("one\n", encoding="utf-8")
    (root / "g").write_text("two\n", encoding="utf-8")
    real = applying._prepare if when == "written" else applying._verify
    act = meddle(root)
    rules_change = expected[0][0] == "denied"

    def around(*arguments: Any) -> None:
        real(*arguments)
        if not (when == "checked" and rules_change):
            act()

    monkeypatch.setattr(applying, real.__name__, around)
    batch = [edit("f", "one", "1"), edit("g", "two", "2"), edit("new", "", "3\n")]
    found = apply_structured_edits(Project(str(root)), batch, state=state)
    if when == "checked" and rules_change:
        assert found.applied
        return
    assert (statuses(found), found.applied) == (expected, False)
    assert (root / "f").read_text(encoding="utf-8") == "one\n"
    assert not list(root.rglob("*.tmp"))
    assert left_in(state) == ["lock"]


def test_a_link_that_leads_elsewhere_by_now_refuses_all(
    root: Path, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (root / name).write_text("text\n", encoding="utf-8")
    (root / "link").symlink_to("one")
    real = applying._prepare

    def swap(*arguments: Any) -> None:
        real(*arguments)
        (root / "link").unlink()
        (root / "link").symlink_to("two")

    monkeypatch.setattr(applying, "_prepare", swap)
    found = apply_structured_edits(Project(str(root)), [edit("link", "text", "x")], state=state)
    assert statuses(found) == [("changed", BAD)]
    assert [(root / name).read_text() for name in ("one", "two")] == ["text\n", "text\n"]


@pytest.mark.parametrize("error", [PermissionError(1, "not permitted"), KeyboardInterrupt()])
@pytest.mark.parametrize("failing", [0, 1, 2, 3])
def test_what_stops_the_renames_puts_back_those_that_were_made(
    root: Path, state: str, monkeypatch: pytest.MonkeyPatch, failing: int, error: BaseException
) -> None:
    for name in ("f", "g", "gone"):
        (root / name).write_text(f"{name}\n", encoding="utf-8")
    before = tree(root)
    real, calls = ending.rename, list[object]()

    def rename(*arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) > failing:
            raise error
        real(*arguments)

    monkeypatch.setattr(applying, "rename", rename)
    batch = [edit("f", "f", "1"), edit("gone", "gone\n", ""), edit("d/new", "", "3\n"), edit("g", "g", "2")]
    with pytest.raises(type(error)):
        apply_structured_edits(Project(str(root)), batch, allow_delete=True, state=state)
    assert tree(root) == before
    assert left_in(state) == ["lock"]


def test_an_apply_is_cancelled(root: Path, state: str) -> None:
    (root / "f").write_text("one\n", encoding="utf-8")
    before = tree(root)
    batch = [edit("f", "one", "1"), edit("d/g", "", "2")]
    told: list[int] = []

    def goes_on(most: int) -> Callable[[int], bool]:
        def go_on(count: int) -> bool:
            told.append(count)
            return count < most

        return go_on

    for most in range(4):
        found = apply_structured_edits(Project(str(root)), batch, state=state, progress=goes_on(most))
        assert (found.applied, found.allowed, tree(root) == before) == (False, False, True), most
    told.clear()
    assert apply_structured_edits(Project(str(root)), batch, state=state, progress=goes_on(5)).applied
    assert told == [0, 1, 3, 4]


def test_two_at_once_and_an_unfinished_one(root: Path, state: str) -> None:
    (root / "f").write_text("one\n", encoding="utf-8")
    directory = journal_directory(str(root), state)
    os.makedirs(directory)
    batch = [edit("f", "one", "1")]
    with open(os.path.join(directory, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = apply_structured_edits(Project(str(root)), batch, state=state)
        assert (
            found.refusal == "another process applies or recovers edits of this project now: try again when it is done"
        )
        assert recover_structured_edits(str(root), state).outcome == "failed"
    write_journal(directory, Journal(str(root), "preparing", (), ()))
    found = apply_structured_edits(Project(str(root)), batch, state=state)
    assert found.refusal == "an earlier apply was cut short: run `rules-lsp edits --recover` first"
    assert (root / "f").read_text(encoding="utf-8") == "one\n"
    assert recover_structured_edits(str(root), state) == Recovery("undone", "every file has its old text")
    assert recover_structured_edits(str(root), state) == Recovery("nothing", "there is nothing to recover")
    assert apply_structured_edits(Project(str(root)), batch, state=state).applied


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'{"version": 1}',
        b'{"version": 1, "root": "/other", "stage": "committing", "directories": [], "files": []}',
        b'{"version": 1, "root": "ROOT", "stage": "committing", "directories": [], '
        b'"files": [["../x", "a", "b", null, null]]}',
        b'{"version": 1, "root": "ROOT", "stage": "committing", "directories": [], '
        b'"files": [["x", "../a", "b", null, null]]}',
    ],
)
def test_a_journal_that_cannot_be_read_is_left_alone(root: Path, state: str, content: bytes) -> None:
    directory = journal_directory(str(root), state)
    os.makedirs(directory)
    journal = Path(directory) / "journal.json"
    journal.write_bytes(content.replace(b"ROOT", str(root).encode()))
    found = recover_structured_edits(str(root), state)
    assert found == Recovery("failed", f"the journal {journal} cannot be read: look into it, and remove it by hand")
    assert validate("edit-answers", found.as_json()) == []
    assert journal.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, "../g"),
        (0, "./g"),
        (0, "."),
        (0, ""),
        (0, "a\0"),
        (0, 5),
        (0, "f"),
        (1, "g"),
        (1, ".."),
        (1, ""),
        (1, ".rules-lsp-0123456789abcdef-1.old.tmp"),
        (1, ".rules-lsp-0123456789abcdef-2.new.tmp"),
        (2, "f"),
        (2, None),
        (3, 5),
        (3, "old"),
        (4, "new"),
    ],
)
@pytest.mark.parametrize("stage", ["preparing", "committing", "undoing"])
def test_a_journal_takes_away_no_file_that_is_not_its_own(
    root: Path, state: str, stage: str, field: int, value: object
) -> None:
    journal = begun(root, state)
    files: list[list[object]] = [[each.name, each.new, each.old, each.before, each.after] for each in journal.entries]
    files[1][field] = value
    content = {"version": 1, "root": str(root), "stage": stage, "directories": [], "files": files}
    (Path(journal_directory(str(root), state)) / "journal.json").write_text(json.dumps(content), encoding="utf-8")
    before = tree(root)
    assert recover_structured_edits(str(root), state).outcome == "failed"
    assert tree(root) == before


@pytest.mark.parametrize("directories", ["ab", ["a\0"], [5], [".."], ["/tmp"]])
def test_a_journal_makes_and_takes_away_no_other_directory(root: Path, state: str, directories: object) -> None:
    begun(root, state)
    path = Path(journal_directory(str(root), state)) / "journal.json"
    path.write_text(json.dumps({**json.loads(path.read_bytes()), "directories": directories}), encoding="utf-8")
    before = tree(root)
    assert recover_structured_edits(str(root), state).outcome == "failed"
    assert tree(root) == before


def temporary(number: int) -> tuple[str, str]:
    """The names that an apply gives to the temporary files of one of its files."""
    beside = f".rules-lsp-0123456789abcdef-{number}"
    return f"{beside}.new.tmp", f"{beside}.old.tmp"


def begun(root: Path, state: str) -> Journal:
    """A batch whose renames have begun: `f` has its new text, that of `g` waits."""
    texts = {name: digest(text) for name, text in (("old", b"old\n"), ("new", b"new\n"))}
    entries = tuple(Entry(n, *temporary(number), texts["old"], texts["new"]) for number, n in enumerate("fg"))
    (root / "f").write_bytes(b"new\n")
    (root / temporary(0)[1]).write_bytes(b"old\n")
    (root / "g").write_bytes(b"old\n")
    os.link(root / "g", root / temporary(1)[1])
    (root / temporary(1)[0]).write_bytes(b"new\n")
    journal = Journal(str(root), "committing", (), entries)
    directory = journal_directory(str(root), state)
    os.makedirs(directory)
    write_journal(directory, journal)
    return journal


@pytest.mark.parametrize(
    ("foreign", "outcome", "left", "texts"),
    [
        ([], "finished", (), ("new\n", "new\n")),
        (["f"], "finished", ("f",), ("others\n", "new\n")),
        (["g"], "undone", ("g",), ("old\n", "others\n")),
        (["f", "g"], "undone", ("f", "g"), ("others\n", "others\n")),
        ([f"{temporary(1)[0]} gone"], "undone", (), ("old\n", "old\n")),
    ],
)
def test_what_others_changed_after_a_crash_is_never_overwritten(
    root: Path, state: str, foreign: list[str], outcome: str, left: tuple[str, ...], texts: tuple[str, str]
) -> None:
    begun(root, state)
    for name in foreign:
        if name.endswith(" gone"):
            (root / name.removesuffix(" gone")).unlink()
        else:
            (root / name).unlink()
            (root / name).write_text("others\n", encoding="utf-8")
    found = recover_structured_edits(str(root), state)
    assert (found.outcome, found.files, found.left) == (outcome, ("f", "g"), left)
    assert ((root / "f").read_text(), (root / "g").read_text()) == texts
    assert sorted(os.listdir(root)) == [".coding-agent-rules.yaml", "f", "g"]
    assert validate("edit-answers", found.as_json()) == []
    assert recover_structured_edits(str(root), state).outcome == "nothing"


def test_recovery_does_not_follow_a_link_that_has_come_in_the_way(root: Path, state: str) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    texts = digest(b"old\n"), digest(b"new\n")
    for name, text in (("f", b"old\n"), (temporary(0)[0], b"new\n")):
        (outside / name).write_bytes(text)
    (root / "src").symlink_to(outside)
    directory = journal_directory(str(root), state)
    os.makedirs(directory)
    write_journal(directory, Journal(str(root), "committing", (), (Entry("src/f", *temporary(0), *texts),)))
    found = recover_structured_edits(str(root), state)
    assert (found.outcome, found.left) == ("undone", ("src/f",))
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"f": b"old\n", temporary(0)[0]: b"new\n"}


@pytest.mark.parametrize("mode", ["apply", "recover", "changed"])
def test_killed_at_every_step(tmp_path: Path, mode: str) -> None:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("killed.py")), str(tmp_path), mode],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["files"] for row in rows} == {"old", "new"}
    assert {(row["again"], row["same"]) for row in rows} == {("nothing", True)}
    assert {tuple(row["left"]) for row in rows} <= {(), ("lock",)}
    # Cut short while files are made ready it is undone, once renames have begun it is finished.
    assert {row["first"] for row in rows} == {"nothing", "undone", "finished"}
    assert {row["files"] for row in rows if row["first"] == "finished"} == {"new"}
    assert {row["files"] for row in rows if row["first"] == "undone"} == {"old"}
    assert len(rows) > 100
    assert rows[-1]["ended"] is True


@pytest.mark.parametrize(
    ("mode", "uid", "gid", "made"),
    [
        (0o640, 0, 1, 0o600),
        (0o664, 0, 1, 0o644),
        (0o6775, 1, 1, 0o755),
        (0o640, 1, 0, 0o640),
        (0o640, 0, 0, 0o640),
    ],
)
def test_a_group_that_cannot_be_kept_gives_no_one_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, uid: int, gid: int, made: int
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(1, "not permitted")

    (tmp_path / "old").write_bytes(b"old")
    own = (tmp_path / "old").stat()
    like = os.stat_result((0o100000 | mode, 1, 1, 1, own.st_uid + uid, own.st_gid + gid, 3, 0, 0, 0))
    monkeypatch.setattr(os, "fchown", refused)
    write_new(str(tmp_path / "new"), b"new", like, str(tmp_path / "old"))
    assert (tmp_path / "new").stat().st_mode & 0o7777 == made
