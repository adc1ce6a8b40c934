"""Patterns that can match no path of the project as written, and what their authors mean by them.

Each rule looks at the text. An exclude also applies as rewritten, an include never does.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from rules_lsp.policy.glob import Glob, Name, parse_glob
from rules_lsp.policy.glob import Literal as LiteralToken
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

NeverMatchesKind: TypeAlias = (
    "Literal["
    "'absolute', 'address', 'backslash', 'dot-segment', 'drive', 'empty-segment', 'home', 'parent', 'variable', "
    "'whole-project']"
)


@dataclass(frozen=True, slots=True)
class NeverMatches:
    """Why a pattern matches no path of the project, and the pattern that its author means, if that can be told."""

    kind: NeverMatchesKind
    rewritten: str | None


_NEEDS_REWRITING = expression(r"\\|//|\A[~$%]|\A[A-Za-z]:|(?:\A|/)\.\.?(?:/|\Z)")
_ADDRESS = expression(r"[A-Za-z][A-Za-z0-9+.-]+://")
_DRIVE = expression(r"[A-Za-z]:[\\/]")
_HOME = expression(r"~(?=/|\Z)|\$HOME(?=/|\Z)|\$\{HOME\}(?=/|\Z)")
_OTHER_HOME = expression(r"~[A-Za-z_][A-Za-z0-9_.-]*/")
# Variables of hosts, editors and shells that stand for the project itself.
_ROOT_VARIABLE = expression(
    r"(?:\$(?:PWD|CLAUDE_PROJECT_DIR|GITHUB_WORKSPACE)"
    r"|\$\{(?:PWD|CLAUDE_PROJECT_DIR|GITHUB_WORKSPACE|workspaceFolder|workspaceRoot)\}|%CD%)(?=/|\Z)"
)
_VARIABLE = expression(r"(?:\$[A-Z_][A-Z0-9_]*|\$\{[A-Za-z_][A-Za-z0-9_]*\}|%[A-Z_][A-Z0-9_]*%)(?=/|\Z)")
# No path holds a control character: a backslash in double quotes was meant as a separator, `src\app` for `src/app`.
_AS_WRITTEN = {"\0": "/0", "\a": "/a", "\b": "/b", "\x1b": "/e", "\f": "/f", "\t": "/t", "\v": "/v"}
_CONTROL = expression("[\0\a\b\x1b\f\t\v]")
_SPACE_IN_BRACES = expression(r"(?<=[{,])\s+|\s+(?=[,}])")
_BACKSLASHES = expression(r"\\+")
_FREE_ESCAPES = expression(r"\\+(?![][{},!#*?\\ ])")
_ENDS_IN_DOUBLE_STAR = expression(r"(?:\A|[\\/])\*\*\Z")


@lru_cache(maxsize=32768)
def rewrite(text: str, *roots: str) -> NeverMatches | None:
    """What is wrong with a pattern that is not broken, or None; with `roots` (absolute paths) also their own paths."""
    current = text.rstrip(" ")
    kind: NeverMatchesKind | None = None
    below = _below_root(current, roots) or _below_root(slashes(current), roots)
    if below is None and _NEEDS_REWRITING.search(text) is None:
        return None
    if below is not None:
        kind, current = "absolute", below
    elif _DRIVE.match(current):
        return NeverMatches("drive", None)
    if any(sure for _, sure in _separators(current)):
        kind, current = kind or "backslash", slashes(current)
    home = _HOME.match(current)
    if home is not None:
        inside = _below_root(os.path.expanduser("~").replace(os.sep, "/") + current[home.end() :], roots)
        if inside is None:
            return NeverMatches("home", None)
        kind, current = kind or "home", inside
    elif _OTHER_HOME.match(current):
        return NeverMatches("home", None)
    elif (variable := _ROOT_VARIABLE.match(current)) is not None:
        kind, current = kind or "variable", current[variable.end() :] or "/"
    elif _VARIABLE.match(current):
        return NeverMatches("variable", None)
    segments = current.split("/")
    if ".." in segments:
        resolved = _without_parents(segments, roots)
        if resolved is None:
            return NeverMatches(kind or "parent", None)
        kind, current = kind or "parent", resolved
    tidy = _tidied(current)
    if tidy != current:
        cause: NeverMatchesKind = "empty-segment" if "//" in current else "dot-segment"
        kind, current = kind or ("address" if _ADDRESS.match(current) else cause), tidy
    return None if kind is None else NeverMatches(kind, current)


def other_readings(text: str, roots: tuple[str, ...]) -> Iterator[str]:
    """Further texts that the author of a denying pattern may mean: one step each, so ask again for what is found.

    Without white space around it, without characters that nobody sees, without spaces beside the commas of braces, as
    rewritten, and with backslashes as separators.
    """
    if text.strip() != text:
        yield text.strip()
    if not text.isascii() and any(unicodedata.category(character) == "Cf" for character in text):
        yield "".join(character for character in text if unicodedata.category(character) != "Cf")
    if "{" in text and _SPACE_IN_BRACES.search(text):
        yield _SPACE_IN_BRACES.sub("", text)
    if _CONTROL.search(text):
        yield _CONTROL.sub(lambda match: _AS_WRITTEN[match.group()], text)
    found = rewrite(text, *roots)
    if found is not None and found.rewritten is not None:
        yield found.rewritten
    if "\\" in text and any(_separators(text)):
        yield slashes(text)
        # With brackets or braces behind a backslash it may be both: separators here, escapes there.
        yield _FREE_ESCAPES.sub("/", text)


def slashes(text: str) -> str:
    """The text with every run of backslashes as a separator."""
    return _BACKSLASHES.sub("/", text)


def _separators(text: str) -> Iterator[tuple[int, bool]]:
    """The backslashes that can be meant as separators, and whether they can hardly be meant otherwise.

    A backslash before a letter, a digit or another backslash escapes nothing that needs it. `\\**` at the end of a
    name, and `**\\*`, escape a star beside one that is none. Before another sign, or before a star that ends a name
    or its stem (`data\\*.csv`), it may be either.
    """
    for index in _escapes(text):
        before, escaped, after = text[:index], text[index + 1], text[index + 2 :]
        if escaped == "\\" or escaped.isalnum() or escaped == "_":
            yield index, True
        elif escaped in "*?":
            if _ENDS_IN_DOUBLE_STAR.search(before) or (escaped == "*" and re.match(r"\*(?:[\\/]|\Z)", after)):
                yield index, True
            elif before[-1:] not in ("", "/") and (not after or after[0] in "*./\\"):
                yield index, False
        elif escaped not in "[]{},!# /":
            yield index, False


def _escapes(text: str) -> list[int]:
    """The places of the backslashes outside classes."""
    glob = parse_glob(text)
    if not isinstance(glob, Glob):
        return []
    return sorted(
        {
            token.start
            for alternative in glob.alternatives
            for segment in alternative.segments
            if isinstance(segment, Name)
            for token in segment.tokens
            if isinstance(token, LiteralToken) and text[token.start] == "\\"
        }
    )


def _below_root(text: str, roots: tuple[str, ...]) -> str | None:
    if text[:1] != "/" and text[1:2] != ":":
        return None
    for root in roots:
        path = root.replace(os.sep, "/").rstrip("/")
        # The root of the file system is in front of every anchored pattern and says nothing.
        if path and (text == path or text.startswith(path + "/")):
            return text[len(path) :] or "/"
    return None


def _without_parents(segments: list[str], roots: tuple[str, ...]) -> str | None:
    """The pattern without `..`; None where it leads out of the project, or out of it as far as the text shows."""
    base = roots[0].replace(os.sep, "/").strip("/").split("/") if roots else []
    names = list(base)
    for segment in segments:
        if segment == "..":
            if not names:
                return None
            # Any directory's parent is any directory.
            if names[-1] != "**":
                names.pop()
        elif segment not in ("", "."):
            names.append(segment)
    if names[: len(base)] != base:
        return None
    trailing = "/" if segments[-1] in ("", "..", ".") and len(names) > len(base) else ""
    return "/" + "/".join(names[len(base) :]) + trailing


def _tidied(text: str) -> str:
    """The text without empty and `.` segments; a leading `./` is an anchor and stays."""
    anchor = "./" if text.startswith("./") else "/" if text.startswith("/") else ""
    rest = text[len(anchor) :]
    segments = rest.split("/")
    names = [segment for segment in segments if segment not in ("", ".")]
    if not names:
        return "/" if len(segments) > 1 or anchor and rest else text
    trailing = "/" if segments[-1] in ("", ".") and len(segments) > 1 else ""
    return anchor + "/".join(names) + trailing
