"""Programs that run another program which is named in their own words: `sudo`, `env`, `xargs`, `timeout 5`."""

from __future__ import annotations

from collections.abc import Sequence

from rules_lsp.source.records import dataclass
from rules_lsp.source.shell import Word


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A program that runs another: how many words stand before that one, and the options that take a value.

    Options are written without dashes.
    """

    operands: int = 0
    with_value: frozenset[str] = frozenset()


_SUDO = frozenset({"u", "g", "h", "p", "C", "T", "r", "t", "U", "D", "R"})
_SUDO_LONG = frozenset(
    {"user", "group", "host", "prompt", "close-from", "role", "type", "other-user", "chdir", "chroot"}
)
_XARGS = frozenset({"I", "n", "P", "L", "d", "a", "s", "E"})
_XARGS_LONG = frozenset({"max-args", "max-procs", "max-lines", "delimiter", "arg-file", "max-chars", "replace"})

_RUNUSER = frozenset({"u", "g", "G", "s", "c", "user", "group", "supp-group", "shell", "command", "w"})
_SYSTEMD_RUN = frozenset({
    "u", "unit", "p", "property", "E", "setenv", "M", "machine", "H", "host", "C", "slice", "description", "uid", "gid",
    "nice", "working-directory", "on-active", "on-boot", "on-startup", "on-unit-active", "on-unit-inactive",
    "on-calendar", "path-property", "socket-property", "timer-property", "service-type", "background", "D",
})  # fmt: skip
# The letters of bundles that begin a detached session and name it.
_SCREEN = frozenset({"S", "c", "e", "h", "p", "s", "t", "T", "L", "dmS", "DmS", "dmSL", "Logfile"})

WRAPPERS: dict[str, Wrapper] = {
    "busybox": Wrapper(),
    "bunx": Wrapper(),
    "builtin": Wrapper(),
    "caffeinate": Wrapper(with_value=frozenset({"t", "w"})),
    "chroot": Wrapper(operands=1),
    "chrt": Wrapper(operands=1),
    "command": Wrapper(),
    "coproc": Wrapper(),
    "doas": Wrapper(with_value=frozenset({"u", "C"})),
    "env": Wrapper(with_value=frozenset({"u", "C", "unset", "chdir"})),
    "exec": Wrapper(with_value=frozenset({"a"})),
    "flock": Wrapper(operands=1, with_value=frozenset({"w", "E", "timeout", "conflict-exit-code"})),
    "ionice": Wrapper(with_value=frozenset({"c", "n", "class", "classdata"})),
    "nice": Wrapper(with_value=frozenset({"n", "adjustment"})),
    "nocorrect": Wrapper(),
    "nohup": Wrapper(),
    "npx": Wrapper(with_value=frozenset({"p", "package"})),
    "pkexec": Wrapper(with_value=frozenset({"user"})),
    "runuser": Wrapper(with_value=_RUNUSER),
    "screen": Wrapper(with_value=_SCREEN),
    "setsid": Wrapper(),
    "stdbuf": Wrapper(with_value=frozenset({"i", "o", "e"})),
    "strace": Wrapper(with_value=frozenset({"e", "o", "p", "s"})),
    "sudo": Wrapper(with_value=_SUDO | _SUDO_LONG),
    "systemd-run": Wrapper(with_value=_SYSTEMD_RUN),
    "taskset": Wrapper(operands=1),
    "time": Wrapper(with_value=frozenset({"o", "f", "output", "format"})),
    "timeout": Wrapper(operands=1, with_value=frozenset({"k", "s", "kill-after", "signal"})),
    "toybox": Wrapper(),
    "unbuffer": Wrapper(),
    "unshare": Wrapper(),
    "uvx": Wrapper(with_value=frozenset({"from", "with", "p", "python"})),
    "xargs": Wrapper(with_value=_XARGS | _XARGS_LONG),
}


def base_name(word: Word) -> str:
    """The name of a program without its directory, or empty where only the shell can tell it."""
    return (word.text or "").rpartition("/")[2]


def unwrapped(words: Sequence[Word]) -> Sequence[Word]:
    """The words without the programs that only run another (`sudo`, `env A=1`, `timeout 5`, `xargs -n 1`)."""
    while words:
        skip = WRAPPERS.get(base_name(words[0]))
        if skip is None:
            return words
        words = inner_words(words, skip)
    return words


def inner_words(words: Sequence[Word], wrapper: Wrapper) -> Sequence[Word]:
    """The words that one wrapper, the first of `words`, runs."""
    rest = list(words[1:])
    while rest and ((rest[0].text or "")[:1] == "-" or "=" in (rest[0].text or "")):
        option = (rest.pop(0).text or "").lstrip("-")
        if option in wrapper.with_value and rest:
            rest.pop(0)
    return rest[wrapper.operands :]
