from __future__ import annotations

import os
from pathlib import Path

import pytest

from rules_lsp.policy.decide_file import FileRequest, decide_file
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.requests import asked_path
from rules_lsp.policy.resolve import Resolver
from rules_lsp.policy.verdicts import OPERATIONS, Verdicts
from rules_lsp.workspace.project import Project

NAME = ".coding-agent-rules.yaml"
RULES = """file_patterns:
  include: ['src/**', '*.md', '!src/old/**', 'docs/']
  exclude: ['*.pem', 'secret/', 'src/**/private_*', 'src/[ab].py']
"""
POLICIES = (
    RULES,
    "file_patterns:\n  exclude: ['*.pem']\n",
    "file_patterns:\n  include: ['src/**', '.coding-agent-rules.yaml']\n",
    "file_patterns:\n  include: ['src/**']\n  exclude: ['[a']\n",
    "file_patterns: [\n",
    "",
)
FILES = (
    "README.md",
    "setup.py",
    "src/app.py",
    "src/APP.py",
    "src/a.py",
    "src/[ab].py",
    "src/key.pem",
    "src/old/x.py",
    "src/private_x/y.py",
    "src/50%.py",
    "src/a\\b.py",
    "src/caf\u00e9.py",
    "src/with space.py",
    "secret/x.md",
    "docs/guide",
    "deep/secret/x.md",
    ".github/AGENTS.md",
    "sub/.coding-agent-rules.yaml/x",
)
LINKS = {"src/link.py": "app.py", "out": "..", "src/in": "../secret", "linked": "src", "src/dead": "nowhere"}
ASKED = (
    *FILES,
    *LINKS,
    NAME,
    f"{NAME}/below",
    ".Coding-Agent-Rules.yaml",
    "src",
    "src/",
    "src//app.py",
    "./src/app.py",
    "src/../setup.py",
    "/src/app.py",
    "../elsewhere",
    "",
    ".",
    "src/new.py",
    "src/new/deeper.py",
    "src/new.pem",
    "src/app.py/below",
    "linked/app.py",
    "linked/key.pem",
    "src/in/x.md",
    "out/x.py",
    "~/x",
    "$HOME/x",
    "c:/x",
    "src/x::$DATA",
    "src/\x1b.py",
    "src/" + "n" * 300,
    "a/" * 3000 + "a",
    "src/" + "a/" * 2000 + "a",
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    for name in FILES:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for name, target in LINKS.items():
        (root / name).symlink_to(target)
    return root


def policy_of(root: Path, rules: str, *, fold_case: bool = False) -> Policy:
    (root / NAME).write_text(rules)
    return Project(str(root), fold_case=fold_case).policy()


def code_of(policy: Policy, path: str, operation: str) -> str:
    asked = asked_path(path, None, policy.root, policy.config)
    return decide_file(policy, FileRequest(asked, operation), Resolver(policy.root)).code


@pytest.mark.parametrize("fold_case", [False, True])
@pytest.mark.parametrize("rules", POLICIES)
def test_a_verdict_is_that_of_the_whole_decision(root: Path, rules: str, fold_case: bool) -> None:
    policy = policy_of(root, rules, fold_case=fold_case)
    for operation in ("read", "write", "create", "delete", "rename", "nonsense"):
        verdicts = Verdicts(policy, operation, Resolver(policy.root))
        found = {path: code for path in ASKED if (code := verdicts.code(path)) is not None}
        assert found == {path: code_of(policy, path, operation) for path in found}
        assert bool(found) == (operation in OPERATIONS)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("src/app.py", "included"),
        ("src/new.py", "included"),
        ("src/with space.py", "included"),
        ("README.md", "included"),
        ("docs/guide", "included"),
        ("setup.py", "not-included"),
        ("src/key.pem", "excluded"),
        ("src/old/x.py", "excluded"),
        ("src/private_x/y.py", "excluded"),
        ("src/a.py", "excluded"),
        ("src/[ab].py", "excluded"),
        ("deep/secret/x.md", "excluded"),
        (NAME, "protected"),
        (".github/AGENTS.md", "protected"),
    ],
)
def test_plain_names_are_decided(root: Path, path: str, code: str) -> None:
    policy = policy_of(root, RULES)
    assert Verdicts(policy, "write", Resolver(policy.root)).code(path) == code


@pytest.mark.parametrize(
    "path",
    [
        "src/link.py",
        "linked/app.py",
        "src/in/x.md",
        "out/x.py",
        "src/dead",
        "src",
        "src//app.py",
        "src/../setup.py",
        "/src/app.py",
        "src/50%.py",
        "src/a\\b.py",
        "src/caf\u00e9.py",
        "~/x",
        "",
        None,
        7,
    ],
)
def test_what_is_not_plain_is_left(root: Path, path: object) -> None:
    policy = policy_of(root, RULES)
    assert Verdicts(policy, "write", Resolver(policy.root)).code(path) is None


def test_a_link_that_takes_the_place_of_a_file_is_seen_at_once(root: Path) -> None:
    policy = policy_of(root, RULES)
    verdicts = Verdicts(policy, "write", Resolver(policy.root))
    place = root / "src" / "swapped.py"
    place.touch()
    assert verdicts.code("src/swapped.py") == "included"
    place.unlink()
    place.symlink_to("key.pem")
    assert verdicts.code("src/swapped.py") is None
    place.unlink()


def test_a_root_that_is_reached_by_a_link(root: Path) -> None:
    policy = policy_of(root, RULES)
    given = root.parent / "by-link"
    if not os.path.lexists(given):
        given.symlink_to(root)
    linked = Project(str(given)).policy()
    assert (linked.root.given, linked.root.real) == (str(given), str(root))
    verdicts = Verdicts(linked, "write", Resolver(linked.root))
    assert verdicts.code("src/app.py") == code_of(policy, "src/app.py", "write") == "included"
    assert verdicts.code("src/key.pem") == "excluded"
