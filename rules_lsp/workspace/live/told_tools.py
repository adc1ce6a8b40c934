"""What a server says of its tools, taken with care: names and descriptions are anybody's text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from rules_lsp.workspace.catalogue import KnownTool

MAX_TOOLS = 2_000
MAX_NAME = 128
"""Characters of a name, as the protocol has it."""
MAX_DESCRIPTION = 400
_LEAST_SECRET = 6


class ToldTools(NamedTuple):
    """The tools that can be used. `whole` says that nothing had to be left out."""

    tools: list[KnownTool]
    whole: bool


def read_tools(values: Iterable[object]) -> ToldTools:
    """The tools of a list as the protocol writes it; each name counts once, what makes no sense is left out."""
    found: dict[str, KnownTool] = {}
    whole = True
    for value in values:
        tool = _read(value)
        if tool is None:
            whole = False
        else:
            found.setdefault(tool.name, tool)
    return ToldTools(list(found.values()), whole)


def as_json(tool: KnownTool) -> dict[str, Any]:
    """A tool as the protocol writes it, cut down to what is read."""
    annotations = {"readOnlyHint": tool.read_only, "destructiveHint": tool.destructive}
    return {"name": tool.name, "description": tool.description, "annotations": annotations}


def one_line(text: str, most: int) -> str:
    """A text as one line without characters that are invisible or speak to a terminal, cut off with `…`."""
    words = "".join(character if character.isprintable() else " " for character in text[: 4 * most]).split()
    line = " ".join(words)
    return line if len(line) <= most else line[: most - 1] + "…"


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """The text with every secret replaced by `…`; what is too short to be one is left."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _LEAST_SECRET:
            text = text.replace(secret, "…")
    return text


def _read(value: object) -> KnownTool | None:
    if not isinstance(value, dict):
        return None
    name = value.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME:
        return None
    # Rules name tools without blanks; what no rule can name, or nobody can see, is not offered.
    if not name.isprintable() or any(map(str.isspace, name)):
        return None
    description = value.get("description")
    annotations = value.get("annotations")
    hints = annotations if isinstance(annotations, dict) else {}
    read_only = hints.get("readOnlyHint") is True
    return KnownTool(
        name,
        read_only,
        not read_only and hints.get("destructiveHint") is True,
        one_line(description, MAX_DESCRIPTION) if isinstance(description, str) else "",
    )
