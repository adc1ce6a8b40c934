"""What is checked: one text and everything that is known around it."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import Counter
from functools import cached_property
from typing import Any

from rules_lsp.checks.common.kinds import (
    MEANWHILE,
    SERVER_KINDS,
    FileKind,
    NeighbourReading,
    kind_of_file,
    read_neighbour,
)
from rules_lsp.checks.common.nodes import NodeIndex
from rules_lsp.policy.config import Config, read_config
from rules_lsp.policy.files import FileContent, read_file
from rules_lsp.policy.load import NOT_IN_FORCE, with_rules
from rules_lsp.policy.markdown.lists import MarkdownEntry
from rules_lsp.policy.markdown.read_markdown import MarkdownRules, read_markdown
from rules_lsp.policy.model import Entry, Rules
from rules_lsp.policy.policy import Document, Policy, RuleFile, kind_of_rule_file
from rules_lsp.policy.roots import Root
from rules_lsp.policy.yaml.read_yaml import YamlRules, read_yaml
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Node, YamlDocument
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.server_files import read_server_file, server_file_of

Reading = YamlRules | MarkdownRules | Config
_ADVICE = {
    "permission denied": ": make it readable for whoever runs the agent",
    "directory": ": rename it, and write the rules in a file of this name",
    "no regular file": ": write the rules in an ordinary file of this name",
    "link": ": put the file itself in the place of the link",
    "larger than": ": shorten it",
}
"""What to do about a file that cannot be read, by words of the cause; other causes say it themselves."""
ALL_DENIED = "until it is repaired everything is denied"


@dataclass(frozen=True)
class Subject:
    """One text to check.

    `name` is how a person calls the file, `path` its absolute path or None. `reading` is None where the file cannot
    be read; `problems` is what reading found, and `error` the one of them for which the file as a whole is not in
    force; `meanwhile` says what the agent does until it is repaired. `root` and `known_servers` are what is known of
    the project, and so are `policy` (of its saved files), `files` and `catalogue`: where they are None or empty, a
    check that needs them says nothing. A file that does not `govern` the project lies beside the one that does or
    where nobody reads it: only what it is to the project is looked at, and it has no `reading`. What a file says that
    is no rule file, no configuration and no server file is its `neighbour`.
    """

    name: str
    path: str | None
    kind: FileKind
    text: Text
    reading: Reading | None
    problems: tuple[Problem, ...]
    root: Root | None = None
    known_servers: frozenset[str] = frozenset()
    meanwhile: str = NOT_IN_FORCE
    policy: Policy | None = None
    files: FileInventory | None = None
    catalogue: Catalogue | None = None
    governs: bool = True
    neighbour: NeighbourReading | None = None

    @classmethod
    def of_text(
        cls,
        name: str,
        text: Text | str,
        *,
        path: str | None = None,
        kind: FileKind | None = None,
        root: Root | None = None,
        known_servers: frozenset[str] = frozenset(),
        operator: bool = False,
    ) -> Subject:
        """A text that is at hand: an open buffer. `operator` marks a configuration that is not the project's own."""
        text = Text(text) if isinstance(text, str) else text
        kind = kind or kind_of_file(name)
        if kind in SERVER_KINDS:
            return _of_servers(name, path, kind, text, root, known_servers)
        neighbour = read_neighbour(kind, text, path or name)
        if neighbour is not None:
            problems = neighbour.problems
            meanwhile = MEANWHILE.get(kind, NOT_IN_FORCE)
            return cls(name, path, kind, text, None, problems, root, known_servers, meanwhile, neighbour=neighbour)
        reading: Reading
        if kind == "config":
            data = text.content.encode("utf-8", "surrogatepass")
            reading = read_config(FileContent(True, data), path or name, operator=operator)
            text = reading.text or text
        elif kind == "markdown":
            reading = read_markdown(text, known_servers)
        else:
            reading = read_yaml(text)
        return cls(name, path, kind, text, reading, reading.problems, root, known_servers)

    @classmethod
    def of_file(
        cls,
        path: str,
        *,
        name: str | None = None,
        kind: FileKind | None = None,
        root: Root | None = None,
        known_servers: frozenset[str] = frozenset(),
        operator: bool = False,
    ) -> Subject:
        """A saved file. One that cannot be read has the problem `unreadable-file` at its beginning."""
        name = name if name is not None else os.path.basename(path)
        kind = kind or kind_of_file(path)
        content = read_file(path, None if root is None or operator else root.real)
        text, unreadable = content.text()
        if not content.exists:
            unreadable = "it does not exist"
        if unreadable is not None and kind in SERVER_KINDS:
            file = read_server_file(server_file_of(path) or name, content)
            return cls(name, path, kind, file.text, None, file.problems, root, known_servers)
        if unreadable is not None and kind != "config":
            return cls._unreadable(name, path, kind, unreadable, root, known_servers)
        if unreadable is not None:
            reading = read_config(content, path, operator=operator)
            return cls(name, path, kind, reading.text or Text(""), reading, reading.problems, root, known_servers)
        return cls.of_text(name, text, path=path, kind=kind, root=root, known_servers=known_servers, operator=operator)

    @classmethod
    def _unreadable(
        cls, name: str, path: str, kind: FileKind, cause: str, root: Root | None, known_servers: frozenset[str]
    ) -> Subject:
        advice = next((advice for words, advice in _ADVICE.items() if words in cause), "")
        problem = Problem("unreadable-file", f"`{os.path.basename(path)}` cannot be read: {cause}{advice}", Span(0, 0))
        meanwhile = MEANWHILE.get(kind, NOT_IN_FORCE)
        return cls(name, path, kind, Text(""), None, (problem,), root, known_servers, meanwhile)

    def surrounded(
        self, policy: Policy | None = None, files: FileInventory | None = None, catalogue: Catalogue | None = None
    ) -> Subject:
        """The same text with what is known around it."""
        return replace(self, policy=policy, files=files, catalogue=catalogue)

    @cached_property
    def effective(self) -> Policy | None:
        """The project's policy as it would be with this text saved, or None where the project is not known."""
        if self.policy is None or self.path is None or self.kind not in ("yaml", "markdown") or not self.governs:
            return self.policy
        return self.as_if_saved(self.policy)

    def as_if_saved(self, policy: Policy) -> Policy:
        """A policy with the rules of this text, as far as they can be made out, in place of its own."""
        return with_rules(policy, self.shown, Document(self.path or self.name, self.text))

    @cached_property
    def derived(self) -> dict[object, Any]:
        """What has been derived from this subject, by the function that did; see `remembered`."""
        return {}

    @property
    def error(self) -> Problem | None:
        """The problem for which the rules of the file are not in force, or None."""
        if isinstance(self.reading, YamlRules):
            return self.reading.error
        if self.neighbour is not None:
            document = self.neighbour.document
            return document.error if document is not None and self.kind not in SERVER_KINDS else None
        whole = self.reading is not None or self.kind in SERVER_KINDS or not self.problems
        return None if whole else self.problems[0]

    def is_error(self, code: str, span: Span) -> bool:
        """Whether a finding is the problem for which the rules of the file are not in force."""
        error = self.error
        return error is not None and (error.code, error.span) == (code, span)

    @property
    def document(self) -> YamlDocument | None:
        """The tree of the whole text, of YAML or JSON, or None where it is Markdown, prose or cannot be read."""
        if self.neighbour is not None and self.kind not in SERVER_KINDS:
            return self.neighbour.document
        return self.reading.document if isinstance(self.reading, YamlRules | Config) else None

    @property
    def shown(self) -> Rules:
        """The rules that can be made out, also where the file as a whole is not in force."""
        if isinstance(self.reading, YamlRules):
            return self.reading.shown
        if isinstance(self.reading, MarkdownRules):
            return self.reading.rules
        return (self.reading.default_rules if self.reading is not None else None) or Rules()

    @property
    def tree(self) -> Node | None:
        """The root of the YAML tree, of what is whole of a text that does not parse; None where there is no tree."""
        document = self.document
        if document is None:
            return None
        return document.root if document.error is None else document.partial

    @cached_property
    def nodes(self) -> NodeIndex:
        """The nodes of the YAML tree by their places; empty where there is no tree."""
        return NodeIndex(self.tree)

    @cached_property
    def _entries(self) -> tuple[list[int], list[Entry]]:
        entries = sorted(
            (entry for rules in self.shown.lists() for entry in rules.entries), key=lambda entry: entry.span
        )
        return [entry.span.start for entry in entries], entries

    @cached_property
    def markdown_entries(self) -> dict[int, MarkdownEntry]:
        """The entries of a Markdown file by their start, with how they stand in it; empty for another file."""
        if not isinstance(self.reading, MarkdownRules):
            return {}
        return {each.entry.span.start: each for section in self.reading.sections for each in section.entries}

    @cached_property
    def _item_sizes(self) -> Counter[Span]:
        # One text may be two entries, whose places begin alike.
        sections = self.reading.sections if isinstance(self.reading, MarkdownRules) else ()
        return Counter(each.item for section in sections for each in section.entries)

    def entries_of_item(self, item: Span) -> int:
        """How many entries of a Markdown file one list item, row or code block holds."""
        return self._item_sizes[item]

    def entry_at(self, span: Span) -> Entry | None:
        """The entry of a list that holds a span."""
        starts, entries = self._entries
        index = bisect_right(starts, span.start) - 1
        return entries[index] if index >= 0 and span.end <= entries[index].span.end else None


