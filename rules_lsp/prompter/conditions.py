"""Whether a rule holds for a call or a completion, as far as no counter and no approval is asked."""

from __future__ import annotations

from rules_lsp.prompter.calls import LookedAt
from rules_lsp.prompter.keys import EXTERNAL
from rules_lsp.prompter.language import share_of_language
from rules_lsp.prompter.model import Rule
from rules_lsp.prompter.store.jobs import JobNames


def may_hold_for_job(rule: Rule, names: JobNames) -> bool:
    """Whether every part holds that the job shows. A rule that cannot be read holds in every job."""
    return rule.is_unreadable or _holds_for_job(rule, names)


def holds_for_call(rule: Rule, call: LookedAt) -> bool:
    """Whether every part holds that the call shows. What cannot be read holds."""
    if rule.needs_command and not call.lines and not call.is_unreadable:
        return False
    if not call.is_target_of(rule):
        return False
    if rule.is_unreadable:
        return True
    condition = rule.condition
    if "external" in condition and bool(call.categories & EXTERNAL) is not condition["external"]:
        return False
    if "command" in condition and not _command_holds(rule, call):
        return False
    return "files" not in condition or call.touches(tuple(condition["files"]))


def holds_for_completion(rule: Rule, text: str, names: JobNames) -> bool:
    """Whether every part holds that the completion and its job show. What cannot be read holds."""
    if rule.broken is not None:
        return True
    if not _holds_for_job(rule, names):
        return False
    language = rule.condition.get("language")
    if language is None:
        return True
    share = share_of_language(text, language["expect"])
    return share is not None and share < language["below"]


def _holds_for_job(rule: Rule, names: JobNames) -> bool:
    condition = rule.condition
    if "pieces" in condition and names.piece not in condition["pieces"]:
        return False
    if "movements" in condition and names.movement not in condition["movements"]:
        return False
    # Roles that nobody states may be any.
    return "role" not in condition or names.roles is None or bool(set(condition["role"]) & set(names.roles))


def _command_holds(rule: Rule, call: LookedAt) -> bool:
    command = rule.condition["command"]
    if "kinds" in command and call.kinds.isdisjoint(command["kinds"]):
        return False
    if rule.expression is None or call.is_unreadable:
        return True
    return any(rule.expression.search(line) for line in call.lines)
