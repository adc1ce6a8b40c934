"""What is said of each edit, and that nothing is written for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.prompt.edits.as_json import edits_as_json
from rules_lsp.prompt.edits.checking import check_edits, check_edits_of_folders
from rules_lsp.prompt.edits.reading import NO_BATCH, parsed_edits, read_edits
from rules_lsp.prompt.edits.request import edit_request
from rules_lsp.schemas import validate
from rules_lsp.source.text import Span
from rules_lsp.workspace.folders import Folders
from rules_lsp.workspace.project import Project
from tests.prompt.edits.support import edit, reasons, statuses, tree

READY = ("ready", "unrestricted")
BAD = "invalid-request"


def test_each_edit_is_answered_and_nothing_is_written(root: Path) -> None:
    (root / "a.py").write_text("one\ntwo\nthree\ntwo\n", encoding="utf-8")
    (root / "secrets").mkdir()
    (root / "secrets" / "s.txt").write_text("one\n", encoding="utf-8")
    before = tree(root)
    found = check_edits(
        Project(str(root)),
        [
            edit("a.py", "one", "1"),
            edit("a.py", "two", "2"),
            edit("a.py", "One", "1"),
            edit("secrets/s.txt", "one", "1"),
            edit("new.pem", "", "1"),
            edit("../x", "one", "1"),
            edit(".coding-agent-rules.yaml", "secrets", "s"),
            edit("b.py", "one", "1"),
            edit("a.py", "", "1"),
            edit("b.py", "", "1\n"),
            edit(".", "one", "1"),
            edit("a.py/b", "", "1"),
            edit("docs/", "", "1"),
            edit(str(root / "a.py"), "three\ntwo", "3"),
        ],
    )
    assert statuses(found) == [
        READY,
        ("ambiguous", BAD),
        ("not-found", BAD),
        ("denied", "excluded"),
        ("denied", "excluded"),
        ("denied", "outside-root"),
        ("denied", "protected"),
        ("no-file", BAD),
        ("exists", BAD),
        READY,
        ("not-editable", BAD),
        ("not-editable", BAD),
        ("not-editable", BAD),
        READY,
    ]
    assert reasons(found) == [
        "`a.py` is restricted by no rule",
        "the block stands several times in `a.py`, at lines 2, 4: give more lines around it",
        "the block is not in `a.py`: line 1 is the same but for case",
        "`secrets/s.txt` is excluded by `secrets/`",
        "`new.pem` is excluded by `*.pem`",
        "`../x` lies outside the project",
        "`.coding-agent-rules.yaml` governs what the agent may do and is protected",
        "there is no `b.py`: leave `search_block` empty to create it",
        "`a.py` exists, and an empty `search_block` is for a new file",
        "`b.py` is restricted by no rule",
        "`.` cannot be edited: it is a directory",
        "`a.py/b` cannot be created: it cannot be read (not a directory)",
        "`docs` is named as a directory: edits are of files",
        "`a.py` is restricted by no rule",
    ]
    assert (found.allowed, found.changes) == (False, ())
    assert found.reason == "11 of 14 edits cannot be applied, so nothing is changed"
    place, *_ = found.answers
    assert place.place is not None
    assert (place.place.path, place.place.span) == (str(root / "a.py"), Span(0, 3))
    assert [each.span for each in found.answers[1].places] == [Span(4, 7), Span(14, 17)]
    assert [answer.decision.operation for answer in found.answers[8:10]] == ["create", "create"]
    assert validate("edit-answers", edits_as_json(found)) == []
    assert tree(root) == before


def test_nothing_of_a_denied_file_is_told(root: Path) -> None:
    (root / "k.pem").write_text("the secret is here\n", encoding="utf-8")
    (root / "link.txt").symlink_to("k.pem")
    for path in ("k.pem", "link.txt"):
        found = edits_as_json(check_edits(Project(str(root)), [edit(path, "The secret", "")]))
        assert (found["answers"][0]["status"], found["answers"][0]["nearest"]) == ("denied", None)
        assert "here" not in str(found)


def test_a_link_is_judged_by_where_it_leads(root: Path) -> None:
    outside = root.parent / "outside.txt"
    outside.write_text("one\n", encoding="utf-8")
    (root / "out.txt").symlink_to(outside)
    (root / "real.txt").write_text("one\n", encoding="utf-8")
    (root / "in.txt").symlink_to("real.txt")
    (root / "loop").symlink_to("loop")
    (root / "rules").symlink_to(".coding-agent-rules.yaml")
    paths = ("out.txt", "in.txt", "loop", "rules")
    found = check_edits(Project(str(root)), [edit(path, "one", "1") for path in paths])
    assert statuses(found) == [("denied", "outside-root"), READY, ("denied", BAD), ("denied", "protected")]
    assert found.answers[1].decision.resolved_path == "real.txt"


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (7, "an edit is an object with `file_path`, `search_block` and `replace_block`"),
        ({}, "`file_path` is missing"),
        ({"file_path": "a", "search_block": "b"}, "`replace_block` is missing"),
        (edit("", "a", "b"), "`file_path` is empty"),
        (edit("a", "", ""), "both blocks are empty: there is nothing to find and nothing to write"),
        ({**edit("a", "a", "b"), "search_block": 1}, "`search_block` must be a text"),
        (edit("a", "a", "\ud800"), "`replace_block` holds half of a character (a lone surrogate)"),
        (
            {**edit("a", "a", "b"), "replace_all": True},
            "`replace_all` is no key of an edit: the keys are `file_path`, `search_block`, `replace_block`, "
            "`explanation`",
        ),
    ],
)
def test_what_is_no_edit(root: Path, item: object, reason: str) -> None:
    (root / "a").write_text("a\n", encoding="utf-8")
    found = check_edits(Project(str(root)), [edit("a", "a", "b"), item])
    assert statuses(found) == [READY, ("malformed", BAD)]
    assert found.answers[1].decision.reason == reason
    assert validate("edit-answers", edits_as_json(found)) == []


def test_an_explanation_decides_nothing(root: Path) -> None:
    (root / "a").write_text("a\n", encoding="utf-8")
    batch = [{**edit("a", "a", "b"), "explanation": told} for told in ("why",)]
    assert check_edits(Project(str(root)), batch).allowed
    assert check_edits(Project(str(root)), [{**edit("a", "a", "b"), "explanation": None}]).allowed


def test_what_is_no_batch(root: Path) -> None:
    values: tuple[object, ...] = (None, {}, "[]", 7)
    for value in values:
        assert check_edits(Project(str(root)), value).refusal == NO_BATCH
    assert read_edits([edit("a", "b", "c")] * 100_001)[1] == (
        "a batch holds at most 100,000 edits, and this one holds 100,001"
    )
    assert parsed_edits(b"[") == (None, f"this is no JSON: {NO_BATCH}")
    assert parsed_edits(b"[" * 100_000) == (None, f"this is no JSON: {NO_BATCH}")
    twice = b'[{"file_path": "a", "file_path": "b"}]'
    assert parsed_edits(twice) == (None, "the key `file_path` is written twice in one object")
    assert parsed_edits(b"\xef\xbb\xbf[]") == ([], None)
    empty = check_edits(Project(str(root)), [])
    assert (empty.allowed, empty.reason, empty.changes) == (True, "there are no edits", ())


@pytest.mark.parametrize(
    ("targets", "taken"),
    [
        (None, ["src/a.py", "src/in/b.py", "a.md", "src/link.py"]),
        (["src/a.py"], ["src/a.py"]),
        (["src"], ["src/a.py", "src/in/b.py"]),
        (["src/"], ["src/a.py", "src/in/b.py"]),
        (["*.py"], ["src/a.py", "src/in/b.py"]),
        (["/*.py"], []),
        (["src/*.py"], ["src/a.py"]),
        (["src/link.py"], ["src/link.py", "a.md"]),
        (["a.md"], ["a.md", "src/link.py"]),
        (["../app/a.md"], ["a.md", "src/link.py"]),
        (["."], ["src/a.py", "src/in/b.py", "a.md", "src/link.py"]),
        ([], []),
    ],
)
def test_targets(root: Path, targets: list[str] | None, taken: list[str]) -> None:
    paths = ["src/a.py", "src/in/b.py", "a.md", "src/link.py"]
    (root / "src" / "in").mkdir(parents=True)
    for path in paths[:3]:
        (root / path).write_text("one\n", encoding="utf-8")
    (root / "src" / "link.py").symlink_to("../a.md")
    for path in paths:
        found = check_edits(Project(str(root)), [edit(path, "one", "1")], targets)
        assert statuses(found) == [READY if path in taken else ("not-a-target", BAD)], path


def test_a_target_that_is_no_pattern(root: Path) -> None:
    found = check_edits(Project(str(root)), [edit("a", "one", "1")], ["src/[a"])
    assert found.refusal is not None
    assert found.refusal.startswith("the target `src/[a` is no pattern: ")


def test_relative_paths_start_where_they_are_said_to(root: Path) -> None:
    (root / "src").mkdir()
    (root / "src" / "a.py").write_text("one\n", encoding="utf-8")
    project = Project(str(root))
    for path, cwd, status in (("a.py", "src", "ready"), ("a.py", "", "no-file"), ("../src/a.py", "src", "ready")):
        found = check_edits(project, [edit(path, "one", "1")], ["a.py"] if cwd else None, cwd=str(root / cwd))
        assert found.answers[0].status == status, path


def test_edits_that_touch_the_same_text(root: Path) -> None:
    (root / "a").write_text("one two three four\n", encoding="utf-8")
    batch = [
        edit("a", "one two", "1"),
        edit("a", "two three", "2"),
        edit("a", " four", "4"),
        edit("a", "three", "3"),
        edit("n/b", "", "x"),
        edit("n", "", "x"),
        edit("m", "", "x"),
        edit("m", "", "y"),
        edit("k", "", "y"),
    ]
    found = check_edits(Project(str(root)), batch)
    others = [(0, (1,)), (1, (0, 3)), (2, ()), (3, (1,)), (4, (5,)), (5, ()), (6, (7,)), (7, (6,)), (8, ())]
    assert [(answer.edit, answer.others) for answer in found.answers] == others
    assert [answer.status == "overlapping" for answer in found.answers] == [bool(each) for _, each in others]
    assert found.answers[1].decision.reason == (
        "this edit of `a` touches what each of the edits 0, 3 changes: join them, or hand them in one after another"
    )


def test_an_edit_over_many_others_clashes_with_each(root: Path) -> None:
    (root / "a").write_text("".join(f"<{number}>" for number in range(40)) + "|rest\n", encoding="utf-8")
    whole = (root / "a").read_text(encoding="utf-8").partition("|")[0]
    batch = [edit("a", f"<{number}>", "") for number in range(40)]
    found = check_edits(Project(str(root)), [*batch, edit("a", whole, ""), edit("a", "rest", "end")])
    assert [answer.others for answer in found.answers] == [(40,)] * 40 + [tuple(range(20)), ()]
    assert [answer.status for answer in found.answers] == ["overlapping"] * 41 + ["ready"]


@pytest.mark.parametrize("name", [".a0proj/secrets.env", ".a0proj/variables.env", "link", "hard"])
def test_a_file_of_secrets_is_not_looked_into(root: Path, name: str) -> None:
    (root / ".a0proj").mkdir()
    for each in ("secrets.env", "variables.env", "project.json"):
        (root / ".a0proj" / each).write_text("KEY=sesame\n", encoding="utf-8")
    (root / "link").symlink_to(".a0proj/secrets.env")
    os.link(root / ".a0proj" / "variables.env", root / "hard")
    buffers = {str(root / ".a0proj" / "secrets.env"): "KEY=sesame\n"}
    found = check_edits(Project(str(root)), [edit(name, "key=sesame", "x")], overlay=buffers)
    assert statuses(found) == [("not-editable", BAD)]
    assert reasons(found) == [f"`{name}` cannot be edited: it holds secrets and is never opened"]
    assert "sesame" not in str(edits_as_json(found))
    beside = check_edits(Project(str(root)), [edit(".a0proj/project.json", "sesame", "x")])
    assert statuses(beside) == [READY]


def test_one_file_by_two_names(root: Path) -> None:
    (root / "a").write_text("one two\n", encoding="utf-8")
    os.link(root / "a", root / "b")
    (root / "c").symlink_to("a")
    by_link = check_edits(Project(str(root)), [edit("a", "one", "1"), edit("c", "two", "2")])
    assert [change.after for change in by_link.changes] == [b"1 2\n"]
    hard = check_edits(Project(str(root)), [edit("a", "one", "1"), edit("b", "two", "2")])
    assert [(answer.status, answer.others) for answer in hard.answers] == [("overlapping", (1,)), ("overlapping", (0,))]
    alone = check_edits(Project(str(root)), [edit("b", "two", "2")])
    assert alone.answers[0].notes == ("the file has 2 names (hard links): the others keep the old text",)
    assert alone.allowed


def test_deletion(root: Path) -> None:
    (root / "a").write_text("one\ntwo\n", encoding="utf-8")
    project = Project(str(root))
    both = [edit("a", "one\n", ""), edit("a", "two\n", "")]
    for batch in (both, [edit("a", "one\ntwo\n", "")]):
        found = check_edits(project, batch)
        assert statuses(found) == [("deletion-not-allowed", BAD)] * len(batch)
        assert reasons(found)[0] == "to leave nothing of `a` deletes it, and deletions are not allowed here"
        allowed = check_edits(project, batch, allow_delete=True)
        assert [answer.decision.operation for answer in allowed.answers] == ["delete"] * len(batch)
        assert [(change.before, change.after) for change in allowed.changes] == [(b"one\ntwo\n", None)]
    assert check_edits(project, both[:1]).changes[0].after == b"two\n"


def test_an_open_buffer_counts_instead_of_its_file(root: Path) -> None:
    (root / "a").write_text("saved\n", encoding="utf-8")
    (root / "link").symlink_to("a")
    overlay = {str(root / "link"): "typed\n"}
    batch = [edit("a", "typed", "t"), edit("link", "saved", "s")]
    assert statuses(check_edits(Project(str(root)), batch, overlay=overlay)) == [READY, ("not-found", BAD)]


def test_several_folders(root: Path) -> None:
    inner = root / "inner"
    inner.mkdir()
    (inner / ".coding-agent-rules.yaml").write_text("file_patterns: {include: [b]}\n", encoding="utf-8")
    for name in ("a", "inner/a", "inner/b"):
        (root / name).write_text("one\n", encoding="utf-8")
    folders = Folders()
    nobody = check_edits_of_folders(folders, edit_request([]))
    assert nobody.refusal == "no folder is open, so there are no rules to ask"
    folders.open(str(root))
    folders.open(str(inner))

    def ask(path: str, **more: Any) -> tuple[str, str]:
        (found,) = statuses(check_edits_of_folders(folders, edit_request({"edits": [edit(path, "one", "1")], **more})))
        return found

    assert ask(str(root / "a")) == READY
    assert ask(str(inner / "a")) == ("denied", "not-included")
    assert ask(str(inner / "b")) == ("ready", "included")
    assert ask("b") == ("denied", BAD)
    assert ask("b", root=str(inner)) == ("ready", "included")
    assert ask("inner/b", root=str(root)) == ("ready", "included")
    assert ask("inner/a", root=str(root)) == ("denied", "not-included")
    assert ask("a", cwd=str(inner)) == ("denied", "not-included")


def test_a_check_is_cancelled(root: Path) -> None:
    (root / "a").write_text("one two\n", encoding="utf-8")
    batch = [edit("a", "one", "1"), edit("a", "two", "2")]
    found = check_edits(Project(str(root)), batch, progress=lambda count: count < 1)
    assert (found.allowed, found.refusal, found.answers) == (False, "it was cancelled", ())
