"""What the parts of entries are, for an editor's colours, in YAML and in the code marks of Markdown.

| part | token type |
| --- | --- |
| a server | `namespace` |
| a tool | `function` |
| a wildcard: `*`, `?`, `**` | `regexp` |
| the name of a file or directory | `string` |
| what else steers a pattern: `/`, braces, a class in brackets | `operator` |
| `!` in front of a pattern | `keyword` |

An entry that cannot be read has none, nor has one that is written with escapes or over several lines.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import Literal as OneOf

from rules_lsp.features.view import View
from rules_lsp.features.written import is_tool, spelled_out, written_entries
from rules_lsp.policy.glob import AnyCharacter, AnyDirectories, CharacterClass, Glob, Literal, Name, Star
from rules_lsp.policy.model import ListName
from rules_lsp.policy.patterns import read_pattern
from rules_lsp.policy.tools.lists import argument_form, split_name
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

TokenType = OneOf["namespace", "function", "regexp", "string", "operator", "keyword"]
TOKEN_TYPES: tuple[TokenType, ...] = ("namespace", "function", "regexp", "string", "operator", "keyword")

_Runs = tuple[tuple[int, int, TokenType], ...]
_MOST_FORMS = 64
_WILD = "*?"
_OPERATORS = "/{},"


@dataclass(frozen=True, slots=True, order=True)
class SemanticToken:
    """A part of one line, and what it is."""

    span: Span
    type: TokenType


def semantic_tokens(view: View, within: Span | None = None) -> tuple[SemanticToken, ...]:
    """The tokens of a document, or of a part of it, in order; no two overlap."""
    found: list[SemanticToken] = []
    done = 0
    for entry in written_entries(view.subject):
        if within is not None and (entry.span.start > within.end or entry.span.end < within.start):
            continue
        # Two entries of Markdown may share their text: the first reading colours it.
        if entry.span.start < done or entry.broken is not None or not spelled_out(view.subject, entry):
            continue
        runs = _tool(entry.text) if is_tool(entry) else _pattern(entry.text, entry.list)
        start = entry.span.start
        found += [SemanticToken(Span(start + first, start + last), kind) for first, last, kind in runs]
        done = entry.span.end
    return tuple(found)


@lru_cache(maxsize=32768)
def _tool(text: str) -> _Runs:
    name = argument_form(text) or text
    if not text.startswith(name):
        return ()
    server, tool = split_name(name)
    kinds: list[TokenType] = [] if server is None else [*_wild(server, "namespace"), "operator"]
    return _runs([*kinds, *_wild(tool, "function")])


def _wild(name: str, kind: TokenType) -> list[TokenType]:
    return ["regexp" if letter in _WILD else kind for letter in name]


@lru_cache(maxsize=32768)
def _pattern(text: str, list_name: ListName) -> _Runs:
    pattern = read_pattern(text, list_name)
    if pattern.glob is None:
        return ()
    kinds: list[TokenType] = ["keyword"] * pattern.body_start
    return _runs([*kinds, *_glob_kinds(pattern.body, pattern.glob)])


def _glob_kinds(body: str, glob: Glob) -> list[TokenType]:
    kinds: list[TokenType] = ["operator" if letter in _OPERATORS else "string" for letter in body]
    for form in glob.alternatives[:_MOST_FORMS]:
        for segment in form.segments:
            if isinstance(segment, Name):
                for token in segment.tokens:
                    if isinstance(token, Literal):
                        # What braces make of a range or an escape stands elsewhere than it is written.
                        if body[token.start : token.end] in (token.text, f"\\{token.text}"):
                            _fill(kinds, token.start, token.end, "string")
                    else:
                        _fill(kinds, token.start, token.end, _kind(token))
            elif isinstance(segment, AnyDirectories):
                stars = body[segment.start : segment.end]
                _fill(kinds, segment.start, segment.start + len(stars.rstrip("/")), "regexp")
    return kinds


def _kind(token: AnyCharacter | Star | CharacterClass) -> TokenType:
    return "operator" if isinstance(token, CharacterClass) else "regexp"


def _fill(kinds: list[TokenType], start: int, end: int, kind: TokenType) -> None:
    kinds[start:end] = [kind] * (min(end, len(kinds)) - start)


def _runs(kinds: list[TokenType]) -> _Runs:
    found: list[tuple[int, int, TokenType]] = []
    start = 0
    for kind, run in groupby(kinds):
        end = start + sum(1 for _ in run)
        found.append((start, end, kind))
        start = end
    return tuple(found)
