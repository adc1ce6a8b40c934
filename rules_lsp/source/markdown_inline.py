"""Inline Markdown with exact places: code spans, links, emphasis and plain text of one paragraph, heading or cell.

The scanner follows CommonMark (code spans, autolinks and HTML bind tighter than links, links tighter than emphasis)
and GFM's strikethrough. Its time is linear in the source, however hostile. Link destinations may nest one pair of
parentheses, titles follow CommonMark.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set
from html import unescape

from rules_lsp.source.expressions import expression
from rules_lsp.source.markdown_emphasis import DelimiterRun, delimiter_run, match_delimiters
from rules_lsp.source.records import dataclass, field
from rules_lsp.source.text import Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

PieceKind: TypeAlias = "Literal['text', 'code', 'mark']"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of inline content.

    `text` is what a reader sees: escapes and entities resolved, a line break as `\\n`. `span` is
    its token in the document, of code inside the backticks, and `outer` with them. A `mark` is an emphasis or
    strikethrough delimiter, which a reader does not see; `opens` tells which side of its content it stands on.
    `struck` and `linked` tell whether the piece stands inside strikethrough or the text of a link.
    """

    kind: PieceKind
    text: str
    span: Span
    outer: Span
    struck: bool = False
    linked: bool = False
    opens: bool = False


class InlineSource:
    """The content of a block, its lines joined by `\\n`, and where each character stands in the document."""

    def __init__(self, text: Text, lines: Sequence[Span], cell: bool = False) -> None:
        """`lines` are the places of the content's lines; in a table `cell` an escaped pipe is a pipe."""
        parts: list[str] = []
        self._starts: list[int] = []
        self._places: list[int] = []
        length = 0
        for number, line in enumerate(lines):
            if number:
                parts.append("\n")
                length += 1
            for start, end in _unescaped(text, line) if cell else ((line.start, line.end),):
                self._starts.append(length)
                self._places.append(start)
                parts.append(text.content[start:end])
                length += end - start
        self.content = "".join(parts)

    def span(self, start: int, end: int) -> Span:
        """The document's span of a slice of the content."""
        if not self._starts:
            return Span(0, 0)
        first = self._place(start)
        return Span(first, max(first, self._place(end - 1) + 1)) if end > start else Span(first, first)

    def _place(self, offset: int) -> int:
        segment = max(0, bisect_right(self._starts, offset) - 1)
        return self._places[segment] + offset - self._starts[segment]


def scan_inline(source: InlineSource, references: Set[str]) -> tuple[Piece, ...]:
    """The pieces of a block's content, in order; `references` are the normalised labels of link definitions."""
    scanner = _Scanner(source.content, references)
    scanner.run()
    return tuple(_assembled(scanner.tokens, source))


def normalized_label(label: str) -> str:
    """A link label in the form in which definitions are compared."""
    return " ".join(label.split()).lower().upper()


def _unescaped(text: Text, line: Span) -> list[tuple[int, int]]:
    pieces: list[tuple[int, int]] = []
    start = line.start
    while (found := text.content.find("\\|", start, line.end)) >= 0:
        pieces.append((start, found))
        start = found + 1
    pieces.append((start, line.end))
    return [piece for piece in pieces if piece[0] < piece[1]]


@dataclass(slots=True)
class _Token:
    kind: Literal["text", "code", "html", "run", "bracket", "link-open", "link-close"]
    start: int
    end: int
    text: str = ""
    run: DelimiterRun | None = None


@dataclass(slots=True)
class _Bracket:
    token: int
    end: int
    runs: int
    image: bool
    active: bool = True


