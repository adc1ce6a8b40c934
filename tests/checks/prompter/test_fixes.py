"""A safe fix leaves each rule that holds as it is, and makes no rule weaker; a half-typed file is checked too."""

from __future__ import annotations

import random

import pytest

from rules_lsp.checks import Fix, Subject, run_checks
from rules_lsp.checks.common.fixing import fixed
from rules_lsp.prompter.model import Rule
from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.source.edits import apply_edits
from rules_lsp.source.text import Text
from tests.checks.test_typed import FILES

PROMPTERS = {name: content for name, (kind, content) in FILES.items() if kind == "prompter"}
SLIPS = (
    "\t",
    "'",
    '"',
    "[",
    "]",
    "{",
    ": ",
    "- ",
    "\n",
    "# x\n",
    "&a ",
    "*a",
    "!t ",
    ",",
    "x",
    "enabled: false\n",
    "～",
)


def checked(content: str) -> Subject:
    return Subject.of_text(".auto-prompter.yaml", content)


def holding(content: str) -> list[Rule]:
    rules = read_auto_prompter(Text(content)).rules
    return [rule for rule in rules.rules if rule.broken is None] if rules.refusal is None else []


def without_spelling(rule: Rule) -> dict[str, object]:
    """What a rule says but for the spelling of its tools, and for a backspace, with which it never held."""
    target, condition = rule.data["target"], rule.data["condition"] or {}
    tools = len(target["tools"]) if target is not None and "tools" in target else 0
    categories = None if target is None else target.get("categories")
    command = dict(condition.get("command") or {})
    command["matches"] = command.get("matches", "").replace("\b", "\\b")
    return {**rule.data, "target": (target is None, categories, tools), "condition": {**condition, "command": command}}


def test_the_corpus_is_there() -> None:
    assert len(PROMPTERS) >= 30


@pytest.mark.parametrize("name", PROMPTERS)
def test_a_safe_fix_leaves_what_holds(name: str) -> None:
    content = PROMPTERS[name]
    before = [without_spelling(rule) for rule in holding(content)]
    for diagnostic in run_checks(checked(content)):
        for fix in diagnostic.fixes:
            if fix.safe:
                after = [without_spelling(rule) for rule in holding(apply_edits(content, fix.edits))]
                assert all(rule in after for rule in before), fix.title


@pytest.mark.parametrize("seed", range(3))
def test_fixes_of_mutated_files_remove_their_finding_and_leave_what_holds(seed: int) -> None:
    dice = random.Random(seed)
    names = sorted(PROMPTERS)
    tried = 0
    for _ in range(150):
        content = PROMPTERS[dice.choice(names)]
        for _ in range(dice.randint(1, 3)):
            at = dice.randrange(len(content) + 1)
            content = content[:at] + dice.choice(SLIPS) + content[at + dice.randint(0, 2) :]
        found = run_checks(checked(content))
        before = [without_spelling(rule) for rule in holding(content)]
        for diagnostic in found:
            for fix in diagnostic.fixes:
                tried += 1
                changed = apply_edits(content, fix.edits)
                left = sum(each.code == diagnostic.code for each in run_checks(checked(changed)))
                there = {(each.code, each.span.start) for each in run_checks(checked(changed))}
                fewer = left < sum(each.code == diagnostic.code for each in found)
                assert fewer or (diagnostic.code, moved(diagnostic.span.start, fix)) not in there, (fix.title, content)
                if fix.safe:
                    after = [without_spelling(rule) for rule in holding(changed)]
                    assert all(rule in after for rule in before), (fix.title, content)
        repaired = fixed(content, lambda changed: run_checks(checked(changed)), unsafe=True)
        assert fixed(repaired, lambda changed: run_checks(checked(changed)), unsafe=True) == repaired
    assert tried > 100


def moved(offset: int, fix: Fix) -> int:
    return offset + sum(len(edit.replacement) - len(edit.span) for edit in fix.edits if edit.span.end <= offset)
