"""Edits of one batch that cannot be made together: they touch the same text, or one file by two names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules_lsp.policy.requests import shown
from rules_lsp.prompt.edits.encoded import EncodedFile
from rules_lsp.prompt.edits.outcomes import Stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.prompt.edits.files import EditedFile

MOST_OTHERS = 20
"""Edits that an answer names at most; it says so where there are more."""


def overlapping(files: Mapping[str, EditedFile]) -> Iterator[tuple[EditedFile, dict[int, Stopped]]]:
    """For each file the edits of it that cannot be made, by their indices."""
    same = _same_file(files)
    for path, file in files.items():
        clashes: dict[int, list[int]] = {}
        if file.created is not None:
            indices = sorted(file.asked)
            above = [index for other in _above(path) if other in files for index in _creating(files[other])]
            clashes = {index: [other for other in indices if other != index] + above for index in indices}
        elif len(file.spans) > 1:
            clashes = _touching(file)
        for index in file.asked:
            clashes.setdefault(index, []).extend(same.get(path, ()))
        stopped = {index: _stopped(file, index, others) for index, others in clashes.items() if others}
        if stopped:
            yield file, stopped


def _touching(file: EditedFile) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    spans = sorted((span, index) for index, span in file.spans.items())
    widest = spans[0]
    for number, (span, index) in enumerate(spans):
        # One that goes on over more edits than are named clashes with each of them all the same.
        if widest[0].end > span.start and widest[1] != index:
            found.setdefault(index, []).append(widest[1])
        widest = max(widest, (span, index), key=lambda each: each[0].end)
        for other, other_index in spans[number + 1 : number + 1 + MOST_OTHERS]:
            if other.start >= span.end:
                break
            found.setdefault(index, []).append(other_index)
            found.setdefault(other_index, []).append(index)
    return found


def _same_file(files: Mapping[str, EditedFile]) -> dict[str, list[int]]:
    """For each path that is one more name of a file in the batch, the edits that go by the other names."""
    by_identity: dict[tuple[int, int], list[str]] = {}
    for path, file in files.items():
        status = file.source.status if isinstance(file.source, EncodedFile) else None
        if status is not None and file.asked:
            by_identity.setdefault((status.st_dev, status.st_ino), []).append(path)
    shared = [paths for paths in by_identity.values() if len(paths) > 1]
    return {
        path: [index for other in paths if other != path for index in files[other].asked]
        for paths in shared
        for path in paths
    }


def _above(path: str) -> Iterator[str]:
    """The paths of the directories above a path."""
    for at in range(len(path) - 1, 0, -1):
        if path[at] in "/\\":
            yield path[:at]


def _creating(file: EditedFile) -> list[int]:
    return sorted(file.asked) if file.created is not None else []


def _stopped(file: EditedFile, index: int, others: list[int]) -> Stopped:
    named = sorted(set(others))
    listed = ", ".join(str(other) for other in named[:MOST_OTHERS])
    more = " and more" if len(named) > MOST_OTHERS else ""
    what = "touches what" if len(named) == 1 else "touches what each of"
    told = shown(file.asked[index].name)
    edits = f"edit {listed}" if len(named) == 1 else f"the edits {listed}{more}"
    reason = f"this edit of `{told}` {what} {edits} changes: join them, or hand them in one after another"
    return Stopped("overlapping", reason, others=tuple(named[:MOST_OTHERS]))
