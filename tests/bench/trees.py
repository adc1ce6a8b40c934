"""Made-up projects: trees of a wanted size, the same at every run, and a Git repository around them."""

from __future__ import annotations

import os
import random
import subprocess
from collections import defaultdict
from pathlib import Path

NAME = ".coding-agent-rules.yaml"
INCLUDE = ("src/**", "*.md", "packages/**/*.ts", "docs/", "tests/**/test_*.py")
EXCLUDE = ("**/.env", "*.log", "secrets/**", "node_modules/", "src/**/private_*")
_IGNORED = ("node_modules/", "build/", "dist/")
_TOPS = ("src", "packages", "docs", "tests", "tools", "services", "infra", "build", "dist")
_WORDS = [
    "api",
    "core",
    "web",
    "auth",
    "billing",
    "search",
    "report",
    "worker",
    "queue",
    "admin",
    "theme",
    "mail",
    "sync",
    "cache",
    "user",
    "order",
    "index",
    "utils",
    "config",
    "client",
    "server",
    "parser",
    "model",
    "view",
    "route",
    "schema",
    "store",
    "token",
]
_KINDS = [
    "py",
    "py",
    "py",
    "py",
    "ts",
    "ts",
    "ts",
    "ts",
    "tsx",
    "tsx",
    "md",
    "md",
    "json",
    "json",
    "yaml",
    "css",
    "go",
    "rs",
    "sql",
    "txt",
    "png",
    "png",
    "log",
]
_DEEPEST = 7


def rules(include: tuple[str, ...] = INCLUDE, exclude: tuple[str, ...] = EXCLUDE) -> str:
    """A rule file about files."""
    lists = {"include": include, "exclude": exclude}
    lines = (line for key, globs in lists.items() for line in (f"  {key}:", *(f'    - "{glob}"' for glob in globs)))
    return "\n".join(["file_patterns:", *lines, ""])


def paths_of(number: int) -> list[str]:
    """Root-relative paths, one to eight levels deep, about a dozen files a directory, a quarter in `node_modules`."""
    dice = random.Random(7)
    foreign_number = number // 4
    own = _directories(dice, max(len(_TOPS), (number - foreign_number) // 12), list(_TOPS))
    packages = [f"node_modules/{dice.choice(_WORDS)}-{count}" for count in range(max(1, foreign_number // 60))]
    foreign = _directories(dice, max(len(packages), foreign_number // 12), packages)
    paths = ["README.md", "AGENTS.md", "package.json", ".env", "src/.env"][:number]
    seen = set(paths)
    while len(paths) < number:
        is_foreign = len(paths) % 4 == 0
        directory = dice.choice(foreign if is_foreign else own)
        kind = dice.choice(("js", "d.ts", "md", "json")) if is_foreign else dice.choice(_KINDS)
        stem = f"{dice.choice(_WORDS)}_{dice.choice(_WORDS)}"
        if kind == "ts" and dice.random() < 0.15:
            kind = "test.ts"
        path = f"{directory}/{stem}.{kind}"
        path = f"{directory}/{stem}_{len(paths)}.{kind}" if path in seen else path
        seen.add(path)
        paths.append(path)
    return paths


def _directories(dice: random.Random, wanted: int, tops: list[str]) -> list[str]:
    found, seen = list(tops), set(tops)
    while len(found) < wanted:
        # The shallower of two, so that few lie deep.
        above = min(dice.choice(found), dice.choice(found), key=lambda path: path.count("/"))
        path = f"{above}/{dice.choice(_WORDS)}"
        path = f"{path}_{len(found)}" if path in seen else path
        if path.count("/") < _DEEPEST:
            seen.add(path)
            found.append(path)
    return found


def write_project(root: Path, paths: list[str], *, git: bool = True) -> None:
    """Make the files, empty, and a repository that knows nine in ten of those that it does not ignore."""
    by_directory: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        directory, _, name = path.rpartition("/")
        by_directory[directory].append(name)
    for directory, names in by_directory.items():
        (root / directory).mkdir(parents=True, exist_ok=True)
        for name in names:
            os.close(os.open(root / directory / name, os.O_CREAT | os.O_WRONLY, 0o644))
    if git:
        _make_repository(root, paths)


def _make_repository(root: Path, paths: list[str]) -> None:
    def call(*arguments: str, text: str = "") -> str:
        done = subprocess.run(("git", *arguments), cwd=root, input=text, text=True, check=True, capture_output=True)
        return done.stdout

    (root / ".gitignore").write_text("\n".join([*_IGNORED, "*.log", ".env", ""]))
    call("init", "-q")
    empty = call("hash-object", "-w", "--stdin").strip()
    kept = (path for path in paths if not path.startswith(_IGNORED) and not path.endswith((".log", ".env")))
    tracked = [path for number, path in enumerate(kept) if number % 10]
    # Names alone, so that no file is read.
    call("update-index", "--index-info", text="".join(f"100644 {empty}\t{path}\n" for path in tracked))
