"""Whether one rule of Auto Prompter holds wherever another one does: proved, or nothing is said."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rules_lsp.checks.common.tool_cover import DenyingCover
from rules_lsp.policy.patterns.proofs import covered_entries
from rules_lsp.policy.tools.entries import denied_patterns, host_patterns
from rules_lsp.policy.tools.names import Reading
from rules_lsp.prompter.keys import BEFORE_TOOL, DENY, EXTERNAL

if TYPE_CHECKING:
    from rules_lsp.prompter.model import Rule

Roots = tuple[str, ...]
_STATED = ("fired", "approved", "text", "judge")
"""The parts of a condition that nothing but the store or a judge can answer."""


def may_cover(rule: Rule) -> bool:
    """Whether a rule denies a call for what the call and its job show, whatever happened before."""
    return rule.when == BEFORE_TOOL and rule.action == DENY and not any(part in rule.condition for part in _STATED)


def covers(wide: Rule, narrow: Rule, roots: Roots) -> bool:
    """Whether `wide` certainly holds for each call for which `narrow` does; globs are looked at last."""
    return (
        all(part in narrow.condition or part == "external" for part in wide.condition)
        and _targets(wide, narrow)
        and all(_lists(wide.condition, narrow.condition, part) for part in ("pieces", "movements", "role"))
        and _external(wide, narrow)
        and _command(wide.condition.get("command"), narrow.condition.get("command"))
        and _files(tuple(wide.condition.get("files", ())), tuple(narrow.condition.get("files", ())), roots)
    )


def _targets(wide: Rule, narrow: Rule) -> bool:
    if not wide.has_target:
        return True
    # What a condition asks for may already put the call into a category.
    if "command" in narrow.condition and "command_execution" in wide.categories:
        return True
    if narrow.condition.get("external") is True and wide.categories >= EXTERNAL:
        return True
    if not narrow.has_target or not narrow.categories <= wide.categories:
        return False
    missing = tuple(tool for tool in narrow.tools if tool not in wide.tools)
    return not missing or (bool(wide.tools) and _tools_covered(wide.tools, missing))


@lru_cache(maxsize=1024)
def _tools_covered(wide: tuple[str, ...], narrow: tuple[str, ...]) -> bool:
    cover = DenyingCover(wide, _readings)
    return all(cover.of_all(_readings(tool)) for tool in narrow)


def _readings(tool: str) -> tuple[Reading, ...]:
    return (*denied_patterns(tool), *host_patterns(tool))


def _lists(wide: Any, narrow: Any, part: str) -> bool:
    return part not in wide or set(narrow[part]) <= set(wide[part])


def _external(wide: Rule, narrow: Rule) -> bool:
    asked = wide.condition.get("external")
    if asked is None or asked == narrow.condition.get("external"):
        return True
    only_external = narrow.has_target and not narrow.tools and narrow.categories <= EXTERNAL
    return asked is True and "external" not in narrow.condition and only_external


def _command(wide: Any, narrow: Any) -> bool:
    if wide is None:
        return True
    if "kinds" in wide and not ("kinds" in narrow and set(narrow["kinds"]) <= set(wide["kinds"])):
        return False
    return "matches" not in wide or wide["matches"] == narrow.get("matches")


@lru_cache(maxsize=1024)
def _files(wide: tuple[str, ...], narrow: tuple[str, ...], roots: Roots) -> bool:
    """The patterns of a rule are read as excludes: in every case that a volume may take for the same."""
    if not wide:
        return True
    for pattern in narrow:
        if pattern not in wide:
            proved = covered_entries((*wide, pattern), "file_patterns.exclude", roots)
            if len(wide) not in (position for position, _ in proved):
                return False
    return True
