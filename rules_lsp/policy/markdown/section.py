"""One section of a Markdown rule file while it is read: its lists, and the places that give entries a list."""

from __future__ import annotations

from rules_lsp.policy.entries import shown
from rules_lsp.policy.markdown.headings import SectionName, Side
from rules_lsp.policy.markdown.items import Candidate
from rules_lsp.policy.markdown.lists import ListBuilder, Report
from rules_lsp.policy.model import Entry, ListName, RuleList
from rules_lsp.source.markdown import Heading
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass, field
from rules_lsp.source.text import Span

_TOOL_LISTS: dict[SectionName, ListName] = {"Allowed Tools": "allowed_tools", "Denied Tools": "denied_tools"}
_SIDE_LISTS: dict[Side, ListName] = {"include": "file_patterns.include", "exclude": "file_patterns.exclude"}
_NOTHING_ALLOWED: dict[ListName, str] = {"allowed_tools": "allows no tool", "file_patterns.include": "allows no file"}


@dataclass(slots=True)
class Place:
    """A part of a section whose entries belong to one list.

    `side` is None in a tool section, and in `File Patterns` outside of every include and exclude: an entry there is
    unplaced and counts as exclude. `span` is the heading, label, column or key. `has_content` and `has_entries` tell
    what stood in it; negated and broken entries count.
    """

    side: Side | None
    span: Span
    builder: ListBuilder
    unplaced: bool = False
    has_content: bool = False
    has_entries: bool = False

    def add(self, candidate: Candidate, item: Span, negation: str | None) -> None:
        """Take an entry."""
        self.has_entries = True
        count = len(self.builder.entries)
        self.builder.add(candidate, item, negation)
        self._report_unplaced(self.builder.entries[count:])

    def add_list(self, rules: RuleList, item: Span, negation: str | None) -> None:
        """Take the entries of a list that was read elsewhere, and what is wrong with it."""
        self.has_entries = True
        count = len(self.builder.entries)
        for entry in rules.entries:
            if negation is not None and not self.builder.denying:
                self.builder.negate(entry, item, False, negation)
            else:
                self.builder.put(entry, item, False)
        self.builder.broken = self.builder.broken or rules.broken
        self._report_unplaced(self.builder.entries[count:])

    def _report_unplaced(self, entries: list[Entry]) -> None:
        for entry in entries:
            if self.unplaced and entry.broken is None:
                message = (
                    f"`{shown(entry.text)}` stands under neither `Include` nor `Exclude` and is excluded meanwhile: "
                    "put it under one of them"
                )
                self.builder.report(Problem("unplaced-pattern", message, entry.span, data={"value": entry.text}))


@dataclass(slots=True)
class Section:
    """A section; `negation` is why an allowing list of it must take nothing, or None."""

    name: SectionName
    heading: Heading
    report: Report
    known_servers: frozenset[str]
    negation: str | None
    places: list[Place] = field(default_factory=list)
    _builders: dict[ListName, ListBuilder] = field(default_factory=dict)
    _used: set[ListName] = field(default_factory=set)

    def __post_init__(self) -> None:
        name = _TOOL_LISTS.get(self.name)
        builder = self._builder(name or "file_patterns.exclude", self.heading.span)
        self.places.append(Place(None, self.heading.span, builder, unplaced=name is None))

    @property
    def root(self) -> Place:
        """The place of what stands in the section itself."""
        return self.places[0]

    @property
    def sided(self) -> bool:
        """Whether entries must stand below an include or an exclude."""
        return self.name == "File Patterns"

    def side(self, side: Side, span: Span, around: Place) -> Place:
        """The place that a heading, label, column or key opens within another.

        An include within an exclude says two things: what stands there is unplaced.
        """
        if side == "include" and around.side == "exclude":
            around.has_entries = True
            return Place(None, span, around.builder, unplaced=True)
        if side == around.side:
            around.has_entries = True
        name = _SIDE_LISTS[side]
        builder = self._builder(name, span)
        if name not in self._used:
            builder.span = span
        self._used.add(name)
        place = Place(side, span, builder)
        self.places.append(place)
        return place

    def lists(self, truncated: bool) -> list[ListBuilder]:
        """The lists that the section specifies. Parts of it without a readable entry are reported."""
        for place in self.places[1:]:
            self._judge(place)
        root = self.root
        if not self.sided:
            self._judge(root)
        elif root.has_content and not root.has_entries and len(self.places) == 1:
            self._unreadable(root)
        if truncated:
            self._truncated()
        if not self.sided:
            return [root.builder]
        root_used = root.has_entries or root.builder.broken is not None
        used = self._used | ({"file_patterns.exclude"} if root_used else set())
        return [builder for name, builder in self._builders.items() if name in used]

    def _builder(self, name: ListName, span: Span) -> ListBuilder:
        return self._builders.setdefault(name, ListBuilder(name, span, self.report, self.known_servers))

    def _judge(self, place: Place) -> None:
        if place.has_entries:
            if not place.builder.denying and not place.builder.outline and place.builder.broken is None:
                self._empty(place)
        elif place.has_content:
            self._unreadable(place)
        elif not place.builder.denying and not place.builder.entries:
            self._empty(place)

    def _empty(self, place: Place) -> None:
        effect = _NOTHING_ALLOWED[place.builder.name]
        message = f"`{self._called(place)}` has no entries and {effect}: add entries, or remove the heading"
        self.report(Problem("empty-section", message, place.span, "warning"))

    def _unreadable(self, place: Place) -> None:
        fault = f"`{self._called(place)}` has content but no entry that can be read"
        if not place.builder.denying:
            effect = _NOTHING_ALLOWED[place.builder.name]
        else:
            effect = f"{'no tool' if place.builder.name == 'denied_tools' else 'no file'} is allowed until then"
            place.builder.broken = fault
        message = f"{fault}, and {effect}: write a list of names in backticks"
        self.report(Problem("unreadable-section-content", message, place.span))

    def _called(self, place: Place) -> str:
        return place.side.title() if place.side else self.name

    def _truncated(self) -> None:
        message = "the document is nested too deeply to be read whole: use fewer levels of lists and quotes"
        builder = self.root.builder
        if builder.denying and builder.broken is None:
            builder.broken = message
            self.report(Problem("unreadable-section-content", message, self.heading.span))
