"""What an editor shows of the prompts about projects that a user words."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.features.completion import TRIGGERS, completion
from rules_lsp.features.completion_documentation import documentation
from rules_lsp.features.hover import hover
from rules_lsp.features.view import View
from rules_lsp.prompt.wording import NAMES as MEANINGS
from rules_lsp.prompt.wording import WORDINGS
from rules_lsp.source.edits import TextEdit, apply_edits
from tests.features.known import known_view
from tests.features.support import CURSOR

ACTIVE = "prompts/agent.system.projects.active.md"
CHAIN = "agent.protocol.projects.agents_md.md"
NAMES = ["project_path", "project_name", "project_description", "project_git_url"]


def opened(root: Path, text: str, name: str = ACTIVE) -> tuple[View, int]:
    return known_view(root, text.replace(CURSOR, ""), name, kind="a0-template"), text.index(CURSOR)


def labels(root: Path, text: str, name: str = ACTIVE, trigger: str | None = None) -> list[str]:
    view, offset = opened(root, text, name)
    found = completion(view, offset, trigger)
    return [] if found is None else [item.label for item in found.items]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("用 {{<|>", "用 {{project_path"),
        ("a {{<|>}}", "a {{project_path}}"),
        ("a {{ pro<|>ject }} b", "a {{project_path}} b"),
        ("{{if <|>}}x{{endif}}", "{{if project_path}}x{{endif}}"),
        ("{{if pro<|>}}x{{endif}}", "{{if project_path}}x{{endif}}"),
        ("{{endif}} {{<|> and more", "{{endif}} {{project_path and more"),
    ],
)
def test_a_name_is_offered_in_tags_and_written_without_blanks(tmp_path: Path, text: str, taken: str) -> None:
    view, offset = opened(tmp_path, text)
    found = completion(view, offset)
    assert found is not None
    assert [item.label for item in found.items] == NAMES
    first = found.items[0]
    assert apply_edits(view.subject.text.content, [TextEdit(first.span, first.text)]) == taken


@pytest.mark.parametrize("text", ["<|>", "{<|>", "{{a}}<|>", "{{a b<|>", "{{endif }} <|>", "{{\n<|>", "{% <|> %}"])
def test_nothing_is_offered_in_prose(tmp_path: Path, text: str) -> None:
    assert labels(tmp_path, text) == []


def test_each_template_has_its_own_names(tmp_path: Path) -> None:
    assert labels(tmp_path, "{{<|>}}", CHAIN) == ["agents_md_instructions"]
    assert labels(tmp_path, "{{<|>}}", "agent.system.projects.main.md") == []
    view, offset = opened(tmp_path, "{{<|>}}")
    found = completion(view, offset)
    assert found is not None
    topic = found.items[1].topic
    assert topic is not None
    assert documentation(view, topic) == "The title of the project, or nothing."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("用 {{proj<|>ect_path}}", "{{project_path}}"),
        ("x\n{{if project_<|>path}}y{{endif}}", "{{if project_path}}"),
        ("{{ project_path<|> }}", "{{ project_path }}"),
        ("<|>{{project_path}}", "{{project_path}}"),
        ("{{agents_md<|>_instructions}}", None),
        ("{{end<|>if}}", None),
        ("project<|>_path", None),
    ],
)
def test_hover_says_what_a_name_holds(tmp_path: Path, text: str, shown: str | None) -> None:
    view, offset = opened(tmp_path, text)
    found = hover(view, offset)
    if found is None:
        assert shown is None
        return
    assert found.markdown == "`project_path`\n\nThe folder of the project, an absolute path."
    assert found.span is not None
    assert view.subject.text.slice(found.span) == shown


def test_every_name_of_a_template_has_a_meaning() -> None:
    assert {name for wording in WORDINGS.values() for name in wording.names} == set(MEANINGS)


def test_no_text_makes_a_feature_fail(tmp_path: Path) -> None:
    sample = "{{if project_name}}\r\n用 {{ project_path }} \U0001f600{{else}} {% a %}{{endif}}{{"
    for end in range(len(sample) + 1):
        view, _ = opened(tmp_path, sample[:end] + CURSOR)
        for at in (0, end // 2, end):
            for trigger in (None, *TRIGGERS):
                found = completion(view, at, trigger)
                for item in found.items if found is not None else ():
                    assert 0 <= item.span.start <= item.span.end <= end
            hover(view, at)
