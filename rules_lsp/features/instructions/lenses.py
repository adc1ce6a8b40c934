"""What stands above a file of instructions: how many files it binds, or why nobody is told it."""

from __future__ import annotations

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.hover_instructions import holds
from rules_lsp.features.markup import code
from rules_lsp.features.neighbours import NeighbourLens, Outside
from rules_lsp.features.numbers import amount
from rules_lsp.features.view import View
from rules_lsp.prompt.a0_keys import INSTRUCTIONS_FOLDER
from rules_lsp.prompt.bindings import binding_of
from rules_lsp.prompt.instruction_names import INSTRUCTION_NAMES, OVERRIDES, meant_name
from rules_lsp.source.records import replace

BINDS = "binds"


def lenses(view: View) -> tuple[NeighbourLens, ...]:
    """The lens of the file on its first line; none until the files of the project are known."""
    if view.subject.files is None:
        return ()
    return (NeighbourLens(view.subject.text.line_span(0), BINDS),)


def resolve_lens(view: View, lens: NeighbourLens, outside: Outside) -> NeighbourLens | None:
    """The lens with its title; None where the document has none."""
    told = binding_in_words(view.subject) if lens.key == BINDS else None
    return None if told is None else replace(lens, title=told)


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
