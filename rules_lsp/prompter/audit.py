"""The audit: JSON lines, a file a day, best effort. Readers keep the first of an id.

Only the fields of `FIELDS` are written, texts masked. Nothing here raises.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping

from rules_lsp.policy.config import RETENTION_DAYS
from rules_lsp.prompter.masking import masked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FIELDS = (
    "eventId",
    "type",
    "createdAt",
    "task",
    "piece",
    "movement",
    "job",
    "snapshotId",
    "ruleId",
    "ruleVersion",
    "ruleName",
    "when",
    "action",
    "outcome",
    "method",
    "tool",
    "targetLabel",
    "requestId",
    "verdict",
    "milliseconds",
    "who",
    "what",
)
_OURS = frozenset({"eventId", "createdAt", "snapshotId", "ruleVersion", "requestId"})
"""Fields that are made here and hold no word of others."""
SEEN = 1_024
_APPENDING = os.O_WRONLY | os.O_APPEND | os.O_CREAT
_DAY = 86_400.0
_MOST_BYTES = 64 * 1024 * 1024


class AuditLog:
    """The audit of one project in a directory of its own.

    `retention_days` is the operator's setting, or tells it when days are dropped.
    """

    def __init__(self, directory: str, retention_days: int | Callable[[], int] = RETENTION_DAYS) -> None:
        self.directory = directory
        self._retention = retention_days
        self._cleaned: str | None = None
        self._is_torn = False

    def append(self, event: Mapping[str, Any], now: float) -> str | None:
        """Write an event; why it could not be written, or None."""
        return self.append_all((event,), now)

    def append_all(self, events: Iterable[Mapping[str, Any]], now: float) -> str | None:
        """Write events, all or none of which count; why they could not be written, or None."""
        kept = ({key: _clean(key, event[key]) for key in FIELDS if event.get(key) is not None} for event in events)
        lines = "".join(f"{_written(each)}\n" for each in kept).encode("ascii")
        day = time.strftime("%Y-%m-%d", time.gmtime(now))
        path = os.path.join(self.directory, f"{day}.jsonl")
        try:
            try:
                descriptor = os.open(path, _APPENDING, 0o600)
            except FileNotFoundError:
                os.makedirs(self.directory, mode=0o700, exist_ok=True)
                descriptor = os.open(path, _APPENDING, 0o600)
            try:
                # One write to a file that is open for appending is not mixed with another's.
                given = b"\n" + lines if self._is_torn else lines
                self._is_torn = False
                if os.write(descriptor, given) != len(given):
                    # What is written next begins a line of its own.
                    self._is_torn = True
                    return "the audit failed: the disk is full"
            finally:
                os.close(descriptor)
        except OSError as error:
            return f"the audit failed: {(error.strerror or 'unknown cause').lower()}"
        if day != self._cleaned:
            self._cleaned = day
            # A setting that cannot be asked for drops nothing.
            with contextlib.suppress(ValueError):
                self._drop_old(now)
        return None

    def read(self) -> Iterator[dict[str, Any]]:
        """The events in the order of their writing, the first of each id; lines that cannot be read are passed over."""
        seen: set[str] = set()
        for name in audit_files(self.directory):
            try:
                with open(os.path.join(self.directory, name), "rb") as file:
                    data = file.read(_MOST_BYTES)
            except OSError:
                continue
            for line in data.splitlines():
                event = event_of(line)
                if event is not None and event["eventId"] not in seen:
                    seen.add(event["eventId"])
                    yield event

    def _drop_old(self, now: float) -> None:
        days = self._retention if isinstance(self._retention, int) else self._retention()
        oldest = time.strftime("%Y-%m-%d", time.gmtime(max(0.0, now - days * _DAY)))
        for name in audit_files(self.directory):
            if name.removesuffix(".jsonl") < oldest:
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(self.directory, name))


class FirstSeen:
    """The ids that live listeners of a job were told of: the last `SEEN`."""

    def __init__(self) -> None:
        self._jobs: dict[str, OrderedDict[str, None]] = {}

    def is_new(self, job: str, event: str) -> bool:
        """Whether an id comes for the first time; it is remembered."""
        queue = self._jobs.setdefault(job, OrderedDict())
        if event in queue:
            return False
        queue[event] = None
        if len(queue) > SEEN:
            queue.popitem(last=False)
        return True

    def done(self, job: str) -> None:
        """Forget a job."""
        self._jobs.pop(job, None)


_written = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def _clean(key: str, value: object) -> object:
    if isinstance(value, str):
        return value if key in _OURS else masked(value)
    if isinstance(value, (list, tuple)):
        return [_clean(key, each) for each in value]
    return value if isinstance(value, (int, float, bool)) else masked(str(value))


def audit_files(directory: str) -> list[str]:
    """The names of the files of an audit, the oldest day first."""
    try:
        return sorted(name for name in os.listdir(directory) if name.endswith(".jsonl"))
    except OSError:
        return []


def event_of(line: bytes) -> dict[str, Any] | None:
    """The event of a line, or None where it is none."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("eventId"), str) else None
