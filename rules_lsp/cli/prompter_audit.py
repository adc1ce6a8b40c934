"""`rules-lsp prompter audit`: what fired, once or for as long as somebody listens."""

from __future__ import annotations

import json
import select
import signal
import sys
from collections.abc import Mapping
from threading import Event
from typing import TYPE_CHECKING, Any

from rules_lsp.cli.main import OK
from rules_lsp.cli.printable import printable

if TYPE_CHECKING:
    from rules_lsp.prompter.gate import PolicyGate

LOOK_SECONDS = 0.25


def show(gate: PolicyGate, as_json: bool) -> int:
    """Print the events that are there."""
    for event in gate.events():
        print(line_of(event, as_json))
    return OK


def follow(gate: PolicyGate, as_json: bool) -> int:
    """Print the events that are there, then each new one, until a signal or the reader ends it."""
    stopped = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    follower = gate.follow()
    while True:
        for event in follower.new_events():
            print(line_of(event, as_json), flush=True)
            if stopped.is_set():
                return OK
        if stopped.wait(LOOK_SECONDS):
            return OK
        if _nobody_reads():
            raise BrokenPipeError


def line_of(event: Mapping[str, Any], as_json: bool) -> str:
    """One event as a line for people, or as JSON."""
    if as_json:
        return json.dumps(event)
    what = event.get("outcome", event.get("type", ""))
    about = event.get("ruleName", ", ".join(map(str, event.get("what", ()))))
    by = event.get("targetLabel", event.get("who", ""))
    return printable(f"{event.get('createdAt', '')}  {what}  {about}  {by}".rstrip())


def _nobody_reads() -> bool:
    """Whether the other end of a pipe is closed: without an event, no write would tell."""
    if not hasattr(select, "poll"):
        return False
    asked = select.poll()
    asked.register(sys.stdout.fileno(), 0)
    return bool(asked.poll(0))
