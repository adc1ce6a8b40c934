"""A decision: what was asked, the answer, and what decided it. Every front renders this and explains nothing itself."""

from __future__ import annotations

from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.policy.policy import Document, Policy
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Encoding, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

Code: TypeAlias = (
    "Literal["
    "'unrestricted', 'included', 'allowed-tool', 'disabled', 'excluded', 'not-included', 'denied-tool', "
    "'not-allowed-tool', 'outside-root', 'protected', 'invalid-request', 'policy-error']"
)
ALLOWING: frozenset[Code] = frozenset({"unrestricted", "included", "allowed-tool", "disabled"})
Effect: TypeAlias = "Literal['denies', 'allows', 'passes']"


@dataclass(frozen=True, slots=True)
class RuleReference:
    """An entry, or a whole list where `index` and `pattern` are None, and its place in its document."""

    document: Document
    span: Span
    list: str
    index: int | None = None
    pattern: str | None = None

    def as_json(self, encoding: Encoding) -> dict[str, Any]:
        """The reference as the answer object shows it."""
        shown: dict[str, Any] = {
            "uri": self.document.uri,
            "range": self.document.text.range(self.span, encoding).as_json(),
            "list": self.list,
        }
        if self.index is not None:
            shown["index"] = self.index
            shown["pattern"] = self.pattern
        return shown


@dataclass(frozen=True, slots=True)
class Weighed:
    """One step on the way to a decision: what was looked at, what it did, and the rule if it was one."""

    effect: Effect
    sentence: str
    rule: RuleReference | None = None


@dataclass(frozen=True, slots=True)
class FileDecision:
    """The answer about one path. `path` is root-relative where the path lies in the root, else as it was asked."""

    allowed: bool
    code: Code
    reason: str
    policy: Policy
    path: str | None
    resolved_path: str | None
    operation: str
    new_path: str | None = None
    rule: RuleReference | None = None
    overruled: tuple[RuleReference, ...] = ()
    weighed: tuple[Weighed, ...] = ()

    def as_json(self, encoding: Encoding = "utf-16", *, with_policy: bool = True) -> dict[str, Any]:
        """The whole answer object."""
        answer = _common(self, encoding)
        answer["path"] = self.path
        answer["resolvedPath"] = self.resolved_path
        answer["operation"] = self.operation
        if self.new_path is not None:
            answer["newPath"] = self.new_path
        return _completed(self, answer, encoding, with_policy)


@dataclass(frozen=True, slots=True)
class ToolDecision:
    """The answer about one tool, and about each path that the call touches."""

    allowed: bool
    code: Code
    reason: str
    policy: Policy
    tool: str | None
    server: str | None = None
    name: str | None = None
    paths: tuple[FileDecision, ...] = ()
    paths_checked: bool = False
    rule: RuleReference | None = None
    overruled: tuple[RuleReference, ...] = ()
    weighed: tuple[Weighed, ...] = ()

    def as_json(self, encoding: Encoding = "utf-16", *, with_policy: bool = True) -> dict[str, Any]:
        """The whole answer object."""
        answer = _common(self, encoding)
        answer["tool"] = self.tool
        answer["server"] = self.server
        answer["name"] = self.name
        answer["paths"] = [path.as_json(encoding, with_policy=False) for path in self.paths]
        answer["pathsChecked"] = self.paths_checked
        return _completed(self, answer, encoding, with_policy)


Decision = FileDecision | ToolDecision


def compact(decision: Decision) -> dict[str, Any]:
    """The answer of a batch that asked for no details."""
    return {"allowed": decision.allowed, "code": decision.code}


def policy_as_json(policy: Policy, encoding: Encoding = "utf-16") -> dict[str, Any]:
    """What the answer says of the policy that decided."""
    return {
        "uri": policy.source.uri if policy.source is not None else None,
        "version": policy.version,
        "enabled": policy.enabled,
        "degraded": policy.degraded,
        "errors": [
            {
                "code": error.code,
                "message": error.message,
                "uri": error.document.uri,
                "range": error.document.text.range(error.span, encoding).as_json(),
            }
            for error in policy.errors
        ],
    }


def refer_to(policy: Policy, rule: Entry | RuleList) -> RuleReference | None:
    """The reference to an entry or a list of the rules in force."""
    if policy.source is None:
        return None
    if isinstance(rule, Entry):
        return RuleReference(policy.source, rule.span, rule.list, rule.index, rule.text)
    return RuleReference(policy.source, rule.span, rule.name)


def _common(decision: Decision, encoding: Encoding) -> dict[str, Any]:
    return {"allowed": decision.allowed, "code": decision.code, "reason": decision.reason}


def _completed(decision: Decision, answer: dict[str, Any], encoding: Encoding, with_policy: bool) -> dict[str, Any]:
    answer["rule"] = decision.rule.as_json(encoding) if decision.rule is not None else None
    answer["overruled"] = [rule.as_json(encoding) for rule in decision.overruled]
    if with_policy:
        answer["policy"] = policy_as_json(decision.policy, encoding)
    return answer
