"""The tools of hosts that run a command line, and where in their arguments it stands."""

from __future__ import annotations

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
