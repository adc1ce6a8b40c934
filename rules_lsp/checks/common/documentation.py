"""The documentation of a check, read from the docstring of its module.

The docstring is Markdown in a fixed form: a line that says what the check is about, then the parts *What it finds*,
*Why it matters*, *Example* and *Instead* under headings of the second level, in this order. Example and Instead
each hold one or more fenced blocks. The word behind a fence is the language, the second word, where there is one, the
file's name, the third one its encoding; the first block of a part is the file that is checked, the others stand beside
it.
"""

from __future__ import annotations

from rules_lsp.source.records import dataclass

PARTS = ("What it finds", "Why it matters", "Example", "Instead")
_FENCE = "```"
_NAMES = {"yaml": ".coding-agent-rules.yaml", "markdown": ".coding-agent-rules.md"}


@dataclass(frozen=True, slots=True)
class ExampleFile:
    """A file of an example: its root-relative name, the language of its fence, its content and how that is saved."""

    name: str
    language: str
    content: str
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Documentation:
    """What a person reads about a check. `example` raises the check, `instead` is the same intent without a fault."""

    summary: str
    finds: str
    matters: str
    example: tuple[ExampleFile, ...]
    instead: tuple[ExampleFile, ...]


def parse_documentation(docstring: str | None) -> Documentation:
    """Read a docstring. Raises ValueError where it departs from the form: a fault of the check's author."""
    lines = (docstring or "").strip("\n").splitlines()
    if not lines or not lines[0].strip():
        raise ValueError("the documentation begins with a line that sums the check up")
    parts = _parts(lines[1:])
    if tuple(parts) != PARTS:
        raise ValueError(f"the documentation has the parts {', '.join(PARTS)}, and this one has {', '.join(parts)}")
    finds, matters, example, instead = (parts[name] for name in PARTS)
    return Documentation(
        lines[0].strip(), "\n".join(finds).strip(), "\n".join(matters).strip(), _files(example), _files(instead)
    )


def _parts(lines: list[str]) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    current: list[str] = []
    fenced = False
    for line in lines:
        if line.startswith(_FENCE):
            fenced = not fenced
        if line.startswith("## ") and not fenced:
            current = parts.setdefault(line.removeprefix("## ").strip(), [])
        else:
            current.append(line)
    return parts


def _files(lines: list[str]) -> tuple[ExampleFile, ...]:
    files: list[ExampleFile] = []
    opened: list[str] | None = None
    content: list[str] = []
    for line in lines:
        if not line.startswith(_FENCE):
            content.append(line)
        elif opened is None:
            opened, content = line.removeprefix(_FENCE).split(), []
        else:
            name, encoding = _name_and_encoding(opened)
            files.append(ExampleFile(name, opened[0], "\n".join(content) + "\n", encoding))
            opened = None
    if opened is not None or not files:
        raise ValueError("an example is one or more closed fenced blocks")
    return tuple(files)


def _name_and_encoding(info: list[str]) -> tuple[str, str]:
    if len(info) in (2, 3):
        return info[1], info[2] if len(info) == 3 else "utf-8"
    if len(info) == 1 and info[0] in _NAMES:
        return _NAMES[info[0]], "utf-8"
    raise ValueError("a fence names its language, and its file where that is no rule file")
