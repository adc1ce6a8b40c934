"""How often rules matched and fired, by task and movement."""

from __future__ import annotations

import sqlite3

from rules_lsp.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """How often a rule matched and fired, and when it fired last (seconds since 1970, None for never)."""

    matches: int = 0
    fires: int = 0
    last: float | None = None


class Counters:
    """The counters of one task, read once; changes are written at once. Lives no longer than its transaction."""

    def __init__(self, connection: sqlite3.Connection, project: str, task: str, movement: str) -> None:
        self._connection = connection
        self._where = (project, task)
        self._movement = movement
        rows = connection.execute(
            "SELECT movement, rule, matches, fires, last FROM counters WHERE project = ? AND task = ?", self._where
        )
        self._counts = {(row[0], row[1]): Count(row[2], row[3], row[4]) for row in rows}

    def of(self, rule: str, per: str) -> Count:
        """What is counted of a rule in the task, or in its present movement alone."""
        if per == "movement":
            return self._counts.get((self._movement, rule), Count())
        found = [count for (_, name), count in self._counts.items() if name == rule]
        times = [count.last for count in found if count.last is not None]
        matches, fires = sum(each.matches for each in found), sum(each.fires for each in found)
        return Count(matches, fires, max(times, default=None))

    def match(self, rule: str) -> None:
        """Count a match."""
        before = self._counts.get((self._movement, rule), Count())
        self._write(rule, Count(before.matches + 1, before.fires, before.last))

    def fire(self, rule: str, now: float) -> None:
        """Count a fire."""
        before = self._counts.get((self._movement, rule), Count())
        self._write(rule, Count(before.matches, before.fires + 1, now))

    def _write(self, rule: str, count: Count) -> None:
        self._connection.execute(
            "INSERT INTO counters (project, task, movement, rule, matches, fires, last) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (project, task, movement, rule) DO UPDATE"
            " SET matches = excluded.matches, fires = excluded.fires, last = excluded.last",
            (*self._where, self._movement, rule, count.matches, count.fires, count.last),
        )
        self._counts[(self._movement, rule)] = count
