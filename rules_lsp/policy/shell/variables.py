"""Variables whose value other programs run as a command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules_lsp.policy.shell.inner import Inner, line_of
from rules_lsp.source.shell import Word

PROGRAM_VARIABLES = frozenset({
    "BASH_ENV", "BROWSER", "EDITOR", "FCEDIT", "GIT_ASKPASS", "GIT_EDITOR", "GIT_EXTERNAL_DIFF", "GIT_PAGER",
    "GIT_PROXY_COMMAND", "GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "LESSCLOSE", "LESSOPEN", "MANPAGER",
    "PAGER", "PROMPT_COMMAND", "RSYNC_RSH", "SSH_ASKPASS", "SUDO_ASKPASS", "SUDO_EDITOR", "SYSTEMD_EDITOR",
    "SYSTEMD_PAGER", "VISUAL",
})  # fmt: skip


def line_of_variable(name: str, value: Word) -> Inner | None:
    """The line that a variable holds, or None where no program runs its value."""
    if name not in PROGRAM_VARIABLES:
        return None
    # `|` and `-` in front say how `less` reads.
    return line_of(Word(value.text.lstrip("|-")) if name.startswith("LESS") and value.text is not None else value)


def lines_of_assigning_words(words: Sequence[Word]) -> Iterator[Inner]:
    """The lines in the words `NAME=value` in front of the program that `env` or `sudo` runs."""
    for word in words:
        name, equals, value = (word.text or "").partition("=")
        found = line_of_variable(name, Word(value)) if equals else None
        if found is not None:
            yield found
