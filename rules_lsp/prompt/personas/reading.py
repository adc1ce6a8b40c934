"""Reading a persona: its structure, its template and its schema, with a place for every fault."""

from __future__ import annotations

import json

from rules_lsp.policy.keys import meant_key
from rules_lsp.policy.requests import shown
from rules_lsp.prompt.personas.joined import JoinedItems
from rules_lsp.prompt.personas.known import EDIT_KEYS, INSTALLING, KEYS, PASSED_OVER
from rules_lsp.prompt.personas.model import Persona, PersonaReading, TemplateUse
from rules_lsp.prompt.relaxed_json import data_of, read_relaxed_json, value_of
from rules_lsp.source.problem import Problem, Severity
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_nodes import Mapping, Node, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_persona(text: Text) -> PersonaReading:
    """Read a persona; never raises. Only its template needs Jinja2, only an embedded schema needs jsonschema."""
    return _Reader(text).reading()


def has_jinja() -> bool:
    """Whether Jinja2 is installed."""
    from importlib.util import find_spec

    return find_spec("jinja2") is not None


class _Reader:
    def __init__(self, text: Text) -> None:
        self._text = text
        self._document = read_relaxed_json(text)
        self._problems = list(self._document.problems)
        self._items: tuple[Scalar, ...] = ()
        self._uses: tuple[TemplateUse, ...] = ()
        self._checked = True

    def reading(self) -> PersonaReading:
        root = self._document.partial
        if self._document.error is None:
            self._check_strictness()
        if isinstance(root, Mapping):
            self._read(root)
        elif self._document.error is None:
            span = self._text.line_span(0) if root is None else root.span
            self._tell("wrong-type", "a persona is a JSON object with `user_content`", span)
        joined = JoinedItems(self._items, self._text.content)
        if self._items:
            self._check_template(joined)
        if isinstance(root, Mapping) and self._document.error is None:
            self._check_unused(root)
        broken = any(problem.severity == "error" for problem in self._problems)
        persona = self._persona(root, joined) if isinstance(root, Mapping) and not broken else None
        found = sorted(self._problems, key=lambda problem: problem.span)
        return PersonaReading(
            self._text, self._document, self._items, joined, persona, tuple(found), self._uses, self._checked
        )

    def _persona(self, root: Mapping, joined: JoinedItems) -> Persona:
        system, schema = data_of(value_of(root, "system_content")), data_of(value_of(root, "json_schema"))
        return Persona(
            joined.text,
            system if isinstance(system, str) else None,
            schema if isinstance(schema, dict) else None,
            _texts(value_of(root, "default_file_path")),
        )

    def _tell(
        self, code: str, message: str, span: Span, severity: Severity = "error", meant: str | None = None
    ) -> None:
        self._problems.append(Problem(code, message, span, severity, {} if meant is None else {"meant": meant}))

    def _check_strictness(self) -> None:
        content = self._text.content.removeprefix("\ufeff")
        try:
            json.loads(content)
        except json.JSONDecodeError as error:
            if content.strip():
                start = min(error.pos + len(self._text.content) - len(content), len(self._text.content))
                message = "a persona is plain JSON: its own program refuses comments and trailing commas"
                self._tell("relaxed-json", message, Span(start, min(start + 1, len(self._text.content))), "warning")
        except (ValueError, RecursionError):
            pass

    def _read(self, root: Mapping) -> None:
        for key, value in root.pairs:
            if not isinstance(key, Scalar):
                continue
            if key.value not in KEYS:
                self._unknown(key)
            elif not self._is_missing(value):
                self._check_value(key.value, value)
        if value_of(root, "user_content") is None:
            opening = Span(root.span.start, min(root.span.start + 1, len(self._text.content)))
            self._tell("missing-key", "`user_content` is missing: a persona needs the lines of its message", opening)

    def _is_missing(self, value: Node) -> bool:
        """Whether a value is not yet typed: the text does not parse then, which is said already."""
        return isinstance(value, Scalar) and not value.style and not value.value

    def _unknown(self, key: Scalar) -> None:
        if key.value in PASSED_OVER:
            return
        near = meant_key(key.value, KEYS)
        hint = f": did you mean `{near}`?" if near else f": a persona has {', '.join(f'`{name}`' for name in KEYS)}"
        self._tell("unknown-key", f"unknown key `{shown(key.value)}`{hint}", key.span, "warning", near)

    def _check_value(self, key: str, value: Node) -> None:
        if key == "system_content":
            if not _is_text(value):
                self._tell("wrong-type", "`system_content` must be text", value.span)
        elif key == "user_content":
            self._check_content(value)
        elif key == "default_file_path":
            self._check_defaults(value)
        elif isinstance(value, Mapping):
            self._check_schema(value)
        else:
            self._tell("wrong-type", "`json_schema` must be an object", value.span)

    def _check_content(self, value: Node) -> None:
        if not isinstance(value, Sequence):
            self._tell("wrong-type", "`user_content` must be a list of texts, one a line", value.span)
            return
        for item in value.items:
            if not _is_text(item):
                self._tell("wrong-type", "a line of `user_content` must be text", item.span)
        self._items = tuple(item for item in value.items if isinstance(item, Scalar) and _is_text(item))
        if not value.items:
            self._tell("wrong-type", "`user_content` is empty: the message would be too", value.span, "warning")

    def _check_defaults(self, value: Node) -> None:
        if not _is_text(value) and not isinstance(value, Sequence):
            self._tell("wrong-type", "`default_file_path` must be a text or a list of texts", value.span)
        for item in value.items if isinstance(value, Sequence) else (value,):
            if isinstance(item, Scalar) and item.style and not item.value.strip():
                self._tell("wrong-type", "an empty path names no file", item.token)
            elif isinstance(value, Sequence) and not _is_text(item):
                self._tell("wrong-type", "an item of `default_file_path` must be text", item.span)

    def _check_schema(self, value: Mapping) -> None:
        from rules_lsp.schemas import schema_faults

        for fault in schema_faults(data_of(value)):
            name = ".".join(("json_schema", *map(str, fault.path)))
            self._tell("invalid-schema", f"`{shown(name)}` {fault.message}", _at(value, fault.path))
        keys = _properties(value)
        if keys is None or not {key.value for key in keys} & set(EDIT_KEYS):
            return
        missing = [name for name in EDIT_KEYS if name not in {key.value for key in keys}]
        if missing:
            told = ", ".join(f"`{name}`" for name in missing)
            message = f"a schema of edits needs {told} too: without that no edit can be made"
            self._tell("incomplete-edit-schema", message, keys[0].span, "warning")

    def _check_template(self, joined: JoinedItems) -> None:
        if not has_jinja():
            self._checked = False
            message = f"the template is not checked, since Jinja2 is not installed: `{INSTALLING}`"
            self._tell("jinja-missing", message, self._items[0].span, "information")
            return
        from rules_lsp.prompt.personas.templates import check_template

        problems, uses = check_template(joined)
        self._problems += problems
        self._uses = tuple(uses)

    def _check_unused(self, root: Mapping) -> None:
        """What a person says, and what is to be edited, must reach the model."""
        if not self._uses and (not self._items or not self._checked or any(map(_is_of_template, self._problems))):
            return
        # A slip of the pen is told already.
        used = {use.name for use in self._uses} | {problem.data.get("meant") for problem in self._problems}
        place = next(key.span for key, _ in root.pairs if isinstance(key, Scalar) and key.value == "user_content")
        if "task_description" not in used:
            message = "`task_description` is never used: what is asked for does not reach the model"
            self._tell("unused-variable", message, place, "warning")
        schema = value_of(root, "json_schema")
        keys = _properties(schema) if isinstance(schema, Mapping) else None
        if keys and {key.value for key in keys} >= set(EDIT_KEYS) and "target_contents" not in used:
            message = "`target_contents` is never used: the model is to edit files whose text it is not told"
            self._tell("unused-variable", message, place, "warning")


def _is_text(node: Node) -> bool:
    return isinstance(node, Scalar) and bool(node.style)


def _is_of_template(problem: Problem) -> bool:
    return problem.code == "template-syntax"


def _texts(node: Node | None) -> tuple[str, ...]:
    nodes = node.items if isinstance(node, Sequence) else (node,)
    return tuple(item.value for item in nodes if isinstance(item, Scalar) and item.style)


def _properties(schema: Mapping) -> list[Scalar] | None:
    """The keys of an object that the schema describes: the schema's own or those of its items; None without any."""
    items = value_of(schema, "items")
    inner = items if isinstance(items, Mapping) else schema
    properties = value_of(inner, "properties")
    if not isinstance(properties, Mapping):
        return None
    return [key for key, _ in properties.pairs if isinstance(key, Scalar)]


def _at(node: Node, path: tuple[Any, ...]) -> Span:
    """The place of what a path leads to in a schema: the value of the last step that is there."""
    for step in path:
        below: Node | None = None
        if isinstance(node, Mapping):
            below = value_of(node, str(step))
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            below = node.items[step]
        if below is None:
            break
        node = below
    return node.span
