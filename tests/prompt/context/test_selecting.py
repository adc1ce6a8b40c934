"""Which files a selection takes, and what it says of those that it does not take."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rules_lsp.prompt.context.as_json import selection_as_json
from rules_lsp.prompt.context.density import count_by_directory
from rules_lsp.prompt.context.model import ContextSelection
from rules_lsp.prompt.context.selecting import select_context
from rules_lsp.schemas import validate
from rules_lsp.workspace.project import Project


def select(root: Path, *files: str, lists: tuple[str, ...] = (), refs: tuple[str, ...] = ()) -> ContextSelection:
    return select_context(Project(str(root)), files, lists, refs, cwd=str(root))


def taken(selection: ContextSelection) -> list[tuple[str, str, str]]:
    return [(file.shown, file.role, file.reason) for file in selection.files]


def codes(selection: ContextSelection) -> list[str]:
    return [finding.code for finding in selection.findings]


def test_a_pattern_a_folder_and_a_file(root: Path) -> None:
    found = select(root, "src/**/*.py", refs=("docs",))
    assert taken(found) == [
        ("src/a.py", "target", "matches `src/**/*.py`"),
        ("src/sub/b.py", "target", "matches `src/**/*.py`"),
        ("docs/guide.md", "reference", "in the folder `docs`"),
    ]
    assert [(each.shown, each.reason) for each in found.left_out] == [
        ("docs/logo.png", "it is not UTF-8 (byte 0): save it as UTF-8")
    ]
    assert found.complete
    assert [(file.size, file.tokens) for file in found.files] == [(6, 2), (7, 2), (12, 4)]


def test_what_the_rules_deny_is_refused_and_not_read(root: Path) -> None:
    found = select(root, "src", "docs/guide.md", refs=("src/key.pem",))
    assert [file.shown for file in found.files] == ["src/a.py", "src/sub/b.py"]
    assert [(each.shown, each.role, each.decision.operation, each.decision.code) for each in found.refused] == [
        ("src/key.pem", "target", "write", "excluded"),
        ("docs/guide.md", "target", "write", "not-included"),
        ("src/key.pem", "reference", "read", "excluded"),
    ]
    assert not found.complete
    # What may not be written may be read.
    assert taken(select(root, refs=("docs/guide.md",)))[0][:2] == ("docs/guide.md", "reference")


def test_a_link_is_shown_and_each_file_is_taken_once(root: Path) -> None:
    (root / "src" / "c.py").symlink_to("a.py")
    (root / "src" / "z.py").symlink_to("../docs/guide.md")
    (root / "src" / "around").symlink_to("..")
    found = select(root, "src/c.py", "./src/../src/a.py", "src", refs=("src/z.py",))
    first, second, third = found.files
    assert (first.shown, first.link) == ("src/c.py", "src/a.py")
    assert first.also == (
        "as `src/a.py` named as `./src/../src/a.py`",
        "as `src/a.py` in the folder `src`",
        "in the folder `src`",
    )
    assert (second.shown, second.link) == ("src/sub/b.py", None)
    assert (third.shown, third.link) == ("src/z.py", "docs/guide.md")
    assert [(each.shown, each.reason) for each in found.left_out] == [
        ("src/around", "a link to a folder, which is followed only where it is named")
    ]


def test_a_link_out_of_the_project_is_refused(root: Path) -> None:
    (root.parent / "outside.txt").write_text("outside")
    (root / "SHAFT.md").symlink_to("../outside.txt")
    found = select(root, refs=("../outside.txt",))
    assert [(each.shown, each.role, each.decision.code) for each in found.refused] == [
        ("SHAFT.md", "automatic", "outside-root"),
        (str(root.parent / "outside.txt"), "reference", "outside-root"),
    ]
    assert found.files == ()


def test_automatic_files_come_from_here_and_from_home(root: Path) -> None:
    (root / "SHAFT.md").write_text("here")
    (root.parent / "home" / ".shaft").mkdir()
    (root.parent / "home" / ".shaft" / "SHAFT.md").write_text("at home")
    found = select(root, "src/a.py")
    assert taken(found) == [
        ("src/a.py", "target", "named as `src/a.py`"),
        ("SHAFT.md", "automatic", "`SHAFT.md` of the working directory"),
        (str(root.parent / "home/.shaft/SHAFT.md"), "automatic", "`SHAFT.md` of the home directory"),
    ]


def test_variables_and_home_are_replaced(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHERE", "src")
    assert [file.shown for file in select(root, "$WHERE/a.py", "${WHERE}/sub/*.py").files] == [
        "src/a.py",
        "src/sub/b.py",
    ]
    found = select(root, refs=("$NO_SUCH/a.py", "~nobody-here/x", "~/none.md"))
    assert [(each.code, each.message) for each in found.findings] == [
        (
            "unset-variable",
            "`$NO_SUCH/a.py` stays as it is, and there is no such file: the variable is not set: `NO_SUCH`",
        ),
        ("unknown-home", "`~nobody-here` is the home of nobody here"),
        ("missing", "there is no `~/none.md`"),
    ]


def test_a_name_that_exists_is_that_file_whatever_it_holds(root: Path) -> None:
    for name in ("src/[id].py", "src/$NO_SUCH.py", "src/a\\b.py"):
        (root / name).write_text("x")
    found = select(root, "src/[id].py", "src/$NO_SUCH.py")
    assert ([file.shown for file in found.files], found.findings) == (["src/[id].py", "src/$NO_SUCH.py"], ())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("src\\a.py", "`src\\a.py` has the separators of Windows: write `src/a.py`, which is here"),
        ("src\\no.py", "`src\\no.py` has the separators of Windows: write `src/no.py`"),
        ("C:\\a", "`C:\\a` is a path of Windows, which this machine has not: give the path that it has here"),
        ("c:/a", "`c:/a` is a path of Windows, which this machine has not: give the path that it has here"),
        (
            "\\\\host\\a",
            "`\\\\host\\a` is a path of Windows, which this machine has not: give the path that it has here",
        ),
    ],
)
def test_paths_of_windows_are_told(root: Path, given: str, message: str) -> None:
    found = select(root, given)
    assert [(each.code, each.message) for each in found.findings] == [("foreign-path", message)]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("none.py", "missing"),
        ("*.rs", "no-match"),
        ("src/[a.py", "invalid-glob"),
        ("", "empty-path"),
        ("a\0b", "empty-path"),
    ],
)
def test_what_is_not_there_is_a_finding(root: Path, given: str, code: str) -> None:
    assert codes(select(root, given)) == [code]


def test_a_pattern_starts_at_the_working_directory(root: Path) -> None:
    (root / "top.md").write_text("top")
    found = select_context(Project(str(root)), references=["*.md", "../*.md"], cwd=str(root / "docs"))
    assert [file.shown for file in found.files] == ["guide.md", str(root / "top.md")]


def test_a_named_file_that_is_no_text_is_a_finding(root: Path) -> None:
    (root / "src" / "null.py").write_bytes(b"a\0b")
    os.mkfifo(root / "src" / "pipe")
    found = select(root, "src/null.py", "src/pipe", "src")
    assert [each.message for each in found.findings] == [
        "`src/null.py` cannot be read: it holds null characters, so it is no text",
        "`src/pipe` cannot be read: it is no regular file",
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_list_with_comments_and_crlf(root: Path, encoding: str) -> None:
    (root / "list.txt").write_bytes("# files\r\n\r\n  src/a.py \r\nsrc\\sub\\b.py\r\nnone.py\r\n".encode(encoding))
    found = select(root, lists=("list.txt",))
    assert taken(found) == [("src/a.py", "target", "named as `src/a.py` (line 3 of `list.txt`)")]
    assert [(each.code, each.source.line) for each in found.findings] == [("foreign-path", 4), ("missing", 5)]


def test_a_list_that_cannot_be_read(root: Path) -> None:
    (root / "bad.txt").write_bytes(b"src/a.py\n\xff\n")
    found = select(root, lists=("none.txt", "bad.txt", "src"))
    assert [each.message for each in found.findings] == [
        "the list `none.txt` cannot be read: there is no such file",
        "the list `bad.txt` cannot be read: it is not UTF-8 (byte 9)",
        "the list `src` cannot be read: it is a directory",
    ]


def test_the_list_of_the_input(root: Path) -> None:
    found = select_context(Project(str(root)), file_lists=["-"], cwd=str(root), standard_input=b"src/a.py\0src/sub\0")
    assert [file.shown for file in found.files] == ["src/a.py", "src/sub/b.py"]


def test_too_much_is_told_and_not_cut_in_silence(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules_lsp.prompt.context.selecting.MAX_FILES", 1)
    found = select(root, "src/**/*.py")
    assert ([file.shown for file in found.files], codes(found)) == (["src/a.py"], ["too-many"])


def test_files_of_secrets_are_never_opened(root: Path) -> None:
    (root / ".coding-agent-rules.yaml").unlink()
    (root / ".a0proj").mkdir()
    for name in ("secrets.env", "variables.env", "project.json"):
        (root / ".a0proj" / name).write_text("KEY=sesame\n", encoding="utf-8")
    (root / "link").symlink_to(".a0proj/secrets.env")
    os.link(root / ".a0proj" / "variables.env", root / "hard")
    why = "it holds secrets and is never opened"
    found = select(root, ".a0proj", "link", "hard", lists=("link",), refs=(".a0proj/secrets.env",))
    assert [file.shown for file in found.files] == [".a0proj/project.json"]
    assert [(each.shown, each.reason) for each in found.left_out] == [
        (".a0proj/secrets.env", why),
        (".a0proj/variables.env", why),
    ]
    assert [(each.code, each.message) for each in found.findings] == [
        ("unreadable", f"`link` cannot be read: {why}"),
        ("unreadable", f"`hard` cannot be read: {why}"),
        ("unreadable-list", f"the list `link` cannot be read: {why}"),
        ("unreadable", f"`.a0proj/secrets.env` cannot be read: {why}"),
    ]


def test_a_folder_outside_of_the_project_is_refused_as_one(root: Path) -> None:
    found = select(root, "..", refs=("/",))
    assert [(each.shown, each.decision.code) for each in found.refused] == [
        (str(root.parent), "outside-root"),
        ("/", "outside-root"),
    ]
    assert (found.files, found.findings) == ((), ())


def test_a_pattern_outside_of_the_project_is_refused_as_one(root: Path) -> None:
    beside = root.parent / "beside"
    beside.mkdir()
    for number in range(3):
        (beside / f"{number}.txt").write_text("x", encoding="utf-8")
    found = select(root, refs=(f"{beside}/*.txt", f"{beside}/*.none"))
    assert [(each.absolute, each.decision.code) for each in found.refused] == [(str(beside), "outside-root")]
    assert (found.files, found.findings) == ((), ())
    inside = select(root, refs=(f"{root.parent}/{root.name}*/docs/*.md",))
    assert [file.shown for file in inside.files] == ["docs/guide.md"]


def test_refused_files_count_too(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules_lsp.prompt.context.selecting.MAX_FILES", 2)
    (root / "src" / "key2.pem").write_text("secret")
    found = select(root, refs=("src/*.pem", "src/a.py"))
    assert ([each.shown for each in found.refused], found.files) == (["src/key.pem", "src/key2.pem"], ())
    assert codes(found) == ["too-many"]


@pytest.mark.parametrize("given", ["\ud800", "\ud800/*.py", "a" * 300, "a" * 5000, "${", "src/a.py/x"])
def test_odd_names_are_findings(root: Path, given: str) -> None:
    found = select(root, given)
    assert (len(found.findings), found.files) == (1, ())


def test_the_density_counts_what_lies_below(root: Path) -> None:
    (root / "top.md").write_text("1234")
    found = select(root, "src/**/*.py", refs=("top.md",))
    assert [(each.directory, each.files, each.size, each.tokens) for each in count_by_directory(found)] == [
        ("src", 2, 13, 4),
        (".", 1, 4, 1),
        ("src/sub", 1, 7, 2),
    ]


def test_the_answer_fits_its_schema(root: Path) -> None:
    (root / "list.txt").write_text("none.py\n")
    found = select(root, "src", "docs", lists=("list.txt",), refs=("docs",))
    assert validate("context-files", selection_as_json(found, by_directory=True)) == []
    assert "byDirectory" not in selection_as_json(found)
