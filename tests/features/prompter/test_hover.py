"""What is told of a key, a word and a rule under the cursor."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.features.hover import hover
from rules_lsp.features.neighbours import Outside
from tests.features.prompter.project import RULES, rules_view
from tests.features.support import drawn
from tests.prompter.support import ASKING, Place, bash, claimed

WHOLE = "**Auto Prompter** is on: 1 of 2 rules active; these rules bind every member of the project"


def told(root: Path, at: str, text: str = RULES) -> tuple[str, str] | None:
    """The hover at the beginning of a text that stands once in the file, and what it marks."""
    assert text.count(at) == 1
    view = rules_view(root, text)
    found = hover(view, text.index(at))
    return None if found is None else (found.markdown, drawn(view, found.span.start, found.span.end))


@pytest.mark.parametrize(
    ("at", "markdown", "marked"),
    [
        (
            "enabled: true",
            f"`enabled`\n\nThe switch of all rules; off, they keep their settings and nothing is looked "
            f"at.\n\n---\n\n{WHOLE}",
            "enabled",
        ),
        ("true", WHOLE, "true"),
        ("version", f"`version`\n\nThe version of the format.\n\n---\n\n{WHOLE}", "version"),
        (
            "limit",
            "`rules.limit`\n\nHow often the rule acts. A spent limit silences advice; an approval rule "
            "whose limit is spent denies.",
            "limit",
        ),
        ("tool.before", "`tool.before`: before the tool calls of one message run.", "tool.before"),
        (
            "request_approval",
            "`request_approval`: hold the message back until a person approves this one call.",
            "request_approval",
        ),
        ("deletes", "`deletes`: the command removes files, or what they hold.", "deletes"),
        (
            "command_execution",
            "`command_execution`: shells and terminals.\n\nit matches **1 of 13 known tools**: `Bash`",
            "command_execution",
        ),
        (
            "github/*",
            "it stands for every tool of the server `github`\n\nit matches **2 of 13 known tools**: "
            "`github/delete_file`, `github/get_me`",
            "github/*",
        ),
        (
            "\\bterraform",
            "it finds the word `terraform` in a command line; it takes time in proportion to the line, "
            "whatever stands there",
            "\\bterraform\\b",
        ),
        ("task,", "`task`: the whole task.", "task"),
        (
            "ja,",
            "`ja`: told by its letters (Hiragana, Katakana, Katakana-hiragana, Cjk, Halfwidth), with which "
            "other languages may be written too",
            "ja",
        ),
    ],
)
def test_what_stands_there(tmp_path: Path, at: str, markdown: str, marked: str) -> None:
    assert told(tmp_path, at) == (markdown, marked)


def test_a_pattern_of_files_is_told_with_its_files(tmp_path: Path) -> None:
    found = told(tmp_path, "infra/**")
    assert found is not None
    assert found[0].startswith(
        "everything inside of `infra`, from the project's root\n\n2 files\n\n- [`infra/main.tf`]("
    )


@pytest.mark.parametrize("at", ["deploy", "60}", "\u65e5\u672c"])
def test_a_text_of_the_author_has_no_documentation(tmp_path: Path, at: str) -> None:
    assert told(tmp_path, at) is None


def test_a_rule_is_told_by_its_id_and_its_name(tmp_path: Path) -> None:
    by_id, by_name = told(tmp_path, "confirm"), told(tmp_path, "Confirm terraform")
    assert by_id is not None
    assert by_name is not None
    assert by_id[0] == by_name[0]
    parts = by_id[0].split("\n\n")
    assert parts[:7] == [
        "**Confirm terraform** `confirm`",
        "one call that it matches holds back all calls of the message until a person approves it",
        "it matches **1 of 13 known tools**: `Bash`",
        "of these only command lines that are one of `deletes`",
        "it finds the word `terraform` in a command line; it takes time in proportion to the line, "
        "whatever stands there",
        "only calls that touch `infra/**`",
        "which cover **2 of 4 files** now",
    ]
    assert parts[8] == "at most 3 times in a task, 60 seconds between two times; a call beyond that is denied"
    assert parts[9].startswith("version `")


def test_a_rule_that_is_off_says_so(tmp_path: Path) -> None:
    found = told(tmp_path, "japanese")
    assert found is not None
    assert "off; on, a completion that it matches is not accepted, and the agent is told the instruction" in found[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("version: 1\nenabled: false\nrules: []\n", "**Auto Prompter** is off: its 0 rules are not looked at"),
        ("version: 2\n", "**Auto Prompter**: every call is denied: the file cannot be read: `version` must be 1"),
    ],
)
def test_the_first_line_tells_of_the_file(tmp_path: Path, text: str, words: str) -> None:
    found = told(tmp_path, "version", text)
    assert found is not None
    assert found[0].split("\n\n---\n\n")[1] == f"{words}; these rules bind every member of the project"


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("^git push", "it finds a line that begins with `git push` in a command line"),
        ("rm$", "it finds a line that ends in `rm` in a command line"),
        ("rm|mv", "it finds the text `rm` or `mv` in a command line"),
        ("\\b(?:rm|mv)\\b", "it finds the word `rm` or `mv` in a command line"),
        ("\\brm|mv\\b", "it is searched for in each command line"),
        ("a+", "it is searched for in each command line"),
    ],
)
def test_an_expression_in_words(tmp_path: Path, expression: str, words: str) -> None:
    text = f"version: 1\nrules:\n  - condition: {{command: {{matches: '{expression}'}}}}\n"
    found = told(tmp_path, f"'{expression}'", text)
    assert found is not None
    assert found[0] == f"{words}; it takes time in proportion to the line, whatever stands there"


def test_an_expression_that_is_not_linear_says_why(tmp_path: Path) -> None:
    text = "version: 1\nrules:\n  - condition: {command: {matches: '(a)\\1'}}\n"
    found = told(tmp_path, "'(a)", text)
    assert found is not None
    assert found[0].startswith("`(a)\\1` ")
    assert "a reference back" in found[0]


def test_what_a_rule_did_is_told_from_the_store(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    gate.before_tools("j", [bash("rm -r x")])
    gate.close()
    view = rules_view(place.root, ASKING)
    at = ASKING.index("ask")
    shown, silent = hover(view, at, Outside(store=str(place.store))), hover(view, at, Outside(False, str(place.store)))
    assert shown is not None
    assert silent is not None
    assert shown.markdown.endswith("; it fired 1 time in the last task, 1 time in all, last at 1970-01-12 13:46 UTC")
    assert "fired" not in silent.markdown
