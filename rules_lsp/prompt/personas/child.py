"""The process that renders one template: it takes its request, gives up what it does not need, and answers.

The sandbox keeps a template from what is not its own; the limits keep it from using the machine up, and hold even where
the sandbox would not: no file can be opened, no process started.
"""

from __future__ import annotations

import json
import os
import sys
import traceback

from jinja2 import TemplateError, UndefinedError
from jinja2.exceptions import SecurityError

from rules_lsp.policy.requests import printable
from rules_lsp.prompt.context.paths import displayed
from rules_lsp.prompt.personas.environment import PersonaEnvironment, packaged_names, packaged_text
from rules_lsp.source.excerpt import bounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MEMORY = 768 * 1024 * 1024
_FILE_NAME = "<persona>"


class _TooLong(Exception):
    """The text is longer than it may be."""


def main(request: dict[str, Any]) -> None:
    """Render the template of a request and print the answer as JSON, then end the process."""
    environment = PersonaEnvironment(lambda path: displayed(str(path), request["cwd"]))
    texts = {name: packaged_text(name) for name in packaged_names()}
    environment.loader.load_func = texts.get  # type: ignore[union-attr]
    _imports_of_rendering(environment)
    _give_up(request["seconds"])
    answer = json.dumps(_answer(environment, request))
    sys.stdout.write(answer)
    sys.stdout.flush()
    os._exit(0)


def _imports_of_rendering(environment: PersonaEnvironment) -> None:
    """Have everything imported that is imported late: no file can be opened afterwards."""
    source = "{% macro m(x) %}{{ x | tojson }}{% endmacro %}{{ m('é') | upper | urlize }}{{ [1] | sum }}"
    environment.from_string(source).render()
    environment.from_string("{{ [1] | pprint }}{{ 'a b' | wordwrap(1) }}{{ '<b>' | striptags }}").render()
    try:
        environment.from_string("{{ nothing }}").render()
    except UndefinedError as error:
        json.dumps([str(error), _offset(error)])


def _give_up(seconds: float) -> None:
    """Limit time, memory, files and processes where the system can; the parent watches the clock everywhere."""
    try:
        import resource
    except ImportError:
        return
    for name, most in (
        ("RLIMIT_CPU", int(seconds) + 1),
        ("RLIMIT_AS", MEMORY),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_NOFILE", 3),
        ("RLIMIT_NPROC", 0),
        ("RLIMIT_CORE", 0),
    ):
        try:
            resource.setrlimit(getattr(resource, name), (most, most))
        except (AttributeError, OSError, ValueError):
            continue


def _answer(environment: PersonaEnvironment, request: dict[str, Any]) -> dict[str, Any]:
    try:
        code = environment.compile(request["template"], filename=_FILE_NAME)
        template = environment.template_class.from_code(environment, code, environment.make_globals(None))
        pieces, length = [], 0
        for piece in template.generate(**request["variables"]):
            length += len(piece)
            if length > request["most"]:
                raise _TooLong
            pieces.append(piece)
        return {"text": "".join(pieces)}
    except _TooLong:
        return _fault("render-failed", f"the text is longer than {request['most']:,} characters", None)
    except MemoryError:
        return _fault("render-failed", "the template needs more memory than it is given", None)
    except RecursionError as error:
        return _fault("render-failed", "the template calls itself without an end", error)
    except UndefinedError as error:
        return _fault("undefined-variable", error.message or "a value is undefined", error)
    except SecurityError as error:
        return _fault("template-unsafe", error.message or "this is out of reach of a template", error)
    except SyntaxError:
        return _fault("render-failed", "the template is nested too deeply", None)
    except (ImportError, OSError) as error:
        return _fault("template-unsafe", "this needs a file, and a template reads none", error)
    except TemplateError as error:
        return _fault("template-syntax", error.message or type(error).__name__, error)
    except Exception as error:
        # The filters of Jinja2 raise what they like for values of the wrong kind.
        return _fault("render-failed", str(error) or type(error).__name__, error)


def _fault(code: str, message: str, error: Exception | None) -> dict[str, Any]:
    told = bounded(printable(message.strip().rstrip(".")).replace("'", "`"), 300)
    return {"code": code, "message": told[:1].lower() + told[1:], "offset": _offset(error)}


def _offset(error: Exception | None) -> int | None:
    """The offset in the template: what Jinja2 tells as a line, of the innermost frame that is one of the template."""
    if error is None:
        return None
    if isinstance(error, TemplateError) and isinstance(line := getattr(error, "lineno", None), int):
        return line
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == _FILE_NAME]
    return lines[-1] if lines else None
