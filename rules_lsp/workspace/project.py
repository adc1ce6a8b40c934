"""A project that is asked: it reads what governs it before each answer and keeps what did not change."""

from __future__ import annotations

from _thread import allocate_lock

from rules_lsp.policy.inputs import Inputs, read_inputs
from rules_lsp.policy.load import load_policy
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.query import answer
from rules_lsp.policy.roots import Root
from rules_lsp.source.text import Encoding
from rules_lsp.workspace.servers import configured_servers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Project:
    """One root. `policy()` reads the governing files each time and parses only what changed; threads may share it."""

    def __init__(self, root: str, config: str | None = None, *, fold_case: bool | None = None) -> None:
        self.root = Root.at(root)
        self._operator_config = config
        self._fold_case = fold_case
        self._lock = allocate_lock()
        self._inputs: Inputs | None = None
        self._policy: Policy | None = None
        self._last_good: Policy | None = None

    @property
    def operator_config(self) -> str | None:
        """The operator's configuration that holds here, or None."""
        return self._operator_config

    @property
    def told_fold_case(self) -> bool | None:
        """Whether the volume folds case, as it was told; None where the volume is asked."""
        return self._fold_case

    @property
    def folds_case(self) -> bool:
        """Whether the volume folds case: as it was told, else as the volume says now."""
        return self.root.folds_case() if self._fold_case is None else self._fold_case

    @property
    def latest(self) -> Policy | None:
        """The policy as it was read last, without a look at the files; None where it never was."""
        return self._policy

    def policy(self) -> Policy:
        """The policy of the files as they are now."""
        fold_case = self.folds_case
        with self._lock:
            inputs = read_inputs(
                self.root,
                operator_config=self._operator_config,
                known_servers=configured_servers(self.root.real),
                fold_case=fold_case,
                before=self._inputs,
            )
            if self._policy is None or inputs != self._inputs:
                self._policy = load_policy(inputs, self._last_good)
                if self._policy.parsed:
                    self._last_good = self._policy
            self._inputs = inputs
            return self._policy

    def answer(self, query: object, encoding: Encoding = "utf-16") -> dict[str, Any]:
        """Answer a query in the shape of the answer schema."""
        return answer(self.policy(), query, encoding)
