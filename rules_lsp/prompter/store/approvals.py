"""Approvals: one record each, spent once."""

from __future__ import annotations

import secrets
import sqlite3

from rules_lsp.source.records import dataclass

EXPIRES_AFTER = 24 * 3600.0
"""Seconds after which a request that was not answered, or an approval that was not used, is worth nothing."""


@dataclass(frozen=True, slots=True)
class Request:
    """What an approval is asked for. `summary` is masked text for people."""

    fingerprint: str
    project: str
    task: str
    piece: str
    movement: str
    rule: str
    rule_version: str
    rule_name: str
    tool: str
    summary: str
    job: str
    snapshot: str


@dataclass(frozen=True, slots=True)
class Approval:
    """A record: what waits carries request id, nonce, fingerprint and snapshot id across processes."""

    request_id: str
    nonce: str
    fingerprint: str
    state: str
    snapshot: str
    job: str
    task: str
    rule: str
    rule_name: str
    summary: str
    created: float


def expire(connection: sqlite3.Connection, project: str, now: float) -> None:
    """Mark what is too old."""
    connection.execute(
        "UPDATE approvals SET state = 'expired'"
        " WHERE project = ? AND state IN ('pending', 'approved') AND expires <= ?",
        (project, now),
    )


def open_one(connection: sqlite3.Connection, project: str, task: str, fingerprint: str) -> Approval | None:
    """The request with a fingerprint that waits or is approved, or None."""
    row = connection.execute(
        "SELECT * FROM approvals"
        " WHERE project = ? AND task = ? AND fingerprint = ? AND state IN ('pending', 'approved')",
        (project, task, fingerprint),
    ).fetchone()
    return None if row is None else _approval(row)


def count_in(connection: sqlite3.Connection, project: str, task: str, fingerprint: str, state: str) -> int:
    """How many records of a fingerprint are in a state."""
    row = connection.execute(
        "SELECT count(*) FROM approvals WHERE project = ? AND task = ? AND fingerprint = ? AND state = ?",
        (project, task, fingerprint, state),
    ).fetchone()
    return int(row[0])


def ask(connection: sqlite3.Connection, request: Request, now: float) -> Approval:
    """A new request that waits."""
    identity, nonce = secrets.token_hex(16), secrets.token_hex(16)
    connection.execute(
        "INSERT INTO approvals (request, nonce, fingerprint, project, task, piece, movement, rule, rule_version,"
        " rule_name, tool, summary, job, snapshot, state, created, expires)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)",
        (
            identity,
            nonce,
            request.fingerprint,
            request.project,
            request.task,
            request.piece,
            request.movement,
            request.rule,
            request.rule_version,
            request.rule_name,
            request.tool,
            request.summary,
            request.job,
            request.snapshot,
            now,
            now + EXPIRES_AFTER,
        ),
    )
    return Approval(
        identity,
        nonce,
        request.fingerprint,
        "pending",
        request.snapshot,
        request.job,
        request.task,
        request.rule,
        request.rule_name,
        request.summary,
        now,
    )


def decide(connection: sqlite3.Connection, project: str, request_id: str, approve: bool, by: str, now: float) -> bool:
    """Answer a request that waits; whether it did, and had not expired."""
    found = connection.execute(
        "UPDATE approvals SET state = ?, decided = ?, decided_by = ?"
        " WHERE project = ? AND request = ? AND state = 'pending' AND expires > ?",
        ("approved" if approve else "denied", now, by, project, request_id, now),
    )
    return found.rowcount == 1


def consume(
    connection: sqlite3.Connection, project: str, request_id: str, nonce: str, fingerprint: str, now: float
) -> bool:
    """Spend an approval; of all who try, one is told true."""
    found = connection.execute(
        "UPDATE approvals SET state = 'consumed', consumed = ?"
        " WHERE project = ? AND request = ? AND nonce = ? AND fingerprint = ? AND state = 'approved' AND expires > ?",
        (now, project, request_id, nonce, fingerprint, now),
    )
    return found.rowcount == 1


def find(connection: sqlite3.Connection, project: str, request_id: str) -> Approval | None:
    """The record of a request, or None."""
    row = connection.execute(
        "SELECT * FROM approvals WHERE project = ? AND request = ?", (project, request_id)
    ).fetchone()
    return None if row is None else _approval(row)


def all_in(connection: sqlite3.Connection, project: str, state: str | None = None) -> list[Approval]:
    """The records of a project, of one state or of all, the oldest first."""
    rows = connection.execute(
        "SELECT * FROM approvals WHERE project = ? AND (? IS NULL OR state = ?) ORDER BY created, request",
        (project, state, state),
    )
    return [_approval(row) for row in rows]


def _approval(row: sqlite3.Row) -> Approval:
    return Approval(
        row["request"],
        row["nonce"],
        row["fingerprint"],
        row["state"],
        row["snapshot"],
        row["job"],
        row["task"],
        row["rule"],
        row["rule_name"],
        row["summary"],
        row["created"],
    )
