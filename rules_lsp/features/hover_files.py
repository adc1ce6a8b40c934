"""What a pattern does to the files that exist now: how many it takes, which, and what else takes them too."""

from __future__ import annotations

import os

from rules_lsp.features.counting import FileCounts, GlobCount
from rules_lsp.features.markup import code
from rules_lsp.features.numbers import amount, out_of, signed
from rules_lsp.features.view import View
from rules_lsp.policy.model import Entry
from rules_lsp.source.uri import to_uri

MOST_FILES = 5
MOST_OTHERS = 4


def files_in_markdown(view: View, entry: Entry) -> list[str]:
    """Paragraphs about the files that an entry takes; none where the files are not known or it has no effect."""
    counts = view.file_counts
    count = counts.of(entry) if counts is not None else None
    if counts is None or count is None or not count.total:
        return []
    if not count.taken:
        return [f"it takes **{out_of(0, count.total, 'file', complete=count.complete)}** now"]
    return [_effect(count), first_files(view, counts.files_of(entry)), *_overlaps(view, counts, entry)]


def file_link(view: View, path: str) -> str:
    """A root-relative path of the project as a link to the file."""
    return f"[{code(path)}]({to_uri(os.path.join(view.saved.root.given, *path.split('/')))})"


def first_files(view: View, files: tuple[str, ...]) -> str:
    """The first of some files as links, and how many there are beside them."""
    lines = [f"- {file_link(view, path)}" for path in files[:MOST_FILES]]
    return "\n".join([*lines, *_rest(len(files) - MOST_FILES)])


def line_of(view: View, entry: Entry) -> int:
    """The line of an entry as an editor numbers it, base 1."""
    return view.subject.text.line_of(entry.span.start) + 1


def _effect(count: GlobCount) -> str:
    taken = f"it takes **{out_of(count.taken, count.total, 'file', complete=count.complete)}** now"
    if not count.complete:
        return taken
    return f"{taken}, net effect **{signed(count.net, adds=count.adds)}**: without it {_difference(count)}"


def _difference(count: GlobCount) -> str:
    """What would be otherwise without a pattern; an exclude also keeps files from being read that no include names."""
    if count.adds:
        return f"{amount(count.net, 'file')} could no longer be changed" if count.net else "nothing would change"
    if not count.hidden:
        return "nothing would change"
    read = f"{amount(count.hidden, 'more file')} could be read"
    if count.net == count.hidden:
        return f"{read} and changed"
    return f"{read}, {f'{count.net:,} of them' if count.net else 'none'} changed"


def _overlaps(view: View, counts: FileCounts, entry: Entry) -> list[str]:
    """The other patterns that take files of an entry: those that allow or deny with it, those that do the contrary."""
    found = [*_others(view, counts.overlapping(entry), "also taken by"), *_others(view, counts.opposing(entry), "but")]
    return ["\n".join(found)] if found else []


def _others(view: View, others: tuple[tuple[Entry, int], ...], lead: str) -> list[str]:
    lines = [
        f"- {lead} {code(other.text)} of `{other.list}` (line {line_of(view, other)}): {amount(both, 'file')}"
        for other, both in others[:MOST_OTHERS]
    ]
    return [*lines, *_rest(len(others) - MOST_OTHERS)]


def _rest(number: int) -> list[str]:
    return [f"- and {number:,} more"] if number > 0 else []
