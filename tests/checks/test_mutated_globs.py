"""Lists of patterns with slips of every kind in a project with files: fixes work, and take nothing away."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rules_lsp.checks import Diagnostic, Subject, run_checks
from rules_lsp.checks.common.fixing import fixed
from rules_lsp.policy.roots import Root
from rules_lsp.source.edits import apply_edits
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.project import Project
from tests.checks.test_cases import denies_as_much, is_removed

FILES_A_SEED = 250
FILES = FileInventory(
    (
        ".env", "README.md", "a,b", "app/[id]/page.tsx", "build/x", "docs/README.md", "docs/Guide.md",
        "keys/server.pem", "src/app.py", "src/components/Button.tsx", "src/sub/build/y", "tests/check_app.py",
    ),
    ("app", "app/[id]", "build", "docs", "empty", "keys", "src", "src/components", "src/sub", "src/sub/build", "tests"),
)  # fmt: skip
PATTERNS = (
    "src/**", "srcs/**", "Src/**", "**/*.py", "**.py", "src**", "*.py,*.tsx", "*.md, *.txt", "!src/app.py", "!!x",
    "README.md", "build/", "app/[id]/**", "app/[id]/*.tsx", "~/x", "./src/", "src//x", "a/../b", "src\\app.py", "[a",
    "{a,b}/**", "/", ".", "empty/**", "docs/guide.md", "**/components/button.tsx", "*.pem", ".env", "a,b", "no",
    "*.markdown", "dcos/**", "tests/*.p",
)  # fmt: skip
SLIPS = ("'", '"', "[", "]", ",", "!", " ", "\n", "#", "`", "\\", "*", "&a ", "*a", "|", ":", "- ", "\u00e9", "\ufeff")


def yaml_file(dice: random.Random) -> str:
    lines = ["file_patterns:"]
    for key in dice.sample(("include", "exclude"), dice.randint(1, 2)):
        quoted = [quote(dice, dice.choice(PATTERNS)) for _ in range(dice.randint(0, 5))]
        if dice.random() < 0.3:
            lines.append(f"  {key}: [{', '.join(quoted)}]{dice.choice(('', ' # why'))}")
        else:
            lines += [f"  {key}:", *(f"    - {text}{dice.choice(('', '', ' # why'))}" for text in quoted)]
    return dice.choice(("\n", "\n", "\r\n")).join([*lines, dice.choice(("", "denied_tools: [Bash]"))])


def quote(dice: random.Random, text: str) -> str:
    return dice.choice((f"'{text}'", f"'{text}'", text if text[0].isalpha() else f"'{text}'", f'"{text}"'))


def markdown_file(dice: random.Random) -> str:
    lines = ["# Rules", "", "## File Patterns"]
    for name in dice.sample(("Include", "Exclude"), dice.randint(1, 2)):
        lines.append(f"### {name}")
        if dice.random() < 0.2:
            lines += ["```yaml", *(f"- '{dice.choice(PATTERNS)}'" for _ in range(dice.randint(1, 4))), "```"]
            continue
        for _ in range(dice.randint(0, 5)):
            marks = dice.choice(("`", "`", "`", ""))
            codes = ", ".join(f"{marks}{dice.choice(PATTERNS)}{marks}" for _ in range(dice.choice((1, 1, 1, 2))))
            lines.append(f"- {codes}{dice.choice(('', '', ' - a remark'))}")
    return "\n".join([*lines, ""])


def slipped(dice: random.Random, content: str) -> str:
    for _ in range(dice.choice((0, 0, 1, 2))):
        at = dice.randrange(len(content) + 1)
        content = content[:at] + dice.choice(SLIPS) + content[at + dice.randint(0, 2) :]
    return content


@pytest.mark.parametrize("seed", range(4))
def test_fixes_of_patterns(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    root = Root.at(str(tmp_path))
    policy = Project(str(tmp_path)).policy()
    fixes = 0
    for _ in range(FILES_A_SEED):
        name, make = dice.choice(((".coding-agent-rules.yaml", yaml_file), (".coding-agent-rules.md", markdown_file)))
        content = slipped(dice, make(dice))

        def subject_of(changed: str, name: str = name) -> Subject:
            path = str(tmp_path / name)
            return Subject.of_text(name, changed, path=path, root=root).surrounded(policy, FILES)

        def diagnose(changed: str) -> list[Diagnostic]:
            return run_checks(subject_of(changed))

        before = subject_of(content)
        found = run_checks(before)
        for diagnostic in found:
            for fix in diagnostic.fixes:
                fixes += 1
                after = subject_of(apply_edits(content, fix.edits))
                told = f"{content!r}: {diagnostic.code}: {fix.title}"
                assert is_removed(diagnostic, fix, found, run_checks(after)), told
                if before.error is None:
                    assert after.error is None, told
                    assert denies_as_much(before, diagnostic, fix, after), told
        for unsafe in (False, True):
            done = fixed(content, diagnose, unsafe=unsafe)
            assert fixed(done, diagnose, unsafe=unsafe) == done, repr(content)
    assert fixes > FILES_A_SEED
