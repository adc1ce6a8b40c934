"""Log records as messages in the editor's own log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from lsprotocol import types

_TYPES = (
    (logging.ERROR, types.MessageType.Error),
    (logging.WARNING, types.MessageType.Warning),
    (logging.INFO, types.MessageType.Info),
    (logging.DEBUG, types.MessageType.Log),
)

SendMessage = Callable[[types.LogMessageParams], None]


class ClientLog(logging.Handler):
    """Sends records to the client, from whichever thread they come. What it already was told is marked `told`."""

    def __init__(self, send: SendMessage, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._send = send
        self._loop = loop

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record."""
        if getattr(record, "told", False):
            return
        kind = next((kind for level, kind in _TYPES if record.levelno >= level), types.MessageType.Log)
        message = types.LogMessageParams(kind, record.getMessage())
        try:
            self._loop.call_soon_threadsafe(self._send, message)
        except RuntimeError:
            # The loop is closed: there is no client any more.
            return
