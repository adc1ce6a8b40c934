"""In what copies of a text differ: each kind of difference with what makes two such texts the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from rules_lsp.source.expressions import expression
from rules_lsp.source.yaml_lookalikes import QUOTES

_SPACE_AT_END = expression(r"(?<![ \t])[ \t]++(?=\n|\Z)")
_SPACE_AT_START = expression(r"(?:\A|(?<=\n))[ \t]+")
_SPACE_WITHIN = expression(r"(?<=[^ \t\n])[ \t]+(?=[^ \t\n])")
_HYPHENS = "‐‑‒–—―−﹣－"
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_CYRILLIC = dict(zip("аеорсухіјѕАВЕКМНОРСТУХІЈЅ", "aeopcyxijsABEKMHOPCTYXIJS", strict=True))
_GREEK = dict(zip("οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oABEZHIKMNOPTYX", strict=True))
_ALIKE = str.maketrans(
    {**QUOTES, **dict.fromkeys(_HYPHENS, "-"), **dict.fromkeys(_UNSEEN, ""), **_CYRILLIC, **_GREEK, "`": "'", "´": "'"}
)


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _look_alikes(text: str) -> str:
    return text.translate(_ALIKE) if text.isascii() else unicodedata.normalize("NFKC", text.translate(_ALIKE))


def _spaces_at_line_ends(text: str) -> str:
    return _SPACE_AT_END.sub("", text)


def _indentation(text: str) -> str:
    return _SPACE_AT_START.sub("", text)


def _spaces_within(text: str) -> str:
    return _SPACE_WITHIN.sub("", text)


def _line_breaks(text: str) -> str:
    return text.replace("\n", "")


FOLDINGS: dict[str, Callable[[str], str]] = {
    "line ends": _line_ends,
    "look-alike characters": _look_alikes,
    "case": str.casefold,
    "white space at line ends": _spaces_at_line_ends,
    "indentation": _indentation,
    "white space within lines": _spaces_within,
    "line breaks": _line_breaks,
}
"""Each kind of difference, in the order in which they are folded away."""


def folded(line: str) -> str:
    """A line without anything that a kind of difference is about."""
    return "".join(_look_alikes(line).casefold().split())


def differences(block: str, text: str) -> tuple[str, ...]:
    """The kinds of difference that keep a block from standing in a text in which it stands folded.

    Empty where no single kind does: then several of them hide one another.
    """
    return tuple(kind for kind in FOLDINGS if _all_but(kind, block) not in _all_but(kind, text))


def _all_but(kind: str, text: str) -> str:
    for name, fold in FOLDINGS.items():
        if name != kind:
            text = fold(text)
    return text
