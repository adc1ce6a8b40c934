"""Jobs and their snapshots: a job that is claimed again gets what it got first."""

from __future__ import annotations

import json
import sqlite3

from rules_lsp.prompter.model import RuleSet, canonical, digest, rule_set_of
from rules_lsp.source.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class JobNames:
    """Who works on what. `roles` are those of the task's user, None where the caller states none.

    `delegate` is a child agent; `parent` is the job to which its approvals go back, None where there is none.
    """

    job: str
    task: str
    piece: str
    movement: str
    roles: tuple[str, ...] | None = None
    delegate: bool = False
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A claimed job with the rules of its snapshot."""

    names: JobNames
    snapshot: str
    rules: RuleSet


def claim(connection: sqlite3.Connection, project: str, names: JobNames, rules: RuleSet, now: float) -> Job:
    """The job of these names; `rules` count only if it was never claimed."""
    known = find(connection, project, names.job)
    context = canonical({"roles": names.roles, "delegate": names.delegate, "parent": names.parent})
    if known is not None:
        connection.execute(
            "UPDATE jobs SET task = ?, piece = ?, movement = ?, context = ?, claimed = ?, released = NULL"
            " WHERE project = ? AND job = ?",
            (names.task, names.piece, names.movement, context, now, project, names.job),
        )
        return replace(known, names=names)
    content = rules.as_data()
    snapshot = digest((project, names.job, content))[:32]
    connection.execute(
        "INSERT OR IGNORE INTO snapshots (id, content, created) VALUES (?, ?, ?)", (snapshot, canonical(content), now)
    )
    connection.execute(
        "INSERT INTO jobs (project, job, task, piece, movement, context, snapshot, claimed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (project, names.job, names.task, names.piece, names.movement, context, snapshot, now),
    )
    return Job(names, snapshot, rules)


def find(connection: sqlite3.Connection, project: str, job: str) -> Job | None:
    """A job that was claimed, or None."""
    row = connection.execute(
        "SELECT jobs.*, snapshots.content FROM jobs JOIN snapshots ON snapshots.id = jobs.snapshot"
        " WHERE project = ? AND job = ?",
        (project, job),
    ).fetchone()
    if row is None:
        return None
    context = json.loads(row["context"])
    roles = context["roles"]
    names = JobNames(
        row["job"],
        row["task"],
        row["piece"],
        row["movement"],
        None if roles is None else tuple(roles),
        context["delegate"],
        context["parent"],
    )
    return Job(names, row["snapshot"], rule_set_of(json.loads(row["content"])))


def has_open(connection: sqlite3.Connection, project: str) -> bool:
    """Whether a job of a project is not released yet."""
    found = connection.execute("SELECT 1 FROM jobs WHERE project = ? AND released IS NULL LIMIT 1", (project,))
    return found.fetchone() is not None


def has_parent(connection: sqlite3.Connection, project: str, names: JobNames) -> bool:
    """Whether the parents of a delegate were claimed in the project and end at a job that is no delegate."""
    parent, seen = names.parent, {names.job}
    while parent is not None and parent not in seen:
        seen.add(parent)
        row = connection.execute("SELECT context FROM jobs WHERE project = ? AND job = ?", (project, parent)).fetchone()
        if row is None:
            return False
        context = json.loads(row["context"])
        if not context["delegate"]:
            return True
        parent = context["parent"]
    return False


def release(connection: sqlite3.Connection, project: str, job: str, now: float) -> bool:
    """Note that a job is done; whether it was claimed. Its snapshot stays for a claim to come."""
    found = connection.execute(
        "UPDATE jobs SET released = ? WHERE project = ? AND job = ? AND released IS NULL", (now, project, job)
    )
    return found.rowcount == 1
