"""Checking one target: what every format prints, and what `--fix` would write."""

from __future__ import annotations

from rules_lsp.checks import Diagnostic, Subject
from rules_lsp.checks.common.fixing import Repair, repaired
from rules_lsp.checks.common.hidden_secrets import shown_text
from rules_lsp.checks.common.widening import Versions
from rules_lsp.cli.names import shortened
from rules_lsp.cli.selection import Selection
from rules_lsp.cli.targets import Target, subjects_of
from rules_lsp.policy.files import read_file
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Text
from rules_lsp.workspace.inventory import Progress

FIXED_KINDS = frozenset({"yaml", "markdown", "prompter", "instructions", "a0-project", "a0-template", "persona"})
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file, how it is called in the output, its text, and what was found in it. `path` is absolute, or None.

    The text is shown to people and programs: secrets in it are hidden, and every place is that of the file.
    """

    path: str | None
    name: str
    text: Text
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class CheckedTarget:
    """The files of a target, and what is to be said that is no finding of a file."""

    files: tuple[CheckedFile, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What the fixes make of a file: its bytes before and after, and the fixes that were made."""

    path: str
    name: str
    before: bytes
    after: bytes
    repairs: tuple[Repair, ...]


def check_target(target: Target, selection: Selection, progress: Progress | None = None) -> CheckedTarget:
    """Check the files of a target; `progress` is told as the files of its project are counted."""
    notes: list[str] = []
    files = tuple(
        CheckedFile(subject.path, _name_of(subject), shown_text(subject), tuple(selection.find(subject)))
        for subject in subjects_of(target, notes.append, progress)
    )
    return CheckedTarget(files, tuple(notes))


@dataclass(frozen=True, slots=True)
class Renaming:
    """What a fix makes of a file's name: absolute paths, before and after."""

    path: str
    name: str
    new_path: str
    code: str
    title: str


def changes_of(
    target: Target, selection: Selection, unsafe: bool, progress: Progress | None = None
) -> tuple[Change | Renaming, ...]:
    """What the fixes would change in the rule files of a target, at most one change a file; nothing is written.

    `progress` is told how many fixes of a file there are so far.
    """
    subjects = [subject for subject in subjects_of(target, lambda note: None) if subject.kind in FIXED_KINDS]
    changes = (
        _change(subject, selection, unsafe, progress) or _renaming(subject, selection, unsafe) for subject in subjects
    )
    return tuple(change for change in changes if change is not None)


def _change(subject: Subject, selection: Selection, unsafe: bool, progress: Progress | None) -> Change | None:
    if (subject.reading is None and subject.neighbour is None) or subject.path is None:
        return None

    versions = Versions(subject)

    def diagnose(content: str) -> list[Diagnostic]:
        return selection.find_to_fix(versions.of(content))

    content, repairs = repaired(subject.text.content, diagnose, unsafe=unsafe, widens=versions.widens, tell=progress)
    saved = read_file(subject.path)
    if content == subject.text.content or saved.text()[0] != subject.text.content:
        return None
    mark = _BYTE_ORDER_MARK if saved.data.startswith(_BYTE_ORDER_MARK) else b""
    return Change(subject.path, _name_of(subject), saved.data, mark + content.encode("utf-8"), tuple(repairs))


def _renaming(subject: Subject, selection: Selection, unsafe: bool) -> Renaming | None:
    if not unsafe or subject.path is None or subject.root is None:
        return None
    for found in selection.find_to_fix(subject):
        for fix in found.fixes:
            if fix.rename is not None:
                old, new = (subject.root.absolute(name) for name in fix.rename)
                return Renaming(old, _name_of(subject), new, found.code, fix.title)
    return None


def _name_of(subject: Subject) -> str:
    return subject.name if subject.path is None else shortened(subject.path)
