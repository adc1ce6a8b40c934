"""The templates: every one is a rule as it is inserted, alone and beside all others."""

from __future__ import annotations

import re

import pytest

from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.prompter.templates import TEMPLATES, Template
from rules_lsp.source.text import Text

HEAD = "version: 1\nrules:\n"


def inserted(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.split("\n"))


def test_there_are_the_nine() -> None:
    assert [template.title for template in TEMPLATES] == [
        "Explain for beginners",
        "Answer in Japanese",
        "Avoid hard words",
        "Explain commands",
        "Confirm dangerous commands",
        "Approval before sending outside",
        "Check official sources",
        "Keep to the movement",
        "Audit deletions",
    ]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_each_is_a_rule_as_it_is_inserted(template: Template) -> None:
    read = read_auto_prompter(Text(HEAD + inserted(template.text)))
    assert (read.problems, read.rules.refusal) == ((), None)
    assert [(rule.id, rule.name, rule.broken) for rule in read.rules.active] == [(template.id, template.title, None)]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_each_is_a_snippet(template: Template) -> None:
    stops = re.findall(r"\$\{([0-9]+):([^{}$\\]+)\}", template.body)
    assert [number for number, _ in stops] == [str(number + 1) for number in range(len(stops))]
    outside = re.sub(r"\$\{[0-9]+:[^{}$\\]+\}", "", template.body)
    assert "$" not in outside
    assert "\\" not in template.body
    assert "$" not in template.text
    assert template.body.startswith("- id: ${1:")
    assert not template.body.endswith("\n")
    assert all(placeholder in template.text for placeholder in template.placeholders)


def test_all_of_them_together_are_a_file() -> None:
    read = read_auto_prompter(Text(HEAD + "".join(inserted(template.text) for template in TEMPLATES)))
    assert (read.problems, read.rules.refusal) == ((), None)
    assert [rule.id for rule in read.rules.active] == [template.id for template in TEMPLATES]


def test_only_one_asks_to_be_edited() -> None:
    assert [template.id for template in TEMPLATES if template.placeholders] == ["check-official-sources"]
