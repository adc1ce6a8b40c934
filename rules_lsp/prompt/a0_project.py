"""The text of `.a0proj/project.json`: what an Agent Zero project says of itself, and what is wrong there."""

from __future__ import annotations

from rules_lsp.policy.keys import meant_key
from rules_lsp.policy.yaml.lists import first_line
from rules_lsp.prompt.a0_keys import (
    FALSE_WORDS,
    NUMBER_KEYS,
    PROJECT_KEYS,
    STRUCTURE_KEYS,
    TEXT_KEYS,
    TRUE_WORDS,
)
from rules_lsp.prompt.git_addresses import without_credentials
from rules_lsp.prompt.includes import read_includes
from rules_lsp.prompt.relaxed_json import data_of, read_relaxed_json, value_of
from rules_lsp.source.problem import Problem, Severity
from rules_lsp.source.records import dataclass, field
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_nodes import Mapping, Node, Scalar
from rules_lsp.source.yaml_tree import YamlDocument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NOTHING: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class FileStructure:
    """How much of the project's tree an agent is shown: levels, files and folders of a folder, lines in all.

    `gitignore` has patterns of what is left out.
    """

    enabled: bool = True
    max_depth: int = 5
    max_files: int = 20
    max_folders: int = 20
    max_lines: int = 250
    gitignore: str = ""


@dataclass(frozen=True, slots=True)
class A0Project:
    """A project as its file says, what is missing or wrong by its default. `git_url` has no credentials any more."""

    title: str = ""
    description: str = ""
    instructions: str = ""
    include_agents_md: bool = True
    color: str = ""
    git_url: str = ""
    file_structure: FileStructure = field(default_factory=FileStructure)


@dataclass(frozen=True, slots=True)
class A0ProjectReading:
    """What a text says. `spans` has the place of each value of the top level, inside the quotes of a text."""

    project: A0Project
    document: YamlDocument
    problems: tuple[Problem, ...]
    spans: dict[str, Span]

    @property
    def error(self) -> Problem | None:
        """Why the text does not parse, or None; then `project` has what can be made out of it all the same."""
        return self.document.error


def read_a0_project(text: Text) -> A0ProjectReading:
    """Read the text of a file; never raises. A text that is empty says nothing."""
    document = read_relaxed_json(text)
    reader = _Reader(text)
    root = document.partial
    if isinstance(root, Mapping):
        reader.top(root)
    elif root is not None and document.error is None:
        reader.report("wrong-type", "the file must hold an object", root.token)
    # What is said of the values of a text that is being typed would change with the next key.
    found = (*document.problems, *(() if document.error is not None else reader.problems))
    problems = tuple(sorted(found, key=lambda problem: problem.span))
    return A0ProjectReading(A0Project(**reader.values), document, problems, reader.spans)


