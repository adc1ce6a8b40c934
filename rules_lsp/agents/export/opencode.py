"""opencode: `permission` of `opencode.json`. Of its rules the last one that matches decides.

Its wildcards know no names: `*` is any run of characters, `/` included, `?` any one, and nothing can be escaped.
Paths are those from the top of the Git work tree.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

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
from rules_lsp.agents.export.losses import Loss, allow_lists, common_losses, loss
from rules_lsp.agents.export.tools import DeniedTools, denied_tools, host_name
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.tools.patterns import is_wild

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rules_lsp.workspace.catalogue import Catalogue

TOP = "permission"
ALL = "**"
"""A key for everything that is not `*`, which is the one that people write."""
_WIDEST = 2
_MOST_FORMS = 3
_BY_PATTERNS = {"edit": "edit", "read": "read", "write": "edit", "patch": "edit", "apply_patch": "edit"}


def opencode(
    policy: Policy, catalogue: Catalogue, current: Mapping[str, Any]
) -> tuple[dict[tuple[str, ...], str], Iterable[Loss]]:
    """The members below `permission`, and what is lost. `current` is what the file holds now."""
    files = denied_files(policy)
    at_top = os.path.lexists(os.path.join(policy.root.real, ".git"))
    excluded = opencode_patterns(files.patterns, at_top=at_top)
    protected = opencode_patterns(map(literal_parts, files.protected), at_top=at_top)
    members: dict[tuple[str, ...], str] = {(TOP, "edit", pattern): "deny" for pattern in (*excluded, *protected)}
    members |= {(TOP, "read", pattern): "deny" for pattern in excluded}
    tools = denied_tools(policy, catalogue)
    named, lost = _tool_members(tools, current)
    members |= named
    lost = [*allow_lists(policy), *files.losses, *wider_characters(files, _WIDEST), *tools.losses, *lost]
    if any(_crosses(parts) for parts in files.patterns):
        lost.append(loss("wildcards", "denies-more", "`*`, `?` and classes also take what lies in directories below"))
    if not at_top and (excluded or protected):
        message = "the project is not the top of a Git work tree: anchored patterns are denied at every depth"
        lost.append(loss("anchors", "denies-more", message))
    if files.fold_case and files.patterns:
        lost.append(loss("case", "lets-through", "a name in other case, on a volume that does not tell cases apart"))
    overruling = _wildcards_behind(current.get(TOP))
    if overruling:
        message = "in `permission` these keys stand behind `edit` or `read` and go before them: move them to the front"
        lost.append(loss("overruled", "lets-through", message, overruling))
    lost += common_losses(
        follows_links=False, shell="commands of the shell, the arguments of MCP tools, and what `grep` shows"
    )
    lost.append(loss("agents", "notice", "an agent's own `permission` goes before this one"))
    return members, lost


def opencode_patterns(patterns: Iterable[Parts], *, at_top: bool) -> list[str]:
    """The wildcard patterns for patterns, each once, and for what lies below what they match."""
    found: dict[str, None] = {}
    for parts in varied(patterns, _WIDEST):
        if parts == EVERYTHING:
            return [ALL]
        for text in _forms(parts if at_top or parts[0] == DIRECTORIES else (DIRECTORIES, *parts)):
            # JavaScript puts keys that are numbers in front of all others; `~` and `$HOME` are expanded.
            text = f"?{text[1:]}" if text[0] in "~$" or text.isdigit() else text
            found[text] = None
            found[f"{text}/*"] = None
    return list(found)


def _forms(parts: Parts) -> Iterator[str]:
    """Each `**` as nothing and as something between slashes; where there are many, as anything at all."""
    wild = parts.count(DIRECTORIES)
    for choice in product(("", "*/"), repeat=wild) if wild <= _MOST_FORMS else [("*",) * wild]:
        left = iter(choice)
        text = "".join(next(left) if part == DIRECTORIES else "".join(map(_text, part)) + "/" for part in parts)
        yield text.removesuffix("/")


def _text(piece: Piece) -> str:
    if isinstance(piece, Wild):
        return piece.value
    if isinstance(piece, Choice):
        return "?"
    return "".join("?" if character in "*?\\" else character for character in piece)


def _crosses(parts: Parts) -> bool:
    return any(not isinstance(piece, str) for part in parts for piece in part)


def _tool_members(tools: DeniedTools, current: Mapping[str, Any]) -> tuple[dict[tuple[str, ...], str], list[Loss]]:
    members: dict[tuple[str, ...], str] = {}
    shared: list[str] = []
    for each in tools.denied:
        if each.server is not None:
            name = f"{_wild_name(each.server)}_{_wild_name(each.tool)}"
        elif each.tool == "*":
            name = "*"
        elif _BY_PATTERNS.get(each.tool.lower(), each.tool.lower()) != each.tool.lower():
            shared.append(each.entry)
            continue
        else:
            name = each.tool.lower() if not is_wild(each.tool) else each.tool
        held = current.get(TOP)
        is_object = isinstance(held, Mapping) and isinstance(held.get(name), Mapping)
        members[(TOP, name, ALL) if name in _BY_PATTERNS or is_object else (TOP, name)] = "deny"
    message = "opencode has one permission, `edit`, for all tools that write: none of them can be denied alone"
    return members, [loss("shared-permission", "lets-through", message, shared)] if shared else []


def _wildcards_behind(held: object) -> list[str]:
    """The keys with wildcards behind the first of the permissions that we write patterns for, but for denied ones."""
    if not isinstance(held, Mapping):
        return []
    keys = list(held)
    first = min((keys.index(name) for name in ("edit", "read") if name in held), default=len(keys))
    return [key for key in keys[first:] if is_wild(key) and held[key] != "deny"]


def _wild_name(text: str) -> str:
    return "".join(character if character in "*?" else host_name(character) for character in text)
