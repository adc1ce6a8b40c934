"""A heading that is only close to the name of a section.

## What it finds
The words of a section's name in another order or number, a synonym in one of several languages, a slip of the pen, or
marks around the name, where a list of names stands below. A heading with further words is another heading.

## Why it matters
Only `Allowed Tools`, `Denied Tools` and `File Patterns` are sections. What stands under another heading is prose: it
denies nothing.

## Example
```markdown
## Forbidden Tools

- `Bash`
```

## Instead
```markdown
## Denied Tools

- `Bash`
```
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain

from rules_lsp.checks.common.base import MAX_DIAGNOSTICS, Check, Diagnostic, Fix, Stage, diagnostic_of
from rules_lsp.checks.common.lookalikes import told_of_look_alike
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.markdown.headings import LONGEST_HEADING, near_side, remark_of
from rules_lsp.policy.markdown.read_markdown import MarkdownRules, read_markdown
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.markdown import Heading
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import replace
from rules_lsp.source.text import Span, Text

CODE = "near-miss-heading"


def _find(subject: Subject) -> Iterator[Diagnostic]:
    problems = [problem for problem in subject.problems if problem.code == CODE][:MAX_DIAGNOSTICS]
    if not problems or not isinstance(subject.reading, MarkdownRules):
        return
    edits = [_renaming(subject.text, problem) for problem in problems]
    sides = _renamed_sides(subject.reading, problems)
    everything = sorted({*edits, *chain.from_iterable(sides)}, key=lambda edit: edit.span)
    certain = _certain(subject, subject.reading, everything)
    for problem, edit, further in zip(problems, edits, sides, strict=True):
        message = told_of_look_alike(problem.message, subject.text.slice(problem.span))
        fix = Fix(f"rename it to `{problem.data['replacement']}`", (edit, *further), edit.span.start in certain)
        fixes = () if _takes_from_denied(subject.reading, problem) else (fix,)
        yield diagnostic_of(replace(problem, message=message), fixes)


def _takes_from_denied(reading: MarkdownRules, problem: Problem) -> bool:
    """Whether a heading stands in a section that denies what is below it and would no longer if it were renamed."""
    name, start = problem.data["replacement"], problem.span.start
    return any(
        section.name not in ("Allowed Tools", name) and section.body.start <= start < section.body.end
        for section in reading.sections
    )


def _renaming(text: Text, problem: Problem) -> TextEdit:
    """The edit that gives a heading its name; a remark in parentheses behind it stays."""
    end = problem.span.end - len(remark_of(text.slice(problem.span)))
    return TextEdit(Span(problem.span.start, end), problem.data["replacement"])


def _renamed_sides(reading: MarkdownRules, problems: list[Problem]) -> list[tuple[TextEdit, ...]]:
    """For each near miss the edits that give the headings of an include and an exclude below it their names."""
    headings = [block for block in reading.document.blocks if isinstance(block, Heading)]
    starts = [heading.span.start for heading in headings]
    found: list[tuple[TextEdit, ...]] = []
    for problem in problems:
        edits: list[TextEdit] = []
        first = bisect_left(starts, problem.span.start)
        if problem.data["replacement"].endswith("File Patterns"):
            at_it = headings[first : first + 1] if starts[first : first + 1] == [problem.span.start] else []
            level = at_it[0].level if at_it else problem.data["replacement"].count("#")
            for heading in headings[first + len(at_it) :]:
                if heading.level <= level:
                    break
                side = near_side(heading.content.plain) if len(heading.span) <= LONGEST_HEADING else None
                if side is not None:
                    edits.append(TextEdit(heading.span, side.title()))
        found.append(tuple(edits))
    return found


def _certain(subject: Subject, reading: MarkdownRules, edits: list[TextEdit]) -> set[int]:
    """The starts of the headings whose section, once they are renamed, is the only one of its name and has no error."""
    text = Text(apply_edits(subject.text.content, edits))
    after = read_markdown(text, subject.known_servers)
    names = {section.name for section in reading.sections}
    errors = [problem.span.start for problem in after.problems if problem.severity == "error"]
    moved = 0
    starts: dict[int, int] = {}
    for edit in edits:
        starts[edit.span.start + moved] = edit.span.start
        moved += len(edit.replacement) - len(edit.span)
    certain: set[int] = set()
    for section in after.sections:
        start = starts.get(section.heading.start)
        faulty = any(section.heading.start <= error < section.body.end for error in errors)
        if start is not None and section.name not in names and not faulty:
            certain.add(start)
        names.add(section.name)
    return certain


CHECK = Check.documented(CODE, "warning", _find, __doc__, Stage.SHAPE, "either")
