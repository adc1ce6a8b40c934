"""A decision told to a person, in plain text and in Markdown: every sentence of it is the engine's own."""

from __future__ import annotations

from typing import Any

from rules_lsp.features.markup import code, sentence
from rules_lsp.policy.decision import Decision, FileDecision, RuleReference
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.requests import shown
from rules_lsp.source.text import Encoding


def explained_as_json(decision: Decision, encoding: Encoding = "utf-16") -> dict[str, Any]:
    """The whole answer object and, under `weighed`, the steps in the order in which they were taken."""
    return {
        **decision.as_json(encoding),
        "weighed": [
            {
                "effect": step.effect,
                "sentence": step.sentence,
                "rule": step.rule.as_json(encoding) if step.rule is not None else None,
            }
            for step in decision.weighed
        ],
    }


def explained_in_text(decision: Decision, asked_for: str = "") -> list[str]:
    """The decision as lines; a place is `name:line:column`, base 1, in characters.

    `asked_for` is what was asked about, for a decision that names none since it refuses the name itself.
    """
    policy = decision.policy
    verb, name = _asked(decision)
    asked = f"{verb} {shown(name or asked_for)}".rstrip()
    lines = [f"{_verdict(decision)}: {asked}", f"  {decision.reason} ({decision.code})", "weighed:"]
    places = [place_of(policy, step.rule) if step.rule is not None else "" for step in decision.weighed]
    width = max((len(place) for place in places), default=0)
    for step, place in zip(decision.weighed, places, strict=True):
        lines.append(
            f"  {step.effect:6}  {place:{width}}  {step.sentence}" if width else f"  {step.effect:6}  {step.sentence}"
        )
    lines.append(f"rules: {source_of(policy)}")
    return lines + [f"warning: {error.message}" for error in policy.errors]


def explained_in_markdown(decision: Decision, asked_for: str = "") -> str:
    """The decision as Markdown, each rule a link to its line; `asked_for` as in `explained_in_text`."""
    policy = decision.policy
    verb, name = _asked(decision)
    name = name or asked_for
    asked = f"{verb} {code(name)}" if name else verb
    lines = [f"**{_verdict(decision)}**: {asked}", "", f"{sentence(decision.reason)} ({decision.code})", ""]
    for number, step in enumerate(decision.weighed, 1):
        place = f" ({_link(policy, step.rule)})" if step.rule is not None else ""
        lines.append(f"{number}. {step.effect}: {sentence(step.sentence)}{place}")
    lines += ["", f"rules: {sentence(source_of(policy))}"]
    for error in policy.errors:
        lines += ["", f"warning: {sentence(error.message)}"]
    return "\n".join(lines) + "\n"


def place_of(policy: Policy, rule: RuleReference) -> str:
    """Where a rule stands: `name:line:column`, base 1, in characters; the name is root-relative where it can be."""
    start = rule.document.text.position(rule.span.start, "utf-32")
    name = policy.root.relative(rule.document.path) or rule.document.path
    return f"{name}:{start.line + 1}:{start.character + 1}"


def source_of(policy: Policy) -> str:
    """Which file the rules in force come from."""
    if policy.source is None:
        return "none: the project has no rule file"
    name = policy.root.relative(policy.source.path) or policy.source.path
    return name if policy.enabled else f"{name} (switched off)"


def _verdict(decision: Decision) -> str:
    return "allowed" if decision.allowed else "denied"


def _asked(decision: Decision) -> tuple[str, str]:
    """What was to be done, and to which file or tool."""
    if isinstance(decision, FileDecision):
        return decision.operation, decision.path or ""
    return "call", decision.tool or ""


def _link(policy: Policy, rule: RuleReference) -> str:
    line = rule.document.text.line_of(rule.span.start) + 1
    return f"[{sentence(place_of(policy, rule))}]({rule.document.uri}#L{line})"
