"""What is wrong in the open documents: found here or in the worker, and sent once for each version."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from functools import partial

from lsprotocol import types

from rules_lsp.checks.common.base import Diagnostic
from rules_lsp.features.view import View
from rules_lsp.lsp.convert import diagnostic_of
from rules_lsp.lsp.state import OpenDocument, State
from rules_lsp.lsp.worker import Worker
from rules_lsp.workspace.inventory import FileInventory

QUICK_SECONDS = 0.02
QUICK_CHARACTERS = 50_000

Send = Callable[[types.PublishDiagnosticsParams], None]
Report = Callable[[str, Exception], None]
Found = tuple[Diagnostic, ...]


class Diagnoser:
    """The loop's own. What may take long is found in the worker, and is sent only if nothing has changed meanwhile."""

    def __init__(self, state: State, worker: Worker, send: Send, report: Report) -> None:
        self._state = state
        self._worker = worker
        self._send = send
        self._report = report
        self._measured: dict[str, tuple[FileInventory | None, float]] = {}
        self._pending: dict[str, asyncio.Future[Found]] = {}
        self._sent: dict[str, tuple[int, list[types.Diagnostic]]] = {}
        self._results: dict[str, tuple[str, list[types.Diagnostic]]] = {}
        self._numbers = itertools.count(1)

    def publish(self, document: OpenDocument, view: View | None) -> None:
        """Send the diagnostics of a document if they are not those that were sent; none for a file that is not ours."""
        pending = self._pending.pop(document.uri, None)
        if pending is not None:
            pending.cancel()
        if view is None:
            self._publish(document, [])
        elif self._is_quick(document, view):
            self._publish(document, self.shown(document, view, self._measure(document, view)))
        else:
            future = self._worker.submit(partial(self._measure, document, view))
            self._pending[document.uri] = future
            future.add_done_callback(partial(self._arrived, document, view))

    async def found(self, document: OpenDocument, view: View | None) -> list[types.Diagnostic]:
        """What is wrong in a document, as the client takes it."""
        if view is None:
            return []
        if self._is_quick(document, view):
            return self.shown(document, view, self._measure(document, view))
        found = await self._worker.submit(partial(self._measure, document, view))
        return self.shown(document, view, found)

    def shown(self, document: OpenDocument, view: View, found: Found) -> list[types.Diagnostic]:
        """Diagnostics of a document as the client takes them."""
        state = self._state
        return [diagnostic_of(document, view.subject.text, each, state.encoding, state.flags) for each in found]

    def result_id(self, uri: str, shown: list[types.Diagnostic]) -> str:
        """The id of what is told of a document: the one of before where that was the same."""
        known = self._results.get(uri)
        if known is None or known[1] != shown:
            known = self._results[uri] = (str(next(self._numbers)), shown)
        return known[0]

    def clear(self, uri: str, *, shown: bool) -> None:
        """A document was closed: nothing of it is `shown` any more."""
        pending = self._pending.pop(uri, None)
        if pending is not None:
            pending.cancel()
        self._measured.pop(uri, None)
        self._sent.pop(uri, None)
        self._results.pop(uri, None)
        if shown:
            self._send(types.PublishDiagnosticsParams(uri, []))

    def _is_quick(self, document: OpenDocument, view: View) -> bool:
        """Whether the checks cannot hold up the loop, by what they took the last time among the same files."""
        if "diagnostics" in view.__dict__:
            return True
        files, seconds = self._measured.get(document.uri, (None, 0.0))
        return files is view.subject.files and seconds < QUICK_SECONDS and len(document.text.content) < QUICK_CHARACTERS

    def _measure(self, document: OpenDocument, view: View) -> Found:
        # The time of this thread alone: a busy machine makes no check slow.
        began = time.thread_time()
        found = view.diagnostics
        if self._state.document(document.uri) is not None:
            self._measured[document.uri] = (view.subject.files, time.thread_time() - began)
        return found

    def _arrived(self, document: OpenDocument, view: View, future: asyncio.Future[Found]) -> None:
        if future.cancelled() or self._pending.get(document.uri) is not future:
            return
        del self._pending[document.uri]
        error = future.exception()
        if isinstance(error, Exception):
            self._report(f"checking {document.uri}", error)
        elif error is None and self._state.document(document.uri) is document:
            self._publish(document, self.shown(document, view, future.result()))

    def _publish(self, document: OpenDocument, shown: list[types.Diagnostic]) -> None:
        if self._sent.get(document.uri) == (document.version, shown):
            return
        self._sent[document.uri] = (document.version, shown)
        self._send(types.PublishDiagnosticsParams(document.uri, shown, version=document.version))
