"""One list item or table cell: which texts in it are entries, and whether it says no.

An item's entries are its code spans before the first separator; without one, the text up to it, split at commas.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from rules_lsp.policy.markdown.headings import Side, side_name
from rules_lsp.policy.markdown.words import markdown_words
from rules_lsp.source.expressions import expression
from rules_lsp.source.markdown import Content
from rules_lsp.source.markdown_inline import Piece
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

LONGEST_ITEM = 20_000
_CODE = "\ufffc"
_SEPARATOR = expression(r"(?:(?<=\s)|^)[-–—―]{1,3}(?=\s|$)|——|:(?=\s|$)|：")
_SUBSTANCE = expression(rf"[\w*?./\\\[\]{{}}~${_CODE}]")
_TRAILING = expression(r"(?<=\w)[.;!。；！]+$")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that is an entry, or one of its two readings.

    `readings` are the texts with their spans; an allowing list takes the first alone. `quoted` tells whether it
    stands in code marks, `unclear` whether Markdown takes some of its `*` or `_` for emphasis.
    """

    readings: tuple[tuple[str, Span], ...]
    quoted: bool
    struck: bool = False
    unclear: bool = False

    @property
    def text(self) -> str:
        """The first reading's text."""
        return self.readings[0][0]

    @property
    def span(self) -> Span:
        """The first reading's span."""
        return self.readings[0][1]


@dataclass(frozen=True, slots=True)
class ItemReading:
    """What an item or a cell says.

    `head` is the visible text up to the separator, code as U+FFFC; `candidates` are its entries. `further` are code
    spans behind a label (`Shell: ` and code alone), which a denying list takes too. `negation` is why an allowing
    list must not take it, in words, or None; `forbids` tells whether that holds for what stands below it as well.
    `side` and `side_span` are set for a label `include:` or `exclude:`; the candidates then stand behind it. `label`
    tells whether the item is nothing but a text with a colon and something below it.
    """

    span: Span
    head: str
    candidates: tuple[Candidate, ...]
    further: tuple[Candidate, ...] = ()
    negation: str | None = None
    forbids: bool = False
    side: Side | None = None
    side_span: Span | None = None
    label: bool = False


def read_item(content: Content, has_children: bool = False, sides: bool = False, in_side: bool = False) -> ItemReading:
    """Read an item's first paragraph or a cell.

    `has_children` tells whether a list or another block stands in the item, `sides` whether `include:` and `exclude:`
    are labels here, `in_side` whether the item stands below one of them: there `include` in code marks is a pattern.
    """
    visible = _Visible(content.pieces)
    start = 0
    end, after = visible.head(start)
    side: Side | None = None
    side_span: Span | None = None
    spoken = visible.text[start:end].strip()
    code = visible.codes[0][1] if spoken == _CODE else None
    if sides and (after > end or has_children or (code is not None and code.text.endswith(":"))):
        side = side_name(spoken if code is None else code.text) if code is None or not in_side else None
    if side is not None:
        at = visible.text.find(spoken, start)
        side_span = visible.span(at, at + len(spoken))
        start = after
        end, after = visible.head(start)
    candidates = visible.candidates(start, end)
    further: tuple[Candidate, ...] = ()
    if after > end and not any(candidate.quoted for candidate in candidates):
        tail_end, _ = visible.head(after)
        if not markdown_words().other_words(visible.text[after:tail_end].replace(_CODE, " ")):
            further = tuple(visible.code_candidates(after, tail_end))
    label = has_children and after > end and not visible.text[after:].strip()
    head = visible.text[start:end].strip()
    forbidden = _forbidden(visible, candidates, end, after)
    negation = forbidden or _other_words(head)
    forbids = forbidden is not None or markdown_words().negates(head)
    return ItemReading(content.span, head, candidates, further, negation, forbids, side, side_span, label)


def _forbidden(visible: _Visible, candidates: tuple[Candidate, ...], end: int, after: int) -> str | None:
    words = markdown_words()
    if words.has_cross(visible.text):
        return "bears a cross mark"
    if candidates and all(candidate.struck for candidate in candidates):
        return "is struck out"
    return "says no" if after > end and words.is_no(visible.text[after:]) else None


def _other_words(head: str) -> str | None:
    if _CODE not in head:
        return None
    if "!" + _CODE in head:
        return "has a `!` before its code"
    words = markdown_words()
    before, *between, behind = head.split(_CODE)
    others = (
        *words.other_words(before, words.leading),
        *words.other_words(" ".join(between)),
        *words.other_words(behind, words.trailing),
    )
    return f"has the word `{others[0][:40]}` beside its code" if others else None


