"""Reading on behind a fault: the text is changed without moving a character, so that every offset stays true.

A glob that YAML reads as an alias, a tag or a bracket is replaced by a plain word of its length, a tab by a space, and
where nothing else helps the section of the top level that holds the fault by blanks. What is parsed then is for an
editor's eyes alone: the engine takes a text that does not parse for unreadable, however well it was mended.
"""

from __future__ import annotations

import re
from itertools import islice

from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_culprits import (
    cause_above,
    comments_of_other_formats,
    line_at,
    path_in_quotes,
    without_comments,
)
from rules_lsp.source.yaml_nodes import PLACEHOLDER
from rules_lsp.source.yaml_runs import faults_behind
from rules_lsp.source.yaml_slips import Slip, slip_of_closing, slips_of_line

_KEY = r"""(?:[\w.-]+|'[^'\n]*'|"[^"\n]*")[ ]*:[ ]+"""
_ENTRY = expression(rf"[ ]*(?:(?:-[ ]+)+(?:{_KEY})?|(?P<key>{_KEY}))(?P<value>[*!@`%\[{{][^\r\n]*)")
_FENCE = expression(r"^[ ]*(?:```|~~~)[^\r\n]*", re.MULTILINE)
_COMMENT = expression(r"\s#")
_SECTION = expression(r"^(?=[^\s#\-])(?!\.\.\.)", re.MULTILINE)
_VISIBLE = expression(r"[^\r\n]")
_UNCLOSED = ("unclosed-quote", "unclosed-bracket")
_KINDS_OF_SLIPS = ("missing-colon", "other")
_INDENTED = expression(r"[ ]*(?P<text>[^\r\n]*)")
_STAR = expression(r"(?P<indent>[ ]*)\*[ ]+[^\s#]")
_CLOSING = {"[": "]", "{": "}"}
_IN_FLOW = expression(
    r"""(?<=[\s,\[{:])(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|(?<=\s)\#[^\r\n]*|(?P<sign>[\[\]{},\r\n])""",
    re.DOTALL,
)
_NO_GLOB = expression(r"""[\s:#"']""")
_OF_ITS_OWN = frozenset("*!@`%[{")
_BEGINS = "begins with a character that YAML gives a meaning of its own"
_HOLDS = "holds brackets that YAML gives a meaning of their own"


@dataclass(frozen=True, slots=True)
class Repair:
    """A fault as an author should hear of it, and the content without it; None where reading cannot go on.

    `further` are faults of its kind that were repaired with it.
    """

    problem: Problem
    content: str | None
    further: tuple[Problem, ...] = ()


def repair_for(content: str, problem: Problem) -> Repair:
    """The repair of the fault that stopped the parser, offsets counted from the start of `content`."""
    bullets = [bullet.problem for bullet in _bullets(content, problem)]
    if bullets:
        characters = list(content)
        for bullet in bullets:
            characters[bullet.span.start] = "-"
        return Repair(bullets[0], "".join(characters), tuple(bullets[1:]))
    if problem.code == "tab-indentation":
        blanks = " " * len(problem.span)
        return Repair(problem, _replaced(content, problem.span, blanks))
    if problem.code == "alias-bomb":
        return Repair(problem, None)
    fence = next((m for m in _FENCE.finditer(content) if m.start() <= problem.span.start <= m.end()), None)
    if fence is not None:
        found = Problem(
            "syntax-error",
            "a Markdown code fence stands in the YAML: remove the lines that begin with ```",
            Span(fence.start(), fence.end()),
            data={"kind": "fence"},
        )
        return Repair(found, _FENCE.sub(lambda match: " " * len(match.group()), content))
    closing = slip_of_closing(content, problem.span.start) if problem.data.get("kind") in _UNCLOSED else None
    if closing is not None:
        return Repair(closing.problem, _without_slip(content, closing))
    glob = _unquoted_glob(content, problem)
    if glob is not None and PLACEHOLDER not in content[glob.start : glob.end]:
        globs = [glob, *(faults_behind(content, glob) if problem.span.start == glob.start else ())]
        found, *further = (_glob_problem(content, each) for each in globs)
        mended = apply_edits(content, (TextEdit(each, PLACEHOLDER * len(each)) for each in globs))
        return Repair(found, mended, tuple(further))
    comments = comments_of_other_formats(content) if problem.code == "syntax-error" else []
    if comments:
        return Repair(comments[0], without_comments(content), tuple(comments[1:]))
    kind = problem.data.get("kind")
    path = path_in_quotes(content, problem) if kind == "bad-escape" else None
    if path is not None:
        return Repair(*path)
    if kind == "stray-comma":
        return Repair(problem, _replaced(content, problem.span, None))
    slip = cause_above(content, problem.span.start) if kind == "stray-colon" else _slip(content, problem)
    if isinstance(slip, Problem):
        return Repair(slip, _without_section(content, slip.span.start))
    if slip is not None:
        return Repair(slip.problem, _without_slip(content, slip))
    if problem.code == "multiple-documents":
        return Repair(problem, _replaced(content, Span(problem.span.start, len(content)), None))
    return Repair(problem, _without_section(content, problem.span.start))


def _glob_problem(content: str, glob: Span) -> Problem:
    value = content[glob.start : glob.end]
    bare = value.strip("`") if value.startswith("`") else value
    reason = _BEGINS if value[0] in _OF_ITS_OWN else _HOLDS
    return Problem("unquoted-glob", f"`{value.strip('`')}` {reason}: put it in quotes", glob, data={"value": bare})


