"""Every path that a command line may mean, whatever its programs are: all words at all levels, and where they run.

It errs on one side: a word that is no file costs nothing but a needless question, and what cannot be told (a variable,
a substitution, names from a pipe) is told as `anything`. What a program does by itself is not seen.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest

from rules_lsp.policy.shell.arguments import read_arguments
from rules_lsp.policy.shell.patterns import program_of
from rules_lsp.policy.shell.programs import PROGRAMS
from rules_lsp.policy.shell.running import HIDDEN, inner_commands
from rules_lsp.policy.shell.wrappers import WRAPPERS, inner_words
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass
from rules_lsp.source.shell import SimpleCommand, Word, read_shell

_DEEPEST = 6
_MOST_WORDS = 5_000
_CHANGING = frozenset({"cd", "chdir", "pushd", "set-location", "sl"})
_RETURNING = frozenset({"popd", "dirs"})
_TAKING_NAMES = frozenset({"cpio", "gxargs", "parallel", "pax", "xargs"})
"""Programs that are told by a pipe or a file which files to work on."""
_OPTIONS_TAKING_NAMES = ("--files-from", "--files0-from", "--pathspec-from-file", "--arg-file", "--from-file")
_OPTIONS_OF_DIRECTORIES = ("-C", "--chdir", "--directory", "--cwd", "--prefix", "--work-tree", "--project", "-D")
_WALKING = {"ack": 1, "ag": 1, "du": 0, "fd": 1, "fdfind": 1, "find": 0, "rg": 1, "tree": 0}
"""Programs that walk the directory where they are unless they have more operands than these."""
_GIT_WALKING = (("clean",), ("stash",), ("reset", "--hard"), ("add", "-A"), ("add", "--all"), ("checkout", "-f"))
_CODE = frozenset({
    "awk", "bun", "cmd", "deno", "ed", "ex", "gawk", "gsed", "lua", "mawk", "node", "nodejs", "osascript",
    "perl", "php", "powershell", "pwsh", "python", "rscript", "ruby", "sed", "tclsh",
})  # fmt: skip
"""Programs whose words or input are code: paths stand inside of them."""
_VERSION = expression(r"[\d.]+\Z")
_SEPARATORS = expression(r"[=:,@]")
_IN_CODE = expression(r"[\s'\"`()\[\]{};,=<>|&]+")
_MAGIC = frozenset("*?[{")
_DESCRIPTOR = expression(r"(?:\d+-?|-)\Z")


@dataclass(frozen=True, slots=True)
class Mention:
    """A path as a word gives it, and the directory that it is taken from (None where that is where the line starts).

    `wild` is a path with wildcards of the shell; `place` is a directory that is only gone into.
    """

    path: str
    base: str | None = None
    wild: bool = False
    place: bool = False


@dataclass(frozen=True, slots=True)
class Mentions:
    """The paths of a line, each once; with `anything` it may touch any file besides."""

    paths: tuple[Mention, ...]
    anything: bool


@lru_cache(maxsize=512)
def mentions_of(line: str) -> Mentions:
    """What a command line may touch. Directories that it goes to are told relative to where it starts."""
    look = _Look()
    look.line(line, None, 0)
    return Mentions(tuple(look.found), look.anything)


class _Look:
    def __init__(self) -> None:
        self.found: dict[Mention, None] = {}
        self.anything = False
        self._words = 0

    def line(self, text: str, base: str | None, depth: int) -> str | None:
        """Look at a line that starts in a directory; the directory in which it ends."""
        shell = read_shell(text)
        self.anything = self.anything or not shell.whole or depth > _DEEPEST
        places: dict[tuple[int, ...], str | None] = {(): base}
        self._plain((value for _, value in shell.assignments), (base,))
        for command in shell.commands:
            if self.anything:
                break
            shells = command.shells
            here = next(places[shells[:end]] for end in range(len(shells), -1, -1) if shells[:end] in places)
            for redirection in command.redirections:
                if redirection.operator not in (">&", "<&") or not _DESCRIPTOR.match(redirection.target.text or ""):
                    self._word(redirection.target, (here,))
            places[shells] = self._command(command, command.words, here, depth)
        return places[()]

    def _command(self, command: SimpleCommand, words: Sequence[Word], base: str | None, depth: int) -> str | None:
        """Look at a command; the directory that it goes to."""
        self._words += len(words)
        if depth > _DEEPEST or self._words > _MOST_WORDS:
            self.anything = True
        if self.anything or not words:
            return base
        name, rest = program_of(words[0]), words[1:]
        if words[0].text is None or name in _TAKING_NAMES or name in _RETURNING:
            self.anything = True
            return base
        if name in _CHANGING:
            return self._changed(rest, base)
        if "/" in words[0].text or words[0].wild:
            self._word(words[0], (base,))
        bases = (base, *self._directories(rest, base))
        self._plain(rest, bases)
        # A program may make paths of several words: a file keeps its name in the directory that it is copied to.
        program = PROGRAMS.get(name)
        self._plain((word for word, _ in program(rest)) if program is not None else (), bases)
        self._implied(name, rest, bases)
        if name in _CODE or _VERSION.sub("", name) in _CODE:
            texts = [*(word.text or "" for word in rest), *command.documents]
            pieces = (piece for text in texts for piece in _IN_CODE.split(text) if piece)
            self._plain(map(Word, pieces), bases)
        return self._inner(command, words, bases, depth)

    def _inner(
        self, command: SimpleCommand, words: Sequence[Word], bases: Sequence[str | None], depth: int
    ) -> str | None:
        name, here = program_of(words[0]), bases[0]
        for inner in inner_commands(command, words):
            if inner == HIDDEN:
                self.anything = True
            for base in bases:
                if inner.line is not None:
                    after = self.line(inner.line, base, depth + 1)
                    here = after if name == "eval" else here
                elif inner.words:
                    self._command(command, inner.words, base, depth + 1)
        wrapper = WRAPPERS.get(name)
        if wrapper is not None:
            for base in bases:
                after = self._command(command, inner_words(words, wrapper), base, depth + 1)
                here = after if name in ("builtin", "command") else here
        return here

    def _changed(self, rest: Sequence[Word], base: str | None) -> str | None:
        target = next((word for word in rest if (word.text or "")[:1] != "-" or word.text == "-"), None)
        text = "~" if target is None else target.text
        if text is None or text == "-" or text[:1] in ("+", "") or (target is not None and _is_magic(target)):
            self.anything = True
            return base
        text = os.path.expanduser(text) if target is None or target.wild else text
        if text.startswith("~"):
            self.anything = True
            return base
        self.found[Mention(text, base, place=True)] = None
        return os.path.join(base or "", text)

    def _directories(self, rest: Sequence[Word], base: str | None) -> Iterator[str]:
        """The directories in which a program is told to work."""
        for word, following in zip_longest(rest, rest[1:]):
            text = (word.text or "") if word is not None else ""
            name, equals, value = text.partition("=")
            if text in _OPTIONS_OF_DIRECTORIES and following is not None and following.text:
                yield os.path.join(base or "", following.text)
            elif equals and value and name in _OPTIONS_OF_DIRECTORIES:
                yield os.path.join(base or "", value)
            elif text[:2] == "-C" and text[2:]:
                yield os.path.join(base or "", text[2:])

    def _implied(self, name: str, rest: Sequence[Word], bases: Sequence[str | None]) -> None:
        """The directory that a program walks although no word names it."""
        texts = [word.text or "" for word in rest]
        if any(text.startswith(_OPTIONS_TAKING_NAMES) for text in texts) or (name == "tar" and "-T" in texts):
            self.anything = True
        operands = read_arguments(rest).operands
        walks = False
        if name == "find":
            walks = not texts or texts[0][:1] in ("-", "(", "!")
        elif name in _WALKING:
            walks = len(operands) <= _WALKING[name]
        elif name == "grep":
            walks = len(operands) <= 1 and _has_flag(texts, "rR", "--recursive", "--dereference-recursive")
        elif name == "ls":
            walks = not operands and _has_flag(texts, "R", "--recursive")
        elif name == "git":
            walks = any(all(part in texts for part in parts) for parts in _GIT_WALKING)
        if walks:
            self.found.update((Mention(".", base), None) for base in bases)

    def _plain(self, words: Iterable[Word], bases: Sequence[str | None]) -> None:
        for word in words:
            self._word(word, bases)

    def _word(self, word: Word, bases: Sequence[str | None]) -> None:
        if word.text is None:
            self.anything = True
            return
        for text in _readings(word.text):
            if word.wild and text[:1] == "~":
                text = os.path.expanduser(text)
                if text[:1] == "~":
                    self.anything = True
                    return
            wild = word.wild and not _MAGIC.isdisjoint(text) and text != "{}"
            self.found.update((Mention(text, base, wild), None) for base in bases)


def _readings(text: str) -> Iterator[str]:
    """The paths that a word may hold: itself, and what stands behind `=`, `:`, `,`, `@` or the letters of an option."""
    if text[:1] != "-":
        yield text
    elif text[1:2] != "-":
        # Of the letters of a bundle each may be the last before the value.
        end = max(3, text.find("/") + 1)
        yield from (text[at:] for at in range(2, min(end, 12)) if text[at:])
    if not _SEPARATORS.search(text):
        return
    parts = _SEPARATORS.split(text)
    yield from (part for part in parts[1 if text[:1] == "-" else 0 :] if part)
    first = _SEPARATORS.search(text)
    if first is not None and text[first.end() :]:
        yield text[first.end() :]


def _is_magic(word: Word) -> bool:
    return word.wild and not _MAGIC.isdisjoint(word.text or "")


def _has_flag(texts: Iterable[str], letters: str, *names: str) -> bool:
    return any(
        text in names or (text[:1] == "-" and text[1:2] != "-" and not set(letters).isdisjoint(text)) for text in texts
    )
