"""Markdown for people: code marks that hold any text."""

from __future__ import annotations

import re

from rules_lsp.policy.requests import shown

_TICKS = re.compile(r"`+")


def code(text: str) -> str:
    """A text of the author's as Markdown code: one line, bounded, whatever backticks it holds itself."""
    line = shown(text)
    longest = max((len(run) for run in _TICKS.findall(line)), default=0)
    marks = "`" * (longest + 1)
    padding = " " if longest or line != line.strip() or not line else ""
    return f"{marks}{padding}{line}{padding}{marks}"
