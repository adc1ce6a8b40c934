"""What reading found: a code, a sentence and a place, never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules_lsp.source.records import dataclass, field
from rules_lsp.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Severity: TypeAlias = "Literal['error', 'warning', 'information']"
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Related:
    """Another place of the same document that belongs to a problem, and what it is to it."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in one document.

    `code` is a stable name. `message` is lower case without a final period, the author's text in backticks: what is
    wrong, then what to do. `data` holds what a fix needs, as strings; a fix never reads the message.
    """

    code: str
    message: str
    span: Span
    severity: Severity = "error"
    data: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    related: tuple[Related, ...] = ()
