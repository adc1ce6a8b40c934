"""What may be written in a file of rules, as marker tests, and that it is read as it was meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules_lsp.features.completion import Completion, CompletionItem, completion
from rules_lsp.features.completion_documentation import documentation
from rules_lsp.features.view import View
from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.prompter.templates import TEMPLATES
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.text import Text
from tests.features.prompter.project import rules_view
from tests.features.support import CURSOR

HEAD = "version: 1\nrules:\n"
RULE = f"{HEAD}  - id: x\n"
ALL_ACTIONS = ["audit_only", "inject_instruction", "deny_current_tool", "request_approval"]
CATEGORIES = [
    "command_execution",
    "internet_search",
    "file_read",
    "file_write",
    "external_communication",
    "browser",
    "ssh",
]
KINDS = ["deletes", "overwrites", "changes_permissions", "dangerous"]
TITLES = [template.title for template in TEMPLATES]
KEYS = ["id", "name", "enabled", "when", "target", "condition", "action", "instruction", "limit"]


def asked(root: Path, text: str, trigger: str | None = None) -> tuple[View, Completion | None, str]:
    offset = text.index(CURSOR)
    content = text.replace(CURSOR, "")
    view = rules_view(root, content)
    found = completion(view, offset, trigger)
    for item in found.items if found is not None else ():
        assert offset in item.span
        assert "\n" not in content[item.span.start : item.span.end]
    return view, found, content


def labels(root: Path, text: str, trigger: str | None = None) -> list[str]:
    _, found, _ = asked(root, text, trigger)
    return [] if found is None else [item.label for item in found.items]


def inserted(content: str, item: CompletionItem, *, snippet: bool = True) -> str:
    """The text after an item, as an editor indents it: with the blanks in front of its line, stops as they stand."""
    text = item.text
    if snippet and item.snippet is not None:
        stops = re.sub(r"\$\{\d+:([^{}$]*)\}", r"\1", item.snippet)
        text = re.sub(r"\\([\\$}])", r"\1", re.sub(r"\$\d+", "", stops))
    line = content[content.rfind("\n", 0, item.span.start) + 1 : item.span.start]
    indent = " " * (len(line) - len(line.lstrip(" ")))
    return apply_edits(content, (TextEdit(item.span, text.replace("\n", f"\n{indent}")), *item.also))


def chosen(root: Path, text: str, label: str, *, snippet: bool = True) -> str:
    _, found, content = asked(root, text)
    assert found is not None
    return inserted(content, next(item for item in found.items if item.label == label), snippet=snippet)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CURSOR, ["Auto Prompter", "version", "enabled", "rules", "x-dangerous"]),
        (f"version: 1\n{CURSOR}", ["enabled", "rules", "x-dangerous", "version"]),
        (f"version: {CURSOR}", ["1"]),
        (f"enabled: {CURSOR}", ["true", "false"]),
        (f"{HEAD}  {CURSOR}", TITLES),
        (f"{HEAD}  - {CURSOR}", KEYS + TITLES),
        (f"{HEAD}  - ex{CURSOR}", KEYS + TITLES),
        (f"version: 1\nrules: [{CURSOR}]", KEYS + TITLES),
        (f"version: 1\nrules: [{{{CURSOR}}}]", KEYS),
        (f"{RULE}    {CURSOR}", KEYS[1:] + ["id"]),
        (f"{RULE}    na{CURSOR}", KEYS[1:] + ["id"]),
        (f"{RULE}    when: {CURSOR}", ["always", "tool.before", "completion.before_accept"]),
        (f"{RULE}    action: request_approval\n    when: {CURSOR}", ["tool.before"]),
        (f"{RULE}    action: {CURSOR}", ALL_ACTIONS),
        (f"{RULE}    when: always\n    action: {CURSOR}", ["inject_instruction"]),
        (f"{RULE}    action: {CURSOR}\n    when: completion.before_accept", ALL_ACTIONS[:3]),
        (f"{RULE}    when: always\n    {CURSOR}", ["name", "enabled", "action", "instruction", "id", "when"]),
        (f"{RULE}    enabled: {CURSOR}", ["true", "false"]),
        (f"{RULE}    target: {{{CURSOR}}}", ["categories", "tools"]),
        (f"{RULE}    target:\n      {CURSOR}", ["categories", "tools"]),
        (f"{RULE}    target: {{categories: [{CURSOR}]}}", CATEGORIES),
        (
            f"{RULE}    target:\n      categories:\n        - browser\n        - {CURSOR}",
            [*CATEGORIES[:5], "ssh", "browser"],
        ),
        (f"{RULE}    condition: {{command: {{kinds: [{CURSOR}]}}}}", KINDS),
        (f"{RULE}    condition: {{command: {{kinds: ['d{CURSOR}']}}}}", KINDS),
        (f"{RULE}    condition: {{external: {CURSOR}}}", ["true", "false"]),
        (f"{RULE}    condition: {{approved: {CURSOR}}}", ["true", "false"]),
        (f"{RULE}    condition: {{judge: {CURSOR}}}", ["shadow"]),
        (f"{RULE}    condition: {{fired: {{{CURSOR}}}}}", ["at_least"]),
        (f"{RULE}    limit: {{per: {CURSOR}}}", ["task", "movement"]),
        (f"{RULE}    limit: {{{CURSOR}}}", ["fires", "per", "cooldown_seconds", "repeat_after_denial"]),
        (f"{RULE}    action: audit_only\n    limit: {{{CURSOR}}}", ["fires", "per", "cooldown_seconds"]),
        (
            f"{RULE}    target: {{tools: [{CURSOR}]}}",
            [
                "github/",
                "mail/",
                "*",
                "Bash",
                "Edit",
                "Glob",
                "Grep",
                "NotebookEdit",
                "Read",
                "Task",
                "WebFetch",
                "WebSearch",
                "Write",
            ],
        ),
        (f"{RULE}    target: {{tools: [github/{CURSOR}]}}", ["delete_file", "get_me", "*"]),
        (
            f"{RULE}    condition: {{files: [{CURSOR}]}}",
            ["infra/", "src/", "**/*.tf", "**/*.md", "**/*.py", "README.md"],
        ),
        (f"{RULE}    condition: {{files: ['infra/{CURSOR}']}}", ["net/", "infra/**", "infra/**/*.tf", "main.tf"]),
        (f"{RULE}    condition: {{pieces: [b, a]}}\n  - condition: {{pieces: [{CURSOR}]}}", ["a", "b"]),
        (f"{RULE}    condition: {{pieces: [b]}}\n  - condition:\n      movements:\n        - {CURSOR}", []),
        (f"{RULE}    condition: {{role: [{CURSOR}]}}", []),
        (f"{HEAD}  - {{id: x, when: always, action: {CURSOR}", ["inject_instruction"]),
        (f"version: 1\nrules: [{{id: x, when: always, action: '{CURSOR}", ["inject_instruction"]),
        (f"{RULE}    limit: {{fires: 1, {CURSOR}", ["per", "cooldown_seconds", "repeat_after_denial", "fires"]),
        (f"{RULE}    target: {{categories: [ssh, {CURSOR}", [*CATEGORIES[:6], "ssh"]),
        (f"{HEAD}  - id: {CURSOR}", []),
        (f"{RULE}    instruction: a {CURSOR}", []),
        (f"{RULE}    instruction: |\n      a\n      {CURSOR}", []),
        (f"x-dangerous: [{CURSOR}]", []),
        (f"# {CURSOR}", []),
    ],
)
def test_what_is_offered(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert labels(tmp_path, text) == expected


def test_keys_of_a_condition_fit_its_moment(tmp_path: Path) -> None:
    both = ["pieces", "movements", "role", "fired", "text", "judge"]
    completions = f"{RULE}    when: completion.before_accept\n    condition:\n      {CURSOR}"
    calls = completions.replace("completion.before_accept", "tool.before")
    assert set(labels(tmp_path, completions)) == {*both, "language"}
    assert set(labels(tmp_path, calls)) == {*both, "command", "files", "external", "approved"}


def test_languages_are_those_that_can_be_told(tmp_path: Path) -> None:
    found = labels(tmp_path, f"{RULE}    condition: {{language: {{expect: {CURSOR}}}}}")
    assert (len(found), found[0], found[-1]) == (27, "ar", "zh")


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}  {CURSOR}",
        f"{HEAD}  - {CURSOR}",
        f"{HEAD}  - ex{CURSOR}",
        f"{HEAD}- {CURSOR}",
        f"version: 1\nrules: [{CURSOR}]",
        f"{RULE}    when: always\n    action: inject_instruction\n    instruction: y\n  - {CURSOR}",
    ],
)
@pytest.mark.parametrize("snippet", [True, False])
def test_every_template_is_valid_as_inserted(tmp_path: Path, title: str, text: str, snippet: bool) -> None:
    read = read_auto_prompter(Text(chosen(tmp_path, text, title, snippet=snippet)))
    assert (read.problems, read.rules.refusal) == ((), None)
    assert read.rules.rules[-1].name == title


@pytest.mark.parametrize("snippet", [True, False])
def test_a_whole_file_for_an_empty_one(tmp_path: Path, snippet: bool) -> None:
    after = chosen(tmp_path, CURSOR, "Auto Prompter", snippet=snippet)
    assert after == (
        "version: 1\nenabled: true\nrules:\n  - id: answer-plainly\n    name: Answer in plain words\n    when: always\n"
        "    action: inject_instruction\n    instruction: Answer in plain words."
    )
    assert read_auto_prompter(Text(after)).problems == ()


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        (f"{RULE}    when:{CURSOR}", "always", f"{RULE}    when: always"),
        (f"{RULE}    when: '{CURSOR}'", "always", f"{RULE}    when: 'always'"),
        (f"{RULE}    limit:\n      per: t{CURSOR}ask # x", "movement", f"{RULE}    limit:\n      per: movement # x"),
        (f"{RULE}    target: {{categories: {CURSOR}}}", "ssh", f"{RULE}    target: {{categories: [ssh]}}"),
        (f"{RULE}    target:\n      categories: {CURSOR}", "ssh", f"{RULE}    target:\n      categories: [ssh]"),
        (
            f"{RULE}    target:\n      categories:\n        {CURSOR}",
            "ssh",
            f"{RULE}    target:\n      categories:\n        - ssh",
        ),
        (f"{RULE}    target: {{tools: [{CURSOR}]}}", "*", f'{RULE}    target: {{tools: ["*"]}}'),
        (
            f"{RULE}    condition:\n      {CURSOR}",
            "command",
            f"{RULE}    condition:\n      command:\n        kinds:\n          - ",
        ),
        (f"{RULE}    condition: {{{CURSOR}}}", "command", f"{RULE}    condition: {{command: {{kinds: []}}}}"),
        (f"{RULE}    {CURSOR}", "limit", f"{RULE}    limit:\n      fires: 1\n      per: task"),
        (f"{RULE}    na{CURSOR}: y", "name", f"{RULE}    name: y"),
        (
            f"{RULE}    condition:\n      command:\n        {CURSOR}",
            "matches",
            f"{RULE}    condition:\n      command:\n        matches: ''",
        ),
        (f"version: 1\nenabled: t{CURSOR}", "false", "version: 1\nenabled: false"),
    ],
)
def test_how_it_is_written(tmp_path: Path, text: str, label: str, after: str) -> None:
    assert chosen(tmp_path, text, label) == after


def test_what_is_written_already_comes_last_and_says_so(tmp_path: Path) -> None:
    _, found, _ = asked(tmp_path, f"{RULE}    target: {{tools: [Bash, {CURSOR}]}}")
    assert found is not None
    assert [(item.label, item.detail) for item in found.items][-1] == ("Bash", "already listed")
    _, found, _ = asked(tmp_path, f"{HEAD}  - id: audit-deletions\n  - {CURSOR}")
    assert found is not None
    assert (found.items[-1].label, found.items[-1].detail) == (
        "Audit deletions",
        "a rule with this id is there already",
    )


@pytest.mark.parametrize(
    ("text", "trigger", "expected"),
    [
        (f"{RULE}    when: {CURSOR}", " ", ["always", "tool.before", "completion.before_accept"]),
        (f"{HEAD}  {CURSOR}", " ", []),
        (f"{RULE}    instruction: do {CURSOR}", " ", []),
        (f"{RULE}    target: {{tools: [github/{CURSOR}]}}", "/", ["delete_file", "get_me", "*"]),
    ],
)
def test_what_is_shown_unasked(tmp_path: Path, text: str, trigger: str, expected: list[str]) -> None:
    assert labels(tmp_path, text, trigger) == expected


@pytest.mark.parametrize(
    ("text", "label", "words"),
    [
        (f"{RULE}    {CURSOR}", "when", "The moment at which the rule is looked at."),
        (f"{RULE}    when: {CURSOR}", "always", "`always`: the instruction joins the preamble of each job, once."),
        (
            f"{RULE}    condition: {{command: {{kinds: [{CURSOR}]}}}}",
            "deletes",
            "`deletes`: the command removes files, or what they hold.",
        ),
        (
            f"{RULE}    target: {{tools: [github/{CURSOR}]}}",
            "get_me",
            "it stands for the tool `get_me` of the server `github`\n\nit matches **1 of 13 known tools**: "
            "`github/get_me`",
        ),
        (
            f"{HEAD}  - {CURSOR}",
            "Audit deletions",
            "Commands that delete are recorded; nothing is held back.\n\n```yaml\n- id: audit-deletions\n  "
            "name: Audit deletions\n  when: tool.before\n  condition:\n    command: {kinds: [deletes]}\n  "
            "action: audit_only\n```",
        ),
    ],
)
def test_items_are_documented(tmp_path: Path, text: str, label: str, words: str) -> None:
    view, found, _ = asked(tmp_path, text)
    assert found is not None
    topic = next(item.topic for item in found.items if item.label == label)
    assert topic is not None
    assert documentation(view, topic) == words
