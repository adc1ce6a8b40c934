"""Copies shared definitions from the schema that owns them into the schemas that use them.

Each schema is whole in itself, so that an editor which fetches one file needs no other. `python schemas/bundle.py`
writes the copies; `--check` writes nothing and exits with 1 where a copy is not current.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

DIRECTORY = Path(__file__).resolve().parent
SHARED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("coding-agent-rules", ("rules", "tools", "patterns"), "config"),
    ("decision", ("operation",), "query"),
    (
        "decision",
        (
            *("answer", "nested_file_answer", "verdict", "known_operation", "allowed", "code", "operation"),
            *("rule", "range", "position", "policy", "policy_error"),
        ),
        "edit-answers",
    ),
    (
        "decision",
        (
            *("answer", "nested_file_answer", "verdict", "known_operation", "allowed", "code", "operation"),
            *("rule", "range", "position", "policy", "policy_error"),
        ),
        "context-files",
    ),
    ("decision", ("range", "position"), "prompt-view"),
)
"""Owner, names below its `$defs`, user."""


def path_of(name: str) -> Path:
    """The file of the schema `name`."""
    return DIRECTORY / f"{name}.schema.json"


def bundled(owner: dict[str, Any], names: tuple[str, ...], user: dict[str, Any]) -> str:
    """The text of the schema `user` with the definitions `names` as `owner` has them."""
    copies = {name: owner["$defs"][name] for name in names}
    return json.dumps({**user, "$defs": {**user["$defs"], **copies}}, ensure_ascii=False, indent=2) + "\n"


def stale() -> dict[Path, str]:
    """The files whose copies are not current, with the text that they should have."""
    found: dict[Path, str] = {}
    for owner, names, user in SHARED:
        path = path_of(user)
        text = path.read_text(encoding="utf-8")
        wanted = bundled(json.loads(path_of(owner).read_text(encoding="utf-8")), names, json.loads(text))
        if text != wanted:
            found[path] = wanted
    return found


def main(arguments: list[str]) -> int:
    """Run as a script: 0 where nothing is left to copy."""
    files = stale()
    for path, text in files.items():
        if "--check" in arguments:
            print(f"{path.name} is not current: run python schemas/bundle.py")
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{path.name} written")
    return 1 if files and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
