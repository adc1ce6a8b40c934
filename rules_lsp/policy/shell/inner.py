"""What a command runs besides itself, as values: a line, or words."""

from __future__ import annotations

from collections.abc import Sequence

from rules_lsp.source.records import dataclass
from rules_lsp.source.shell import Word


@dataclass(frozen=True, slots=True)
class Inner:
    """What a command runs: a line or words; neither where that something is run can be told, and not what."""

    line: str | None = None
    words: tuple[Word, ...] = ()


HIDDEN = Inner()


def joined_line(words: Sequence[Word]) -> Inner:
    """Words with blanks between as a line; hidden where only the shell can tell one of them."""
    texts = [word.text for word in words]
    known = [text for text in texts if text is not None]
    return Inner(" ".join(known)) if len(known) == len(texts) else HIDDEN


def line_of(word: Word | None) -> Inner:
    """The line that a word holds; hidden where there is none, or only the shell can tell it."""
    return HIDDEN if word is None or word.text is None else Inner(word.text)
