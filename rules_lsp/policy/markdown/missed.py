"""A heading that is only close to a section's name, until it turns out whether a section was meant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rules_lsp.policy.markdown.fenced_yaml import is_yaml_fence
from rules_lsp.policy.markdown.headings import LONGEST_HEADING, NearMiss, near_miss, near_side, section_name, side_name
from rules_lsp.policy.markdown.items import LONGEST_ITEM, Candidate, read_item
from rules_lsp.policy.markdown.tables import entry_column
from rules_lsp.policy.markdown.words import fold, markdown_words
from rules_lsp.source.expressions import expression
from rules_lsp.source.markdown import Block, Code, Content, Heading, ItemList, Paragraph, Table
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

_ITEMS = 50
_NO_HEADING = expression(
    r"(?P<marks>[#＃]{1,6})[ \t]*(?P<marked>[^#＃\s][^\n]*)|(?:\*\*|__)(?P<bold>[^\n*_]+)(?:\*\*|__):?"
)
_COMMENT_BEHIND = expression(r"\s*<!--[^\n]*-->\Z")
_TOOL_OF_SERVER = expression(r"mcp__\S+|(?!https?:|[./~])[^\s/:][^/:]*/[A-Za-z0-9_*?-]+")
_LABEL = expression(r"[^:：\n]{1,40}[:：]")
_SIDED = expression(r"(?:in|ex)clude:")


@dataclass(frozen=True, slots=True)
class MissedSection:
    """A near miss; it counts where what stands below it, before a heading of its level, is that of the section."""

    level: int
    near: NearMiss
    problem: Problem

    def is_ended_by(self, heading: Heading) -> bool:
        """Whether what follows a heading tells no more of this one; below a synonym a deeper heading speaks anew."""
        return heading.level <= self.level or not (self.near.own or self.near.section == "File Patterns")

    def is_meant_by(self, text: Text, block: Block) -> bool:
        """Whether a block below the heading is one of such a section.

        For tools that is a list of names, and below a synonym one with a name that agents use: elsewhere approved
        tools are programs. For patterns it is an include or an exclude.
        """
        if self.near.section == "File Patterns":
            deeper = not isinstance(block, Heading) or block.level > self.level
            return deeper and _names_a_side(text, block)
        if isinstance(block, Code):
            return is_yaml_fence(block)
        names = [found for content in islice(_contents(block), _ITEMS) for found in _names(content)]
        return any(self.near.own or _is_of_agents(each) for each in names)


def missed_section(heading: Heading, name: str) -> MissedSection | None:
    """The near miss that a heading with a visible text is, or None."""
    near = near_miss(name) if name else None
    if near is None:
        return None
    message = f"`{' '.join(name.split())}` is no section and its entries are no rules: name it `{near.section}`"
    behind = _COMMENT_BEHIND.search(heading.content.source)
    span = Span(heading.span.start, heading.span.end - (len(behind[0]) if behind is not None else 0))
    problem = Problem("near-miss-heading", message, span, "warning", {"replacement": near.section})
    return MissedSection(heading.level, near, problem)


def missed_in_paragraph(paragraph: Paragraph) -> MissedSection | None:
    """The section that a line means though it is no heading: `##Denied Tools`, `＃＃ …` or `**Denied Tools**`."""
    line = paragraph.content.source if len(paragraph.span) <= LONGEST_HEADING else ""
    match = _NO_HEADING.fullmatch(line)
    section = section_name(match["marked"] or match["bold"]) if match is not None else None
    if match is None or section is None:
        return None
    level = len(match["marks"] or "##")
    heading = f"{'#' * level} {section}"
    message = f"`{line}` is no heading and the entries below it are no rules: write `{heading}`"
    problem = Problem("near-miss-heading", message, paragraph.span, "warning", {"replacement": heading})
    # Words in bold introduce lists of many kinds.
    return MissedSection(level, NearMiss(section, match["marked"] is not None), problem)


def _names(content: Content) -> tuple[Candidate, ...]:
    """The entries of an item or a cell, if it holds names: texts in code marks or without spaces."""
    candidates = read_item(content).candidates if len(content.span) <= LONGEST_ITEM else ()
    return candidates if all(each.quoted or " " not in each.text for each in candidates) else ()


def _is_of_agents(candidate: Candidate) -> bool:
    name = candidate.text
    return fold(name) in markdown_words().agent_tools or _TOOL_OF_SERVER.fullmatch(name) is not None


def _names_a_side(text: Text, block: Block) -> bool:
    if isinstance(block, Code):
        return is_yaml_fence(block) and _SIDED.search(text.slice(block.span)) is not None
    if isinstance(block, Heading | Paragraph):
        return _is_side(block.content)
    if isinstance(block, Table):
        return any(_is_side(cell) for cell in block.header.cells)
    return any(
        read_item(content, sides=True, has_children=True).side is not None or _has_label_near_a_side(content)
        for content in islice(_contents(block), _ITEMS)
        if len(content.span) <= LONGEST_ITEM
    )


def _has_label_near_a_side(content: Content) -> bool:
    label = _LABEL.match(content.plain)
    return label is not None and near_side(label[0]) is not None


def _is_side(content: Content) -> bool:
    text = content.plain if len(content.span) <= LONGEST_HEADING else ""
    return side_name(text) is not None or near_side(text) is not None


def _contents(block: Block) -> Iterator[Content]:
    if isinstance(block, ItemList):
        yield from (item.content for item in block.items if item.content is not None)
    elif isinstance(block, Table):
        for row in block.rows:
            if row.cells:
                yield row.cells[entry_column(row.cells)]
