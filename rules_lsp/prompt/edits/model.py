"""Structured edits: what an agent hands in, what is found about each, and what they would make of the files."""

from __future__ import annotations

import os

from rules_lsp.policy.decision import FileDecision
from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

STATUSES = (
    "ready",
    "applied",
    "malformed",
    "denied",
    "not-a-target",
    "no-file",
    "exists",
    "not-editable",
    "not-found",
    "ambiguous",
    "overlapping",
    "deletion-not-allowed",
    "changed",
)
"""What becomes of an edit. The first two are good; each of the others keeps the whole batch from being applied."""
Status: TypeAlias = (
    "Literal['ready', 'applied', 'malformed', 'denied', 'not-a-target', 'no-file', 'exists', 'not-editable', "
    "'not-found', 'ambiguous', 'overlapping', 'deletion-not-allowed', 'changed']"
)
GOOD: frozenset[Status] = frozenset({"ready", "applied"})
KEYS = ("file_path", "search_block", "replace_block", "explanation")
REQUIRED = KEYS[:3]
MAX_EDITS = 100_000


@dataclass(frozen=True, slots=True)
class StructuredEdit:
    """One edit of a batch: the text that must stand once in the file, and what takes its place."""

    index: int
    file_path: str
    search_block: str
    replace_block: str
    explanation: str | None = None


@dataclass(frozen=True, slots=True)
class MalformedEdit:
    """An item of a batch that is no edit, and why."""

    index: int
    file_path: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Place:
    """A piece of a file. `path` is absolute and real; `text` is the file without its byte order mark."""

    path: str
    text: Text
    span: Span


@dataclass(frozen=True, slots=True)
class Nearest:
    """The place that is most like a block which is nowhere. `differs` names the kinds of difference."""

    place: Place
    differs: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class EditAnswer:
    """What is found about one edit.

    `decision` allows exactly where the status is a good one. `places` are all that were found of a block that stands
    in the file several times, `others` the indices of edits that touch the same text.
    """

    edit: int
    status: Status
    decision: FileDecision
    place: Place | None = None
    places: tuple[Place, ...] = ()
    nearest: Nearest | None = None
    others: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a batch makes of one file: its bytes before and after, None where there is no file.

    `path` is absolute and real; `status` is that of the file as it was read.
    """

    path: str
    before: bytes | None
    after: bytes | None
    status: os.stat_result | None
    edits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CheckedEdits:
    """The answers about a batch in its order, and the changes that it would make; none where one edit is refused.

    `refusal` says why the batch as a whole is none, or could not be applied. `policy` is None where no folder is open.
    """

    answers: tuple[EditAnswer, ...]
    changes: tuple[FileChange, ...]
    policy: Policy | None
    refusal: str | None = None
    applied: bool = False

    @property
    def allowed(self) -> bool:
        """Whether every edit can be applied, or has been."""
        return self.refusal is None and all(answer.status in GOOD for answer in self.answers)

    @property
    def reason(self) -> str:
        """The outcome in a sentence."""
        if self.refusal is not None:
            return self.refusal
        count = len(self.answers)
        bad = sum(answer.status not in GOOD for answer in self.answers)
        if bad:
            return f"{bad:,} of {_edits(count)} cannot be applied, so nothing is changed"
        if not count:
            return "there are no edits"
        if self.applied:
            return f"{_edits(count)} applied"
        return f"{_edits(count)} can be applied"


def _edits(count: int) -> str:
    return "1 edit" if count == 1 else f"{count:,} edits"
