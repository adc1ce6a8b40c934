"""A persona as it was read."""

from __future__ import annotations

from rules_lsp.prompt.personas.joined import JoinedItems
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_nodes import Scalar
from rules_lsp.source.yaml_tree import YamlDocument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    UseKind = Literal["variable", "filter", "function", "local", "include"]


@dataclass(frozen=True, slots=True)
class TemplateUse:
    """A name in the template: a known or unknown variable, a filter, a function, a local name, or an included text."""

    name: str
    kind: UseKind
    span: Span
    known: bool


@dataclass(frozen=True, slots=True)
class Persona:
    """What a template file says. `schema` is JSON data, `defaults` are the files to change where none is given."""

    template: str
    system: str | None = None
    schema: dict[str, Any] | None = None
    defaults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonaReading:
    """`document` is the tree, also of a text that does not parse; `items` are the lines of the template.

    `persona` is None where an error keeps it from being rendered. `uses` are the names in the template, in its order;
    empty where Jinja2 is not installed (`checked` is False then) or the template does not parse.
    """

    text: Text
    document: YamlDocument
    items: tuple[Scalar, ...]
    joined: JoinedItems
    persona: Persona | None
    problems: tuple[Problem, ...]
    uses: tuple[TemplateUse, ...] = ()
    checked: bool = True
