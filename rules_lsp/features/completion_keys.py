"""Keys with what belongs behind them, the sections of a Markdown file, and the values of a configuration."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rules_lsp.features.completion_place import Proposal, Topic
from rules_lsp.policy.markdown.headings import SECTION_NAMES
from rules_lsp.schemas import SchemaName, Step, choices, keys

_LISTS = frozenset({"allowed_tools", "denied_tools", "include", "exclude", "rule_files", "read_roots", "x-unprotected"})
_MAPPINGS = frozenset({"project_agent_rules", "default_rules"})
_SECTION_KEYS: dict[str, str] = {
    "Allowed Tools": "allowed_tools",
    "Denied Tools": "denied_tools",
    "File Patterns": "file_patterns",
    "Include": "file_patterns.include",
    "Exclude": "file_patterns.exclude",
}
SIDES = ("Include", "Exclude")
BOOLEANS = ("true", "false")


def key_proposals(
    schema: SchemaName, path: tuple[str, ...], *, item: bool, present: Collection[str], colon: bool, flow: bool
) -> Iterator[Proposal]:
    """The keys that may stand at a place; `present` are those of its mapping, `colon` tells that one follows."""
    below: tuple[Step, ...] = (*path, 0) if item else path
    for name in keys(schema, *below):
        listed = name in present
        topic = Topic("key", ".".join((*path, name)))
        snippet, plain = (None, None) if colon else _forms(name, flow)
        detail = "already written" if listed else None
        yield Proposal(name, name, "key", detail, topic, listed=listed, snippet=snippet, written=plain)


def value_proposals(path: tuple[str, ...]) -> Iterator[Proposal]:
    """The values of a key of a configuration that has a few."""
    key = ".".join(path)
    found = tuple(choices("config", *path))
    if not found and path in (("project_agent_rules", "enabled"), ("project_agent_rules", "protect_rule_files")):
        found = BOOLEANS
    for value in found:
        yield Proposal(value, value, "value", None, Topic("value", f"{key}={value}"))


def heading_proposals(present: Collection[str], *, sides: bool) -> Iterator[Proposal]:
    """The headings that mean something; those of `File Patterns` first where the heading stands in it."""
    for name in (*(SIDES if sides else ()), *SECTION_NAMES):
        listed = name in present
        detail = "already in this file" if listed else None
        yield Proposal(name, name, "section", detail, Topic("section", _SECTION_KEYS[name]), listed=listed)


def section_skeletons(present: Collection[str], level: int) -> Iterator[Proposal]:
    """Whole sections with an empty list, for an empty line outside of lists."""
    for name in SECTION_NAMES:
        if name not in present:
            yield _skeleton(name, level)


def side_skeletons(level: int, present: Collection[str]) -> Iterator[Proposal]:
    """The lists of `File Patterns` that are not there."""
    yield from (_skeleton(name, level) for name in SIDES if name not in present)


def _skeleton(name: str, level: int) -> Proposal:
    heading = f"{'#' * min(level, 6)} {name}"
    topic = Topic("section", _SECTION_KEYS[name])
    below = f"{'#' * min(level + 1, 6)} "
    both = f"{below}Include\n\n- `$1`\n\n{below}Exclude\n\n"
    snippet = f"{heading}\n\n{both if name == 'File Patterns' else ''}- `$0`"
    return Proposal(heading, heading, "skeleton", "a section with a list", topic, snippet=snippet, written=heading)


def _forms(name: str, flow: bool) -> tuple[str, str]:
    """A key with what belongs behind it: with tab stops, and without."""
    plain = f"{name}: "
    if name in _LISTS:
        return (f"{name}: [$0]" if flow else f"{name}:\n  - $0"), plain if flow else f"{name}:"
    if name == "file_patterns":
        block = f"{name}:\n  include:\n    - $1\n  exclude:\n    - $0"
        return (f"{name}: {{$0}}" if flow else block), plain if flow else f"{name}:"
    if name == "system_prompt_extension" and not flow:
        return f"{name}: |\n  $0", f"{name}: |"
    if name in _MAPPINGS:
        return (f"{name}: {{$0}}" if flow else f"{name}:\n  $0"), plain if flow else f"{name}:"
    if name == "x-tool-paths" and not flow:
        return f"{name}:\n  $1:\n    - $0", f"{name}:"
    if name == "path_map" and not flow:
        return f"{name}:\n  - from: $1\n    to: $0", f"{name}:"
    return f"{name}: $0", plain
