"""The patterns that name a path which is about to have another name."""

from __future__ import annotations

from rules_lsp.checks.common.glob_entries import escaped, pattern_entries
from rules_lsp.checks.common.pattern_edits import rewritten
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.glob import Glob, Name
from rules_lsp.source.edits import TextEdit


def edits_for_move(subject: Subject, old: str, new: str) -> tuple[TextEdit, ...]:
    """The edits by which patterns go on naming a path; both are root-relative.

    A pattern names it if its first segments are literally the names of `old`, from the root on: `src/api/**` names
    `src` and `src/api`. What matches it by wildcards, or at any depth, is left alone, and so is what cannot be edited.
    """
    names = old.split("/")
    edits: list[TextEdit] = []
    for item in pattern_entries(subject):
        changed = _renamed(item.glob, names, new)
        if changed is not None and changed != item.entry.text and item.glob.text == item.entry.text:
            edits += rewritten(subject, item.entry, changed) or ()
    return tuple(edits)


def _renamed(glob: Glob, names: list[str], new: str) -> str | None:
    if len(glob.alternatives) != 1:
        return None
    segments = glob.alternatives[0].segments[: len(names)]
    if [segment.literal if isinstance(segment, Name) else None for segment in segments] != names:
        return None
    named = "/".join(escaped(name) for name in new.split("/"))
    return glob.text[: segments[0].start] + named + glob.text[segments[-1].end :]
