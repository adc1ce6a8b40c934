"""The language server: one object a client, with an explicit table of what it answers."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rules_lsp import __version__
from rules_lsp.checks import STRICT_VARIABLE
from rules_lsp.lsp.diagnostics import Diagnoser
from rules_lsp.lsp.progress import ClientProgress
from rules_lsp.lsp.protocol import Protocol, Writer
from rules_lsp.lsp.scans import Scans
from rules_lsp.lsp.state import State
from rules_lsp.lsp.transport import Connection, bodies
from rules_lsp.lsp.worker import Worker
from rules_lsp.workspace.inventory import FileInventory

logger = logging.getLogger(__name__)


class RulesLanguageServer(LanguageServer):
    """The server of one client. `config` is the operator's configuration, `fold_case` whether the volume folds case."""

    def __init__(self, config: str | None = None, *, fold_case: bool | None = None) -> None:
        super().__init__(
            "rules-lsp",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
        )
        self.config = config
        self.fold_case = fold_case
        self.worker = Worker()
        self.scans = Scans(self._files_arrived, self._progress)
        self.watched = False
        self.begin(State(config, fold_case=fold_case))
        self._strict = os.environ.get(STRICT_VARIABLE) == "1"
        self._ended: asyncio.Future[int] | None = None

    @property
    def messages(self) -> Protocol:
        """The protocol under its own type."""
        assert isinstance(self.protocol, Protocol)
        return self.protocol

    def run(self, connection: Connection) -> int:
        """Serve one client; the answer is the exit code: 0 after a shutdown, else 1."""
        return asyncio.run(self._serve(connection))

    def begin(self, state: State) -> None:
        """Serve a client of which nothing is known but this."""
        self.state = state
        self.diagnoser = Diagnoser(state, self.worker, self.text_document_publish_diagnostics, self.report)

    def end(self) -> None:
        """Stop serving."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(0 if self.messages.shut_down else 1)

    def isolated(self, name: str, handler: Callable[..., Any]) -> Callable[..., Any]:
        """The handler with its failure logged under its name, so that the server goes on.

        A request that failed is answered with null, and with the error itself where the strict variable is set.
        """

        def run(*arguments: Any) -> Any:
            try:
                return handler(self, *arguments)
            except Exception as error:
                self.report(name, error)
                if self._strict:
                    raise
                return None

        return run

    def report(self, name: str, error: Exception) -> None:
        """Log a failure, for whoever starts the server and for whoever looks into the editor's log."""
        logger.error("%s failed", name, exc_info=error)
        message = f"{name} failed: {type(error).__name__}: {error}"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What pygls could not do: logged, never a window in the author's way."""
        logger.error("%s: %s", getattr(source, "__name__", source), error)

    def _files_arrived(self, directory: str, files: FileInventory) -> None:
        if self.state.knowledge.learn(directory, files):
            for document in self.state.documents:
                self.diagnoser.publish(document)

    def _progress(self, name: str) -> ClientProgress | None:
        return ClientProgress(self.messages, f"Listing {name}") if self.state.flags.progress else None

    async def _serve(self, connection: Connection) -> int:
        loop = asyncio.get_running_loop()
        self._ended = loop.create_future()
        self.protocol.set_writer(Writer(connection.write, self.end))
        threading.Thread(target=self._read, args=(connection, loop), daemon=True).start()
        return await self._ended

    def _read(self, connection: Connection, loop: asyncio.AbstractEventLoop) -> None:
        try:
            for body in bodies(connection.read):
                loop.call_soon_threadsafe(self.messages.receive, body)
            loop.call_soon_threadsafe(self.end)
        except RuntimeError:
            # The loop is closed: the server has ended for another reason.
            return
