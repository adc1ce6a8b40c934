"""The words behind a program's name, sorted out: operands, and options with their values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rules_lsp.source.records import dataclass
from rules_lsp.source.shell import Word


@dataclass(frozen=True, slots=True)
class Arguments:
    """Operands, and options in their order by name without dashes; the value of one that has none is None."""

    operands: tuple[Word, ...]
    options: tuple[tuple[str, Word | None], ...] = ()

    def has(self, *names: str) -> bool:
        """Whether one of these options is given."""
        return any(name in names for name, _ in self.options)

    def values(self, *names: str) -> Iterator[Word]:
        """The values of these options."""
        return (value for name, value in self.options if name in names and value is not None)


def read_arguments(words: Sequence[Word], with_value: Collection[str] = (), attached: str = "") -> Arguments:
    """Sort out words as GNU programs do. `with_value` names the options that take a value, short and long ones.

    `attached` are short options whose value, if they have one, stands in the same word (`sed -i.bak`).
    """
    operands: list[Word] = []
    options: list[tuple[str, Word | None]] = []
    rest = iter(words)
    for word in rest:
        text = word.text or ""
        if text == "--":
            operands.extend(rest)
        elif text[:1] != "-" or text == "-":
            operands.append(word)
        elif text[:2] == "--":
            name, equals, value = text[2:].partition("=")
            given = Word(value, word.wild) if equals else next(rest, None) if name in with_value else None
            options.append((name, given))
        else:
            options.extend(_short(word, text[1:], rest, with_value, attached))
    return Arguments(tuple(operands), tuple(options))


def _short(
    word: Word, letters: str, rest: Iterator[Word], with_value: Collection[str], attached: str
) -> Iterator[tuple[str, Word | None]]:
    for at, letter in enumerate(letters):
        behind = letters[at + 1 :]
        if letter in attached:
            yield letter, Word(behind) if behind else None
            return
        if letter in with_value:
            yield letter, Word(behind, word.wild) if behind else next(rest, None)
            return
        yield letter, None
