"""Patterns of commands: `git push -f|--force` is `git`, the operand `push`, and one of two options.

A pattern is a row of words with blanks between. The first is the program, compared by its base name and without regard
to case. A word that begins with `-` is an option and may stand anywhere: a single letter is also found in a bundle
(`-f` in `-xdf`), and a long option with a value behind `=`. Every other word is an operand; they must be found in this
order, with others between. `|` separates alternatives; `*` and `?` are wildcards, but for `-?`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules_lsp.policy.shell.wrappers import base_name
from rules_lsp.policy.tools.patterns import Wildcard, is_wild
from rules_lsp.source.records import dataclass
from rules_lsp.source.shell import Word

MAX_LENGTH = 500
_GLOBAL_OPTIONS = {
    "aws": ("--profile", "--region", "--endpoint-url", "--output"),
    "docker": ("-H", "--host", "--context", "-c", "--config", "-l", "--log-level"),
    "gcloud": ("--project", "--account", "--configuration"),
    "git": ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"),
    "helm": ("-n", "--namespace", "--kube-context", "--kubeconfig"),
    "kubectl": ("-n", "--namespace", "--context", "--kubeconfig", "--cluster", "--user", "-s", "--server"),
}
"""The options before the operands that take a value as a word of its own."""


@dataclass(frozen=True, slots=True)
class CommandPattern:
    """A pattern that was read: the alternatives of the program, of each operand and of each option."""

    text: str
    programs: tuple[str, ...]
    operands: tuple[tuple[str, ...], ...] = ()
    options: tuple[tuple[str, ...], ...] = ()

    def matches(self, words: Sequence[Word]) -> bool:
        """Whether a command matches, given as its words with the program first."""
        return bool(words) and self.matches_program(program_of(words[0])) and self.matches_arguments(words)

    def matches_program(self, name: str) -> bool:
        """Whether a program's name, as `program_of` gives it, is one of the pattern's."""
        return any(_fits(pattern, name) for pattern in self.programs)

    def matches_arguments(self, words: Sequence[Word]) -> bool:
        """Whether the words behind the first have the operands and options.

        A first operand that only the shell can tell may be any: the verb of the command is not known then.
        """
        given = _behind_global_options(words)
        options = [word.text for word in given if word.text is not None and word.text[:1] == "-"]
        if not all(any(_is_option(one, text) for one in each for text in options) for each in self.options):
            return False
        operands = [word.text for word in given if (word.text or "")[:1] != "-"]
        if self.operands and operands and operands[0] is None:
            return True
        waiting = iter(operands)
        return all(any(text is not None and _one_of(each, text) for text in waiting) for each in self.operands)


def parse_command_pattern(text: str) -> CommandPattern | str:
    """A pattern, or why its text is none."""
    words = text.split()
    if not words:
        return "a command pattern must name a program"
    if len(text) > MAX_LENGTH:
        return f"a command pattern must not be longer than {MAX_LENGTH} characters"
    program, *rest = ([part for part in word.split("|") if part] for word in words)
    if not program or not all(rest):
        return "a command pattern must have a word on a side of each `|`"
    if any(part.startswith("-") for part in program):
        return "a command pattern begins with a program, not with an option"
    if any(part.strip("*?") == "" for part in program):
        return "a command pattern must name a program, and not any"
    options = tuple(tuple(part) for part in rest if part[0].startswith("-"))
    operands = tuple(tuple(part) for part in rest if not part[0].startswith("-"))
    return CommandPattern(text, tuple(part.casefold() for part in program), operands, options)


def program_of(word: Word) -> str:
    """The base name of a program, its case folded, without `.exe`."""
    return base_name(word).casefold().removesuffix(".exe")


def _behind_global_options(words: Sequence[Word]) -> Sequence[Word]:
    """The words behind the program, without the options in front of its verb that take a value, and those values."""
    takes_value = _GLOBAL_OPTIONS.get(program_of(words[0]), ())
    kept: list[Word] = []
    at = 1
    while at < len(words) and (words[at].text or "")[:1] == "-":
        if words[at].text in takes_value:
            at += 2
            continue
        kept.append(words[at])
        at += 1
    return [*kept, *words[at:]]


def _one_of(patterns: Sequence[str], text: str) -> bool:
    return any(_fits(pattern, text) for pattern in patterns)


def _fits(pattern: str, text: str) -> bool:
    return Wildcard(pattern).matches(text) if is_wild(pattern) else pattern == text


def _is_option(pattern: str, text: str) -> bool:
    if pattern.startswith("--") or is_wild(pattern):
        return _fits(pattern, text) or (pattern != "--" and text.startswith(f"{pattern}="))
    if len(pattern) == 2 and text[:2] != "--":
        bundle = text[1:]
        return pattern[1] in bundle if bundle.isalnum() else pattern == text[:2]
    return pattern == text
