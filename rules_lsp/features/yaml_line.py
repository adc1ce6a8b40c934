"""One line of YAML on which something is being written: its dashes, its key, and the text around the cursor."""

from __future__ import annotations

import re

from rules_lsp.source.records import dataclass, replace

_DASH = re.compile(r"-(?=[ \t]|$)[ \t]*")
_KEY = re.compile(
    r"""("[^"\r\n]*"|'[^'\r\n]*'|[^\s#'"\[\]{},&*!|>%@`:-](?:[^#:'"\r\n]*[^\s#:'"])?)[ \t]*:(?=[ \t]|$)"""
)
_BLANKS = ("", " ", "\t")
_BLANK = re.compile(r"[ \t]*")
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#")
_FLOW_END = re.compile(r"[,\]}]|[ \t]#")
_FLOW_KEY_END = re.compile(r"[,\]}]|[ \t]#|:(?=[\s,\[\]{}'\"]|$)")
_COLON = re.compile(r"[ \t]*:")
_NEXT_ITEM = re.compile(r",[ \t]")
_QUOTED = {"'": re.compile(r"'(?:[^'\r\n]|'')*'"), '"': re.compile(r'"(?:[^"\\\r\n]|\\.)*"')}


@dataclass(frozen=True, slots=True)
class Levels:
    """The columns of a line's dashes, and that of what stands behind them."""

    dashes: tuple[int, ...]
    content: int

    @property
    def first(self) -> int:
        """The column of the first of them."""
        return self.dashes[0] if self.dashes else self.content


@dataclass(frozen=True, slots=True)
class Token:
    """What is being written on a line, in columns.

    `start` is where it begins, its quote included, `inner` and `end` enclose it without quotes; `quote` is the quote or
    empty, `closed` tells whether it ends. `glued`: a blank is missing in front. `colon`: it is a key with its colon.
    """

    start: int
    inner: int
    end: int
    quote: str = ""
    closed: bool = False
    glued: bool = False
    colon: bool = False


def levels_of(line: str) -> Levels:
    """The levels of a line."""
    at = len(line) - len(line.lstrip(" "))
    dashes: list[int] = []
    while (found := _DASH.match(line, at)) is not None:
        dashes.append(at)
        at = found.end()
    return Levels(tuple(dashes), at)


def value_column(line: str, levels: Levels) -> int:
    """The column at which a value begins: behind the key of the line, if it has one."""
    key = _KEY.match(line, levels.content)
    return levels.content if key is None else _behind_blanks(line, key.end())


def block_token(line: str, levels: Levels, column: int) -> Token | None:
    """What is being written at a column outside of brackets, or None."""
    start = levels.content
    if column <= start and not line[column:].strip():
        return _empty(line, column, "-")
    if column < start:
        return None
    key = _KEY.match(line, start)
    if key is not None:
        if column <= key.end(1):
            return _key_token(line, start, key.end(1), column)
        start = _behind_blanks(line, key.end())
        if key.end() <= column <= start and not line[column:].strip():
            return _empty(line, column, ":")
        if column < start:
            return None
    sign = line[start : start + 1]
    if sign in _QUOTED:
        return _quoted(line, start, column, None)
    if not sign or sign in "|>[]{}#&\t":
        return None
    comment = _COMMENT.search(line, start)
    end = start + len(line[start : comment.start() if comment else None].rstrip())
    if column > end and comment is not None:
        return None
    return Token(start, start, max(end, column))


def flow_token(line: str, start: int, column: int, *, key: bool) -> Token | None:
    """What is being written at a column inside of brackets, where it begins at `start`, or None.

    `key` tells whether a key belongs there.
    """
    if line[start : start + 1] in _QUOTED and start < column:
        token = _quoted(line, start, column, _FLOW_END)
        colon = token is not None and key and token.closed and _COLON.match(line, token.end + 1) is not None
        return replace(token, colon=True) if token is not None and colon else token
    behind = line[_behind_blanks(line, column) :][:1]
    apart = start == column and (behind in _QUOTED or line[column : column + 1] in _BLANKS)
    if behind and (behind in "[{" or (apart and behind not in ",]}#")):
        # It would stand in front of another without a comma.
        return None
    found = (_FLOW_KEY_END if key else _FLOW_END).search(line, column)
    end = start + len(line[start : found.start() if found else None].rstrip())
    colon = key and found is not None and found.group() == ":"
    return Token(start, start, max(end, column), glued=line[start - 1 : start] == ":", colon=colon)


def _empty(line: str, column: int, sign: str) -> Token:
    return Token(column, column, column, glued=column > 0 and line[column - 1] == sign)


def _key_token(line: str, start: int, end: int, column: int) -> Token | None:
    if line[start] not in _QUOTED:
        return Token(start, start, end, colon=True)
    return Token(start, start + 1, end - 1, line[start], True, colon=True) if start < column < end else None


def _quoted(line: str, start: int, column: int, flow_end: re.Pattern[str] | None) -> Token | None:
    """A text in quotes. In brackets one that reaches over a comma took in the next item: it is not closed."""
    quote = line[start]
    found = _QUOTED[quote].match(line, start)
    if found is not None and (flow_end is None or _NEXT_ITEM.search(line, column, found.end()) is None):
        return Token(start, start + 1, found.end() - 1, quote, True) if start < column < found.end() else None
    if column <= start:
        return None
    stop = flow_end.search(line, column) if flow_end is not None else None
    end = start + len(line[start : stop.start() if stop else None].rstrip())
    return Token(start, start + 1, max(end, column), quote)


def _behind_blanks(line: str, column: int) -> int:
    found = _BLANK.match(line, column)
    return found.end() if found is not None else column
