"""What saves of `.auto-prompter.yaml` changed, for the audit."""

from __future__ import annotations

import asyncio
import logging
import time

from rules_lsp.lsp.diagnostics import Report
from rules_lsp.lsp.neighbours import store_of
from rules_lsp.lsp.state import OpenDocument, State
from rules_lsp.lsp.worker import Worker
from rules_lsp.source.text import Text

logger = logging.getLogger(__name__)
_LAST_SECONDS = 2.0
"""How long the end of the server waits for records at most."""


class RuleChanges:
    """The loop's own. A document's text is compared with what it was when it was opened, or saved last."""

    def __init__(self, state: State, worker: Worker, report: Report) -> None:
        self._state = state
        self._worker = worker
        self._report = report
        self._saved: dict[str, Text] = {}
        self._pending: set[asyncio.Future[str | None]] = set()

    def opened(self, document: OpenDocument) -> None:
        """A document is taken to be as its file is."""
        view = self._state.view(document)
        if view is not None and view.subject.kind == "prompter":
            self._saved[document.uri] = document.text

    def closed(self, uri: str) -> None:
        """A document was closed."""
        self._saved.pop(uri, None)

    def saved(self, uri: str) -> None:
        """Have the audit written in the background, where rules are otherwise now."""
        document, before = self._state.document(uri), self._saved.get(uri)
        view = self._state.view(document) if document is not None and before is not None else None
        if document is None or before is None or view is None or before.content == document.text.content:
            return
        after = self._saved[uri] = document.text
        root = view.saved.root
        setting = self._state.settings_of(root).auto_prompter_store
        future = self._worker.submit(lambda: _record(root.real, setting, before, after))
        self._pending.add(future)
        future.add_done_callback(self._recorded)

    async def close(self) -> None:
        """Wait for what is being written."""
        if self._pending:
            await asyncio.wait(self._pending, timeout=_LAST_SECONDS)

    def _recorded(self, future: asyncio.Future[str | None]) -> None:
        self._pending.discard(future)
        if future.cancelled():
            return
        error = future.exception()
        if isinstance(error, Exception):
            self._report("recording a change of rules", error)
        elif error is None and future.result() is not None:
            logger.warning("a change of rules is not in the audit: %s", future.result())


def _record(root: str, setting: str | None, before: Text, after: Text) -> str | None:
    # What it brings along is nothing that every session needs.
    from rules_lsp.prompter.authoring import record_saved

    return record_saved(root, store_of(setting), before, after, time.time())
