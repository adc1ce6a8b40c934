"""A tool entry that a wider one of its list covers.

## What it finds
An entry of `allowed_tools` or `denied_tools` that stands only for tools for which another entry of the same list
stands too, whatever those tools are called by a host. Of two that stand for the same, the later one is told.

## Why it matters
The entry adds nothing. Whoever removes it, or the wider one, may believe to have changed more or less than that.

## Example
```yaml
denied_tools:
  - github/*
  - github/delete_file
```

## Instead
```yaml
denied_tools:
  - github/*
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, RelatedPlace, Stage
from rules_lsp.checks.common.proved import stands_once
from rules_lsp.checks.common.remembered import once_a_list
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_cover import DenyingCover
from rules_lsp.checks.common.tool_fixes import remove, with_fixes
from rules_lsp.checks.common.tool_names import ToolEntry, entries_in, readable, tool_lists
from rules_lsp.policy.entries import shown
from rules_lsp.policy.model import RuleList
from rules_lsp.policy.tools.entries import denied_patterns, host_patterns
from rules_lsp.policy.tools.lists import argument_form
from rules_lsp.policy.tools.names import Reading
from rules_lsp.policy.tools.patterns import Wildcard, is_wild

Pair = tuple[ToolEntry, ToolEntry]
"""An entry, and the one of its list that covers it."""

MAX_WILD = 64
"""Entries with a wildcard of one server that are compared with each of its tools."""
EVERYTHING = "*"
"""The one allowing entry that stands for the tools of servers too: `**` takes built-in tools alone."""
_ONE_WORD = re.compile(r"[A-Za-z0-9]+")


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    for holder in tool_lists(subject):
        alone = stands_once(holder)
        for found, by in covered_in(subject, holder):
            entry, wider = found.entry, by.entry
            if not alone(entry):
                continue
            message = f"`{shown(entry.text)}` adds nothing, `{shown(wider.text)}` in this list covers it: remove it"
            related = (RelatedPlace(wider.span, f"`{shown(wider.text)}` covers it"),)
            yield Diagnostic(CHECK.code, CHECK.severity, message, entry.span, related), remove(subject, entry)


def covered_in(subject: Subject, holder: RuleList) -> Iterator[Pair]:
    """The entries of a list that another one certainly covers; of equal texts none but the first is looked at."""
    covered = _covered(holder, len(subject.shown.allowed_tools) == 1)
    entries = {id(found.entry): found for found in entries_in(subject, holder)} if covered else {}
    for place, by in covered:
        yield entries[id(holder.entries[place])], entries[id(holder.entries[by])]


@once_a_list
def _covered(holder: RuleList, sole: bool) -> tuple[tuple[int, int], ...]:
    """The places of covered entries, each with that of the one that covers it; `sole`: there is no second such list."""
    first: dict[str, ToolEntry] = {}
    for found in readable(holder):
        first.setdefault(found.entry.text, found)
    entries = list(first.values())
    denying = holder.name == "denied_tools"
    pairs = _covered_in_denying(entries) if denying else _covered_in_allowing(entries, sole=sole)
    return tuple((found.entry.index, by.entry.index) for found, by in pairs)


def _covered_in_denying(entries: list[ToolEntry]) -> Iterator[Pair]:
    # One that denies everything says so itself, and that the others add nothing is no news.
    if any(found.denies_everything for found in entries):
        return
    plain = [found for found in entries if argument_form(found.entry.text) is None]
    for place, by in _covered_places(tuple(found.entry.text for found in plain)):
        yield plain[place], plain[by]


def _covered_places(texts: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """The places of denying entries without arguments that another one covers, each with that one's."""
    cover = DenyingCover(texts)
    hosts = DenyingCover(texts, _with_host_patterns) if any(map(host_patterns, texts)) else cover

    def wider_than(place: int) -> set[int]:
        written = host_patterns(texts[place])
        covering = cover.of_all(denied_patterns(texts[place]))
        return (covering & hosts.of_all(written) if written else covering) - {place}

    found: list[tuple[int, int]] = []
    for place in range(len(texts)):
        # Of two that stand for the same the later one is told.
        others = (other for other in sorted(wider_than(place)) if other < place or place not in wider_than(other))
        by = next(others, None)
        if by is not None:
            found.append((place, by))
    return tuple(found)


def _with_host_patterns(text: str) -> tuple[Reading, ...]:
    return (*denied_patterns(text), *host_patterns(text))


def _covered_in_allowing(entries: list[ToolEntry], *, sole: bool) -> Iterator[Pair]:
    """Coverage by an entry of the same server.

    A server that an entry names is known by that, and what is known decides how the names of hosts are read: an entry
    of another server could go only together with its server. Where one entry allows everything that does not matter,
    if there is no second list for which it might.
    """
    everything = next((found for found in entries if found.name == EVERYTHING), None) if sole else None
    wild: dict[str | None, list[tuple[Wildcard, ToolEntry]]] = {}
    for found in entries:
        same_server = wild.setdefault(found.server, [])
        if is_wild(found.tool) and len(same_server) < MAX_WILD:
            same_server.append((Wildcard(found.tool), found))
    for found in entries:
        if found.name == EVERYTHING:
            continue
        by = everything
        if by is None and (found.server is not None or _ONE_WORD.fullmatch(found.tool)):
            candidates = (other for pattern, other in wild[found.server] if _is_wider(pattern, other, found))
            by = next(candidates, None)
        if by is not None:
            yield found, by


def _is_wider(pattern: Wildcard, wider: ToolEntry, found: ToolEntry) -> bool:
    if wider is found or wider.tool == found.tool or ("?" in wider.tool and "*" in found.tool):
        return False
    if not pattern.matches(found.tool):
        return False
    # `a**` and `a*` match each other; the later one is told.
    mutual = "?" not in found.tool and is_wild(found.tool) and Wildcard(found.tool).matches(wider.tool)
    return not mutual or wider.entry.index < found.entry.index


CHECK = Check.documented(
    "covered-entry", "information", lambda subject: with_fixes(_find(subject)), __doc__, Stage.PROVED, "safe"
)
