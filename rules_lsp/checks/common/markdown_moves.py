"""Entries that say no, moved out of an allowing section of Markdown into the section or part that denies."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from rules_lsp.checks.common.exclude_edits import NewEntry, added_to_exclude
from rules_lsp.checks.common.lines import line_break_of, whole_lines
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.markdown.lists import MarkdownEntry
from rules_lsp.policy.markdown.read_markdown import MarkdownRules, MarkdownSection, read_markdown
from rules_lsp.policy.markdown.words import markdown_words
from rules_lsp.policy.model import Entry, Rules
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.markdown import Heading, ItemList, ListItem, Table
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

_BULLET = re.compile(r"[-*+](?=\s)")
_CLOSING_MARKS = re.compile(r"[`*_~]*(?:</[a-z]+>)?")
_REMARK = re.compile(r"(?:\s+[-–—]|\s*[:：])\s+(?P<remark>\S.*)")


@dataclass(frozen=True, slots=True)
class Move:
    """The edits that move entries; `target` is the name of the section or part to which they go."""

    entries: tuple[Entry, ...]
    target: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class _Cut:
    """The whole lines of an item or a row, and what is written of it in its new place."""

    lines: Span
    entries: tuple[MarkdownEntry, ...]
    items: tuple[str, ...]


def moved_entries(subject: Subject) -> Iterator[Move]:
    """The moves of a file, at most one for each section that allows.

    What is cut are whole items and rows that hold nothing but entries that say no. A move that would change anything
    else, or that leaves an entry that cannot be read, is none.
    """
    reading = subject.reading
    if not isinstance(reading, MarkdownRules):
        return
    for section in reading.sections:
        cuts = list(_cuts(subject.text, reading, section))
        if cuts:
            move = _move(subject, reading, section, cuts)
            if move is not None and _is_sound(subject, reading, move):
                yield move


def _cuts(text: Text, reading: MarkdownRules, section: MarkdownSection) -> Iterator[_Cut]:
    entries = section.entries
    if not any(each.negation for each in entries):
        return
    starts = [each.entry.span.start for each in entries]
    end = -1
    for span in _movable(reading, section):
        lines = whole_lines(text, span)
        inside = entries[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
        if lines.start >= end and inside and all(_can_move(each) for each in inside):
            end = lines.end
            yield _Cut(lines, inside, tuple(_item(text, each, lines, len(inside)) for each in inside))


def _movable(reading: MarkdownRules, section: MarkdownSection) -> Iterator[Span]:
    """The items of a section that hold nothing but items, the outer first, and the rows of its tables but the last."""
    for block in reading.document.walk():
        if block.span.start < section.body.start or block.span.start >= section.body.end:
            continue
        if isinstance(block, ListItem) and _holds_items_alone(block):
            yield block.span
        elif isinstance(block, Table):
            yield from (row.span for row in block.rows[:-1])


def _holds_items_alone(item: ListItem) -> bool:
    return all(
        isinstance(block, ItemList) and all(_holds_items_alone(each) for each in block.items) for block in item.blocks
    )


def _can_move(each: MarkdownEntry) -> bool:
    text = each.entry.text
    return each.negation is not None and "`" not in text and "\n" not in text and (each.quoted or " " not in text)


def _item(text: Text, each: MarkdownEntry, lines: Span, count: int) -> str:
    """An entry in code marks, with the remark that stood behind it where it was alone in its line."""
    written = f"`{each.entry.text}`"
    behind = text.content[each.entry.span.end : lines.end].rstrip()
    if count > 1 or "\n" in behind or "\r" in behind or "|" in behind:
        return written
    remark = _REMARK.fullmatch(_CLOSING_MARKS.sub("", behind, count=1))
    words = markdown_words()
    if remark is None or words.is_no(remark["remark"]) or words.has_cross(behind):
        return written
    return f"{written} - {remark['remark']}"


def _move(subject: Subject, reading: MarkdownRules, section: MarkdownSection, cuts: Sequence[_Cut]) -> Move | None:
    entries = tuple(each.entry for cut in cuts for each in cut.entries)
    items = [item for cut in cuts for item in cut.items]
    if section.name == "File Patterns":
        target, added = "Exclude", _in_exclude(subject, reading, section, entries, items)
    else:
        target, added = "Denied Tools", _in_denied_tools(subject.text, reading, section, items)
    if added is None:
        return None
    gaps = (TextEdit(_with_blank_line(subject.text, cut.lines), "") for cut in cuts)
    return Move(entries, target, (*added, *gaps))


def _with_blank_line(text: Text, lines: Span) -> Span:
    """Lines with a blank one behind them, where a blank one stands before them as well."""
    number, last = text.line_of(lines.start), text.line_of(lines.end)
    if number == 0 or text.slice(text.line_span(number - 1)).strip() or text.slice(text.line_span(last)).strip():
        return lines
    return Span(lines.start, whole_lines(text, text.line_span(last)).end)


def _in_denied_tools(
    text: Text, reading: MarkdownRules, section: MarkdownSection, items: Sequence[str]
) -> tuple[TextEdit, ...] | None:
    denying = [each for each in reading.sections if each.name == "Denied Tools"]
    if denying:
        return (_below(text, denying[-1].body, items),)
    if any(problem.data.get("replacement") == "Denied Tools" for problem in reading.problems):
        # A heading that is meant to be that section is to be renamed first.
        return None
    if text.content[whole_lines(text, section.heading).start : section.heading.start].strip(" #*_`~\ufeff"):
        return None
    return (_new_part(text, section.body, f"{'#' * section.level} Denied Tools", items),)


def _in_exclude(
    subject: Subject,
    reading: MarkdownRules,
    section: MarkdownSection,
    entries: Sequence[Entry],
    items: Sequence[str],
) -> tuple[TextEdit, ...] | None:
    """In the last part of the section under a heading `Exclude`, or one that is made; else beside its last exclude."""
    sides = {place.span: place.side for place in section.places}
    headings = [block for block in reading.document.blocks if isinstance(block, Heading)]
    parts = [heading for heading in headings if heading.span in sides]
    if len(parts) < len(sides):
        return added_to_exclude(subject, [NewEntry(entry.text) for entry in entries])
    excludes = [heading for heading in parts if sides[heading.span] == "exclude"]
    if not excludes:
        return (_new_part(subject.text, section.body, f"{'#' * parts[0].level} Exclude", items),) if parts else None
    last = excludes[-1]
    end = next(
        (each.outer.start for each in headings if each.outer.start > last.outer.start and each.level <= last.level),
        section.body.end,
    )
    return (_below(subject.text, Span(last.outer.end, min(end, section.body.end)), items),)


def _below(text: Text, body: Span, items: Sequence[str]) -> TextEdit:
    """Items behind what stands in a body, in the list that ends it where there is one."""
    line_break = line_break_of(text)
    content = text.slice(body)
    lines = content.rstrip().splitlines()
    bullets = [found[0] for line in lines if (found := _BULLET.match(line)) is not None]
    in_list = bool(bullets) and (_BULLET.match(lines[-1]) is not None or lines[-1][:1] in " \t")
    bullet = bullets[-1] if in_list else "-"
    return _behind(text, body, line_break.join(f"{bullet} {item}" for item in items), apart=not in_list)


def _new_part(text: Text, body: Span, heading: str, items: Sequence[str]) -> TextEdit:
    line_break = line_break_of(text)
    return _behind(text, body, line_break.join([heading, "", *(f"- {item}" for item in items)]), apart=True)


def _behind(text: Text, body: Span, added: str, *, apart: bool) -> TextEdit:
    """Lines behind the last one of a body that is not blank."""
    line_break = line_break_of(text)
    last = body.start + len(text.slice(body).rstrip())
    end = whole_lines(text, Span(max(0, last - 1), last)).end if last else 0
    before = "" if text.content[end - 1 : end] in ("\n", "\r") else line_break
    behind = line_break if text.content[end : end + 1] not in ("\n", "\r", "") else ""
    return TextEdit(Span(end, end), before + (line_break if apart else "") + added + line_break + behind)


def _is_sound(subject: Subject, reading: MarkdownRules, move: Move) -> bool:
    """Whether a move changes nothing but that its entries are denied, and leaves no new error."""
    after = read_markdown(Text(apply_edits(subject.text.content, move.edits)), subject.known_servers)
    moved = {entry.text for entry in move.entries}
    errors = _errors(after.problems)
    return (
        _texts(after.rules, allowing=True) == _texts(reading.rules, allowing=True)
        and _texts(reading.rules, allowing=False) | moved <= _texts(after.rules, allowing=False)
        and errors <= _errors(reading.problems) - len(move.entries)
    )


def _errors(problems: Sequence[Problem]) -> int:
    return sum(problem.severity == "error" for problem in problems)


def _texts(rules: Rules, *, allowing: bool) -> set[str]:
    lists = (*rules.allowed_tools, *rules.include) if allowing else (*rules.denied_tools, *rules.exclude)
    return {entry.text for each in lists for entry in each.entries}
