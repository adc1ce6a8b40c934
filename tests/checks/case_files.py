"""Case files: rule files with what must be found in them written below the lines.

    a line about the case
    --- .coding-agent-rules.yaml
    deny_tools:
    ^^^^^^^^^^
    # want [unknown-key] "it is read as"
      - Bash
    --- fixed
    denied_tools:
      - Bash

`--- NAME` begins a file; the first is checked, the others stand beside it. A line of `^` marks a range of the line
above it, counted in characters; a range that goes on over the line's end has `>` behind its marks, and the line below
says with `until` how it ends. `--- fixed` is the first file after all safe fixes, `--- fixed unsafe` after all fixes.
`<|>` is a cursor. Behind a name, `crlf` and `open` (no line break at the end) say how the file is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from rules_lsp.checks import Diagnostic
from rules_lsp.source.text import Span, Text

DIRECTORY = Path(__file__).resolve().parent.parent / "cases"
CURSOR = "<|>"
_HEAD = re.compile(r"--- (?P<name>\S+)(?P<options>(?: \w+)*)\Z")
_MARKS = re.compile(r"(?P<before>\s*)(?P<marks>\^+)(?P<on>>?)\Z")
_WANT = re.compile(r'\s*# want \[(?P<code>[\w-]+)\] "(?P<text>.*?)"(?: until "(?P<until>.*)")?\Z')


@dataclass(frozen=True, order=True)
class Wanted:
    """A diagnostic that must be found: its range, its code, and a part of its message."""

    span: Span
    code: str
    text: str


@dataclass
class CaseFile:
    name: str
    content: str
    wanted: list[Wanted] = field(default_factory=list)
    cursor: int | None = None


@dataclass
class Case:
    title: str
    files: list[CaseFile]
    fixed: str | None = None
    fixed_unsafe: str | None = None


def cases() -> list[Path]:
    return sorted(DIRECTORY.glob("**/*.case"))


def read_case(path: Path) -> Case:
    title: list[str] = []
    case = Case("", [])
    sections: list[tuple[str, list[str], list[str]]] = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        head = _HEAD.match(line)
        if head is not None:
            sections.append((head["name"], head["options"].split(), []))
        else:
            (sections[-1][2] if sections else title).append(line)
    case.title = " ".join(title).strip()
    for name, options, lines in sections:
        if name == "fixed" and "unsafe" in options:
            case.fixed_unsafe = _written(lines, options)
        elif name == "fixed":
            case.fixed = _written(lines, options)
        else:
            case.files.append(_file(name, lines, options))
    return case


def _written(lines: list[str], options: list[str]) -> str:
    while lines and not lines[-1]:
        lines = lines[:-1]
    end = [] if "open" in options else [""]
    return ("\r\n" if "crlf" in options else "\n").join([*lines, *end])


def _file(name: str, lines: list[str], options: list[str]) -> CaseFile:
    kept: list[str] = []
    marks: list[tuple[int, re.Match[str], re.Match[str]]] = []
    mark: re.Match[str] | None = None
    for line in lines:
        found, want = _MARKS.match(line), _WANT.match(line)
        if found is not None and kept:
            mark = found
        elif want is not None and mark is not None:
            marks.append((len(kept) - 1, mark, want))
        else:
            kept.append(line)
            mark = None
    content = _written(kept, options)
    cursor = content.find(CURSOR)
    text = Text(content.replace(CURSOR, ""))
    wanted = [_wanted(text, *found) for found in marks]
    return CaseFile(name, text.content, sorted(wanted), cursor if cursor >= 0 else None)


def _wanted(text: Text, number: int, marks: re.Match[str], want: re.Match[str]) -> Wanted:
    line = text.line_span(number)
    start, end = line.start + marks.start("marks"), line.start + marks.end("marks")
    if marks["on"]:
        end = text.content.index(want["until"], end) + len(want["until"])
    return Wanted(Span(start, end), want["code"], want["text"])


def drawn(text: Text, found: list[Diagnostic]) -> str:
    """What was found in the notation of a case file."""
    lines: list[str] = []
    for number in range(text.line_count):
        line = text.line_span(number)
        lines.append(text.slice(line))
        for diagnostic in found:
            if text.line_of(diagnostic.span.start) == number:
                within = min(diagnostic.span.end, line.end) - diagnostic.span.start
                on = diagnostic.span.end > line.end
                until = f' until "{text.slice(diagnostic.span).splitlines()[-1].strip()}"' if on else ""
                lines.append(" " * (diagnostic.span.start - line.start) + "^" * max(1, within) + (">" if on else ""))
                lines.append(f'# want [{diagnostic.code}] "{diagnostic.message}"{until}')
    return "\n".join(lines)
