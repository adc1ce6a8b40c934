"""Rules written down anew: as a YAML document, and as sections of a Markdown document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules_lsp.checks.common.quoting import plain_or_quoted, quoted
from rules_lsp.source.records import dataclass

_INDENT = "  "
_MARKS = frozenset("`|")


@dataclass(frozen=True, slots=True)
class Remarked:
    """An entry and what its author wrote beside it: one line, or nothing."""

    text: str
    remark: str = ""


Lists = Mapping[str, Sequence[Remarked] | None]
"""`allowed_tools`, `denied_tools`, `include` and `exclude`; None for a list that is not specified."""


def yaml_text(extension: str, lists: Lists, line_break: str) -> str:
    """A YAML rule file."""
    lines = list(_extension(extension))
    for name in ("allowed_tools", "denied_tools"):
        lines += _yaml_list(name, lists[name], "")
    patterns = [line for name in ("include", "exclude") for line in _yaml_list(name, lists[name], _INDENT)]
    lines += ["file_patterns:", *patterns] if patterns else []
    return line_break.join([*lines, ""])


def markdown_text(extension: str, lists: Lists, line_break: str) -> str | None:
    """A Markdown rule file; None where an entry cannot stand in code marks."""
    entries = [entry for each in lists.values() for entry in each or ()]
    if any(_MARKS & set(entry.text) or entry.text != entry.text.strip() for entry in entries):
        return None
    lines = extension.splitlines() + [""] if extension.strip() else []
    for name, title in (("allowed_tools", "Allowed Tools"), ("denied_tools", "Denied Tools")):
        lines += _section(f"## {title}", lists[name])
    patterns = [*_section("### Include", lists["include"]), *_section("### Exclude", lists["exclude"])]
    lines += ["## File Patterns", "", *patterns] if patterns else []
    while lines and not lines[-1]:
        lines.pop()
    return line_break.join([*lines, ""])


def _extension(text: str) -> Iterator[str]:
    """The lines of `system_prompt_extension`: a block of text where that keeps every character, else one in quotes."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    if not unified.strip():
        return
    lines = unified.split("\n")
    printable = all(character.isprintable() or character in "\n\t" for character in unified)
    if not printable or unified.endswith("\n\n") or lines[0][:1] in ("", " ", "\t") or "\ufeff" in unified:
        yield f"system_prompt_extension: {quoted(unified)}"
        return
    kept = "|" if unified.endswith("\n") else "|-"
    yield f"system_prompt_extension: {kept}"
    yield from (_INDENT + line if line else "" for line in (lines[:-1] if kept == "|" else lines))


def _yaml_list(name: str, entries: Sequence[Remarked] | None, indentation: str) -> Iterator[str]:
    if entries is None:
        return
    if not entries:
        yield f"{indentation}{name}: []"
        return
    yield f"{indentation}{name}:"
    for entry in entries:
        remark = f" # {entry.remark}" if entry.remark else ""
        yield f"{indentation}{_INDENT}- {plain_or_quoted(entry.text)}{remark}"


def _section(heading: str, entries: Sequence[Remarked] | None) -> list[str]:
    if entries is None:
        return []
    items = [f"- `{entry.text}`{f' — {entry.remark}' if entry.remark else ''}" for entry in entries]
    return [heading, "", *items, *([""] if items else [])]
