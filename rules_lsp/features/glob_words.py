"""A glob in words: what the whole of it means, and what each of its segments does."""

from __future__ import annotations

from rules_lsp.features.markup import code
from rules_lsp.policy.glob import (
    Alternative,
    AnyCharacter,
    AnyDirectories,
    CharacterClass,
    ClassRange,
    Glob,
    Literal,
    Name,
    PosixClass,
    Segment,
    Star,
    Token,
)
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

MOST_FORMS = 8

_SIGNS: dict[type, str] = {Star: "*", AnyCharacter: "?"}
_POSIX_WORDS = {
    "alnum": "a letter or digit",
    "alpha": "a letter",
    "blank": "a space or tab",
    "cntrl": "a control character",
    "digit": "a digit",
    "graph": "a visible character",
    "lower": "a small letter",
    "print": "a visible character or space",
    "punct": "a punctuation mark",
    "space": "white space",
    "upper": "a capital letter",
    "xdigit": "a hexadecimal digit",
}


@dataclass(frozen=True, slots=True)
class SegmentWords:
    """One segment: its text as written or, in an expanded form, as it came out; its place; what it means."""

    source: str
    span: Span
    words: str


@dataclass(frozen=True, slots=True)
class FormWords:
    """One form of a pattern; a pattern with braces has several. `text` is the form with its braces expanded."""

    text: str
    summary: str
    segments: tuple[SegmentWords, ...]


@dataclass(frozen=True, slots=True)
class GlobWords:
    """A pattern in words. `left_out` is the number of forms beyond `MOST_FORMS`."""

    forms: tuple[FormWords, ...]
    left_out: int = 0


def glob_in_words(glob: Glob) -> GlobWords:
    """The meaning of a pattern; no forms where it can match nothing."""
    shown = glob.alternatives[:MOST_FORMS]
    forms = tuple(_form(glob.text, alternative) for alternative in shown)
    return GlobWords(forms, len(glob.alternatives) - len(shown))


def _form(text: str, form: Alternative) -> FormWords:
    # The segment in front of a pattern that matches at every depth has no text of its own.
    segments = [segment for segment in form.segments if segment.start < segment.end or isinstance(segment, Name)]
    expanded = form.text != text
    words = tuple(
        SegmentWords(
            _expanded(segment) if expanded else text[segment.start : segment.end],
            Span(segment.start, segment.end),
            _segment(segment),
        )
        for segment in segments
    )
    return FormWords(form.text, _summary(form), words)


def _expanded(segment: Segment) -> str:
    if isinstance(segment, AnyDirectories):
        return "**"
    return "".join(_SIGNS.get(type(token), "") or _text(token) for token in segment.tokens)


def _text(token: Token) -> str:
    if isinstance(token, Literal):
        return token.text
    return token.source if isinstance(token, CharacterClass) else ""


def _summary(form: Alternative) -> str:
    if form.anchored and isinstance(form.segments[-1], AnyDirectories):
        top = form.text.rstrip("*").strip("/\\")
        return f"everything inside of {code(top)}, from the project's root" if top else "everything in the project"
    kind = "directories" if form.directory_only else "files and directories"
    where = "from the project's root" if form.anchored else "at any depth"
    return f"{kind} {where}, with everything below them"


def _segment(segment: Segment) -> str:
    if isinstance(segment, AnyDirectories):
        return "everything below, at any depth" if segment.minimum else "any number of directories, also none"
    return _name(segment)


def _name(name: Name) -> str:
    tokens = name.tokens
    if not tokens:
        return "an empty name, which no path has"
    literal = name.literal
    if literal is not None:
        return f"the name {code(literal)}"
    stars = [index for index, token in enumerate(tokens) if isinstance(token, Star)]
    plain = all(isinstance(token, (Literal, Star)) for token in tokens)
    if plain and len(stars) == 1:
        before, after = _joined(tokens[: stars[0]]), _joined(tokens[stars[0] + 1 :])
        parts = [f"begins with {code(before)}"] if before else []
        parts += [f"ends in {code(after)}"] if after else []
        return f"a name that {' and '.join(parts)}" if parts else "any name"
    if plain and stars == [0, len(tokens) - 1] and len(tokens) > 2:
        return f"a name that contains {code(_joined(tokens[1:-1]))}"
    return "a name made of " + ", ".join(_merged(tokens))


def _merged(tokens: tuple[Token, ...]) -> list[str]:
    """Each token in words, neighbouring literals and neighbouring `?` as one."""
    words: list[str] = []
    literal = ""
    single = 0
    for token in (*tokens, None):
        if single and not isinstance(token, AnyCharacter):
            words.append("any one character" if single == 1 else f"any {single} characters")
            single = 0
        if literal and not isinstance(token, Literal):
            words.append(code(literal))
            literal = ""
        if isinstance(token, Literal):
            literal += token.text
        elif isinstance(token, AnyCharacter):
            single += 1
        elif isinstance(token, Star):
            words.append("any characters or none")
        elif token is not None:
            words.append(_class(token))
    return words


def _class(found: CharacterClass) -> str:
    items = [_class_item(item) for item in found.items]
    listed = items[0] if len(items) == 1 else ", ".join(items[:-1]) + f" or {items[-1]}"
    if found.negated:
        return f"one character other than {listed}"
    single = len(items) == 1 and not isinstance(found.items[0], ClassRange)
    return listed if single else f"one character of {listed}"


def _class_item(item: ClassRange | PosixClass) -> str:
    if isinstance(item, PosixClass):
        return _POSIX_WORDS[item.name]
    return code(item.first) if item.first == item.last else f"{code(item.first)} to {code(item.last)}"


def _joined(tokens: tuple[Token, ...]) -> str:
    return "".join(token.text for token in tokens if isinstance(token, Literal))
