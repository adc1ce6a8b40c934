"""Which of the known tools, and which files, a rule is about."""

from __future__ import annotations

from rules_lsp.features.completion_tools import BUILT_IN_TOOLS
from rules_lsp.features.view import View
from rules_lsp.policy.model import Entry, ListName
from rules_lsp.prompter.categories import categories_of, is_targeted
from rules_lsp.prompter.keys import BEFORE_TOOL, EXTERNAL
from rules_lsp.prompter.model import Rule
from rules_lsp.source.text import Span

FILES_LIST: ListName = "file_patterns.include"
"""The list whose patterns are read as those of `condition.files`."""


def known_tools(view: View) -> tuple[str, ...]:
    """The names of the tools that servers told of, and of those that agents bring along."""
    catalogue = view.subject.catalogue
    told = tuple(name for name, _ in catalogue.all_known()) if catalogue is not None else ()
    return (*told, *(name for name in BUILT_IN_TOOLS if name not in told))


def tools_of(view: View, rule: Rule) -> tuple[str, ...] | None:
    """The known tools of which a call may be matched by a rule; None for a rule that is about no tool.

    What a call's arguments add is not known here: a command line, a path.
    """
    if rule.when != BEFORE_TOOL or rule.unsupported_category is not None:
        return None
    return tuple(name for name in known_tools(view) if _may_match(view, rule, name))


def tools_of_category(view: View, category: str) -> tuple[str, ...]:
    """The known tools of a category, whatever their arguments."""
    return tuple(name for name in known_tools(view) if category in _categories(view, name))


def tools_of_pattern(view: View, pattern: str) -> tuple[str, ...]:
    """The known tools that an entry of `target.tools` matches."""
    return tuple(name for name in known_tools(view) if is_targeted(name, (pattern,)))


def files_of(view: View, patterns: tuple[str, ...]) -> tuple[str, ...] | None:
    """The files of the project that one of some patterns covers, sorted; None where they are not known."""
    counts = view.file_counts
    if counts is None:
        return None
    found = {path for text in patterns for path in counts.files_of(Entry(text, Span(0, 0), FILES_LIST, 0))}
    return tuple(sorted(found))


def _may_match(view: View, rule: Rule, name: str) -> bool:
    categories = _categories(view, name)
    if rule.has_target and not (rule.categories & categories or is_targeted(name, rule.tools)):
        return False
    if "external" in rule.condition and bool(categories & EXTERNAL) is not rule.condition["external"]:
        return False
    return "command" not in rule.condition or "command_execution" in categories


def _categories(view: View, name: str) -> frozenset[str]:
    return categories_of(name, frozenset(), None, view.policy.known_servers)
