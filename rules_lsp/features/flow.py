"""YAML in brackets up to a cursor: which are open there, and where the text that is being written begins."""

from __future__ import annotations

import re

from rules_lsp.source.records import dataclass

_SIGN = re.compile(r"""['"#\[\]{},:]""")
_AFTER_COLON = frozenset(" \t\r\n[{'\",")
_QUOTED = {"'": re.compile(r"'(?:[^'\r\n]|'')*'"), '"': re.compile(r'"(?:[^"\\\r\n]|\\.)*"')}


@dataclass(frozen=True, slots=True)
class Flow:
    """What is open at the end of a scanned text.

    `opened` are the open brackets, each with the key in front of it (`exclude: [`); `key` is the key whose value is
    being written, with its colon. `token` is the offset behind the last separator, white space passed over, at most
    the end. `comment`: the end lies in a comment; `ended`: what stands before it are closed brackets, behind which no
    text may begin. `depth` counts the open brackets.
    """

    opened: tuple[str, ...]
    key: str
    token: int
    comment: bool
    ended: bool = False

    @property
    def depth(self) -> int:
        """How many brackets are open."""
        return len(self.opened)

    @property
    def closers(self) -> str:
        """The brackets that would close all."""
        return "".join("]" if each.endswith("[") else "}" for each in reversed(self.opened))


def scan_flow(content: str, start: int, end: int) -> Flow:
    """Scan from the first bracket at `start` to `end`; stops where the brackets are closed."""
    opened: list[str] = []
    key = ""
    token = at = start
    comment = ended = False
    while (found := _SIGN.search(content, at, end)) is not None:
        place, sign = found.start(), found.group()
        at = place + 1
        if sign in _QUOTED:
            if not content[token:place].strip():
                quoted = _QUOTED[sign].match(content, place, end)
                if quoted is None:
                    break
                at = quoted.end()
        elif sign == "#":
            if content[place - 1 : place].isspace():
                line_end = content.find("\n", place, end)
                comment = line_end < 0
                if comment:
                    break
                at = line_end
                token = at if not content[token:place].strip() else token
        elif sign == ":":
            if place + 1 >= len(content) or content[place + 1] in _AFTER_COLON:
                key, token = content[token:place].strip() + ": ", at
        else:
            ended = sign in "]}"
            if sign in "[{":
                opened.append(key + sign)
            elif sign in "]}" and opened:
                opened.pop()
                if not opened:
                    return Flow((), "", at, False)
            key, token = "", at
    while token < end and content[token].isspace():
        token += 1
    return Flow(tuple(opened), key, token, comment, ended)
