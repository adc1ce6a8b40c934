"""What is exported against what decides in the hosts: Git, the package `ignore`, VS Code's own globs.

Every path that the engine denies for reading and for writing must be matched. What is matched beyond that must belong
to a pattern of which the loss report says that more is denied.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from random import Random, SystemRandom

import pytest

from rules_lsp.agents.export.claude import claude
from rules_lsp.agents.export.denied import denied_files
from rules_lsp.agents.export.ignore_files import ignored_lines
from rules_lsp.agents.export.opencode import opencode
from rules_lsp.agents.export.vscode import vscode
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.query import answer
from tests.agents.export_projects import drawn_paths, drawn_patterns, policy_of, with_excludes
from tests.conformance.git_oracle import Question, ignored_by_git

SEEDS = [20260730, SystemRandom().randrange(2**32)]
_PATTERNS = 100
_PATHS = 200
_MATCHERS = Path(__file__).parent / "export_matchers"


def engine_denies(policy: Policy, paths: list[str]) -> set[str]:
    """The paths that the engine denies for reading and for writing alike."""
    found = []
    for operation in ("read", "write"):
        answers = answer(policy, {"paths": paths, "operation": operation})["answers"]
        found.append({path for path, each in zip(paths, answers, strict=True) if not each["allowed"]})
    assert found[0] == found[1]
    return found[0]


def more_than_reported(policy: Policy, matched: Iterable[set[str]], denied: list[set[str]]) -> list[str]:
    """The patterns that match more than the engine denies although the report does not name them."""
    reported = {entry for each in denied_files(policy).losses for entry in each.entries}
    reported |= set(denied_files(policy).varying)
    texts = [entry.text for entry in policy.excludes.entries]
    return [
        text for text, taken, due in zip(texts, matched, denied, strict=True) if taken - due and text not in reported
    ]


def single_policies(tmp_path: Path, patterns: list[str]) -> list[Policy]:
    return [policy_of(with_excludes(tmp_path / f"p{number}", [text]))[0] for number, text in enumerate(patterns)]


@pytest.mark.parametrize("seed", SEEDS, ids=["fixed-seed", "fresh-seed"])
def test_git_takes_what_the_engine_denies(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\nseed of the exported patterns: {seed}")
    random = Random(seed)
    patterns, paths = drawn_patterns(random, _PATTERNS), drawn_paths(random, _PATHS)
    policies = single_policies(tmp_path, patterns)
    due = [engine_denies(policy, paths) for policy in policies]
    files = [denied_files(policy) for policy in policies]
    work_tree = tmp_path / "git"
    work_tree.mkdir()
    questions = [Question("\n".join(ignored_lines(each, protects=True)), tuple(paths)) for each in files]
    taken = ignored_by_git(questions, work_tree)

    missed = [
        (text, sorted(want - got)[:3]) for text, want, got in zip(patterns, due, taken, strict=True) if want - got
    ]
    assert missed == []
    unreported = [
        (text, sorted(got - want)[:3])
        for text, policy, want, got in zip(patterns, policies, due, taken, strict=True)
        if more_than_reported(policy, [set(got)], [want])
    ]
    assert unreported == []
    assert sum(map(len, due)) >= len(paths) * 3


@pytest.mark.parametrize("seed", SEEDS, ids=["fixed-seed", "fresh-seed"])
def test_rules_for_claude_take_what_the_engine_denies(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    patterns, paths = drawn_patterns(random, _PATTERNS), drawn_paths(random, _PATHS)
    work_tree = tmp_path / "git"
    work_tree.mkdir()
    questions, due = [], []
    for number, text in enumerate(patterns):
        policy, catalogue = policy_of(with_excludes(tmp_path / f"p{number}", [text]))
        rules, _ = claude(policy, catalogue)
        edits, reads = ([rule[5:-1] for rule in rules if rule.startswith(name)] for name in ("Edit(", "Read("))
        assert edits == reads
        assert all(line.startswith("/") and not set(line) & set("()\\") for line in edits)
        questions.append(Question("\n".join(edits), tuple(paths)))
        due.append(engine_denies(policy, paths))
    taken = ignored_by_git(questions, work_tree)
    missed = [
        (text, sorted(want - got)[:3]) for text, want, got in zip(patterns, due, taken, strict=True) if want - got
    ]
    assert missed == []


def _as_opencode_matches(pattern: str, path: str) -> bool:
    """The documented meaning: `*` is any run of characters, `?` any one (a unit of UTF-16), the rest itself."""
    units = [text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass") for text in (pattern, path)]
    wide = "".join("xx" if ord(character) > 0xFFFF and "?" in pattern else character for character in units[1])
    expression = "".join(
        {"*": "(?s:.*)", "?": "(?s:.)"}.get(character) or re.escape(character) for character in units[0]
    )
    return re.fullmatch(expression, wide) is not None or re.fullmatch(expression, path) is not None


@pytest.mark.parametrize("seed", SEEDS, ids=["fixed-seed", "fresh-seed"])
def test_patterns_for_opencode_take_what_the_engine_denies(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    patterns, paths = drawn_patterns(random, _PATTERNS // 2), drawn_paths(random, _PATHS // 2)
    missed = []
    for number, text in enumerate(patterns):
        policy, catalogue = policy_of(with_excludes(tmp_path / f"p{number}", [text]))
        members, _ = opencode(policy, catalogue, {})
        edits = [path[-1] for path in members if path[:2] == ("permission", "edit")]
        assert [path[-1] for path in members if path[:2] == ("permission", "read")] == edits
        assert not any(pattern.isdigit() or pattern[0] in "~$" for pattern in edits)
        for path in engine_denies(policy, paths):
            if not any(_as_opencode_matches(pattern, path) for pattern in edits):
                missed.append((text, path))
    assert missed == []


@pytest.fixture(scope="session")
def modules() -> Path:
    """The packages of the matchers, installed into the environment."""
    place = Path(sys.prefix) / "export-matchers"
    lock = (_MATCHERS / "package-lock.json").read_text(encoding="utf-8")
    noted = place / "installed"
    if not noted.is_file() or noted.read_text(encoding="utf-8") != lock:
        place.mkdir(exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            (place / name).write_text((_MATCHERS / name).read_text(encoding="utf-8"), encoding="utf-8")
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(command, cwd=place, check=True, capture_output=True)
        noted.write_text(lock, encoding="utf-8")
    return place / "node_modules"


def matched(modules: Path, globs: list[str], lines: list[str], paths: list[str]) -> tuple[set[str], set[str]]:
    """The paths that VS Code's globs match, and those that the package `ignore` ignores."""
    asked = json.dumps({"globs": globs, "lines": lines, "paths": paths})
    command = ["node", str(_MATCHERS / "match.mjs"), str(modules)]
    told = json.loads(subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout)
    return set(told["vscode"]), set(told["ignore"])


