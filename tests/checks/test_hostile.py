"""Files that are made to exhaust a machine: each is checked within limits of processor time and memory.

The limits are those of the operating system on a process of its own; what it prints are the codes that it found.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROCESSOR_SECONDS = 20
MEMORY = 768 * 1024 * 1024
MEBI = 1024 * 1024
NASTY = ROOT / "tests" / "data" / "yaml_nasty"

PROGRAM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
from rules_lsp.checks import Subject, run_checks
found = run_checks(Subject.of_file(sys.argv[1]))
print(len(found), *sorted({{each.code for each in found}}))
"""


def check(path: Path) -> str:
    program = PROGRAM.format(seconds=PROCESSOR_SECONDS, memory=MEMORY)
    command = [sys.executable, "-c", program, str(path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.strip()


@pytest.mark.parametrize("name", ["21_billion_laughs", "25_deep_flow_10k", "27_deep_flow_unclosed_50k"])
def test_bombs(name: str) -> None:
    assert check(NASTY / f"{name}.yaml") == "1 alias-bomb"


HEAD = "file_patterns:\n  exclude:\n"
LINES = "    - src/module/**\n"
GENERATED: dict[str, tuple[str, str]] = {
    "brackets": ("[" * (MEBI - 1), "1 alias-bomb"),
    "braces and colons": ("{a: " * 200_000, "1 alias-bomb"),
    "dashes": ("- " * 500_000, "1 alias-bomb"),
    "one long text": ("x" * (MEBI - 1), "1 wrong-type"),
    "open quotes": (HEAD + '    - "a\n' * 60_000, "1 syntax-error"),
    "many bare entries": (HEAD + "    - no\n" * 100_000, "1000 ambiguous-scalar duplicate-entry too-many-findings"),
    "many mappings": (HEAD + "    - a: b\n" * 80_000, "1000 too-many-findings wrong-type"),
    "many broken globs": (HEAD + "    - a[b\n" * 80_000, "1000 invalid-glob too-many-findings"),
    "many unknown keys": (
        "".join(f"denied_tool{number}: [a]\n" for number in range(30_000)),
        "1000 too-many-findings unknown-key",
    ),
    "one key many times": ("include: [a]\n" * 60_000, "1000 duplicate-key too-many-findings unknown-key"),
    "faults at the end": (HEAD + LINES * 40_000 + "    - *.py\n" * 100, "100 unquoted-glob"),
    "unquoted globs alone": (HEAD + "    - *.py\n" * 90_000, "1000 too-many-findings unquoted-glob"),
    "one broad brace": (HEAD + "    - '" + "{a,b}" * 200 + "'\n", "1 invalid-glob"),
    "aliases in a row": ("a: &a [x, y]\nx-b:\n" + "  - *a\n" * 100_000, "1 alias-bomb"),
    "control characters": ("\x01" * 100_000, "1 syntax-error"),
    "many missing spaces": (HEAD + "    -a\n" * 100_000, "1000 missing-space too-many-findings"),
    "many words and colons": (
        HEAD + "".join(f"    w{number}: x{number}:y\n" for number in range(40_000)),
        "1 wrong-type",
    ),
    "many lines of look-alikes": (HEAD + "    • a\n" * 80_000, "1000 fullwidth-punctuation too-many-findings"),
    "many curly quotes": (
        HEAD + "".join(f"    - “a{number}”\n" for number in range(40_000)),
        "1000 fullwidth-punctuation too-many-findings",
    ),
    "many commas": ("denied_tools: [" + "a，" * 200_000 + "a]\n", "1000 fullwidth-punctuation too-many-findings"),
    "many swallowed words": (
        HEAD + "".join(f"    - a{number} #b\n" for number in range(50_000)),
        "1000 swallowed-comment too-many-findings",
    ),
    "many escapes": (
        HEAD + "".join(f'    - "a\\tb{number}"\n' for number in range(50_000)),
        "1000 escaped-backslash too-many-findings",
    ),
    "one text with commas": ("denied_tools: " + "a," * 500_000 + "a\n", "1 scalar-for-list"),
    "tabs": ("a:\n" + "\tb:\n" * 200_000, "5 tab-indentation"),
    "fences": ("```\n" * 200_000, "1 syntax-error"),
}


@pytest.mark.parametrize("name", GENERATED)
def test_generated_files(name: str, tmp_path: Path) -> None:
    content, expected = GENERATED[name]
    path = tmp_path / "rules.yaml"
    path.write_text(content[:MEBI], encoding="utf-8")
    assert check(path) == expected
