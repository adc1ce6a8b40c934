"""Random patterns with known features, and paths that are made from them so that many match.

A pattern is drawn piece by piece; every piece also knows how to draw a text that it matches. Neither looks at the
engine. Git matches bytes and the engine characters, so names outside ASCII stand only beside `*` and literals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

from tests.conformance.git_oracle import Question, with_parents

Sampler = Callable[[Random], str]
_ASCII = "aabbc.-x"
_WIDE = "ab.éあ𝄞"
_CLASSES: tuple[tuple[str, str, str], ...] = (
    ("[ab]", "ab", "class"),
    ("[a-c]", "abc", "range"),
    ("[]a]", "]a", "class"),
    ("[!b]", "ac.x-]", "negated"),
    ("[^a-b]", "cx.-", "negated"),
    ("[!]-a]", "bx.", "negated"),
    ("[a-]", "a-", "class"),
    ("[--0]", "-./0", "range"),
    ("[a\\]]", "a]", "class"),
    ("[\\a-c]", "abc", "range"),
    ("[[:alpha:]]", "abx", "posix"),
    ("[[:digit:]x]", "07x", "posix"),
    ("[![:alnum:]]", ".-", "posix"),
    ("[[:punct:]b]", ".-b", "posix"),
    ("[[:space:]a]", " a", "posix"),
    ("[[:upper:]]", "ABx", "posix"),
    ("[[:lower:]]", "abX", "posix"),
    ("[[:xdigit:]]", "0fg", "posix"),
    ("[[:graph:]]", "a. ", "posix"),
    ("[![:print:]a]", "a b", "posix"),
    ("[[:blank:]]", " a", "posix"),
    ("[[:cntrl:]a]", "ab", "posix"),
    ("[[a]", "[a", "class"),
    ("[[:a]", "[:a", "class"),
    ("[a/b]", "ab", "slash-in-class"),
    ("[/a-c]", "abc", "slash-in-class"),
)
_ESCAPES = "*?[]\\ab!# "
FEATURES = (
    "star",
    "question",
    "leading-double-star",
    "middle-double-star",
    "trailing-double-star",
    "glued-double-star",
    "class",
    "range",
    "negated",
    "posix",
    "slash-in-class",
    "escape",
    "anchored",
    "directory-only",
    "unicode",
    "space",
    "trailing-space",
)


@dataclass(frozen=True)
class Drawn:
    """A pattern, the features that it has, and what draws a path for it."""

    pattern: str
    features: frozenset[str]
    sample: Sampler


def draw_pattern(random: Random) -> Drawn:
    """A pattern that git reads without oddity."""
    wide = random.random() < 0.25
    features: set[str] = {"unicode"} if wide else set()
    parts: list[tuple[str, Sampler]] = []
    count = random.choice((1, 1, 1, 2, 2, 3, 4))
    if random.random() < 0.25:
        features.add("anchored")
        parts.append(("/", _fixed("")))
    for place in range(count):
        if place:
            parts.append(("/", _fixed("/")))
        if random.random() < 0.22:
            last = place == count - 1
            where = "leading" if place == 0 and not last else "trailing" if last and place else "middle"
            if not (place == 0 and last):
                features.add(f"{where}-double-star")
            parts.append((random.choice(("**", "**", "***")), _directories))
        else:
            parts.extend(_draw_name(random, features, wide))
    pattern = "".join(text for text, _ in parts)
    if pattern[0] in "!#":
        pattern = "\\" + pattern
    if random.random() < 0.2:
        features.add("directory-only")
        pattern += "/"
    if random.random() < 0.08:
        features.add("trailing-space")
        pattern += " " * random.randint(1, 2)

    def sample(random: Random) -> str:
        return "".join(draw(random) for _, draw in parts)

    return Drawn(pattern, frozenset(features), sample)


def _draw_name(random: Random, features: set[str], wide: bool) -> Iterator[tuple[str, Sampler]]:
    for place in range(random.choice((1, 1, 2, 2, 3, 4))):
        kind = random.random()
        if kind < 0.30:
            text = "".join(random.choice(_WIDE if wide else _ASCII) for _ in range(random.randint(1, 3)))
            yield text, _fixed(text)
        elif kind < 0.52:
            features.add("star")
            yield "*", _some
        elif kind < 0.60:
            if place:
                features.add("glued-double-star")
                yield "**", random.choice((_some, _directories))
            else:
                yield "a**", random.choice((_some, _directories))
                features.add("glued-double-star")
        elif kind < 0.68:
            character = random.choice(_ESCAPES)
            features.add("escape")
            yield "\\" + character, _fixed(character)
        elif kind < 0.73:
            features.add("space")
            yield "a b", _fixed("a b")
        elif wide:
            yield "é", _fixed("é")
        elif kind < 0.82:
            features.add("question")
            yield "?", _one
        else:
            source, members, feature = random.choice(_CLASSES)
            features.add(feature)
            yield source, _any_of(members)


def draw_noise(random: Random) -> str:
    """A text of characters that mean something in patterns; often broken, sometimes odd."""
    return "".join(random.choice("ab*?[]!^-\\/:. ") for _ in range(random.randint(1, 9))).lstrip("!")


def draw_question(random: Random, drawn: Drawn, count: int) -> Question:
    """Paths for a pattern: a third drawn from it, the rest mutated; a part of them directories."""
    paths: list[str] = []
    while len(paths) < count:
        path = drawn.sample(random)
        if random.random() < 0.35:
            path = random.choice(("x/", "a/b/")) + path
        if random.random() < 0.35:
            path += random.choice(("/x", "/a/b", "/.b"))
        if random.random() < 0.6:
            path = _mutate(random, path)
        parts = [part for part in path.split("/") if part not in ("", ".", "..")]
        if parts and not any(part in (".git", ".gitignore") for part in parts):
            paths.append("/".join(parts))
    chosen = tuple(dict.fromkeys(paths))
    directories = with_parents(path for path in chosen if random.random() < 0.2)
    return Question(drawn.pattern, chosen, directories)


def every_small_question() -> Iterator[Question]:
    """Every pattern of up to five of `ab*?/` and the backslash, with every path of up to three of three names."""
    names = ("a", "b", "ab")
    paths = tuple("/".join(parts) for depth in (1, 2, 3) for parts in product(names, repeat=depth))
    for length in range(1, 6):
        for characters in product("ab*?/\\", repeat=length):
            yield Question("".join(characters), paths)


def _mutate(random: Random, path: str) -> str:
    at = random.randrange(len(path) + 1)
    match random.randrange(6):
        case 0:
            return path[:at] + random.choice("abx./") + path[at:]
        case 1:
            return path[:at] + path[at + 1 :]
        case 2:
            return path[:at] + random.choice("abx*-") + path[at + 1 :]
        case 3:
            return path.rpartition("/")[0]
        case 4:
            return path.partition("/")[2]
        case _:
            return path[:at] + "/" + path[at:]


def _fixed(text: str) -> Sampler:
    return lambda random: text


def _any_of(members: str) -> Sampler:
    return lambda random: random.choice(members)


def _one(random: Random) -> str:
    return random.choice("abx.")


def _some(random: Random) -> str:
    return "".join(random.choice("abx.") for _ in range(random.randint(0, 3)))


def _directories(random: Random) -> str:
    return random.choice(("", "a", "b", "x/y", "a/b/c", "/a", "a/"))
