"""Writes the tables of methods and settings into README.md: `python -m tests.support.methods_table`."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rules_lsp.lsp.registration import BELOW, COMMANDS, METHODS
from rules_lsp.lsp.settings import SECTION, SETTINGS

README = Path(__file__).resolve().parent.parent.parent / "README.md"


def methods_table() -> str:
    """The methods in the order of the registration table, those of the layer below it, and the commands."""
    rows = [(method.name, _first_sentence(method.handler)) for method in METHODS]
    rows += BELOW.items()
    first: dict[Callable[..., Any], str] = {}
    commands: list[tuple[str, str]] = []
    for name, command in COMMANDS.items():
        short = first.setdefault(command, name)
        commands.append((name, _first_sentence(command) if short == name else f"Short for `{short}`."))
    return _table("method", rows) + "\n" + _table("command", commands)


def settings_table() -> str:
    """The settings with their defaults."""
    lines = ["| setting | default | meaning |", "| --- | --- | --- |"]
    for setting in SETTINGS:
        default = json.dumps(setting.schema["default"])
        lines.append(f"| `{SECTION}.{setting.name}` | `{default}` | {setting.schema['description']} |")
    return "\n".join(lines) + "\n"


TABLES: dict[str, Callable[[], str]] = {"methods": methods_table, "settings": settings_table}


def marked(name: str) -> re.Pattern[str]:
    """What finds the marks of a table and what stands between them."""
    return re.compile(rf"(<!-- {name}: .*? -->\n)(.*?)(<!-- end of {name} -->\n)", re.DOTALL)


def main() -> None:
    """Put in every table."""
    content = README.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        found = marked(name).search(content)
        if found is None:
            raise SystemExit(f"README.md lacks the marks of the {name}")
        content = content[: found.start(2)] + table() + content[found.end(2) :]
    README.write_text(content, encoding="utf-8")


def _table(title: str, rows: list[tuple[str, str]]) -> str:
    lines = [f"| {title} | what the server does |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| `{name}` | {words} |" for name, words in rows)]) + "\n"


def _first_sentence(handler: Callable[..., Any]) -> str:
    paragraph = (inspect.getdoc(handler) or "").split("\n\n", 1)[0]
    sentence = " ".join(paragraph.split())
    return re.split(r"(?<=[.?]) (?=[A-Z])", sentence, maxsplit=1)[0].replace("|", "\\|")


if __name__ == "__main__":
    main()
