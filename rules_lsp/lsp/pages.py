"""Which pages a client has open as documents of this server's, and when it is told that one reads otherwise."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rules_lsp.lsp.protocol import Protocol

MOST_FOLLOWED = 8


class Pages:
    """The loop's own. The pages that were asked for last are followed; nobody says when one is closed."""

    def __init__(self, messages: Protocol) -> None:
        self._messages = messages
        self._pages: dict[str, tuple[str, Callable[[], str]]] = {}

    def follow(self, uri: str, text: str, make: Callable[[], str]) -> None:
        """A client has been given a text of a page; `make` makes it anew."""
        self._pages.pop(uri, None)
        self._pages[uri] = (text, make)
        while len(self._pages) > MOST_FOLLOWED:
            del self._pages[next(iter(self._pages))]

    def refresh(self) -> None:
        """Have the client ask anew for each page whose text is another, and for one that cannot be made any more."""
        for uri, (before, make) in list(self._pages.items()):
            try:
                if make() == before:
                    continue
            except JsonRpcException:
                pass
            del self._pages[uri]
            request = types.TextDocumentContentRefreshParams(uri)
            sent = self._messages.send_request(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH, request)
            sent.add_done_callback(_taken)


def _taken(answer: Future[Any]) -> None:
    # Whatever the answer is, the client has been told.
    answer.cancelled() or answer.exception()
