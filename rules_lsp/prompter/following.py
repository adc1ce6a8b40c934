"""New events of an audit, as they are appended: across the files of the days, and whatever the retention drops."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator

from rules_lsp.prompter.audit import audit_files, event_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CHUNK = 1024 * 1024


class AuditFollower:
    """Reads on where it stopped. Each id comes once, its first event, for as long as the file that held it is there."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        # Of each file the place behind its last whole line, and the ids that it brought.
        self._places: dict[str, int] = {}
        self._ids: dict[str, set[str]] = {}

    def new_events(self) -> Generator[dict[str, Any], None, None]:
        """The events that were appended since the last call, the oldest first; at the first call, all there are.

        A line that is not whole yet comes once it is. Lines that cannot be read are passed over.
        """
        names = audit_files(self._directory)
        for gone in self._ids.keys() - set(names):
            del self._ids[gone], self._places[gone]
        for name in names:
            self._places.setdefault(name, 0)
            own = self._ids.setdefault(name, set())
            for line in self._lines(name):
                event = event_of(line)
                if event is None or any(event["eventId"] in ids for ids in self._ids.values()):
                    continue
                own.add(event["eventId"])
                yield event

    def _lines(self, name: str) -> Iterator[bytes]:
        try:
            with open(os.path.join(self._directory, name), "rb") as file:
                if os.fstat(file.fileno()).st_size < self._places[name]:
                    # A file of another content: ids that came before do not come again.
                    self._places[name] = 0
                file.seek(self._places[name])
                rest = b""
                while chunk := file.read(_CHUNK):
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines:
                        # Before it is given away: whoever stops in the middle goes on behind it.
                        self._places[name] += len(line) + 1
                        yield line
        except OSError:
            return