@pytest.mark.vscode
@pytest.mark.parametrize("seed", SEEDS, ids=["fixed-seed", "fresh-seed"])
def test_packages_of_hosts_take_what_the_engine_denies(seed: int, tmp_path: Path, modules: Path) -> None:
    random = Random(seed)
    patterns, paths = drawn_patterns(random, 20), drawn_paths(random, _PATHS)
    missed = []
    for number, text in enumerate(patterns):
        policy, _ = policy_of(with_excludes(tmp_path / f"p{number}", [text]))
        globs = [path[-1] for path in vscode(policy)[0]]
        by_vscode, by_ignore = matched(modules, globs, ignored_lines(denied_files(policy), protects=True), paths)
        due = engine_denies(policy, paths)
        missed += [
            (text, name, sorted(due - got)[:3])
            for name, got in (("vscode", by_vscode), ("ignore", by_ignore))
            if due - got
        ]
        more = more_than_reported(policy, [by_vscode], [due])
        assert more == [], sorted(by_vscode - due)[:3]
    assert missed == []


@pytest.mark.vscode
def test_packages_of_hosts_let_neighbours_through(tmp_path: Path, modules: Path) -> None:
    policy, _ = policy_of(with_excludes(tmp_path / "p", ["*.pem", "/secrets", "a/**/b", "[0-9x].md"]))
    globs = [path[-1] for path in vscode(policy)[0]]
    allowed = ["key.pub", "src/secrets", "secretsx/a", "a.b", "xa/b", "ab", "y.md", "é.md", "x.mdx", "pem"]
    denied = ["k.pem", "d/k.pem", "secrets", "secrets/a/b", "a/b", "a/x/y/b/z", "x.md", "7.md"]
    both = matched(modules, globs, ignored_lines(denied_files(policy), protects=True), [*allowed, *denied])
    assert both == (set(denied), set(denied))


def test_both_normal_forms_of_a_name_are_denied(tmp_path: Path) -> None:
    policy, _ = policy_of(with_excludes(tmp_path / "p", ["/café"]))
    assert ignored_lines(denied_files(policy), protects=True) == [
        "/café",
        "/" + unicodedata.normalize("NFD", "café"),
    ]
