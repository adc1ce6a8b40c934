"""What a command runs besides itself: the line behind `sh -c`, the words behind `find -exec` or `docker exec`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rules_lsp.policy.shell.git_running import git_runs, option_lines
from rules_lsp.policy.shell.inner import HIDDEN as HIDDEN
from rules_lsp.policy.shell.inner import Inner as Inner
from rules_lsp.policy.shell.inner import joined_line
from rules_lsp.policy.shell.patterns import program_of
from rules_lsp.policy.shell.program_lines import (
    awk_runs,
    cmd_runs,
    hyperfine_runs,
    make_runs,
    powershell_runs,
    screen_runs,
    tar_runs,
    tmux_runs,
)
from rules_lsp.policy.shell.programs import operands
from rules_lsp.source.shell import SimpleCommand, Word

SHELLS = frozenset({"ash", "bash", "dash", "fish", "ksh", "mksh", "sh", "zsh"})
_LATER = frozenset({"at", "batch"})
_SSH_VALUES = frozenset("BbcDEeFIiJLlmOopQRSWw")


def inner_commands(command: SimpleCommand, words: Sequence[Word]) -> Iterator[Inner]:
    """What the command with these words runs; `command` holds its redirections and here-documents."""
    name = program_of(words[0])
    rest = words[1:]
    if name in SHELLS:
        yield from _shell(command, rest)
    elif name in _LATER:
        yield from _later(command, rest)
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


def _later(command: SimpleCommand, rest: Sequence[Word]) -> Iterator[Inner]:
    """What `at` reads from its input, to run it later."""
    if any((word.text or "") in ("-l", "-r", "-d", "-c", "-V") or (word.text or "")[:2] == "-f" for word in rest):
        return
    yield from (Inner(document) for document in command.documents)
    if not command.documents and not any(each.operator == "<" for each in command.redirections):
        yield HIDDEN


def _line(rest: Sequence[Word]) -> Iterator[Inner]:
    if rest:
        yield joined_line(rest)


def _operands_as_line(rest: Sequence[Word]) -> Iterator[Inner]:
    """A program that gives its words to a shell; options before them are its own."""
    at = 0
    while at < len(rest) and (rest[at].text or "")[:1] == "-":
        at += 2 if rest[at].text in ("-n", "-j", "--interval", "--jobs") else 1
    yield from _line(rest[at:])


def _option_line(*names: str) -> Callable[[Sequence[Word]], Iterator[Inner]]:
    """A program with an option whose value is a command line."""
    return lambda rest: option_lines(rest, names)


def _behind_verb(
    *verbs: str, with_value: str = "", operands_before: int = 0
) -> Callable[[Sequence[Word]], Iterator[Inner]]:
    """A program with a verb behind which, and behind the options of that, a command stands."""
    values = frozenset(with_value.split())

    def runs(rest: Sequence[Word]) -> Iterator[Inner]:
        place = next((at for at, word in enumerate(rest) if word.text in verbs), None)
        if place is None:
            return
        words = list(rest[place + 1 :])
        while words and (words[0].text or "")[:1] == "-":
            option = (words.pop(0).text or "").lstrip("-")
            if option in values and words:
                words.pop(0)
        words = words[operands_before:]
        if words:
            # An environment may stand in front: `hatch run test:rm`.
            name = words[0].text
            yield Inner(words=(words[0] if name is None else Word(name.rpartition(":")[2]), *words[1:]))

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


_PYTHON_RUN = "with with-editable with-requirements python p extra group project directory env-file package e env"

_RUNNERS: dict[str, Callable[[Sequence[Word]], Iterator[Inner]]] = {
    "alias": _aliases,
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), awk_runs),
    "bundle": _behind_verb("exec"),
    "bun": _behind_verb("x"),
    "cmd": cmd_runs,
    **dict.fromkeys(("conda", "mamba", "micromamba"), _behind_verb("run", with_value="n name p prefix cwd")),
    "direnv": _behind_verb("exec", operands_before=1),
    "docker": _container("exec", "run"),
    "env": _option_line("-S", "--split-string"),
    "eval": _line,
    "fd": _find,
    "fdfind": _find,
    "find": _find,
    "git": git_runs,
    "hyperfine": hyperfine_runs,
    **dict.fromkeys(
        ("hatch", "pdm", "pipenv", "pixi", "poetry", "rye", "uv"), _behind_verb("run", with_value=_PYTHON_RUN)
    ),
    "flock": _option_line("-c", "--command"),
    **dict.fromkeys(("gmake", "make"), make_runs),
    **dict.fromkeys(("doppler", "dotenv", "op"), _behind_verb("run", "exec", with_value="f p c env-file")),
    **dict.fromkeys(("mise", "rtx"), _behind_verb("exec", "x")),
    **dict.fromkeys(("npm", "pnpm", "yarn"), _behind_verb("exec", "x", "dlx", with_value="p package w workspace C")),
    "pipx": _behind_verb("run", with_value="spec python"),
    **dict.fromkeys(("powershell", "pwsh"), powershell_runs),
    "screen": screen_runs,
    **dict.fromkeys(("bsdtar", "gtar", "tar"), tar_runs),
    "tmux": tmux_runs,
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
