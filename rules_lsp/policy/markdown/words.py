"""Words that a Markdown rule file is read by: negations, connectives, marks, and what is near to the names it knows."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.policy.markdown.headings import Side

_DATA = os.path.join(os.path.dirname(__file__), "data", "words.json")
_WORD = expression(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE_END = expression(r"[.!?](?=\s)|[。！？]")
_OPENS_A_LIST = expression(r"(?:the )?following\b|these\b|以下|下記|下列")
_CLAUSE_END = expression(r"[.,;:!?(),，。、；：！（）—–]|\s-\s")


@dataclass(frozen=True, slots=True)
class NearMisses:
    """Texts that look like a section's name: adjectives before or behind `tool(s)`, and whole texts.

    `own` are the forms of the name's own adjective, `adjectives` others of its meaning.
    """

    own: frozenset[str]
    adjectives: frozenset[str]
    texts: frozenset[str]


@dataclass(frozen=True, slots=True)
class MarkdownWords:
    """The word lists of the data file, folded."""

    negation_words: frozenset[str]
    negation_phrases: tuple[str, ...]
    exceptions: tuple[str, ...]
    no: frozenset[str]
    yes: frozenset[str]
    verdict_headers: frozenset[str]
    connectives: frozenset[str]
    leading: frozenset[str]
    trailing: frozenset[str]
    nothing: frozenset[str]
    refusals: tuple[str, ...]
    exemptions: tuple[str, ...]
    examples: tuple[str, ...]
    cross_marks: frozenset[str]
    check_marks: frozenset[str]
    agent_tools: frozenset[str]
    near_misses: Mapping[str, NearMisses]
    near_sides: Mapping[str, Side]

    def negates(self, text: str) -> bool:
        """Whether a heading or label says no: it holds a negation, in any language of the data file."""
        folded = fold(text)
        return any(word in self.negation_words for word in words_of(folded)) or any(
            phrase in folded for phrase in self.negation_phrases
        )

    def excepts(self, text: str) -> bool:
        """Whether a text names exceptions."""
        return _holds(fold(text), self.exceptions)

    def refuses(self, text: str) -> bool:
        """Whether the last sentence of a paragraph says of what follows it that it is not allowed.

        One that also speaks of exceptions, or of what is not named below it, is no such sentence.
        """
        sentences = [sentence for each in _SENTENCE_END.split(fold(text)) if (sentence := each.strip(" *_~"))]
        if not sentences or not (sentences[-1].endswith(":") or _OPENS_A_LIST.match(sentences[-1])):
            return False
        return _holds(sentences[-1], self.refusals) and not _holds(sentences[-1], self.exemptions)

    def is_nothing(self, text: str) -> bool:
        """Whether a paragraph says that there are no entries."""
        return fold(text).strip(" .!()[]*_~-–—。（）") in self.nothing

    def gives_example(self, text: str) -> bool:
        """Whether a text announces an example."""
        return _holds(fold(text), self.examples)

    def is_no(self, text: str) -> bool:
        """Whether a cell, a label or the first clause of a description is a plain no."""
        clause = _CLAUSE_END.split(fold(text).strip(" \n*_~"), maxsplit=1)[0].strip()
        return clause in self.no

    def is_yes(self, text: str) -> bool:
        """Whether a cell is a plain yes."""
        folded = fold(text).strip()
        return folded in self.yes or any(mark in self.check_marks for mark in folded)

    def has_cross(self, text: str) -> bool:
        """Whether a text bears a cross mark."""
        return not self.cross_marks.isdisjoint(text)

    def other_words(self, text: str, further: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """The words of a text that are neither connectives nor among further ones."""
        return tuple(word for word in words_of(fold(text)) if word not in self.connectives and word not in further)


def fold(text: str) -> str:
    """A text without differences of case, width, apostrophes and white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("’", "'").split())


def _holds(folded: str, phrases: tuple[str, ...]) -> bool:
    """Whether a text holds a phrase: as a whole word where it is one, anywhere else."""
    words = set(words_of(folded))
    return any(phrase in words if phrase.isalpha() and phrase.isascii() else phrase in folded for phrase in phrases)


def words_of(text: str) -> list[str]:
    """The words of a text, apostrophes inside."""
    return _WORD.findall(text)


@lru_cache(maxsize=1)
def markdown_words() -> MarkdownWords:
    """The words of the data file."""
    with open(_DATA, encoding="utf-8") as file:
        data = json.load(file)
    return MarkdownWords(
        frozenset(map(fold, data["negations"]["words"])),
        tuple(map(fold, data["negations"]["phrases"])),
        tuple(map(fold, data["exceptions"])),
        frozenset(map(fold, data["no"])),
        frozenset(map(fold, data["yes"])),
        frozenset(map(fold, data["verdict_headers"])),
        frozenset(map(fold, data["connectives"])),
        frozenset(map(fold, data["leading"])),
        frozenset(map(fold, data["trailing"])),
        frozenset(map(fold, data["nothing"])),
        tuple(map(fold, data["refusals"])),
        tuple(map(fold, data["exemptions"])),
        tuple(map(fold, data["examples"])),
        frozenset(data["cross_marks"]),
        frozenset(data["check_marks"]),
        frozenset(map(fold, data["agent_tools"])),
        {
            name: NearMisses(*(frozenset(map(fold, near[key])) for key in ("own", "adjectives", "texts")))
            for name, near in data["near_misses"].items()
        },
        {fold(word): side for side, words in data["near_sides"].items() for word in words},
    )
