"""The template language of prompts: `{{name}}`, and `{{if name}}…{{endif}}`, which may be nested.

A condition holds where its name has a value that is not empty. There is no else. Conditions are decided first: one
that cannot be, since its name is not known or more than a name stands in it, leaves itself and every condition behind
it as written, and so does one that is never closed. Then names are replaced, once: what a value holds is not looked at
again. `{{ name }}` with blanks is no name, and what is written in other template languages is plain text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from rules_lsp.source.excerpt import in_one_line
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

# A tag ends at the first `}}`; none holds a brace, so that what is never closed is no tag.
_TAG = expression(r"\{\{(?P<inner>[^{}]*+)\}\}")
_NAME = expression(r"[^\W\d]\w*\Z")
_JINJA = expression(r"\{%[^{}%]*+%\}|\{#[^{}#]*+#\}")
MAX_SHOWN = 40
_ELSE = frozenset({"else", "elif", "elseif"})
_ENDS = frozenset({"/if", "fi", "end", "end if"})


@dataclass(frozen=True)
class Tag:
    """One `{{…}}`. `word` is `if`, `endif` or empty; `name` is what else stands in it, without blanks around."""

    word: str
    name: str
    written: str
    span: Span

    @cached_property
    def is_placeholder(self) -> bool:
        """Whether it is a name that is replaced, if it is known."""
        return not self.word and self.written == f"{{{{{self.name}}}}}" and _NAME.match(self.name) is not None


def tags_of(content: str) -> list[Tag]:
    """Every tag of a text, in its order."""
    return [_tag(match["inner"], match[0], Span(*match.span())) for match in _TAG.finditer(content)]


def render(content: str, values: Mapping[str, str]) -> str:
    """The text that a template makes; never raises."""
    kept = _decided(tags_of(content), values)
    pieces: list[str] = []
    at = 0
    for span, tag in kept:
        pieces.append(content[at : span.start])
        if tag is not None:
            known = tag.is_placeholder and tag.name in values
            pieces.append(values[tag.name] if known else tag.written)
        at = span.end
    return "".join((*pieces, content[at:]))


@dataclass(frozen=True, slots=True)
class TemplateReading:
    """What is to be said of a template, and the names that it uses, as they are written in it."""

    names: tuple[str, ...]
    problems: tuple[Problem, ...]


def read_template(text: Text, known: Collection[str]) -> TemplateReading:
    """Check a template whose host knows some names."""
    tags = tags_of(text.content)
    names = tuple(dict.fromkeys(tag.name for tag in tags if tag.word == "if" or tag.is_placeholder))
    problems = [*_of_conditions(tags, known), *_of_placeholders(tags, known)]
    for match in _JINJA.finditer(text.content):
        shown = in_one_line(match[0], MAX_SHOWN)
        message = f"`{shown}` is not understood here and is printed as it stands: only `{{{{…}}}}` is"
        problems.append(Problem("foreign-template-tag", message, Span(*match.span()), "warning"))
    return TemplateReading(names, tuple(sorted(problems, key=lambda problem: problem.span)))


def _tag(inner: str, written: str, span: Span) -> Tag:
    words = inner.split(None, 1)
    if words and words[0] in ("if", "endif") and not (words[0] == "endif" and len(words) > 1):
        return Tag(words[0], words[1].strip() if len(words) > 1 else "", written, span)
    return Tag("", inner.strip(), written, span)


def _pairs(tags: list[Tag]) -> tuple[dict[int, int], list[int]]:
    """The `endif` of each `if` by their numbers, and each `endif` that has none."""
    pairs: dict[int, int] = {}
    strays: list[int] = []
    waiting: list[int] = []
    for number, tag in enumerate(tags):
        if tag.word == "if":
            waiting.append(number)
        elif tag.word == "endif":
            if waiting:
                pairs[waiting.pop()] = number
            else:
                strays.append(number)
    return pairs, strays


def _decided(tags: list[Tag], values: Mapping[str, str]) -> list[tuple[Span, Tag | None]]:
    """What takes the place of tags and of parts whose condition does not hold: None where nothing does."""
    pairs, _ = _pairs(tags)
    kept: list[tuple[Span, Tag | None]] = []
    gone: set[int] = set()
    undecided = False
    number = 0
    while number < len(tags):
        tag = tags[number]
        end = pairs.get(number)
        if number in gone:
            kept.append((tag.span, None))
        elif tag.word != "if" or undecided:
            kept.append((tag.span, tag))
        elif end is None or tag.name not in values:
            undecided = True
            kept.append((tag.span, tag))
        elif values[tag.name]:
            gone.add(end)
            kept.append((tag.span, None))
        else:
            kept.append((Span(tag.span.start, tags[end].span.end), None))
            number = end
        number += 1
    return kept


def _of_conditions(tags: list[Tag], known: Collection[str]) -> list[Problem]:
    pairs, strays = _pairs(tags)
    problems: list[Problem] = []
    rest = "this and every condition behind it are printed as they stand"
    for number, tag in enumerate(tags):
        if tag.word != "if":
            continue
        shown = in_one_line(tag.written, MAX_SHOWN)
        if number not in pairs:
            message = f"`{shown}` is never closed, so {rest}: add `{{{{endif}}}}`"
            problems.append(Problem("unclosed-condition", message, tag.span))
        elif not tag.name:
            problems.append(Problem("undefined-name", f"`{shown}` names nothing, so {rest}", tag.span))
        elif not _NAME.match(tag.name):
            message = f"`{in_one_line(tag.name, MAX_SHOWN)}` is more than a name: what it decides is not shown here"
            problems.append(Problem("condition-expression", message, tag.span, "information"))
        elif tag.name not in known:
            message = f"`{tag.name}` is not known here, so {rest}: use {_listed(known)}"
            problems.append(Problem("undefined-name", message, tag.span))
    for number in strays:
        message = "this `{{endif}}` closes nothing and is printed as it stands: remove it"
        problems.append(Problem("stray-endif", message, tags[number].span))
    return problems


def _of_placeholders(tags: list[Tag], known: Collection[str]) -> list[Problem]:
    problems: list[Problem] = []
    for tag in tags:
        if tag.word:
            continue
        first = tag.name.split(None, 1)[0] if tag.name else ""
        shown = in_one_line(tag.written, MAX_SHOWN)
        if first in _ELSE:
            message = f"there is no `{first}`: `{shown}` is printed as it stands, and so is what follows it"
            problems.append(Problem("template-else", f"{message}; use a second `{{{{if …}}}}`", tag.span))
        elif tag.name in _ENDS:
            problems.append(Problem("stray-endif", f"`{shown}` closes nothing: write `{{{{endif}}}}`", tag.span))
        elif tag.name in known and not tag.is_placeholder:
            message = f"`{shown}` is not replaced, since blanks stand around the name: write `{{{{{tag.name}}}}}`"
            data = {"write": f"{{{{{tag.name}}}}}"}
            problems.append(Problem("spaced-placeholder", message, tag.span, "error", data))
        elif tag.is_placeholder and tag.name not in known:
            message = f"`{tag.name}` is not known here and is printed as it stands: use {_listed(known)}"
            problems.append(Problem("undefined-name", message, tag.span, "warning"))
    return problems


def _listed(known: Collection[str]) -> str:
    return ", ".join(f"`{name}`" for name in known) or "no name at all"
