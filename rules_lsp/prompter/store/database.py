"""The database: one file for all projects, opened when it is first needed.

Every change is one transaction that begins by taking the lock, so that a process which ends in the middle of one leaves
what was there before.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from threading import Lock

BUSY_MILLISECONDS = 2_000
SCHEMA_VERSION = 2
_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE snapshots (id TEXT PRIMARY KEY, content TEXT NOT NULL, created REAL NOT NULL)",
        """CREATE TABLE jobs (
            project TEXT NOT NULL, job TEXT NOT NULL, task TEXT NOT NULL, piece TEXT NOT NULL, movement TEXT NOT NULL,
            context TEXT NOT NULL, snapshot TEXT NOT NULL REFERENCES snapshots (id), claimed REAL NOT NULL,
            released REAL,
            PRIMARY KEY (project, job))""",
        """CREATE TABLE counters (
            project TEXT NOT NULL, task TEXT NOT NULL, movement TEXT NOT NULL, rule TEXT NOT NULL,
            matches INTEGER NOT NULL DEFAULT 0, fires INTEGER NOT NULL DEFAULT 0, last REAL,
            PRIMARY KEY (project, task, movement, rule))""",
        """CREATE TABLE approvals (
            request TEXT PRIMARY KEY, nonce TEXT NOT NULL, fingerprint TEXT NOT NULL, project TEXT NOT NULL,
            task TEXT NOT NULL, piece TEXT NOT NULL, movement TEXT NOT NULL, rule TEXT NOT NULL,
            rule_version TEXT NOT NULL, rule_name TEXT NOT NULL, tool TEXT NOT NULL, summary TEXT NOT NULL,
            job TEXT NOT NULL, snapshot TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'consumed', 'expired')),
            created REAL NOT NULL, expires REAL NOT NULL, decided REAL, consumed REAL)""",
        "CREATE INDEX approvals_by_fingerprint ON approvals (project, task, fingerprint)",
        # One fingerprint waits, or is approved, once.
        """CREATE UNIQUE INDEX approvals_open ON approvals (project, task, fingerprint)
            WHERE state IN ('pending', 'approved')""",
    ),
    ("ALTER TABLE approvals ADD COLUMN decided_by TEXT",),
)
"""The statements that lead from each version of the schema to the next."""


class StoreFailure(Exception):
    """The store cannot answer; the text says why in a few words."""


class Database:
    """A file with the tables. `most_pages` bounds its size in pages of 4 KiB; None is no bound."""

    def __init__(self, path: str, *, busy_milliseconds: int = BUSY_MILLISECONDS, most_pages: int | None = None) -> None:
        self.path = path
        self._busy = busy_milliseconds
        self._most_pages = most_pages
        self._connection: sqlite3.Connection | None = None
        self._lock = Lock()

    @contextlib.contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes: all of it holds once the block has ended, or nothing. Raises `StoreFailure`."""
        with self._lock, _failures():
            connection = self._open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def look(self) -> Iterator[sqlite3.Connection]:
        """A connection to read from. Raises `StoreFailure`."""
        with self._lock, _failures():
            yield self._open()

    def close(self) -> None:
        """Give the file back; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            if "\0" in self.path:
                raise StoreFailure("the store failed: its path is none")
            directory = os.path.dirname(self.path)
            os.makedirs(directory, mode=0o700, exist_ok=True)
            # The file is its owner's alone before anything stands in it.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.row_factory = sqlite3.Row
        connection.execute(f"PRAGMA busy_timeout = {self._busy}")
        connection.execute("PRAGMA foreign_keys = ON")
        if self._most_pages is not None:
            connection.execute(f"PRAGMA max_page_count = {self._most_pages}")
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode = WAL")
        # FULL: an approval that was spent stays spent after a power cut.
        connection.execute("PRAGMA synchronous = FULL")
        if _version(connection) != SCHEMA_VERSION:
            _migrate(connection)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _migrate(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read anew under the lock: another process may have been first.
        version = _version(connection)
        if version > SCHEMA_VERSION:
            raise StoreFailure(f"the store is of a newer version ({version}): update rules-lsp")
        for statements in _MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def _failures() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreFailure(f"the store failed: {str(error).lower()}") from error
    except UnicodeError as error:
        raise StoreFailure("the store failed: a name holds half of a character") from error
    except OSError as error:
        raise StoreFailure(f"the store failed: {(error.strerror or 'unknown cause').lower()}") from error
