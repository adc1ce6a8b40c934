"""What each document's client has been sent of semantic tokens."""

from __future__ import annotations


class SentTokens:
    """The loop's own. The tokens that each document's client has, for the next answer to tell what differs."""

    def __init__(self) -> None:
        self._sent: dict[str, tuple[str, list[int]]] = {}
        self._count = 0

    def put(self, uri: str, data: list[int]) -> str:
        """Keep what a client is sent now; its identity."""
        self._count += 1
        self._sent[uri] = (str(self._count), data)
        return str(self._count)

    def get(self, uri: str, identity: str) -> list[int] | None:
        """What the client has under an identity, if it is still known."""
        found = self._sent.get(uri)
        return found[1] if found is not None and found[0] == identity else None

    def forget(self, uri: str) -> None:
        """Forget a document that was closed."""
        self._sent.pop(uri, None)
