"""The file: what is refused, with its code and place, and that the schema refuses the same."""

from __future__ import annotations

import pytest
import yaml

from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.schemas import validate
from rules_lsp.source.text import Text

RULE = "version: 1\nrules:\n  - {{id: a, {}}}\n"
EVERYTHING = r"""version: 1
enabled: true
x-dangerous: [acme deploy --prod|-p]
x-ours: anything
rules:
  - id: confirm-dangerous
    name: Confirm dangerous commands
    enabled: true
    when: tool.before
    target: {categories: [command_execution], tools: ["shell/*"]}
    condition:
      command: {kinds: [deletes, changes_permissions, dangerous], matches: '\bterraform\b'}
      files: ["infra/**"]
      pieces: [deploy]
      movements: [apply]
      external: true
      approved: false
      role: [member]
      fired: {at_least: 2}
    action: request_approval
    instruction: Explain what would be lost first.
    limit: {fires: 3, per: task, cooldown_seconds: 60, repeat_after_denial: 1}
  - {id: ja, when: completion.before_accept, condition: {language: {expect: ja, below: 0.5}}, action: deny_current_tool}
  - {id: kind, when: always, action: inject_instruction, instruction: Be kind.}
  - {id: rude, enabled: false, when: always, action: inject_instruction, instruction: Be rude.}
  - {id: words, when: tool.before, condition: {text: odd, judge: shadow}, action: audit_only}
"""
REFUSED = [
    ("when: always, action: deny_current_tool", "illegal-action", "deny_current_tool` is no action for `always"),
    ("when: always, action: audit_only", "illegal-action", "`audit_only` is no action for `always`"),
    ("when: completion.before_accept, action: request_approval", "illegal-action", "use `audit_only` or"),
    ("when: tool.after, action: audit_only", "illegal-action", "`tool.after` is observed in the audit only"),
    ("when: tool.denied, action: audit_only", "illegal-action", "observed in the audit only"),
    ("when: runtime.error, action: audit_only", "illegal-action", "observed in the audit only"),
    ("when: tool.before, action: stop_task", "refused-action", "a file cannot show the right to stop a task"),
    ("when: tool.before, action: notify_admin", "refused-action", "a file cannot show the right to write"),
    ("when: tool.befor, action: audit_only", "unknown-value", "did you mean `tool.before`?"),
    ("when: tool.before, action: audit", "unknown-value", "`action` cannot be `audit`"),
    ("when: tool.before, action: audit_only, target: {categories: [git]}", "reserved-category", "is reserved"),
    ("when: tool.before, action: audit_only, target: {categories: [data_deletion]}", "reserved-category", "reserved"),
    ("when: tool.before, action: audit_only, target: {categories: [shell]}", "unknown-value", "no category `shell`"),
    ("when: tool.before, action: audit_only, target: {}", "wrong-type", "`target` names nothing"),
    ("when: tool.before, action: inject_instruction, instruction: x", "unlimited-injection", "forever"),
    (
        "when: tool.before, action: inject_instruction, instruction: x, limit: {cooldown_seconds: 5}",
        "unlimited-injection",
        "forever",
    ),
    ("when: tool.before, action: inject_instruction, limit: {fires: 1}", "missing-key", "needs an `instruction`"),
    ("when: tool.before, action: deny_current_tool, limit: {fires: 1}", "limit-on-denial", "a denial has no limit"),
    ("when: tool.before, action: audit_only, limit: {repeat_after_denial: 1}", "illegal-key", "belongs to"),
    ("when: tool.before, action: audit_only, limit: {fires: 0}", "wrong-type", "at least 1"),
    ("when: tool.before, action: audit_only, limit: {fires: '3'}", "wrong-type", "whole number"),
    ("when: tool.before, action: audit_only, limit: {per: job}", "unknown-value", "`per` cannot be `job`"),
    ("when: tool.before, action: audit_only, condition: {text: x}", "missing-key", "`judge: shadow` only"),
    ("when: tool.before, action: audit_only, condition: {text: x, judge: real}", "unknown-value", "`judge`"),
    ("when: tool.before, action: audit_only, condition: {}", "wrong-type", "names nothing"),
    ("when: tool.before, action: audit_only, condition: {command: {kinds: [kills]}}", "unknown-value", "no kind"),
    ("when: tool.before, action: audit_only, condition: {language: {expect: ja, below: 1}}", "illegal-key", "about a"),
    ("when: completion.before_accept, action: audit_only, condition: {files: [a]}", "illegal-key", "completion is not"),
    ("when: completion.before_accept, action: audit_only, target: {tools: [a]}", "illegal-key", "remove `target`"),
    (
        "when: completion.before_accept, action: audit_only, condition: {language: {expect: xx, below: 0.5}}",
        "unknown-value",
        "`expect`",
    ),
    (
        "when: completion.before_accept, action: audit_only, condition: {language: {expect: ja, below: 2}}",
        "wrong-type",
        "from 0 to 1",
    ),
    ("when: always, action: inject_instruction, instruction: x, condition: {pieces: [a]}", "illegal-key", "no place"),
    ("when: tool.before, action: audit_only, actoin: x", "unknown-key", "did you mean `action`?"),
    ("when: tool.before", "missing-key", "`action` is missing"),
    ("action: audit_only", "missing-key", "`when` is missing"),
    ("when: tool.before, action: audit_only, enabled: 'yes'", "wrong-type", "without quotes"),
]  # fmt: skip
READER_ONLY = [
    ("when: tool.before, action: audit_only, condition: {command: {matches: '(a'}}", "invalid-expression", "(a"),
    ("when: tool.before, action: audit_only, condition: {command: {matches: '(a)\\1'}}", "invalid-expression", "back"),
    ("when: tool.before, action: audit_only, condition: {files: ['[a']}", "invalid-glob", "[a"),
    ("when: tool.before, action: audit_only, target: {tools: ['a b']}", "malformed-tool-name", "a b"),
    ("when: tool.before, action: audit_only, when: always", "duplicate-key", "stands twice"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "words"), [*REFUSED, *READER_ONLY])
