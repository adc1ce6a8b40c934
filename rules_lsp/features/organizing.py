"""The lists of a file in order: sorted, each entry once, what is written beside an entry kept with it.

Lists have no order, so that nothing is decided otherwise. In YAML blank lines divide a list into groups, each of which
is sorted by itself. A list that is written in no simple form stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules_lsp.checks.common.lines import line_at, line_break_of, whole_lines
from rules_lsp.checks.common.scalars import has_properties
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.surroundings import with_content
from rules_lsp.features.organizing_rows import Row, arranged, rows_of_block, rows_of_brackets, sort_key
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.markdown import ItemList, ListItem
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Scalar, Sequence, resolve

_BULLETS = "-*+"
_ABOUT_A_FINDING = "rules-lsp:"


def organized(subject: Subject) -> tuple[TextEdit, ...]:
    """The edits that bring the lists of a file in order; none where they are, or where the file does not parse."""
    if subject.error is not None or subject.reading is None:
        return ()
    found = _markdown_edits(subject, subject.reading) if isinstance(subject.reading, MarkdownRules) else None
    edits = [edit for edit in (found if found is not None else _yaml_edits(subject)) if edit is not None]
    return tuple(edits) if edits and _says_the_same(subject, edits) else ()


def _yaml_edits(subject: Subject) -> Iterator[TextEdit | None]:
    if subject.nodes.has_aliases:
        return
    for rules in subject.shown.lists():
        found = subject.nodes.pair(rules.span)
        value = resolve(found[2]) if found is not None else None
        if not isinstance(value, Sequence) or len(value.items) < 2 or value.tag is not None:
            continue
        scalars = [item for item in value.items if isinstance(item, Scalar)]
        if len(scalars) < len(value.items) or not all(_is_simple(subject, scalar) for scalar in scalars):
            continue
        if not value.flow:
            yield _arranged_lines(subject, rows_of_block(subject.text, scalars))
        elif "#" not in _gaps(subject, value, scalars):
            yield _permuted(subject, scalars)
        else:
            yield _arranged_lines(subject, rows_of_brackets(subject.text, value.span, scalars))


def _is_simple(subject: Subject, scalar: Scalar) -> bool:
    """Whether an item is one text on one line, without a tag or an anchor."""
    written = subject.text.slice(scalar.token)
    if not written or "\n" in written or "\r" in written or scalar.style in ("|", ">"):
        return False
    return not has_properties(subject.text, scalar)


def _gaps(subject: Subject, value: Sequence, scalars: list[Scalar]) -> str:
    """What stands within the brackets of a list beside its entries."""
    places = [value.span.start, *(place for each in scalars for place in (each.token.start, each.token.end))]
    ends = [*places[1:], value.span.end]
    return "".join(
        subject.text.content[start:end] for start, end in zip(places[::2], ends[::2], strict=True) if start < end
    )


def _permuted(subject: Subject, scalars: list[Scalar]) -> TextEdit | None:
    """The entries of a list in brackets in order; what separates them stays in its places."""
    content = subject.text.content
    first: dict[str, Scalar] = {}
    for scalar in scalars:
        first.setdefault(scalar.value, scalar)
    ordered = sorted(first.values(), key=lambda scalar: sort_key(scalar.value))
    separators = [content[one.token.end : other.token.start] for one, other in zip(scalars, scalars[1:], strict=False)]
    parts = [subject.text.slice(ordered[0].token)]
    for separator, scalar in zip(separators, ordered[1:], strict=False):
        parts += (separator, subject.text.slice(scalar.token))
    span = Span(scalars[0].token.start, scalars[-1].token.end)
    return _changed(subject, span, "".join(parts))


def _markdown_edits(subject: Subject, reading: MarkdownRules) -> Iterator[TextEdit | None]:
    entries: dict[Span, list[tuple[str, str, bool]]] = {}
    for section in reading.sections:
        for each in section.entries:
            sound = each.negation is None and each.entry.broken is None
            entries.setdefault(each.item, []).append((each.entry.list, each.entry.text, sound))
    for block in reading.document.walk():
        if isinstance(block, ItemList) and len(block.items) > 1:
            rows = [_markdown_row(subject, item, entries.get(item.span, [])) for item in block.items]
            lists = {name for item in block.items for name, _, _ in entries.get(item.span, [])}
            known = [row for row in rows if row is not None]
            if len(known) == len(rows) and len(lists) == 1 and not _is_spoken_of(subject, block):
                yield _arranged_lines(subject, known)


def _markdown_row(subject: Subject, item: ListItem, entries: list[tuple[str, str, bool]]) -> Row | None:
    written = subject.text.slice(item.span).lstrip(" \t>")
    if not entries or item.ordered or item.blocks or written[:1] not in _BULLETS:
        return None
    text = entries[0][1]
    body = written[1:].strip()
    # Of two items with one text only one that says no more than it is a repetition.
    bare = len(entries) == 1 and entries[0][2] and body in (text, f"`{text}`")
    lines = whole_lines(subject.text, item.span)
    return Row(lines, sort_key(text), text if bare else body, subject.text.slice(lines), commented=False)


def _is_spoken_of(subject: Subject, block: ItemList) -> bool:
    """Whether a comment about a finding stands right above a list: it would speak of another item then."""
    line = subject.text.line_of(block.span.start)
    return line > 0 and _ABOUT_A_FINDING in subject.text.slice(subject.text.line_span(line - 1))


def _arranged_lines(subject: Subject, rows: list[Row] | None) -> TextEdit | None:
    if rows is None:
        return None
    found = arranged(subject.text, rows, line_break_of(subject.text))
    return None if found is None else _changed(subject, *found)


def _changed(subject: Subject, span: Span, replacement: str) -> TextEdit | None:
    """The edit of what differs, in whole lines where several are replaced."""
    before = subject.text.slice(span)
    if before == replacement:
        return None
    first = span.start
    while first < span.end and before[first - span.start] == replacement[first - span.start : first - span.start + 1]:
        first += 1
    first = max(span.start, line_at(subject.text, first).start)
    return TextEdit(Span(first, span.end), replacement[first - span.start :])


def _says_the_same(subject: Subject, edits: list[TextEdit]) -> bool:
    after = with_content(subject, apply_edits(subject.text.content, edits))
    if after.error is not None or _lists(after) != _lists(subject):
        return False
    return Counter(problem.code for problem in after.problems) <= Counter(p.code for p in subject.problems)


def _lists(subject: Subject) -> list[tuple[str, bool, frozenset[tuple[str, bool]], frozenset[tuple[str, str | None]]]]:
    negated = frozenset((each.entry.text, each.negation) for each in subject.markdown_entries.values())
    return [
        (rules.name, rules.broken is None, frozenset((e.text, e.broken is None) for e in rules.entries), negated)
        for rules in subject.shown.lists()
    ]
