"""A tab where YAML wants spaces.

## What it finds
A tab in the indentation of a line, or behind a dash.

## Why it matters
YAML allows no tab there and reads no further, so that none of the rules is in force, the deny list included.

## Example
```yaml
file_patterns:
\texclude:
\t\t- secrets/
```

## Instead
```yaml
file_patterns:
  exclude:
    - secrets/
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage, diagnostic_of
from rules_lsp.checks.common.kinds import WITH_PROMPTER
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import parse_yaml

LONGEST_TRIED = 100_000
_WIDTHS = (2, 4, 8)
_TABBED_LINE = re.compile(r"^\t[\t ]*", re.MULTILINE)
_INDENTED_LINE = re.compile(r"^( +)[^\s#]", re.MULTILINE)
_CODE = "tab-indentation"


def _find(subject: Subject) -> Iterator[Diagnostic]:
    problems = [problem for problem in subject.problems if problem.code == _CODE]
    fix = _fix(subject, problems) if problems else None
    for problem in problems:
        yield diagnostic_of(problem, () if fix is None else (fix,))


def _fix(subject: Subject, problems: list[Problem]) -> Fix | None:
    """All tabs that indent become spaces at once: how deep a line stands is told by its neighbours alone."""
    text, document = subject.text, subject.document
    # The offsets of a fault in a fenced block of Markdown do not tell how the block is indented.
    if subject.kind == "markdown" or document is None or len(text.content) > LONGEST_TRIED:
        return None
    for width in (_width_of(text), *_WIDTHS):
        edits = tuple(_edits(text, problems, width))
        after = parse_yaml(Text(apply_edits(text.content, edits))).problems
        if len(after) <= len(document.problems) - len(problems):
            return Fix("indent with spaces", edits)
    return None


def _width_of(text: Text) -> int:
    """The least indentation of the lines that are indented with spaces."""
    return min((len(match[1]) for match in _INDENTED_LINE.finditer(text.content)), default=_WIDTHS[0])


def _edits(text: Text, problems: list[Problem], width: int) -> Iterator[TextEdit]:
    """All lines that begin with a tab, and the tabs that were found elsewhere: every problem is in one edit."""
    lines = {match.start(): Span(*match.span()) for match in _TABBED_LINE.finditer(text.content)}
    for span in lines.values():
        yield TextEdit(span, text.slice(span).replace("\t", " " * width))
    for problem in problems:
        start = text.line_span(text.line_of(problem.span.start)).start
        if start not in lines or lines[start].end <= problem.span.start:
            indents = not text.content[start : problem.span.start].strip(" ")
            blanks = text.slice(problem.span).replace("\t", " " * width) if indents else " "
            yield TextEdit(problem.span, blanks)


CHECK = Check.documented(_CODE, "error", _find, __doc__, Stage.TEXT, "safe", reach="line", kinds=WITH_PROMPTER)
