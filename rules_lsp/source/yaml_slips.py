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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

SlipCode: TypeAlias = "Literal['fullwidth-punctuation', 'missing-space']"
SLIP_CODES: tuple[SlipCode, ...] = ("fullwidth-punctuation", "missing-space")

_BLANKS = "\u00a0\u2000-\u200a\u202f\u205f\u3000"
_DASHES = "\uff0d\ufe63\u2010-\u2015\u2212\u2022\u30fb\u00b7"
_COLONS = "\uff1a\ufe55\ufe30\u2236"
_COMMAS = "\uff0c\u3001\ufe50"
_QUOTES = "\u201c\u201d\u201e\u201f\uff02\u2018\u2019\u201a\u201b\uff07"

_LEADING = expression(f"[ {_BLANKS}]*")
_BLANK = expression(f"[{_BLANKS}]")
_DASH = expression(f"[-{_DASHES}]")
_KEY = expression(rf"(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)[ {_BLANKS}]*(?P<colon>[:{_COLONS}])")
_COMMA = expression(f"[{_COMMAS}]")
# Letters of other scripts around a comma make it one of a file's name.
_BETWEEN_COMMAS = f"[!-~ {_QUOTES}]"
_AROUND_COMMA = expression(rf"{_BETWEEN_COMMAS}*(?:[{_COMMAS}][{_BLANKS}]*{_BETWEEN_COMMAS}+)+")
_QUOTED = expression(f"[{_QUOTES}](?P<inner>[^{_QUOTES}]+)[{_QUOTES}\"']")
_NO_VALUE_BEHIND_COLON = frozenset("/\\:*")

_NAMES = {
    "\u00a0": "a no-break space",
    "\u3000": "an ideographic space",
    "\uff0d": "a full-width dash",
    "\uff1a": "a full-width colon",
    "\uff0c": "a full-width comma",
    "\u3001": "an ideographic comma",
    "\u2022": "a bullet",
}


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
    dash = _DASH.match(line, at)
    if dash is not None:
        following = line[dash.end() : dash.end() + 1]
        yield from _dash(span.start, dash, following)
        at = _skip(line, dash.end())
    key = _KEY.match(line, at)
    if key is not None and is_key(key["name"]):
        yield from _colon(span.start, key, line)


def slips_of_entry(content: str, span: Span, *, commas: bool) -> Iterator[Slip]:
    """The slips of a plain text that is an entry: look-alike quotes around it, and in brackets look-alike `commas`."""
    text = content[span.start : span.end]
    quoted = _QUOTED.fullmatch(text)
    if quoted is not None:
        quote = '"' if '"' not in quoted["inner"] and "\\" not in quoted["inner"] else "'"
        inner = quoted["inner"].replace("'", "''") if quote == "'" else quoted["inner"]
        message = f"`{text[0]}` is no quote of YAML and belongs to the text here: write `{quote}`"
        yield Slip("fullwidth-punctuation", span, f"{quote}{inner}{quote}", message)
    elif commas and _AROUND_COMMA.fullmatch(text):
        for comma in _COMMA.finditer(text):
            yield _look_alike(span.start, comma, "," if text[comma.end()] == " " else ", ")


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
        message = f"`{key['colon']}` is {_name(key['colon'])}, so that YAML reads plain text: write `: `"
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
    message = f"{_name(blanks[0])} (U+{ord(blanks[0]):04X}) is no space of YAML: write a space"
    return Slip("fullwidth-punctuation", Span(offset, offset + len(blanks)), " " * len(blanks), message)


def _look_alike(base: int, match: re.Match[str], replacement: str) -> Slip:
    character = match.group()
    message = f"`{character}` is {_name(character)} and no `{replacement.strip()}` of YAML: write `{replacement}`"
    return Slip("fullwidth-punctuation", Span(base + match.start(), base + match.end()), replacement, message)


def _name(character: str) -> str:
    return _NAMES.get(character, f"the character U+{ord(character):04X}")
