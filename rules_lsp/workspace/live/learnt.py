"""What servers said of their tools when they were asked: the cache of one project, outside of the project.

An answer belongs to a launch: the command, its arguments, the address and the names of the variables that are set, each
without its secrets. With another launch the answer is stale: it counts for nothing, and that it is there is said.

The file is the user's alone (mode 0600) and its content nobody's word but the server's: it is checked when it is read
like an answer itself, and one that does not fit counts as none.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable

from rules_lsp.source.records import dataclass
from rules_lsp.workspace.catalogue import KnownTool
from rules_lsp.workspace.live.told_tools import MAX_TOOLS, as_json, read_tools
from rules_lsp.workspace.server_files import ConfiguredServer
from rules_lsp.workspace.server_launch import Launch

MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_SERVERS = 1_000
_VERSION = 1


@dataclass(frozen=True, slots=True)
class LearntServer:
    """The tools of one server, sorted by name. `whole` says that it told no others; `asked` is a time in UTC."""

    name: str
    fingerprint: str
    asked: str
    tools: tuple[KnownTool, ...]
    whole: bool


class LearntServers:
    """What the servers of one project said; immutable."""

    def __init__(self, servers: Iterable[LearntServer] = ()) -> None:
        self._servers = tuple(servers)
        self._by_launch = {(each.name, each.fingerprint): each for each in self._servers}
        self._names = frozenset(each.name for each in self._servers)

    def of(self, server: ConfiguredServer) -> LearntServer | None:
        """What a server said that was started just as it would be now, or None."""
        if server.name not in self._names:
            return None
        return self._by_launch.get((server.name, fingerprint_of(server.launch)))

    def is_stale(self, server: ConfiguredServer) -> bool:
        """Whether a server of this name was asked, and only with other launches."""
        return server.name in self._names and self.of(server) is None

    def with_answers(self, answers: Iterable[LearntServer], configured: Iterable[ConfiguredServer]) -> LearntServers:
        """These with new answers; of the servers that were asked, what belongs to no launch any more is dropped."""
        new = {(each.name, each.fingerprint): each for each in answers}
        names = {name for name, _ in new}
        launches = {(server.name, fingerprint_of(server.launch)) for server in configured}
        kept = {key: each for key, each in self._by_launch.items() if key[0] not in names or key in launches}
        return LearntServers(({**kept, **new}).values())

    def as_json(self) -> dict[str, object]:
        """What the file holds."""
        return {
            "version": _VERSION,
            "servers": [
                {
                    "name": each.name,
                    "fingerprint": each.fingerprint,
                    "asked": each.asked,
                    "whole": each.whole,
                    "tools": [as_json(tool) for tool in each.tools],
                }
                for each in self._servers
            ],
        }


NOTHING_LEARNT = LearntServers()


def fingerprint_of(launch: Launch) -> str:
    """The identity of a launch. No value of a variable, no header and no secret of an argument is in it."""
    parts = [launch.words, launch.url, launch.transport, sorted(launch.environment)]
    return hashlib.sha256(json.dumps(parts).encode("ascii")).hexdigest()


def cache_file(root: str) -> str:
    """The file of the project at a real path."""
    from platformdirs import user_cache_dir

    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
    return os.path.join(user_cache_dir("rules-lsp", appauthor=False), "tools", f"{name}.json")


def mark_of(root: str) -> tuple[int, ...] | None:
    """What differs once the file of the project at a real path is another; None where there is none."""
    try:
        found = os.stat(cache_file(root))
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def place_of(root: str) -> str:
    """Where it shows that the file of the project at a real path comes or changes: it, else a directory above it."""
    path = os.path.realpath(cache_file(root))
    while not os.path.lexists(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    return path


def read_learnt(root: str) -> LearntServers:
    """What the servers of the project at a real path said; nothing where there is no file that fits."""
    try:
        with open(cache_file(root), "rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
        found = json.loads(data) if len(data) <= MAX_FILE_BYTES else None
    except (OSError, ValueError, RecursionError):
        return NOTHING_LEARNT
    if not isinstance(found, dict) or found.get("version") != _VERSION or not isinstance(found.get("servers"), list):
        return NOTHING_LEARNT
    servers = (_read_server(each) for each in found["servers"][:MAX_SERVERS])
    return LearntServers(server for server in servers if server is not None)


def write_learnt(root: str, servers: LearntServers) -> None:
    """Replace what is kept for the project at a real path. Raises OSError."""
    import contextlib
    import tempfile

    path = cache_file(root)
    directory = os.path.dirname(path)
    os.makedirs(directory, mode=0o700, exist_ok=True)
    # A temporary file is its owner's alone from the first moment.
    descriptor, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=directory)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(json.dumps(servers.as_json()).encode("ascii"))
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _read_server(value: object) -> LearntServer | None:
    if not isinstance(value, dict) or not isinstance(value.get("tools"), list):
        return None
    texts = [value.get(key) for key in ("name", "fingerprint", "asked")]
    if not all(isinstance(text, str) for text in texts):
        return None
    name, fingerprint, asked = map(str, texts)
    told = read_tools(value["tools"][:MAX_TOOLS])
    return LearntServer(name, fingerprint, asked, tuple(sorted(told.tools)), told.whole and value.get("whole") is True)
