"""The tools and patterns of all rule files, found by a few letters of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.symbols import SymbolKind
from rules_lsp.features.written import is_tool, written_entries
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

MOST_FOUND = 1_000


@dataclass(frozen=True, slots=True)
class FoundSymbol:
    """An entry of a list in a file; `container` names both."""

    name: str
    kind: SymbolKind
    container: str
    path: str
    text: Text
    span: Span


def workspace_symbols(rule_files: Iterable[Subject], query: str) -> tuple[FoundSymbol, ...]:
    """The entries that hold the letters of a query in their order, in any case; those that hold it whole come first.

    No more than `MOST_FOUND` are found.
    """
    wanted = query.casefold().replace(" ", "")
    ranked = [
        (wanted not in found.name.casefold(), at, found)
        for at, found in enumerate(_entries(rule_files))
        if _holds(found.name.casefold(), wanted)
    ]
    ranked.sort(key=lambda item: item[:2])
    return tuple(found for _, _, found in ranked[:MOST_FOUND])


def _entries(rule_files: Iterable[Subject]) -> Iterator[FoundSymbol]:
    for subject in rule_files:
        for entry in written_entries(subject):
            name = " ".join(entry.text.split())
            if name:
                kind: SymbolKind = "tool" if is_tool(entry) else "pattern"
                container = f"{entry.list} in {subject.name}"
                yield FoundSymbol(name, kind, container, subject.path or subject.name, subject.text, entry.span)


def _holds(name: str, wanted: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in wanted)
