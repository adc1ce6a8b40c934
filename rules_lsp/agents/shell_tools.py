"""The tools of hosts that run a command line, and where in their arguments it and its directory stand."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rules_lsp.agents.hosts import Call
from rules_lsp.policy.shell.tools import command_lines

_DIRECTORIES = ("cd", "cwd", "dir_path", "directory", "workdir", "working_directory")


def commands_of(call: Call) -> list[str]:
    """The command lines of a call; none where the tool runs no shell or the arguments hold no text there."""
    return command_lines(call.tool, call.arguments)


def directories_of(call: Call, roots: Sequence[str]) -> list[str | None]:
    """The directories in which a command line may run: the call's own, and those that its arguments name.

    Which argument a host obeys differs from version to version, so that each of them counts.
    """
    start = call.cwd or (roots[0] if len(roots) == 1 else None)
    found: list[str | None] = [call.cwd]
    for key in _DIRECTORIES:
        given = call.arguments.get(key)
        if isinstance(given, str) and given and (start is not None or os.path.isabs(given)):
            found.append(os.path.normpath(os.path.join(start or "", given)))
    return found
