"""What an entry of a pattern list says: whether it can be read, whether it negates, and whether it can match at all."""

from __future__ import annotations

import os
from functools import cached_property, lru_cache

from rules_lsp.policy.glob import Glob, GlobError, Name, parse_glob
from rules_lsp.policy.model import ListName
from rules_lsp.policy.patterns.rewriting import NeverMatches, rewrite
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Effect: TypeAlias = "Literal['includes', 'excludes', 'nothing']"
WHOLE_PROJECT = frozenset({"/", ".", "./", "**"})
"""Patterns that stand for the whole project, although git reads the first three as ones that match nothing."""


@dataclass(frozen=True)
class ReadPattern:
    """An entry as it is read without the disk.

    `body` is the pattern without the `!` of a negation, `body_start` its offset in the entry's text (0 or 1). `glob` is
    the body's pattern, or None where `error` says why there is none; the offsets of both count from the body's start.
    `effect` is what the entry does in its list once it can be read: `!p` in an include list excludes, in an exclude
    list it does nothing.
    """

    text: str
    body: str
    effect: Effect
    glob: Glob | None
    error: GlobError | None

    @property
    def negated(self) -> bool:
        """Whether the entry begins with `!`."""
        return self.text.startswith("!")

    @property
    def body_start(self) -> int:
        """The offset of the body in the entry's text."""
        return len(self.text) - len(self.body)

    @cached_property
    def never_matches(self) -> NeverMatches | None:
        """Why the pattern can match nothing, as far as its text alone shows; `never_matches_in` also knows the disk."""
        if self.glob is None:
            return None
        if self.effect == "includes" and self.body.rstrip(" ") in WHOLE_PROJECT - {"**"}:
            return NeverMatches("whole-project", "**")
        return rewrite(self.body)

    @property
    def broken(self) -> str | None:
        """Why the pattern cannot be read, or None."""
        return None if self.error is None else self.error.message


@lru_cache(maxsize=32768)
def read_pattern(text: str, list_name: ListName) -> ReadPattern:
    """Reads an entry of `file_patterns.include` or `file_patterns.exclude`."""
    negated = text.startswith("!")
    body = text[1:] if negated else text
    including = list_name == "file_patterns.include"
    effect: Effect = "includes" if including else "excludes"
    if negated:
        effect = "excludes" if including else "nothing"
    found = parse_glob(body)
    glob, error = (found, None) if isinstance(found, Glob) else (None, found)
    return ReadPattern(text, body, effect, glob, error)


def never_matches_in(pattern: ReadPattern, *roots: str) -> NeverMatches | None:
    """Why a pattern can match no path of the project, or None; asks the disk, so the answer holds for now only.

    `roots` are the absolute paths of the project: as given, and its real path. An absolute path is one that begins
    with the project's own, or whose first component does not exist in the project and whose literal part exists
    outside of it.
    """
    if pattern.glob is None:
        return None
    found = rewrite(pattern.body, *roots) or pattern.never_matches
    if found is not None or not roots or not pattern.body.startswith("/"):
        return found
    first = _literal_part(pattern.glob)
    inside = any(os.path.lexists(os.path.join(root, first[0])) for root in roots) if first else True
    if inside or not os.path.lexists("/" + "/".join(first)):
        return None
    return NeverMatches("absolute", None)


def _literal_part(glob: Glob) -> list[str]:
    parts: list[str] = []
    for segment in glob.alternatives[0].segments if glob.alternatives else ():
        if not isinstance(segment, Name) or not segment.literal:
            break
        parts.append(segment.literal)
    return parts
