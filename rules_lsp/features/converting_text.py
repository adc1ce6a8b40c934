"""Rules written down anew: as a YAML document, and as sections of a Markdown document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules_lsp.checks.common.quoting import plain_or_quoted, quoted
from rules_lsp.features.converting_comments import TAIL, TOP, Place, PlacedComments
from rules_lsp.source.records import dataclass

NO_COMMENTS = PlacedComments()
_INDENT = "  "
_MARKS = frozenset("`|")
_END_OF_COMMENT = "-->"


@dataclass(frozen=True, slots=True)
class Remarked:
    """An entry and what its author wrote beside it: one line, or nothing. `start` is where it stood."""

    text: str
    remark: str = ""
    start: int = -1


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


def markdown_text(extension: str, lists: Lists, line_break: str, comments: PlacedComments = NO_COMMENTS) -> str | None:
    """A Markdown rule file; None where an entry cannot stand in code marks, or a comment in one of Markdown."""
    entries = [entry for each in lists.values() for entry in each or ()]
    if any(_MARKS & set(entry.text) or entry.text != entry.text.strip() for entry in entries):
        return None
    told = (*comments.above.values(), *comments.behind.values())
    if any(_END_OF_COMMENT in comment for each in told for comment in each):
        return None
    lines = _block(_commented(comments.above, TOP))
    lines += extension.splitlines() + [""] if extension.strip() else []
    for name, title in (("allowed_tools", "Allowed Tools"), ("denied_tools", "Denied Tools")):
        lines += _section(f"## {title}", name, lists[name], comments)
    patterns = [
        *_section("### Include", "include", lists["include"], comments),
        *_section("### Exclude", "exclude", lists["exclude"], comments),
    ]
    lines += _headed("## File Patterns", "file_patterns", comments) if patterns else []
    lines += [*patterns, *_block(_commented(comments.above, TAIL))]
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


def _section(heading: str, name: str, entries: Sequence[Remarked] | None, comments: PlacedComments) -> list[str]:
    if entries is None:
        return []
    items: list[str] = []
    for entry in entries:
        items += _commented(comments.above, entry.start)
        items.append(f"- `{entry.text}`{f' — {entry.remark}' if entry.remark else ''}")
    return [*_headed(heading, name, comments), *_block(items)]


def _headed(heading: str, name: Place, comments: PlacedComments) -> list[str]:
    """A heading between the comments that stood above its key and behind it."""
    return [*_block(_commented(comments.above, name)), heading, "", *_block(_commented(comments.behind, name))]


def _commented(comments: Mapping[Place, Sequence[str]], place: Place) -> list[str]:
    return [f"<!-- {comment} -->" for comment in comments.get(place, ())]


def _block(lines: list[str]) -> list[str]:
    return [*lines, ""] if lines else []