class _Reader:
    def __init__(self, text: Text) -> None:
        self.problems: list[Problem] = []
        self.values: dict[str, Any] = {}
        self.spans: dict[str, Span] = {}
        self._text = text

    def report(
        self, code: str, message: str, span: Span, severity: Severity = "error", data: dict[str, str] = _NOTHING
    ) -> None:
        self.problems.append(Problem(code, message, span, severity, data))

    def top(self, root: Mapping) -> None:
        for key in _keys(root):
            if key.value not in PROJECT_KEYS:
                self._dropped(key, PROJECT_KEYS)
        for name in PROJECT_KEYS:
            node = value_of(root, name)
            if node is None:
                continue
            self.spans[name] = node.span
            if name in TEXT_KEYS:
                self._text_value(name, node)
            elif name == "include_agents_md":
                self.values[name] = self._switch(node)
            elif isinstance(node, Mapping):
                self.values[name] = self._structure(node, _key_span(root, name))
            else:
                self.report("wrong-type", "`file_structure` must be an object", node.token)

    def _text_value(self, name: str, node: Node) -> None:
        value = data_of(node)
        if value is None:
            return
        if not isinstance(value, str):
            self.report("wrong-type", f"`{name}` must be a text in double quotes", node.token)
            return
        if name == "git_url":
            value = self._address(value, node)
        elif name == "instructions" and "{{" in value:
            self._includes(value, node)
        self.values[name] = value

    def _includes(self, value: str, node: Node) -> None:
        # Where the text is written with escapes, its offsets are not those of the file.
        plain, start = self._text.slice(node.span) == value, node.span.start
        for found in read_includes(Text(value)):
            span = Span(start + found.span.start, start + found.span.end) if plain else node.span
            self.report(found.code, found.message, span, found.severity)

    def _address(self, value: str, node: Node) -> str:
        clean = without_credentials(value)
        if clean != value:
            message = "this address holds a secret that everyone sees who reads the file: remove it, and change it"
            escaped = self._text.slice(node.span) != value
            self.report("secret-in-address", message, node.span, data=_NOTHING if escaped else {"clean": clean})
        return clean

    def _switch(self, node: Node) -> bool:
        value = data_of(node)
        if value is None or isinstance(value, bool):
            return value is not False
        if not isinstance(value, str):
            self.report("wrong-type", "`include_agents_md` must be true or false", node.token)
            return bool(value)
        word = value.strip().lower()
        if word in FALSE_WORDS:
            return False
        shown = first_line(value)
        if word in TRUE_WORDS:
            message = f"`{shown}` is a text and counts as true: write `true` without quotes"
            self.report("text-for-switch", message, node.token, "information", {"write": "true"})
        else:
            message = f"`{shown}` counts as true: only `0`, `false`, `no` and `off` are texts that switch it off"
            self.report("text-for-switch", message, node.token, "warning")
        return True

    def _structure(self, node: Mapping, key: Span) -> FileStructure:
        for name in _keys(node):
            if name.value not in STRUCTURE_KEYS:
                message = f"`{first_line(name.value)}` is no key of `file_structure` and has no effect"
                meant = meant_key(name.value, STRUCTURE_KEYS)
                hint = f": did you mean `{meant}`?" if meant else ""
                self.report(
                    "unknown-key", message + hint, name.span, "warning", {"rename": meant} if meant else _NOTHING
                )
        missing = [name for name in STRUCTURE_KEYS if value_of(node, name) is None]
        if missing:
            named = ", ".join(f"`{name}`" for name in missing)
            message = f"`file_structure` lacks {named}: nothing fills in what is missing, so write all six keys"
            self.report("partial-file-structure", message, key, data={"missing": " ".join(missing)})
        values: dict[str, Any] = {
            name: found for name in STRUCTURE_KEYS if (found := self._part(name, value_of(node, name))) is not None
        }
        return FileStructure(**values)

    def _part(self, name: str, node: Node | None) -> object:
        value = data_of(node)
        if node is None:
            return None
        if name in NUMBER_KEYS:
            right, kind = isinstance(value, int) and not isinstance(value, bool) and value >= 0, "a whole number from 0"
        elif name == "gitignore":
            right, kind = isinstance(value, str), "a text with a pattern a line"
        else:
            right, kind = isinstance(value, bool), "true or false"
        if right:
            return value
        self.report("wrong-type", f"`{name}` must be {kind}", node.token)
        return None

    def _dropped(self, key: Scalar, known: tuple[str, ...]) -> None:
        meant = meant_key(key.value, known)
        hint = f"did you mean `{meant}`?" if meant else "remove it"
        message = f"`{first_line(key.value)}` has no effect and is dropped when Agent Zero saves the project: {hint}"
        self.report("dropped-key", message, key.span, "warning", {"rename": meant} if meant else _NOTHING)


def _keys(mapping: Mapping) -> list[Scalar]:
    return [key for key, _ in mapping.pairs if isinstance(key, Scalar)]


def _key_span(mapping: Mapping, name: str) -> Span:
    return next(key.span for key in reversed(_keys(mapping)) if key.value == name)
