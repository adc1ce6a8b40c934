"""A scalar that goes over several lines, line by line, for fixes that make a list of it."""

from __future__ import annotations

from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Text
from rules_lsp.source.yaml_tree import Scalar

_BLOCK = ("|", ">")


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line of a scalar that is not empty, as an entry: without the dash and the quotes that it may have.

    `dash` tells whether a dash stood in front of it.
    """

    text: str
    dash: bool


def written_lines(text: Text, value: Scalar) -> list[WrittenLine]:
    """The lines of a scalar. Of one in quotes they are those of its value, of others those that are written."""
    if value.style in _BLOCK:
        lines = text.slice(value.token).splitlines()[1:]
    elif value.style:
        lines = value.value.splitlines()
        if len(lines) < 2:
            lines = text.slice(value.span).splitlines() if "\\" not in text.slice(value.span) else []
    else:
        lines = text.slice(value.span).splitlines()
    return [_written(line.strip()) for line in lines if line.strip().strip("-")]


def block_remark(text: Text, value: Scalar) -> str:
    """The comment behind `|` or `>` with the blank in front of it, or an empty text."""
    if value.style not in _BLOCK:
        return ""
    line = text.line_span(text.line_of(value.token.start))
    head = text.content[value.token.start : line.end].rstrip()
    at = head.find(" #")
    return head[at:] if at >= 0 else ""


def has_properties(text: Text, value: Scalar) -> bool:
    """Whether a scalar has a tag or an anchor, which its parts could not have."""
    return text.content[value.token.start : value.token.start + 1] in ("!", "&")


def _written(line: str) -> WrittenLine:
    bare = line.removeprefix("-")
    dash = bare != line and bare[:1].isspace()
    return WrittenLine(_unquoted(bare.strip() if dash else line), dash)


def _unquoted(text: str) -> str:
    inner = text[1:-1]
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'" and text[0] not in inner and "\\" not in inner:
        return inner
    return text
