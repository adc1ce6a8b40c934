"""Denying what the rules leave open and should perhaps not: tools that destroy, files that look like secrets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules_lsp.checks.common.exclude_edits import NewEntry, added_to_exclude
from rules_lsp.checks.common.glob_entries import escaped
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.surroundings import with_content
from rules_lsp.checks.common.tool_fixes import deny, remove
from rules_lsp.checks.secret_exposed import exposed_files
from rules_lsp.features.text_changes import changes
from rules_lsp.features.tool_words import is_literal
from rules_lsp.features.view import View
from rules_lsp.policy.entries import shown
from rules_lsp.policy.model import Entry
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

MOST_OFFERED = 5
MOST_TOGETHER = 50


@dataclass(frozen=True, slots=True)
class Restriction:
    """An offer: what it says, and its edits."""

    title: str
    edits: tuple[TextEdit, ...]


def restrictions_at(view: View, selection: Span) -> Iterator[Restriction]:
    """What may be denied: on an entry that allows tools what it opens, on the first line what the whole file does."""
    if view.subject.error is not None or view.not_in_force is not None:
        return
    entry = view.subject.entry_at(Span(selection.start, selection.start))
    if entry is not None and entry.list == "allowed_tools":
        yield from _of_entry(view, entry)
    if view.subject.text.line_of(selection.start) == 0:
        yield from _of_tools(view, _destructive(view))
        yield from _of_files(view)


def _destructive(view: View) -> list[str]:
    """The known tools that may be called and of which their software states that they destroy."""
    catalogue, counts = view.subject.catalogue, view.tool_counts
    if catalogue is None or counts is None:
        return []
    allowed = set(counts.allowed_tools)
    return [name for name, tool in catalogue.all_known() if tool.destructive and name in allowed]


def _of_entry(view: View, entry: Entry) -> Iterator[Restriction]:
    counts = view.tool_counts
    opened = set(counts.tools_of(entry)) if counts is not None else set()
    found = [name for name in _destructive(view) if name in opened]
    if not is_literal(entry.text):
        yield from _of_tools(view, found)
    elif found:
        # To deny what the same file names as allowed would only contradict it.
        yield from (Restriction(fix.title, fix.edits) for fix in remove(view.subject, entry))


def _of_tools(view: View, names: Sequence[str]) -> Iterator[Restriction]:
    for name in names[:MOST_OFFERED]:
        yield from (Restriction(fix.title, fix.edits) for fix in deny(view.subject, name))
    if len(names) > 1:
        together = names[:MOST_TOGETHER]
        edits = _denying(view.subject, together)
        if edits:
            yield Restriction(f"add all {len(together)} tools that destroy to `denied_tools`", edits)


def _denying(subject: Subject, names: Sequence[str]) -> tuple[TextEdit, ...]:
    """The edits that deny tools together; none where one of them cannot be denied.

    The first may make the list, so that the others are put into the text that it leaves, all in one place.
    """
    first = next(deny(subject, names[0]), None)
    if first is None:
        return ()
    changed = with_content(subject, apply_edits(subject.text.content, first.edits))
    edits = [edit for name in names[1:] for fix in deny(changed, name) for edit in fix.edits]
    if len(edits) < len(names) - 1 or any(edit.span != edits[0].span or len(edit.span) for edit in edits):
        return ()
    rest = [TextEdit(edits[0].span, "".join(edit.replacement for edit in edits))] if edits else []
    return changes(subject.text.content, apply_edits(changed.text.content, rest))


def _of_files(view: View) -> Iterator[Restriction]:
    paths = exposed_files(view.subject)
    for path in paths[:MOST_OFFERED]:
        edits = added_to_exclude(view.subject, [NewEntry(_literal(path))])
        if edits is not None:
            yield Restriction(f"add `{shown(path)}` to `exclude`", edits)
    if len(paths) > 1:
        found = paths[:MOST_TOGETHER]
        edits = added_to_exclude(view.subject, [NewEntry(_literal(path)) for path in found])
        if edits is not None:
            yield Restriction(f"add all {len(found)} files that look like secrets to `exclude`", edits)


def _literal(path: str) -> str:
    """The pattern that matches one file of the root and no other."""
    return escaped(path) if "/" in path else f"/{escaped(path)}"
