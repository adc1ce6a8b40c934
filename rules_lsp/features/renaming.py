"""Another name for a server or a tool, in every rule file and server file of a project.

A rename is refused where a place cannot be rewritten for certain, or where a denying entry that stays as it is would
deny less under the new name, or where something else has the new name already.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from rules_lsp.checks.common.pattern_edits import rewritten
from rules_lsp.checks.common.quoting import plain_or_quoted, quoted
from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.project_files import ProjectFiles
from rules_lsp.features.renaming_clashes import clash, key_clash
from rules_lsp.features.tool_occurrences import NamedPart, Occurrence, ToolName, name_at, occurrences
from rules_lsp.policy.entries import shown
from rules_lsp.policy.model import Entry
from rules_lsp.policy.tools.lists import DenyingList, argument_form, entry_problem, split_name
from rules_lsp.policy.tools.names import TOOL_GRAMMAR, server_problem, unprintable
from rules_lsp.policy.tools.patterns import is_wild
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

_BARE_TOML = re.compile(r"[A-Za-z0-9_-]+")
_WILDCARDS = re.compile(r"[*?]+")


@dataclass(frozen=True, slots=True)
class Renamable:
    """What can be renamed at a cursor: its place, and its name."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class FileEdits:
    """The edits of one file. `text` is what they count in."""

    path: str
    text: Text
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class Renaming:
    """The edits of a rename, or why there are none: one of them is empty."""

    files: tuple[FileEdits, ...] = ()
    refusal: str = ""


def renamable(files: ProjectFiles, subject: Subject, offset: int) -> Renamable | None:
    """The server or tool at an offset; None where none is named, or a wildcard stands for its server."""
    part = name_at(files, subject, offset)
    if part is None or (part.name.server is not None and is_wild(part.name.server)):
        return None
    return Renamable(part.span, subject.text.slice(part.span))


def rename(files: ProjectFiles, subject: Subject, offset: int, new: str) -> Renaming:
    """Everything that is to change for the name at an offset to become `new`."""
    part = name_at(files, subject, offset)
    if part is None or renamable(files, subject, offset) is None:
        return Renaming(refusal="no server and no tool is named here")
    problem = _problem(part.name, new) or clash(files, subject, part.name, new)
    if problem is not None:
        return Renaming(refusal=problem)
    found = tuple(occurrences(files, part.name))
    entries = {each.part.entry for each in found if each.part is not None and each.part.entry is not None}
    lost = _denies_less(files, part.name, new, entries)
    if lost is not None:
        return Renaming(refusal=lost)
    twice = next(filter(None, (_key_twice(each, new) for each in found)), None)
    if twice is not None:
        return Renaming(refusal=twice)
    by_path: dict[str, tuple[Text, list[TextEdit]]] = {}
    for each in found:
        edits = _edits(each, new)
        if edits is None:
            line = each.text.line_of(each.span.start) + 1
            return Renaming(
                refusal=f"line {line} of `{each.path}` cannot be rewritten with this name: change it by hand"
            )
        by_path.setdefault(each.path, (each.text, []))[1].extend(edits)
    return Renaming(tuple(FileEdits(path, text, tuple(sorted(set(edits)))) for path, (text, edits) in by_path.items()))


def _problem(name: ToolName, new: str) -> str | None:
    """Why a text is no name, or None."""
    if (unseen := unprintable(new)) is not None:
        return f"a name must not hold {unseen}"
    if is_wild(new):
        return "a name must not hold `*` or `?`: they would stand for others as well"
    if name.tool is None:
        return None if server_problem(new) is None else f"`{shown(new)}` is no server's name: {server_problem(new)}"
    if name.server is not None:
        return (
            None if TOOL_GRAMMAR.fullmatch(new) else f"`{shown(new)}` is no tool's name: letters, digits and `_.-` only"
        )
    return entry_problem(new, False) if "/" not in new else "a built-in tool's name holds no `/`"


def _denies_less(files: ProjectFiles, name: ToolName, new: str, rewritten_entries: Iterable[Entry]) -> str | None:
    """The denying entry that takes the old name and would not take the new one, as a sentence."""
    changed = set(rewritten_entries)
    for subject in files.rule_files:
        for entry in (entry for rules in subject.shown.denied_tools for entry in rules.entries):
            if entry in changed or entry.broken is not None:
                continue
            denying = DenyingList([entry])
            for before, after in _probes(entry, name, new):
                if denying.first(before) is not None and denying.first(after) is None:
                    line = subject.text.line_of(entry.span.start) + 1
                    return (
                        f"`{shown(entry.text)}` (line {line} of `{subject.name}`) denies it under the old name alone:"
                        " deny the new name first"
                    )
    return None


def _probes(entry: Entry, name: ToolName, new: str) -> Iterator[tuple[str, str]]:
    """Names of tools before and after a rename that a denying entry may take."""
    if name.tool is not None:
        prefix = "" if name.server is None else f"{name.server}/"
        yield f"{prefix}{name.tool}", f"{prefix}{new}"
        return
    tool = _WILDCARDS.sub("x", split_name(argument_form(entry.text) or entry.text)[1])
    for probe in (tool, "x"):
        yield f"{name.server}/{probe}", f"{new}/{probe}"


def _edits(found: Occurrence, new: str) -> tuple[TextEdit, ...] | None:
    part, subject = found.part, found.subject
    if part is None or subject is None:
        return _in_server_file(found, new)
    if part.key is not None:
        key = part.key
        whole = _with_part(subject, part, key.span, new)
        written = quoted(whole, key.style) if key.style else plain_or_quoted(whole, subject.nodes.preferred_quote)
        return (TextEdit(key.token, written),)
    assert part.entry is not None
    return rewritten(subject, part.entry, _with_part(subject, part, part.entry.span, new))


def _key_twice(found: Occurrence, new: str) -> str | None:
    part, subject = found.part, found.subject
    if part is None or part.key is None or subject is None:
        return None
    return key_clash(subject, part.key.value, _with_part(subject, part, part.key.span, new))


def _with_part(subject: Subject, part: NamedPart, around: Span, new: str) -> str:
    content = subject.text.content
    return content[around.start : part.span.start] + new + content[part.span.end : around.end]


def _in_server_file(found: Occurrence, new: str) -> tuple[TextEdit, ...] | None:
    """The name of a server where it is configured, in the notation of its file and the quotes that it has."""
    content, span = found.text.content, found.span
    quote = content[span.start - 1 : span.start]
    in_quotes = quote != "" and quote in "'\"" and content[span.end : span.end + 1] == quote
    if found.path.endswith((".json", ".jsonc")):
        # A name without a place of its own has that of what is above it.
        if not in_quotes or _json_text(content[span.start : span.end]) != found.name:
            return None
        return (TextEdit(span, json.dumps(new, ensure_ascii=False)[1:-1]),)
    if content[span.start : span.end] != found.name:
        return None
    token = Span(span.start - 1, span.end + 1) if in_quotes else span
    if found.path.endswith(".toml"):
        if not in_quotes:
            return (TextEdit(span, new if _BARE_TOML.fullmatch(new) else json.dumps(new, ensure_ascii=False)),)
        return None if "'" in new or '"' in new or "\\" in new else (TextEdit(span, new),)
    written = quoted(new, quote) if in_quotes else plain_or_quoted(new, flow=True)
    return (TextEdit(token, written),)


def _json_text(written: str) -> str | None:
    try:
        text = json.loads(f'"{written}"')
    except ValueError:
        return None
    return text if isinstance(text, str) else None
