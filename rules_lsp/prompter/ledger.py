"""What the store says to the rules of one batch: limits, approvals, counts. Lives in one transaction."""

from __future__ import annotations

import sqlite3

from rules_lsp.prompter.keys import APPROVE
from rules_lsp.prompter.model import Rule, fingerprint
from rules_lsp.prompter.store import approvals, jobs
from rules_lsp.prompter.store.approvals import Approval, Request
from rules_lsp.prompter.store.counters import Counters
from rules_lsp.prompter.store.jobs import Job
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of a call that needs approval: granted, waiting (with the request), or denied (with the reason)."""

    granted: Approval | None = None
    waiting: Approval | None = None
    denied: str | None = None


class Ledger:
    """The store as one batch of one job sees it. `now` is in seconds since 1970."""

    def __init__(self, connection: sqlite3.Connection, project: str, job: Job, now: float) -> None:
        self._connection = connection
        self._project = project
        self._job = job
        self._now = now
        self._counters = Counters(connection, project, job.names.task, job.names.movement)
        self._advised: dict[str, bool] = {}
        self._is_expired = False

    def holds(self, rule: Rule, tool: str, arguments: Any) -> bool:
        """Whether the parts `fired` and `approved` hold. A rule's match is counted where it asks for that."""
        condition = rule.condition
        if "approved" in condition:
            used = self._count(fingerprint_of(self._job, rule, tool, arguments), "consumed")
            if (used > 0) is not condition["approved"]:
                return False
        if "fired" in condition:
            before = self._counters.of(rule.id, "task").matches
            self._counters.match(rule.id)
            return before >= int(condition["fired"]["at_least"])
        return True

    def has_parent(self) -> bool:
        """Whether the parent of the job, a delegate, can wait for approvals in its place."""
        return jobs.has_parent(self._connection, self._project, self._job.names)

    def advises(self, rule: Rule) -> bool:
        """Whether an advice is given, which is counted once a batch; a spent limit or a cooldown silences it."""
        known = self._advised.get(rule.id)
        if known is None:
            known = self._advised[rule.id] = self._silence(rule) is None
            if known:
                self._counters.fire(rule.id, self._now)
        return known

    def ask(self, rule: Rule, tool: str, arguments: Any, summary: str, to: str) -> Asked:
        """What is known of the approval of a call; a new request where none is, unless the limit denies it."""
        names = self._job.names
        mark = fingerprint_of(self._job, rule, tool, arguments)
        if not self._is_expired:
            self._is_expired = True
            approvals.expire(self._connection, self._project, self._now)
        known = approvals.open_one(self._connection, self._project, names.task, mark)
        if known is not None:
            return Asked(granted=known) if known.state == "approved" else Asked(waiting=known)
        if self._count(mark, "denied") > int(rule.limit.get("repeat_after_denial", 0)):
            return Asked(denied="this very call was denied before")
        silence = self._silence(rule)
        if silence is not None:
            return Asked(denied=f"no further approval is asked for: {silence}")
        request = Request(
            mark,
            self._project,
            names.task,
            names.piece,
            names.movement,
            rule.id,
            rule.version,
            rule.name,
            tool,
            summary,
            to,
            self._job.snapshot,
        )
        self._counters.fire(rule.id, self._now)
        return Asked(waiting=approvals.ask(self._connection, request, self._now))

    def _count(self, mark: str, state: str) -> int:
        return approvals.count_in(self._connection, self._project, self._job.names.task, mark, state)

    def _silence(self, rule: Rule) -> str | None:
        """Why a rule may not fire now, or None."""
        limit = rule.limit
        count = self._counters.of(rule.id, str(limit.get("per", "task")))
        if "fires" in limit and count.fires >= int(limit["fires"]):
            return "the limit of the rule is spent"
        cooldown = float(limit.get("cooldown_seconds", 0))
        if count.last is not None and self._now - count.last < cooldown:
            return "the rule fired only just now"
        return None


def fingerprint_of(job: Job, rule: Rule, tool: str, arguments: Any) -> str:
    """The fingerprint of a call for a rule."""
    names = job.names
    return fingerprint(names.task, names.piece, names.movement, rule, tool, arguments)


def needs_ledger(rule: Rule) -> bool:
    """Whether the store has a say on a rule."""
    if rule.broken is not None or rule.unsupported_category is not None:
        return False
    return rule.action == APPROVE or bool(rule.limit) or "fired" in rule.condition or "approved" in rule.condition
