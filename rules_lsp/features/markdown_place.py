"""Where a cursor stands in a Markdown rule file: at an entry of which list, at a heading, on an empty line.

As in YAML the cursor's line is repaired first: what is being typed becomes a word in code marks. The section up to
there, without the items beside it, is read as rules are read: the list that the word is an entry of is the place's.
"""

from __future__ import annotations

import re

from rules_lsp.features.markdown_beside import NOTHING_BESIDE, Beside, entries_beside
from rules_lsp.policy.markdown.headings import SectionName, Side
from rules_lsp.policy.markdown.read_markdown import MarkdownRules, MarkdownSection, read_markdown
from rules_lsp.policy.model import Entry, ListName
from rules_lsp.source.markdown import Block, Code, Html, ItemList, ListItem, Quote
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Span, Text

_WORD = "cursor7d1f"
_HEADING = re.compile(r" {0,3}(#{1,6})(?:([ \t]+)|$)")
_ITEM = re.compile(r"([ \t]*)(?:[-+*]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\](?=[ \t]|$))?(?:[ \t]+|$)")
_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_ROW = re.compile(r" {0,3}\|")
_MARKER_ONLY = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])")
_WORD_BEFORE = re.compile(r"[^\s,，、`|]*$")
_WORD_BEHIND = re.compile(r"(?:[^\s,，、`|:：]|:(?!\s|$))*")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_NEXT_LINE = re.compile(r"[\r\n]([ \t]*)[^\s]")
_BEGINS_ANEW = re.compile(rf"{_ITEM.pattern}|{_HEADING.pattern}|[ ]{{0,3}}(?:```|~~~)")
_SUBSTANCE = re.compile(r"[\w*?./\\\[\]{}~!@#&$-]")
_COMMAS = ",，、"
_COLONS = ":："


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """An entry of a list. `opened` and `closed` tell which code marks stand around it, `glued` that a blank lacks.

    Where a code span begins right at the cursor, `span` is the whole of it with its marks. `beside` are the other
    entries of its item.
    """

    list: ListName
    span: Span
    opened: bool
    closed: bool
    glued: bool
    beside: Beside = NOTHING_BESIDE


@dataclass(frozen=True, slots=True)
class HeadingPlace:
    """The text of a heading. `glued`: a blank is missing behind its signs; `section` is the one that it stands in."""

    level: int
    span: Span
    glued: bool
    section: SectionName | None


@dataclass(frozen=True, slots=True)
class BlankPlace:
    """An empty line, with the list that an item would belong to here, or None outside of all lists.

    `section` is the section around it; in `File Patterns` outside of its lists `list` is None.
    """

    span: Span
    list: ListName | None
    section: MarkdownSection | None


@dataclass(frozen=True, slots=True)
class YamlFence:
    """A fenced `yaml` block of a section: its content, the cursor in it, and how far its line stands behind."""

    text: Text
    offset: int
    shift: int
    section: SectionName
    side: Side | None


MarkdownPlace = EntryPlace | HeadingPlace | BlankPlace | YamlFence


def markdown_place(reading: MarkdownRules, offset: int, known_servers: frozenset[str]) -> MarkdownPlace | None:
    """The place of a cursor; None in prose, comments, quotes and other code."""
    text = reading.document.text
    block = _block_at(reading.document.blocks, text, offset)
    section = _section_at(reading, offset)
    if isinstance(block, Code) and block.info is not None:
        return _in_fence(text, block, offset, section)
    if block is not None or _in_front_matter(reading, offset):
        return None
    number = text.line_of(offset)
    span = text.line_span(number)
    line, column = text.slice(span), offset - span.start
    heading = _HEADING.match(line)
    if heading is not None:
        return _at_heading(line, column, span.start, heading, section)
    if not line.strip():
        return _at_blank(text, number, column, section, known_servers)
    found = None if section is None else _at_entry(text, number, column, section, known_servers)
    if section is None or found is None:
        return None
    beside = entries_beside(reading.document.blocks, text, section, offset, found.span, found.list)
    return None if beside is None else replace(found, beside=beside)


def _block_at(blocks: tuple[Block, ...], text: Text, offset: int) -> Code | Html | Quote | None:
    """The block of code, HTML or quotation that holds an offset."""
    for block in blocks:
        if not block.span.start <= offset <= block.span.end:
            continue
        if isinstance(block, Code | Html | Quote):
            return block
        if isinstance(block, ItemList):
            item = next((item for item in block.items if item.span.start <= offset <= item.span.end), None)
            return _block_at(item.blocks, text, offset) if isinstance(item, ListItem) else None
    return None


def _in_front_matter(reading: MarkdownRules, offset: int) -> bool:
    matter = reading.document.front_matter
    return matter is not None and offset <= matter.end


def _section_at(reading: MarkdownRules, offset: int) -> MarkdownSection | None:
    found = None
    for section in reading.sections:
        if section.heading.start <= offset <= section.body.end:
            found = section
    return found


def _at_heading(
    line: str, column: int, at: int, heading: re.Match[str], section: MarkdownSection | None
) -> HeadingPlace | None:
    if column < heading.end(1):
        return None
    start = max(heading.end(), heading.end(1))
    start = min(start, column) if column < heading.end() else start
    end = max(len(line.rstrip()), column)
    inside = section.name if section is not None and section.heading.start < at + heading.start(1) else None
    return HeadingPlace(len(heading[1]), Span(at + start, at + end), start == heading.end(1), inside)


