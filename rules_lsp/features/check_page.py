"""The documentation of a check as a page in Markdown."""

from __future__ import annotations

from rules_lsp.checks import CHECKS
from rules_lsp.checks.common.base import Check
from rules_lsp.checks.common.documentation import ExampleFile


def check_named(code: str) -> Check | None:
    """The check of a code, or None."""
    return next((check for check in CHECKS if check.code == code), None)


def title_of(code: str) -> str | None:
    """What the check of a code is about, in a line, or None where there is no such check."""
    check = check_named(code)
    return None if check is None else check.documentation.summary


def page_in_markdown(check: Check) -> str:
    """The page, without a title."""
    documentation = check.documentation
    parts = [
        documentation.summary,
        f"## What it finds\n\n{documentation.finds}",
        f"## Why it matters\n\n{documentation.matters}",
        "\n\n".join(["## Example", *map(_fenced, documentation.example)]),
        "\n\n".join(["## Instead", *map(_fenced, documentation.instead)]),
    ]
    return "\n\n".join(parts)


def _fenced(file: ExampleFile) -> str:
    fence = "```"
    while fence in file.content:
        fence += "`"
    return f"`{file.name}`:\n\n{fence}{file.language}\n{file.content}{fence}"
