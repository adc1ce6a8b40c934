"""Rules in YAML in a rule file whose name says Markdown: as plain text, as front matter, or in a fence."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.config import DEFAULT_RULE_FILES
from rules_lsp.policy.keys import TOP_LEVEL, meant_key
from rules_lsp.policy.markdown.headings import SectionName
from rules_lsp.policy.markdown.hidden import Around
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.source.markdown import Code, ListItem, Paragraph
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text

_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[A-Za-z_][A-Za-z_-]{3,40})(?P=quote)[ \t]*(?:[:：](?=[\s\[{"']|\Z))""")
_SECTIONS: dict[str, SectionName] = {
    "allowed_tools": "Allowed Tools",
    "denied_tools": "Denied Tools",
    "file_patterns": "File Patterns",
}
_LANGUAGES = ("yaml", "yml", "")
_OFTEN_SOMETHING_ELSE = os.path.basename(DEFAULT_RULE_FILES[-1])
_YAML, _MARKDOWN = DEFAULT_RULE_FILES[:2]
_MOST_LINES = 1000


def yaml_in_markdown(subject: Subject) -> Iterator[Problem]:
    """The keys of rules that a Markdown rule file holds outside of its sections, where no section says the same.

    What the text calls an example is one. In an `AGENTS.md` front matter and code may be another program's.
    """
    reading = subject.reading
    if not isinstance(reading, MarkdownRules) or os.path.basename(subject.name) == _OFTEN_SOMETHING_ELSE:
        return
    text = subject.text
    present = {section.name for section in reading.sections}
    bodies = [section.body for section in reading.sections]
    for where, lines in _regions(reading, text, bodies):
        for line in lines[:_MOST_LINES]:
            match = _KEY.match(text.slice(line)[:200])
            section = _SECTIONS.get(meant_key(match["key"], TOP_LEVEL) or "") if match is not None else None
            if match is None or section is None or section in present:
                continue
            key = match["key"]
            message = (
                f"`{key}` stands in {where} and is no section, so it restricts nothing: write `## {section}` and a "
                f"list, or name a file of YAML alone `{_YAML}`"
            )
            start = line.start + match.start("key")
            yield Problem("section-in-code", message, Span(start, start + len(key)), "warning")


def _regions(reading: MarkdownRules, text: Text, bodies: list[Span]) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """Where YAML may stand, and the lines of it that begin without an indentation of their own."""
    document = reading.document
    if document.front_matter is not None:
        yield "front matter", _lines(text, document.front_matter)
    around = Around()
    for block in document.walk():
        around.note(text, block)
        if isinstance(block, ListItem) or any(body.start <= block.span.start < body.end for body in bodies):
            continue
        if isinstance(block, Code) and block.info is not None:
            language = (block.info.split(maxsplit=1) or [""])[0].casefold()
            if language in _LANGUAGES and not around.announces_example(text, block):
                yield "a code block", block.lines
        elif isinstance(block, Paragraph):
            lines = _lines(text, block.span)
            if text.line_span(text.line_of(block.span.start)).start == block.span.start:
                yield "plain text", lines


def _lines(text: Text, span: Span) -> tuple[Span, ...]:
    numbers = range(text.line_of(span.start), text.line_of(span.end) + 1)
    return tuple(text.line_span(number) for number in numbers)
