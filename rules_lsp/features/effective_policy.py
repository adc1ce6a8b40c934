"""The rules in force as data: for a program that wants them whole, without what they do to files and tools."""

from __future__ import annotations

from typing import Any

from rules_lsp.policy.decision import policy_as_json
from rules_lsp.policy.model import RuleList
from rules_lsp.policy.policy import Document, Policy


def effective_policy(policy: Policy) -> dict[str, Any]:
    """The policy of one root: where it comes from, what is protected, and every list with the place of each entry.

    Where `refusal` is a text, everything is denied for that reason; where `enabled` of `policy` is false, nothing
    inside the root is.
    """
    source = policy.source
    return {
        "root": policy.root.given,
        "policy": policy_as_json(policy),
        "configuration": policy.config.path,
        "refusal": policy.refusal,
        "knownServers": sorted(policy.known_servers),
        "protected": sorted(policy.protected - policy.unprotected) if policy.enabled else [],
        "systemPromptExtension": policy.rules.system_prompt_extension,
        "lists": [] if source is None else [_list(source, rules) for rules in policy.rules.lists()],
    }


def _list(source: Document, rules: RuleList) -> dict[str, Any]:
    return {
        "list": rules.name,
        "range": source.text.range(rules.span).as_json(),
        "broken": rules.broken,
        "entries": [
            {
                "index": entry.index,
                "pattern": entry.text,
                "range": source.text.range(entry.span).as_json(),
                "broken": entry.broken,
            }
            for entry in rules.entries
        ],
    }
