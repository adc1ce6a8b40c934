"""Block tokens of Markdown with exact places: markdown-it's block parser, and where each content stands.

markdown-it knows blocks by line numbers alone. Its rules are wrapped here so that each leaf token also carries, under
`meta["places"]`, the spans of its content's lines in the document, without container markers and indentation. This
is the only module that imports markdown-it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

_Rule = Callable[["StateBlock", int, int, bool], bool]
_Annotate = Callable[["StateBlock", int, Sequence["Token"]], None]
_SHIFT = "shift"
# A list and its item are two levels. Every line costs time in proportion to the quotes and lists around it.
NESTING_LIMIT = 32
# What a document may cost: one for each line that is not blank, one for each marker of a list or quote before it, one
# for each cell of a very wide table. The parser takes some 30 microseconds for each of them.
LINE_BUDGET = 25_000
_MOST_LINES = 10 * LINE_BUDGET
_MOST_CELLS = 32
_MARKERS = expression(r"[ \t]*(?:(?:[-+*>]|\d{1,9}[.)])(?=[ \t>]|$)[ \t]*)*")
_MARKER = expression(r"[-+*>]|\d+[.)]")
_FRONT_MATTER_KEY = expression(r"""["']?[\w.-]+["']?\s*:(\s|$)""")


@dataclass(frozen=True, slots=True)
class BlockTokens:
    """What markdown-it found: its block tokens and the normalised labels of link definitions.

    `truncated` tells whether content nested deeper than the limit was left out; `unread_from` is the offset of the
    first line that is behind the budget, or None where all were read.
    """

    tokens: tuple[Token, ...]
    references: frozenset[str]
    truncated: bool
    unread_from: int | None


def block_tokens(text: Text, front_matter_lines: int) -> BlockTokens:
    """The block tokens of a document without its byte order mark and the lines of its front matter."""
    spans = [text.line_span(line) for line in range(min(text.line_count, _MOST_LINES + 1))]
    if text.content.startswith("\ufeff"):
        spans[0] = Span(1, max(1, spans[0].end))
    lines = ["" if number < front_matter_lines else text.slice(span) for number, span in enumerate(spans)]
    affordable = _affordable_line_count(text, lines)
    unread_from = spans[affordable].start if affordable < len(lines) else None
    del lines[affordable:], spans[affordable:]
    shift: list[int] = []
    at = 0
    for line, span in zip(lines, spans, strict=True):
        shift.append(span.start - at)
        at += len(line) + 1
    environment: dict[str, Any] = {_SHIFT: shift}
    tokens = tuple(_parser().parse("\n".join(lines), environment))
    references: Mapping[str, object] = environment.get("references", {})
    truncated = any(
        token.level >= NESTING_LIMIT - 1 and token.type in ("list_item_open", "blockquote_open") for token in tokens
    )
    return BlockTokens(tokens, frozenset(references), truncated, unread_from)


def _affordable_line_count(text: Text, lines: Sequence[str]) -> int:
    """How many lines from the first on the budget pays for."""
    if len(text.content) < LINE_BUDGET:
        return len(lines)
    left = LINE_BUDGET
    for number, line in enumerate(lines[:_MOST_LINES]):
        if line:
            markers = _MARKERS.match(line)
            left -= 1 + (len(_MARKER.findall(markers[0])) if markers else 0)
            left -= max(0, line.count("|") - _MOST_CELLS)
        if left < 0:
            return number
    return min(len(lines), _MOST_LINES)


def front_matter_line_count(text: Text) -> int:
    """How many lines the document's front matter takes, 0 without one.

    It opens with `---` on the first line and a key below it: a document may begin with a thematic break, and rules
    under one must not be taken for front matter.
    """

    def line(number: int) -> str:
        return text.slice(text.line_span(number)).removeprefix("\ufeff" if number == 0 else "").rstrip()

    if line(0) != "---":
        return 0
    keyed = False
    for number in range(1, text.line_count):
        content = line(number)
        if content in ("---", "..."):
            return number + 1 if keyed else 0
        if not keyed and not content.startswith("#"):
            if not _FRONT_MATTER_KEY.match(content):
                return 0
            keyed = True
    return 0


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt, rules_block

    parser = MarkdownIt("commonmark", {"maxNesting": NESTING_LIMIT}).enable("table").disable("inline")
    located: tuple[tuple[str, _Rule, _Annotate], ...] = (
        ("table", rules_block.table, _place_table),
        ("fence", rules_block.fence, _place_fence),
        ("html_block", rules_block.html_block, _place_lines),
        ("code", rules_block.code, _place_lines),
        ("heading", rules_block.heading, _place_heading),
        ("lheading", rules_block.lheading, _place_inline),
        ("paragraph", rules_block.paragraph, _place_inline),
    )
    interrupts = {
        "table": ["paragraph", "reference"],
        "fence": ["paragraph", "reference", "blockquote", "list"],
        "html_block": ["paragraph", "reference", "blockquote"],
        "heading": ["paragraph", "reference", "blockquote"],
    }
    for name, rule, annotate in located:
        parser.block.ruler.at(name, _located(rule, annotate), {"alt": interrupts.get(name, [])})
    return parser


def _located(rule: _Rule, annotate: _Annotate) -> _Rule:
    def located(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        count = len(state.tokens)
        found = rule(state, start, end, silent)
        if found and not silent:
            annotate(state, start, state.tokens[count:])
        return found

    return located


def _content(state: StateBlock, line: int) -> Span:
    """A line's content without container markers, indentation and trailing white space."""
    start = state.bMarks[line] + state.tShift[line]
    end = max(start, state.eMarks[line])
    while end > start and state.src[end - 1] in " \t":
        end -= 1
    return _moved(state, line, start, end)


def _moved(state: StateBlock, line: int, start: int, end: int) -> Span:
    shift = state.env[_SHIFT][line]
    return Span(start + shift, end + shift)


def _place_lines(state: StateBlock, start: int, tokens: Sequence[Token]) -> None:
    tokens[0].meta["places"] = [_content(state, line) for line in range(start, state.line)]


def _place_inline(state: StateBlock, start: int, tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.type == "inline" and token.map is not None:
            token.meta["places"] = [_content(state, line) for line in range(*token.map)]


def _place_heading(state: StateBlock, start: int, tokens: Sequence[Token]) -> None:
    place = _content(state, start)
    shift = state.env[_SHIFT][start]
    raw = state.src[place.start - shift : place.end - shift]
    first = len(raw) - len(raw.lstrip("#"))
    body = raw.rstrip("#")
    last = len(body) if len(body) <= first or body[-1] in " \t" else len(raw)
    last = max(first, last)
    inner = raw[first:last]
    begin = first + len(inner) - len(inner.lstrip(" \t"))
    end = max(begin, first + len(inner.rstrip(" \t")))
    for token in tokens:
        if token.type == "inline":
            token.meta["places"] = [Span(place.start + begin, place.start + end)]


def _place_fence(state: StateBlock, start: int, tokens: Sequence[Token]) -> None:
    token = tokens[0]
    last = state.line - 1
    closing = state.src[state.bMarks[last] + state.tShift[last] : state.eMarks[last]].rstrip(" \t")
    closed = (
        last > start
        and len(closing) >= len(token.markup)
        and not closing.strip(token.markup[0])
        and not state.is_code_block(last)
    )
    lines = range(start + 1, state.line - 1 if closed else state.line)
    token.meta["places"] = [_dedented(state, line, state.sCount[start]) for line in lines]
    token.meta["closed"] = closed
    token.meta["opening"] = _content(state, start)


def _dedented(state: StateBlock, line: int, indent: int) -> Span:
    """A line of code without `indent` columns of white space, of which there may be fewer."""
    at, end, column = state.bMarks[line], state.eMarks[line], 0
    while at < end and column < indent:
        char = state.src[at]
        if char == "\t":
            column += 4 - (column + state.bsCount[line]) % 4
        elif char == " " or at - state.bMarks[line] < state.tShift[line]:
            column += 1
        else:
            break
        at += 1
    return _moved(state, line, at, max(at, end))


def _place_table(state: StateBlock, start: int, tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.type == "tr_open" and token.map is not None:
            row = _content(state, token.map[0])
            shift = state.env[_SHIFT][token.map[0]]
            token.meta["place"] = row
            token.meta["places"] = _cells(state.src[row.start - shift : row.end - shift], row.start)


def _cells(row: str, offset: int) -> list[Span]:
    """The trimmed cells of a table's row; a pipe behind a backslash is content."""
    bounds = [-1, *(m.start() for m in re.finditer(r"\|", row) if row[m.start() - 1 : m.start()] != "\\"), len(row)]
    cells = [(left + 1, right) for left, right in zip(bounds, bounds[1:], strict=False)]
    if cells and cells[0] == (0, 0):
        del cells[0]
    if cells and cells[-1][0] == cells[-1][1]:
        del cells[-1]
    spans: list[Span] = []
    for start, end in cells:
        text = row[start:end]
        begin = start + len(text) - len(text.lstrip(" \t"))
        spans.append(Span(offset + begin, offset + max(begin, start + len(text.rstrip(" \t")))))
    return spans
