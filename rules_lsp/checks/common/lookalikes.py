"""Characters that look like others: what a name was meant to be.

The table `data/lookalikes.json` maps letters and signs to the ASCII ones that they look like. Compatibility forms
(full width and the like) are not in it: normalisation resolves them.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from functools import cache

from rules_lsp.policy.tools.names import unprintable

_TABLE = os.path.join(os.path.dirname(__file__), "data", "lookalikes.json")

# Letters and signs between spaces, slashes and dots.
_WORD = re.compile(r"[^\s/\\.]+")


def meant(text: str) -> str:
    """The text as it looks: without what cannot be seen, and in ASCII where it looks like that."""
    if text.isascii() and text.isprintable():
        return text
    normal = unicodedata.normalize("NFKC", text).translate(_table())
    return "".join(" " if character.isspace() else character for character in normal if _is_seen(character))


def look_alike(text: str) -> str | None:
    """The first character of a text that only looks like one of ASCII, in words that name both; None where none does.

    The `а` of `Bаsh` is one; a letter among others of its script is not: a word of Russian or Greek is meant.
    """
    if text.isascii():
        return None
    for word in _WORD.findall(text):
        if any(letter.isascii() for letter in word):
            for letter in word:
                found = meant(letter)
                if not letter.isascii() and found != letter and found.isascii() and found:
                    return f"`{letter}` (U+{ord(letter):04X}) only looks like `{found}`"
    return None


def told_of_look_alike(message: str, text: str) -> str:
    """A message about a text, which names the first character of it that only looks like one of ASCII."""
    found = look_alike(text)
    if found is None:
        return message
    return f"{message} {found}" if message.endswith("?") else f"{message}; {found}"


def _is_seen(character: str) -> bool:
    return character.isspace() or unprintable(character) is None


@cache
def _table() -> dict[int, str]:
    with open(_TABLE, encoding="utf-8") as file:
        replacements: dict[str, str] = json.load(file)["replacements"]
    return {ord(character): replacement for character, replacement in replacements.items()}
