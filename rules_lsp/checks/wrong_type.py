"""A value of another kind than its key holds.

## What it finds
A block of text or a mapping where a list belongs, an entry that is a mapping or a list, an entry that goes over
several lines, a list where `file_patterns` holds `include:` and `exclude:`, a merge key, a tag.
In `.auto-prompter.yaml`, `.a0proj/project.json` and personas it is also a number, a switch or a text of another form
than its key takes.

## Why it matters
What cannot be read never widens access. An entry of `allowed_tools` or `include` allows nothing until it is repaired;
one of `denied_tools` or `exclude` denies every tool or every file.
A rule of `.auto-prompter.yaml` denies whatever it could be meant for. In a project's file the default takes its place,
and a persona cannot be used.

## Example
```yaml
denied_tools: |
  Bash
  github/delete_file
```

## Instead
```yaml
denied_tools:
  - Bash
  - github/delete_file
```
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.kinds import WITH_OBJECTS
from rules_lsp.checks.common.lines import indentation, line_at, line_break_of, whole_lines
from rules_lsp.checks.common.quoting import plain_or_quoted, quoted
from rules_lsp.checks.common.scalars import block_remark, has_properties, written_lines
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import DENYING_LISTS, TOOL_LISTS, checked_entry, shown
from rules_lsp.policy.markdown.words import fold, markdown_words
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, key_text, resolve

# Keys of which the value is the name: `- tool: Bash`.
_NAMES_OF_NAMES = frozenset({"name", "tool", "server", "pattern", "path", "glob", "file"})
_NOT_ONE_WORD = re.compile(r"[\s,]")


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    fix = _FIXES.get(problem.data.get("kind", ""))
    if fix is not None:
        yield from fix(subject, problem)


def _list_from_text(subject: Subject, problem: Problem) -> Iterator[Fix]:
    """`key: |` and lines below it, or a text over several lines, become a list with one entry a line."""
    text = subject.text
    found = subject.nodes.pair(problem.span)
    if found is None:
        return
    mapping, key, value = found
    if mapping.flow or not isinstance(value, Scalar):
        return
    lines = written_lines(text, value)
    if not lines or has_properties(text, value) or text.content[key.token.end : value.token.start].rstrip() != ":":
        return
    line_break = line_break_of(text)
    dash = " " * (indentation(text, key.token.start) + 2) + "- "
    entries = [dash + plain_or_quoted(line.text, subject.nodes.preferred_quote) for line in lines]
    last = whole_lines(text, value.token)
    body = line_break.join([f":{block_remark(text, value)}", *entries])
    if text.content[last.end - 1 : last.end] in ("\n", "\r"):
        body += line_break
    certain = not any(_NOT_ONE_WORD.search(line.text) for line in lines)
    yield Fix("write it as a list, one entry a line", (TextEdit(Span(key.token.end, last.end), body),), certain)


def _entry_a_line(subject: Subject, problem: Problem) -> Iterator[Fix]:
    """An entry that goes over several lines becomes an entry for each of them."""
    text = subject.text
    found = subject.nodes.item(problem.span)
    if found is None:
        return
    items, value = found
    if not isinstance(value, Scalar):
        return
    lines = written_lines(text, value)
    separator = ", " if items.flow else _new_entry(text, value)
    if not lines or separator is None or has_properties(text, value) or block_remark(text, value):
        return
    entries = [plain_or_quoted(line.text, subject.nodes.preferred_quote, flow=items.flow) for line in lines]
    # A line break in quotes or in a block of text stands between entries; a plain text may just have been folded,
    # unless each of its further lines begins with a dash.
    certain = bool(value.style) or all(line.dash for line in lines[1:])
    yield Fix("write one entry a line", (TextEdit(value.token, separator.join(entries)),), certain)


def _new_entry(text: Text, value: Scalar) -> str | None:
    """What stands between the entry of a block list and one below it, or None where its dash is on another line."""
    line = line_at(text, value.token.start)
    dash = text.content.rfind("-", line.start, value.token.start)
    if dash < 0 or text.content[line.start : dash].strip():
        return None
    return line_break_of(text) + text.content[line.start : dash] + text.content[dash : value.token.start]


def _text_of_mapping(subject: Subject, problem: Problem) -> Iterator[Fix]:
    """An entry that holds a colon becomes the name in front of it, or else the text that it is written as.

    What is allowed by none but a yes: any other answer may say that the name is not, and then there is no fix.
    """
    written = subject.text.slice(problem.span)
    entry = subject.entry_at(problem.span)
    found = subject.nodes.item(problem.span)
    if entry is None or not written or "\n" in written or "\r" in written:
        return
    pair = _single_pair(found[1]) if found is not None else None
    meant: str | None = written
    if pair is not None:
        name, answer = pair
        words, denying = markdown_words(), entry.list in DENYING_LISTS
        if name.casefold() in _NAMES_OF_NAMES:
            meant = answer
        elif not answer or words.is_yes(answer) or fold(answer) in words.verdict_headers:
            meant = name
        elif words.is_no(answer) or entry.list in TOOL_LISTS:
            meant = name if denying else None
    if meant is None or checked_entry(meant, problem.span, entry.list, 0)[1] is not None:
        return
    quotes = subject.nodes.preferred_quote
    in_flow = found is not None and found[0].flow
    replacement = quoted(meant, quotes) if meant == written else plain_or_quoted(meant, quotes, flow=in_flow)
    yield Fix(f"write {shown(replacement)}", (TextEdit(problem.span, replacement),), safe=False)


def _single_pair(value: Node) -> tuple[str, str] | None:
    """The key and the value of a mapping that holds one text for one; an absent value is an empty text."""
    mapping = resolve(value)
    if not isinstance(mapping, Mapping) or len(mapping.pairs) != 1:
        return None
    key, answer = mapping.pairs[0]
    name, told = key_text(key), resolve(answer)
    if name is None or not isinstance(told, Scalar):
        return None
    return name.value, "" if told.is_null else told.value


_FIXES: dict[str, Callable[[Subject, Problem], Iterator[Fix]]] = {
    "text-for-list": _list_from_text,
    "line-break": _entry_a_line,
    "mapping-for-text": _text_of_mapping,
}
CHECK = Check.documented(
    "wrong-type",
    "error",
    found_by_reading("wrong-type", _fixes),
    __doc__,
    Stage.SHAPE,
    "either",
    reach="value",
    kinds=WITH_OBJECTS,
)
