"""The command that a host runs before each tool call: of this installation, and found again in a host's files.

A host goes on with the call where a hook is missing or dies (most do: exit codes other than 2 are no denial to them).
So the command stands behind a guard for the shell that turns whatever is neither 0 nor 2 into a denial.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

from rules_lsp.agents.hosts import HOSTS

_GUARD = '"$@" || { [ $? = 2 ] || echo "policy engine failed: rules-lsp gave no answer" >&2; exit 2; }'
_NAME = "rules-lsp"


def hook_words(host: str, look_into_shell: bool = True) -> tuple[str, ...]:
    """The words of the command: the script beside the interpreter, else the interpreter with the package."""
    script = os.path.join(os.path.dirname(sys.executable), f"{_NAME}.exe" if os.name == "nt" else _NAME)
    # `-P`: a module in the working directory, which an agent may write, must not take the place of one of ours.
    program = (script,) if is_program(script) else (sys.executable, "-P", "-m", "rules_lsp")
    return (*program, "hook", host, *(() if look_into_shell else ("--no-shell-look",)))


def is_program(path: str) -> bool:
    """Whether a path is a file that may be run."""
    return os.path.isfile(path) and os.access(path, os.X_OK)


def guarded(words: tuple[str, ...]) -> str:
    """The line for a shell that runs a hook's words."""
    if os.name == "nt":
        return subprocess.list2cmdline(words)
    return shlex.join(("sh", "-c", _GUARD, _NAME, *words))


def words_in(command: object) -> tuple[str, ...] | None:
    """The words of our hook in a host's command line, without the guard; None where it is another command."""
    if not isinstance(command, str):
        return None
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if words[:3:2] == ["sh", _GUARD]:
        words = words[4:]
    return tuple(words) if host_of(words) is not None else None


def is_guarded(command: str) -> bool:
    """Whether a command line stands behind the guard."""
    return command.startswith(shlex.join(("sh", "-c", _GUARD)))


def host_of(words: list[str] | tuple[str, ...]) -> str | None:
    """The host that a command's words answer, None where they are not ours."""
    for program, verb, host in zip(words, words[1:], words[2:], strict=False):
        name = os.path.basename(program).removesuffix(".exe")
        if verb == "hook" and host in HOSTS and name in (_NAME, "rules_lsp"):
            return host
    return None
