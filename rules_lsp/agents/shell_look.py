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

from rules_lsp.policy.shell.programs import PROGRAMS, Use, operands
from rules_lsp.policy.shell.wrappers import base_name, unwrapped
from rules_lsp.policy.tools.patch_text import patched_files
from rules_lsp.source.shell import SimpleCommand, Word, read_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rules_lsp.policy.decision import Decision

    Decide = Callable[[Mapping[str, Any]], Decision]

_DENYING = frozenset({"excluded", "protected", "policy-error"})
_MOST_FILES = 1_000
_DEEPEST = 4
_SHELLS = frozenset({"ash", "bash", "dash", "fish", "ksh", "sh", "zsh"})
_PATCHES = frozenset({"apply_patch", "applypatch"})
_WRITING = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})


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
        for command in read_shell(text).commands:
            reason = self._redirections(command) or self._command(command, command.words, depth)
            if reason is not None:
                return reason
        return None

    def _redirections(self, command: SimpleCommand) -> str | None:
        for redirection in command.redirections:
            operation = "write" if redirection.operator in _WRITING else "read"
            if redirection.operator in (">&", "<&"):
                continue
            reason = self._word(redirection.target, operation, "the redirection")
            if reason is not None:
                return reason
        return None

    def _command(self, command: SimpleCommand, words: Sequence[Word], depth: int) -> str | None:
        words = unwrapped(words)
        name = base_name(words[0]) if words else ""
        rest = words[1:]
        if name in _PATCHES:
            return self._patch([*command.documents, *(word.text for word in rest if word.text is not None)])
        if name == "cd" or name == "pushd":
            self._change_directory(rest)
            return None
        if name == "eval":
            return self.line(" ".join(word.text or "" for word in rest), depth + 1)
        if name in _SHELLS:
            return self._shell(command, rest, depth)
        return self._first(self._uses(name, rest), name)

    def _shell(self, command: SimpleCommand, rest: Sequence[Word], depth: int) -> str | None:
        """What a shell is told to run: behind `-c`, or on its standard input."""
        for at, word in enumerate(rest):
            option = word.text or ""
            if option[:1] == "-" and option[:2] != "--" and "c" in option:
                script = next((later.text for later in rest[at + 1 :] if (later.text or "")[:1] != "-"), None)
                return None if script is None else self.line(script, depth + 1)
        reasons = (self.line(document, depth + 1) for document in command.documents)
        return next((reason for reason in reasons if reason is not None), None)

    def _patch(self, texts: Iterable[str]) -> str | None:
        for text in texts:
            for file in patched_files(text):
                query = {"path": file.path, "operation": file.operation, "cwd": self._cwd}
                decision = self._decide(query if file.new_path is None else {**query, "newPath": file.new_path})
                if not decision.allowed:
                    return decision.reason
        return None

    def _uses(self, name: str, rest: Sequence[Word]) -> Iterator[Use]:
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
