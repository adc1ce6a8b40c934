"""The template language of prompts, includes in instructions, and the three states of a project."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_lsp.prompt.a0_project import A0Project
from rules_lsp.prompt.active_project import active_prompt, inactive_prompt, main_prompt
from rules_lsp.prompt.includes import read_includes
from rules_lsp.prompt.template import read_template, render
from rules_lsp.prompt.wording import WORDINGS
from rules_lsp.source.text import Text

VALUES = {"a": "1", "b": "", "c": "{{a}}"}
KNOWN = ("a", "b")
REST = "this and every condition behind it are printed as they stand"


@pytest.mark.parametrize(
    ("template", "made"),
    [
        ("plain", "plain"),
        ("{{a}}{{a}}", "11"),
        ("{{b}}", ""),
        ("{{ a }} {{x}} {{A}} {a} {{a", "{{ a }} {{x}} {{A}} {a} {{a"),
        ("{{{a}}}", "{1}"),
        ("{{c}}", "{{a}}"),
        ("{{if a}}A{{endif}}{{if b}}B{{endif}}.", "A."),
        ("{{if a}}x{{if b}}y{{endif}}z{{endif}}", "xz"),
        ("{{if b}}x{{if a}}y{{endif}}z{{endif}}w", "w"),
        ("{{ if a }}\nx\n{{ endif }}", "\nx\n"),
        ("{{if q}}Q{{endif}}{{if b}}{{a}}{{endif}}", "{{if q}}Q{{endif}}{{if b}}1{{endif}}"),
        ("{{if b}}B{{endif}}{{if q}}Q{{endif}}", "{{if q}}Q{{endif}}"),
        ("{{if a}}open {{a}}", "{{if a}}open 1"),
        ("{{if a}}1{{else}}2{{endif}}", "1{{else}}2"),
        ("{{endif}}{{if a}}x{{endif}}", "{{endif}}x"),
        ("{% if a %}{# x #}", "{% if a %}{# x #}"),
        ("日本語\r\n{{a}}\r\n", "日本語\r\n1\r\n"),
    ],
)
def test_rendering(template: str, made: str) -> None:
    assert render(template, VALUES) == made


@pytest.mark.parametrize(
    ("template", "code", "severity", "place", "message"),
    [
        (
            "{{if a}}x{{else}}y{{endif}}",
            "template-else",
            "error",
            "{{else}}",
            "there is no `else`: `{{else}}` is printed as it stands, and so is what follows it; use a second "
            "`{{if …}}`",
        ),
        (
            "{{if q}}x{{endif}}",
            "undefined-name",
            "error",
            "{{if q}}",
            f"`q` is not known here, so {REST}: use `a`, `b`",
        ),
        (
            "x {{q}}",
            "undefined-name",
            "warning",
            "{{q}}",
            "`q` is not known here and is printed as it stands: use `a`, `b`",
        ),
        (
            "{{if a}}x",
            "unclosed-condition",
            "error",
            "{{if a}}",
            f"`{{{{if a}}}}` is never closed, so {REST}: add `{{{{endif}}}}`",
        ),
        (
            "x{{endif}}",
            "stray-endif",
            "error",
            "{{endif}}",
            "this `{{endif}}` closes nothing and is printed as it stands: remove it",
        ),
        ("{{if a}}x{{endif}}{{/if}}", "stray-endif", "error", "{{/if}}", "`{{/if}}` closes nothing: write `{{endif}}`"),
        (
            "x {{ a }}",
            "spaced-placeholder",
            "error",
            "{{ a }}",
            "`{{ a }}` is not replaced, since blanks stand around the name: write `{{a}}`",
        ),
        (
            "{% if a %}",
            "foreign-template-tag",
            "warning",
            "{% if a %}",
            "`{% if a %}` is not understood here and is printed as it stands: only `{{…}}` is",
        ),
        (
            "{{if a and b}}x{{endif}}",
            "condition-expression",
            "information",
            "{{if a and b}}",
            "`a and b` is more than a name: what it decides is not shown here",
        ),
    ],
)
def test_what_is_said_of_a_template(template: str, code: str, severity: str, place: str, message: str) -> None:
    found = read_template(Text(template), KNOWN).problems
    assert [(each.code, each.severity, template[each.span.start : each.span.end], each.message) for each in found] == [
        (code, severity, place, message)
    ]


@pytest.mark.parametrize(
    "template",
    [
        "",
        "{{a}} and {{b}}",
        "{{if a}}{{if b}}x{{endif}}{{endif}}",
        "{ {a} }",
        "{{ q }}",
        "50% {a%b}",
        "{{ if a }}x{{ endif }}",
    ],
)
def test_templates_of_which_nothing_is_said(template: str) -> None:
    assert read_template(Text(template), KNOWN).problems == ()


def test_the_names_of_a_template() -> None:
    assert read_template(Text("{{a}}{{if q}}{{a}}{{endif}}{{ x }}{{b}}"), KNOWN).names == ("a", "q", "b")


@given(st.text(alphabet="{}% abif\nendlsx", max_size=50))
def test_no_template_raises(template: str) -> None:
    render(template, VALUES)
    for problem in read_template(Text(template), KNOWN).problems:
        assert problem.span.end <= len(template)


@pytest.mark.parametrize("part", ["{{", "{{if a}}", "{{ ", "{{ include '", "{%", "{{if a}}{{endif}}", "{{include\n"])
def test_the_work_grows_with_the_template(part: str) -> None:
    def seconds(times: int) -> float:
        began = process_time()
        render(part * times, VALUES)
        read_template(Text(part * times), KNOWN)
        read_includes(Text(part * times))
        return process_time() - began

    few = min(seconds(1_000) for _ in range(3))
    assert min(seconds(10_000) for _ in range(3)) < 40 * few + 0.05


def test_includes_in_instructions() -> None:
    content = "{{ include 'a.md' }} {{include \"../../secret\"}} {{ include original }} `include 'x'` {{ included }}"
    found = read_includes(Text(content))
    assert [(each.code, each.severity, content[each.span.start : each.span.end]) for each in found] == [
        ("include-in-instructions", "warning", "{{ include 'a.md' }}"),
        ("include-escapes", "error", '{{include "../../secret"}}'),
        ("include-in-instructions", "warning", "{{ include original }}"),
    ]
    assert found[1].message == (
        "`../../secret` leads out of the folder of prompts, and Agent Zero tells what stands there: "
        "name the file in words"
    )


def test_the_three_states() -> None:
    assert main_prompt() == "You may be working in a project; what follows says whether you are."
    assert inactive_prompt() == "You are working in no project at the moment."
    rules = (
        "\nThree rules hold here:\n1. Keep all of your work inside /w/shop.\n"
        "2. Leave the name of the project's folder and everything in `.a0proj` alone, unless you are asked to change "
        "it.\n"
        "3. Where the project gives instructions, follow them."
    )
    whole = A0Project(title="Shop", description="Sells {{project_path}}", git_url="https://h/x")
    assert active_prompt(whole, "/w/shop") == (
        "## Your project\n- folder: /w/shop\n- title: Shop\n- about: Sells {{project_path}}\n- repository: https://h/x\n"
        + rules
    )
    assert active_prompt(A0Project(), "/w/shop") == "## Your project\n- folder: /w/shop\n" + rules


def test_a_template_of_the_user() -> None:
    templates = {
        "agent.system.projects.active.md": "in {{project_path}}{{if project_git_url}} ({{project_git_url}}){{endif}}"
    }
    assert active_prompt(A0Project(), "/w", templates) == "in /w"
    assert active_prompt(A0Project(git_url="u"), "/w", templates) == "in /w (u)"
    assert inactive_prompt(templates) == "You are working in no project at the moment."


@pytest.mark.parametrize("name", WORDINGS)
def test_nothing_is_wrong_with_our_own_templates(name: str) -> None:
    wording = WORDINGS[name]
    reading = read_template(Text(wording.content), wording.names)
    assert (reading.problems, set(reading.names) <= set(wording.names)) == ((), True)
