"""Approvals: the user of the editor is asked, one request after another, and what became of each is told.

Only a click on `APPROVE` approves. A request that is dismissed, that nobody answers in time, or that this client cannot
show is denied.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from rules_lsp.lsp.gates import Gates
from rules_lsp.lsp.protocol import Protocol
from rules_lsp.lsp.state import State
from rules_lsp.policy.requests import printable
from rules_lsp.source.excerpt import bounded
from rules_lsp.workspace.project import Project

if TYPE_CHECKING:
    from rules_lsp.prompter.gate import PolicyGate

APPROVAL_DECIDED = "rulesLsp/approvalDecided"
"""Notification of what became of a request: `requestId`, `job`, `ruleId`, `ruleName`, its `state` (null where the store
cannot tell), and the `reason`: `user`, `dismissed`, `timed-out`, `no-client`, `elsewhere` or `store-failed`."""
APPROVE, DENY = "Approve once", "Deny"
APPROVED, DENIED = "approved", "denied"
USER, DISMISSED, TIMED_OUT, NO_CLIENT, ELSEWHERE, STORE_FAILED = (
    "user",
    "dismissed",
    "timed-out",
    "no-client",
    "elsewhere",
    "store-failed",
)
LONGEST_NAME = 100

Answer = tuple[bool, str]
"""Whether a request is approved, and why it is so."""

logger = logging.getLogger(__name__)


class _Waiting:
    """A request that the user has not decided; `answer` is set once."""

    def __init__(self, project: Project, request: Mapping[str, Any]) -> None:
        self.project = project
        self.request = request
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    @property
    def identity(self) -> str:
        return str(self.request["requestId"])

    def settle(self, approve: bool, reason: str) -> None:
        """Answer, unless there is an answer."""
        if not self.answer.done():
            self.answer.set_result((approve, reason))


class Approving:
    """The loop's own. `client` is the name of the client, for the record of who decided."""

    def __init__(
        self, state: State, messages: Protocol, gates: Gates, report: Callable[[str, Exception], None], client: str = ""
    ) -> None:
        self._state = state
        self._messages = messages
        self._gates = gates
        self._report = report
        self.client = client
        self._waiting: dict[str, _Waiting] = {}
        self._task: asyncio.Task[None] | None = None

    @property
    def who(self) -> str:
        """Who decides: the client by its name, else the user of the machine."""
        if self.client:
            return self.client
        import getpass

        try:
            return getpass.getuser()
        except (OSError, KeyError, ImportError):
            return ""

    def ask(self, project: Project, requests: Iterable[Mapping[str, Any]]) -> None:
        """Have the user decide requests that wait, behind those that wait already; none is shown twice."""
        for request in requests:
            waiting = _Waiting(project, request)
            self._waiting.setdefault(waiting.identity, waiting)
        if self._waiting and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._decide_all())

    def decided(self, request_id: str) -> None:
        """Note that a request was decided without the user of the editor: it is not shown, or no longer heeded."""
        waiting = self._waiting.get(request_id)
        if waiting is not None:
            waiting.settle(False, ELSEWHERE)

    async def close(self) -> None:
        """Deny what still waits: with the editor goes the user who was asked."""
        waiting, self._waiting = list(self._waiting.values()), {}
        if self._task is not None:
            self._task.cancel()
        for each in waiting:
            await self._recorded(each, False)

    async def _decide_all(self) -> None:
        try:
            while self._waiting:
                identity, waiting = next(iter(self._waiting.items()))
                try:
                    await self._decide(waiting)
                except Exception as error:
                    self._report("the approval of a call", error)
                self._waiting.pop(identity, None)
        finally:
            self._task = None

    async def _decide(self, waiting: _Waiting) -> None:
        if await self._state_of(waiting) not in ("pending", None):
            waiting.settle(False, ELSEWHERE)
        if not waiting.answer.done():
            self._show(waiting)
        approve, reason = await waiting.answer
        state: str | None = None
        if reason != ELSEWHERE:
            done = await self._recorded(waiting, approve)
            if done["decided"]:
                state = APPROVED if approve else DENIED
        if state is None:
            state = await self._state_of(waiting)
            reason = ELSEWHERE if state not in ("pending", None) else STORE_FAILED
        if not self._messages.shut_down:
            told = {key: waiting.request[key] for key in ("requestId", "job", "ruleId", "ruleName")}
            self._messages.notify(APPROVAL_DECIDED, {**told, "state": state, "reason": reason})

    def _show(self, waiting: _Waiting) -> None:
        if not self._state.flags.asks_user or self._messages.shut_down:
            waiting.settle(False, NO_CLIENT)
            return
        message_id = str(uuid.uuid4())
        actions = [types.MessageActionItem(APPROVE), types.MessageActionItem(DENY)]
        question = types.ShowMessageRequestParams(types.MessageType.Warning, question_of(waiting.request), actions)
        sent = self._messages.send_request(types.WINDOW_SHOW_MESSAGE_REQUEST, question, msg_id=message_id)
        sent.add_done_callback(lambda answer: waiting.settle(*_answer_of(answer)))
        seconds = self._state.settings_of(waiting.project.root).approval_seconds
        timer = asyncio.get_running_loop().call_later(seconds, waiting.settle, False, TIMED_OUT)

        def end(answer: asyncio.Future[Answer]) -> None:
            timer.cancel()
            if not sent.done() and not self._messages.shut_down:
                # A client that can takes the question away; its answer would be heeded no more.
                self._messages.notify(types.CANCEL_REQUEST, types.CancelParams(message_id))

        waiting.answer.add_done_callback(end)

    async def _recorded(self, waiting: _Waiting, approve: bool) -> dict[str, Any]:
        who = self.who
        return await self._gates.ask(waiting.project, lambda gate: gate.decide(waiting.identity, approve, who))

    async def _state_of(self, waiting: _Waiting) -> str | None:
        """The state of a request as the store has it; None where the store cannot tell, or knows of none."""

        def look(gate: PolicyGate) -> str | None:
            found = gate.approvals()
            if isinstance(found, str):
                logger.warning("the state of an approval is not known: %s", found)
                return None
            return next((str(each["state"]) for each in found if each["requestId"] == waiting.identity), None)

        return await self._gates.ask(waiting.project, look)


def question_of(request: Mapping[str, Any]) -> str:
    """What the user is asked: the rule's name, and what would run, in one line without links."""
    name = bounded(printable(" ".join(str(request["ruleName"]).split())), LONGEST_NAME)
    # Editors make links of Markdown's form in a message: what a call says must not be one that looks like an answer.
    return f"{name}: may this run once? {request['summary']}".replace("](", "] (")


def _answer_of(answer: Future[Any]) -> Answer:
    if answer.cancelled() or answer.exception() is not None:
        return False, NO_CLIENT
    title = getattr(answer.result(), "title", None)
    if title is None:
        return False, DISMISSED
    return title == APPROVE, USER
