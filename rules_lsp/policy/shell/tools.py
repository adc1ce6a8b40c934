"""The tools of hosts that run a command line, and where in their arguments it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# Each tool's name with its case folded, and the key of the command: a text, a list of texts, or a list of words.
_LINES = {
    **dict.fromkeys(
        (
            "bash", "bash_tool", "cmd", "exec", "execute_bash", "execute_command", "executebash", "launch-process",
            "local_shell", "local_shell_call", "monitor", "powershell", "pwsh", "run_command", "run_in_terminal",
            "run_shell_command", "run_terminal_cmd", "run_terminal_command", "runinterminal", "sh", "shell",
            "shell_command", "terminal", "unified_exec", "zsh",
        ),
        "command",
    ),
    "exec_command": "cmd",
    "run_commands": "commands",
    "runcommands": "commands",
}  # fmt: skip
_LISTS_OF_LINES = frozenset({"run_commands", "runcommands"})


def runs_lines(tool: str) -> bool:
    """Whether a tool is known to run a command line."""
    return tool.casefold() in _LINES


def command_lines(tool: str, arguments: Mapping[str, object]) -> list[str]:
    """The command lines of a call; none where the tool runs no shell or the arguments hold no text there."""
    name = tool.casefold()
    key = _LINES.get(name)
    return [] if key is None else lines_at(arguments, (key, "command"), each_is_a_line=name in _LISTS_OF_LINES)


def lines_at(arguments: Mapping[str, object], keys: Sequence[str], *, each_is_a_line: bool = False) -> list[str]:
    """The command lines at the first of some keys that is given: a text, a list of words, or a list of lines."""
    given = next((arguments[key] for key in keys if key in arguments), None)
    if isinstance(given, str):
        return [given]
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        return []
    if each_is_a_line:
        return given
    import shlex

    return [shlex.join(given)]
