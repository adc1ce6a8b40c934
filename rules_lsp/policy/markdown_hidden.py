"""Sections that Markdown hides: inside code, comments, HTML and quotes, or behind a fence that is never closed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.policy.markdown_headings import section_name
from rules_lsp.source.markdown import Code, Html, MarkdownDocument, Quote
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text

_HEADING = re.compile(r"[ \t]*(?:>[ \t]*)*\#{1,6}[ \t]+(.*?)[ \t]*\#*[ \t]*")
_MARKS = re.compile(r"[*_`]+")
_LONGEST_LINE = 300


def hidden_sections(document: MarkdownDocument, in_section: frozenset[int]) -> Iterator[Problem]:
    """The problems of a document's hidden sections; `in_section` are the starts of code blocks that stand in one."""
    text = document.text
    end = len(text.content.rstrip())
    covered = -1
    for block in document.walk():
        if not isinstance(block, Code | Html | Quote) or block.span.start < covered:
            continue
        covered = block.span.end
        headings = list(_headings(text, block.span))
        if isinstance(block, Code) and block.info is not None and not block.closed and block.span.end >= end:
            if headings or block.span.start in in_section:
                message = "this fence is never closed, so the rest of the file is code and no rules: close it"
                yield Problem("unclosed-fence", message, block.opening)
            continue
        where = _where(block)
        for span in headings:
            message = f"`{text.slice(span)}` stands in {where} and is no section: move it out if its rules are meant"
            yield Problem("section-in-code", message, span, "warning")


def _where(block: Code | Html | Quote) -> str:
    if isinstance(block, Code):
        return "a code block"
    if isinstance(block, Quote):
        return "a quote"
    return "a comment" if block.comment else "HTML"


def _headings(text: Text, span: Span) -> Iterator[Span]:
    for number in range(text.line_of(span.start), text.line_of(span.end) + 1):
        line = text.line_span(number)
        if len(line) > _LONGEST_LINE:
            continue
        found = _HEADING.fullmatch(text.slice(line))
        if found is not None and section_name(_MARKS.sub("", found[1])) is not None:
            yield Span(line.start + found.start(1), line.start + found.end(1))
