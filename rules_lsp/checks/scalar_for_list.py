"""One value where a list belongs.

## What it finds
A text behind a key that holds a list: `allowed_tools: Read`, or several in one text: `allowed_tools: Read, Grep`. To
split tools at blanks is a guess.

## Why it matters
The text is read as a list of one entry, its commas included: `Read, Grep` is no tool's name.

## Example
```yaml
file_patterns:
  exclude: secrets/
```

## Instead
```yaml
file_patterns:
  exclude: [secrets/]
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.lines import line_at, line_break_of
from rules_lsp.checks.common.quoting import plain_or_quoted
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import TOOL_LISTS
from rules_lsp.policy.tools.entries import entry_problem
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text

_BEHIND_A_KEY = re.compile(r".*:[ \t]+(?:&\S+[ \t]+)?")
_SEMICOLONS = re.compile("[,;]")
_BLANKS = re.compile(r"[,;\s]+")
# Of what a sentence holds most are small letters.
_NO_WORD = re.compile(r"\A[A-Z]|[/_*]")
_BRACKETS = {"[": 1, "{": 1, "]": -1, "}": -1}


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    text, token = subject.text, _token(subject.text, problem.span)
    entries, safe = _entries(subject, problem)
    before = text.content[line_at(text, token.start).start : token.start]
    if not entries:
        return
    if not before.strip():
        separator = f"{line_break_of(text)}{before}- "
        replacement = "- " + separator.join(_written(subject, token, entries, flow=False))
    elif _BEHIND_A_KEY.fullmatch(before):
        replacement = "[" + ", ".join(_written(subject, token, entries, flow=True)) + "]"
    else:
        return
    title = "write it as a list" if len(entries) == 1 else f"write it as a list of {len(entries)}"
    yield Fix(title, (TextEdit(token, replacement),), safe)


def _entries(subject: Subject, problem: Problem) -> tuple[list[str], bool]:
    """The entries of one text, and whether they are certain; none where it names no tools in a list of tools."""
    value = problem.data.get("value", "")
    entries = split_at_commas(value)
    entry = subject.entry_at(problem.span)
    if entry is None or entry.list not in TOOL_LISTS or _are_tools(entries):
        return entries, True
    between = [part.strip() for part in _SEMICOLONS.split(value) if part.strip()]
    if _are_tools(between):
        return between, True
    words = [part for part in _BLANKS.split(value) if part]
    if words == entries:
        return entries, True
    return (words, False) if _are_tools(words) and all(map(_NO_WORD.search, words)) else ([], False)


def _are_tools(texts: list[str]) -> bool:
    return all(entry_problem(text, False) is None for text in texts)


def _token(text: Text, span: Span) -> Span:
    """The value with its quotes."""
    quote = text.content[span.start - 1 : span.start]
    quotes = quote in ("'", '"') and text.content[span.end : span.end + 1] == quote
    return Span(span.start - 1, span.end + 1) if quotes else span


def _written(subject: Subject, token: Span, entries: list[str], *, flow: bool) -> list[str]:
    written = subject.text.slice(token)
    prefer = written[0] if written[:1] in ("'", '"') else subject.nodes.preferred_quote
    if len(entries) == 1 and written[:1] in ("'", '"'):
        return [written]
    return [plain_or_quoted(entry, prefer, flow=flow) for entry in entries]


def split_at_commas(value: str) -> list[str]:
    """The parts of a text between its commas, those within brackets and braces not counted; empty ones left out."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(value):
        depth = max(0, depth + _BRACKETS.get(character, 0))
        if character == "," and depth == 0:
            parts.append(value[start:at])
            start = at + 1
    return [part.strip() for part in (*parts, value[start:]) if part.strip()]


CHECK = Check.documented(
    "scalar-for-list", "error", found_by_reading("scalar-for-list", _fixes), __doc__, Stage.SHAPE, "either"
)
