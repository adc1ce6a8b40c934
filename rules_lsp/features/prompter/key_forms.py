"""The keys that may stand at a place of the rules, each with what belongs behind it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rules_lsp.features.completion_place import Proposal, Topic
from rules_lsp.prompter import keys as words
from rules_lsp.schemas import Step, keys

_BLOCKS: dict[tuple[str, ...], tuple[str, str]] = {
    ("rules",): ("\n  - $0", ""),
    ("x-dangerous",): ("\n  - $0", ""),
    ("rules", "target"): ("\n  categories:\n    - $0", ""),
    ("rules", "target", "categories"): ("\n  - $0", ""),
    ("rules", "target", "tools"): ("\n  - $0", ""),
    ("rules", "condition"): ("\n  $0", ""),
    ("rules", "condition", "command"): ("\n  kinds:\n    - $0", ""),
    ("rules", "condition", "command", "kinds"): ("\n  - $0", ""),
    ("rules", "condition", "command", "matches"): (" '$0'", " "),
    ("rules", "condition", "files"): ("\n  - $0", ""),
    ("rules", "condition", "pieces"): ("\n  - $0", ""),
    ("rules", "condition", "movements"): ("\n  - $0", ""),
    ("rules", "condition", "role"): ("\n  - $0", ""),
    ("rules", "condition", "language"): ("\n  expect: $1\n  below: 0.5$0", ""),
    ("rules", "condition", "fired"): ("\n  at_least: 2$0", ""),
    ("rules", "limit"): ("\n  fires: 1$1\n  per: task$0", ""),
}
"""What stands behind the colon of a key that holds others or a list: with tab stops, and without."""
_FLOWS: dict[tuple[str, ...], str] = {
    ("rules", "target"): "{categories: [$0]}",
    ("rules", "condition"): "{$0}",
    ("rules", "condition", "command"): "{kinds: [$0]}",
    ("rules", "condition", "language"): "{expect: $1, below: 0.5$0}",
    ("rules", "condition", "fired"): "{at_least: 2$0}",
    ("rules", "limit"): "{fires: 1$1, per: task$0}",
}
_DEFAULTS = {("version",): "1", ("enabled",): "true", ("rules", "condition", "judge"): "shadow"}
_NOT_FOR_COMPLETIONS = frozenset({"command", "files", "external", "approved"})


def key_proposals(
    path: tuple[str, ...], *, item: bool, present: Collection[str], colon: bool, flow: bool, when: str, action: str
) -> Iterator[Proposal]:
    """The keys that may stand at a place, those of its mapping last; `when` and `action` are the rule's, or empty."""
    below: tuple[Step, ...] = (*path, 0) if item else path
    for name in keys("auto-prompter", *below):
        listed = name in present
        if not listed and not _is_legal(path, name, when, action):
            continue
        snippet, written = (None, None) if colon else _forms((*path, name), flow)
        detail = "already written" if listed else None
        topic = Topic("key", ".".join((*path, name)))
        yield Proposal(name, name, "key", detail, topic, listed=listed, snippet=snippet, written=written)


def _is_legal(path: tuple[str, ...], name: str, when: str, action: str) -> bool:
    """Whether a key can stand in a rule of that moment and action."""
    if path == ("rules",):
        if when == words.ALWAYS and name in ("target", "condition", "limit"):
            return False
        return not (when == words.BEFORE_COMPLETION and name == "target") and not (
            action == words.DENY and name == "limit"
        )
    if path == ("rules", "condition"):
        if when == words.BEFORE_COMPLETION and name in _NOT_FOR_COMPLETIONS:
            return False
        return not (when == words.BEFORE_TOOL and name == "language")
    return name != "repeat_after_denial" or action in ("", words.APPROVE)


def _forms(path: tuple[str, ...], flow: bool) -> tuple[str, str]:
    """A key with what belongs behind it: with tab stops, and without."""
    name = path[-1]
    if path in _DEFAULTS:
        return f"{name}: {_DEFAULTS[path]}$0", f"{name}: {_DEFAULTS[path]}"
    if path not in _BLOCKS:
        return f"{name}: $0", f"{name}: "
    block, plain = _BLOCKS[path]
    if not flow:
        return f"{name}:{block}", f"{name}:{plain}"
    inner = _FLOWS.get(path) or ("'$0'" if "'" in block else "[$0]")
    return f"{name}: {inner}", f"{name}: "
