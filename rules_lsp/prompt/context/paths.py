"""A path as a person gave it, made absolute, and what is odd about it."""

from __future__ import annotations

import os

from rules_lsp.policy.files import is_below
from rules_lsp.policy.requests import shown
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass

# What `os.path.expandvars` looks at: on Windows also names between `%`.
_VARIABLE = expression(r"\$(?:(\w+)|\{([^}]*)\})" + ("|%([^%]+)%" if os.name == "nt" else ""))
_DRIVE = expression(r"[A-Za-z]:[\\/]|[A-Za-z]:$|\\\\")


@dataclass(frozen=True, slots=True)
class Expanded:
    """`absolute` is normalised and keeps its links; `unset` are the variables that stay as they are written."""

    given: str
    absolute: str
    unset: tuple[str, ...] = ()


def expand(given: str, cwd: str) -> Expanded:
    """`expanduser`, then `expandvars`, then absolute from `cwd`, an absolute path."""
    at_home = os.path.expanduser(given)
    names = [next(filter(None, match.groups()), "") for match in _VARIABLE.finditer(at_home)]
    unset = tuple(dict.fromkeys(name for name in names if name not in os.environ))
    return Expanded(given, os.path.normpath(os.path.join(cwd, os.path.expandvars(at_home))), unset)


def unknown_home(given: str) -> bool:
    """Whether a path begins with the home directory of someone who is not known here, so that it stays as it is."""
    return given.startswith("~") and os.path.expanduser(given) == given


def of_windows(given: str, cwd: str) -> str | None:
    """On another system than Windows: why a path written for that leads nowhere, or None where it is none."""
    if os.name == "nt" or "\\" not in given and not _DRIVE.match(given):
        return None
    if _DRIVE.match(given):
        return f"`{shown(given)}` is a path of Windows, which this machine has not: give the path that it has here"
    meant = given.replace("\\", "/")
    there = ", which is here" if os.path.lexists(expand(meant, cwd).absolute) else ""
    return f"`{shown(given)}` has the separators of Windows: write `{shown(meant)}`{there}"


def displayed(path: str, cwd: str) -> str:
    """An absolute path as it is shown: relative inside the working directory, absolute outside of it."""
    if path == cwd:
        return os.curdir
    return path[len(cwd.rstrip(os.sep)) + 1 :] if is_below(os.path.normcase(path), os.path.normcase(cwd)) else path


def identity(path: str) -> str:
    """What two names of the same file have in common."""
    try:
        return os.path.normcase(os.path.realpath(path))
    except OSError:
        # A link that may not be read; a file that is reached by it cannot be read either.
        return os.path.normcase(path)
