"""The entries of a list that stand on lines of their own, as rows that are sorted with the comments that go along."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rules_lsp.checks.common.lines import line_at, split_lines, whole_lines
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Scalar

_DASH = re.compile(r"[ \t]*-[ \t]+\Z")
_REMARK = re.compile(r"[ \t]*(?:[ \t](?P<remark>#[^\r\n]*))?[\r\n]*\Z")
_COMMA = re.compile(r"(?:[ \t]*(?P<comma>,))?(?P<tail>[ \t]*(?:(?<=[ \t])(?P<remark>#[^\r\n]*))?[\r\n]*)\Z")
_COMMENT = re.compile(r"#[^\r\n]*")
_BLANKS = " \t\r\n>"
_ABOUT_A_FINDING = "rules-lsp:"


@dataclass(frozen=True, slots=True)
class Row:
    """One entry on lines of its own.

    `lines` are they, whole; `before` and `behind` are what is written in them before and behind a comma, where rows
    end in commas, else all of it and nothing. `key` is what rows are sorted by; of two rows with one `same` the later
    one is left out. `remark` is the comment in its line. `commented` tells whether a comment may stand above it.
    """

    lines: Span
    key: tuple[str, str]
    same: str
    before: str
    behind: str = ""
    remark: str = ""
    commented: bool = True


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A row with the comment lines right above it, and the lines that divide it from the row before."""

    row: Row
    above: tuple[str, ...] = ()
    gap: tuple[str, ...] = ()


def sort_key(text: str) -> tuple[str, str]:
    """What the entries of a list are sorted by: their text, capital letters beside small ones."""
    return text.casefold(), text


def rows_of_block(text: Text, scalars: Sequence[Scalar]) -> list[Row] | None:
    """The rows of a YAML list with dashes; None where an entry shares its line with something else."""
    rows: list[Row] = []
    for scalar in scalars:
        line = line_at(text, scalar.token.start)
        lines = whole_lines(text, scalar.token)
        behind = _REMARK.match(text.content[scalar.token.end : line.end])
        if not _DASH.match(text.content[line.start : scalar.token.start]) or behind is None:
            return None
        rows.append(Row(lines, sort_key(scalar.value), scalar.value, text.slice(lines), remark=behind["remark"] or ""))
    return rows


def rows_of_brackets(text: Text, brackets: Span, scalars: Sequence[Scalar]) -> list[Row] | None:
    """The rows of a YAML list in brackets; None where an entry shares its line with another or with a bracket."""
    rows: list[Row] = []
    for scalar in scalars:
        lines = whole_lines(text, scalar.token)
        behind = _COMMA.match(text.content[scalar.token.end : lines.end])
        alone = not text.content[lines.start : scalar.token.start].strip()
        if behind is None or not alone or not brackets.start < lines.start <= lines.end < brackets.end:
            return None
        if not behind["comma"] and scalar is not scalars[-1]:
            return None
        before = text.content[lines.start : scalar.token.end]
        remark = behind["remark"] or ""
        rows.append(Row(lines, sort_key(scalar.value), scalar.value, before, behind["tail"], remark))
    rest = text.content[rows[-1].lines.end : brackets.end - 1]
    return None if "," in _COMMENT.sub("", rest) else rows


def arranged(text: Text, rows: Sequence[Row], line_break: str) -> tuple[Span, str] | None:
    """The lines from the first row to the last and what takes their place; None where other lines stand among them."""
    chunks = _chunks(text, rows)
    if chunks is None:
        return None
    span = Span(rows[0].lines.start - sum(map(len, chunks[0].above)), rows[-1].lines.end)
    pieces = list(_in_order(chunks, _without_repetitions(chunks)))
    last = max(at for at, piece in enumerate(pieces) if isinstance(piece, Row))
    commas = bool(rows[0].behind)
    at_end = text.slice(rows[-1].lines)[len(rows[-1].before) :].lstrip(" \t").startswith(",")
    lines = [
        piece if isinstance(piece, str) else _line(piece, comma=commas and (at < last or at_end))
        for at, piece in enumerate(pieces)
    ]
    body = "".join(line if _break_of(line) else line + line_break for line in lines)
    ended = bool(_break_of(text.slice(span)))
    return span, body if ended else body[: len(body) - len(_break_of(body))]


def _line(row: Row, *, comma: bool) -> str:
    return row.before + ("," if comma else "") + row.behind


def _in_order(chunks: Sequence[_Chunk], kept: dict[int, _Chunk]) -> Iterator[str | Row]:
    """The lines and rows of every group, sorted; the lines between the groups stay where they are.

    Where no comment can stand above a row, as in Markdown, blank lines divide nothing.
    """
    loose = not chunks[0].row.commented
    groups: list[list[_Chunk]] = []
    for chunk in chunks:
        if not groups or (chunk.gap and not loose):
            groups.append([])
        groups[-1].append(chunk)
    for group in groups:
        left = sorted((kept[id(chunk)] for chunk in group if id(chunk) in kept), key=lambda chunk: chunk.row.key)
        # A group of which nothing is left takes the blank lines in front of it along, and no comment.
        if left or "".join(group[0].gap).strip(_BLANKS):
            yield from group[0].gap
        for number, chunk in enumerate(left):
            if number and loose:
                yield from group[number].gap
            yield from chunk.above
            yield chunk.row


def _chunks(text: Text, rows: Sequence[Row]) -> list[_Chunk] | None:
    chunks: list[_Chunk] = []
    end: int | None = None
    for row in rows:
        lines = _comments_above(text, row) if end is None else split_lines(text.content[end : row.lines.start])
        blank = max((at for at, line in enumerate(lines) if not line.strip(_BLANKS)), default=-1)
        comments = [line for line in lines if line.strip(_BLANKS)]
        if comments and not (row.commented and all(line.lstrip().startswith("#") for line in comments)):
            return None
        chunks.append(_Chunk(row, tuple(lines[blank + 1 :]), tuple(lines[: blank + 1])))
        end = row.lines.end
    return chunks


def _comments_above(text: Text, row: Row) -> list[str]:
    found: list[str] = []
    line = text.line_of(row.lines.start)
    while row.commented and line > 0:
        line -= 1
        whole = text.content[text.line_span(line).start : text.line_span(line + 1).start]
        if not whole.lstrip().startswith("#"):
            break
        found.insert(0, whole)
    return found


def _without_repetitions(chunks: Sequence[_Chunk]) -> dict[int, _Chunk]:
    """What is left of the chunks by their identity; comments of one that is left out go above the one that stays."""
    kept: dict[int, _Chunk] = {}
    first: dict[str, int] = {}
    for chunk in chunks:
        row = chunk.row
        at = first.setdefault(row.same, id(chunk))
        if at == id(chunk) or _ABOUT_A_FINDING in "".join((*chunk.above, row.remark)):
            kept[id(chunk)] = chunk
            continue
        kept[at] = replace(kept[at], above=(*kept[at].above, *chunk.above, *_as_line(row)))
    return kept


def _as_line(row: Row) -> tuple[str, ...]:
    """The comment behind an entry as a line of its own."""
    written = row.before
    indentation = written[: len(written) - len(written.lstrip())]
    return (indentation + row.remark.rstrip() + _break_of(written + row.behind),) if row.remark else ()


def _break_of(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]
