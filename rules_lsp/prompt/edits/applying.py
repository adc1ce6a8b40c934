"""All edits of a batch, or none: checked, written beside their files, checked once more, then renamed.

A journal says at every moment how the batch is to be ended. What it holds is beyond the reach of the project's own
files: see `places`.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence

from rules_lsp.policy.decision import FileDecision
from rules_lsp.policy.requests import shown
from rules_lsp.prompt.edits.checking import Decide, Progress, checked, deciding
from rules_lsp.prompt.edits.disk import digest, link_or_copy, write_new
from rules_lsp.prompt.edits.encoded import EncodedFile, read_encoded
from rules_lsp.prompt.edits.ending import clear, rename, undo
from rules_lsp.prompt.edits.journal import Entry, Journal, has_journal, temporary_names, write_journal
from rules_lsp.prompt.edits.locking import exclusive
from rules_lsp.prompt.edits.model import CheckedEdits, EditAnswer, FileChange
from rules_lsp.prompt.edits.places import journal_directory
from rules_lsp.prompt.edits.reading import read_edits
from rules_lsp.prompt.edits.request import EditOptions
from rules_lsp.source.records import dataclass, replace
from rules_lsp.workspace.project import Project

BUSY = "another process applies or recovers edits of this project now: try again when it is done"
UNFINISHED = "an earlier apply was cut short: run `rules-lsp edits --recover` first"
_CANCELLED = "it was cancelled, and nothing is changed"


class _Stopped(Exception):
    """A file is not what it was when it was checked, or may not be written any more: by edit, what is found now."""

    def __init__(self, answers: dict[int, EditAnswer]) -> None:
        self.answers = answers


class _Cancelled(Exception):
    """Whoever is told of the progress wants no more of it."""


def apply_structured_edits(
    project: Project,
    edits: object,
    targets: Sequence[str] | None = None,
    *,
    cwd: str | None = None,
    allow_delete: bool = False,
    state: str | None = None,
    progress: Progress | None = None,
) -> CheckedEdits:
    """Check a batch as `check_edits` does and make all of its edits, or none where one cannot be made.

    `state` takes the place of the user's state folder. Raises OSError where the disk fails; what had begun is undone
    then, and where that fails too the journal stays and `recover_structured_edits` ends it.
    """
    options = EditOptions(targets, cwd, allow_delete)
    directory = journal_directory(project.root.real, state)
    with exclusive(directory) as mine:
        if not mine or has_journal(directory):
            return CheckedEdits((), (), project.policy(), UNFINISHED if mine else BUSY)
        policy = project.policy()
        found = checked(edits, options, deciding(policy, options), policy, progress=progress)
        if not found.allowed or not found.changes:
            return _applied(found) if found.allowed else found
        try:
            paths = {item.index: item.file_path or "" for item in read_edits(edits)[0]}
            _apply(directory, project, _Batch(found, paths, options), progress)
        except _Stopped as stopped:
            answers = tuple(stopped.answers.get(answer.edit, answer) for answer in found.answers)
            return CheckedEdits(answers, (), found.policy)
        except _Cancelled:
            return CheckedEdits((), (), found.policy, _CANCELLED)
        return _applied(found)


@dataclass(frozen=True, slots=True)
class _Batch:
    """A batch that may be applied, with the paths by which its edits name their files."""

    found: CheckedEdits
    paths: dict[int, str]
    options: EditOptions


def _apply(directory: str, project: Project, batch: _Batch, progress: Progress | None) -> None:
    found = batch.found
    journal = _planned(project.root.real, found.changes)
    write_journal(directory, journal)
    try:
        _prepare(journal, found, progress)
        _verify(batch, deciding(project.policy(), batch.options))
        committing = journal.at("committing")
        write_journal(directory, committing)
        journal = committing
        for entry, change in zip(journal.entries, found.changes, strict=True):
            _verify_untouched(found, change)
            rename(journal, entry)
        journal.sync()
    except BaseException:
        undo(directory, journal)
        raise
    clear(directory, journal)


def _planned(root: str, changes: Sequence[FileChange]) -> Journal:
    token = secrets.token_hex(8)
    entries = []
    directories: dict[str, None] = {}
    for number, change in enumerate(changes):
        name = os.path.relpath(change.path, root)
        directories.update(dict.fromkeys(_missing(root, os.path.dirname(name))))
        before = None if change.before is None else digest(change.before)
        after = None if change.after is None else digest(change.after)
        entries.append(Entry(name, *temporary_names(token, number), before, after))
    return Journal(root, "preparing", tuple(directories), tuple(entries))


def _missing(root: str, directory: str) -> list[str]:
    """The directories that must be made for one to be there, the outer ones first."""
    found: list[str] = []
    while directory and not os.path.lexists(os.path.join(root, directory)):
        found.append(directory)
        directory = os.path.dirname(directory)
    return found[::-1]


def _prepare(journal: Journal, found: CheckedEdits, progress: Progress | None) -> None:
    for name in journal.directories:
        path = os.path.join(journal.root, name)
        try:
            os.mkdir(path)
        except FileExistsError:
            if not os.path.isdir(path):
                raise
    done = 0
    for entry, change in zip(journal.entries, found.changes, strict=True):
        if change.after is not None:
            write_new(journal.new_path(entry), change.after, change.status, change.path)
        if change.before is not None:
            try:
                link_or_copy(change.path, journal.old_path(entry))
            except FileNotFoundError:
                raise _Stopped(dict(_changed(found, change))) from None
        done += len(change.edits)
        if progress is not None and not progress(len(found.answers) + done):
            raise _Cancelled
    journal.sync()


def _verify(batch: _Batch, decide: Decide) -> None:
    """Ask the policy once more, and compare each file with what was checked."""
    found = batch.found
    decided: dict[tuple[str, str], FileDecision] = {}
    stopped: dict[int, EditAnswer] = {}
    for answer in found.answers:
        old = answer.decision
        key = batch.paths[answer.edit], old.operation
        if key not in decided:
            decided[key] = decide(*key)
        now = decided[key]
        if not now.allowed:
            stopped[answer.edit] = EditAnswer(answer.edit, "denied", now)
        elif now.resolved_path != old.resolved_path:
            stopped[answer.edit] = _changed_answer(answer)
    for change in found.changes:
        now_there = read_encoded(change.path)
        data = now_there.data if isinstance(now_there, EncodedFile) else None
        if isinstance(now_there, str) or data != change.before or not _is_untouched(change):
            stopped.update(_changed(found, change))
    if stopped:
        raise _Stopped(stopped)


def _verify_untouched(found: CheckedEdits, change: FileChange) -> None:
    if not _is_untouched(change):
        raise _Stopped(dict(_changed(found, change)))


def _is_untouched(change: FileChange) -> bool:
    """Whether the file is by its marks the one that was read."""
    before = change.status
    try:
        now = os.lstat(change.path)
    except OSError:
        return before is None
    if before is None:
        return False
    marks = ("st_dev", "st_ino", "st_mode", "st_size", "st_mtime_ns")
    return all(getattr(now, mark) == getattr(before, mark) for mark in marks)


def _changed(found: CheckedEdits, change: FileChange) -> Iterator[tuple[int, EditAnswer]]:
    for index in change.edits:
        yield index, _changed_answer(found.answers[index])


def _changed_answer(answer: EditAnswer) -> EditAnswer:
    old = answer.decision
    reason = f"`{shown(old.path or '')}` was changed while the edits were made ready: check them again"
    decision = replace(old, allowed=False, code="invalid-request", reason=reason, rule=None, overruled=())
    return EditAnswer(answer.edit, "changed", decision)


def _applied(found: CheckedEdits) -> CheckedEdits:
    answers = tuple(replace(answer, status="applied") for answer in found.answers)
    return replace(found, answers=answers, applied=True)
