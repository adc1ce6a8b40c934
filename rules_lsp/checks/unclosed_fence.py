"""A fence that is never closed and hides rules.

## What it finds
A code block whose closing fence is missing, so that it takes the rest of the file with sections in it, or the rest of
the section in which it stands.

## Why it matters
The rest of the file is code to every reader of Markdown: the sections in it are not read, and what they deny is not
denied.

## Example
```markdown
Run the tests with

~~~sh
make test

## Denied Tools

- `Bash`
```

## Instead
```markdown
Run the tests with

~~~sh
make test
~~~

## Denied Tools

- `Bash`
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.lines import line_break_of
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.markdown.headings import section_name
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text

_OPENING = re.compile(r"(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(?P<level>\#{1,6})[ \t]+(?P<name>.*?)[ \t]*\#*[ \t]*")
_MARKS = re.compile(r"[*_`]+")


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    text = subject.text
    number = text.line_of(problem.span.start)
    opening = _OPENING.match(text.slice(text.line_span(number)))
    heading = _next_heading(text, number + 1)
    if opening is None or heading is None:
        return
    while heading > number + 1 and not text.slice(text.line_span(heading - 1)).strip():
        heading -= 1
    at = text.line_span(heading).start
    closing = opening["indent"] + opening["fence"] + line_break_of(text)
    if text.slice(text.line_span(heading)).strip():
        closing += line_break_of(text)
    yield Fix(f"close it in front of line {heading + 1}", (TextEdit(Span(at, at), closing),), safe=False)


def _next_heading(text: Text, first: int) -> int | None:
    """The next line that is a heading, were it not in the fence; `# x` alone is more often a remark of a program."""
    for number in range(first, text.line_count):
        heading = _HEADING.fullmatch(text.slice(text.line_span(number)))
        if heading is not None and (
            len(heading["level"]) > 1 or section_name(_MARKS.sub("", heading["name"])) is not None
        ):
            return number
    return None


CHECK = Check.documented(
    "unclosed-fence", "error", found_by_reading("unclosed-fence", _fixes), __doc__, Stage.TEXT, "unsafe"
)
