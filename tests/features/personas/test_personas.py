"""What an editor shows of a persona: keys, the names that a template may use, and a preview."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rules_lsp.features.completion import TRIGGERS, completion
from rules_lsp.features.completion_documentation import documentation
from rules_lsp.features.hover import hover
from rules_lsp.features.neighbours import NOTHING_OUTSIDE, neighbour_features
from rules_lsp.features.symbols import document_symbols
from rules_lsp.features.view import View
from tests.features.known import known_view
from tests.features.support import CURSOR
from tests.features.test_any_text import PIECES

NAME = ".shaft/a/templates/plan.json"
VARIABLES = [
    "property_descriptions",
    "datetime",
    "platform",
    "cwd",
    "task_description",
    "target_contents",
    "context_contents",
]
SAMPLE = """\
{
  "system_content": "You plan {{ cwd }}.",
  "user_content": [
    "Task: {{ task_description }} \\u65e5 \U0001f600",
    "{% for path, text in target_contents.items() %}{{ path | relative_path }}",
    "{{ text }}{% endfor %}"
  ],
  "json_schema": {"type": "object"}
}
"""


def opened(root: Path, text: str) -> tuple[View, int]:
    return known_view(root, text.replace(CURSOR, ""), NAME, kind="persona"), text.index(CURSOR)


def labels(root: Path, text: str, trigger: str | None = None) -> list[str]:
    view, offset = opened(root, text)
    found = completion(view, offset, trigger)
    for item in found.items if found is not None else ():
        assert offset in item.span
    return [] if found is None else [item.label for item in found.items]


@pytest.mark.parametrize(
    "line",
    [
        "{{<|>}}",
        "{{ <|> }}",
        "{{ ta<|>sk }}",
        "a {{ x }} {{ (<|>",
        "{% if <|> %}",
        "{% for a in tar<|>",
        "{{ 'a' ~ <|> }}",
    ],
)
def test_variables_are_offered_in_expressions(tmp_path: Path, line: str) -> None:
    assert labels(tmp_path, f'{{"user_content": ["a", "{line}"]}}') == VARIABLES


@pytest.mark.parametrize(
    "line",
    ["<|>", "a <|> {{ b }}", "{{ a }} <|>", "{# <|> #}", "{{ a.<|> }}", "{% fo<|>r %}", "{% <|> %}", "{{ 'a <|>' }}"],
)
def test_nothing_is_offered_in_prose(tmp_path: Path, line: str) -> None:
    assert labels(tmp_path, f'{{"user_content": ["a", "{line}"]}}') == []


def test_a_filter_is_offered_behind_a_bar_and_keys_where_keys_stand(tmp_path: Path) -> None:
    assert labels(tmp_path, '{"user_content": ["{{ cwd | <|> }}"]}') == ["relative_path"]
    assert labels(tmp_path, '{"user_content": ["{{ cwd|rel<|>"]}') == ["relative_path"]
    assert labels(tmp_path, '{"user_content": ["{{ <|>"]}', " ") == VARIABLES
    assert labels(tmp_path, '{"system_content": "{{ <|> }}"}') == []
    keys = ["$schema", "default_file_path", "json_schema", "system_content", "user_content"]
    assert sorted(labels(tmp_path, "{<|>}")) == keys


def test_the_whole_name_is_replaced(tmp_path: Path) -> None:
    view, offset = opened(tmp_path, '{"user_content": ["{{ ta<|>sk | x }}"]}')
    found = completion(view, offset)
    assert found is not None
    assert {view.subject.text.slice(item.span) for item in found.items} == {"task"}
    topic = found.items[3].topic
    assert topic is not None
    assert documentation(view, topic) == "The working directory, an absolute path."


def test_hover_says_what_a_name_holds(tmp_path: Path) -> None:
    def shown(place: str) -> str | None:
        view, offset = opened(tmp_path, SAMPLE.replace(place, f"{place[:2]}{CURSOR}{place[2:]}", 1))
        found = hover(view, offset)
        return None if found is None else found.markdown

    assert shown("task_description") == "`task_description`\n\nWhat the person asks for."
    told = "An absolute path as seen from the working directory; one outside of it stays absolute."
    assert shown("relative_path") == f"`relative_path`\n\n{told}"
    assert (shown("json_schema") or "").startswith("`json_schema`\n\n")
    assert shown("path | rel") is None
    assert shown("cwd }}") is None
    assert shown("Task: ") is None


def test_the_lens_leads_to_the_preview(tmp_path: Path) -> None:
    view, _ = opened(tmp_path, SAMPLE + CURSOR)
    features = neighbour_features("persona")
    assert features.lenses is not None
    assert features.resolve_lens is not None
    (lens,) = features.lenses(view)
    told = features.resolve_lens(view, lens, NOTHING_OUTSIDE)
    assert told is not None
    assert (told.title, told.command) == ("show what a model is told", "rulesLsp.previewPersona")
    assert told.arguments == ({"uri": (tmp_path / NAME).as_uri()},)


def test_no_text_makes_a_feature_fail(tmp_path: Path) -> None:
    chance = random.Random(8)
    texts = [SAMPLE[:end] for end in range(len(SAMPLE) + 1)]
    texts += [SAMPLE[:at] + chance.choice(PIECES) + SAMPLE[at:] for at in range(0, len(SAMPLE), 5)]
    for number, text in enumerate(texts):
        view, offset = opened(tmp_path, text + CURSOR)
        for at in (offset, offset // 2, 0):
            completion(view, at, TRIGGERS[number % len(TRIGGERS)])
            found = completion(view, at)
            for item in found.items if found is not None else ():
                assert 0 <= item.span.start <= item.span.end <= len(text)
            hover(view, at)
        document_symbols(view.subject)
