"""Codex: a permission profile in `.codex/config.toml`, which its sandbox holds commands and patches to.

`deny` denies reading and writing, `read` writing. A glob is expanded when a command starts, and more than one rule for
one place must not mix a directory with a glob inside of it: then the sandbox starts no command. So directories are
named only where no pattern has a wildcard.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable

from rules_lsp.agents.export.denied import (
    DIRECTORIES,
    EVERYTHING,
    Choice,
    Parts,
    Piece,
    Wild,
    denied_files,
    varied,
    wider_characters,
)
from rules_lsp.agents.export.git_dialect import class_text
from rules_lsp.agents.export.losses import Loss, allow_lists, common_losses, denied_tools_lost, loss
from rules_lsp.agents.export.marked import Refused, with_region, without_regions
from rules_lsp.policy.policy import Policy

PROFILE = "rules-lsp"
_WIDEST = 4
_DEPTH = 32
_AS_WILDCARD = "*?[]{}\\"


def codex(policy: Policy, text: str | None) -> tuple[str, Iterable[Loss]]:
    """The text of the configuration, and what is lost. Raises `Refused`."""
    files = denied_files(policy)
    literal = all(_is_literal(parts) for parts in files.patterns)
    denied = [_path(parts) for parts in files.patterns] if literal else codex_globs(files.patterns)
    lost = [*allow_lists(policy), *denied_tools_lost(policy), *files.losses, *wider_characters(files, _WIDEST)]
    foreign = _foreign(text)
    chosen = [key for key in ("default_permissions", "sandbox_mode") if key in foreign]
    if not denied and not files.protected:
        return with_region(text or "", ()), lost
    if chosen:
        message = f"the file sets `{chosen[0]}` itself, so the profile `{PROFILE}` is not in force: choose it there"
        lost.append(loss("not-chosen", "lets-through", message))
    if not literal:
        message = f"a file that is made after a command has started, or lies deeper than {_DEPTH} directories"
        lost.append(loss("scan", "lets-through", message))
    if files.fold_case:
        lost.append(loss("case", "lets-through", "a name in other case, on a volume that does not tell cases apart"))
    message = "the profile widens `:workspace` by nothing; a user's `sandbox_mode` or `--sandbox` switches it off"
    lost.append(loss("switches", "notice", message))
    message = "where the directory of a denied path does not exist, commands cannot make it"
    lost.append(loss("missing-directories", "denies-more", message, (name for name in files.protected if "/" in name)))
    lost += common_losses(follows_links=True, shell="MCP tools, which run outside of the sandbox")
    lines = [
        f"[permissions.{PROFILE}]",
        'extends = ":workspace"',
        "",
        f"[permissions.{PROFILE}.filesystem]",
        f"glob_scan_max_depth = {_DEPTH}",
        "",
        f'[permissions.{PROFILE}.filesystem.":workspace_roots"]',
        *(f'{_key(path)} = "deny"' for path in denied),
        *(f'{_key(path)} = "read"' for path in files.protected),
    ]
    written = with_region(text or "", lines, at_top=() if chosen else (f'default_permissions = "{PROFILE}"',))
    _parsed(written)
    return written, lost


def codex_globs(patterns: Iterable[Parts]) -> list[str]:
    """The globs for patterns, each once: of files that a pattern matches, and of all that lies below."""
    found: dict[str, None] = {}
    for parts in varied(patterns, _WIDEST):
        if parts == EVERYTHING:
            return ["**"]
        names = "/".join("**" if part == DIRECTORIES else "".join(map(_text, part)) for part in parts)
        found[names if set(names) & set("*?[") else _as_glob(names)] = None
        found[f"{names}/**"] = None
    return list(found)


def _as_glob(path: str) -> str:
    """A path as a glob, which may stand beside others for the same place; the path itself may not."""
    last = path[-1]
    return path[:-1] + (f"[{last}]" if last.isascii() and last.isalnum() else "?")


def _is_literal(parts: Parts) -> bool:
    return all(part != DIRECTORIES and not set(_path((part,))) & set(_AS_WILDCARD) for part in parts) and all(
        isinstance(piece, str) for part in parts for piece in part
    )


def _path(parts: Parts) -> str:
    return "/".join("".join(map(_text, part)) for part in parts)


def _text(piece: Piece) -> str:
    if isinstance(piece, Wild):
        return piece.value
    if isinstance(piece, Choice):
        return class_text(piece) or "?"
    return "".join("?" if character in _AS_WILDCARD else character for character in piece)


def _key(text: str) -> str:
    # A JSON text is a basic string of TOML but for the one control character that may stand in it.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _foreign(text: str | None) -> dict[str, object]:
    held = _parsed(without_regions(text or ""))
    profiles = held.get("permissions")
    if isinstance(profiles, dict) and PROFILE in profiles:
        raise Refused(f"it has a profile `{PROFILE}` that is not ours: rename it")
    return held


def _parsed(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"it is no TOML: {str(error).lower()}") from None
