"""Characters that look like the punctuation of YAML and that it reads as letters, each with the sign that is meant.

The tables are the whole of it: what is to be told by its look is written here and nowhere else.
"""

from __future__ import annotations

import unicodedata

DASHES = dict.fromkeys("－﹣‐‑‒–—―−•‣⁃∙●○◦■□▪▫◆◇▶►・·･※", "-")
COLONS = dict.fromkeys("：﹕︰∶", ":")
COMMAS = dict.fromkeys("，、﹐﹑､", ",")
QUOTES = {**dict.fromkeys("“”„‟＂«»", '"'), **dict.fromkeys("‘’‚‛＇‹›", "'")}
CORNERS = dict.fromkeys("「」『』｢｣﹁﹂﹃﹄", '"')
"""Quotes of Chinese and Japanese, which are also letters of names in these."""
OPENING = {**dict.fromkeys("［【〔〖", "["), **dict.fromkeys("｛﹛", "{")}
CLOSING = {**dict.fromkeys("］】〕〗", "]"), **dict.fromkeys("｝﹜", "}")}
HASHES = dict.fromkeys("＃﹟", "#")
BLOCKS = {"｜": "|", "＞": ">"}

_NAMES = {
    "\u00a0": "a no-break space",
    "\u3000": "an ideographic space",
    **dict.fromkeys("‣⁃∙●○◦■□▪▫◆◇▶►・·•", "a bullet"),
    **dict.fromkeys("【】〔〕〖〗", "a full-width bracket"),
    "、": "an ideographic comma",
    "－": "a full-width dash",
    "–": "an en dash",
    "—": "an em dash",
    **dict.fromkeys("‘’‚‛“”„‟", "a curly quote"),
}
_SIGNS = {
    "-": "dash",
    ":": "colon",
    ",": "comma",
    "[": "bracket",
    "]": "bracket",
    "{": "brace",
    "}": "brace",
    "#": "number sign",
    "|": "bar",
    ">": "angle bracket",
    '"': "quote",
    "'": "quote",
}


def name_of(character: str) -> str:
    """A look-alike in words: `a full-width colon`, or its code point where no better name is known."""
    normal = unicodedata.normalize("NFKC", character)
    if character not in _NAMES and normal in _SIGNS and normal != character:
        return f"a full-width {_SIGNS[normal]}"
    return _NAMES.get(character, f"the character U+{ord(character):04X}")
