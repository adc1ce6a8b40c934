"""The gates of Auto Prompter, one for each project that an agent works in, and the notices that they give."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from rules_lsp.lsp.protocol import Protocol
from rules_lsp.lsp.state import State
from rules_lsp.lsp.worker import Worker
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.project import Project

if TYPE_CHECKING:
    from rules_lsp.prompter.gate import PolicyGate

POLICY_ACTION = "rulesLsp/policyAction"
"""Notification of what a rule did: `type`, `eventId`, `ruleId`, `ruleName`, `action`, `outcome`, `targetLabel`,
`createdAt`. Each event is told once."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Options:
    """What makes a gate another one."""

    available: bool
    store: str | None
    config: str | None
    fold_case: bool | None


class _Opened:
    """A gate that is made when its first question is answered; the worker's own."""

    def __init__(self, root: str, options: _Options, listener: Callable[[Mapping[str, object]], None]) -> None:
        self.options = options
        self._root = root
        self._listener = listener
        self._gate: PolicyGate | None = None

    @property
    def gate(self) -> PolicyGate:
        """The gate."""
        if self._gate is None:
            # What it brings along is nothing that every session needs.
            from rules_lsp.prompter.gate import PolicyGate

            options = self.options
            gate = PolicyGate.open(
                self._root,
                options.store,
                config=options.config,
                fold_case=options.fold_case,
                available=options.available,
            )
            gate.listen(self._listener)
            self._gate = gate
        return self._gate

    def close(self) -> None:
        """Give the store back."""
        if self._gate is not None:
            self._gate.close()


class Gates:
    """The loop's own. Every question is answered by one thread, in the order in which they were asked."""

    def __init__(self, state: State, messages: Protocol) -> None:
        self._state = state
        self._messages = messages
        self._worker = Worker()
        self._opened: dict[str, _Opened] = {}
        self.when_told: Callable[[], None] = lambda: None

    async def ask(self, project: Project, question: Callable[[PolicyGate], Result]) -> Result:
        """What the gate of a project says to a question."""
        opened = self._of(project)
        return await self._worker.submit(lambda: question(opened.gate))

    def forget(self, directory: str) -> None:
        """Close the gate of a folder that is not open any more, by its path as it was opened."""
        opened = self._opened.pop(directory, None)
        if opened is not None:
            self._worker.submit(opened.close)

    def close(self) -> None:
        """Close every gate before this returns."""
        for opened in self._opened.values():
            opened.close()
        self._opened.clear()

    def _of(self, project: Project) -> _Opened:
        directory, settings = project.root.given, self._state.settings_of(project.root)
        options = _Options(
            settings.auto_prompter_available,
            settings.auto_prompter_store,
            project.operator_config,
            project.told_fold_case,
        )
        opened = self._opened.get(directory)
        if opened is None or opened.options != options:
            self.forget(directory)
            opened = self._opened[directory] = _Opened(directory, options, self._listener())
        return opened

    def _listener(self) -> Callable[[Mapping[str, object]], None]:
        loop = asyncio.get_running_loop()
        return lambda notice: _on(loop, self._tell, dict(notice))

    def _tell(self, notice: dict[str, Any]) -> None:
        if not self._messages.shut_down:
            self._messages.notify(POLICY_ACTION, notice)
            self.when_told()


def _on(loop: asyncio.AbstractEventLoop, call: Callable[[dict[str, Any]], None], notice: dict[str, Any]) -> None:
    try:
        loop.call_soon_threadsafe(call, notice)
    except RuntimeError:
        # The loop is closed: the server has ended.
        return
