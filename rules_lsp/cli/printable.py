"""Names and texts of others in the output: nothing in them is invisible or speaks to the terminal."""

from __future__ import annotations

import unicodedata

JOINERS = frozenset("\u200c\u200d")


def printable(text: str) -> str:
    """The text with every character that is invisible or speaks to the terminal as its number."""
    return text if text.isprintable() else "".join(map(printable_character, text))


def printable_character(character: str) -> str:
    """The character, or its number where it would be invisible or speak to the terminal."""
    if character.isprintable() or character in JOINERS:
        return character
    # U+3000 and its like are no printable characters to Python, yet they are plain blanks.
    if unicodedata.category(character) == "Zs":
        return character
    return f"<U+{ord(character):04X}>"
