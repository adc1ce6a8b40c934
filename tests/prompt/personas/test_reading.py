"""What reading a persona finds, and where."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rules_lsp.prompt.personas.environment import packaged_names
from rules_lsp.prompt.personas.known import VARIABLES
from rules_lsp.prompt.personas.reading import read_persona
from rules_lsp.schemas import validate
from rules_lsp.source.text import Text
from tests.prompt.personas.support import TASK, message, read, told

ROOT = Path(__file__).parents[3]
DATA = ROOT / "rules_lsp" / "prompt" / "personas" / "data"
EDITS = {"file_path": {"type": "string"}, "search_block": {"type": "string"}, "replace_block": {"type": "string"}}


@pytest.mark.parametrize("path", sorted(DATA.glob("*.json")), ids=lambda path: path.stem)
def test_the_personas_of_the_package_are_without_fault(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    reading = read_persona(Text(text))
    assert reading.problems == ()
    assert reading.persona is not None
    assert validate("persona-template", json.loads(text)) == []
    assert packaged_names() == ("files.jinja",)


def test_a_persona_says_what_it_holds() -> None:
    reading = read(
        "{{ cwd }}", TASK, system_content="Be {{ brief }}.", json_schema={"type": "object"}, default_file_path="a"
    )
    persona = reading.persona
    assert persona is not None
    assert (persona.template, persona.system) == (f"{{{{ cwd }}}}\n{TASK}", "Be {{ brief }}.")
    assert (persona.schema, persona.defaults) == ({"type": "object"}, ("a",))
    assert reading.problems == ()
    assert [(use.name, use.kind, use.known) for use in reading.uses] == [
        ("cwd", "variable", True),
        ("task_description", "variable", True),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [("wrong-type", "error", "")]),
        ("[]", [("wrong-type", "error", "[]")]),
        ("{}", [("missing-key", "error", "{")]),
        ('{"user_content": "x"}', [("wrong-type", "error", "x")]),
        ('{"user_content": ["{{ task_description }}", 5]}', [("wrong-type", "error", "5")]),
        ('{"user_content": ["{{ task_description }}"], "system_content": []}', [("wrong-type", "error", "[]")]),
        ('{"user_content": ["{{ task_description }}"], "json_schema": []}', [("wrong-type", "error", "[]")]),
        ('{"user_content": ["{{ task_description }}"], "default_file_path": 1}', [("wrong-type", "error", "1")]),
        ('{"user_content": ["{{ task_description }}"], "default_file_path": [""]}', [("wrong-type", "error", '""')]),
        ('{"$schema": "x", "user_content": ["{{ task_description }}"]}', []),
        (
            '{"user_contents": ["{{ task_description }}"]}',
            [("missing-key", "error", "{"), ("unknown-key", "warning", "user_contents")],
        ),
        ('{"user_content": ["{{ task_description }}",]} // c', [("relaxed-json", "warning", "]")]),
        ('{"user_content": ["{{ task_description }}"', [("syntax-error", "error", '"')]),
        ('{"user_content', [("syntax-error", "error", '"')]),
    ],
)
def test_structure(text: str, found: list[tuple[str, str, str]]) -> None:
    assert sorted(told(read_persona(Text(text)))) == sorted(found)


def test_a_text_that_is_being_typed_has_a_tree_and_items() -> None:
    reading = read_persona(Text('{"user_content": ["a {{ cwd }}", "{{ targ'))
    assert [item.value for item in reading.items] == ["a {{ cwd }}", "{{ targ"]
    assert reading.persona is None


@pytest.mark.parametrize(
    ("lines", "at", "words"),
    [
        (["a", "{% for x in cwd %}", "b"], "for", "`for` is never closed: write `{% endfor %}`"),
        (["{% if cwd %}", "{% for x in cwd %}", "{% endfor %}"], "if", "`if` is never closed: write `{% endif %}`"),
        (['é"\n\\{{ foo bar }}'], "bar", "expected token `end of print statement`, got `bar`"),
        (["\U0001f600 {{ 5 ? }}"], "?", "unexpected char `?`"),
        (["{{ 'abc }}"], "'", "this quote is never closed"),
        (["{# never", "x"], "{#", "`{#` is never closed: write `#}` behind it"),
        (["{{ cwd"], "{{", "`{{` is never closed: write `}}` behind it"),
        (["{% raw %}{{ x }}"], "raw", "`raw` is never closed: write `{% endraw %}`"),
        (["a", "{% endfor %}"], "endfor", "there is nothing open that this closes"),
        (["{% bogus %}"], "bogus", "encountered unknown tag `bogus`"),
        (["{% if %}"], "%", "expected an expression, got `end of statement block`"),
        (["{{ " + "(" * 5000], "", "the template is nested too deeply"),
    ],
)
def test_a_syntax_error_stands_at_its_item(lines: list[str], at: str, words: str) -> None:
    reading = read(*lines)
    assert told(reading) == [("template-syntax", "error", at)]
    assert message(reading) == words
    assert reading.persona is None


def test_a_block_over_items_is_fine_and_a_tag_over_items_is_told() -> None:
    assert read("{% for path in target_contents %}", "{{ path }}", "{% endfor %}", TASK).problems == ()
    reading = read("{{ task_description", "}}")
    assert told(reading) == [("template-split-tag", "warning", "{{")]
    assert read("{# a", "b #}", TASK).problems == ()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("{{ task_descripton }}", [("undefined-variable", "task_descripton")]),
        ("{{ x.y }}", [("undefined-variable", "x")]),
        ("{% if extra is defined %}{{ extra }}{% endif %}{{ other | default('') }}", []),
        ("{% set a = 1 %}{{ a }}{% for k, v in target_contents.items() %}{{ v }}{% endfor %}", []),
        ("{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1) }}", []),
        ("{% set a = 1 %}", [("unused-variable", "a")]),
        ("{% macro m(a) %}{{ a }}{% endmacro %}", [("unused-variable", "m")]),
        ("{{ cwd | relative_pth }}", [("unknown-filter", "relative_pth")]),
        ("{{ cwd | relative_path | upper }}", []),
        ("{% if cwd is strange %}{% endif %}", [("unknown-filter", "strange")]),
        ("{{ cwd.__class__ }}", [("template-unsafe", "__class__")]),
        ("{{ cwd['__class__'] }}", [("template-unsafe", "__class__")]),
        ("{% include '/etc/passwd' %}", [("template-reads-file", "/etc/passwd")]),
        ("{% extends '../x' %}", [("template-reads-file", "../x")]),
        ("{% import cwd as c %}", [("template-reads-file", "import")]),
        ("{% from 'files.jinja' import files %}{{ files({}) }}", []),
        ("{{ lipsum() }}", [("undefined-variable", "lipsum")]),
    ],
)
def test_names(line: str, found: list[tuple[str, str]]) -> None:
    assert [(code, at) for code, _, at in told(read(TASK, line))] == found


def test_the_nearest_name_is_told() -> None:
    reading = read("{{ task_descripton }}")
    assert message(reading) == "the variable `task_descripton` is defined nowhere: did you mean `task_description`?"
    assert reading.problems[0].data == {"meant": "task_description"}


def test_what_is_asked_for_must_reach_the_model() -> None:
    schema = {"type": "array", "items": {"type": "object", "properties": EDITS}}
    assert told(read("x", json_schema=schema)) == [("unused-variable", "warning", "user_content")] * 2
    assert read(TASK, "{{ target_contents }}", json_schema=schema).problems == ()


def test_schemas() -> None:
    reading = read(TASK, json_schema={"type": "arry", "items": {"properties": {"file_path": 5}}})
    assert told(reading) == [
        ("invalid-schema", "error", "arry"),
        ("incomplete-edit-schema", "warning", "file_path"),
        ("invalid-schema", "error", "5"),
    ]
    assert reading.problems[1].message == (
        "a schema of edits needs `search_block`, `replace_block` too: without that no edit can be made"
    )
    assert read(TASK, json_schema={"properties": {"answer": {"type": "string"}}}).problems == ()


def test_every_known_variable_is_known_to_a_template() -> None:
    assert read(*(f"{{{{ {name} }}}}" for name in VARIABLES)).problems == ()


def test_without_jinja_the_structure_is_checked_all_the_same() -> None:
    program = (
        "import sys; sys.modules['jinja2'] = None\n"
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'jinja2' else find(name, *a)\n"
        "from rules_lsp.prompt.personas.reading import read_persona\n"
        "from rules_lsp.source.text import Text\n"
        """reading = read_persona(Text('{"user_content": ["{{ oops"], "x": 1}'))\n"""
        "print(reading.checked, *((p.code, p.severity) for p in reading.problems), reading.problems[0].message)"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    assert answer.stdout == (
        "False ('jinja-missing', 'information') ('unknown-key', 'warning') the template is not checked, since Jinja2 "
        "is not installed: `pip install 'rules-lsp[personas]'`\n"
    ), answer.stderr


def test_structure_is_read_without_importing_what_is_heavy() -> None:
    program = (
        "import sys, rules_lsp.prompt.personas.reading, rules_lsp.prompt.context.selecting, rules_lsp.cli.context\n"
        "print(sorted({'jinja2', 'jsonschema'} & sys.modules.keys()))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert answer.stdout == "[]\n"


def test_a_number_without_an_end_is_a_fault_at_its_place() -> None:
    number = "7" * 5000
    reading = read(TASK, f"é {{{{ {number} }}}}")
    assert told(reading) == [("template-syntax", "error", number)]
    assert message(reading) == "the number has too many digits"
    assert told(read(TASK, "{{ " + "7" * 4000 + " }}")) == []
