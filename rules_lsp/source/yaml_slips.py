"""Slips that make plain text of what should be YAML: a look-alike of its punctuation, or a missing space.

A line is looked at for itself, and only where YAML has read plain text in a place where nobody writes it: the same
characters are ordinary in a text or in a file's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_lookalikes import (
    BLOCKS,
    CLOSING,
    COLONS,
    COMMAS,
    CORNERS,
    DASHES,
    HASHES,
    OPENING,
    QUOTES,
    name_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

SlipCode: TypeAlias = "Literal['fullwidth-punctuation', 'missing-space']"
SLIP_CODES: tuple[SlipCode, ...] = ("fullwidth-punctuation", "missing-space")

_BLANKS = "\u00a0\u2000-\u200a\u202f\u205f\u3000"
_DASHES, _COLONS, _COMMAS, _QUOTES, _HASHES = ("".join(each) for each in (DASHES, COLONS, COMMAS, QUOTES, HASHES))
_CORNERS, _OPENING, _CLOSING = "".join(CORNERS), "".join(OPENING), "".join(CLOSING)

_LEADING = expression(f"[ {_BLANKS}]*")
_BLANK = expression(f"[{_BLANKS}]")
# The marks of a list in Markdown are such only with a space behind them: `*.py` is a pattern.
_DASH = expression(rf"[-{_DASHES}]|(?:[*+]|\d{{1,3}}[.)])(?= )")
_KEY = expression(rf"(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)[ {_BLANKS}]*(?P<colon>[:{_COLONS}])")
_COMMA = expression(f"[{_COMMAS}]")
_HASH = expression(rf"[{_HASHES}](?=[ {_BLANKS}])")
_HASH_BEHIND = expression(rf"(?<=[ {_BLANKS}])[{_HASHES}](?=[ {_BLANKS}])")
# Letters of other scripts around a comma make it one of a file's name.
_BETWEEN_COMMAS = f"[!-~ {_QUOTES}]"
_AROUND_COMMA = expression(rf"{_BETWEEN_COMMAS}*(?:[{_COMMAS}][{_BLANKS}]*{_BETWEEN_COMMAS}+)+")
_QUOTED = expression(
    f"[{_QUOTES}](?P<inner>[^{_QUOTES}]+)[{_QUOTES}\"']|[{_CORNERS}](?P<in_corners>[!-~][ -~]*)[{_CORNERS}]"
)
_BRACKETED = expression(rf"(?P<opening>[{_OPENING}])(?P<inner>[^{_OPENING}{_CLOSING}]*)(?P<closing>[{_CLOSING}\]}}])")
_OPENED = expression(rf"[{_OPENING}][ \t]*[\r\n]")
_CLOSED = expression(rf"[{_CLOSING}][ \t]*\Z")
_BEHIND_COMMA = f" \r\n{_CLOSING}]}}"
_ENTRY_OR_COMMA = expression(rf"[{_COMMAS}]|[^,{_COMMAS}\s][^,{_COMMAS}\r\n]*")
_CLOSED_BRACKET = expression(
    rf"\[(?P<inner>[^\[\]{{}}{_CLOSING}]*)(?P<closing>[{_CLOSING}])(?=[ \t]*(?:[\r\n]|\Z| \#))"
)
_CLOSED_QUOTE = expression(
    rf"""(?P<quote>["'])[^"'\r\n{_QUOTES}]*(?P<closing>[{_QUOTES}])(?=[ \t]*(?:[,\]}}\r\n]|\Z| \#))"""
)
_KEY_BEFORE = expression(r"""[ ]*[\w"'.-]+[ ]*:[ ]+\Z""")
_BLOCK = expression(rf"(?P<mark>[{''.join(BLOCKS)}])[-+]?[ \t]*(?=[\r\n])")
_NO_VALUE_BEHIND_COLON = frozenset("/\\:*")


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip: what stands at `span` should be `replacement`. `message` is that of a problem."""

    code: SlipCode
    span: Span
    replacement: str
    message: str

    @property
    def problem(self) -> Problem:
        """The slip as a problem; a fix replaces its span by the datum `replacement`."""
        return Problem(self.code, self.message, self.span, data={"replacement": self.replacement})


def slips_of_line(content: str, span: Span, is_key: Callable[[str], bool]) -> Iterator[Slip]:
    """The slips in the indentation, the dashes and the key of a line, from its start or from where a text begins.

    `is_key` tells whether a word in front of a colon is a key.
    """
    line = content[span.start : span.end]
    leading = _LEADING.match(line)
    at = leading.end() if leading else 0
    if at == len(line):
        return
    blank = _BLANK.search(line, 0, at)
    if blank is not None:
        yield _blanks(span.start + blank.start(), line[blank.start() : at])
    remark = _HASH.match(line, at)
    if remark is not None:
        yield _look_alike(span.start, remark, "#")
        return
    closing = _CLOSED.match(line, at)
    if closing is not None:
        yield _sign(span.start + at, line[at], CLOSING[line[at]])
        return
    dash = _DASH.match(line, at)
    if dash is not None:
        following = line[dash.end() : dash.end() + 1]
        yield from _dash(span.start, dash, following)
        at = _skip(line, dash.end())
    key = _KEY.match(line, at)
    if key is not None and is_key(key["name"]):
        yield from _colon(span.start, key, line)


def slips_of_entry(content: str, span: Span, *, commas: bool) -> Iterator[Slip]:
    """The slips of a plain text that is an entry.

    They are look-alike quotes around it, a look-alike of the sign that begins a comment, and in brackets look-alike
    `commas`.
    """
    text = content[span.start : span.end]
    remark = _HASH_BEHIND.search(text)
    entry = text[: remark.start()].rstrip() if remark is not None else text
    if _QUOTED.fullmatch(entry):
        yield _quotes(span.start, entry)
    elif commas and _AROUND_COMMA.fullmatch(entry):
        for comma in _COMMA.finditer(entry):
            yield _look_alike(span.start, comma, "," if entry[comma.end()] == " " else ", ")
    if remark is not None:
        yield _look_alike(span.start, remark, "#")


def slips_of_list(content: str, span: Span) -> Iterator[Slip]:
    """The slips of a plain text where a list belongs: look-alike brackets, and the commas and quotes between them."""
    text = content[span.start : span.end]
    remark = _HASH.match(text)
    if remark is not None:
        yield _look_alike(span.start, remark, "#")
    bracketed = _BRACKETED.fullmatch(text)
    if bracketed is None:
        opened = _OPENED.match(text)
        if opened is not None:
            yield _sign(span.start, text[0], OPENING[text[0]])
            yield from _slips_between(content, Span(span.start + 1, span.end))
        return
    opening, closing = bracketed["opening"], bracketed["closing"]
    yield _sign(span.start, opening, OPENING[opening])
    yield from _slips_between(content, Span(span.start + 1, span.end - 1))
    if closing in CLOSING:
        yield _sign(span.end - 1, closing, {"[": "]", "{": "}"}[OPENING[opening]])


def _slips_between(content: str, span: Span) -> Iterator[Slip]:
    """The look-alike commas between the entries of a list, and the quotes around these."""
    for part in _ENTRY_OR_COMMA.finditer(content, span.start, span.end):
        entry = part[0].rstrip()
        if entry in COMMAS:
            following = content[part.end() : part.end() + 1]
            yield _look_alike(0, part, "," if following in _BEHIND_COMMA else ", ")
        elif _QUOTED.fullmatch(entry):
            yield _quotes(part.start(), entry)


def slip_of_closing(content: str, opening: int) -> Slip | None:
    """The look-alike that was to close the bracket behind a key, or the quote, that opens at an offset."""
    match = _CLOSED_QUOTE.match(content, opening)
    if match is not None:
        return _sign(match.start("closing"), match["closing"], match["quote"])
    match = _CLOSED_BRACKET.match(content, opening)
    line_start = max(content.rfind("\n", 0, opening), content.rfind("\r", 0, opening)) + 1
    if match is None or _KEY_BEFORE.match(content, line_start, opening) is None:
        return None
    return _sign(match.start("closing"), match["closing"], "]")


def slip_of_block(content: str, span: Span) -> Slip | None:
    """The look-alike of the sign that begins a block of text, which is read as a part of the text."""
    match = _BLOCK.match(content, span.start, span.end)
    return None if match is None else _sign(match.start(), match["mark"], BLOCKS[match["mark"]])


def _quotes(offset: int, text: str) -> Slip:
    inner = text[1:-1]
    quote = '"' if '"' not in inner and "\\" not in inner else "'"
    inner = inner.replace("'", "''") if quote == "'" else inner
    message = f"`{text[0]}` is no quote of YAML and belongs to the text here: write `{quote}`"
    return Slip("fullwidth-punctuation", Span(offset, offset + len(text)), f"{quote}{inner}{quote}", message)


def _sign(offset: int, character: str, replacement: str) -> Slip:
    message = f"`{character}` is {name_of(character)} and no `{replacement}` of YAML: write `{replacement}`"
    return Slip("fullwidth-punctuation", Span(offset, offset + 1), replacement, message)


def _dash(base: int, dash: re.Match[str], following: str) -> Iterator[Slip]:
    if dash.group() != "-":
        spaced = not following or following == " " or _BLANK.match(following)
        yield _look_alike(base, dash, "-" if spaced else "- ")
    elif following and following not in " \t-" and not _BLANK.match(following):
        message = "a space is missing behind the `-`, so that YAML reads plain text: write `- `"
        yield Slip("missing-space", Span(base + dash.start(), base + dash.end()), "- ", message)
    if following and _BLANK.match(following):
        yield _blanks(base + dash.end(), following)


def _colon(base: int, key: re.Match[str], line: str) -> Iterator[Slip]:
    colon = Span(base + key.start("colon"), base + key.end("colon"))
    following = line[key.end() : key.end() + 1]
    spaced = not following or following in " \t" or _BLANK.match(following) is not None
    if key["colon"] != ":":
        message = f"`{key['colon']}` is {name_of(key['colon'])}, so that YAML reads plain text: write `: `"
        yield Slip("fullwidth-punctuation", colon, ":" if spaced else ": ", message)
    elif not spaced and following not in _NO_VALUE_BEHIND_COLON:
        message = f"a space is missing behind `{key['name']}:`, so that YAML reads plain text: write `{key['name']}: `"
        yield Slip("missing-space", colon, ": ", message)
    if following and _BLANK.match(following):
        yield _blanks(base + key.end(), following)


def _skip(line: str, at: int) -> int:
    match = _LEADING.match(line, at)
    return match.end() if match else at


def _blanks(offset: int, blanks: str) -> Slip:
    """The look-alike blanks of one place: what stands deeper is only told by all of them."""
    message = f"{name_of(blanks[0])} (U+{ord(blanks[0]):04X}) is no space of YAML: write a space"
    return Slip("fullwidth-punctuation", Span(offset, offset + len(blanks)), " " * len(blanks), message)


def _look_alike(base: int, match: re.Match[str], replacement: str) -> Slip:
    character = match.group()
    name = "a mark of Markdown" if character.isascii() else name_of(character)
    message = f"`{character}` is {name} and no `{replacement.strip()}` of YAML: write `{replacement}`"
    return Slip("fullwidth-punctuation", Span(base + match.start(), base + match.end()), replacement, message)
