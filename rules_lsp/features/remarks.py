"""What stands beside the entries of a rule file: the remark of each, and the prose around the sections."""

from __future__ import annotations

import re
from collections import Counter

from rules_lsp.checks.common.lines import line_at
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Scalar

_COMMENT = re.compile(r"[^#\r\n]*?[ \t]#[ \t]*(?P<remark>[^\r\n]*)\Z")
_BEHIND_CODE = re.compile(r"`[ \t]*(?:[-–—]{1,3}[ \t]+|[:：][ \t]+)(?P<remark>\S[^\r\n]*)\Z")
_ABOUT_A_FINDING = "rules-lsp:"


def remarks_of(subject: Subject) -> dict[int, str]:
    """The remark behind each entry that stands alone on its line, by the start of its span; others have none.

    A comment that asks for silence about a finding is none.
    """
    found: dict[int, str] = {}
    text, markdown = subject.text, isinstance(subject.reading, MarkdownRules)
    entries = [entry for rules in subject.shown.lists() for entry in rules.entries]
    on_line = Counter(text.line_of(entry.span.start) for entry in entries)
    for entry in entries:
        if on_line[text.line_of(entry.span.start)] > 1:
            continue
        end = entry.span.end if markdown else _end_of_token(subject, entry.span.start, entry.span.end)
        behind = text.content[end : line_at(text, end).end]
        match = (_BEHIND_CODE if markdown else _COMMENT).match(behind)
        if match is not None and _ABOUT_A_FINDING not in match["remark"]:
            found[entry.span.start] = match["remark"].strip()
    return found


def _end_of_token(subject: Subject, start: int, end: int) -> int:
    item = subject.nodes.item(Span(start, end))
    return item[1].token.end if item is not None and isinstance(item[1], Scalar) else end


def prose_without_sections(text: Text, reading: MarkdownRules) -> str:
    """The document without its configuration sections."""
    parts: list[str] = []
    at = 0
    for section in reading.sections:
        start = line_at(text, section.heading.start).start
        if start > at:
            parts.append(text.content[at:start])
        at = max(at, section.body.end)
    parts.append(text.content[at:])
    prose = "".join(parts).removeprefix("\ufeff").strip("\r\n")
    return prose + "\n" if prose.strip() else ""
