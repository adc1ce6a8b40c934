"""The path of a request: what is refused as no path at all, and where an ordinary one starts."""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata

from rules_lsp.policy.config import Config
from rules_lsp.policy.roots import Root
from rules_lsp.source.excerpt import bounded
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass
from rules_lsp.source.uri import from_uri

MAX_PATH_BYTES = 4096
OPERATIONS = ("read", "write", "create", "delete", "rename")

_CONTROL = expression(r"[\x00-\x1f\x7f-\x9f]")
_DRIVE = expression(r"[A-Za-z]:[\\/]")
_DRIVE_RELATIVE = expression(r"[A-Za-z]:(?![\\/])")
_EXPANDED_BY_SHELL = expression(r"(?:~.*|\$[A-Z_][A-Z0-9_]*|\$\{[A-Z_][A-Z0-9_]*\}|%[A-Z_][A-Z0-9_]*%)\Z", re.DOTALL)
_HOME = expression(r"~(?:[A-Za-z_][\w.-]*)?\Z")


@dataclass(frozen=True, slots=True)
class AskedPath:
    """A path as it was asked (`text`) and as an absolute path that is not normalised (`absolute`)."""

    text: str
    absolute: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is none: one English sentence."""

    reason: str


def asked_path(path: object, cwd: object, root: Root, config: Config) -> AskedPath | Refusal:
    """Where a path points, relative ones taken from `cwd` (absolute) or the root."""
    problem = _no_path(path, "path")
    if problem is not None:
        return Refusal(problem)
    assert isinstance(path, str)
    base = root.given
    if cwd is not None:
        problem = _no_path(cwd, "working directory")
        if problem is not None:
            return Refusal(problem)
        assert isinstance(cwd, str)
        if not os.path.isabs(cwd):
            return Refusal(f"the working directory `{shown(cwd)}` is not absolute")
        base = _mapped(cwd, config)
    if os.path.isabs(path):
        return AskedPath(path, _mapped(path, config))
    first = path.replace("\\", "/").split("/", 1)[0]
    if _is_expanded(first) and not os.path.lexists(os.path.join(base, first)):
        return Refusal(f"`{shown(path)}` begins with `{shown(first)}`, which a shell would replace: give the real path")
    return AskedPath(path, os.path.join(base, path))


def asked_uri(uri: object, root: Root, config: Config) -> AskedPath | Refusal:
    """Where a `file:` URI points; it is decoded once."""
    problem = _no_path(uri, "URI")
    if problem is not None:
        return Refusal(problem)
    assert isinstance(uri, str)
    path = from_uri(uri)
    if path is None:
        return Refusal(f"`{shown(uri)}` is no `file:` URI of this machine")
    return asked_path(path, None, root, config)


def _no_path(value: object, what: str) -> str | None:
    if not isinstance(value, str):
        return f"the {what} must be a text"
    if not value:
        return f"the {what} is empty"
    if _CONTROL.search(value):
        return f"the {what} holds a control character"
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError:
        return f"the {what} holds half of a character (a lone surrogate)"
    if size > MAX_PATH_BYTES:
        return f"the {what} is longer than {MAX_PATH_BYTES:,} bytes"
    if value.startswith(("\\\\", "//", "\\/", "/\\")):
        return f"`{shown(value)}` is a network or device path"
    if os.name != "nt" and _DRIVE.match(value):
        return f"`{shown(value)}` is a path of another system"
    if os.name == "nt" and _DRIVE_RELATIVE.match(value):
        return f"`{shown(value)}` is relative to the directory of a drive"
    if "::$" in value:
        return f"`{shown(value)}` names a stream of a file"
    return None


def _is_expanded(component: str) -> bool:
    if component.startswith("~"):
        return _HOME.match(component) is not None
    return _EXPANDED_BY_SHELL.match(component) is not None


def _mapped(path: str, config: Config) -> str:
    """The path with the first directory of `path_map` that it lies below replaced, by component.

    A path that leaves that directory again by `..` is none of it: beside it stands something else here than there.
    """
    for source, target in config.path_map:
        top = source.rstrip("/") + "/"
        if (path == source or path.startswith(top)) and (posixpath.normpath(path) + "/").startswith(top):
            return target + path[len(top) - 1 :]
    return path


def shown(text: str) -> str:
    """A text of the caller's for a sentence: one line, bounded, nothing in it that changes the lines around."""
    return bounded(printable(text), 200)


def printable(text: str) -> str:
    """A text for a terminal: a mark in place of each character that nobody sees or that commands the terminal."""
    # What Python calls printable holds none of these, and nearly every text is.
    if text.isprintable():
        return text
    return "".join(char if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else "�" for char in text)
