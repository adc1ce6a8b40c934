"""A check's documentation as a page: in Markdown, and for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules_lsp.checks import Check, ExampleFile
from rules_lsp.checks.common.base import FixKind
from rules_lsp.cli.render import Style

FIX_WORDS: dict[FixKind, str] = {
    "none": "",
    "safe": "yes",
    "unsafe": "with `--unsafe`",
    "either": "yes, or with `--unsafe`",
    "widening": "in an editor",
}


def page_for_terminal(check: Check, style: Style) -> Iterator[str]:
    """The lines of the page; code is indented, headings are without marks."""
    documentation = check.documentation
    default = check.severity if check.on else f"{check.severity}, off unless asked for"
    yield f"{style.paint(check.code, 'place')} ({default})"
    yield from ("", documentation.summary)
    for title, text in (("What it finds", documentation.finds), ("Why it matters", documentation.matters)):
        yield from ("", style.paint(title, "place"), text)
    for title, files in (("Example", documentation.example), ("Instead", documentation.instead)):
        yield from ("", style.paint(title, "place"))
        yield from _indented(files)


def table_in_markdown(checks: Iterable[Check]) -> Iterator[str]:
    """A table of checks, a row each."""
    yield "| code | severity | finds | fix |"
    yield "| --- | --- | --- | --- |"
    for check in checks:
        severity = check.severity if check.on else f"{check.severity}, off"
        yield f"| `{check.code}` | {severity} | {_in_cell(summary_of(check))} | {FIX_WORDS[check.fixes]} |"


def table_for_terminal(checks: Iterable[Check], style: Style) -> Iterator[str]:
    """A line a check, in columns."""
    rows = [(check.code, check.severity if check.on else "off", summary_of(check), check.severity) for check in checks]
    code_width = max(len(code) for code, *_ in rows)
    for code, severity, summary, colour in rows:
        yield f"{code:{code_width}}  {style.paint(f'{severity:11}', colour)}  {summary}"


def summary_of(check: Check) -> str:
    """What the check is about, as a part of a line."""
    summary = check.documentation.summary.removesuffix(".")
    first, _, rest = summary.partition(" ")
    return f"{first.lower()} {rest}" if first[:1].isupper() and first[1:].islower() or first == "A" else summary


def _indented(files: tuple[ExampleFile, ...]) -> Iterator[str]:
    for file in files:
        yield f"  {file.name}:"
        yield from (f"    {line}".rstrip() for line in file.content.splitlines())


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|")
