"""Choosing the files of a prompt: every name made absolute, each file once, nothing that the rules deny."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from rules_lsp.policy.files import is_below, read_file
from rules_lsp.policy.requests import shown
from rules_lsp.prompt.context.asking import Asking
from rules_lsp.prompt.context.finding import Found, files_of, folder_of, is_name
from rules_lsp.prompt.context.listing import read_list
from rules_lsp.prompt.context.model import (
    ContextFile,
    ContextSelection,
    Finding,
    LeftOut,
    RefusedFile,
    Role,
    Source,
)
from rules_lsp.prompt.context.paths import displayed, expand, identity
from rules_lsp.prompt.tokens import estimate_tokens
from rules_lsp.prompt.told_files import HOLDS_SECRETS, is_secret
from rules_lsp.source.records import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.workspace.project import Project

MAX_FILES = 10_000
MAX_BYTES = 64 * 1024 * 1024
STANDARD_INPUT = "-"
AUTOMATIC_FILES = (
    ("SHAFT.md", "the working directory"),
    ("~/.shaft/SHAFT.md", "the home directory"),
    ("~/SHAFT.md", "the home directory"),
)
"""Files that come along where they exist, and where that is."""


def select_context(
    project: Project,
    files: Sequence[str] = (),
    file_lists: Sequence[str] = (),
    references: Sequence[str] = (),
    *,
    cwd: str,
    automatic: bool = True,
    standard_input: bytes = b"",
    lists_are_asked: bool = False,
) -> ContextSelection:
    """Choose the files of a prompt; it never raises.

    `files` and `references` are files, folders and patterns, `file_lists` name lists of files (`-` is
    `standard_input`). Relative paths start at `cwd`, an absolute path. At most `MAX_FILES` files are looked at, and
    `MAX_BYTES` bytes taken in. `lists_are_asked` refuses a list that the rules do not let be read: its lines
    come back in findings.
    """
    cwd = os.path.normpath(cwd)
    selecting = _Selecting(project, cwd)
    for given in files:
        selecting.add(Source(given), "target")
    for name in file_lists:
        for entry in selecting.listed(name, standard_input, asked=lists_are_asked):
            selecting.add(entry, "target")
    if automatic:
        selecting.add_automatic()
    for given in references:
        selecting.add(Source(given), "reference")
    return selecting.selection()


class _Selecting:
    """One selection in the making."""

    def __init__(self, project: Project, cwd: str) -> None:
        self._policy = project.policy()
        self._asking = Asking(self._policy)
        self._cwd = cwd
        self._files: dict[str, ContextFile] = {}
        self._refused: dict[tuple[str, str], RefusedFile] = {}
        self._left_out: dict[LeftOut, None] = {}
        self._findings: dict[Finding, None] = {}
        self._looked_at = 0
        self._size = 0
        self._full = False

    def selection(self) -> ContextSelection:
        return ContextSelection(
            self._cwd,
            self._policy,
            tuple(self._files.values()),
            tuple(self._refused.values()),
            tuple(self._left_out),
            tuple(self._findings),
        )

    def listed(self, name: str, standard_input: bytes, *, asked: bool) -> Iterator[Source]:
        """The paths of a list."""
        data = standard_input
        if name != STANDARD_INPUT:
            source = Source(name)
            path = expand(name, self._cwd).absolute
            secret = is_secret(identity(path), self._policy.root)
            denial = self._asking.denial(path, "reference") if asked else None
            if denial is not None:
                refused = RefusedFile(displayed(path, self._cwd), path, "reference", source, denial)
                self._refused.setdefault((path, "reference"), refused)
                return
            content = read_file(path) if name and not secret and "\0" not in name else None
            problem = "there is no such file" if content is None or not content.exists else content.problem
            problem = HOLDS_SECRETS if secret else problem
            if problem is not None or content is None:
                self._find(Finding("unreadable-list", f"the list `{shown(name)}` cannot be read: {problem}", source))
                return
            data = content.data
        paths, fault = read_list(data)
        if fault is not None:
            message = f"the list `{shown(name)}` cannot be read: {fault}"
            self._find(Finding("unreadable-list", message, Source(name)))
        for entry in paths:
            yield Source(entry.path, name, entry.line)

    def add(self, source: Source, role: Role) -> None:
        if self._is_refused_folder(source, role):
            return
        for outcome in files_of(source, self._cwd):
            if self._full:
                return
            self._looked_at += 1
            if self._looked_at > MAX_FILES:
                self._stop(source, outcome.absolute if isinstance(outcome, Found) else source.given)
                return
            if isinstance(outcome, Found):
                self._take(outcome, source, role)
            elif isinstance(outcome, LeftOut):
                self._left_out.setdefault(outcome)
            else:
                self._find(outcome)

    def add_automatic(self) -> None:
        for given, where in AUTOMATIC_FILES:
            path = expand(given, self._cwd).absolute
            if os.path.lexists(path):
                self._take(Found(path, f"`{os.path.basename(given)}` of {where}", True), Source(given), "automatic")

    def _take(self, found: Found, source: Source, role: Role) -> None:
        key = identity(found.absolute)
        name = displayed(found.absolute, self._cwd)
        before = self._files.get(key)
        if before is not None:
            reason = found.reason if found.absolute == before.absolute else f"as `{name}` {found.reason}"
            if reason != before.reason and reason not in before.also:
                self._files[key] = replace(before, also=(*before.also, reason))
            return
        denial = self._asking.denial(found.absolute, role)
        # What is at home is a person's own and no part of the project; a link of the project to it is.
        own = role == "automatic" and source.given.startswith("~")
        if denial is not None and not (own and denial.code == "outside-root"):
            self._refused.setdefault((key, role), RefusedFile(name, found.absolute, role, source, denial))
            return
        if is_secret(key, self._policy.root):
            self._pass_over(found, name, source, HOLDS_SECRETS)
            return
        content = read_file(found.absolute)
        text, problem = content.text()
        if not content.exists:
            problem = "it is gone"
        elif problem is None and "\0" in text:
            problem = "it holds null characters, so it is no text"
        if problem is not None:
            self._pass_over(found, name, source, problem)
            return
        if self._size + len(content.data) > MAX_BYTES:
            self._stop(source, found.absolute)
            return
        self._size += len(content.data)
        leads = displayed(os.path.realpath(found.absolute), os.path.realpath(self._cwd))
        link = None if self._is_plain(found.absolute) else leads
        self._files[key] = ContextFile(
            name, found.absolute, role, found.reason, source, text, len(content.data), estimate_tokens(text), link
        )

    def _pass_over(self, found: Found, name: str, source: Source, problem: str) -> None:
        if found.named:
            message = f"`{shown(source.given)}` cannot be read: {problem}{source.words}"
            self._find(Finding("unreadable", message, source))
        else:
            self._left_out.setdefault(LeftOut(name, problem))

    def _is_refused_folder(self, source: Source, role: Role) -> bool:
        """Whether a folder, or where a pattern starts, lies outside of the project: nothing in it is looked at then.

        A pattern that starts above the project may lead into it.
        """
        given = expand(source.given, self._cwd).absolute
        path = folder_of(given) if is_name(given) else None
        if path is None or (path != given and is_below(self._policy.root.real, os.path.realpath(path))):
            return False
        denial = self._asking.denial(path, role)
        if denial is None or denial.code != "outside-root":
            return False
        self._refused.setdefault((path, role), RefusedFile(displayed(path, self._cwd), path, role, source, denial))
        return True

    def _stop(self, source: Source, path: str) -> None:
        self._full = True
        message = f"more than {MAX_FILES:,} files or {MAX_BYTES // 1024 // 1024} MiB: what follows is not taken in"
        name = shown(displayed(path, self._cwd))
        self._find(Finding("too-many", f"{message}, from `{name}` on{source.words}", source))

    def _is_plain(self, path: str) -> bool:
        """Whether no link lies on the way from the working directory to a path, or from the top to one elsewhere."""
        real = os.path.realpath(path)
        return real in (path, os.path.join(os.path.realpath(self._cwd), displayed(path, self._cwd)))

    def _find(self, finding: Finding) -> None:
        self._findings.setdefault(finding)
