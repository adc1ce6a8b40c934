"""Hosts that read a file in the syntax of `.gitignore`: Cursor, Gemini CLI, aider."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules_lsp.agents.export.denied import DeniedFiles, denied_files, literal_parts, wider_characters
from rules_lsp.agents.export.git_dialect import WIDEST, git_lines
from rules_lsp.agents.export.losses import Loss, allow_lists, common_losses, denied_tools_lost, loss
from rules_lsp.agents.export.marked import with_region
from rules_lsp.policy.policy import Policy

_PROTECTED = "a path that governs the agent cannot be denied for writing alone: reading it is denied too"


def ignored_lines(files: DeniedFiles, *, protects: bool) -> list[str]:
    """The lines that deny the files; the protected ones too where that keeps them from being written."""
    protected = [literal_parts(name) for name in files.protected] if protects else []
    return git_lines([*files.patterns, *protected], fold_case=files.fold_case)


def cursor(policy: Policy, text: str | None) -> tuple[str, Iterable[Loss]]:
    """`.cursorignore`, and what is lost."""
    files = denied_files(policy)
    shell = "commands in the terminal and MCP servers: Cursor does not apply `.cursorignore` to them"
    return _with_lines(text, ignored_lines(files, protects=True)), [
        *_losses(policy, files, shell),
        *_protected_from_reading(files),
    ]


def aider(policy: Policy, text: str | None) -> tuple[str, Iterable[Loss]]:
    """`.aiderignore`, and what is lost."""
    files = denied_files(policy)
    shell = "commands that aider is allowed to run"
    return _with_lines(text, ignored_lines(files, protects=True)), [
        *_losses(policy, files, shell),
        *_protected_from_reading(files),
    ]


def gemini(policy: Policy, text: str | None) -> tuple[str, Iterable[Loss]]:
    """`.geminiignore`, and what is lost: it keeps from reading and not from writing."""
    files = denied_files(policy)
    shell = "commands in the shell and MCP servers: Gemini does not apply `.geminiignore` to them"
    lost = [*_losses(policy, files, shell)]
    if files.patterns:
        message = "writing: `.geminiignore` is for tools that read; `write_file` and `replace` need not obey it"
        lost.append(loss("writing", "lets-through", message))
    if files.protected:
        message = "paths that govern the agent may be read and not written, which `.geminiignore` cannot say"
        lost.append(loss("protection", "lets-through", message, files.protected))
    return _with_lines(text, ignored_lines(files, protects=False)), lost


def _with_lines(text: str | None, lines: list[str]) -> str:
    return with_region(text or "", lines)


def _losses(policy: Policy, files: DeniedFiles, shell: str) -> Iterator[Loss]:
    yield from allow_lists(policy)
    yield from denied_tools_lost(policy)
    yield from files.losses
    yield from wider_characters(files, WIDEST)
    yield from common_losses(follows_links=False, shell=shell)
    yield loss("nested", "notice", "a file of the same name in a directory below may take back what this one ignores")


def _protected_from_reading(files: DeniedFiles) -> Iterator[Loss]:
    if files.protected:
        yield loss("protection", "denies-more", _PROTECTED, files.protected)
