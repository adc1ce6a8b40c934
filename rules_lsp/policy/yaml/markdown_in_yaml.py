"""Markdown in a file whose name says YAML: headings of sections, which YAML reads as comments, above lists."""

from __future__ import annotations

import re

from rules_lsp.policy.keys import TOP_LEVEL
from rules_lsp.policy.markdown.headings import SectionName, section_name
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text

_HEADING = expression(r"^[ ]{0,3}(?P<heading>\#{1,6}[ \t]+(?P<name>[^\r\n#]{1,200}?))[ \t]*\#*[ \t]*\r?$", re.MULTILINE)
_ITEM = expression(r"^[ ]{0,3}(?:[-+*]|\d+[.)])[ \t]+\S", re.MULTILINE)
_KEY = expression(rf"^[\"']?(?:{'|'.join(TOP_LEVEL)})[\"']?[ \t]*[:：]", re.MULTILINE)
_KEYS: dict[SectionName, str] = {
    "Allowed Tools": "`allowed_tools:`",
    "Denied Tools": "`denied_tools:`",
    "File Patterns": "`file_patterns:`",
}


def markdown_in_yaml(text: Text, code: str) -> Problem | None:
    """The fault, with a code, of a text that is no YAML of ours and is one in Markdown, at its first section."""
    content = text.content
    if _KEY.search(content) is not None:
        return None
    for match in _HEADING.finditer(content):
        name = section_name(match["name"])
        if name is not None:
            if _ITEM.search(content, match.end()) is None:
                return None
            message = (
                f"`{match['heading']}` is a heading of Markdown and this file is read as YAML: "
                f"name it `.coding-agent-rules.md`, or write {_KEYS[name]} in its place"
            )
            return Problem(code, message, Span(*match.span("heading")), data={"kind": "markdown"})
    return None
