"""A heading that is only close to a section's name, until it turns out whether a section was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from rules_lsp.policy.markdown_headings import near_miss
from rules_lsp.policy.markdown_items import LONGEST_ITEM, read_item
from rules_lsp.policy.markdown_tables import entry_column
from rules_lsp.policy.markdown_yaml import is_yaml_fence
from rules_lsp.source.markdown import Block, Code, Content, Heading, ItemList, Table
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span

_ITEMS = 50
_COMMENT_BEHIND = re.compile(r"\s*<!--[^\n]*-->\Z")


@dataclass(frozen=True, slots=True)
class MissedSection:
    """A near miss; it counts where a list of names stands below it, before a heading of its level."""

    level: int
    problem: Problem


def missed_section(heading: Heading, name: str) -> MissedSection | None:
    """The near miss that a heading with a visible text is, or None."""
    meant = near_miss(name) if name else None
    if meant is None:
        return None
    message = f"`{' '.join(name.split())}` is no section and its entries are no rules: name it `{meant}`"
    behind = _COMMENT_BEHIND.search(heading.content.source)
    span = Span(heading.span.start, heading.span.end - (len(behind[0]) if behind is not None else 0))
    problem = Problem("near-miss-heading", message, span, "warning", {"replacement": meant})
    return MissedSection(heading.level, problem)


def names_something(block: Block) -> bool:
    """Whether a block is a list of names or patterns: one of its first entries is in code marks or has no spaces."""
    if isinstance(block, Code):
        return is_yaml_fence(block)
    for content in islice(_contents(block), _ITEMS):
        if len(content.span) <= LONGEST_ITEM:
            candidates = read_item(content).candidates
            if candidates and all(each.quoted or " " not in each.text for each in candidates):
                return True
    return False


def _contents(block: Block) -> Iterator[Content]:
    if isinstance(block, ItemList):
        yield from (item.content for item in block.items if item.content is not None)
    elif isinstance(block, Table):
        for row in block.rows:
            if row.cells:
                yield row.cells[entry_column(row.cells)]
