"""Listing the files of projects in the background: one thread a project, however often it is asked."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable

from rules_lsp.lsp.progress import ClientProgress
from rules_lsp.source.records import dataclass, field
from rules_lsp.workspace.file_tree import FileTree
from rules_lsp.workspace.inventory import MAX_FILES, FileInventory

SHOWN_FROM = 10_000
"""Files from which on a scan shows its progress: less is done before anyone could read it."""
REST_SECONDS = 2.0
REST_FACTOR = 20
"""A project is looked at again unasked only after this time, and after this many times what it took."""

logger = logging.getLogger(__name__)
Prepare = Callable[[FileInventory], None]
Arrived = Callable[[str, FileInventory], None]
StartProgress = Callable[[str], ClientProgress | None]


@dataclass(eq=False)
class _Scan:
    """One project. `revision` counts what has happened to its files, as far as that is known."""

    tree: FileTree
    revision: int = 0
    running: bool = False
    given_up: bool = False
    suspects: set[str] | None = field(default_factory=set)
    finished: float = 0.0
    rest: float = 0.0


class Scans:
    """The loop's own. `arrived` is called in the loop with what a scan found, if nothing has happened meanwhile."""

    def __init__(
        self,
        arrived: Arrived,
        start_progress: StartProgress,
        preparation: Callable[[str], Prepare] = lambda _: lambda _: None,
        limit: int = MAX_FILES,
    ) -> None:
        """`preparation` is asked in the loop when a real directory is scanned, and gives what the thread then does.

        `limit` is the number of files from which on a scan is cut off.
        """
        self._arrived = arrived
        self._start_progress = start_progress
        self._preparation = preparation
        self._limit = limit
        self._scans: dict[str, _Scan] = {}
        self._rest: asyncio.Future[None] | None = None

    def want(self, directory: str, *, watched: bool) -> None:
        """Somebody asks about the files of a real directory.

        They are listed if they never were; where nobody `watched` them since, they are looked at again now and then.
        """
        scan = self._scans.get(directory)
        if scan is None:
            if not _is_too_wide(directory):
                scan = self._scans[directory] = _Scan(FileTree(directory, self._limit), suspects=None)
                self._start(directory, scan)
        elif not watched and not scan.given_up and time.monotonic() - scan.finished > scan.rest:
            self._begin(directory, scan, None)

    def changed(self, directory: str, suspects: Iterable[str] | None = None) -> None:
        """Something happened in root-relative directories of a real directory, or anywhere, if it was ever listed."""
        scan = self._scans.get(directory)
        if scan is not None and not scan.given_up:
            scan.revision += 1
            self._begin(directory, scan, suspects)

    def forget(self, directory: str) -> None:
        """Nobody asks about a real directory any more: what a scan of it finds is dropped."""
        self._scans.pop(directory, None)

    async def settled(self) -> None:
        """Wait until no scan is running."""
        while any(scan.running for scan in self._scans.values()):
            self._rest = self._rest or asyncio.get_running_loop().create_future()
            await asyncio.shield(self._rest)

    def describe(self) -> dict[str, str]:
        """The state of each project's scan, for people."""
        return {
            directory: "given up" if scan.given_up else "running" if scan.running else "done"
            for directory, scan in self._scans.items()
        }

    def _begin(self, directory: str, scan: _Scan, suspects: Iterable[str] | None) -> None:
        if suspects is None:
            scan.suspects = None
        elif scan.suspects is not None:
            scan.suspects.update(suspects)
        if not scan.running:
            self._start(directory, scan)

    def _start(self, directory: str, scan: _Scan) -> None:
        suspects, scan.suspects, scan.running = scan.suspects, set(), True
        loop = asyncio.get_running_loop()
        arguments = (directory, scan, suspects, scan.revision, loop, self._preparation(directory))
        threading.Thread(target=self._run, args=arguments, name="rules-lsp-scan", daemon=True).start()

    def _run(
        self,
        directory: str,
        scan: _Scan,
        suspects: set[str] | None,
        revision: int,
        loop: asyncio.AbstractEventLoop,
        prepare: Prepare,
    ) -> None:
        """In the thread of the scan."""
        shown = _Shown(directory, loop, self._start_progress)
        began = time.monotonic()
        files: FileInventory | None = None
        try:
            files = scan.tree.update(shown.tell, suspects)
            if files is not None:
                files.prepare()
                prepare(files)
        except Exception:
            logger.exception("listing the files of %s failed", directory)
        try:
            loop.call_soon_threadsafe(shown.end, files)
            loop.call_soon_threadsafe(self._end, directory, scan, files, revision, time.monotonic() - began)
        except RuntimeError:
            # The loop is closed: the server has ended.
            return

    def _end(self, directory: str, scan: _Scan, files: FileInventory | None, revision: int, seconds: float) -> None:
        scan.running = False
        scan.finished = time.monotonic()
        scan.rest = max(REST_SECONDS, REST_FACTOR * seconds)
        if self._scans.get(directory) is not scan:
            pass
        elif files is None:
            scan.given_up = True
        elif scan.revision != revision:
            self._start(directory, scan)
        else:
            self._arrived(directory, files)
        if self._rest is not None and not any(each.running for each in self._scans.values()):
            self._rest.set_result(None)
            self._rest = None


class _Shown:
    """What the client is shown of one scan; `tell` is called in the thread of the scan."""

    def __init__(self, directory: str, loop: asyncio.AbstractEventLoop, start: StartProgress) -> None:
        self._directory = directory
        self._loop = loop
        self._start = start
        self._progress: ClientProgress | None = None
        self._began = False

    def tell(self, number: int) -> bool:
        if number >= SHOWN_FROM:
            try:
                self._loop.call_soon_threadsafe(self._show, number)
            except RuntimeError:
                return False
        return self._progress is None or not self._progress.cancelled

    def _show(self, number: int) -> None:
        if not self._began:
            self._began = True
            self._progress = self._start(os.path.basename(self._directory) or self._directory)
        if self._progress is not None:
            self._progress.report(f"{number:,} files")

    def end(self, files: FileInventory | None) -> None:
        if self._progress is not None:
            number = f"{len(files.files):,}" if files is not None else ""
            ended = "cancelled" if files is None else f"only the first {number}" if files.capped else number
            self._progress.end(f"{ended} files" if files is not None else ended)


def _is_too_wide(directory: str) -> bool:
    """Whether a directory is no project that anyone would have listed: a whole volume, or a person's home."""
    return os.path.dirname(directory) == directory or directory == os.path.realpath(os.path.expanduser("~"))
