from __future__ import annotations

import json
from typing import Any

from rules_lsp.prompt.personas.model import PersonaReading
from rules_lsp.prompt.personas.reading import read_persona
from rules_lsp.source.text import Text

TASK = "{{ task_description }}"


def read(*lines: str, **keys: Any) -> PersonaReading:
    """The reading of a persona with these lines, written as JSON in ASCII."""
    return read_persona(Text(json.dumps({"user_content": [*lines], **keys})))


def told(reading: PersonaReading) -> list[tuple[str, str, str]]:
    """Each problem with its severity and the text at its place."""
    return [(each.code, each.severity, reading.text.slice(each.span)) for each in reading.problems]


def message(reading: PersonaReading) -> str:
    (problem,) = reading.problems
    return problem.message
