"""`rules-lsp rule`: what a check finds, why that matters, and what to write instead; without a code all checks."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from rules_lsp.checks import CHECKS, Check, ExampleFile
from rules_lsp.cli.render import style_for, use_any_encoding
from rules_lsp.cli.rule_page import (
    page_for_terminal,
    table_for_terminal,
    table_in_markdown,
)
from rules_lsp.cli.selection import known_code
from rules_lsp.features.check_page import page_in_markdown

DESCRIPTION = "Show the documentation of a check, or all checks in a table."
EXAMPLE = "rules-lsp rule unknown-key\n  rules-lsp rule --format markdown"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("code", nargs="?", metavar="CODE", help="the code of a check, as findings show it in brackets")
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text", help="how to print it")
    parser.add_argument("--no-color", action="store_true", help="print without colours")


def run(arguments: argparse.Namespace) -> int:
    """Print the page or the table."""
    use_any_encoding()
    checks = CHECKS if arguments.code is None else (_check(known_code(arguments.code)),)
    whole = arguments.code is None
    if arguments.format == "json":
        objects = [_as_json(check) for check in checks]
        print(json.dumps(objects if whole else objects[0], indent=2, ensure_ascii=False))
    elif arguments.format == "markdown":
        lines = table_in_markdown(checks) if whole else (f"# `{checks[0].code}`", "", page_in_markdown(checks[0]))
        print("\n".join(lines))
    else:
        style = style_for(sys.stdout, arguments.no_color)
        print("\n".join(table_for_terminal(checks, style) if whole else page_for_terminal(checks[0], style)))
    return 0


def _check(code: str) -> Check:
    return next(check for check in CHECKS if check.code == code)


def _as_json(check: Check) -> dict[str, Any]:
    documentation = check.documentation
    return {
        "code": check.code,
        "severity": check.severity,
        "on": check.on,
        "fix": check.fixes,
        "summary": documentation.summary,
        "finds": documentation.finds,
        "matters": documentation.matters,
        "example": [_file(file) for file in documentation.example],
        "instead": [_file(file) for file in documentation.instead],
    }


def _file(file: ExampleFile) -> dict[str, str]:
    return {"name": file.name, "language": file.language, "content": file.content}
