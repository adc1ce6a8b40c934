"""Rendering: what comes out, and that no template gets at anything or holds anyone up."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rules_lsp.prompt.personas.preview import preview_persona, property_descriptions, schema_as_text
from rules_lsp.prompt.personas.rendering import MAX_CHARACTERS, RenderedPersona, render_persona
from rules_lsp.workspace.project import Project
from tests.prompt.personas.support import TASK, read
from tests.support.projects import build

VALUES: dict[str, object] = {
    "property_descriptions": {"file_path": "which file"},
    "datetime": "2026-01-02T03:04:05+00:00",
    "platform": "Linux",
    "cwd": "/w",
    "task_description": "T",
    "target_contents": {"/w/a.py": "a = 1", "/x/b.py": "b"},
    "context_contents": {},
}


def render(*lines: str, seconds: float = 5.0) -> RenderedPersona:
    return render_persona(read(*lines), VALUES, "/w", seconds=seconds)


def failed(*lines: str, seconds: float = 5.0) -> tuple[str, str, str]:
    reading = read(*lines)
    rendered = render_persona(reading, VALUES, "/w", seconds=seconds)
    assert rendered.user is None
    (problem,) = rendered.problems
    return problem.code, problem.message, reading.text.slice(problem.span)


def test_the_message_is_rendered() -> None:
    lines = (
        "{{ datetime }}",
        "{% for p, t in target_contents.items() %}{{ p | relative_path }}={{ t }};{% endfor %}",
        TASK,
    )
    assert render(*lines) == RenderedPersona("2026-01-02T03:04:05+00:00\na.py=a = 1;/x/b.py=b;\nT", None, None, ())


def test_packaged_macros_are_there() -> None:
    text = render("{% from 'files.jinja' import files %}{{ files(target_contents) }}", TASK).user
    assert text == "\n### a.py\n\n~~~~\na = 1\n~~~~\n\n### /x/b.py\n\n~~~~\nb\n~~~~\n\nT"


@pytest.mark.parametrize(
    ("line", "code", "message", "at"),
    [
        ("é {{ target_contents.nope }}", "undefined-variable", "`dict object` has no attribute `nope`", "."),
        ("{{ 1 / 0 }}", "render-failed", "division by zero", "1"),
        (
            "{{ cwd['__cla' ~ 'ss__'] }}",
            "template-unsafe",
            "access to attribute `__class__` of `str` object is unsafe",
            "[",
        ),
        (
            "{{ ''|attr('__class__') }}",
            "template-unsafe",
            "access to attribute `__class__` of `str` object is unsafe",
            "a",
        ),
        (
            "{{ '{0.__class__}'.format(1) }}",
            "template-unsafe",
            "access to attribute `__class__` of `int` object is unsafe",
            "(",
        ),
        (
            "{{ target_contents.clear() }}",
            "template-unsafe",
            "access to attribute `clear` of `dict` object is unsafe",
            "(",
        ),
    ],
)
def test_a_fault_stands_at_its_place(line: str, code: str, message: str, at: str) -> None:
    assert failed(TASK, line) == (code, message, at)


def test_filters_that_import_late_render() -> None:
    lines = "{{ {'a': 1} | pprint }}", "{{ 'a b' | wordwrap(1) }}", "{{ '<b>x</b> &amp; y' | striptags }}", TASK
    assert render(*lines).user == "{'a': 1}\na\nb\nx & y\nT"


def test_what_needs_a_file_is_out_of_reach() -> None:
    message = "this needs a file, and a template reads none"
    assert failed(TASK, "{{ cwd.encode('idna') }}") == ("template-unsafe", message, "(")


def test_nesting_that_python_refuses_is_told_plainly() -> None:
    line = "{% for a in [1] %}" * 25 + "x" + "{% endfor %}" * 25
    assert failed(TASK, line)[:2] == ("render-failed", "the template is nested too deeply")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{{ 'a' * 10**10 }}", "the template needs more memory than it is given"),
        ("{{ '%10000000000d' % 1 }}", "the template needs more memory than it is given"),
        ("{{ '{:10000000000}'.format(1) }}", "the template needs more memory than it is given"),
        ("{{ 'a' | center(10**12) }}", "the template needs more memory than it is given"),
        (
            "{% set n = namespace(x='ab') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
            "the template needs more memory than it is given",
        ),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "the template calls itself without an end"),
        ("{{ range(10**9) | list }}", "range too big. The sandbox blocks ranges larger than MAX_RANGE (100000)"),
        (
            "{% for a in range(99999) %}{% for b in range(99999) %}xxxxxxxxxxxxxxxxxxxx{% endfor %}{% endfor %}",
            f"the text is longer than {MAX_CHARACTERS:,} characters",
        ),
    ],
)
def test_a_bomb_is_put_out(line: str, message: str) -> None:
    assert failed(TASK, line)[:2] == ("render-failed", message)


@pytest.mark.parametrize(
    "line",
    [
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{% set n = namespace(x=['a']) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x }}",
        "{{ 7 ** (9 ** 9) }}",
    ],
)
def test_a_template_has_little_time(line: str) -> None:
    began = time.monotonic()
    code, message, _ = failed(TASK, line, seconds=1.0)
    assert code == "render-failed"
    assert message in (
        "the template needs more than 1 seconds",
        "the template needs more memory than it is given",
        "the template needs more time or memory than it is given",
    )
    assert time.monotonic() - began < 5


def test_what_a_persona_is_denied_is_not_in_its_preview(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    root = build(
        tmp_path,
        {
            ".coding-agent-rules.yaml": "file_patterns:\n  exclude: ['*.pem']\n",
            "a.py": "A",
            "k.pem": "KEY",
            "d.md": "D",
        },
    )
    reading = read("{{ target_contents }}", "{{ context_contents }}", TASK, default_file_path=["k.pem", "d.md"])
    preview = preview_persona(reading, Project(str(root)), [str(root / "a.py")], ["k.pem"], cwd=str(root), task="Go")
    assert preview.text == (
        f"--- user ---\n{{'{root}/a.py': 'A'}}\n{{}}\nGo\n"
        "--- left out, since the rules deny it ---\nk.pem: `k.pem` is excluded by `*.pem`"
    )
    # Without a target those of the persona itself are taken.
    defaults = preview_persona(reading, Project(str(root)), cwd=str(root))
    assert [file.shown for file in defaults.selection.files] == ["d.md"]
    assert [each.shown for each in defaults.selection.refused] == ["k.pem"]


def test_the_schema_as_text_and_the_descriptions_of_its_keys() -> None:
    schema = {"type": "array", "items": {"properties": {"a": {"description": "one"}, "b": {}, "c": True}}}
    assert property_descriptions(schema) == {"a": "one", "b": "", "c": ""}
    assert property_descriptions({"properties": {"x": {"description": "X"}}}) == {"x": "X"}
    assert property_descriptions(None) == property_descriptions({"items": True}) == {}
    assert schema_as_text({"type": "array"}) == (
        "Answer with a JSON array and nothing else, neither before nor behind it. It must fit this JSON schema:\n\n"
        '```json\n{\n  "type": "array"\n}\n```\n'
    )
