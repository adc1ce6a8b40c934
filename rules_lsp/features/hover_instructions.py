"""Whom instructions bind, and which are on the way to a file, by the names of the project alone: nothing is read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.hover_files import file_link
from rules_lsp.features.markup import code
from rules_lsp.features.numbers import amount
from rules_lsp.features.view import View
from rules_lsp.policy.model import Entry
from rules_lsp.prompt.a0_keys import INSTRUCTIONS_FOLDER
from rules_lsp.prompt.bindings import binding_of
from rules_lsp.prompt.instruction_names import INSTRUCTION_NAMES, OVERRIDES, meant_name


def binding_in_words(subject: Subject) -> str | None:
    """`binds 12 files`, or why the file is told to nobody; None where the files of the project are not known."""
    files = subject.files
    if files is None:
        return None
    folder, slash, base = subject.name.rpartition("/")
    if folder == INSTRUCTIONS_FOLDER:
        return "told with the instructions of the project"
    meant = meant_name(base)
    if meant is not None:
        return f"read by nobody under this name: it is {code(meant)}"
    binding = binding_of(files.files, subject.name)
    if binding.masked_by is not None:
        return f"masked by {code(binding.masked_by.rpartition('/')[2])}"
    told = f"binds {amount(binding.files, 'file', complete=files.complete)}"
    masked = [name for name in INSTRUCTION_NAMES[len(OVERRIDES) :] if holds(files.files, folder + slash + name)]
    if base in OVERRIDES and masked:
        told += f" · masks {code(masked[0])}"
    return told if subject.text.content.strip() else f"{told} · empty: it tells nothing"


def chain_of_entry(view: View, entry: Entry) -> list[str]:
    """The line about the instructions of the file that an entry names; none for an entry that names no one file."""
    files = view.subject.files
    if files is None or not holds(files.files, entry.text):
        return []
    names = chain_names(files.files, entry.text)
    return [f"instructions: {' → '.join(file_link(view, name) for name in names)}"] if names else []


def chain_names(files: Sequence[str], target: str) -> tuple[str, ...]:
    """The instructions for a file among sorted root-relative paths, those of the root first."""
    folders = target.split("/")[:-1]
    above = ("", *("/".join(folders[:count]) + "/" for count in range(1, len(folders) + 1)))
    found = (next((below + name for name in INSTRUCTION_NAMES if holds(files, below + name)), None) for below in above)
    return tuple(name for name in found if name is not None)


def holds(files: Sequence[str], name: str) -> bool:
    """Whether a path is one of some sorted ones."""
    at = bisect_left(files, name)
    return at < len(files) and files[at] == name
