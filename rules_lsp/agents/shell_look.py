"""A look at the files that a command line names: it can deny, and never allows.

Best effort: only words that the shell takes as they stand are looked at, the arguments of well-known programs among
them. What a program does by itself, a script or a variable, is not seen. A file counts that a rule excludes or that is
protected; that no `include` names it is no reason, since words are often no files. A patch for `apply_patch` is read
whole and decided like one that comes in JSON.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from rules_lsp.policy.shell.patterns import program_of
from rules_lsp.policy.shell.programs import PROGRAMS, Use, operands
from rules_lsp.policy.shell.running import SHELLS, Inner, inner_commands
from rules_lsp.policy.shell.wrappers import WRAPPERS, inner_words
from rules_lsp.policy.tools.patch_text import patched_files
from rules_lsp.source.expressions import expression
from rules_lsp.source.shell import SimpleCommand, Word, read_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rules_lsp.policy.decision import Decision

    Decide = Callable[[Mapping[str, Any]], Decision]

_DENYING = frozenset({"excluded", "protected", "policy-error"})
_MOST_FILES = 1_000
_DEEPEST = 4
_ELSEWHERE = frozenset({"docker", "kubectl", "podman", "ssh"})
"""Programs whose command runs where other files are."""
_CHANGING = frozenset({"cd", "chdir", "pushd", "set-location"})
_WINDOWS_SHELLS = {"cmd": ("/c", "/k"), "powershell": ("-c", "-command"), "pwsh": ("-c", "-command")}
_PATCHES = frozenset({"apply_patch", "applypatch"})
_DESCRIPTOR = expression(r"(?:\d+-?|-)\Z")
_WRITING = frozenset({">", ">>", ">|", ">&", "&>", "&>>", "<>"})


def reason_to_deny(lines: Iterable[str], cwd: str | None, decide: Decide) -> str | None:
    """Why command lines that run in `cwd` (None: the root) are denied, or None where nothing speaks against them."""
    for line in lines:
        reason = _Look(decide, cwd).line(line, 0)
        if reason is not None:
            return reason
    return None


class _Look:
    """One command line, and the directory that its commands have come to."""

    def __init__(self, decide: Decide, cwd: str | None) -> None:
        self._decide = decide
        self._cwd = cwd

    def line(self, text: str, depth: int) -> str | None:
        if depth > _DEEPEST:
            return None
        places: dict[tuple[int, ...], str | None] = {(): self._cwd}
        for command in read_shell(text).commands:
            # A shell begins where the one around it is, and ends without moving that one.
            shells = command.shells
            self._cwd = next(places[shells[:end]] for end in range(len(shells), -1, -1) if shells[:end] in places)
            reason = self._redirections(command) or self._command(command, command.words, depth)
            if reason is not None:
                return reason
            places[shells] = self._cwd
        self._cwd = places[()]
        return None

    def _redirections(self, command: SimpleCommand) -> str | None:
        for redirection in command.redirections:
            operation = "write" if redirection.operator in _WRITING else "read"
            if redirection.operator in (">&", "<&") and _DESCRIPTOR.match(redirection.target.text or "-"):
                continue
            reason = self._word(redirection.target, operation, "the redirection")
            if reason is not None:
                return reason
        return None

    def _command(self, command: SimpleCommand, words: Sequence[Word], depth: int) -> str | None:
        if depth > _DEEPEST or not words:
            return None
        name, rest = program_of(words[0]), words[1:]
        if name in _PATCHES:
            return self._patch([*command.documents, *(word.text for word in rest if word.text is not None)])
        if name in _CHANGING:
            self._change_directory(rest)
            return None
        reason = self._first(self._uses(name, rest), name)
        if reason is None and name not in _ELSEWHERE:
            reason = self._inner(command, words, depth)
        wrapper = WRAPPERS.get(name)
        if reason is None and wrapper is not None:
            reason = self._command(command, inner_words(words, wrapper), depth + 1)
        return reason

    def _inner(self, command: SimpleCommand, words: Sequence[Word], depth: int) -> str | None:
        """What a command runs besides itself: a line behind `sh -c` or on its input, words behind `find -exec`."""
        name = program_of(words[0])
        commands = inner_commands(command, words)
        for inner in commands if name not in _WINDOWS_SHELLS else _of_windows(name, words[1:]):
            here = self._cwd
            if inner.line is not None:
                reason = self.line(inner.line, depth + 1)
            else:
                reason = self._command(command, inner.words, depth + 1)
            if reason is not None:
                return reason
            if name != "eval":
                self._cwd = here
        return None

    def _patch(self, texts: Iterable[str]) -> str | None:
        for text in texts:
            for file in patched_files(text):
                query = {"path": file.path, "operation": file.operation, "cwd": self._cwd}
                decision = self._decide(query if file.new_path is None else {**query, "newPath": file.new_path})
                if not decision.allowed:
                    return decision.reason
        return None

    def _uses(self, name: str, rest: Sequence[Word]) -> Iterator[Use]:
        if name in SHELLS:
            # The script of a shell, but not the words behind it.
            given = any((word.text or "")[:1] == "-" and "c" in (word.text or "") for word in rest)
            return iter(()) if given else ((word, "read") for word in islice(operands(rest), 1))
        program = PROGRAMS.get(name)
        return iter(()) if program is None else program(rest)

    def _first(self, uses: Iterable[Use], name: str) -> str | None:
        reasons = (self._word(word, operation, f"`{name}`") for word, operation in uses)
        return next((reason for reason in reasons if reason is not None), None)

    def _change_directory(self, rest: Sequence[Word]) -> None:
        target = next(iter(operands(rest)), None)
        if target is None or target.text is None:
            return
        path = os.path.expanduser(target.text)
        if os.path.isabs(path) or self._cwd is not None:
            self._cwd = os.path.normpath(os.path.join(self._cwd or "", path))

    def _word(self, word: Word, operation: str, who: str) -> str | None:
        for path in self._paths(word):
            decision = self._decide({"path": path, "operation": operation, "cwd": self._cwd})
            if decision.code in _DENYING:
                return f"{decision.reason} ({who} in the command line; a best-effort look)"
        return None

    def _paths(self, word: Word) -> Iterable[str]:
        """The paths that a word stands for: itself, and what the shell finds for it now."""
        if not word.text:
            return ()
        text = os.path.expanduser(word.text) if word.wild else word.text
        if not word.wild or not glob.has_magic(text):
            return (text,)
        base = self._cwd or "."
        found = glob.iglob(text, root_dir=None if os.path.isabs(text) else base)
        return (text, *islice(found, _MOST_FILES))


def _of_windows(name: str, rest: Sequence[Word]) -> Iterator[Inner]:
    """What a shell of Windows is told to run."""
    for at, word in enumerate(rest):
        if (word.text or "").casefold() in _WINDOWS_SHELLS[name]:
            yield Inner(" ".join(later.text or "" for later in rest[at + 1 :]))
            return
