"""What a text costs, in words."""

from __future__ import annotations


def cost(characters: int, tokens: int) -> str:
    """Its length, and its estimated tokens."""
    return f"{_counted(characters, 'character')}, about {_counted(tokens, 'token')}"


def _counted(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"
