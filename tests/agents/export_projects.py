"""Projects to export: one with something of everything, and those that are drawn from a seed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import yaml

from rules_lsp.policy.policy import Policy
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.server_files import read_server_files

RULES = ".coding-agent-rules.yaml"
EVERYTHING = """\
allowed_tools: [github/*]
denied_tools: [github/delete_file, fs/*, "shell*/run_*", Bash, "Write(src/**)"]
file_patterns:
  include: [src/**, docs/]
  exclude:
    - .env
    - "*.pem"
    - secrets/
    - /config/{dev,prod}.yaml
    - app/[id]/**
    - a/**/b/*.tx?
    - "[0-9]*"
    - "12"
    - "!kept"
    - \\!bang
    - "# note"
    - ~/x
    - café
"""
SERVERS = '{"mcpServers": {"fs": {"command": "x"}, "Git Hub": {"command": "y"}}}'


def write_project(root: Path, rules: str = EVERYTHING) -> Path:
    """A project with these rules in a work tree of Git."""
    root.mkdir(exist_ok=True)
    (root / ".git").mkdir()
    (root / RULES).write_text(rules, encoding="utf-8")
    (root / ".mcp.json").write_text(SERVERS, encoding="utf-8")
    return root


def with_excludes(root: Path, excludes: Iterable[str]) -> Path:
    """A project that excludes these patterns and protects nothing."""
    rules = yaml.safe_dump({"file_patterns": {"exclude": list(excludes)}}, allow_unicode=True)
    write_project(root, rules)
    (root / "config.yaml").write_text("project_agent_rules: {protect_rule_files: false}\n", encoding="utf-8")
    return root


def policy_of(root: Path) -> tuple[Policy, Catalogue]:
    """The policy of a project, and what is known of its servers."""
    return Project(str(root)).policy(), Catalogue.of_files(read_server_files(str(root)))


_NAMES = ("a", "b", "ab", "x.pem", ".env", "a.md", "12", "é", "あ.md", "a b", "[ab]", "s", "S", "😀")
_SEGMENTS = (
    *("a", "b", "ab", "*.pem", "?.md", "*", "a*", "*b", "[ab]", "[!a]", "[a-z]b", "?", "??", "é", ".env", "12"),
    *("**", "[[:digit:]]*", "a\\*", "{a,b}", "x.{pem,md}", "a b", "[あ-ん]*", "#a", "(a)", "b?b"),
)


def drawn_patterns(random: Random, count: int) -> list[str]:
    """Patterns of one to three segments, anchored or not, of directories or not."""
    return [
        random.choice(("", "", "/"))
        + "/".join(random.choice(_SEGMENTS) for _ in range(random.randint(1, 3)))
        + random.choice(("", "", "", "/", "/**"))
        for _ in range(count)
    ]


def drawn_paths(random: Random, count: int) -> list[str]:
    """Relative paths of one to four names, each once."""
    return list(
        dict.fromkeys("/".join(random.choice(_NAMES) for _ in range(random.randint(1, 4))) for _ in range(count))
    )
