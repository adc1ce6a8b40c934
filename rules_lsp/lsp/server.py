"""The language server: one object a client, with an explicit table of what it answers."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import (
    FeatureNotificationError,
    FeatureRequestError,
    JsonRpcException,
    JsonRpcInternalError,
)
from pygls.lsp.server import LanguageServer

from rules_lsp import __version__
from rules_lsp.features.counting import count_ahead
from rules_lsp.features.view import View
from rules_lsp.lsp.approving import Approving
from rules_lsp.lsp.client_log import ClientLog
from rules_lsp.lsp.diagnostics import Diagnoser
from rules_lsp.lsp.file_status import FileStatuses
from rules_lsp.lsp.gates import Gates
from rules_lsp.lsp.pages import Pages
from rules_lsp.lsp.progress import ClientProgress
from rules_lsp.lsp.protocol import Protocol, Writer
from rules_lsp.lsp.refreshing import Refreshing
from rules_lsp.lsp.rule_changes import RuleChanges
from rules_lsp.lsp.scans import Scans
from rules_lsp.lsp.state import OpenDocument, State
from rules_lsp.lsp.transport import Connection, bodies
from rules_lsp.lsp.worker import Worker
from rules_lsp.workspace.inventory import FileInventory

logger = logging.getLogger(__name__)


class RulesLanguageServer(LanguageServer):
    """The server of one client.

    `config` is the operator's configuration, `fold_case` whether the volume folds case, `root` an absolute directory
    that is the folder of a client that names none.
    """

    def __init__(self, config: str | None = None, *, fold_case: bool | None = None, root: str | None = None) -> None:
        super().__init__(
            "rules-lsp",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
        )
        self.config = config
        self.fold_case = fold_case
        self.root = root
        self.worker = Worker()
        self.scans = Scans(self._files_arrived, self._progress, self._counting)
        self.watched = False
        self.begin(State(config, fold_case=fold_case))
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
        self.initial_settings = state.settings
        self.diagnoser = Diagnoser(state, self.worker, self.text_document_publish_diagnostics, self.report)
        self.refreshing = Refreshing(state, self.messages)
        self.file_statuses = FileStatuses(state, self.messages)
        self.pages = Pages(self.messages)
        self.gates = Gates(state, self.messages)
        self.gates.when_told = self.refreshing.refresh_lenses
        self.rule_changes = RuleChanges(state, self.worker, self.report)
        self.approving = Approving(state, self.messages, self.gates, self.report)
        self.refreshing.when_policies_change = self._follow

    def view(self, document: OpenDocument) -> View | None:
        """What a document says; None where it is none of ours. Its project's files are looked at in the background."""
        view = self.state.view(document)
        if view is not None:
            root = view.saved.root
            # Clients watch the folders that they have open, and nothing else.
            self.scans.want(root.real, watched=self.watched and self.state.folders.named(root.given) is not None)
        return view

    def refresh(self) -> None:
        """Something outside of the documents may have changed: show what that means for them."""
        if not self.state.flags.pull_diagnostics:
            for document in self.state.documents:
                self.diagnoser.publish(document, self.view(document))
        self.refreshing.refresh()
        self._follow()

    def _follow(self) -> None:
        """What follows the rules and the files of projects beside the documents."""
        self.file_statuses.refresh()
        self.pages.refresh()

    def end(self) -> None:
        """Stop serving."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(0 if self.messages.shut_down else 1)

    def isolated(self, name: str, handler: Callable[..., Any]) -> Callable[..., Any]:
        """The handler with its failure logged under its name, so that the server goes on.

        A request that failed is answered with that error; one that is refused, by any JsonRpcException, is no failure.
        """
        if inspect.iscoroutinefunction(handler):

            async def wait(*arguments: Any) -> Any:
                try:
                    return await handler(self, *arguments)
                except JsonRpcException:
                    raise
                except Exception as error:
                    raise self._failure(name, error) from None

            return wait

        def run(*arguments: Any) -> Any:
            try:
                return handler(self, *arguments)
            except JsonRpcException:
                raise
            except Exception as error:
                raise self._failure(name, error) from None

        return run

    def _failure(self, name: str, error: Exception) -> JsonRpcInternalError:
        self.report(name, error)
        return JsonRpcInternalError(f"{name} failed: {type(error).__name__}: {error}")

    def report(self, name: str, error: Exception) -> None:
        """Log a failure, for whoever starts the server and for whoever looks into the editor's log."""
        logger.error("%s failed", name, exc_info=error, extra={"told": True})
        message = f"{name} failed: {type(error).__name__}: {error}"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What pygls could not do: logged, never a window; a handler that fails is logged there."""
        if source not in (FeatureRequestError, FeatureNotificationError):
            logger.error("%s: %s", getattr(source, "__name__", source), error)

    def _files_arrived(self, directory: str, files: FileInventory) -> None:
        if self.state.knowledge.learn(directory, files):
            if files.capped:
                logger.warning("%s has more than %d files: no more of them are known", directory, len(files.files))
            self.refresh()

    def _counting(self, directory: str) -> Callable[[FileInventory], None]:
        """What the thread of a scan does with the files, so that the loop never counts all of them."""
        policies = self.state.shown_policies(directory)

        def count(files: FileInventory) -> None:
            for policy in policies:
                count_ahead(policy, files)

        return count

    def _progress(self, name: str) -> ClientProgress | None:
        return ClientProgress(self.messages, f"Listing {name}") if self.state.flags.progress else None

    async def _serve(self, connection: Connection) -> int:
        loop = asyncio.get_running_loop()
        self._ended = loop.create_future()
        self.protocol.set_writer(Writer(connection.write, self.end))
        log = ClientLog(self._log, loop)
        logging.getLogger("rules_lsp").addHandler(log)
        threading.Thread(target=self._read, args=(connection, loop), daemon=True).start()
        try:
            return await self._ended
        finally:
            await self.approving.close()
            await self.rule_changes.close()
            self.gates.close()
            logging.getLogger("rules_lsp").removeHandler(log)

    def _log(self, message: types.LogMessageParams) -> None:
        # Before its first request is answered a client need not understand anything.
        if self.messages.initialized and not self.messages.shut_down:
            self.window_log_message(message)

    def _read(self, connection: Connection, loop: asyncio.AbstractEventLoop) -> None:
        try:
            for body in bodies(connection.read):
                self.messages.foresee(body)
                loop.call_soon_threadsafe(self.messages.receive, body)
            loop.call_soon_threadsafe(self.end)
        except RuntimeError:
            # The loop is closed: the server has ended for another reason.
            return
