"""Asking the servers of a project for their tools, and keeping what they say. Only ever on somebody's request."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

from rules_lsp.source.records import dataclass
from rules_lsp.workspace.live.http_channel import HttpChannel
from rules_lsp.workspace.live.learnt import LearntServer, fingerprint_of, read_learnt, write_learnt
from rules_lsp.workspace.live.listing import list_tools
from rules_lsp.workspace.live.starting import Askable, CannotStart, Process, askable_servers, start_of
from rules_lsp.workspace.live.stdio_channel import StdioChannel
from rules_lsp.workspace.live.waiting import Cancelled, Channel, Deadline, Unanswered
from rules_lsp.workspace.server_files import ConfiguredServer

TIMEOUT_SECONDS = 30.0
"""For one server, from its start to the last page of its list."""
MOST_AT_ONCE = 4

Outcome = Literal["listed", "failed", "disabled", "cancelled"]


@dataclass(frozen=True, slots=True)
class Asked:
    """How it went with one server. `words` says why there is no list, or is empty."""

    server: ConfiguredServer
    outcome: Outcome
    words: str = ""
    learnt: LearntServer | None = None


def refresh(
    root: str,
    name: str | None = None,
    *,
    timeout: float = TIMEOUT_SECONDS,
    begins: Callable[[ConfiguredServer], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> tuple[Asked, ...]:
    """Ask the servers of the project at a real path, or those of one name, and keep the lists that they give.

    `timeout` is in seconds and for each server. Servers that are switched off are asked only by name. `begins` and
    `cancelled` are called from other threads. Raises OSError where the lists cannot be kept.
    """
    every = askable_servers(root)
    chosen = _distinct(askable for askable in every if name is None or askable.server.name == name)

    def ask(askable: Askable) -> Asked:
        if askable.server.disabled and name is None:
            return Asked(askable.server, "disabled", "it is switched off in its file")
        if cancelled():
            return Asked(askable.server, "cancelled", "nobody wants it any more")
        begins(askable.server)
        return _ask(askable, root, timeout, cancelled)

    with ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="rules-lsp-tools") as pool:
        asked = tuple(pool.map(ask, chosen))
    answers = [each.learnt for each in asked if each.learnt is not None]
    if answers:
        write_learnt(root, read_learnt(root).with_answers(answers, [askable.server for askable in every]))
    return asked


def _distinct(servers: Iterable[Askable]) -> Sequence[Askable]:
    """The servers without those that another file configures in the same way."""
    return list({(each.server.name, fingerprint_of(each.server.launch)): each for each in servers}.values())


def _ask(askable: Askable, root: str, timeout: float, cancelled: Callable[[], bool]) -> Asked:
    server = askable.server
    deadline = Deadline(timeout, cancelled)
    try:
        start = start_of(askable.entry, root)
        channel: Channel = StdioChannel(start) if isinstance(start, Process) else HttpChannel(start)
        try:
            told = list_tools(channel, deadline)
        finally:
            channel.close()
    except (CannotStart, Unanswered) as error:
        return Asked(server, "failed", str(error))
    except Cancelled:
        return Asked(server, "cancelled", "nobody wants it any more")
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    learnt = LearntServer(server.name, fingerprint_of(server.launch), now, tuple(told.tools), told.whole)
    return Asked(server, "listed", "" if told.whole else "not every tool that it named can be used", learnt)
