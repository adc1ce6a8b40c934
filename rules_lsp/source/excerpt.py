"""Texts of others as a sentence quotes them: bounded, and in one line."""

from __future__ import annotations


def bounded(text: str, most: int) -> str:
    """The text where it has at most `most` characters, else its beginning with an ellipsis, `most` in all."""
    return text if len(text) <= most else text[: most - 1] + "…"


def in_one_line(text: str, most: int) -> str:
    """The words of a text with one blank between them, bounded."""
    return bounded(" ".join(text.split()), most)
