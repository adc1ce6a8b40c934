"""The projects of a tree: every directory that holds rules of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

from rules_lsp.policy.config import DEFAULT_RULE_FILES, SECTION, read_config
from rules_lsp.policy.files import read_file
from rules_lsp.policy.policy import CONFIG_NAME

SKIPPED = frozenset({"node_modules"})
"""Directories of other people's files, beside those that begin with a dot and virtual environments of Python."""
_ENVIRONMENT_MARK = "pyvenv.cfg"

OnError = Callable[[OSError], None]


def projects_below(
    top: str,
    *,
    rule_files: Iterable[str] = DEFAULT_RULE_FILES,
    skip: frozenset[str] = frozenset(),
    on_error: OnError | None = None,
) -> Iterator[str]:
    """The directories at or below an absolute one that hold a rule file, or a `config.yaml` with our section.

    Parents come before their children, siblings in the order of their names. Links are not followed, and what
    `SKIPPED` tells of is not entered; nor are the absolute paths of `skip`. A directory that cannot be read is told to
    `on_error` and passed over.
    """
    names = tuple(rule_files)
    pending = [top]
    while pending:
        directory = pending.pop()
        try:
            with os.scandir(directory) as found:
                entries = list(found)
        except OSError as error:
            if on_error is not None:
                on_error(error)
            continue
        present = {entry.name for entry in entries}
        if _ENVIRONMENT_MARK in present and directory != top:
            continue
        if _governs(directory, present, names):
            yield directory
        below = (entry for entry in entries if _is_entered(entry) and entry.path not in skip)
        pending += sorted((entry.path for entry in below), reverse=True)


def _is_entered(entry: os.DirEntry[str]) -> bool:
    return not entry.name.startswith(".") and entry.name not in SKIPPED and entry.is_dir(follow_symlinks=False)


def _governs(directory: str, present: set[str], rule_files: tuple[str, ...]) -> bool:
    for name in rule_files:
        first, _, rest = name.partition("/")
        if first in present and (not rest or os.path.lexists(os.path.join(directory, name))):
            return True
    return CONFIG_NAME in present and _has_section(os.path.join(directory, CONFIG_NAME))


def _has_section(path: str) -> bool:
    content = read_file(path)
    return SECTION.encode() in content.data and read_config(content, path, operator=False).path is not None
