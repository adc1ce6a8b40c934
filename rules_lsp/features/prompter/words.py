"""Rules in words: what one would do, when it is looked at, what a regular expression finds."""

from __future__ import annotations

import time

from rules_lsp.features.markup import code
from rules_lsp.features.numbers import amount
from rules_lsp.prompter import keys
from rules_lsp.prompter.model import Rule
from rules_lsp.source.expressions import expression
from rules_lsp.source.linear_expressions import LinearExpression, parse_linear

_WOULD = {
    (keys.ALWAYS, keys.INJECT): "its instruction joins the preamble of every job, once",
    (keys.BEFORE_TOOL, keys.AUDIT): "a call that it matches is written to the audit, and nothing is changed",
    (keys.BEFORE_TOOL, keys.INJECT): (
        "one call that it matches holds back all calls of the message, and the agent is told the instruction"
    ),
    (keys.BEFORE_TOOL, keys.DENY): "a call that it matches is denied; other calls of the message run",
    (keys.BEFORE_TOOL, keys.APPROVE): (
        "one call that it matches holds back all calls of the message until a person approves it"
    ),
    (
        keys.BEFORE_COMPLETION,
        keys.AUDIT,
    ): "a completion that it matches is written to the audit, and nothing is changed",
    (keys.BEFORE_COMPLETION, keys.INJECT): (
        "a completion that it matches is not accepted, and the agent is told the instruction"
    ),
    (keys.BEFORE_COMPLETION, keys.DENY): "a completion that it matches is not accepted",
}
_SPENT = {
    keys.APPROVE: "a call beyond that is denied",
    keys.INJECT: "beyond that it is silent",
    keys.AUDIT: "beyond that it is silent",
}
_LITERAL = expression(r"(?:[A-Za-z0-9_ /=:,-]|\\[^A-Za-z0-9])+\Z")
_ESCAPE = expression(r"\\(.)")
_EDGES = (("\\b", "\\b"), ("^", "$"), ("^", ""), ("", "$"), ("", ""))
_FOUND = {
    ("\\b", "\\b"): "the word",
    ("^", "$"): "a line that is exactly",
    ("^", ""): "a line that begins with",
    ("", "$"): "a line that ends in",
    ("", ""): "the text",
}


def would_do(rule: Rule) -> str:
    """What becomes of what a rule matches, as a sentence."""
    if rule.broken is not None:
        return f"it cannot be read, and what it may hold back is denied: {rule.broken}"
    if rule.is_shadow:
        return "a judge's verdict is written to the audit, and nothing is changed"
    return _WOULD.get((rule.when or "", rule.action), "it cannot be read, and what it may hold back is denied")


def limit_in_words(rule: Rule) -> str | None:
    """How often a rule acts at most and what follows then; None where nothing bounds it."""
    limit = rule.limit
    parts: list[str] = []
    if "fires" in limit:
        parts.append(f"at most {amount(limit['fires'], 'time')} in a {limit.get('per', 'task')}")
    if limit.get("cooldown_seconds"):
        parts.append(f"{amount(limit['cooldown_seconds'], 'second')} between two times")
    if not parts:
        return None
    return f"{', '.join(parts)}; {_SPENT.get(rule.action, 'beyond that it is silent')}"


def expression_in_words(text: str) -> str:
    """What a regular expression finds, or why it is refused, as Markdown."""
    found = parse_linear(text)
    if not isinstance(found, LinearExpression):
        return f"{code(text)} {found}"
    meant = _simple(text)
    told = f"it finds {meant} in a command line" if meant is not None else "it is searched for in each command line"
    return f"{told}; it takes time in proportion to the line, whatever stands there"


def moment(seconds: float) -> str:
    """A time in UTC, to the minute."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))


def _simple(text: str) -> str | None:
    """An expression that is a few literal texts between two edges; None for every other one."""
    for first, last in _EDGES:
        if not (text.startswith(first) and text.endswith(last) and len(text) > len(first) + len(last)):
            continue
        inner = text[len(first) : len(text) - len(last)]
        if first and inner.startswith("(?:") and inner.endswith(")"):
            inner = inner[3:-1]
        elif first and "|" in inner:
            return None
        choices = inner.split("|")
        if all(_LITERAL.match(each) for each in choices):
            named = " or ".join(code(_ESCAPE.sub(r"\1", each)) for each in choices)
            return f"{_FOUND[first, last]} {named}"
    return None