def _unquoted_glob(content: str, problem: Problem) -> Span | None:
    """The plain glob that the parser stumbled over, if that is what the fault is."""
    if problem.code != "syntax-error":
        return None
    at = problem.span.start
    if problem.data.get("kind") == "unclosed-bracket":
        entry = _word_with_brackets(content, at, at + int(problem.data["until"]))
        if entry is not None:
            return entry
    line_start = max(content.rfind("\n", 0, at), content.rfind("\r", 0, at)) + 1
    match = _ENTRY.match(content, line_start)
    if match is not None and match.start("value") <= at < match.end("value"):
        value = match.group("value")
        comment = _COMMENT.search(value)
        end = match.start("value") + len(value[: comment.start() if comment else None].rstrip())
        if value[0] in "[{" and _closes_at_end(value[: end - match.start("value")]):
            return _in_flow(content, at)
        if value[0] in "[{" and (at == match.start("value") or match.group("key") and not _is_balanced(value)):
            return None
        return Span(match.start("value"), end)
    return _in_flow(content, at)


def _bullets(content: str, problem: Problem) -> list[Slip]:
    """The stars of a list of Markdown, of which YAML reads the first as an alias: all down to the list's end."""
    start = line_at(content, problem.span.start).start
    first = _STAR.match(content, start)
    if first is None or problem.code != "syntax-error":
        return []
    found: list[Slip] = []
    depth = len(first["indent"])
    for line in _INDENTED.finditer(content, start):
        indentation = line.start("text") - line.start()
        if not line["text"] or indentation > depth:
            continue
        if indentation < depth or _STAR.match(content, line.start()) is None:
            break
        found += islice(slips_of_line(content, Span(*line.span()), lambda word: False), 1)
    return found


def _slip(content: str, problem: Problem) -> Slip | None:
    """The first slip of the line that the parser stumbled over, if that is what the fault is."""
    kind = problem.data.get("kind")
    if kind not in _KINDS_OF_SLIPS:
        return None
    return next(slips_of_line(content, line_at(content, problem.span.start), lambda word: True), None)


def _without_slip(content: str, slip: Slip) -> str | None:
    """The slip repaired where that moves no character; else without its line, or without its section."""
    line = line_at(content, slip.span.start)
    # A bracket that closes nothing yet would only be the next fault.
    alone = slip.replacement in "]}" and content[line.start : line.end].strip() == content[slip.span.start]
    if len(slip.replacement) == len(slip.span) and not alone:
        return _replaced(content, slip.span, slip.replacement)
    if _is_balanced(content[line.start : line.end]):
        return _replaced(content, line, None)
    return _without_section(content, slip.span.start)


def _closes_at_end(value: str) -> bool:
    """Whether the bracket that opens the value is closed by its last character: then it is a list and no glob."""
    depth = 0
    for index, char in enumerate(value):
        depth += (char in "[{") - (char in "]}")
        if depth == 0:
            return index == len(value) - 1
    return False


def _is_balanced(value: str) -> bool:
    """Whether as many brackets are closed as opened: behind a key anything else is a list with a fault."""
    return sum((char in "[{") - (char in "]}") for char in value) == 0


def _word_with_brackets(content: str, opening: int, at: int) -> Span | None:
    """The glob around an offset inside a flow list, the widest that the brackets open there allow.

    `opening` is the innermost bracket that is open; those before it on its line may belong to the glob.
    """
    line_start = line_at(content, opening).start
    opened: list[int] = []
    for match in _IN_FLOW.finditer(content, line_start, at):
        if match["sign"] in _CLOSING:
            opened.append(match.end())
        elif match["sign"] in ("]", "}") and opened:
            opened.pop()
    words = (_entry_with_brackets(content, start, at) for start in (line_start, *opened))
    return next((word for word in words if word is not None), None)


def _entry_with_brackets(content: str, start: int, at: int) -> Span | None:
    """The entry around an offset if it is a glob; `start` is where the first entry of its list begins."""
    closing: list[str] = []
    for match in _IN_FLOW.finditer(content, start):
        sign = match["sign"]
        if sign is None or (closing and sign == ","):
            continue
        if sign in _CLOSING:
            closing.append(_CLOSING[sign])
        elif closing and sign == closing[-1]:
            closing.pop()
        elif closing:
            return None
        elif match.start() >= at:
            return _glob_with_brackets(content, start, match.start())
        elif sign in "]}":
            return None
        else:
            start = match.end()
    return None if closing else _glob_with_brackets(content, start, len(content))


def _glob_with_brackets(content: str, start: int, end: int) -> Span | None:
    """The span of an entry that is one word with brackets in it, and more than a list or a mapping."""
    word = content[start:end].split(" #", 1)[0]
    value = word.strip()
    if not any(char in value for char in "[{") or _NO_GLOB.search(value) or _closes_at_end(value):
        return None
    begin = start + len(word) - len(word.lstrip())
    return Span(begin, begin + len(value))


def _in_flow(content: str, at: int) -> Span | None:
    """The unquoted glob that starts at an offset inside a flow list."""
    if content[at : at + 1] not in tuple("*!@`%"):
        return None
    before = content[:at].rstrip()
    if not before.endswith(("[", ",", "{", ":")):
        return None
    depth, end = 0, at
    while end < len(content) and content[end] not in "\r\n":
        char = content[end]
        if depth == 0 and char in ",]}":
            break
        depth += (char in "[{") - (char in "]}")
        end += 1
    return Span(at, at + len(content[at:end].rstrip()))


def _replaced(content: str, span: Span, by: str | None) -> str | None:
    old = content[span.start : span.end]
    new = _VISIBLE.sub(" ", old) if by is None else by
    return None if new == old else content[: span.start] + new + content[span.end :]


def _without_section(content: str, at: int) -> str | None:
    start = 0
    end = len(content)
    for match in _SECTION.finditer(content):
        if match.start() <= at:
            start = match.start()
        else:
            end = match.start()
            break
    return _replaced(content, Span(start, end), None)
