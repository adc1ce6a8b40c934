"""What the store knows of the rules of a project, for whoever only looks: nothing is made, nothing waits for long."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from urllib.parse import quote

from rules_lsp.prompter.places import project_name
from rules_lsp.source.records import dataclass

_BUSY_MILLISECONDS = 50
_COUNTED = """
    SELECT rule, fires, movement,
        SUM(fires) OVER (PARTITION BY rule), SUM(fires) OVER (PARTITION BY rule, task),
        ROW_NUMBER() OVER (PARTITION BY rule ORDER BY last DESC), last
    FROM counters WHERE project = ? AND last IS NOT NULL
"""
_WAITING = """
    SELECT rule, COUNT(*) FROM approvals
    WHERE project = ? AND state = 'pending' AND expires > ? GROUP BY rule
"""


@dataclass(frozen=True, slots=True)
class Activity:
    """What a rule did: how often it fired in all, in the task and in the movement in which it fired last.

    `last_fired` is in seconds since 1970, None for never; `pending` counts the approvals that wait for a person.
    """

    total: int = 0
    in_task: int = 0
    in_movement: int = 0
    last_fired: float | None = None
    pending: int = 0

    def fires(self, per: str) -> int:
        """How often the rule fired in its last period, `task` or `movement`."""
        return self.in_movement if per == "movement" else self.in_task


NO_ACTIVITY = Activity()


def rule_activity(real_root: str, store: str, now: float | None = None) -> Mapping[str, Activity]:
    """The activity of the rules of a project by their ids; empty where the store is not there or cannot be read."""
    project = project_name(real_root)
    try:
        if not os.path.isfile(store):
            return {}
        with closing(sqlite3.connect(_address(store), uri=True, timeout=_BUSY_MILLISECONDS / 1000)) as connection:
            counted = connection.execute(_COUNTED, (project,)).fetchall()
            waiting = connection.execute(_WAITING, (project, time.time() if now is None else now)).fetchall()
    except (sqlite3.Error, OSError, ValueError):
        return {}
    pending: dict[str, int] = dict(waiting)
    found = {
        rule: Activity(total, in_task, fires, last, pending.pop(rule, 0))
        for rule, fires, _, total, in_task, rank, last in counted
        if rank == 1
    }
    return {**found, **{rule: Activity(pending=number) for rule, number in pending.items()}}


def _address(store: str) -> str:
    # A database at rest has no write-ahead log. One that is opened read-only would get a new one all the same, unless
    # it is said not to change.
    at_rest = not os.path.exists(f"{store}-wal")
    return f"file:{quote(os.path.abspath(store))}?mode=ro{'&immutable=1' if at_rest else ''}"
