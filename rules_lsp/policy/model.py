"""Rules as data: what one rule file says, every entry with its place.

A rule file in YAML and one in Markdown become the same `Rules`; nothing here knows which of them it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

from rules_lsp.source.records import dataclass, field
from rules_lsp.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

ListName: TypeAlias = "Literal['allowed_tools', 'denied_tools', 'file_patterns.include', 'file_patterns.exclude']"
LIST_NAMES: tuple[ListName, ...] = (
    "allowed_tools",
    "denied_tools",
    "file_patterns.include",
    "file_patterns.exclude",
)
_NO_TABLE: Mapping[str, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of a list.

    `text` is the item as its author means it (quotes, escapes and code marks resolved), `span` its token in the
    document (inside the quotes or code marks), `index` its place in its list, base 0. `broken` says why it cannot be
    read, or is None: a broken entry allows nothing in an allowing list, and in a denying one denies everything of
    its kind until it is repaired.
    """

    text: str
    span: Span
    list: ListName
    index: int
    broken: str | None = None


@dataclass(frozen=True)
class RuleList:
    """A list that a document specifies, be it empty.

    `span` is the key or the heading. `broken` says why the list as a whole cannot be read, or is None; it has the
    same effect as a broken entry.
    """

    name: ListName
    span: Span
    entries: tuple[Entry, ...] = ()
    broken: str | None = None

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts of the entries in their order; an empty one for each that cannot be read."""
        return tuple([entry.text if entry.broken is None else "" for entry in self.entries])


@dataclass(frozen=True, slots=True)
class Rules:
    """What one document says.

    Each of the four lists is a tuple of the lists of that name that the document specifies: empty where it specifies
    none, longer than one where a key or a section stands twice. Denying lists are united; of allowing lists each must
    allow. `unprotected` are the entries of `x-unprotected`; `tool_paths` is `x-tool-paths`: tool to argument paths.
    """

    system_prompt_extension: str = ""
    allowed_tools: tuple[RuleList, ...] = ()
    denied_tools: tuple[RuleList, ...] = ()
    include: tuple[RuleList, ...] = ()
    exclude: tuple[RuleList, ...] = ()
    unprotected: tuple[str, ...] = ()
    tool_paths: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NO_TABLE)

    def lists(self) -> Iterator[RuleList]:
        """Every list, in the order of the format."""
        yield from self.allowed_tools
        yield from self.denied_tools
        yield from self.include
        yield from self.exclude
