"""The tree of a pattern: what each of its code points means, with its place.

A pattern is one or more `Alternative`s (more than one where braces or git's own rules give it several forms); an
alternative is a sequence of segments over the components of a path. A path matches an alternative if its components
can be dealt out to the segments in order: a `Name` takes exactly one, `AnyDirectories` takes `minimum` or more. A
pattern that matches at every depth begins with an `AnyDirectories` of no width, so that the segments alone say all.

Every node has `start` and `end`: half-open code-point offsets into the pattern's text. Inside expanded braces a node
reaches from the first to the last code point that it is read from; what a sequence (`{1..3}`) generates has the place
of the whole sequence.
"""

from __future__ import annotations

from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal as OneOf
    from typing import TypeAlias

GlobErrorKind: TypeAlias = (
    "OneOf["
    "'line-break', 'too-long', 'too-many-expansions', 'unclosed-brace', 'unclosed-class', "
    "'reversed-range', 'unknown-class', 'trailing-backslash']"
)

# Code-point ranges, ends included; the ASCII sets that git uses whatever the locale.
POSIX_CLASSES: dict[str, tuple[tuple[int, int], ...]] = {
    "alnum": ((0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)),
    "alpha": ((0x41, 0x5A), (0x61, 0x7A)),
    "blank": ((0x09, 0x09), (0x20, 0x20)),
    "cntrl": ((0x00, 0x1F), (0x7F, 0x7F)),
    "digit": ((0x30, 0x39),),
    "graph": ((0x21, 0x7E),),
    "lower": ((0x61, 0x7A),),
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": ((0x09, 0x0A), (0x0D, 0x0D), (0x20, 0x20)),
    "upper": ((0x41, 0x5A),),
    "xdigit": ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
}


@dataclass(frozen=True, slots=True)
class GlobError:
    """Why a pattern cannot be read: a plain sentence, the offsets of the fault in the pattern's text, a stable kind."""

    message: str
    start: int
    end: int
    kind: GlobErrorKind


@dataclass(frozen=True, slots=True)
class Literal:
    """Characters that stand for themselves; an escaped one (`\\*`) is a node of its own, two code points wide."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AnyCharacter:
    """`?`: one character of a name."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Star:
    """`*`, or `**` that does not stand between slashes: any characters of one name, also none."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ClassRange:
    """The characters from `first` to `last`, both included; a single character is a range of one."""

    first: str
    last: str


@dataclass(frozen=True, slots=True)
class PosixClass:
    """`[:name:]` inside a class: one of `POSIX_CLASSES`."""

    name: str


@dataclass(frozen=True, slots=True)
class CharacterClass:
    """`[…]`: one character of a name, never a slash. `source` is the class as written, brackets included."""

    items: tuple[ClassRange | PosixClass, ...]
    negated: bool
    source: str
    start: int
    end: int

    def ranges(self) -> list[tuple[int, int]]:
        """The code points that the items name (before negation): sorted ranges, ends included, merged."""
        found: list[tuple[int, int]] = []
        for item in self.items:
            if isinstance(item, PosixClass):
                found.extend(POSIX_CLASSES[item.name])
            else:
                found.append((ord(item.first), ord(item.last)))
        merged: list[tuple[int, int]] = []
        for first, last in sorted(found):
            if merged and first <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
            else:
                merged.append((first, last))
        return merged

    def accepts(self, character: str) -> bool:
        """Whether the class matches this character."""
        if character == "/":
            return False
        return any(first <= ord(character) <= last for first, last in self.ranges()) != self.negated


Token = Literal | AnyCharacter | Star | CharacterClass


@dataclass(frozen=True, slots=True)
class Name:
    """The pattern of one component. Without tokens (`a//b`) it is the empty name, which no path has."""

    tokens: tuple[Token, ...]
    start: int
    end: int

    @property
    def literal(self) -> str | None:
        """The only name that it matches, or None where a wildcard or a class stands in it."""
        text = ""
        for token in self.tokens:
            if not isinstance(token, Literal):
                return None
            text += token.text
        return text


@dataclass(frozen=True, slots=True)
class AnyDirectories:
    """`**` between slashes: `minimum` components or more, whatever their names.

    The minimum is 0 in front and in the middle, and 1 at the end (`a/**` is what lies in `a`).
    """

    minimum: int
    start: int
    end: int


Segment = Name | AnyDirectories


@dataclass(frozen=True, slots=True)
class Alternative:
    """One form of a pattern. `text` is that form with its braces expanded.

    `anchored`: it is tried from the root only. `directory_only`: it matches directories only.
    """

    text: str
    segments: tuple[Segment, ...]
    anchored: bool
    directory_only: bool
