"""Other tools' readings, as their own documentation and behaviour have them, and the check that compares with them."""

from __future__ import annotations

import fnmatch
from pathlib import Path

import pytest

from rules_lsp.checks import Subject, run_checks
from rules_lsp.checks.common.dialects import fnmatch_reading, minimatch
from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.roots import Root
from rules_lsp.workspace.inventory import FileInventory


def glob_of(text: str) -> Glob:
    found = parse_glob(text)
    assert isinstance(found, Glob)
    return found


@pytest.mark.parametrize(
    ("pattern", "path", "taken"),
    [
        ("*.py", "a.py", True),
        ("*.py", "src/a.py", False),
        ("*.py", ".py", False),
        ("**/*.py", "a.py", True),
        ("**/*.py", "src/deep/a.py", True),
        ("**/*.py", ".hidden/a.py", False),
        ("src", "src/a.py", False),
        ("src/**", "src/a/b.py", True),
        ("src/**", "src", False),
        ("src/*", "src/.env", False),
        ("src/.*", "src/.env", True),
        ("*.{js,ts}", "a.ts", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("**.py", "a.py", True),
        ("**.py", "src/a.py", False),
    ],
)
def test_minimatch(pattern: str, path: str, taken: bool) -> None:
    reading = minimatch(glob_of(pattern))
    assert reading is not None
    assert reading(path) is taken


@pytest.mark.parametrize("pattern", ["a\\*", "[ab]", "/"])
def test_what_is_left_out(pattern: str) -> None:
    assert minimatch(glob_of(pattern)) is None


@pytest.mark.parametrize("pattern", ["*.py", "src/*", "src/**/*.py", "{a,b}.py", "[!a]*", "a?b"])
@pytest.mark.parametrize("path", ["a.py", "src/a.py", "src/b/a.py", "{a,b}.py", "a/b", "b"])
def test_fnmatch(pattern: str, path: str) -> None:
    reading = fnmatch_reading(glob_of(pattern))
    assert reading is not None
    assert reading(path) is fnmatch.fnmatchcase(path, pattern)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("*.py", "`*.py` takes `src/a.py`, and minimatch does not take it"),
        ("src/*.py", "`src/*.py` does not take `src/b/c.py`, and fnmatch takes it"),
        ("src/a.py", None),
        ("**/b/*", None),
        ("*a*a*a*a*a*a*a*b", None),
    ],
)
def test_a_file_is_the_witness(tmp_path: Path, pattern: str, message: str | None) -> None:
    name = ".coding-agent-rules.yaml"
    files = FileInventory(("src/a.py", "src/b/ab", "src/b/c.py"), ("src", "src/b"))
    content = f"file_patterns:\n  include: ['{pattern}']\n"
    subject = Subject.of_text(name, content, path=str(tmp_path / name), root=Root.at(str(tmp_path)))
    found = run_checks(subject.surrounded(files=files), also=frozenset({"dialect-divergent"}))
    told = [each.message for each in found if each.code == "dialect-divergent"]
    assert told == ([] if message is None else [message])
