"""Files with slips of every kind at random places: what is offered as a fix works, and takes nothing away.

The seeds are fixed, so that a run can be repeated; what is random is only which slips stand where.
"""

from __future__ import annotations

import random

import pytest

from rules_lsp.checks import Diagnostic, Fix, Subject, run_checks
from rules_lsp.checks.common.fixing import fixed
from rules_lsp.source.edits import apply_edits
from tests.checks.test_cases import denies_as_much, moved_by
from tests.checks.test_typed import FILES

FILES_A_SEED = 300
SLIPS = (
    '"', "'", "[", "]", "{", "}", "\n", "\r\n", " ", "  ", "\t", "- ", ": ", ":", "#", " #", "*", "!", "@", "`", "\\",
    "|", ">", "&a", "*a", "---\n", "```\n", ",", "include", "exclude:", "denied_tools", "日", "\x00", "\u2028", "%",
    "~", "\n- ", "a", "\ufeff", '"\n', "'\n", "\\u", "<<: ",
)  # fmt: skip
LOOK_ALIKES = (*SLIPS, "：", "－", "• ", "“", "”", "\u00a0", "\u3000", "，", "\n-", ":[", " #x", '"a\\t')
NAMES = [name for name, (kind, _) in FILES.items() if kind != "config" and name != "21_billion_laughs"]
YAML_NAMES = [name for name in NAMES if FILES[name][0] == "yaml"]


def mutated(dice: random.Random, content: str, slips: tuple[str, ...]) -> str:
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(content) + 1)
        way = dice.random()
        if way < 0.5:
            content = content[:at] + dice.choice(slips) + content[at:]
        elif way < 0.8:
            content = content[:at] + content[at + dice.randint(1, 4) :]
        else:
            other = FILES[dice.choice(NAMES)][1]
            start = dice.randrange(len(other) + 1)
            content = content[:at] + other[start : start + dice.randint(1, 40)] + content[at:]
    return content


@pytest.mark.parametrize("seed", range(4))
def test_fixes_of_mutated_files(seed: int) -> None:
    hold_fixes(random.Random(seed), NAMES, SLIPS)


@pytest.mark.parametrize("seed", range(2))
def test_fixes_of_files_with_look_alikes(seed: int) -> None:
    hold_fixes(random.Random(seed), YAML_NAMES, LOOK_ALIKES)


def hold_fixes(dice: random.Random, names: list[str], slips: tuple[str, ...]) -> None:
    fixes = 0
    for _ in range(FILES_A_SEED):
        kind, content = FILES[dice.choice(names)]
        content = mutated(dice, content, slips)

        def subject_of(changed: str, kind: object = kind) -> Subject:
            return Subject.of_text("mutated", changed, kind="markdown" if kind == "markdown" else "yaml")

        def diagnose(changed: str) -> list[Diagnostic]:
            return run_checks(subject_of(changed))

        before = subject_of(content)
        for diagnostic in run_checks(before):
            for fix in diagnostic.fixes:
                fixes += 1
                holds(before, diagnostic, fix, subject_of(apply_edits(content, fix.edits)))
        for unsafe in (False, True):
            done = fixed(content, diagnose, unsafe=unsafe)
            assert fixed(done, diagnose, unsafe=unsafe) == done, repr(content)
    assert fixes > FILES_A_SEED / 4


def holds(before: Subject, diagnostic: Diagnostic, fix: Fix, after: Subject) -> None:
    content = repr(before.text.content)
    left = [(each.code, each.span.start) for each in run_checks(after)]
    found = sum(each.code == diagnostic.code for each in run_checks(before))
    # Where the text of a finding is taken out, another of its kind may move to its place: then there is one less.
    is_gone = (diagnostic.code, moved_by(diagnostic.span.start, fix)) not in left
    assert is_gone or sum(code == diagnostic.code for code, _ in left) < found, content
    if before.error is None:
        assert after.error is None, content
        if diagnostic.code != "wrong-type":
            assert denies_as_much(before, diagnostic, fix, after), content
