"""Characters that look like others: what a name was meant to be.

The table `data/lookalikes.json` maps letters and signs to the ASCII ones that they look like. Compatibility forms
(full width and the like) are not in it: normalisation resolves them.
"""

from __future__ import annotations

import json
import os
import unicodedata
from functools import cache

from rules_lsp.policy.tools.names import unprintable

_TABLE = os.path.join(os.path.dirname(__file__), "data", "lookalikes.json")


def meant(text: str) -> str:
    """The text as it looks: without what cannot be seen, and in ASCII where it looks like that."""
    if text.isascii() and text.isprintable():
        return text
    normal = unicodedata.normalize("NFKC", text).translate(_table())
    return "".join(" " if character.isspace() else character for character in normal if _is_seen(character))


def _is_seen(character: str) -> bool:
    return character.isspace() or unprintable(character) is None


@cache
def _table() -> dict[int, str]:
    with open(_TABLE, encoding="utf-8") as file:
        replacements: dict[str, str] = json.load(file)["replacements"]
    return {ord(character): replacement for character, replacement in replacements.items()}
