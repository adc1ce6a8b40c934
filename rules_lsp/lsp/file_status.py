"""Whether agents may write the files that are open, for clients that show it: by which rule, and where that stands."""

from __future__ import annotations

from typing import Any

from rules_lsp.lsp.protocol import Protocol
from rules_lsp.lsp.state import OpenDocument, State
from rules_lsp.policy.decision import FileDecision

FILE_STATUS = "rulesLsp/fileStatus"
"""Notification about an open file: `uri`, `allowed`, `code`, `reason`, `operation` and the `rule` or null."""

_OPERATION = "write"


class FileStatuses:
    """The loop's own. A status is told when its document is opened, and again each time that it is another."""

    def __init__(self, state: State, messages: Protocol) -> None:
        self._state = state
        self._messages = messages
        self._told: dict[str, dict[str, Any]] = {}

    @property
    def wanted(self) -> bool:
        """Whether the client asks to be told."""
        return self._state.flags.file_status or self._state.settings.file_status

    def opened(self, document: OpenDocument) -> None:
        """Tell the status of a document that was just opened."""
        self._told.pop(document.uri, None)
        self._tell(document)

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._told.pop(uri, None)

    def refresh(self) -> None:
        """Tell the status of every open document that has another one now."""
        if self.wanted:
            for document in self._state.documents:
                self._tell(document)

    def _tell(self, document: OpenDocument) -> None:
        if not self.wanted or document.path is None:
            return
        status = self._status(document)
        if status is not None and status != self._told.get(document.uri):
            self._told[document.uri] = status
            self._messages.notify(FILE_STATUS, status)

    def _status(self, document: OpenDocument) -> dict[str, Any] | None:
        """The saved rules count, as for agents; None where no folder is open, so that nobody is asked."""
        decision = self._state.folders.decide({"uri": document.uri, "operation": _OPERATION})
        if not isinstance(decision, FileDecision):
            return None
        rule = decision.rule.as_json(self._state.encoding) if decision.rule is not None else None
        return {
            "uri": document.uri,
            "allowed": decision.allowed,
            "code": decision.code,
            "reason": decision.reason,
            "operation": _OPERATION,
            "rule": rule,
        }
