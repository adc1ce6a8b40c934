"""JSON-RPC with an answer to every request: what pygls leaves open about malformed and untimely messages."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Generator
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

logger = logging.getLogger(__name__)

REPLACED_METHODS = (
    types.EXIT,
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
)
"""Methods that pygls handles itself and this server handles otherwise: its documents keep their own exact texts."""


API_VERSION = 1
"""The version of the commands and notifications that begin with `rulesLsp`."""
_LONGEST_CANCELLATION = 1000


class Protocol(LanguageServerProtocol):
    """The messages of one client. `receive` takes them one by one; it raises nothing."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        for method in REPLACED_METHODS:
            self.fm.builtin_features.pop(method)
        self.initialized = False
        self._cancelled: set[str | int] = set()

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answer the first request; what the protocol has no place for stands under `experimental`."""
        result: types.InitializeResult = yield from super().lsp_initialize(params)
        content = self.fm.feature_options.get(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
        workspace = result.capabilities.workspace
        if workspace is not None and get_capability(params.capabilities, "workspace.text_document_content") is not None:
            workspace.text_document_content = content
        result.capabilities.experimental = {"rulesLsp": {"apiVersion": API_VERSION}}
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *arguments: Any) -> Generator[Any, Any, None]:
        """Stop what is waited for, then answer nothing more but the exit."""
        # pygls would go through the table itself, which shrinks with each request that ends.
        for message_id, future in tuple(self._request_futures.items()):
            if message_id != self.msg_id:
                future.cancel()
        yield from super().lsp_shutdown(*arguments)

    def _execute_handler(self, msg_id: Any, handler: Any, callback: Any, args: Any = None, kwargs: Any = None) -> None:
        """Run a handler for pygls, so that who cancels a command's request stops its handler too."""
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        outer = callback.keywords.get("result_future") if isinstance(callback, partial) else None
        # A handler inside of another has an identity of its own, by which pygls would neither find nor forget it.
        inner = self._request_futures.pop(msg_id, None) if outer is not None else None
        if outer is not None and inner is not None:
            outer.add_done_callback(lambda done: inner.cancel() if done.cancelled() else None)

    def withdraw(self, *methods: str) -> None:
        """Neither announce methods nor answer them: this client is served otherwise."""
        for method in methods:
            self.fm.features.pop(method, None)
            self.fm.feature_options.pop(method, None)

    def foresee(self, body: bytes) -> None:
        """Look at a message that waits for its turn: a request that it cancels and that waits too is not begun.

        Any thread may call it.
        """
        if len(body) > _LONGEST_CANCELLATION or types.CANCEL_REQUEST.encode() not in body:
            return
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            return
        message_id = _cancelled_id(message)
        if message_id is not None:
            self._cancelled.add(message_id)

    @property
    def shut_down(self) -> bool:
        """Whether the client has asked for the shutdown."""
        return self._shutdown

    def receive(self, body: bytes) -> None:
        """Handle the body of one message."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse(None, JsonRpcParseError("the message is no JSON"))
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            self._refuse(None, JsonRpcInvalidRequest("the message is no JSON-RPC 2.0 object"))
            return
        method = message.get("method")
        if method == types.CANCEL_REQUEST:
            # Requests that it could keep from beginning have come before it.
            self._cancelled.discard(_cancelled_id(message) or "")
        if isinstance(method, str) and "id" in message:
            refusal = self._refusal(message["id"], method, message.get("params"))
            if refusal is not None:
                self._refuse(message["id"], refusal)
                return
        elif isinstance(method, str) and not self._takes_notification(method):
            return
        self._handle(message)

    def _refusal(self, message_id: object, method: str, params: object) -> JsonRpcException | None:
        """Why a request is answered with an error before anything looks at it, or None."""
        if isinstance(message_id, bool) or not isinstance(message_id, str | int):
            return JsonRpcInvalidRequest("the id of a request is a text or a whole number")
        if message_id in self._cancelled:
            return JsonRpcRequestCancelled("the request was cancelled before it was begun")
        if self.shut_down:
            return JsonRpcInvalidRequest("the server is shutting down")
        if method == types.INITIALIZE:
            return JsonRpcInvalidRequest("the server is initialized already") if self.initialized else None
        if not self.initialized:
            return JsonRpcServerNotInitialized("the first request is `initialize`")
        if method not in self.fm.builtin_features and method not in self.fm.features:
            return JsonRpcMethodNotFound(f"there is no method `{method}` here")
        arguments = params.get("arguments") if isinstance(params, dict) else None
        if method != types.WORKSPACE_EXECUTE_COMMAND:
            return None
        if not isinstance(arguments, list | None):
            return JsonRpcInvalidParams("the arguments of a command are a list")
        command = params.get("command") if isinstance(params, dict) else None
        if isinstance(command, str) and command not in self.fm.commands:
            return JsonRpcInvalidParams(f"there is no command `{command}` here")
        return None

    def _takes_notification(self, method: str) -> bool:
        """Whether a notification is for this server now; any other is passed over, as the protocol says."""
        if method == types.EXIT:
            return True
        known = method in self.fm.builtin_features or method in self.fm.features or method == types.CANCEL_REQUEST
        return known and self.initialized and not self.shut_down

    def _handle(self, message: dict[str, Any]) -> None:
        try:
            structured = self.structure_message(message)
        except JsonRpcException:
            if "method" in message and "id" in message:
                self._refuse(message["id"], JsonRpcInvalidParams(f"the parameters of `{message['method']}` do not fit"))
            else:
                logger.warning("a message was passed over: %s does not fit", message.get("method", "a response"))
            return
        self.handle_message(structured)

    def _refuse(self, message_id: object, error: JsonRpcException) -> None:
        if isinstance(message_id, str | int) and not isinstance(message_id, bool):
            self._send_response(message_id, error=error.to_response_error())
        else:
            # Written out: the protocol's own types leave out an id that is null, and this one has to be there.
            shown = {"code": error.code, "message": error.message}
            self._send_data({"jsonrpc": self.VERSION, "id": None, "error": shown})


def _cancelled_id(message: object) -> str | int | None:
    params = message.get("params") if isinstance(message, dict) else None
    message_id = params.get("id") if isinstance(params, dict) else None
    return message_id if isinstance(message_id, str | int) and not isinstance(message_id, bool) else None


class Writer:
    """The client's end as pygls writes to it; a client that has gone is told of once and written to no more."""

    def __init__(self, write: Callable[[bytes], None], on_lost: Callable[[], None]) -> None:
        self._write = write
        self._on_lost = on_lost
        self._lost = False

    def write(self, data: bytes) -> None:
        """Send a whole message."""
        if self._lost:
            return
        try:
            self._write(data)
        except OSError:
            self._lost = True
            self._on_lost()

    def close(self) -> None:
        """Nothing is held open here."""
