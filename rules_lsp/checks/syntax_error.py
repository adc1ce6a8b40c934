"""Text that is no YAML, or no JSON where the file holds that.

## What it finds
The place where the file stops being YAML, or JSON, in plain words: a bracket or a quote that is never closed, a
backslash in double quotes that stands for no character, a colon too many, indentation that fits nothing, a Markdown
fence.

## Why it matters
A rule file that does not parse is not in force as a whole, its deny list included. Until it is repaired the agent
works under `default_rules` of `config.yaml` where there are any, else without rules.
Under an `.auto-prompter.yaml` that does not parse every call that the gate is asked about is denied. Of a
`.a0proj/project.json` that does not parse an agent is told nothing, and of a persona nothing can be made.

## Example
```yaml
allowed_tools: [Read, github/get_issue
denied_tools: [Bash]
```

## Instead
```yaml
allowed_tools: [Read, github/get_issue]
denied_tools: [Bash]
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rules_lsp.checks.common import syntax_fixes
from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.kinds import WITH_OBJECTS
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import apply_edits
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Text
from rules_lsp.source.yaml_tree import parse_yaml

LONGEST_TRIED = 100_000
MOST_TRIED = 5
_FIXES: dict[str, Callable[[Text, Problem], Fix | None]] = {
    "unclosed-quote": syntax_fixes.close_quote,
    "unclosed-bracket": syntax_fixes.close_bracket,
    "bad-escape": syntax_fixes.use_single_quotes,
    "missing-colon": syntax_fixes.add_colon,
    "stray-colon": syntax_fixes.quote_value,
    "stray-comma": syntax_fixes.remove_comma,
    "comment//": syntax_fixes.write_comment,
    "fence": syntax_fixes.remove_fence,
    "forbidden-character": syntax_fixes.remove_character,
}


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    make = _FIXES.get(problem.data.get("kind", ""))
    # The offsets of a fault in a fenced block of Markdown do not tell how the block is indented.
    if make is None or subject.kind == "markdown" or problem not in _first_faults(subject):
        return
    fix = make(subject.text, problem)
    if fix is not None and _helps(subject, problem, fix):
        yield fix


def _first_faults(subject: Subject) -> list[Problem]:
    """The faults that a fix is tried for: each trial parses the whole text, and this runs while the author types."""
    return [problem for problem in subject.problems if problem.code == "syntax-error"][:MOST_TRIED]


def _helps(subject: Subject, problem: Problem, fix: Fix) -> bool:
    """Whether the fault is gone after the fix and no other has come: what stands behind it decides about a guess."""
    text, document = subject.text, subject.document
    if len(text.content) > LONGEST_TRIED or document is None:
        return False
    after = parse_yaml(Text(apply_edits(text.content, fix.edits))).problems
    moved = sum(len(edit.replacement) - len(edit.span) for edit in fix.edits if edit.span.end <= problem.span.start)
    remains = any(left.code == problem.code and left.span.start == problem.span.start + moved for left in after)
    return not remains and len(after) <= len(document.problems)


CHECK = Check.documented(
    "syntax-error",
    "error",
    found_by_reading("syntax-error", _fixes),
    __doc__,
    Stage.SYNTAX,
    "either",
    reach="line",
    kinds=WITH_OBJECTS,
)