_NEXT = expression(
    r"(?P<escape>\\[!-/:-@\[-`{-~])|(?P<ticks>`+)|(?P<run>\*+|_+|~+)|(?P<open>!?\[)|(?P<close>\])|(?P<angle><)"
    r"|(?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)|(?P<hard>\\(?=\n))|(?P<line>\n)"
    r"|[^\\`*_~\[\]!<&\n]+|.",
    re.DOTALL,
)
_AUTOLINK = expression(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]+)>")
_TAG = expression(
    r"<(?:/[A-Za-z][A-Za-z0-9-]*\s*|![A-Za-z][^<>]*"
    r"|[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*\s*/?)>",
    re.ASCII,
)
_TARGET = expression(
    r"\(\s*(?:<(?:\\.|[^<>\n\\])*>|(?:\\.|[^\s()<\\]|\((?:\\.|[^\s()\\])*\))(?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\])*\))*)?"
    r"(?:\s+(?:\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?\s*\)",
    re.DOTALL,
)
_LABEL = expression(r"\[((?:\\.|[^\[\]\\]){0,999})\]", re.DOTALL)
_STRIKING_TAG = expression(r"<(/?)(?:del|s|strike)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Scanner:
    content: str
    references: Set[str]
    tokens: list[_Token] = field(default_factory=list)
    _runs: list[DelimiterRun] = field(default_factory=list)
    _brackets: list[_Bracket] = field(default_factory=list)
    _ticks: dict[int, list[int]] = field(default_factory=dict)
    _no_comment_end: bool = False

    def run(self) -> None:
        for match in re.finditer("`+", self.content):
            self._ticks.setdefault(len(match[0]), []).append(match.start())
        at = 0
        while found := _NEXT.match(self.content, at):
            at = self._token(found)
        match_delimiters(self._runs)

    def _token(self, found: re.Match[str]) -> int:
        start, end = found.span()
        kind = found.lastgroup
        if kind == "ticks":
            return self._code(start, end)
        if kind == "angle":
            return self._angle(start)
        if kind == "close":
            return self._close(start)
        if kind == "open":
            self._brackets.append(_Bracket(len(self.tokens), end, len(self._runs), found[0] == "!["))
            self.tokens.append(_Token("bracket", start, end, found[0]))
        elif kind == "run":
            run = delimiter_run(self.content, start, end)
            self.tokens.append(_Token("text" if run is None else "run", start, end, found[0], run))
            if run is not None:
                self._runs.append(run)
        elif kind == "escape":
            self.tokens.append(_Token("text", start, end, found[0][1]))
        elif kind == "entity":
            self.tokens.append(_Token("text", start, end, unescape(found[0])))
        elif kind == "hard":
            self.tokens.append(_Token("html", start, end))
        else:
            self.tokens.append(_Token("text", start, end, found[0]))
        return end

    def _code(self, start: int, end: int) -> int:
        length = end - start
        closers = self._ticks.get(length, [])
        index = bisect_left(closers, end)
        if index == len(closers):
            self.tokens.append(_Token("text", start, end, self.content[start:end]))
            return end
        close = closers[index] + length
        self.tokens.append(_Token("code", start, close, "`" * length))
        return close

    def _angle(self, start: int) -> int:
        if self.content.startswith("<!--", start) and not self._no_comment_end:
            end = self.content.find("-->", start + 4)
            if end >= 0:
                self.tokens.append(_Token("html", start, end + 3))
                return end + 3
            self._no_comment_end = True
        if link := _AUTOLINK.match(self.content, start):
            self.tokens.append(_Token("link-open", start, start + 1))
            self.tokens.append(_Token("text", start + 1, link.end() - 1, link[1]))
            self.tokens.append(_Token("link-close", link.end() - 1, link.end()))
            return link.end()
        tag = _TAG.match(self.content, start)
        end = tag.end() if tag else start + 1
        self.tokens.append(_Token("html" if tag else "text", start, end, self.content[start:end]))
        return end

    def _close(self, start: int) -> int:
        bracket = self._brackets.pop() if self._brackets else None
        end = self._target(bracket, start) if bracket is not None and bracket.active else None
        if bracket is None or end is None:
            self.tokens.append(_Token("text", start, start + 1, "]"))
            return start + 1
        match_delimiters(self._runs, bracket.runs)
        del self._runs[bracket.runs :]
        self.tokens[bracket.token].kind = "link-open"
        self.tokens.append(_Token("link-close", start, end))
        if not bracket.image:
            # A link holds no other link. Brackets below the first inactive one are inactive already.
            for outer in reversed(self._brackets):
                if not outer.active:
                    break
                outer.active = outer.image
        return end

    def _target(self, bracket: _Bracket, start: int) -> int | None:
        if self.content.startswith("(", start + 1) and (target := _TARGET.match(self.content, start + 1)):
            return target.end()
        if not self.references:
            return None
        label = _LABEL.match(self.content, start + 1)
        if label is not None and label[1].strip():
            return label.end() if normalized_label(label[1]) in self.references else None
        if start - bracket.end > 999 or normalized_label(self.content[bracket.end : start]) not in self.references:
            return None
        return label.end() if label is not None else start + 1


def _assembled(tokens: list[_Token], source: InlineSource) -> list[Piece]:
    pieces: list[Piece] = []
    struck = linked = 0
    plain: list[_Token] = []

    def flush() -> None:
        if plain:
            start, end = plain[0].start, plain[-1].end
            plain.clear()
            span = source.span(start, end)
            pieces.append(Piece("text", source.content[start:end], span, span, struck > 0, linked > 0))

    def add(kind: PieceKind, text: str, start: int, end: int, outer: Span | None = None, opens: bool = False) -> None:
        span = source.span(start, end)
        pieces.append(Piece(kind, text, span, outer or span, struck > 0, linked > 0, opens))

    for token in tokens:
        if token.kind in ("text", "bracket") and len(token.text) == token.end - token.start and token.text != "\n":
            plain.append(token)
            continue
        flush()
        if token.kind == "code":
            start, end = _code_content(source.content, token)
            outer = source.span(token.start, token.end)
            add("code", source.content[start:end], start, end, outer)
        elif token.kind == "link-open":
            linked += 1
        elif token.kind == "link-close":
            linked -= 1
        elif token.kind == "html":
            if tag := _STRIKING_TAG.match(token.text):
                struck = max(0, struck - 1) if tag[1] else struck + 1
        elif token.run is not None:
            for part in token.run.parts():
                if part.role == "close" and token.run.char == "~":
                    struck = max(0, struck - 1)
                kind: PieceKind = "text" if part.role == "text" else "mark"
                add(kind, token.run.char * part.length, part.start, part.start + part.length, opens=part.role == "open")
                if part.role == "open" and token.run.char == "~":
                    struck += 1
        else:
            add("text", token.text, token.start, token.end)
    flush()
    return pieces


def _code_content(content: str, token: _Token) -> tuple[int, int]:
    start, end = token.start + len(token.text), token.end - len(token.text)
    inner = content[start:end]
    if inner[0] in " \n" and inner[-1] in " \n" and inner.strip(" \n"):
        return start + 1, end - 1
    return start, end
