"""Whether a file that the command line names is one to check: by its name, the configuration, or what it holds."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from rules_lsp.checks.common.kinds import kind_of_file
from rules_lsp.checks.common.other_files import canonical_name
from rules_lsp.policy.config import DEFAULT_RULE_FILES
from rules_lsp.policy.files import read_file
from rules_lsp.policy.keys import EXTENSIONS, TOP_LEVEL, meant_key
from rules_lsp.policy.markdown.read_markdown import read_markdown
from rules_lsp.source.text import Text
from rules_lsp.workspace.project import Project

_KEY = re.compile(r"""^["']?(?P<key>[A-Za-z_][\w-]*)["']?[ \t]*[:：]""", re.MULTILINE)
_EXTENSIONS = (".yaml", ".yml", ".md", ".markdown")
_NAMES = frozenset(os.path.basename(name).casefold() for name in DEFAULT_RULE_FILES)
WHAT_IS_ONE = (
    "name a `.coding-agent-rules.yaml`, a `.coding-agent-rules.md`, an `AGENTS.md`, "
    "or another YAML or Markdown file with rules in it"
)


def fault_of_named(path: str, root: str, config: str | None) -> str | None:
    """Why a file is not checked though it is named, or None where it is one to check.

    `path` and `root` are absolute, `config` is the operator's configuration. A file that is not in force, misnamed or
    broken is one to check all the same: it bears the name, or something like it, or some line of it is a key.
    """
    base = os.path.basename(path)
    if kind_of_file(path) not in ("yaml", "markdown") or base.casefold() in _NAMES or canonical_name(base) is not None:
        return None
    if os.path.realpath(path) in _named_elsewhere(root, config):
        return None
    if base.casefold().endswith(_EXTENSIONS):
        content = read_file(path)
        text, unreadable = content.text()
        if unreadable is not None:
            return f"it cannot be read: {unreadable}"
        if _holds_rules(base, text):
            return None
    return f"this is no rule file: {WHAT_IS_ONE}"


def _named_elsewhere(root: str, config: str | None) -> frozenset[str]:
    """The files that the configuration puts in force, and those that a link of such a name leads to."""
    return frozenset(map(os.path.realpath, _paths_in_force(root, config)))


def _paths_in_force(root: str, config: str | None) -> Iterator[str]:
    project = Project(root, config)
    for entry in project.policy().config.rule_files:
        if "\0" not in entry.name:
            yield os.path.join(project.root.real, entry.name)
    if config is not None:
        yield config


def _holds_rules(name: str, text: str) -> bool:
    if name.casefold().endswith((".md", ".markdown")):
        return bool(read_markdown(Text(text), frozenset()).sections)
    known = (*TOP_LEVEL, *EXTENSIONS)
    return any(meant_key(match["key"], known) is not None for match in _KEY.finditer(text))
