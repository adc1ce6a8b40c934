"""Building blocks of guides for agents, as people write them. None of them means a section of a rule file."""

from __future__ import annotations

from pathlib import Path

_DIRECTORY = Path(__file__).resolve().parent / "parts"
_BETWEEN = "%%%\n"


def _read(name: str) -> tuple[str, ...]:
    return tuple((_DIRECTORY / f"{name}.txt").read_text(encoding="utf-8").split(_BETWEEN))


FRONT_MATTER = ("", "", *_read("front_matter"))
TITLES = _read("titles")
INTRODUCTIONS = ("", *_read("introductions"))
BLOCKS = _read("blocks")