class _Visible:
    """What a reader sees of inline content: one placeholder for each code span, no marks, and the places."""

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self.codes: list[tuple[int, Piece]] = []
        self._marks: list[tuple[int, Piece]] = []
        self._pieces: list[Piece] = []
        self._starts: list[int] = []
        parts: list[str] = []
        length = 0
        for piece in pieces:
            if piece.kind == "mark":
                self._marks.append((length, piece))
                continue
            text = _CODE if piece.kind == "code" else piece.text.replace(_CODE, "\ufffd")
            if piece.kind == "code":
                self.codes.append((length, piece))
            self._pieces.append(piece)
            self._starts.append(length)
            parts.append(text)
            length += len(text)
        self.text = "".join(parts)

    def head(self, start: int) -> tuple[int, int]:
        """The end of the text from `start` to the first separator with something before it, and the separator's."""
        begin = start
        for found in _SEPARATOR.finditer(self.text, start):
            if _SUBSTANCE.search(self.text, begin, found.start()):
                return found.start(), found.end()
            begin = found.end()
        return len(self.text), len(self.text)

    def span(self, start: int, end: int) -> Span:
        """The document's span of a slice of the text."""
        first, last = self._place(start), self._place(max(start, end - 1), last=True)
        return Span(first, max(first, last))

    def candidates(self, start: int, end: int) -> tuple[Candidate, ...]:
        """The entries of a slice: its code spans, else its text split at commas that stand outside of braces."""
        return tuple(self.code_candidates(start, end)) or tuple(self._text_candidates(start, end))

    def code_candidates(self, start: int, end: int) -> Iterator[Candidate]:
        """The code spans of a slice."""
        for offset, piece in self.codes:
            if start <= offset < end:
                yield Candidate(((piece.text, piece.span),), True, piece.struck)

    def _text_candidates(self, start: int, end: int) -> Iterator[Candidate]:
        for part in _parts(self.text, start, end):
            begin, stop = self._trimmed(*part)
            if begin < stop and _SUBSTANCE.search(self.text, begin, stop):
                yield self._text_candidate(begin, stop)

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        words = markdown_words()
        dropped = words.cross_marks | words.check_marks | {"\ufe0f"}

        def is_edge(char: str) -> bool:
            return char.isspace() or char in dropped

        while start < end and is_edge(self.text[start]):
            start += 1
        while start < end and is_edge(self.text[end - 1]):
            end -= 1
        if found := _TRAILING.search(self.text[start:end]):
            end = start + found.start()
        return start, end

    def _text_candidate(self, start: int, end: int) -> Candidate:
        read = (" ".join(self.text[start:end].split()), self.span(start, end))
        struck = all(piece.struck for piece in self._pieces_in(start, end))
        marks = [
            (offset, piece)
            for offset, piece in self._marks_in(start, end)
            if piece.text[0] != "~"
            and (start < offset < end or (offset == start and piece.opens) or (offset == end and not piece.opens))
        ]
        if not marks:
            return Candidate((read,), False, struck)
        parts: list[str] = []
        at = start
        for offset, piece in marks:
            parts += [self.text[at:offset], piece.text]
            at = offset
        parts.append(self.text[at:end])
        first, last = read[1].start, read[1].end
        literal = ("".join(parts), Span(min(first, marks[0][1].span.start), max(last, marks[-1][1].span.end)))
        clear = (
            all(offset in (start, end) for offset, _ in marks)
            and self.text[start].isalnum()
            and self.text[end - 1].isalnum()
        )
        if not clear:
            return Candidate((literal, read), False, struck, unclear=True)
        # `**x**` is emphasis and nothing else; `*x*` and `__x__` may be a pattern or a name as well.
        strong = all(piece.text == "**" for _, piece in marks)
        return Candidate((read,) if strong else (read, literal), False, struck)

    def _marks_in(self, start: int, end: int) -> list[tuple[int, Piece]]:
        """The marks in a slice and at its edges."""
        first = bisect_left(self._marks, start, key=lambda mark: mark[0])
        return self._marks[first : bisect_right(self._marks, end, lo=first, key=lambda mark: mark[0])]

    def _pieces_in(self, start: int, end: int) -> list[Piece]:
        return self._pieces[bisect_right(self._starts, start) - 1 : bisect_right(self._starts, end - 1)]

    def _place(self, offset: int, last: bool = False) -> int:
        if not self._starts:
            return 0
        index = max(0, bisect_right(self._starts, offset) - 1)
        piece = self._pieces[index]
        if piece.kind == "code" or len(piece.text) != len(piece.span):
            return piece.span.end if last else piece.span.start
        return piece.span.start + min(offset - self._starts[index], len(piece.text)) + (1 if last else 0)


def _parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A slice split at the commas that stand outside of closed braces."""
    closed: list[tuple[int, int]] = []
    opened: list[int] = []
    for at in range(start, end):
        if text[at] == "{":
            opened.append(at)
        elif text[at] == "}" and opened:
            group = (opened.pop(), at)
            while closed and closed[-1][0] > group[0]:
                closed.pop()
            closed.append(group)
    parts: list[tuple[int, int]] = []
    begin = at = start
    while at < end:
        if closed and at == closed[0][0]:
            at = closed.pop(0)[1]
        elif text[at] in ",，、":
            parts.append((begin, at))
            begin = at + 1
        at += 1
    parts.append((begin, end))
    return parts
