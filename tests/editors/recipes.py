"""The blocks of code that the documents of the editors give, so that tests run what people copy."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_HELP = re.compile(r"^>(\w+)\n(.*?)^<", re.DOTALL | re.MULTILINE)


def fenced_blocks(path: Path, language: str, heading: str) -> list[str]:
    """The blocks of a language in the section of a Markdown file with this heading, whatever its level."""
    sections = re.split(r"^#+ ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = [section for section in sections if section.partition("\n")[0] == heading]
    assert len(found) == 1, f"{path} has {len(found)} sections `{heading}`"
    return [code for name, code in _FENCE.findall(found[0]) if name == language]


def help_blocks(path: Path, language: str) -> list[str]:
    """The blocks of a language in a Vim help file."""
    return [dedent(code) for name, code in _HELP.findall(path.read_text(encoding="utf-8")) if name == language]
