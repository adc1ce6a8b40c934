"""YAML as a tree in which every node has its place.

`parse_yaml` never raises and never runs anything: it composes nodes from libyaml's events, so tags construct nothing,
plain scalars stay the text that their author wrote, and an alias points to its node instead of copying it. Depth,
alias expansion and the number of repairs are bounded.
"""

from __future__ import annotations

from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_compose import Fault, StandIns, compose
from rules_lsp.source.yaml_errors import character_problem, without_forbidden
from rules_lsp.source.yaml_nodes import STANDARD_TAG, Alias, Mapping, Node, Run, Scalar, Sequence, key_text, resolve

MAX_REPAIRS = 100
_NO_LINE_BREAKS = "\x85\u2028\u2029"
MAX_REPARSED_CHARACTERS = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """What became of a text.

    `root` is the tree, or None where the text is empty or does not parse; `error` says why it does not. `partial` is
    what an editor can still show of it: the sections of the top level that are whole, with offsets into the same
    text. `problems` holds every fault that was found on the way, `error` first.
    """

    root: Node | None
    error: Problem | None
    partial: Node | None
    problems: tuple[Problem, ...] = ()


def parse_yaml(text: Text, span: Span | None = None) -> YamlDocument:
    """Parse a text, or a span of it; every place in the answer is an offset into the whole text."""
    start = span.start if span else 0
    content = text.slice(span) if span else text.content
    # The parser passes over a byte order mark without counting it: none is left for it.
    bare = content.lstrip("\ufeff")
    content, start = bare, start + len(content) - len(bare)
    found = character_problem(content)
    if found is not None and found.code == "unreadable-file":
        return _failed(None, [_shift(found, start)])
    problems = [] if found is None else [_shift(found, start)]
    repaired = content if found is None else without_forbidden(content)
    repaired, stand_ins = _with_stand_ins(repaired)
    outcome = compose(repaired, content, start, stand_ins)
    if not isinstance(outcome, Fault):
        return YamlDocument(outcome, None, outcome) if found is None else _failed(outcome, problems)
    # Most texts parse, and whoever asks one question waits for what is imported.
    from rules_lsp.source.yaml_repair import repair_for

    partial: Node | None = None
    # Each repair is followed by a parse of the whole: the work is bounded by characters, not by faults alone.
    for _ in range(min(MAX_REPAIRS, max(1, MAX_REPARSED_CHARACTERS // max(1, len(content))))):
        repair = repair_for(repaired, outcome.problem)
        problems += (_shift(found, start) for found in (repair.problem, *repair.further))
        if repair.content is None:
            break
        repaired = repair.content
        again = compose(repaired, content, start, stand_ins)
        if not isinstance(again, Fault):
            partial = again
            break
        outcome = again
    return _failed(partial, problems)


def _with_stand_ins(content: str) -> tuple[str, StandIns | None]:
    """The content with other characters for those at which libyaml ends a line and an editor does not.

    Otherwise a key could hide in what an author sees as the end of a comment.
    """
    if not any(char in content for char in _NO_LINE_BREAKS):
        return content, None
    unused = (code for code in range(0xE000, 0xF8FF) if chr(code) not in content)
    there = dict(zip(map(ord, _NO_LINE_BREAKS), unused, strict=False))
    return content.translate(there), {stand_in: code for code, stand_in in there.items()}


def _failed(partial: Node | None, problems: list[Problem]) -> YamlDocument:
    return YamlDocument(None, problems[0], partial, tuple(problems))


def _shift(problem: Problem, by: int) -> Problem:
    return replace(problem, span=problem.span.shifted(by)) if by else problem


__all__ = [
    "STANDARD_TAG",
    "Alias",
    "Mapping",
    "Node",
    "Run",
    "Scalar",
    "Sequence",
    "YamlDocument",
    "key_text",
    "parse_yaml",
    "resolve",
]
