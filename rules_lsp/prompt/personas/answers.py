"""What a model answers that has no structured output: the array of edits, taken out of what stands around it."""

from __future__ import annotations

import json
import re

from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.located_json import read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MAX_CHARACTERS = 4 * 1024 * 1024
_MAX_TRIES = 8

_FENCE = expression(r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n`]*\n", re.MULTILINE)
_ARRAY = expression(r"\[\s*(?:\{|\])")
_BRACKET = expression(r'"(?:[^"\\\n]|\\.)*+"|[\[\]{}]')


@dataclass(frozen=True, slots=True)
class EditsAnswer:
    """The array of an answer, or None and the `reason`. `repaired` names what was passed over or mended."""

    edits: list[Any] | None
    reason: str | None = None
    repaired: tuple[str, ...] = ()


def parse_edits_answer(text: str) -> EditsAnswer:
    """The array of objects in an answer: plain, in a fence, or in prose; comments and trailing commas are passed over.

    Where there are several arrays, or one that does not end, there is none. It never raises.
    """
    if len(text) > MAX_CHARACTERS:
        return EditsAnswer(None, f"the answer is longer than {MAX_CHARACTERS:,} characters")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.strip():
        return EditsAnswer(None, "the answer is empty")
    whole = _read(text.strip())
    if whole is not None:
        return _checked(whole[0], whole[1])
    fenced, unclosed = _fenced(text)
    arrays = [read for each in fenced if (read := _read(each)) is not None and isinstance(read[0], list)]
    if len(arrays) == 1:
        return _checked(arrays[0][0], ("fence", *arrays[0][1]))
    if len(arrays) > 1:
        return EditsAnswer(None, f"the answer holds {len(arrays)} arrays in fences, and it is not clear which is meant")
    return _in_prose(text, fenced, unclosed)


def _read(text: str) -> tuple[Any, tuple[str, ...]] | None:
    """The value of a text that is JSON once comments and trailing commas are away; None for any other."""
    try:
        return json.loads(text, object_pairs_hook=_object), ()
    except _WrittenTwice:
        return None
    except (ValueError, RecursionError):
        pass
    document = read_json(text)
    if document.problem is not None or document.value is None:
        return None
    return document.value, ("comments or trailing commas",)


class _WrittenTwice(ValueError):
    """A key stands twice in one object, so that readers differ on what it says."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise _WrittenTwice
    return made


def _checked(value: Any, repaired: tuple[str, ...]) -> EditsAnswer:
    if not isinstance(value, list):
        kind = "one object" if isinstance(value, dict) else "one value"
        return EditsAnswer(None, f"the answer is {kind} and no array of edits")
    for number, each in enumerate(value, 1):
        if not isinstance(each, dict):
            return EditsAnswer(None, f"item {number} of the array is no object")
    return EditsAnswer(value, None, repaired)


def _fenced(text: str) -> tuple[list[str], bool]:
    """The contents of the fences in their order, and whether the last one is never closed."""
    found: list[str] = []
    position = 0
    while (opening := _FENCE.search(text, position)) is not None:
        fence = opening["fence"]
        end = opening.end()
        while True:
            line_end = text.find("\n", end)
            line = text[end : len(text) if line_end < 0 else line_end].strip()
            if len(line) >= len(fence) and set(line) == {fence[0]}:
                found.append(text[opening.end() : end])
                break
            if line_end < 0:
                return [*found, text[opening.end() :]], True
            end = line_end + 1
        if line_end < 0:
            break
        position = line_end + 1
    return found, False


def _in_prose(text: str, fenced: list[str], unclosed: bool) -> EditsAnswer:
    found = [*_arrays(text)]
    if len(found) == 1:
        return _checked(found[0][0], ("text around the array", *found[0][1]))
    if len(found) > 1:
        return EditsAnswer(None, f"the answer holds {len(found)} arrays, and it is not clear which is meant")
    candidate = next((each for each in fenced if "[" in each), text)
    if unclosed or _ARRAY.search(candidate) is not None:
        start = candidate.find("[")
        fault = read_json(candidate[start:].rstrip()).problem
        if fault is not None:
            before = text.find(candidate) + start + fault.span.start
            line = text.count("\n", 0, before) + 1
            return EditsAnswer(None, f"the array of the answer does not parse: line {line}: {fault.message}")
    return EditsAnswer(None, "the answer holds no JSON array of edits")


def _arrays(text: str) -> Iterator[tuple[list[Any], tuple[str, ...]]]:
    """The arrays of objects that stand in a text, none inside another."""
    position, tries = 0, 0
    while tries < _MAX_TRIES and (match := _ARRAY.search(text, position)) is not None:
        tries += 1
        end = _end_of(text, match.start())
        read = _read(text[match.start() : end]) if end is not None else None
        if end is not None and read is not None and isinstance(read[0], list):
            yield read[0], read[1]
            position = end
        else:
            position = match.start() + 1


def _end_of(text: str, start: int) -> int | None:
    """Where the bracket at an offset is closed, brackets in texts not counted; None where it never is."""
    depth = 0
    for match in _BRACKET.finditer(text, start):
        token = match[0]
        if token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
            if depth == 0:
                return match.end()
    return None
