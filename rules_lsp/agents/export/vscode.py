"""Agents in VS Code: `chat.tools.edits.autoApprove` of `.vscode/settings.json`.

It maps globs from the workspace folder to whether an edit needs no approval; the last one that matches decides. False
asks the user: VS Code has nothing there that denies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules_lsp.agents.export.denied import (
    DIRECTORIES,
    EVERYTHING,
    Choice,
    Parts,
    Piece,
    Wild,
    denied_files,
    literal_parts,
    varied,
    wider_characters,
)
from rules_lsp.agents.export.git_dialect import class_text
from rules_lsp.agents.export.losses import Loss, allow_lists, common_losses, denied_tools_lost, loss
from rules_lsp.policy.policy import Policy

SETTING = "chat.tools.edits.autoApprove"
_WIDEST = 2
_AS_CLASS = "*?[]"
_AS_WILDCARD = "{}\\"


def vscode(policy: Policy) -> tuple[dict[tuple[str, ...], bool], Iterable[Loss]]:
    """The members of the setting, and what is lost."""
    files = denied_files(policy)
    globs = vscode_globs([*files.patterns, *map(literal_parts, files.protected)])
    lost = [*allow_lists(policy), *denied_tools_lost(policy), *files.losses, *wider_characters(files, _WIDEST)]
    if globs:
        lost.append(loss("asks", "asks", "an edit is asked about and not denied: whoever approves it lets it through"))
        lost.append(loss("reading", "lets-through", "reading: this setting is about edits"))
        message = "a file whose name holds a backslash, where the pattern has a wildcard in its place"
        lost.append(loss("backslash-names", "lets-through", message))
        message = "`chat.tools.global.autoApprove` approves all, and the user's own settings are merged with these"
        lost.append(loss("switches", "notice", message))
    shell = "commands in the terminal and MCP tools, which have settings of their own"
    lost += common_losses(follows_links=True, shell=shell)
    return {(SETTING, glob): False for glob in globs}, lost


def vscode_globs(patterns: Iterable[Parts]) -> list[str]:
    """The globs for patterns, each once; every one covers what lies below what it matches."""
    return list(dict.fromkeys(_glob(parts) for parts in varied(patterns, _WIDEST)))


def _glob(parts: Parts) -> str:
    if parts == EVERYTHING:
        return "**"
    names = ("**" if part == DIRECTORIES else "".join(map(_text, part)) for part in parts)
    # `a/**` is also `a` itself there.
    return "/".join((*names, "**"))


def _text(piece: Piece) -> str:
    if isinstance(piece, Wild):
        return piece.value
    if isinstance(piece, Choice):
        return class_text(piece) or "?"
    return "".join(_characters(piece))


def _characters(text: str) -> Iterator[str]:
    for character in text:
        if character in _AS_WILDCARD:
            yield "?"
        elif character in _AS_CLASS or character.isspace():
            yield f"[{character}]"
        else:
            yield character
