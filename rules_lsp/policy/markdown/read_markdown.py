"""A Markdown document as rules: its sections, the entries in them, and everything that cannot be read reported."""

from __future__ import annotations

from collections.abc import Iterable

from rules_lsp.policy.entries import DENYING_LISTS, TOOL_LISTS, broken_entry
from rules_lsp.policy.markdown.fenced_yaml import is_yaml_fence, read_yaml_fence
from rules_lsp.policy.markdown.headings import (
    LONGEST_HEADING,
    SectionName,
    Side,
    remark_of,
    section_name,
    side_name,
)
from rules_lsp.policy.markdown.hidden import hidden_sections
from rules_lsp.policy.markdown.items import LONGEST_ITEM, ItemReading, read_item
from rules_lsp.policy.markdown.lists import BELOW_ANOTHER_NAME, MarkdownEntry
from rules_lsp.policy.markdown.missed import MissedSection, missed_in_paragraph, missed_section
from rules_lsp.policy.markdown.section import Place, Section
from rules_lsp.policy.markdown.tables import entry_column, row_negation
from rules_lsp.policy.markdown.words import fold, markdown_words
from rules_lsp.policy.model import ListName, RuleList, Rules
from rules_lsp.source.expressions import expression
from rules_lsp.source.markdown import (
    Block,
    Code,
    Content,
    Heading,
    Html,
    ItemList,
    ListItem,
    MarkdownDocument,
    Paragraph,
    Quote,
    Rule,
    Table,
    parse_markdown,
)
from rules_lsp.source.problem import Problem, Related
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Span, Text

MAX_ENTRIES = 25_000
_LONGEST_LABEL = 200
_LONE_STAR = expression(r"^\s*(?:[-+*]|\d+[.)])\s+\*$")
_TOO_LONG = f"this text is longer than {LONGEST_ITEM:,} characters and is not read: write one entry an item"


@dataclass(frozen=True, slots=True)
class MarkdownPlace:
    """What places the entries below it in `File Patterns`: a heading, a label, a column or a key."""

    side: Side
    span: Span


@dataclass(frozen=True, slots=True)
class MarkdownSection:
    """A section.

    `heading` is its heading's text, `body` reaches from behind the heading's lines to where the section ends.
    `entries` are in the order of the document, those that allow nothing included; `places` are empty but in
    `File Patterns`.
    """

    name: SectionName
    level: int
    heading: Span
    body: Span
    entries: tuple[MarkdownEntry, ...]
    places: tuple[MarkdownPlace, ...]


@dataclass(frozen=True, slots=True)
class MarkdownRules:
    """What a Markdown text says: its rules, the faults in order, and the outline of its sections."""

    rules: Rules
    problems: tuple[Problem, ...]
    sections: tuple[MarkdownSection, ...]
    document: MarkdownDocument


def read_markdown(text: Text, known_servers: frozenset[str] = frozenset()) -> MarkdownRules:
    """Read the text of a Markdown rule file; never raises.

    `known_servers` are names of servers in any case: a text without code marks may name one that holds a space.
    """
    document = parse_markdown(text)
    reader = _Reader(document, frozenset(server.casefold() for server in known_servers))
    reader.visit(document.blocks, _Around())
    reader.close(len(text.content))
    names = frozenset(section.name for section in reader.sections)
    problems = [*reader.problems, *hidden_sections(document, names, frozenset(reader.code_starts))]
    problems.sort(key=lambda problem: (problem.span, problem.code))
    unread = _unread_rest(document, reader)
    if unread is not None:
        problems.append(unread)
        # What is not read may hold sections of every name.
        for denying in DENYING_LISTS:
            reader.lists.append(RuleList(denying, unread.span, (), unread.message))
    lists: dict[ListName, list[RuleList]] = {}
    for rules in reader.lists:
        lists.setdefault(rules.name, []).append(rules)
    found = Rules(
        text.content.removeprefix("\ufeff"),
        tuple(lists.get("allowed_tools", ())),
        tuple(lists.get("denied_tools", ())),
        tuple(lists.get("file_patterns.include", ())),
        tuple(lists.get("file_patterns.exclude", ())),
    )
    return MarkdownRules(found, tuple(problems), tuple(reader.sections), document)


def _unread_rest(document: MarkdownDocument, reader: _Reader) -> Problem | None:
    """The fault of a document that is not read to its end, at the line from which on it is not."""
    start = reader.cut if reader.cut is not None else document.unread_from
    if start is None:
        return None
    text = document.text
    reason = f"holds more than {MAX_ENTRIES:,} entries" if reader.cut is not None else "is too long"
    message = f"the document {reason} and is not read from here on, so everything is denied: shorten it"
    return Problem("unreadable-section-content", message, text.line_span(text.line_of(start)))


@dataclass(frozen=True, slots=True)
class _Around:
    """What labels, parent items and quotes say about the blocks below them; None where they say nothing."""

    place: Place | None = None
    negation: str | None = None
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class _Level:
    """A heading within a section, and what it says about the blocks below it."""

    level: int
    place: Place
    negation: str | None


