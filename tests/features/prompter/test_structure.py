"""The outline, the folds and the selections of a file of rules, and the changes that are offered in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.features.converting import conversion
from rules_lsp.features.folding import folds
from rules_lsp.features.links import document_links
from rules_lsp.features.neighbours import neighbour_features
from rules_lsp.features.organizing import organized
from rules_lsp.features.selection import selection_spans
from rules_lsp.features.semantic_tokens import semantic_tokens
from rules_lsp.features.symbols import document_symbols
from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.source.edits import apply_edits
from rules_lsp.source.text import Span, Text
from tests.features.prompter.project import RULES, rules_view
from tests.features.support import CURSOR, drawn

FLOW = "{version: 1, rules: [{id: a, when: tool.before, action: audit_only}]}\n"


def offered(root: Path, text: str) -> list[tuple[str, str]]:
    """The titles of what is offered at the cursor, and the text after each."""
    actions = neighbour_features("prompter").actions
    assert actions is not None
    at = text.index(CURSOR)
    content = text.replace(CURSOR, "")
    found = actions(rules_view(root, content), Span(at, at))
    return [(each.title, apply_edits(content, each.edits)) for each in found]


def test_the_outline(tmp_path: Path) -> None:
    view = rules_view(tmp_path, RULES)
    top = document_symbols(view.subject)
    assert [(each.name, each.kind, each.detail) for each in top] == [
        ("version", "key", "1"),
        ("enabled", "key", "true"),
        ("rules", "key", ""),
    ]
    rules = top[2].children
    assert [(each.name, each.kind, each.detail) for each in rules] == [
        ("Confirm terraform", "rule", "confirm, tool.before · request_approval"),
        ("japanese", "rule", "completion.before_accept · inject_instruction"),
    ]
    assert [drawn(view, each.selection.start, each.selection.end) for each in rules] == [
        "Confirm terraform",
        "japanese",
    ]
    assert [each.name for each in rules[0].children] == [
        "id",
        "name",
        "when",
        "target",
        "condition",
        "action",
        "limit",
    ]
    assert rules[0].span.end <= rules[1].span.start


def test_the_outline_of_a_file_that_does_not_parse(tmp_path: Path) -> None:
    view = rules_view(tmp_path, "version: 1\nrules:\n  - id: a\n  - id: b\nx: [\n")
    top = document_symbols(view.subject)
    assert [each.name for each in top] == ["version", "rules"]
    assert [each.name for each in top[1].children] == ["a", "b"]


def test_folds_and_selections_follow_the_tree(tmp_path: Path) -> None:
    view = rules_view(tmp_path, RULES)
    assert [(fold.first, fold.last) for fold in folds(view.subject)] == [(2, 18), (7, 10)]
    spans = selection_spans(view.subject, RULES.index("deploy"))
    assert drawn(view, spans[0].start, spans[0].end) == "deploy"
    assert drawn(view, spans[-1].start, spans[-1].end) == RULES


def test_tools_and_patterns_are_coloured_and_selected_by_their_parts(tmp_path: Path) -> None:
    view = rules_view(tmp_path, RULES)
    assert [(drawn(view, each.span.start, each.span.end), each.type) for each in semantic_tokens(view)] == [
        ("github", "namespace"),
        ("/", "operator"),
        ("*", "regexp"),
        ("infra", "string"),
        ("/", "operator"),
        ("**", "regexp"),
    ]
    spans = selection_spans(view.subject, RULES.index("infra/"))
    assert [drawn(view, span.start, span.end) for span in spans[:3]] == ["infra", "infra/**", '"infra/**"']


def test_what_belongs_to_rule_files_is_not_offered(tmp_path: Path) -> None:
    view = rules_view(tmp_path, RULES)
    assert (conversion(view), organized(view.subject), document_links(view)) == (None, (), ())


@pytest.mark.parametrize(
    ("text", "titles", "after"),
    [
        (
            RULES.replace("id: confirm", f"id: con{CURSOR}firm"),
            ["switch the rule `confirm` off"],
            RULES.replace("    name: Con", "    enabled: false\n    name: Con"),
        ),
        (
            RULES.replace("below: 0.5", f"below: 0{CURSOR}.5"),
            ["switch the rule `japanese` on", "let the rule `japanese` advise once in a task"],
            RULES.replace("    enabled: false", "    enabled: true"),
        ),
        (
            RULES.replace("version", f"ver{CURSOR}sion"),
            ["switch Auto Prompter off"],
            RULES.replace("enabled: true", "enabled: false"),
        ),
        (f"version: 1{CURSOR}\nrules: []\n", ["switch Auto Prompter off"], "version: 1\nenabled: false\nrules: []\n"),
        (
            f"version: 1{CURSOR}\r\nrules: []\r\n",
            ["switch Auto Prompter off"],
            "version: 1\r\nenabled: false\r\nrules: []\r\n",
        ),
        (
            FLOW.replace("audit", f"au{CURSOR}dit"),
            ["switch the rule `a` off", "switch Auto Prompter off"],
            FLOW.replace("when", "enabled: false, when"),
        ),
        (
            "version: 1\nrules:\n  - &a\n    id: x" + CURSOR,
            ["switch the rule `x` off"],
            "version: 1\nrules:\n  - &a\n    enabled: false\n    id: x",
        ),
    ],
)
def test_what_is_offered(tmp_path: Path, text: str, titles: list[str], after: str) -> None:
    found = offered(tmp_path, text)
    assert [title for title, _ in found] == titles
    assert found[0][1] == after


def test_advice_gets_its_limit(tmp_path: Path) -> None:
    _, (_, after) = offered(tmp_path, RULES.replace("below: 0.5", f"below: 0{CURSOR}.5"))
    assert after == RULES.replace("    enabled: false", "    limit: {fires: 1, per: task}\n    enabled: false")
    rule = read_auto_prompter(Text(after)).rules.rules[1]
    assert (rule.broken, rule.limit) == (None, {"fires": 1, "per": "task"})


@pytest.mark.parametrize(
    "text",
    [
        f"version: 1\nrules:\n  - id: a{CURSOR}\n    enabled: 'true'\n",
        f"version: 1\nrules:\n  - id: a{CURSOR}\n    enabled: maybe\n",
        f"version: 1\nrules:\n  - id: a{CURSOR}\n    when: [\n",
        f"version: 1\nrules: [{CURSOR}]\n",
        CURSOR,
    ],
)
def test_nothing_is_offered_for_what_cannot_be_switched(tmp_path: Path, text: str) -> None:
    assert offered(tmp_path, text) == []
