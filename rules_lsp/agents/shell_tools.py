"""The tools of hosts that run a command line, and where in their arguments it and its directory stand."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rules_lsp.agents.hosts import Call

# Each tool's name with its case folded, and the key of the command: a text, a list of texts, or a list of words.
_LINES = {
    "bash": "command",
    "execute_command": "command",
    "local_shell": "command",
    "powershell": "command",
    "run_commands": "commands",
    "run_in_terminal": "command",
    "run_shell_command": "command",
    "runcommands": "commands",
    "runinterminal": "command",
    "run_terminal_cmd": "command",
    "shell": "command",
    "shell_command": "command",
    "terminal": "command",
    "exec": "command",
    "exec_command": "cmd",
}
_DIRECTORIES = ("cwd", "dir_path", "directory", "workdir", "working_directory")
_LISTS_OF_LINES = frozenset({"run_commands", "runcommands"})


def commands_of(call: Call) -> list[str]:
    """The command lines of a call; none where the tool runs no shell or the arguments hold no text there."""
    name = call.tool.casefold()
    key = _LINES.get(name)
    if key is None:
        return []
    given = call.arguments.get(key, call.arguments.get("command"))
    if isinstance(given, str):
        return [given]
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        return []
    if name in _LISTS_OF_LINES:
        return given
    import shlex

    return [shlex.join(given)]


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