def _of_servers(
    name: str, path: str | None, kind: FileKind, text: Text, root: Root | None, known_servers: frozenset[str]
) -> Subject:
    data = text.content.encode("utf-8", "surrogatepass")
    file = read_server_file(server_file_of(path or name) or name, FileContent(True, data))
    neighbour = read_neighbour(kind, file.text, path or name)
    problems = file.problems
    if neighbour is not None and neighbour.document is not None and neighbour.document.error is None:
        # What does not parse is told once, as the fault of a server file.
        problems = tuple(sorted((*problems, *neighbour.problems), key=lambda problem: problem.span))
    return Subject(name, path, kind, file.text, None, problems, root, known_servers, neighbour=neighbour)


def subjects_in_force(policy: Policy) -> list[Subject]:
    """The saved files that govern a project: its rule file in force and its configuration, each where there is one."""
    config, root = policy.config, policy.root
    found: list[Subject] = []
    if policy.rule_file is not None:
        subject = _of_rule_file(policy.rule_file, root, policy.known_servers)
        found.append(replace(subject, meanwhile=ALL_DENIED if config.on_error == "deny" else NOT_IN_FORCE))
    if config.path is not None:
        name = root.relative(config.path) or config.path
        text = config.text or Text("")
        found.append(Subject(name, config.path, "config", text, config, config.problems, root, policy.known_servers))
    return found


def _of_rule_file(file: RuleFile, root: Root, known_servers: frozenset[str]) -> Subject:
    kind: FileKind = kind_of_rule_file(file.name)
    path = file.document.path
    if file.reading is None:
        return Subject._unreadable(file.name, path, kind, file.unreadable or "", root, known_servers)
    return Subject(file.name, path, kind, file.document.text, file.reading, file.problems, root, known_servers)
