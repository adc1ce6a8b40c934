"""One rule of the list, every part read or reported."""

from __future__ import annotations

from collections.abc import Callable

from rules_lsp.policy.entries import checked_entry
from rules_lsp.policy.yaml.lists import first_line
from rules_lsp.prompter import keys
from rules_lsp.prompter.model import Rule
from rules_lsp.prompter.reading_condition import read_condition
from rules_lsp.prompter.values import Reader, Report, Wrong, first_key_of, place_of
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ID = expression(r"[a-z0-9-]+\Z")


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule, and where its `id` stands."""

    rule: Rule
    id_span: Span | None


def read_rule(node: Node, index: int, report: Report) -> FoundRule:
    """The rule of a node; one without a readable `id` is called by its place in the list."""
    return _RuleReader(index, report).read(node)


class _RuleReader:
    def __init__(self, index: int, report: Report) -> None:
        self._reader = Reader(report)
        self._values: dict[str, Any] = {
            "id": f"rule {index + 1}",
            "name": "",
            "enabled": True,
            "when": None,
            "target": None,
            "condition": None,
            "action": keys.DENY,
            "instruction": None,
            "limit": None,
            "broken": None,
        }
        self._spans: dict[str, Span] = {}
        self._id_span: Span | None = None

    def read(self, node: Node) -> FoundRule:
        try:
            for key, value in self._reader.pairs(node, "a rule", keys.RULE):
                self._spans[key.value] = key.span
                self._guarded(key.value, value)
        except Wrong as wrong:
            self._break(wrong)
        if isinstance(resolve(node), Mapping):
            self._required(node)
        if self._values["broken"] is None:
            self._together(node)
        self._values["name"] = self._values["name"] or self._values["id"]
        return FoundRule(Rule(self._values), self._id_span)

    def _guarded(self, key: str, value: Node) -> None:
        try:
            self._values[key] = _READERS[key](self, value)
        except Wrong as wrong:
            self._break(wrong)

    def _break(self, wrong: Wrong) -> None:
        self._values["broken"] = self._values["broken"] or str(wrong)

    def _required(self, node: Node) -> None:
        start = first_key_of(node)
        for key in ("id", "when", "action"):
            if key not in self._spans:
                self._break(self._reader.refuse("missing-key", f"`{key}` is missing in this rule", start))

    def id(self, node: Node) -> str:
        text = self._reader.text(node, "`id`")
        if not _ID.match(text):
            message = f"the id `{first_line(text)}` may hold small letters, digits and `-` only"
            raise self._reader.refuse("wrong-type", message, node.token)
        scalar = resolve(node)
        self._id_span = scalar.span if isinstance(scalar, Scalar) else None
        return text

    def name(self, node: Node) -> str:
        return self._reader.text(node, "`name`")

    def enabled(self, node: Node) -> bool:
        return self._reader.switch(node, "`enabled`")

    def when(self, node: Node) -> str:
        text = self._reader.text(node, "`when`")
        if text in keys.OBSERVED:
            message = f"`{text}` is observed in the audit only and takes no rule: use `{keys.BEFORE_TOOL}`"
            raise self._reader.refuse("illegal-action", message, place_of(node))
        return self._reader.choice(node, "`when`", keys.ACTIONS)

    def action(self, node: Node) -> str:
        text = self._reader.text(node, "`action`")
        if text in keys.REFUSED_ACTIONS:
            message = f"`{text}` is refused: {keys.REFUSED_ACTIONS[text]}"
            raise self._reader.refuse("refused-action", message, place_of(node))
        return self._reader.choice(node, "`action`", keys.ACTIONS[keys.BEFORE_TOOL])

    def instruction(self, node: Node) -> str:
        return self._reader.text(node, "`instruction`")

    def target(self, node: Node) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in self._reader.pairs(node, "`target`", keys.TARGET):
            if key.value == "categories":
                placed = self._reader.placed_texts(value, "`categories`")
                for text, span in placed:
                    if text in keys.RESERVED_CATEGORIES:
                        message = f"the category `{text}` is reserved and cannot be used yet: use `command.kinds`"
                        raise self._reader.refuse("reserved-category", message, span)
                    if text not in keys.CATEGORIES:
                        raise self._reader.unknown(
                            f"there is no category `{first_line(text)}`", text, span, keys.CATEGORIES
                        )
                found["categories"] = [text for text, _ in placed]
            else:
                placed = self._reader.placed_texts(value, "`tools`")
                for index, (text, span) in enumerate(placed):
                    _, problem = checked_entry(text, span, "denied_tools", index)
                    if problem is not None:
                        raise self._reader.refuse(problem.code, problem.message, span)
                found["tools"] = [text for text, _ in placed]
        if not found:
            message = "`target` names nothing: write `categories` or `tools`, or remove the key for every tool"
            raise self._reader.refuse("wrong-type", message, node.token)
        return found

    def condition(self, node: Node) -> dict[str, Any]:
        return read_condition(node, self._reader)

    def limit(self, node: Node) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in self._reader.pairs(node, "`limit`", keys.LIMIT):
            if key.value == "per":
                found["per"] = self._reader.choice(value, "`per`", keys.PERIODS)
            else:
                found[key.value] = self._reader.integer(value, f"`{key.value}`", 1 if key.value == "fires" else 0)
        return found

    def _together(self, node: Node) -> None:
        """What single keys cannot show: each moment has its own actions and keys."""
        values = self._values
        when, action, limit = values["when"], values["action"], values["limit"] or {}
        try:
            if action not in keys.ACTIONS[when]:
                known = " or ".join(f"`{name}`" for name in keys.ACTIONS[when])
                message = f"`{action}` is no action for `{when}`: use {known}"
                raise self._reader.refuse("illegal-action", message, self._spans["action"])
            unused = self._unused(when)
            if unused is not None:
                key, message = unused
                raise self._reader.refuse("illegal-key", message, self._spans[key])
            if action == keys.DENY and values["limit"] is not None:
                message = "a denial has no limit, since a spent one would open the door: remove `limit`"
                raise self._reader.refuse("limit-on-denial", message, self._spans["limit"])
            if action != keys.APPROVE and "repeat_after_denial" in limit:
                message = f"`repeat_after_denial` belongs to `{keys.APPROVE}` alone: remove it"
                raise self._reader.refuse("illegal-key", message, self._spans["limit"])
            if action == keys.INJECT and values["instruction"] is None:
                message = f"`{keys.INJECT}` needs an `instruction`"
                raise self._reader.refuse("missing-key", message, self._spans["action"])
            if when == keys.BEFORE_TOOL and action == keys.INJECT and "fires" not in limit:
                message = "this rule would hold back every batch forever: add `limit: {fires: 1, per: task}`"
                raise self._reader.refuse("unlimited-injection", message, self._spans["action"])
        except Wrong as wrong:
            self._break(wrong)

    def _unused(self, when: str) -> tuple[str, str] | None:
        values, condition = self._values, self._values["condition"] or {}
        if when == keys.ALWAYS:
            key = next((key for key in ("target", "condition", "limit") if values[key] is not None), None)
            return None if key is None else (key, f"`{key}` has no place in a rule for `always`: remove it")
        if when == keys.BEFORE_COMPLETION:
            if values["target"] is not None:
                return "target", f"a completion is no tool: remove `target`, or use `{keys.BEFORE_TOOL}`"
            key = next((key for key in ("command", "files", "external", "approved") if key in condition), None)
            return None if key is None else ("condition", f"`{key}` is about a tool's call, which a completion is not")
        if "language" in condition:
            return "condition", f"`language` is about a completion: use `when: {keys.BEFORE_COMPLETION}`"
        return None


_READERS: dict[str, Callable[[_RuleReader, Node], Any]] = {
    "id": _RuleReader.id,
    "name": _RuleReader.name,
    "enabled": _RuleReader.enabled,
    "when": _RuleReader.when,
    "target": _RuleReader.target,
    "condition": _RuleReader.condition,
    "action": _RuleReader.action,
    "instruction": _RuleReader.instruction,
    "limit": _RuleReader.limit,
}
