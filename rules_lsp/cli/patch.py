"""Changes of files as a patch that `git apply` takes, with names as git writes them.

A name stands behind `a/` or `b/` with `/` between its parts. Where it holds what would end its line or speak to a
terminal, a quotation mark or a backslash, it stands in quotes, escaped as in C; a byte that is no text of UTF-8 is
written as its number. Other characters beyond ASCII stand as they are, as with `core.quotePath=false`. In front of the
hunks a tab ends a name with a blank in it, so that what follows the blank is not taken for a time.
"""

from __future__ import annotations

import difflib
import os
import re
import unicodedata

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_NO_FILE = "/dev/null"
_NO_LINE_END = "\\ No newline at end of file\n"
_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}


def change_as_patch(name: str, before: str | None, after: str | None) -> str:
    """A changed content as a unified diff; empty where nothing changes. `name` is relative to where it is applied.

    None stands for a file that is not there.
    """
    old, new = (_LINE.findall(content or "") for content in (before, after))
    # Its first two lines are the names, which it does not quote.
    _, _, *hunks = difflib.unified_diff(old, new) if old != new else ("", "")
    if not hunks:
        return ""
    posix = name.replace(os.sep, "/")
    end = "\t\n" if " " in posix else "\n"
    names = (
        _NO_FILE if content is None else quoted(f"{side}/{posix}") for side, content in (("a", before), ("b", after))
    )
    head = "".join(f"{mark} {each}{end}" for mark, each in zip(("---", "+++"), names, strict=True))
    return head + "".join(line if line.endswith("\n") else f"{line}\n{_NO_LINE_END}" for line in hunks)


def renaming_as_patch(name: str, new_name: str) -> str:
    """A file that gets another name and keeps its content."""
    old, new = (each.replace(os.sep, "/") for each in (name, new_name))
    return (
        f"diff --git {quoted(f'a/{old}')} {quoted(f'b/{new}')}\nsimilarity index 100%\n"
        f"rename from {quoted(old)}\nrename to {quoted(new)}\n"
    )


def quoted(name: str) -> str:
    """A name as it stands in a patch; bytes that are no text are lone surrogates in it, as Python reads them."""
    escaped = "".join(map(_escaped, name))
    return name if escaped == name else f'"{escaped}"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return "\\" + _ESCAPES[character]
    if unicodedata.category(character) in ("Cc", "Cs"):
        return "".join(f"\\{byte:03o}" for byte in os.fsencode(character))
    return character
