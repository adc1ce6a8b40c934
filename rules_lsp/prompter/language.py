"""How much of a text is in a language, told by the scripts of its letters."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rules_lsp.source.expressions import expression

_LATIN = ("LATIN",)
SCRIPTS: dict[str, tuple[str, ...]] = {
    "ar": ("ARABIC",),
    "bg": ("CYRILLIC",),
    "cs": _LATIN,
    "da": _LATIN,
    "de": _LATIN,
    "el": ("GREEK",),
    "en": _LATIN,
    "es": _LATIN,
    "fi": _LATIN,
    "fr": _LATIN,
    "he": ("HEBREW",),
    "hi": ("DEVANAGARI",),
    "id": _LATIN,
    "it": _LATIN,
    "ja": ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "CJK", "HALFWIDTH"),
    "ko": ("HANGUL",),
    "nl": _LATIN,
    "no": _LATIN,
    "pl": _LATIN,
    "pt": _LATIN,
    "ru": ("CYRILLIC",),
    "sv": _LATIN,
    "th": ("THAI",),
    "tr": _LATIN,
    "uk": ("CYRILLIC",),
    "vi": _LATIN,
    "zh": ("CJK", "BOPOMOFO"),
}
"""The scripts of each language, as the names of their letters in Unicode begin."""

_FENCE = expression(r"^ {0,3}(`{3,}|~{3,})")
_SPAN = expression(r"`[^`\n]*`")


def share_of_language(text: str, language: str) -> float | None:
    """The share (0 to 1) of a text's letters that are in the scripts of a language; None where it has no letter.

    Fenced code and code spans are left out.
    """
    scripts = SCRIPTS[language]
    letters = [letter for letter in _SPAN.sub(" ", _without_fences(text)) if letter.isalpha()]
    if not letters:
        return None
    return sum(_script(letter) in scripts for letter in letters) / len(letters)


def _without_fences(text: str) -> str:
    kept: list[str] = []
    fence: str | None = None
    for line in text.splitlines():
        found = _FENCE.match(line)
        if fence is None and found is not None:
            fence = found[1]
        elif fence is None:
            kept.append(line)
        elif found is not None and found[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = None
    return "\n".join(kept)


@lru_cache(maxsize=8192)
def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]
