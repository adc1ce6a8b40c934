"""Work that the client is shown, and may cancel."""

from __future__ import annotations

import uuid
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from rules_lsp.lsp.protocol import Protocol


class ClientProgress:
    """One piece of work in the client's window. The client may still be about to take it: until then nothing is sent.

    `cancelled` may be read by any thread; everything else is the loop's.
    """

    def __init__(self, messages: Protocol, title: str) -> None:
        self._messages = messages
        self._token = str(uuid.uuid4())
        self._title = title
        self._taken = False
        self._ended: str | None = None
        self._cancellation: Future[Any] = Future()
        # Where pygls notes that the client cancelled.
        messages.progress.tokens[self._token] = self._cancellation
        parameters = types.WorkDoneProgressCreateParams(self._token)
        messages.send_request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, parameters).add_done_callback(self._created)

    @property
    def cancelled(self) -> bool:
        """Whether the client has cancelled the work."""
        return self._cancellation.cancelled()

    def report(self, message: str) -> None:
        """Say how far the work is."""
        if self._taken and self._ended is None:
            self._send(types.WorkDoneProgressReport(message=message))

    def end(self, message: str) -> None:
        """Say how the work ended."""
        self._ended = message
        self._messages.progress.tokens.pop(self._token, None)
        if self._taken:
            self._send(types.WorkDoneProgressEnd(message=message))

    def _created(self, answer: Future[Any]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            return
        self._taken = True
        self._send(types.WorkDoneProgressBegin(self._title, cancellable=True))
        if self._ended is not None:
            self._send(types.WorkDoneProgressEnd(message=self._ended))

    def _send(self, value: Any) -> None:
        self._messages.notify(types.PROGRESS, types.ProgressParams(self._token, value))
