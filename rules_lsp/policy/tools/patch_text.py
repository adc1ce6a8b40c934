"""The files that a patch of the `apply_patch` tools touches, read from its file headers.

The headers are `*** Add File:`, `*** Update File:`, `*** Delete File:` and, below an update, `*** Move to:`. Lines of
content begin with `+`, `-` or a space and are never headers; where a line could be either for one host or another, it
is a header.
"""

from __future__ import annotations

import re

from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

_HEADER = expression(r"\*\*\*\s*(add\s+file|update\s+file|delete\s+file|move\s+to)\s*:(.*)", re.IGNORECASE)
_FRAME = expression(r"\*\*\*\s*(?:begin|end)\s+patch", re.IGNORECASE)
_Operation: TypeAlias = "Literal['write', 'create', 'delete', 'rename']"

_OPERATIONS: dict[str, _Operation] = {"add": "create", "update": "write", "delete": "delete"}
# The first characters of content lines below a header of each kind.
_CONTENT = {"add": "+", "update": "+- ", "delete": ""}


@dataclass(frozen=True, slots=True)
class PatchedFile:
    """One file of a patch; `new_path` is set for the operation `rename` alone."""

    path: str
    operation: _Operation
    new_path: str | None = None


def patched_files(patch: str) -> list[PatchedFile]:
    """The files of a patch in its order; none where the text holds no file header."""
    files: list[PatchedFile] = []
    content = ""
    # A carriage return within a line is part of the path for every host, so lines end at line feeds alone.
    for line in patch.split("\n"):
        if line[:1] and line[0] in content:
            continue
        header = _HEADER.fullmatch(line.strip())
        if header is None:
            content = "" if _FRAME.fullmatch(line.strip()) else content
            continue
        kind, path = header[1].split()[0].lower(), header[2].strip()
        if kind == "move":
            _add_move(files, path)
        else:
            files.append(PatchedFile(path, _OPERATIONS[kind]))
            content = _CONTENT[kind]
    return files


def _add_move(files: list[PatchedFile], path: str) -> None:
    if files and files[-1].operation == "write":
        files[-1] = PatchedFile(files[-1].path, "rename", path)
    else:
        files.append(PatchedFile(path, "write"))
