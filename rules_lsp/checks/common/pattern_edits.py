"""Entries of lists written otherwise or taken out, in YAML and in Markdown.

Each function answers None where the change is not a simple one: then there is no fix.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rules_lsp.checks.common.lines import line_at, line_break_of, whole_lines
from rules_lsp.checks.common.quoting import plain_or_quoted, quoted
from rules_lsp.checks.common.scalars import has_properties
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Scalar
from rules_lsp.source.yaml_tree import Sequence as YamlSequence

_FENCES = ("```", "~~~")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_REMARK = re.compile(r"\s*(?:\s#.*)?")
_REMARK_IN_FLOW = re.compile(r"\s#")


@dataclass(frozen=True, slots=True)
class Removal:
    """The edits that take an entry out, and the comment behind it with the blanks in front, which goes along."""

    edits: tuple[TextEdit, ...]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class _Written:
    """How an entry stands in the text: its `token` with quotes, and what is around it.

    `marks` is the quote or the backtick around it. `dashed` tells whether it stands behind a dash on a line of its
    own, `around` is the YAML list that holds it, where there is one.
    """

    token: Span
    marks: str
    markdown: bool
    flow: bool = False
    dashed: bool = False
    around: YamlSequence | None = None


def rewritten(subject: Subject, entry: Entry, *texts: str) -> tuple[TextEdit, ...] | None:
    """The edits that write one or more texts in the place of an entry, in the quotes that it has."""
    written = _written(subject, entry)
    if written is None or not all(text.isprintable() for text in texts):
        return None
    if written.markdown:
        if any("`" in text or "|" in text or text != text.strip() for text in texts):
            return None
        marked = "`, `".join(texts)
        return (TextEdit(written.token, marked if written.marks else f"`{marked}`"),)
    preferred = subject.nodes.preferred_quote
    parts = [
        quoted(text, written.marks) if written.marks else plain_or_quoted(text, preferred, flow=written.flow)
        for text in texts
    ]
    if len(parts) == 1 or written.flow:
        return (TextEdit(written.token, ", ".join(parts)),)
    if not written.dashed:
        return None
    line = line_at(subject.text, written.token.start)
    separator = line_break_of(subject.text) + subject.text.content[line.start : written.token.start]
    return (TextEdit(written.token, separator.join(parts)),)


def removed(subject: Subject, entries: Sequence[Entry]) -> list[Removal] | None:
    """The removals of entries of one list, to be made all together; a YAML list that loses all of them becomes `[]`."""
    written = [found for entry in entries if (found := _written(subject, entry)) is not None]
    if not written or len(written) < len(entries):
        return None
    flow = _Flow(subject, written) if written[0].flow else None
    removals: list[Removal] = []
    for entry, each in zip(entries, written, strict=True):
        removal = _with_its_line(subject, entry, each) if flow is None else flow.without(each)
        if removal is None:
            return None
        removals.append(removal)
    if not written[0].markdown and not written[0].flow:
        around = written[0].around
        if (len(around.items) if around is not None else _siblings(subject, entries[0])) <= len(entries):
            empty = _empty_list(subject, _list_of(subject, entries[0]), around)
            if empty is None:
                return None
            removals[0] = Removal((*removals[0].edits, empty), removals[0].remark)
    return removals


def _written(subject: Subject, entry: Entry) -> _Written | None:
    content, span = subject.text.content, entry.span
    outline = subject.markdown_entries.get(span.start)
    fenced = outline is not None and content[outline.item.start :].lstrip(" ").startswith(_FENCES)
    if subject.kind == "markdown" and not fenced:
        if outline is None or outline.entry.span != span or subject.text.slice(span) != entry.text:
            return None
        if outline.quoted:
            one = content[span.start - 1 : span.start] == "`" == content[span.end : span.end + 1]
            return _Written(span, "`", True) if one else None
        return _Written(span, "", True) if subject.entries_of_item(outline.item) == 1 else None
    if subject.nodes.has_aliases:
        return None
    found = subject.nodes.item(span)
    around: YamlSequence | None = None
    token = span
    quote = content[span.start - 1 : span.start]
    if found is not None:
        around, node = found
        if not isinstance(node, Scalar) or node.style in ("|", ">") or has_properties(subject.text, node):
            return None
        token = node.token
    elif quote and quote in "'\"" and quote == content[span.end : span.end + 1]:
        token = Span(span.start - 1, span.end + 1)
    if token == span and subject.text.slice(span) != entry.text:
        return None
    head = content[line_at(subject.text, token.start).start : token.start]
    dashed = head.strip() == "-"
    flow = around.flow if around is not None else fenced and not dashed
    return _Written(token, quote if token != span else "", False, flow, dashed, around)


def _with_its_line(subject: Subject, entry: Entry, written: _Written) -> Removal | None:
    text = subject.text
    lines, line = whole_lines(text, written.token), line_at(text, written.token.start)
    if line.end < written.token.end:
        return None
    if not written.markdown:
        remark = _REMARK.fullmatch(text.content, written.token.end, line.end)
        if not written.dashed or remark is None:
            return None
        return Removal((TextEdit(lines, ""),), remark.group().rstrip())
    outline = subject.markdown_entries[entry.span.start]
    bullet = _BULLET.match(text.slice(line))
    if bullet is None or subject.entries_of_item(outline.item) != 1 or whole_lines(text, outline.item) != lines:
        return None
    # What stands beside the code is a remark about it, and would be lost.
    alone = text.content[line.start + bullet.end() : line.end].strip() in (f"`{entry.text}`", entry.text)
    return Removal((TextEdit(lines, ""),)) if alone else None


class _Flow:
    """A list in brackets from which entries are taken, each with the comma that goes with it."""

    def __init__(self, subject: Subject, gone: Sequence[_Written]) -> None:
        around = gone[0].around
        self._content = subject.text.content
        self._tokens = [item.token for item in around.items] if around is not None else []
        self._places = {token: place for place, token in enumerate(self._tokens)}
        tokens = {each.token for each in gone}
        kept = (place for place, token in enumerate(self._tokens) if token not in tokens)
        self._first_kept = next(kept, len(self._tokens))

    def without(self, written: _Written) -> Removal | None:
        place = self._places.get(written.token)
        if place is None:
            return None
        span = written.token
        if place > self._first_kept:
            # A tag, an anchor or an alias may not stand right before a bracket or a comma.
            if self._content[self._tokens[place - 1].start] in "!&*":
                return None
            span = Span(self._tokens[place - 1].end, span.end)
        elif place + 1 < len(self._tokens):
            span = Span(span.start, self._tokens[place + 1].start)
        gaps = (self._content[span.start : written.token.start], self._content[written.token.end : span.end])
        return None if any(_REMARK_IN_FLOW.search(gap) for gap in gaps) else Removal((TextEdit(span, ""),))


def _siblings(subject: Subject, entry: Entry) -> int:
    rules = _list_of(subject, entry)
    return len(rules.entries) if rules is not None else 0


def _list_of(subject: Subject, entry: Entry) -> RuleList | None:
    lists = (rules for rules in subject.shown.lists() if rules.name == entry.list and entry in rules.entries)
    return next(lists, None)


def _empty_list(subject: Subject, rules: RuleList | None, around: YamlSequence | None) -> TextEdit | None:
    """`[]` behind the key of a list that loses all its entries."""
    if rules is None or around is None:
        return None
    end = rules.span.end + (subject.text.content[rules.span.end : rules.span.end + 1] in ("'", '"'))
    between = subject.text.content[end : around.span.start]
    first = between[1:].splitlines()[0] if between[1:] else ""
    if between[:1] != ":" or _REMARK.fullmatch(first) is None:
        return None
    return TextEdit(Span(end + 1, end + 1), " []")
