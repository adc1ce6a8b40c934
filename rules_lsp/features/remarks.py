"""What stands beside the entries of a rule file: the remark of each, and the prose around the sections."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from rules_lsp.checks.common.lines import line_at
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.markdown.read_markdown import MarkdownRules, MarkdownSection
from rules_lsp.policy.markdown.words import fold
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Scalar

_COMMENT = re.compile(r"[^#\r\n]*?[ \t]#[ \t]*(?P<remark>[^\r\n]*)\Z")
_BEHIND_CODE = re.compile(r"`[ \t]*(?:[-–—]{1,3}[ \t]+|[:：][ \t]+)(?P<remark>\S[^\r\n]*)\Z")
_ABOUT_A_FINDING = "rules-lsp:"
_ABOUT_FINDINGS = re.compile(r"<!--\s*rules-lsp:[^<>]*-->")
_MARKS_ALONE = re.compile(r"(?:[\s`*+,:：#|–—-]|\d+[.)])*")


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


def prose_to_keep(text: Text, reading: MarkdownRules, remarks: Mapping[int, str]) -> str:
    """The document without the sections of which everything is told by their entries and these remarks beside them.

    A section with any other words is kept whole: they may say something about the entries around them.
    """
    parts: list[str] = []
    at = 0
    for section in reading.sections:
        start = line_at(text, section.heading.start).start
        if not _is_told(text, section, remarks):
            continue
        if start > at:
            parts.append(text.content[at:start])
        at = max(at, section.body.end)
    parts.append(text.content[at:])
    prose = "".join(parts).removeprefix("\ufeff").strip("\r\n")
    return prose + "\n" if prose.strip() else ""


def _is_told(text: Text, section: MarkdownSection, remarks: Mapping[int, str]) -> bool:
    """Whether a section holds nothing but its heading, its entries, what places them, and remarks that are told."""
    if fold(text.slice(section.heading)) != fold(section.name):
        return False
    spans = [each.entry.span for each in section.entries] + [place.span for place in section.places]
    for each in section.entries:
        remark = remarks.get(each.entry.span.start)
        if remark is not None:
            start = text.content.index(remark, each.entry.span.end)
            spans.append(Span(start, start + len(remark)))
    rest: list[str] = []
    at = section.body.start
    for span in sorted(spans):
        rest.append(text.content[at : span.start])
        at = max(at, span.end)
    rest.append(text.content[at : section.body.end])
    return _MARKS_ALONE.fullmatch(_ABOUT_FINDINGS.sub("", "".join(rest))) is not None
