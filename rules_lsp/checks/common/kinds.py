"""The kinds of files that are checked, and how those are read that are no rule files.

A neighbour is such a file of a project: it has rules or texts of its own, and says nothing about permissions.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Literal, Protocol

from rules_lsp.policy.policy import CONFIG_NAME, kind_of_rule_file
from rules_lsp.prompter.keys import FILE_NAME
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Text
from rules_lsp.source.yaml_tree import YamlDocument
from rules_lsp.workspace.server_files import server_file_of

FileKind = Literal["yaml", "markdown", "config", "servers", "prompter"]
RULE_KINDS: frozenset[FileKind] = frozenset({"yaml", "markdown", "config", "servers"})
"""The files that say what is allowed, or which servers there are."""


class NeighbourReading(Protocol):
    """What was read of a neighbour. `error` is the problem for which nothing of it can be read, or None."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What reading found, in the order of the text."""

    @property
    def error(self) -> Problem | None:
        """Why the text does not parse, or None."""

    @property
    def document(self) -> YamlDocument | None:
        """The YAML tree, or None where the text is none of YAML."""


def kind_of_file(name: str) -> FileKind:
    """What a file is, by its name; what has no other is a rule file, in Markdown or in YAML."""
    base = os.path.basename(name)
    if server_file_of(name) is not None:
        return "servers"
    if base == CONFIG_NAME:
        return "config"
    return neighbour_kind(base) or kind_of_rule_file(base)


def neighbour_kind(name: str) -> FileKind | None:
    """The kind of a neighbour of a root-relative name; None for every other file."""
    return NEIGHBOUR_NAMES.get(name)


def read_neighbour(kind: FileKind, text: Text) -> NeighbourReading | None:
    """What the text of a neighbour says; None for a kind that is none."""
    read = _READERS.get(kind)
    return None if read is None else read(text)


def _read_auto_prompter(text: Text) -> NeighbourReading:
    from rules_lsp.prompter.reading import read_auto_prompter

    return read_auto_prompter(text)


NEIGHBOUR_NAMES: dict[str, FileKind] = {FILE_NAME: "prompter"}
"""The neighbours that have one place in a project, by their root-relative names."""
_READERS: dict[FileKind, Callable[[Text], NeighbourReading]] = {"prompter": _read_auto_prompter}
NEIGHBOUR_KINDS: frozenset[FileKind] = frozenset(_READERS)
MEANWHILE: dict[FileKind, str] = {"prompter": "until it is repaired every call that the gate is asked about is denied"}
"""What happens while a neighbour does not parse."""
