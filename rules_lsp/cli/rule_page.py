"""A check's documentation as a page: in Markdown, and for a terminal."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from rules_lsp.checks import Check, ExampleFile, Subject, run_checks
from rules_lsp.checks.common.surroundings import Surroundings
from rules_lsp.cli.render import Style
from rules_lsp.workspace.project import Project

FIX_WORDS = {"safe": "yes", "unsafe": "with `--unsafe`", "none": ""}


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


def kind_of_fix(check: Check) -> str:
    """`safe`, `unsafe` or `none`: the best fix that the check offers for its own example."""
    with tempfile.TemporaryDirectory() as directory:
        files = check.documentation.example
        for file in files:
            path = Path(directory, file.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content.encode(file.encoding))
        known = Surroundings.of(Project(directory))
        subject = known.around(
            Subject.of_file(
                str(Path(known.policy.root.real, files[0].name)),
                name=files[0].name,
                root=known.policy.root,
                known_servers=known.policy.known_servers,
            )
        )
        found = run_checks(subject, (check,), also=frozenset({check.code}))
    fixes = [fix for diagnostic in found if diagnostic.code == check.code for fix in diagnostic.fixes]
    return "none" if not fixes else "safe" if any(fix.safe for fix in fixes) else "unsafe"


def table_in_markdown(checks: Iterable[Check]) -> Iterator[str]:
    """A table of checks, a row each."""
    yield "| code | severity | finds | fix |"
    yield "| --- | --- | --- | --- |"
    for check in checks:
        severity = check.severity if check.on else f"{check.severity}, off"
        yield f"| `{check.code}` | {severity} | {_in_cell(summary_of(check))} | {FIX_WORDS[kind_of_fix(check)]} |"


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