class _Reader:
    """Walks a document in order; a heading changes the state for everything that follows it."""

    def __init__(self, document: MarkdownDocument, known_servers: frozenset[str]) -> None:
        self.problems: list[Problem] = []
        self.lists: list[RuleList] = []
        self.sections: list[MarkdownSection] = []
        self.code_starts: set[int] = set()
        self.cut: int | None = None
        self._document = document
        self._known_servers = known_servers
        self._words = markdown_words()
        self._section: Section | None = None
        self._levels: list[_Level] = []
        self._headings = 0
        self._first: dict[SectionName, Span] = {}
        self._missed: MissedSection | None = None
        self._entries_left = MAX_ENTRIES

    def visit(self, blocks: Iterable[Block], around: _Around) -> None:
        """Read blocks that stand side by side."""
        labelled = around
        for block in blocks:
            count = self._headings
            if self._missed is not None and self._missed.is_meant_by(self._document.text, block):
                self.problems.append(self._missed.problem)
                self._missed = None
            if isinstance(block, Paragraph) and not around.quoted:
                self._missed = missed_in_paragraph(block) or self._missed
            if isinstance(block, Heading) and not around.quoted:
                self._heading(block)
            elif isinstance(block, ItemList):
                for item in block.items:
                    self._item(item, labelled)
            elif self._section is not None:
                if isinstance(block, Paragraph):
                    labelled = self._paragraph(self._section, block, around)
                else:
                    self._block(self._section, block, labelled)
            if self._headings != count:
                around = labelled = _Around()

    def close(self, end: int) -> None:
        """End the section that is open, if any, at an offset."""
        section, self._section, self._levels = self._section, None, []
        if section is None:
            return
        builders = section.lists(self._document.truncated)
        self.lists += [builder.done() for builder in builders]
        entries = sorted((e for builder in builders for e in builder.outline), key=lambda e: e.entry.span)
        places = tuple(MarkdownPlace(place.side, place.span) for place in section.places if place.side is not None)
        start = section.heading.outer.end
        body = Span(start, max(start, end))
        self.sections.append(
            MarkdownSection(section.name, section.heading.level, section.heading.span, body, tuple(entries), places)
        )

    def _heading(self, heading: Heading) -> None:
        self._headings += 1
        short = len(heading.span) <= LONGEST_HEADING * 4
        name = heading.content.plain if short else ""
        section = section_name(name)
        if self._missed is not None and (section is not None or self._missed.is_ended_by(heading)):
            self._missed = None
        if section is not None:
            self._open(section, name, heading)
            return
        self._missed = missed_section(heading, name) or self._missed
        if self._section is None:
            return
        if heading.level <= self._section.heading.level:
            self.close(heading.outer.start)
            return
        while len(self._levels) > 1 and self._levels[-1].level >= heading.level:
            self._levels.pop()
        above = self._levels[-1]
        place, negation = above.place, above.negation
        side = side_name(name) if self._section.sided else None
        if side is not None:
            place = self._section.side(side, heading.span, place)
        elif negation is None and (not short or self._words.negates(name) or self._is_struck(heading.content)):
            negation = "stands under a heading that says no"
        self._levels.append(_Level(heading.level, place, negation))

    def _open(self, name: SectionName, text: str, heading: Heading) -> None:
        self.close(heading.outer.start)
        first = self._first.setdefault(name, heading.span)
        if first is not heading.span:
            united = "their entries are denied together" if name == "Denied Tools" else "what allows must stand in both"
            if name == "File Patterns":
                united = "excludes are united, and a file must be included by both"
            message = f"a second section `{name}`: {united}; put the entries in one section"
            related = (Related(first, f"`{name}` stands here first"),)
            self.problems.append(Problem("duplicate-section", message, heading.span, "warning", related=related))
        negation = "stands under a heading that names exceptions" if self._words.excepts(remark_of(text)) else None
        self._section = Section(name, heading, self.problems.append, self._known_servers, negation)
        self._levels = [_Level(heading.level, self._section.root, negation)]

    def _paragraph(self, section: Section, paragraph: Paragraph, around: _Around) -> _Around:
        """Prose; a label alone on a line (`Exclude:`, `Never:`) is one for the blocks up to the next paragraph.

        So is a sentence that says of what follows that it is not allowed. A paragraph that says that there is nothing
        is no content.
        """
        short = len(paragraph.span) <= _LONGEST_LABEL
        label = paragraph.content.plain.strip() if short else ""
        if self._words.is_nothing(label):
            return around
        self._place(around).has_content = True
        if not short:
            return around
        side = side_name(label) if section.sided else None
        if side is not None:
            return replace(around, place=section.side(side, paragraph.span, self._place(around)))
        missed = missed_in_paragraph(paragraph)
        if missed is not None and missed.near.section != section.name:
            return replace(around, negation=BELOW_ANOTHER_NAME)
        if self._words.is_no(label) and fold(label).rstrip(" :.!：") in self._words.no:
            return replace(around, negation="stands under a label that says no")
        if self._words.refuses(label):
            return replace(around, negation="stands under a sentence that says no")
        return around

    def _block(self, section: Section, block: Block, around: _Around) -> None:
        place = self._place(around)
        if isinstance(block, Rule) or (isinstance(block, Html) and block.comment):
            return
        place.has_content = True
        if isinstance(block, Quote):
            self.visit(block.blocks, replace(around, quoted=True))
        elif isinstance(block, Table):
            self._table(section, block, around)
        elif isinstance(block, Code):
            self.code_starts.add(block.span.start)
            if is_yaml_fence(block) and self._takes(place, around):
                self._yaml(section, block, around)

    def _item(self, item: ListItem, around: _Around) -> None:
        if self.cut is not None:
            return
        section = self._section
        if section is None:
            self.visit(item.blocks, around)
            return
        place = self._place(around)
        if item.content is None:
            if self._takes(place, around):
                self._without_paragraph(place, item)
            self.visit(item.blocks, around)
            return
        place.has_content = True
        if len(item.content.span) > LONGEST_ITEM:
            self._unread(place, item.content.span, _TOO_LONG)
            self.visit(item.blocks, around)
            return
        has_children = any(isinstance(block, ItemList | Code | Table) for block in item.blocks)
        reading = read_item(item.content, has_children, section.sided, place.side is not None)
        if reading.side is not None and reading.side_span is not None:
            place = section.side(reading.side, reading.side_span, place)
            around = replace(around, place=place)
        own = "is a task that is not done" if item.checked is False else None
        above = self._negation(around)
        if not (reading.label and not place.builder.denying):
            self._add(place, reading, item.span, above or own or reading.negation, around)
        if reading.forbids or own is not None:
            around = replace(around, negation=above or "stands below an item that says no")
        self.visit(item.blocks, around)

    def _add(self, place: Place, reading: ItemReading, item: Span, negation: str | None, around: _Around) -> None:
        if not self._takes(place, around):
            return
        further = reading.further if place.builder.denying else ()
        for candidate in (*reading.candidates, *further):
            if self._entries_left == 0:
                self.cut = candidate.span.start if self.cut is None else self.cut
                return
            self._entries_left -= 1
            place.add(candidate, item, negation)

    def _without_paragraph(self, place: Place, item: ListItem) -> None:
        first = item.blocks[0] if item.blocks else None
        if isinstance(first, Html) and not first.comment:
            self._unread(place, first.span, "this item begins with HTML and is not read: begin with the entry")
        elif isinstance(first, ItemList) and not first.items[0].blocks and first.items[0].content is None:
            written = self._document.text.slice(item.span).rstrip()
            if _LONE_STAR.search(written) is not None:
                end = item.span.start + len(written)
                self._unread(place, Span(end - 1, end), "Markdown reads this `*` as a list: put it in backticks")

    def _unread(self, place: Place, span: Span, message: str) -> None:
        """Take an item or a cell as one broken entry."""
        builder = place.builder
        span = Span(span.start, min(span.end, span.start + _LONGEST_LABEL))
        code = "malformed-tool-name" if builder.name in TOOL_LISTS else "invalid-glob"
        text = self._document.text.slice(span)
        entry, problem = broken_entry(text, span, builder.name, len(builder.entries), code, message)
        place.has_entries = True
        builder.put(entry, span, False)
        builder.report(problem)

    def _table(self, section: Section, table: Table, around: _Around) -> None:
        place = self._place(around)
        names = [fold(cell.plain) if len(cell.span) <= _LONGEST_LABEL else "" for cell in table.header.cells]
        columns: dict[int, Place] = {}
        if section.sided:
            for number, name in enumerate(names):
                if (side := side_name(name)) is not None:
                    columns[number] = section.side(side, table.header.cells[number].span, place)
        for row in table.rows:
            if self.cut is not None:
                return
            cells = row.cells[: len(names)]
            own = columns or {entry_column(cells): place}
            negation = self._negation(around) or row_negation(names, cells, own)
            for number, target in own.items():
                if number < len(cells) and len(cells[number].span) <= LONGEST_ITEM:
                    reading = read_item(cells[number])
                    self._add(target, reading, row.span, negation or reading.negation, around)
                elif number < len(cells):
                    self._unread(target, cells[number].span, _TOO_LONG)

    def _yaml(self, section: Section, code: Code, around: _Around) -> None:
        place = self._place(around)
        report = self.problems.append
        for side, rules in read_yaml_fence(self._document.text, code, place.builder.name, section.sided, report):
            target = place if side is None else section.side(side, rules.span, place)
            if self._takes(target, around):
                target.add_list(rules, code.span, self._negation(around))

    def _place(self, around: _Around) -> Place:
        return around.place or self._levels[-1].place

    def _negation(self, around: _Around) -> str | None:
        return around.negation or self._levels[-1].negation

    def _takes(self, place: Place, around: _Around) -> bool:
        """Whether entries count here: what an allowing list quotes is an example."""
        return place.builder.denying or not around.quoted

    def _is_struck(self, content: Content) -> bool:
        pieces = [piece for piece in content.pieces if piece.kind != "mark" and piece.text.strip()]
        return bool(pieces) and all(piece.struck for piece in pieces)
