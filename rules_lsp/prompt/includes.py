"""What a host puts in the place of `{{ include "file" }}`, which counts also inside of instructions."""

from __future__ import annotations

import re

from rules_lsp.source.excerpt import in_one_line
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text

MAX_SHOWN = 60
_INCLUDE = expression(
    r"""\{\{\s*include\s*(?P<quote>['"])(?P<path>[^'"\r\n]*+)['"]\s*\}\}|\{\{\s*include\s+original\s*\}\}"""
)
_OUTER = re.compile(r"(?:\A|[/\\])\.\.(?:[/\\]|\Z)")


def read_includes(text: Text) -> tuple[Problem, ...]:
    """Each include of instructions: Agent Zero puts a file of its own in its place, also one above its folders."""
    problems: list[Problem] = []
    for match in _INCLUDE.finditer(text.content):
        span = Span(*match.span())
        path = match["path"]
        if path is not None and _OUTER.search(path):
            shown = in_one_line(path, MAX_SHOWN)
            message = f"`{shown}` leads out of the folder of prompts, and Agent Zero tells what stands there"
            problems.append(Problem("include-escapes", f"{message}: name the file in words", span, "error"))
        else:
            shown = in_one_line(match[0], MAX_SHOWN)
            message = f"`{shown}` is replaced by Agent Zero with a text of its own: write it in other words"
            problems.append(Problem("include-in-instructions", message, span, "warning"))
    return tuple(problems)