def test_a_rule_that_is_refused(text: str, code: str, words: str) -> None:
    read = read_auto_prompter(Text(RULE.format(text)))
    assert [problem.code for problem in read.problems] == [code]
    assert words in read.problems[0].message
    assert read.rules.refusal is None
    assert read.rules.rules[0].broken == read.problems[0].message


@pytest.mark.parametrize(("text", "code", "words"), REFUSED)
def test_the_schema_refuses_it_too(text: str, code: str, words: str) -> None:
    assert validate("auto-prompter", yaml.safe_load(RULE.format(text))) != []


def test_everything_at_once() -> None:
    read = read_auto_prompter(Text(EVERYTHING))
    assert read.problems == ()
    assert validate("auto-prompter", yaml.safe_load(EVERYTHING)) == []
    rules = read.rules
    assert [rule.id for rule in rules.active] == ["confirm-dangerous", "ja", "kind", "words"]
    assert rules.preamble == "Be kind."
    assert [pattern.text for pattern in rules.dangerous] == ["acme deploy --prod|-p"]
    first = rules.rules[0]
    assert first.limit == {"fires": 3, "per": "task", "cooldown_seconds": 60, "repeat_after_denial": 1}
    assert (rules.rules[1].name, first.name) == ("ja", "Confirm dangerous commands")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("rules: []", "missing-key"),
        ("version: 2", "unknown-value"),
        ("version: 1\nrulse: []", "unknown-key"),
        ("version: 1\nrules: {}", "wrong-type"),
        ("version: 1\nenabled: maybe", "wrong-type"),
        ("version: 1\nx-dangerous: ['-x']", "wrong-type"),
        ("version: 1\nrules: [", "syntax-error"),
        ("- a", "wrong-type"),
        ("version: 1\n<<: {enabled: false}", "wrong-type"),
    ],
)
def test_a_file_that_cannot_be_read_denies_everything(text: str, code: str) -> None:
    read = read_auto_prompter(Text(text))
    assert code in [problem.code for problem in read.problems]
    assert read.rules.refusal is not None
    assert read.rules.refusal.startswith("the file cannot be read: ")


@pytest.mark.parametrize("text", ["", "# nothing\n", "version: 1\n", "version: 1\nrules: []\n"])
def test_a_file_without_rules(text: str) -> None:
    read = read_auto_prompter(Text(text))
    assert (read.problems, read.rules.refusal, read.rules.rules) == ((), None, ())


def test_an_id_stands_once() -> None:
    rule = "  - {id: a, when: tool.before, action: audit_only}\n"
    read = read_auto_prompter(Text(f"version: 1\nrules:\n{rule}{rule}"))
    (problem,) = read.problems
    assert (problem.code, problem.span.start) == ("duplicate-id", 78)
    assert problem.related[0].span.start == 27
    assert [rule.broken is None for rule in read.rules.rules] == [True, False]


@pytest.mark.parametrize("identity", ["A", "a_b", "a b", "ä", "''"])
def test_an_id_has_small_letters_digits_and_hyphens(identity: str) -> None:
    text = f"version: 1\nrules:\n  - {{id: {identity}, when: tool.before, action: audit_only}}\n"
    assert [problem.code for problem in read_auto_prompter(Text(text)).problems] == ["wrong-type"]
    assert validate("auto-prompter", yaml.safe_load(text)) != []


def test_the_version_of_a_rule_changes_with_what_it_says() -> None:
    def version(more: str) -> str:
        text = RULE.format(f"when: tool.before, action: audit_only{more}")
        return read_auto_prompter(Text(text)).rules.rules[0].version

    assert version("") == version("  # a remark\n    ")
    assert len({version(""), version(", name: b"), version(", instruction: c"), version(", enabled: false")}) == 4


def test_the_preamble_joins_instructions_in_the_order_of_the_file() -> None:
    rules = "".join(
        f"  - {{id: {name}, when: always, action: inject_instruction, instruction: Say {name}.}}\n" for name in "bca"
    )
    assert read_auto_prompter(Text(f"version: 1\nrules:\n{rules}")).rules.preamble == "Say b.\n\nSay c.\n\nSay a."
