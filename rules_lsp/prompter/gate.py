"""The gate that an agent's loop calls: before its tools run, and before its completion is accepted.

Off is off: a gate that is not available, or a job that was claimed while the file's switch is off, gets back the very
objects that it gave, and no file, no database and no rule is looked at. Nothing here raises on what a caller hands in;
where the store fails, what it would decide is denied.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from rules_lsp.policy.files import FileContent, read_file
from rules_lsp.prompter import batch as batches
from rules_lsp.prompter import completion as completions
from rules_lsp.prompter.audit import AuditLog
from rules_lsp.prompter.following import AuditFollower
from rules_lsp.prompter.judging import shadow_verdict
from rules_lsp.prompter.keys import FILE_NAME
from rules_lsp.prompter.ledger import Ledger
from rules_lsp.prompter.markers import mark_claimed, may_have_open_jobs
from rules_lsp.prompter.model import Rule, RuleSet, digest, rules_as_json
from rules_lsp.prompter.places import audit_directory, default_store, kept_days, may_be_store, project_name
from rules_lsp.prompter.reading import is_switched_off, read_auto_prompter
from rules_lsp.prompter.recording import (
    COMPLETION,
    OBSERVED,
    Fired,
    Listener,
    Recorded,
    Recorder,
    fired_in_batch,
    fired_in_completion,
    key_of_call,
)
from rules_lsp.prompter.requests import (
    BadRequest,
    are_names,
    denied_batch,
    read_calls,
    read_completion,
    refused_completion,
)
from rules_lsp.prompter.store import approvals, jobs
from rules_lsp.prompter.store.database import BUSY_MILLISECONDS, Database, StoreFailure
from rules_lsp.prompter.store.jobs import Job, JobNames
from rules_lsp.source.text import Text
from rules_lsp.workspace.project import Project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Any

    from rules_lsp.prompter.judging import Judge

_NOT_CLAIMED = "the job was not claimed"
_NO_NAMES = "a job has the texts `task`, `piece`, `movement`, `job` and `parent`, and a list of texts as `roles`"
_NOTHING = "there is nothing of that kind any more"
_NO_ROOT = "the path of the project is none: it holds a NUL or half of a character"
_OFF = "Auto Prompter is switched off"


class PolicyGate:
    """The gate of one project. `PolicyGate.open` makes one; threads may share it."""

    def __init__(
        self,
        project: Project | None,
        database: Database,
        audit: AuditLog,
        name: str,
        *,
        judge: Judge | None = None,
        clock: Callable[[], float] = time.time,
        refusal: str | None = None,
    ) -> None:
        self._project = project
        self._refusal = refusal
        self._database = database
        self._name = name
        self._audit = audit
        self._recorder = Recorder(name, audit)
        self._judge = judge
        self._clock = clock
        # None stands for a job that is off.
        self._jobs: dict[str, Job | None] = {}

    @classmethod
    def open(
        cls,
        root: str,
        store: str | None = None,
        *,
        config: str | None = None,
        fold_case: bool | None = None,
        available: bool = True,
        judge: Judge | None = None,
        retention_days: int | None = None,
        busy_milliseconds: int = BUSY_MILLISECONDS,
        most_pages: int | None = None,
        clock: Callable[[], float] = time.time,
    ) -> PolicyGate:
        """The gate of the project at `root`.

        `store` is the database's file (by default in the user's state folder), `config` the operator's configuration,
        `fold_case` whether the volume does not tell cases apart (None asks it). `available=False` is the setting that
        takes the feature away. `retention_days` is the operator's to set; without it `prompter_retention_days` of the
        operator's configuration holds. Nothing is opened before the first job.
        """
        if not available:
            return cls(None, Database(""), AuditLog(""), "")
        try:
            project = Project(root, config, fold_case=fold_case)
            name = project_name(project.root.real)
        except ValueError:
            return cls(None, Database(""), AuditLog(""), "", refusal=_NO_ROOT)
        path = default_store() if store is None else os.path.abspath(store)
        database = Database(path, busy_milliseconds=busy_milliseconds, most_pages=most_pages)
        audit = AuditLog(
            audit_directory(path, name),
            (lambda: kept_days(project.policy().config)) if retention_days is None else retention_days,
        )
        return cls(project, database, audit, name, judge=judge, clock=clock)

    def claim_job(
        self,
        task: str,
        piece: str,
        movement: str,
        job: str,
        *,
        roles: Sequence[str] | None = None,
        delegate: bool = False,
        parent: str | None = None,
    ) -> dict[str, Any]:
        """Begin or resume a job.

        The answer has `enabled`, `snapshotId`, `activeRules`, `preamble` and the `rules`, switched off ones too. A job
        that was claimed before gets the rules that it got then.
        """
        if self._refusal is not None:
            return {"job": None, "enabled": True, "activeRules": 0, "preamble": "", "error": self._refusal}
        if self._project is not None and not are_names((task, piece, movement, job, parent or ""), roles):
            return {"job": None, "enabled": True, "activeRules": 0, "preamble": "", "error": _NO_NAMES}
        rules = self._rules_now()
        if rules is None:
            if self._project is not None:
                self._jobs[job] = None
            return {"job": job, "enabled": False, "activeRules": 0, "preamble": "", "snapshotId": None, "rules": []}
        stated = None if roles is None else tuple(roles)
        names = JobNames(job, task, piece, movement, stated, delegate, parent)
        try:
            with self._database.change() as connection:
                mark_claimed(self._database.path, self._name)
                claimed = jobs.claim(connection, self._name, names, rules, self._clock())
        except StoreFailure as error:
            # Without a snapshot nothing may run: the rules could change under the job.
            self._jobs[job] = Job(names, "", RuleSet(refusal=str(error)))
            return {"job": job, "enabled": True, "activeRules": 0, "preamble": "", "error": str(error)}
        self._jobs[job] = claimed
        answer: dict[str, Any] = {
            "job": job,
            "enabled": True,
            "snapshotId": claimed.snapshot,
            "activeRules": len(claimed.rules.active),
            "preamble": claimed.rules.preamble,
            "rules": rules_as_json(claimed.rules),
        }
        if claimed.rules.refusal is not None:
            answer["error"] = claimed.rules.refusal
        return answer

    def before_tools(self, job: str, calls: Any) -> Any:
        """Decide about all tool calls of one assistant message.

        `calls` is a list of objects with `id`, `tool`, `arguments`, and optionally `control` and `cwd`. The answer is
        `{batch, calls: [{id, effect, ruleId, ruleVersion, result?, consume?}], message?, approval?, notices}`; where
        the gate is off, it is `calls` itself.
        """
        if self._is_off(job):
            return calls
        claimed = self._claimed(job)
        if isinstance(claimed, str):
            return denied_batch(calls, claimed)
        if claimed is None:
            return calls
        read = read_calls(calls)
        if isinstance(read, BadRequest):
            return denied_batch(calls, read.reason)
        assert self._project is not None
        ledger = self._ledger_of(claimed)
        try:
            judged, held, failure = batches.judge_batch(claimed, read, self._project.policy(), ledger)
            fired = [*fired_in_batch(judged)]
            for each in (each for each in judged if each.shadows):
                fired.extend(self._shadows(each.shadows, key_of_call(each.call), each.call.tool, each.summary))
        except (ValueError, TypeError, RuntimeError) as error:
            # Arguments that no JSON can hold: a circle, keys that are no texts, or deeper than anyone reads.
            return denied_batch(calls, f"the call cannot be judged ({type(error).__name__})")
        return self._told(batches.as_answer(judged, held), claimed, fired, failure)

    def before_completion(self, job: str, completion: Any) -> Any:
        """Decide whether a completion is accepted.

        `completion` has `text`, `calls` (the control calls) and `pendingSubtasks`. The answer's `decision` is `accept`,
        `refuse` or `skipped`; where the gate is off, the answer is `completion` itself.
        """
        if self._is_off(job):
            return completion
        claimed = self._claimed(job)
        if isinstance(claimed, str):
            return refused_completion(completion, claimed)
        if claimed is None:
            return completion
        read = read_completion(completion)
        if isinstance(read, BadRequest):
            return refused_completion(completion, read.reason)
        if read.pending_subtasks:
            return {"decision": "skipped", "calls": [], "notices": []}
        found = completions.judge_completion(claimed, read.text, self._ledger_of(claimed))
        key = digest((COMPLETION, read.text, read.controls))
        fired = [*fired_in_completion(found, key), *self._shadows(found.shadows, key, None, read.text)]
        return self._told(completions.as_answer(found, read.controls), claimed, fired, found.failure)

    def decide(self, request_id: str, approve: bool, by: str = "") -> dict[str, Any]:
        """Answer a request for approval; `decided` is false where it does not wait any more."""
        return self._changed(
            "decided",
            lambda connection, now: approvals.decide(connection, self._name, request_id, approve is True, by, now),
        )

    def consume(self, request_id: str, nonce: str, fingerprint: str) -> dict[str, Any]:
        """Spend an approval right before the call runs; `consumed` is true for one caller, once."""
        return self._changed(
            "consumed",
            lambda connection, now: approvals.consume(connection, self._name, request_id, nonce, fingerprint, now),
        )

    def release(self, job: str) -> dict[str, Any]:
        """Note that a job is done."""
        if self._refusal is not None or not are_names((job,), None):
            return {"released": False, "reason": self._refusal or _NO_NAMES}
        was_off = self._is_off(job) or (job not in self._jobs and self._rules_now() is None)
        self._jobs.pop(job, None)
        self._recorder.done(job)
        if was_off:
            return {"released": False, "reason": _OFF}
        return self._changed("released", lambda connection, now: jobs.release(connection, self._name, job, now))

    def approvals(self, state: str | None = None) -> list[dict[str, Any]] | str:
        """The requests of the project, of one state or of all; a text says why they cannot be told."""
        if self._refusal is not None:
            return self._refusal
        if self._project is None or not may_be_store(self._database.path):
            return []
        try:
            with self._database.change() as connection:
                approvals.expire(connection, self._name, self._clock())
                found = approvals.all_in(connection, self._name, state)
        except StoreFailure as error:
            return str(error)
        return [
            {
                "requestId": each.request_id,
                "state": each.state,
                "ruleId": each.rule,
                "ruleName": each.rule_name,
                "summary": each.summary,
                "task": each.task,
                "job": each.job,
                "snapshotId": each.snapshot,
            }
            for each in found
        ]

    def status(self) -> dict[str, Any]:
        """The file's switch, and every rule of the file as it is now; no database is opened."""
        if self._refusal is not None:
            return {"available": True, "enabled": True, "rules": [], "error": self._refusal}
        if self._project is None:
            return {"available": False, "enabled": False, "rules": []}
        content = self._file()
        text, unreadable = content.text() if content.exists else ("", None)
        if unreadable is not None:
            return {"available": True, "enabled": True, "rules": [], "error": unreadable}
        rules = read_auto_prompter(Text(text)).rules
        found = {"available": True, "enabled": content.exists and rules.enabled, "rules": rules_as_json(rules)}
        return found if rules.refusal is None else {**found, "error": rules.refusal}

    def events(self) -> Iterator[dict[str, Any]]:
        """The audit of the project, the first of each id, the oldest first."""
        return self._audit.read()

    def follow(self) -> AuditFollower:
        """What tells the events that are there, and then each new one."""
        return AuditFollower(self._audit.directory)

    def listen(self, listener: Listener) -> None:
        """Tell a listener of every new notice of this gate."""
        self._recorder.listen(listener)

    def close(self) -> None:
        """Give the database back."""
        self._database.close()

    def _is_off(self, job: object) -> bool:
        if self._project is None:
            return self._refusal is None
        return isinstance(job, str) and self._jobs.get(job, self) is None

    def _rules_now(self) -> RuleSet | None:
        """The rules of the file as it is now; None where the gate is off, or has no file and no open job."""
        if self._project is None:
            return None
        content = self._file()
        if not content.exists:
            # A file that was removed in the middle of a job does not set it free.
            return RuleSet() if may_have_open_jobs(self._database, self._name) else None
        text, unreadable = content.text()
        if unreadable is not None:
            return RuleSet(refusal=f"the file cannot be read: {unreadable}")
        read = Text(text)
        return None if is_switched_off(read) else read_auto_prompter(read).rules

    def _file(self) -> FileContent:
        assert self._project is not None
        root = self._project.root
        return read_file(os.path.join(root.given, FILE_NAME), root.real)

    def _claimed(self, job: object) -> Job | str | None:
        """The job of a name, None where it is off, or why there is none."""
        if self._refusal is not None:
            return self._refusal
        if not isinstance(job, str):
            return _NOT_CLAIMED
        if job in self._jobs:
            return self._jobs[job]
        if self._rules_now() is None:
            self._jobs[job] = None
            return None
        try:
            with self._database.look() as connection:
                found = jobs.find(connection, self._name, job)
        except StoreFailure as error:
            return str(error)
        if found is None:
            return _NOT_CLAIMED
        self._jobs[job] = found
        return found

    def _ledger_of(self, job: Job) -> Callable[[], contextlib.AbstractContextManager[Ledger]]:
        @contextlib.contextmanager
        def opened() -> Iterator[Ledger]:
            with self._database.change() as connection:
                yield Ledger(connection, self._name, job, self._clock())

        return opened

    def _shadows(self, rules: Iterable[Rule], key: str, tool: str | None, text: str) -> Iterator[Fired]:
        for rule in rules:
            verdict, milliseconds = shadow_verdict(self._judge, rule, text)
            label = COMPLETION if tool is None else tool
            yield Fired(rule, key, OBSERVED, tool, label, None, verdict, milliseconds)

    def _told(self, answer: dict[str, Any], job: Job, fired: Sequence[Fired], failure: str | None) -> dict[str, Any]:
        recorded = self._recorder.record(job, fired, self._clock()) if fired else Recorded()
        answer["notices"] = recorded.notices
        if recorded.failure is not None:
            answer["auditError"] = recorded.failure
        if failure is not None:
            answer["error"] = failure
        return answer

    def _changed(self, name: str, change: Callable[[Connection, float], bool]) -> dict[str, Any]:
        if self._project is None:
            return {name: False, "reason": self._refusal or _OFF}
        if not may_be_store(self._database.path):
            return {name: False, "reason": _NOTHING}
        try:
            with self._database.change() as connection:
                done = change(connection, self._clock())
        except StoreFailure as error:
            return {name: False, "reason": str(error)}
        return {name: done} if done else {name: False, "reason": _NOTHING}
