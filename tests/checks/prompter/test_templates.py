"""The templates under the checks: nothing is found but what their author left to be filled in."""

from __future__ import annotations

import pytest

from rules_lsp.checks import Subject, run_checks
from rules_lsp.prompter.templates import TEMPLATES, Template

HEAD = "version: 1\nrules:\n"


def found_in(*templates: Template) -> list[tuple[str, str]]:
    items = "".join(f"  {line}\n" for template in templates for line in template.text.split("\n"))
    subject = Subject.of_text(".auto-prompter.yaml", HEAD + items)
    return [(each.code, subject.text.slice(each.span)) for each in run_checks(subject)]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_each_alone(template: Template) -> None:
    assert found_in(template) == [("unedited-template", text) for text in template.placeholders]


def test_all_of_them_together() -> None:
    assert found_in(*TEMPLATES) == [("unedited-template", "<the official sites of what this project uses>")]


def test_one_that_is_inserted_twice() -> None:
    assert found_in(TEMPLATES[0], TEMPLATES[0]) == [("duplicate-id", "explain-for-beginners")]
