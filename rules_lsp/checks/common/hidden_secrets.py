"""Texts as programs print them: without the secrets that stand in the addresses of a project's file."""

from __future__ import annotations

import json
import re

from rules_lsp.checks.common.subject import Subject
from rules_lsp.prompt.git_addresses import without_credentials
from rules_lsp.source.expressions import expression
from rules_lsp.source.text import Text

# A text in quotes, closed or not, or what stands outside of quotes without a blank in it.
_TEXT = expression(r'"(?:[^"\\\r\n]|\\[^\r\n])*+"?|[^\s"]++')
_HIDDEN = "*"
_HIDDEN_WIDE = "\U0001f512"
"""What hides a character of two UTF-16 units, so that every column stays where it is."""


def shown_text(subject: Subject) -> Text:
    """The text of a subject with each secret hidden, every character at its place; the text itself where none is.

    Secrets are found in what is written, so that they are hidden also where the text does not parse.
    """
    if subject.kind != "a0-project":
        return subject.text
    content = _TEXT.sub(_hidden, subject.text.content)
    return subject.text if content == subject.text.content else Text(content)


def _hidden(match: re.Match[str]) -> str:
    written = match[0]
    quoted = written.startswith('"')
    inner = written[1:].removesuffix('"') if quoted else written
    if all(without_credentials(each) == each for each in {inner, _unescaped(inner)}):
        return written
    hidden = "".join(_HIDDEN if ord(each) <= 0xFFFF else _HIDDEN_WIDE for each in inner)
    return f'"{hidden}{written[1 + len(inner) :]}' if quoted else hidden


def _unescaped(inner: str) -> str:
    try:
        return str(json.loads(f'"{inner}"')) if "\\" in inner else inner
    except ValueError:
        return inner
