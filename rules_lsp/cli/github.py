"""Findings as workflow commands of GitHub Actions: each becomes an annotation at its place in a pull request.

The form is that of GitHub's "Workflow commands": properties and message are escaped each in its own way, lines and
columns count from 1, and columns are left out where a finding goes over several lines, since GitHub takes none there.
What is invisible, speaks to the terminal or is no text stands as its number, as in a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules_lsp.checks import Diagnostic
from rules_lsp.cli.checking import CheckedFile
from rules_lsp.cli.names import Base
from rules_lsp.cli.render import printable

_COMMANDS = {"error": "error", "warning": "warning", "information": "notice"}


def workflow_commands(files: Iterable[CheckedFile], base: Base) -> Iterator[str]:
    """One line a finding; a file is named from the base, the top of what GitHub has checked out."""
    for file in files:
        name = file.name if file.path is None else base.relative(file.path) or file.path
        for diagnostic in file.diagnostics:
            yield _command(name, file, diagnostic)


def _command(name: str, file: CheckedFile, diagnostic: Diagnostic) -> str:
    found = file.text.range(diagnostic.span, "utf-16")
    start, end = found.start, found.end
    properties = {"file": name, "line": start.line + 1, "endLine": end.line + 1}
    if start.line == end.line:
        properties["col"] = start.character + 1
        properties["endColumn"] = max(start.character + 1, end.character)
    properties["title"] = diagnostic.code
    written = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    fix = next((f" (fix: {fix.title})" for fix in diagnostic.fixes if fix.safe), "")
    return f"::{_COMMANDS[diagnostic.severity]} {written}::{_data(diagnostic.message + fix)}"


def _data(text: str) -> str:
    return printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
