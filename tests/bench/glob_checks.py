"""What the checks of globs cost, cold and warm: glob_checks.py [FILES] [ENTRIES].

Beside them stands what it would cost to match every pattern with every file.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from rules_lsp.checks import CHECKS, Subject
from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.roots import Root
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.project import Project

CODES = frozenset(
    {
        "never-matches", "negated-pattern", "matches-nothing", "comma-in-entry", "stray-double-star", "case-mismatch",
        "partly-unanchored", "dialect-divergent", "character-class-path", "nothing-allowed", "secret-exposed",
        "shadowed-include", "covered-pattern", "dead-exclude",
    }
)  # fmt: skip
NAME = ".coding-agent-rules.yaml"
WORDS = ("src", "lib", "app", "tests", "docs", "core", "utils", "api", "web", "data")


def main() -> None:
    count, entries = (int(value) for value in (*sys.argv[1:], "10000", "1000")[:2])
    dice = random.Random(1)
    files = inventory_of(dice, count)
    patterns = [pattern_of(dice, files.files, number) for number in range(entries)]
    content = "\n".join(["file_patterns:", "  include:", *(f"    - '{text}'" for text in patterns), ""])
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / NAME
        path.write_text(content, encoding="utf-8")
        policy = Project(directory).policy()
        root = Root.at(directory)
        for state in ("cold", "warm"):
            subject = Subject.of_text(NAME, content, path=str(path), root=root).surrounded(policy, files)
            print(state)
            for check in CHECKS:
                if check.code in CODES:
                    begin = time.perf_counter()
                    found = len(list(check.find(subject)))
                    print(f"  {check.code:22} {(time.perf_counter() - begin) * 1000:8.1f} ms {found:6} found")
    globs = [glob for text in patterns[:50] if isinstance(glob := parse_glob(text), Glob)]
    begin = time.perf_counter()
    taken = sum(any(glob.covers(file, False) for file in files.files) for glob in globs)
    naive = (time.perf_counter() - begin) / len(globs) * entries
    print(f"every pattern with every file, from {len(globs)} of them ({taken} take one): {naive * 1000:.0f} ms")


def inventory_of(dice: random.Random, count: int) -> FileInventory:
    files: set[str] = set()
    directories: set[str] = set()
    while len(files) < count:
        names = [f"{dice.choice(WORDS)}{dice.randrange(9)}" for _ in range(dice.randrange(1, 6))]
        files.add("/".join(names) + f"/f{dice.randrange(10**6)}.{dice.choice(('py', 'ts', 'md', 'json'))}")
        directories.update("/".join(names[:depth]) for depth in range(1, len(names) + 1))
    return FileInventory(tuple(sorted(files)), tuple(sorted(directories)))


def pattern_of(dice: random.Random, files: tuple[str, ...], number: int) -> str:
    file = dice.choice(files)
    directory = file.rpartition("/")[0]
    return dice.choice(
        [file, f"{directory}/**", f"{directory}/*.py", f"**/f{number}*.md", f"{directory}x/**", f"**/none{number}/*.py"]
    )


if __name__ == "__main__":
    main()
