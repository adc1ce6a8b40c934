"""Rendering a persona in a process of its own, which has little time, little memory, and no files."""

from __future__ import annotations

import json
import subprocess
import sys

from rules_lsp.prompt.personas.known import INSTALLING
from rules_lsp.prompt.personas.model import PersonaReading
from rules_lsp.prompt.personas.reading import has_jinja
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

SECONDS = 5.0
MAX_CHARACTERS = 8 * 1024 * 1024
"""Of a rendered message, and of what it is made from."""

# The child finds the package where this process has found it, whatever the environment says.
_CHILD = (
    "import json, sys; request = json.load(sys.stdin.buffer); sys.path[:] = request['path']; "
    "from rules_lsp.prompt.personas.child import main; main(request)"
)


@dataclass(frozen=True, slots=True)
class RenderedPersona:
    """What a model would be told: both messages and the schema; `user` is None where `problems` say why not.

    The places of problems are in the document of the persona.
    """

    user: str | None
    system: str | None
    schema: dict[str, Any] | None
    problems: tuple[Problem, ...] = ()


def render_persona(
    reading: PersonaReading, variables: Mapping[str, object], cwd: str, *, seconds: float = SECONDS
) -> RenderedPersona:
    """Render a persona with the values of its variables, `cwd` for its filter; never raises.

    A template that needs more than `seconds`, or makes more than `MAX_CHARACTERS`, is a problem.
    """
    persona = reading.persona
    if persona is None:
        errors = tuple(problem for problem in reading.problems if problem.severity == "error")
        return RenderedPersona(None, None, None, errors)
    if not has_jinja():
        message = f"a persona is rendered by Jinja2, which is not installed: `{INSTALLING}`"
        return _failed(reading, Problem("jinja-missing", message, _whole(reading)))
    request = {
        "path": [entry or "." for entry in sys.path],
        "template": persona.template,
        "variables": dict(variables),
        "cwd": cwd,
        "seconds": seconds,
        "most": MAX_CHARACTERS,
    }
    data = json.dumps(request).encode("ascii", "replace")
    if len(data) > 8 * MAX_CHARACTERS:
        return _failed(reading, Problem("render-failed", "the files are too large to render", _whole(reading)))
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _CHILD], input=data, capture_output=True, timeout=seconds, check=False
        )
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return _failed(reading, _too_long(reading, seconds))
    except (OSError, ValueError):
        # What is out of memory or of time is ended without a word.
        message = "the template needs more time or memory than it is given"
        return _failed(reading, Problem("render-failed", message, _whole(reading)))
    if "text" in answer:
        return RenderedPersona(answer["text"], persona.system, persona.schema)
    offset = answer.get("offset")
    place = _whole(reading) if offset is None else reading.joined.span(offset, offset + 1)
    return _failed(reading, Problem(answer["code"], answer["message"], place))


def _failed(reading: PersonaReading, problem: Problem) -> RenderedPersona:
    persona = reading.persona
    return RenderedPersona(None, persona.system if persona else None, persona.schema if persona else None, (problem,))


def _too_long(reading: PersonaReading, seconds: float) -> Problem:
    return Problem("render-failed", f"the template needs more than {seconds:g} seconds", _whole(reading))


def _whole(reading: PersonaReading) -> Span:
    return reading.items[0].span if reading.items else reading.text.line_span(0)
