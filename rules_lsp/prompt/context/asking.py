"""What the rules say of a file that a prompt would take in."""

from __future__ import annotations

from rules_lsp.policy.decision import ALLOWING, FileDecision
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.query import decide
from rules_lsp.policy.resolve import Resolver
from rules_lsp.policy.verdicts import Verdicts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.prompt.context.model import Role

# A model is told the text of what it is to change, so that a target is read too.
_OPERATIONS: dict[Role, tuple[str, ...]] = {
    "target": ("write", "read"),
    "reference": ("read",),
    "automatic": ("read",),
}


class Asking:
    """Asks one policy about many files. For one selection, never longer: it remembers what the disk said."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._resolver = Resolver(policy.root)
        self._verdicts = {name: Verdicts(policy, name, self._resolver) for name in ("read", "write")}

    def denial(self, path: str, role: Role) -> FileDecision | None:
        """The decision that denies an absolute path in its role; None where nothing does."""
        relative = self._policy.root.relative(path)
        for operation in _OPERATIONS[role]:
            code = self._verdicts[operation].code(relative) if relative else None
            if code in ALLOWING:
                continue
            decision = decide(self._policy, {"path": path, "operation": operation}, self._resolver)
            assert isinstance(decision, FileDecision)
            if not decision.allowed:
                return decision
        return None
