"""Patterns put into `exclude`, which is made where it does not exist.

Each function answers None where that is not simple: then there is no fix.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rules_lsp.checks.common.lines import indentation, line_at, line_break_of, whole_lines
from rules_lsp.checks.common.quoting import plain_or_quoted
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, resolve
from rules_lsp.source.yaml_tree import Sequence as YamlSequence

_INDENT = "  "
_ITEM = re.compile(r"(?P<bullet>\s*[-*+]\s+)`[^`]*`")
_HEADING = re.compile(r"(?P<marks>#+)\s")


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A pattern, and the comment that goes behind it, with the blanks in front of it."""

    text: str
    remark: str = ""


def added_to_exclude(subject: Subject, entries: Sequence[NewEntry]) -> tuple[TextEdit, ...] | None:
    """The edits that put patterns behind the last entry of `exclude`, or make that list."""
    if not all(entry.text.isprintable() for entry in entries) or subject.error is not None:
        return None
    if isinstance(subject.reading, MarkdownRules):
        edit = _in_markdown(subject, entries)
    elif subject.nodes.has_aliases:
        edit = None
    elif subject.shown.exclude:
        edit = _in_list(subject, entries)
    else:
        edit = _in_new_list(subject, entries)
    return None if edit is None else (edit,)


def _in_list(subject: Subject, entries: Sequence[NewEntry]) -> TextEdit | None:
    found = subject.nodes.pair(subject.shown.exclude[-1].span)
    value = found[2] if found is not None else None
    if not isinstance(value, YamlSequence) or _has_properties(subject, value):
        return None
    if value.flow:
        return _in_flow(subject, value, entries)
    last = value.items[-1]
    line = line_at(subject.text, last.token.start)
    head = subject.text.content[line.start : last.token.start]
    if head.strip() != "-":
        return None
    return _below(subject, last.token, [head + _entry(subject, entry) for entry in entries])


def _in_flow(subject: Subject, value: YamlSequence, entries: Sequence[NewEntry]) -> TextEdit | None:
    if any(entry.remark for entry in entries):
        return None
    added = ", ".join(_entry(subject, entry, flow=True) for entry in entries)
    if value.items:
        end = value.items[-1].token.end
        return TextEdit(Span(end, end), f", {added}")
    if subject.text.slice(value.span)[1:-1].strip():
        return None
    return TextEdit(value.span, f"[{added}]")


def _in_new_list(subject: Subject, entries: Sequence[NewEntry]) -> TextEdit | None:
    root = resolve(subject.nodes.root) if subject.nodes.root is not None else None
    if subject.shown.include:
        return _beside_include(subject, entries)
    if subject.kind != "yaml" or (root is not None and not isinstance(root, Mapping)):
        return None
    if isinstance(root, Mapping) and (root.flow or indentation(subject.text, root.span.start) or _has_files(root)):
        return None
    if root is None and any(line.strip() and line.lstrip()[0] != "#" for line in subject.text.content.splitlines()):
        return None
    lines = ["file_patterns:", f"{_INDENT}exclude:", *(f"{_INDENT * 2}- {_entry(subject, entry)}" for entry in entries)]
    end = len(subject.text.content)
    if root is None:
        return _at(subject, end, lines)
    return _below(subject, root.span, lines)


def _has_files(root: Mapping) -> bool:
    return any(isinstance(key, Scalar) and key.value.casefold().startswith("file") for key, _ in root.pairs)


def _beside_include(subject: Subject, entries: Sequence[NewEntry]) -> TextEdit | None:
    found = subject.nodes.pair(subject.shown.include[-1].span)
    if found is None:
        return None
    mapping, key, value = found
    if mapping is resolve(subject.nodes.root) if subject.nodes.root is not None else True:
        return None
    if any(isinstance(other, Scalar) and other.value == "exclude" for other, _ in mapping.pairs):
        return None
    if mapping.flow:
        if any(entry.remark for entry in entries):
            return None
        added = ", ".join(_entry(subject, entry, flow=True) for entry in entries)
        return TextEdit(Span(value.token.end, value.token.end), f", exclude: [{added}]")
    line = line_at(subject.text, key.token.start)
    indent = subject.text.content[line.start : key.token.start]
    if indent.strip() or indentation(subject.text, key.token.start) != len(indent):
        return None
    lines = [f"{indent}exclude:", *(f"{indent}{_INDENT}- {_entry(subject, entry)}" for entry in entries)]
    return _below(subject, Span(key.token.start, max(key.token.end, value.token.end)), lines)


def _has_properties(subject: Subject, value: Node) -> bool:
    return subject.text.content[value.token.start : value.token.start + 1] in ("!", "&")


def _entry(subject: Subject, entry: NewEntry, *, flow: bool = False) -> str:
    return plain_or_quoted(entry.text, subject.nodes.preferred_quote, flow=flow) + entry.remark


def _below(subject: Subject, span: Span, lines: Sequence[str]) -> TextEdit:
    """The edit that puts lines below those that a span touches."""
    return _at(subject, whole_lines(subject.text, span).end, lines)


def _at(subject: Subject, offset: int, lines: Sequence[str]) -> TextEdit:
    line_break = line_break_of(subject.text)
    before = subject.text.content[offset - 1 : offset]
    start = line_break if before and before not in "\r\n" else ""
    end = line_break if not start else ""
    return TextEdit(Span(offset, offset), start + line_break.join(lines) + end)


def _in_markdown(subject: Subject, entries: Sequence[NewEntry]) -> TextEdit | None:
    if any("`" in entry.text or "|" in entry.text for entry in entries):
        return None
    rules = subject.shown
    if rules.exclude and rules.exclude[-1].entries:
        return _below_item(subject, rules.exclude[-1].entries[-1].span, entries)
    if rules.exclude or not rules.include or not rules.include[-1].entries:
        return None
    last = rules.include[-1]
    heading = _HEADING.match(subject.text.slice(line_at(subject.text, last.span.start)))
    if heading is None:
        return None
    head = ["", f"{heading['marks']} Exclude", ""]
    return _below_item(subject, last.entries[-1].span, entries, head)


def _below_item(subject: Subject, last: Span, entries: Sequence[NewEntry], head: Sequence[str] = ()) -> TextEdit | None:
    """New items below the one that holds an entry, where that is one line with a bullet and code."""
    outline = subject.markdown_entries.get(last.start)
    line = line_at(subject.text, last.start)
    item = _ITEM.match(subject.text.slice(line))
    if outline is None or not outline.quoted or item is None:
        return None
    if whole_lines(subject.text, outline.item) != whole_lines(subject.text, line):
        return None
    bullet = item["bullet"].lstrip() if head else item["bullet"]
    return _below(subject, last, [*head, *(f"{bullet}`{entry.text}`" for entry in entries)])
