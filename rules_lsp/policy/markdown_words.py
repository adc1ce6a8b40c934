"""Words that a Markdown rule file is read by: negations, connectives, marks and the near misses of section names."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

_DATA = os.path.join(os.path.dirname(__file__), "data", "markdown_words.json")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CLAUSE_END = re.compile(r"[.,;:!?(),，。、；：！（）—–]|\s-\s")


@dataclass(frozen=True, slots=True)
class NearMisses:
    """Texts that look like a section's name: adjectives before or behind `tool(s)`, and whole texts."""

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
    cross_marks: frozenset[str]
    check_marks: frozenset[str]
    near_misses: Mapping[str, NearMisses]

    def negates(self, text: str) -> bool:
        """Whether a heading or label says no: it holds a negation, in any language of the data file."""
        folded = fold(text)
        return any(word in self.negation_words for word in words_of(folded)) or any(
            phrase in folded for phrase in self.negation_phrases
        )

    def excepts(self, text: str) -> bool:
        """Whether a text names exceptions."""
        folded = fold(text)
        words = words_of(folded)
        return any(
            phrase in words or (phrase in folded and " " in phrase) or not phrase.isascii() and phrase in folded
            for phrase in self.exceptions
        )

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

    def other_words(self, text: str) -> tuple[str, ...]:
        """The words of a text that are no connectives."""
        return tuple(word for word in words_of(fold(text)) if word not in self.connectives)


def fold(text: str) -> str:
    """A text without differences of case, width, apostrophes and white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("’", "'").split())


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
        frozenset(data["cross_marks"]),
        frozenset(data["check_marks"]),
        {
            name: NearMisses(frozenset(map(fold, near["adjectives"])), frozenset(map(fold, near["texts"])))
            for name, near in data["near_misses"].items()
        },
    )
