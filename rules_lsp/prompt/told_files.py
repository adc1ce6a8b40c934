"""Files whose text an agent is told: read with care, and never one that holds secrets.

A link is followed as long as it stays inside the project; one that leads out of it is refused, as for a rule file.
What `.a0proj/variables.env` and `.a0proj/secrets.env` hold is opened under no name, be it a link to them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from rules_lsp.policy.files import MAX_BYTES, read_file
from rules_lsp.policy.roots import Root
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Cause: TypeAlias = (
    "Literal['masked', 'empty', 'too-large', 'not-text', 'unreadable', 'outside', 'secret', 'repeated', "
    "'wrong-name', 'disabled', 'superseded', 'broken', 'unknown']"
)
CAUSES = (
    "masked",
    "empty",
    "too-large",
    "not-text",
    "unreadable",
    "outside",
    "secret",
    "repeated",
    "wrong-name",
    "disabled",
    "superseded",
    "broken",
    "unknown",
)
"""Why something is left out of what an agent is told."""

SECRET_FILES = (".a0proj/variables.env", ".a0proj/secrets.env")
HOLDS_SECRETS = "it holds secrets and is never opened"
_OUTSIDE = "it is a link to a file outside the project"

Overlay = Mapping[str, str]
"""Texts of open editors by absolute path, in place of the files; links in a path are resolved."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What an agent is not told, and why.

    `name` is root-relative where it lies in the project, `path` absolute, or None where it is no file. `by` names what
    takes its place, or is None. `why` is a sentence without its subject, which is the name.
    """

    name: str
    path: str | None
    cause: Cause
    why: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class ToldText:
    """The text of a file, as it is but for a byte order mark; or why there is none, with its cause."""

    text: Text
    cause: Cause | None = None
    why: str = ""


def read_told(path: str, root: Root, overlay: Overlay | None = None) -> ToldText | None:
    """The text of a file at an absolute path, or None where nothing stands there; never raises.

    A file may lie outside the root only where it is no link: whoever asks has named it.
    """
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):
        return None
    if is_secret(real, root):
        return _refused("secret", HOLDS_SECRETS)
    if overlay is not None and (path in overlay or real in overlay):
        return ToldText(Text(overlay[path] if path in overlay else overlay[real]))
    inside = root.relative(os.path.normpath(path)) is not None
    content = read_file(path, root.real if inside else None)
    if not content.exists:
        return None
    text, problem = content.text()
    if problem is None:
        return ToldText(Text(text))
    if problem == _OUTSIDE:
        return _refused("outside", problem)
    if len(content.data) > MAX_BYTES:
        return _refused("too-large", problem)
    return _refused("not-text" if content.problem is None else "unreadable", problem)


def is_secret(path: str, root: Root) -> bool:
    """Whether a path is one of the files that hold secrets, by its name, by a link or by another name of the same file.

    Nothing is opened for that.
    """
    found = _identity(path)
    for name in SECRET_FILES:
        secret = root.absolute(name)
        if path in (secret, os.path.realpath(secret)) or (found is not None and found == _identity(secret)):
            return True
    return False


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _refused(cause: Cause, why: str) -> ToldText:
    return ToldText(Text(""), cause, why)
