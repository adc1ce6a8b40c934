"""Rules as they hold: plain data that a snapshot keeps, and what the gate makes of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property

from rules_lsp.policy.shell.patterns import CommandPattern, parse_command_pattern
from rules_lsp.prompter.keys import ALWAYS, BEFORE_COMPLETION, CATEGORIES
from rules_lsp.source.linear_expressions import LinearExpression, parse_linear
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

Data: TypeAlias = "Mapping[str, Any]"


@dataclass(frozen=True)
class Rule:
    """One rule over its data: the keys of the file with their defaults.

    `broken` says why a part of it cannot be read, or is None: what such a rule would hold back is held back.
    """

    data: Data

    @property
    def id(self) -> str:
        """The stable name."""
        return str(self.data["id"])

    @property
    def name(self) -> str:
        """The name for people."""
        return str(self.data["name"])

    @property
    def enabled(self) -> bool:
        """Whether the rule's own switch is on."""
        return self.data["enabled"] is True

    @property
    def when(self) -> str | None:
        """The moment; None where it cannot be read."""
        return self.data["when"] if isinstance(self.data["when"], str) else None

    @property
    def action(self) -> str:
        """What the rule does."""
        return str(self.data["action"])

    @property
    def instruction(self) -> str:
        """What the agent is told; empty where nothing."""
        return str(self.data["instruction"] or "")

    @property
    def broken(self) -> str | None:
        """Why the rule cannot be read, or None."""
        found = self.data["broken"]
        return None if found is None else str(found)

    @cached_property
    def categories(self) -> frozenset[str]:
        """The categories of the target."""
        return frozenset((self.data["target"] or {}).get("categories") or ())

    @cached_property
    def tools(self) -> tuple[str, ...]:
        """The tool patterns of the target."""
        return tuple((self.data["target"] or {}).get("tools") or ())

    @cached_property
    def has_target(self) -> bool:
        """Whether the rule is about some tools only."""
        return self.data["target"] is not None

    @cached_property
    def unsupported_category(self) -> str | None:
        """A category that cannot be judged here, or None: it is reserved, or of another version."""
        return next((name for name in sorted(self.categories) if name not in CATEGORIES), None)

    @cached_property
    def is_unreadable(self) -> bool:
        """Whether the rule holds back whatever it might be about: it is broken, or of a category that nobody judges."""
        return self.broken is not None or self.unsupported_category is not None

    @cached_property
    def needs_command(self) -> bool:
        """Whether the rule holds for calls alone that run a command line."""
        return not self.is_unreadable and "command" in self.condition

    @cached_property
    def condition(self) -> Data:
        """The parts of the condition by their key; empty where there is none."""
        return self.data["condition"] or {}

    @cached_property
    def is_shadow(self) -> bool:
        """Whether a judge of texts is to be heard, which never changes a decision."""
        return "text" in self.condition

    @property
    def limit(self) -> Data:
        """The keys of the limit; empty where there is none."""
        return self.data["limit"] or {}

    @cached_property
    def expression(self) -> LinearExpression | None:
        """What a command must match, or None."""
        text = (self.condition.get("command") or {}).get("matches")
        found = None if text is None else parse_linear(text)
        return found if isinstance(found, LinearExpression) else None

    @cached_property
    def version(self) -> str:
        """A digest that changes with everything that the rule says."""
        return digest(self.data)[:16]


@dataclass(frozen=True)
class RuleSet:
    """The rules of one file. `refusal` says why it cannot be read: every call is denied then; else it is None."""

    enabled: bool = True
    rules: tuple[Rule, ...] = ()
    dangerous: tuple[CommandPattern, ...] = ()
    refusal: str | None = None

    @cached_property
    def active(self) -> tuple[Rule, ...]:
        """The rules whose switches are on, in the order of the file."""
        return tuple(rule for rule in self.rules if rule.enabled) if self.enabled else ()

    @cached_property
    def before_tools(self) -> tuple[Rule, ...]:
        """The rules that may have a say before tools run: those whose moment cannot be read too."""
        return tuple(rule for rule in self.active if rule.when not in (ALWAYS, BEFORE_COMPLETION))

    @cached_property
    def preamble(self) -> str:
        """The instructions that hold always, in the order of the file, with an empty line between."""
        texts = [rule.instruction.strip() for rule in self.active if rule.when == ALWAYS and rule.broken is None]
        return "\n\n".join(text for text in texts if text)

    @cached_property
    def file_patterns(self) -> tuple[str, ...]:
        """The patterns of all rules' conditions."""
        return tuple(dict.fromkeys(text for rule in self.rules for text in rule.condition.get("files", ())))

    def as_data(self) -> dict[str, Any]:
        """What a snapshot keeps."""
        return {
            "enabled": self.enabled,
            "rules": [dict(rule.data) for rule in self.rules],
            "dangerous": [pattern.text for pattern in self.dangerous],
            "refusal": self.refusal,
            "preamble": self.preamble,
        }


def rule_set_of(data: Data) -> RuleSet:
    """The rules of a snapshot."""
    patterns = (parse_command_pattern(text) for text in data["dangerous"])
    return RuleSet(
        data["enabled"] is True,
        tuple(Rule(each) for each in data["rules"]),
        tuple(each for each in patterns if isinstance(each, CommandPattern)),
        data["refusal"],
    )


def rules_as_json(rules: RuleSet) -> list[dict[str, Any]]:
    """Every rule for people, those that are switched off too."""
    return [
        {
            "id": rule.id,
            "name": rule.name,
            "enabled": rule.enabled and rules.enabled,
            "when": rule.when,
            "action": rule.action,
            "version": rule.version,
            **({"broken": rule.broken} if rule.broken is not None else {}),
        }
        for rule in rules.rules
    ]


def canonical(value: object) -> str:
    """JSON of one spelling: keys sorted, no blanks, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=repr)


def digest(value: object) -> str:
    """The SHA-256 of a value's canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()


def fingerprint(task: str, piece: str, movement: str, rule: Rule, tool: str, arguments: object) -> str:
    """What an approval is bound to. The job is no part of it."""
    parts: Sequence[object] = (task, piece, movement, rule.id, rule.version, tool, arguments)
    return digest(parts)
