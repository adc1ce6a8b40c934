"""Fixes that write a tool entry otherwise, take it out, or deny a tool as well."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rules_lsp.checks.common.base import MAX_DIAGNOSTICS, Diagnostic, Fix
from rules_lsp.checks.common.lines import line_at, line_break_of, whole_lines
from rules_lsp.checks.common.pattern_edits import Removal, removed, rewritten
from rules_lsp.checks.common.quoting import plain_or_quoted
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.markdown.read_markdown import MarkdownRules, MarkdownSection
from rules_lsp.policy.model import Entry
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.records import replace
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Scalar, Sequence

_HEAD = re.compile(r"\s*-[ \t]+\Z")
_COMMA_BEFORE = re.compile(r",[ \t]*\Z")
_COMMA_BEHIND = re.compile(r",[ \t]*")
_FENCES = ("```", "~~~")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])[ \t]+")


def with_fixes(found: Iterable[tuple[Diagnostic, Iterator[Fix]]]) -> Iterator[Diagnostic]:
    """Diagnostics with their fixes, which are made for the first `MAX_DIAGNOSTICS` only: no more are shown."""
    for number, (diagnostic, fixes) in enumerate(found):
        yield replace(diagnostic, fixes=tuple(fixes)) if number < MAX_DIAGNOSTICS else diagnostic


def rewrite(subject: Subject, entry: Entry, *texts: str | None, safe: bool = True) -> Iterator[Fix]:
    """Write one or more texts in place of an entry; there is no fix where one of them is None."""
    known = [text for text in texts if text is not None]
    edits = rewritten(subject, entry, *known) if known and len(known) == len(texts) else None
    if edits is not None:
        yield Fix(f"write {', '.join(f'`{shown(text)}`' for text in known)}", edits, safe)


def remove(subject: Subject, entry: Entry) -> Iterator[Fix]:
    """Take an entry out of its list; a comment behind it stays on a line of its own."""
    removals = removed(subject, [entry])
    if removals is not None:
        edits = tuple(edit for removal in removals for edit in _keeping_remark(subject, removal))
    else:
        edits = _from_item(subject, entry)
    if edits:
        yield Fix(f"remove `{shown(entry.text)}`", edits)


def deny(subject: Subject, tool: str) -> Iterator[Fix]:
    """Add a tool to the denying list, which is made where there is none."""
    reading = subject.reading
    edit = _item(subject, reading, tool) if isinstance(reading, MarkdownRules) else _yaml_entry(subject, tool)
    if edit is not None:
        yield Fix(f"add `{shown(tool)}` to `denied_tools`", (edit,))


def _keeping_remark(subject: Subject, removal: Removal) -> Iterator[TextEdit]:
    for edit in removal.edits:
        if removal.remark and not edit.replacement:
            line = subject.text.slice(edit.span)
            indentation = line[: len(line) - len(line.lstrip())]
            line_break = line[len(line.rstrip("\r\n")) :]
            yield replace(edit, replacement=indentation + removal.remark.strip() + line_break)
        else:
            yield edit


def _from_item(subject: Subject, entry: Entry) -> tuple[TextEdit, ...]:
    """Take one of several entries out of an item of Markdown, with the comma beside it."""
    span, content = entry.span, subject.text.content
    outline = subject.markdown_entries.get(span.start)
    token = Span(span.start - 1, span.end + 1)
    if outline is None or not outline.quoted or subject.text.slice(token) != f"`{entry.text}`":
        return ()
    line = line_at(subject.text, token.start)
    before = _COMMA_BEFORE.search(content[line.start : token.start])
    behind = _COMMA_BEHIND.match(content[token.end : line.end])
    if before is not None:
        return (TextEdit(Span(token.start - len(before[0]), token.end), ""),)
    return (TextEdit(Span(token.start, token.end + len(behind[0])), ""),) if behind is not None else ()


def _yaml_entry(subject: Subject, tool: str) -> TextEdit | None:
    if subject.nodes.has_aliases:
        return None
    denied = subject.shown.denied_tools
    written = plain_or_quoted(tool, subject.nodes.preferred_quote, flow=True)
    if not denied:
        return _new_list(subject, written)
    found = subject.nodes.pair(denied[-1].span)
    value = found[2] if found is not None else None
    if not isinstance(value, Sequence) or value.tag is not None:
        return None
    if value.flow:
        end = value.items[-1].token.end if value.items else value.span.start + 1
        return TextEdit(Span(end, end), f", {written}" if value.items else written)
    last = value.items[-1].token
    head = subject.text.content[line_at(subject.text, last.start).start : last.start]
    return _line_below(subject, last, head + written) if _HEAD.match(head) else None


def _new_list(subject: Subject, written: str) -> TextEdit | None:
    """`denied_tools` below the list that allows."""
    found = subject.nodes.pair(subject.shown.allowed_tools[-1].span) if subject.shown.allowed_tools else None
    if found is None:
        return None
    mapping, key, value = found
    before = subject.text.content[line_at(subject.text, key.token.start).start : key.token.start]
    if mapping.flow or before.strip(" ") or not isinstance(value, Sequence) or not value.items:
        return None
    if any(isinstance(name, Scalar) and name.value.casefold() == "denied_tools" for name, _ in mapping.pairs):
        return None
    last = value.span if value.flow else value.items[-1].token
    lines = (f"{before}denied_tools:", f"{before}  - {written}")
    return _line_below(subject, last, line_break_of(subject.text).join(lines))


def _item(subject: Subject, reading: MarkdownRules, tool: str) -> TextEdit | None:
    if "`" in tool or "|" in tool:
        return None
    sections = [section for section in reading.sections if section.name == "Denied Tools"]
    if not sections:
        return _new_section(subject, reading, tool)
    for outline in reversed(sections[-1].entries):
        line = line_at(subject.text, outline.entry.span.start)
        bullet = _BULLET.match(subject.text.slice(line))
        if bullet is None:
            continue
        if subject.text.slice(outline.item).lstrip().startswith(_FENCES):
            return _line_below(subject, line, bullet[0] + plain_or_quoted(tool))
        if len(subject.text.slice(outline.item).strip().splitlines()) == 1:
            return _line_below(subject, line, f"{bullet[0]}`{tool}`")
    return None


def _new_section(subject: Subject, reading: MarkdownRules, tool: str) -> TextEdit | None:
    """A section in front of the one that allows."""
    section: MarkdownSection | None = next((each for each in reading.sections if each.name == "Allowed Tools"), None)
    if section is None:
        return None
    start = line_at(subject.text, section.heading.start).start
    line_break = line_break_of(subject.text)
    lines = (f"{'#' * section.level} Denied Tools", f"- `{tool}`", "", "")
    return TextEdit(Span(start, start), line_break.join(lines))


def _line_below(subject: Subject, span: Span, line: str) -> TextEdit:
    end = whole_lines(subject.text, span).end
    line_break = line_break_of(subject.text)
    if subject.text.content[end - 1 : end] in ("\n", "\r"):
        return TextEdit(Span(end, end), line + line_break)
    return TextEdit(Span(end, end), line_break + line)