def _at_blank(
    text: Text, number: int, column: int, section: MarkdownSection | None, known_servers: frozenset[str]
) -> BlankPlace:
    at = text.line_span(number).start + column
    place = Span(at, at)
    if section is None:
        return BlankPlace(place, None, None)
    found = _word_entry(text, section, number, f"- `{_WORD}`", 0, known_servers)
    entry, unplaced = found if found is not None else (None, True)
    below = _NEXT_LINE.search(text.content, at)
    # What stands deeper below would hang from the new item, and a line right below would go on with it.
    taken = below is not None and len(below[1].expandtabs(4)) > column
    if number + 1 < text.line_count:
        following = text.slice(text.line_span(number + 1))
        taken |= bool(following.strip()) and _BEGINS_ANEW.match(following) is None
    return BlankPlace(place, None if entry is None or unplaced or taken else entry.list, section)


def _at_entry(
    text: Text, number: int, column: int, section: MarkdownSection, known_servers: frozenset[str]
) -> EntryPlace | None:
    span = text.line_span(number)
    line = text.slice(span)
    start = _content_start(line, column)
    glued = (start is None or start == column) and _is_marker(line, column)
    if glued:
        start = column
    if start is None:
        return None
    opened, inner, end, closed = _written_at(line, start, column)
    written = Span(span.start + inner, span.start + end)
    labels = [place.span for place in section.places if place.span.start > section.heading.start]
    if not opened:
        before = line[start:inner].rstrip()
        behind_label = any(label.end == span.start + start + len(before) - 1 for label in labels)
        if before and before[-1] not in _COMMAS + (_COLONS if behind_label else ""):
            return None
        if line[end : end + 1] == "`":
            code = _CODE.match(line, column)
            if code is None or column > inner:
                return None
            written = Span(written.start, span.start + code.end())
    if end > inner and _SUBSTANCE.search(line, inner, end) is None:
        return None
    # A label is no entry: what stands below it would lose its list.
    if any(label.start <= written.end and written.start <= label.end for label in labels):
        return None
    head = line[: inner - 1 if opened else inner] + (" " if glued else "")
    found = _word_entry(text, section, number, f"{head}`{_WORD}`", len(line) - len(line.lstrip()), known_servers)
    if found is None:
        return None
    return EntryPlace(found[0].list, written, opened, closed, glued)


def _content_start(line: str, column: int) -> int | None:
    """Where the item or the cell under a column begins, or None."""
    item = _ITEM.match(line)
    if item is not None:
        return item.end() if item.end() <= column else None
    if _ROW.match(line) is None:
        return None
    bar = line.rfind("|", 0, column)
    return None if bar < 0 else bar + 1 + len(line[bar + 1 : column]) - len(line[bar + 1 : column].lstrip())


def _is_marker(line: str, column: int) -> bool:
    return _MARKER_ONLY.fullmatch(line[:column]) is not None and not line[column:].strip()


def _written_at(line: str, start: int, column: int) -> tuple[bool, int, int, bool]:
    """Whether a code mark is open in front of a column, where the text there begins and ends, whether one ends it."""
    before = line[start:column]
    if before.count("`") % 2:
        inner = start + before.rfind("`") + 1
        if line[start:].count("`") % 2 == 0:
            return True, inner, line.index("`", column), True
        behind = _WORD_BEHIND.match(line, column)
        return True, inner, behind.end() if behind is not None else column, False
    word, behind = _WORD_BEFORE.search(before), _WORD_BEHIND.match(line, column)
    inner = column - len(word[0]) if word is not None else column
    return False, inner, behind.end() if behind is not None else column, False


def _word_entry(
    text: Text, section: MarkdownSection, number: int, repaired: str, indent: int, known_servers: frozenset[str]
) -> tuple[Entry, bool] | None:
    """The entry that the word is in its section, and whether it stands under no include and no exclude."""
    lines = [line for line in _above(text, section, number) if _is_kept(line, indent)]
    found = read_markdown(Text("\n".join([*lines, repaired])), known_servers)
    for read in reversed(found.sections):
        for item in read.entries:
            if item.entry.text == _WORD:
                placed = any(problem.code == "unplaced-pattern" for problem in found.problems)
                return item.entry, placed and any(
                    problem.code == "unplaced-pattern" and problem.span == item.entry.span for problem in found.problems
                )
    return None


def _above(text: Text, section: MarkdownSection, number: int) -> list[str]:
    first = text.line_span(text.line_of(section.heading.start)).start
    return _LINE_BREAK.split(text.content[first : text.line_span(number).start])[:-1]


def _is_kept(line: str, indent: int) -> bool:
    """Whether a line can decide what an item of that indentation belongs to: those beside it, and below, cannot."""
    width = len(line) - len(line.lstrip())
    return width < indent or (width == indent and _ITEM.match(line) is None)


def _in_fence(text: Text, block: Code, offset: int, section: MarkdownSection | None) -> YamlFence | None:
    words = (block.info or "").split()
    if section is None or not words or words[0].casefold() not in ("yaml", "yml"):
        return None
    number = next((index for index, line in enumerate(block.lines) if line.start <= offset <= line.end), None)
    if number is None:
        return None
    inner = Text("\n".join(text.slice(line) for line in block.lines))
    at = inner.line_span(number).start + offset - block.lines[number].start
    place = next((place for place in reversed(section.places) if place.span.start <= offset), None)
    return YamlFence(inner, at, offset - at, section.name, place.side if place is not None else None)
