"""What Git runs besides itself: aliases, hooks of a rebase, commands for submodules, programs of its settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules_lsp.policy.shell.inner import HIDDEN, Inner, joined_line, line_of
from rules_lsp.source.shell import Word

_WITH_VALUE = frozenset({"-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix"})
_PROGRAM_SETTINGS = (
    "editor", "pager", "sshcommand", "askpass", "fsmonitor", ".external", ".cmd", ".command", ".clean", ".smudge",
    ".process", ".textconv", ".driver", ".program", ".uploadpack", ".receivepack", ".helper", ".gitproxy",
)  # fmt: skip
"""How the names of settings end whose value is run, in small letters."""
_LINE_OPTIONS = {
    "rebase": ("-x", "--exec"),
    "difftool": ("-x", "--extcmd"),
    "filter-branch": (
        "--env-filter", "--tree-filter", "--index-filter", "--msg-filter", "--commit-filter", "--parent-filter",
    ),
    "fetch": ("--upload-pack",),
    "pull": ("--upload-pack",),
    "clone": ("-u", "--upload-pack"),
    "ls-remote": ("--upload-pack",),
    "push": ("--receive-pack", "--exec"),
}  # fmt: skip
"""The options of each verb whose value is a command line."""


def git_runs(rest: Sequence[Word]) -> Iterator[Inner]:
    """What Git runs, told by the words behind its name."""
    at = 0
    while at < len(rest) and (rest[at].text or "")[:1] == "-":
        option = rest[at].text or ""
        if option == "-c":
            yield from _setting(rest[at + 1] if at + 1 < len(rest) else None)
        at += 2 if option == "-c" or option == "--config-env" or option in _WITH_VALUE else 1
    verb = (rest[at].text or "") if at < len(rest) else ""
    behind = rest[at + 1 :]
    if verb == "submodule":
        yield from _each_submodule(behind)
    elif verb == "bisect" and behind and behind[0].text == "run":
        yield Inner(words=tuple(behind[1:]))
    elif verb == "config":
        yield from _configured(behind)
    elif verb in _LINE_OPTIONS:
        yield from option_lines(behind, _LINE_OPTIONS[verb])
        if verb == "clone":
            for place, word in enumerate(behind[:-1]):
                if word.text in ("-c", "--config"):
                    yield from _setting(behind[place + 1])


def option_lines(rest: Sequence[Word], names: Sequence[str]) -> Iterator[Inner]:
    """The lines that the values of some options hold: `-x line`, `-xline`, `--exec line` or `--exec=line`."""
    for at, word in enumerate(rest):
        text = word.text or ""
        if text in names:
            yield line_of(rest[at + 1] if at + 1 < len(rest) else None)
        for name in names:
            if name.startswith("--") and text.startswith(f"{name}="):
                yield Inner(text.partition("=")[2])
            elif not name.startswith("--") and text.startswith(name) and len(text) > len(name):
                yield Inner(text[len(name) :])


def _setting(word: Word | None) -> Iterator[Inner]:
    if word is None or word.text is None:
        yield HIDDEN
        return
    name, equals, value = word.text.partition("=")
    if equals:
        yield from _value(name, Word(value))


def _configured(behind: Sequence[Word]) -> Iterator[Inner]:
    given = [word for word in behind if (word.text or "")[:1] != "-"]
    given = given[1:] if given and given[0].text == "set" else given
    for place, word in enumerate(given[:-1]):
        if word.text is not None and "." in word.text:
            yield from _value(word.text, given[place + 1])
            return


def _value(name: str, value: Word) -> Iterator[Inner]:
    folded = name.casefold()
    is_alias = folded.startswith("alias.")
    if value.text is None:
        if is_alias or folded.startswith("pager.") or folded.endswith(_PROGRAM_SETTINGS):
            yield HIDDEN
    elif value.text[:1] == "!":
        yield Inner(value.text[1:])
    elif is_alias:
        yield Inner(f"git {value.text}")
    elif folded.startswith("pager.") or folded.endswith(_PROGRAM_SETTINGS):
        yield Inner(value.text)


def _each_submodule(behind: Sequence[Word]) -> Iterator[Inner]:
    place = next((at for at, word in enumerate(behind) if word.text == "foreach"), None)
    if place is not None:
        command = list(behind[place + 1 :])
        while command and (command[0].text or "")[:1] == "-":
            command.pop(0)
        if command:
            yield joined_line(command)
