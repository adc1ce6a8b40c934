"""What a real interactive zsh completes: a line is typed into a terminal of its own, and what it adds is read back."""

from __future__ import annotations

import os
import pty
import re
import select
from pathlib import Path

LONGEST_WAIT = 60.0
_READY = b"<<<READY>>>"
# `compadd` is what every completion of zsh ends in: with -A it says what matches.
_SETUP = """\
autoload -Uz compinit; compinit -u -d "$HOME/.zcompdump"; source "$HOME/script"
_traced() {{ builtin compadd -A found "$@"; matches+=("${{found[@]}}"); builtin compadd "$@" }}
show() {{
    local -a matches found
    compadd() {{ _traced "$@" }}
    zle complete-word
    unfunction compadd
    print -r -- "<<<${{(j:|:)matches}}>>>"
    zle kill-whole-line
}}
zle -N show; bindkey '^T' show; print '<<<''READY>>>'
"""


def completions(program: str, script: str, line: str, directory: Path, home: Path) -> set[str]:
    """The words that `zsh` offers at the end of a line, with a completion script and a working directory."""
    (home / "script").write_text(script, encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "dumb", "COLUMNS": "200", "LINES": "60"}
    process, terminal = pty.fork()
    if not process:
        os.chdir(directory)
        os.execvpe(program, [program, "-f", "-i"], environment)
    try:
        os.write(terminal, _SETUP.format().encode())
        _read_until(terminal, re.compile(re.escape(_READY)))
        os.write(terminal, line.encode() + b"\x14")
        answer = _read_until(terminal, re.compile(rb"<<<(.*?)>>>", re.DOTALL))
    finally:
        os.close(terminal)
        os.waitpid(process, 0)
    return set(answer[1].decode().split("|"))


def _read_until(terminal: int, wanted: re.Pattern[bytes]) -> re.Match[bytes]:
    read = b""
    while (found := wanted.search(read)) is None:
        ready, _, _ = select.select([terminal], [], [], LONGEST_WAIT)
        assert ready, f"zsh is silent after {read!r}"
        read += os.read(terminal, 65536)
    return found
