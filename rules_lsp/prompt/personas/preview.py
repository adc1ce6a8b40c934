"""What a model would be told by a persona about files of a project."""

from __future__ import annotations

import json
import os

from rules_lsp.prompt.context.model import ContextSelection
from rules_lsp.prompt.context.selecting import select_context
from rules_lsp.prompt.personas.model import PersonaReading
from rules_lsp.prompt.personas.rendering import RenderedPersona, render_persona
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from rules_lsp.workspace.project import Project

_NO_TASK = "(what is asked for stands here)"


@dataclass(frozen=True, slots=True)
class PersonaPreview:
    """The messages, and the files of which they were made: what the rules deny to be read is not in them."""

    rendered: RenderedPersona
    selection: ContextSelection

    @property
    def text(self) -> str | None:
        """Both messages and the schema for a person to read; None where the persona cannot be rendered."""
        rendered = self.rendered
        if rendered.user is None:
            return None
        parts = [("system", rendered.system), ("user", rendered.user)]
        if rendered.schema is not None:
            parts.append(("schema of the answer", json.dumps(rendered.schema, ensure_ascii=False, indent=2)))
        left_out = [f"{each.shown}: {each.decision.reason}" for each in self.selection.refused]
        if left_out:
            parts.append(("left out, since the rules deny it", "\n".join(left_out)))
        return "\n".join(f"--- {name} ---\n{text}" for name, text in parts if text is not None)

    def as_json(self) -> dict[str, Any]:
        """`system`, `user` and `schema` as a model is told them, and `schemaText` for one without structured output."""
        rendered = self.rendered
        return {
            "system": rendered.system,
            "user": rendered.user,
            "schema": rendered.schema,
            "schemaText": None if rendered.schema is None else schema_as_text(rendered.schema),
        }


def preview_persona(
    reading: PersonaReading,
    project: Project,
    targets: Sequence[str] = (),
    references: Sequence[str] = (),
    *,
    cwd: str,
    task: str | None = None,
) -> PersonaPreview:
    """Render a persona for files to change (else its own) and files to know; never raises. `cwd` is absolute."""
    defaults = reading.persona.defaults if reading.persona is not None and not targets else ()
    selection = select_context(project, [*targets, *defaults], (), references, cwd=cwd)
    variables = variables_of(selection, reading, task)
    return PersonaPreview(render_persona(reading, variables, selection.cwd), selection)


def variables_of(selection: ContextSelection, reading: PersonaReading, task: str | None = None) -> dict[str, object]:
    """The values of the variables that a template knows."""
    import datetime
    import platform

    schema = reading.persona.schema if reading.persona is not None else None
    return {
        "property_descriptions": property_descriptions(schema),
        "datetime": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "platform": f"{platform.system()} {platform.release()}".strip() or os.name,
        "cwd": selection.cwd,
        "task_description": _NO_TASK if task is None else task,
        "target_contents": {file.absolute: file.text for file in selection.of_role("target")},
        "context_contents": {file.absolute: file.text for file in selection.of_role("automatic", "reference")},
    }


def property_descriptions(schema: dict[str, Any] | None) -> dict[str, str]:
    """Each key of the objects that a schema describes, its own or those of its items, with its description."""
    inner = schema.get("items", schema) if schema is not None else {}
    properties = inner.get("properties") if isinstance(inner, dict) else None
    if not isinstance(properties, dict):
        return {}
    described = ((key, each.get("description") if isinstance(each, dict) else None) for key, each in properties.items())
    return {str(key): text if isinstance(text, str) else "" for key, text in described}


def schema_as_text(schema: dict[str, Any]) -> str:
    """What a model without structured output is told of the form of its answer."""
    kind = "a JSON array" if schema.get("type") == "array" else "JSON"
    return (
        f"Answer with {kind} and nothing else, neither before nor behind it. It must fit this JSON schema:\n\n"
        f"```json\n{json.dumps(schema, ensure_ascii=False, indent=2)}\n```\n"
    )
