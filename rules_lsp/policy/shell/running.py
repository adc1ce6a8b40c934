"""What a command runs besides itself: the line behind `sh -c`, the words behind `find -exec` or `docker exec`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rules_lsp.policy.shell.patterns import program_of
from rules_lsp.policy.shell.programs import operands
from rules_lsp.source.records import dataclass
from rules_lsp.source.shell import SimpleCommand, Word

SHELLS = frozenset({"ash", "bash", "dash", "fish", "ksh", "mksh", "sh", "zsh"})
_SSH_VALUES = frozenset("BbcDEeFIiJLlmOopQRSWw")


@dataclass(frozen=True, slots=True)
class Inner:
    """What a command runs: a line or words; neither where that something is run can be told, and not what."""

    line: str | None = None
    words: tuple[Word, ...] = ()


HIDDEN = Inner()


def inner_commands(command: SimpleCommand, words: Sequence[Word]) -> Iterator[Inner]:
    """What the command with these words runs; `command` holds its redirections and here-documents."""
    name = program_of(words[0])
    rest = words[1:]
    if name in SHELLS:
        yield from _shell(command, rest)
    elif name in _RUNNERS:
        yield from _RUNNERS[name](rest)


def _shell(command: SimpleCommand, rest: Sequence[Word]) -> Iterator[Inner]:
    for at, word in enumerate(rest):
        option = word.text or ""
        if option[:1] in "-+" and option[:2] != "--" and "c" in option[1:]:
            scripts = [later for later in rest[at + 1 :] if (later.text or "")[:1] != "-" or later.text is None]
            yield Inner(scripts[0].text) if scripts else HIDDEN
            return
    named = next(operands(rest), None)
    if any(word.text in ("--version", "--help") for word in rest) or any(word.text == "-n" for word in rest):
        return
    reads_input = named is None or named.text == "-" or any(word.text == "-s" for word in rest)
    if command.documents:
        yield from (Inner(document) for document in command.documents)
        return
    from_file = any(each.operator == "<" for each in command.redirections)
    if (reads_input and not from_file) or (named is not None and named.text is None):
        yield HIDDEN


def _joined(words: Sequence[Word]) -> Inner:
    texts = [word.text for word in words]
    known = [text for text in texts if text is not None]
    return Inner(" ".join(known)) if len(known) == len(texts) else HIDDEN


def _line(rest: Sequence[Word]) -> Iterator[Inner]:
    if rest:
        yield _joined(rest)


def _operands_as_line(rest: Sequence[Word]) -> Iterator[Inner]:
    """A program that gives its words to a shell; options before them are its own."""
    at = 0
    while at < len(rest) and (rest[at].text or "")[:1] == "-":
        at += 2 if rest[at].text in ("-n", "-j", "--interval", "--jobs") else 1
    yield from _line(rest[at:])


def _option_line(*names: str) -> Callable[[Sequence[Word]], Iterator[Inner]]:
    """A program with an option whose value is a command line."""

    def runs(rest: Sequence[Word]) -> Iterator[Inner]:
        for at, word in enumerate(rest):
            text = word.text or ""
            if text in names:
                yield Inner(rest[at + 1].text) if at + 1 < len(rest) else HIDDEN
            for name in names:
                if name.startswith("--") and text.startswith(f"{name}="):
                    yield Inner(text.partition("=")[2])

    return runs


def _ssh(rest: Sequence[Word]) -> Iterator[Inner]:
    at = 0
    while at < len(rest) and (rest[at].text or "")[:1] == "-":
        option = rest[at].text or ""
        at += 2 if len(option) == 2 and option[1] in _SSH_VALUES else 1
    # The first operand is the host.
    yield from _line(rest[at + 1 :])


def _find(rest: Sequence[Word]) -> Iterator[Inner]:
    for at, word in enumerate(rest):
        if word.text in ("-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"):
            end = next((place for place in range(at + 1, len(rest)) if rest[place].text in (";", "+")), len(rest))
            yield Inner(words=tuple(rest[at + 1 : end]))


def _container(*verbs: str) -> Callable[[Sequence[Word]], Iterator[Inner]]:
    """A program with a verb behind which a command stands, somewhere: each place that may be its first word counts."""

    def runs(rest: Sequence[Word]) -> Iterator[Inner]:
        for at, word in enumerate(rest):
            if word.text in verbs:
                yield from (Inner(words=tuple(rest[place:])) for place in range(at + 1, len(rest)) if rest[place].text)
                return

    return runs


def _behind_colons(rest: Sequence[Word]) -> Iterator[Inner]:
    end = next((at for at, word in enumerate(rest) if (word.text or "").startswith(":::")), len(rest))
    yield from _operands_as_line(rest[:end])


def _aliases(rest: Sequence[Word]) -> Iterator[Inner]:
    for word in rest:
        if word.text is None:
            yield HIDDEN
        elif "=" in word.text:
            yield Inner(word.text.partition("=")[2])


def _first(rest: Sequence[Word]) -> Iterator[Inner]:
    first = next(iter(operands(rest)), None)
    if first is not None:
        yield Inner(first.text)


_RUNNERS: dict[str, Callable[[Sequence[Word]], Iterator[Inner]]] = {
    "alias": _aliases,
    "docker": _container("exec", "run"),
    "env": _option_line("-S", "--split-string"),
    "eval": _line,
    "fd": _find,
    "fdfind": _find,
    "find": _find,
    "flock": _option_line("-c", "--command"),
    "kubectl": _container("exec", "run"),
    "nix-shell": _option_line("--run", "--command"),
    "parallel": _behind_colons,
    "podman": _container("exec", "run"),
    "runuser": _option_line("-c", "--command"),
    "script": _option_line("-c", "--command"),
    "ssh": _ssh,
    "su": _option_line("-c", "--command"),
    "trap": _first,
    "watch": _operands_as_line,
}
"""What else a program runs, by its name. Wrappers such as `sudo` are told apart from these: they only run another."""
