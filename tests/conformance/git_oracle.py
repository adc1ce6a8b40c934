"""Asks the real git what a pattern means: each pattern in a directory of its own, all paths in one process."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Question:
    """A pattern, the paths that are asked of it, and those among them (and their parents) that are directories."""

    pattern: str
    paths: tuple[str, ...]
    directories: frozenset[str] = frozenset()


def ignored_by_git(questions: Sequence[Question], work_tree: Path) -> list[frozenset[str]]:
    """For each question the paths that `git check-ignore --no-index` reports, in an empty directory `work_tree`."""
    environment = _environment(work_tree)
    subprocess.run(["git", "init", "-q", str(work_tree)], check=True, env=environment)
    asked: list[str] = []
    for number, question in enumerate(questions):
        place = f"{work_tree}/{number}"
        os.mkdir(place)
        with open(f"{place}/.gitignore", "wb") as file:
            file.write(question.pattern.encode() + b"\n")
        for directory in question.directories:
            os.makedirs(f"{place}/{directory}", exist_ok=True)
        asked.extend(f"{number}/{path}" for path in question.paths)
    answer = subprocess.run(
        ["git", "-c", "core.ignoreCase=false", "check-ignore", "--no-index", "-z", "--stdin"],
        input=b"".join(path.encode() + b"\0" for path in asked),
        capture_output=True,
        cwd=work_tree,
        env=environment,
        check=False,
    )
    # 1 means that nothing is ignored.
    assert answer.returncode in (0, 1), answer.stderr.decode()
    ignored: list[set[str]] = [set() for _ in questions]
    for line in answer.stdout.decode().split("\0")[:-1]:
        number_text, path = line.split("/", 1)
        ignored[int(number_text)].add(path)
    return [frozenset(paths) for paths in ignored]


def with_parents(directories: Iterable[str]) -> frozenset[str]:
    """The directories and all that they lie in."""
    found: set[str] = set()
    for directory in directories:
        parts = directory.split("/")
        found.update("/".join(parts[:count]) for count in range(1, len(parts) + 1))
    return frozenset(found)


def _environment(home: Path) -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
