"""The kinds of files that are checked, and how those are read that are no rule files.

A neighbour is such a file of a project: it has rules or texts of its own, and says nothing about permissions.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Literal, Protocol

from rules_lsp.policy.policy import CONFIG_NAME, kind_of_rule_file
from rules_lsp.prompt.a0_keys import INSTRUCTIONS_FOLDER, PROJECT_FILE, SERVERS_FILE
from rules_lsp.prompt.instruction_names import INSTRUCTION_NAMES, meant_name
from rules_lsp.prompt.wording import WORDINGS
from rules_lsp.prompter.keys import FILE_NAME
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Text
from rules_lsp.source.yaml_tree import YamlDocument
from rules_lsp.workspace.server_files import server_file_of

FileKind = Literal[
    "yaml",
    "markdown",
    "config",
    "servers",
    "prompter",
    "instructions",
    "a0-project",
    "a0-servers",
    "a0-template",
    "persona",
]
RULE_KINDS: frozenset[FileKind] = frozenset({"yaml", "markdown", "config", "servers", "a0-servers"})
"""The files that say what is allowed, or which servers there are."""
WITH_PROMPTER: frozenset[FileKind] = RULE_KINDS | {"prompter"}
"""These, and the file whose rules act while an agent works."""
WITH_OBJECTS: frozenset[FileKind] = WITH_PROMPTER | {"a0-project", "persona"}
"""These, and the files of JSON that say what an agent is told."""
SERVER_KINDS: frozenset[FileKind] = frozenset({"servers", "a0-servers"})
_PERSONAS = "templates"
_OF_PERSONAS = ".shaft"


class NeighbourReading(Protocol):
    """What was read of a neighbour."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What reading found, in the order of the text."""

    @property
    def document(self) -> YamlDocument | None:
        """The tree of the text, of YAML or of JSON, or None where it has none."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A text that says to an agent what it says: only what a host takes for an order or a tag is read in it."""

    problems: tuple[Problem, ...] = ()
    document: YamlDocument | None = None


def kind_of_file(name: str) -> FileKind:
    """What a file is, by its name; what has no other is a rule file, in Markdown or in YAML."""
    base = os.path.basename(name)
    posix = name.replace(os.sep, "/")
    if server_file_of(name) is not None:
        return "a0-servers" if f"/{posix}".endswith(f"/{SERVERS_FILE}") else "servers"
    if base == CONFIG_NAME:
        return "config"
    for known, kind in NEIGHBOUR_NAMES.items():
        if f"/{posix}".endswith(f"/{known}"):
            return kind
    if base in WORDINGS:
        return "a0-template"
    return "persona" if _is_persona(posix) else kind_of_rule_file(base)


def neighbour_kind(name: str) -> FileKind | None:
    """The kind of a neighbour of a root-relative name that is no rule file's; None for every other file."""
    folder, _, base = name.rpartition("/")
    if base in INSTRUCTION_NAMES or meant_name(base) is not None or folder == INSTRUCTIONS_FOLDER:
        return "instructions"
    if base in WORDINGS:
        return "a0-template"
    return "persona" if _is_persona(name) else NEIGHBOUR_NAMES.get(name)


def _is_persona(name: str) -> bool:
    *folders, base = name.split("/")
    return base.endswith(".json") and _PERSONAS in folders and _OF_PERSONAS in folders


def read_neighbour(kind: FileKind, text: Text, name: str) -> NeighbourReading | None:
    """What the text of a neighbour says, whose path or name says what it may use; None for a kind that is none."""
    read = _READERS.get(kind)
    return None if read is None else read(text, os.path.basename(name))


def template_names(base: str) -> tuple[str, ...]:
    """The names that a template of a file name may use; those of all templates for any other file name."""
    wording = WORDINGS.get(base)
    if wording is not None:
        return wording.names
    return tuple(dict.fromkeys(name for wording in WORDINGS.values() for name in wording.names))


def _read_a0_template(text: Text, base: str) -> NeighbourReading:
    from rules_lsp.prompt.template import read_template

    return Prose(read_template(text, template_names(base)).problems if "{" in text.content else ())


def _read_instructions(text: Text, base: str) -> NeighbourReading:
    from rules_lsp.prompt.includes import read_includes

    return Prose(read_includes(text) if "{{" in text.content else ())


def _read_auto_prompter(text: Text, base: str) -> NeighbourReading:
    from rules_lsp.prompter.reading import read_auto_prompter

    return read_auto_prompter(text)


def _read_a0_project(text: Text, base: str) -> NeighbourReading:
    from rules_lsp.prompt.a0_project import read_a0_project

    return read_a0_project(text)


def _read_a0_servers(text: Text, base: str) -> NeighbourReading:
    from rules_lsp.prompt.a0_servers import read_a0_servers

    return read_a0_servers(text)


def _read_persona(text: Text, base: str) -> NeighbourReading:
    from rules_lsp.prompt.personas.reading import read_persona

    return read_persona(text)


NEIGHBOUR_NAMES: dict[str, FileKind] = {FILE_NAME: "prompter", PROJECT_FILE: "a0-project"}
"""The neighbours that have one place in a project, by their root-relative names."""
_READERS: dict[FileKind, Callable[[Text, str], NeighbourReading]] = {
    "prompter": _read_auto_prompter,
    "instructions": _read_instructions,
    "a0-project": _read_a0_project,
    "a0-servers": _read_a0_servers,
    "a0-template": _read_a0_template,
    "persona": _read_persona,
}
NEIGHBOUR_KINDS: frozenset[FileKind] = frozenset(_READERS) - SERVER_KINDS
MEANWHILE: dict[FileKind, str] = {
    "prompter": "until it is repaired every call that the gate is asked about is denied",
    "instructions": "until it is repaired no agent is told what it says",
    "a0-project": "until it is repaired the agent is told nothing of it",
    "a0-template": "until it is repaired the agent is told nothing by it",
    "persona": "until it is repaired nothing can be made of it",
}
"""What happens while a neighbour does not parse."""
