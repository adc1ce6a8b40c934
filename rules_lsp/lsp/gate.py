"""The gate of Auto Prompter as commands: what an agent's loop asks before its tools run and its completion is accepted.

Each takes one object; `folder` in it says in which of several open folders the agent works, else it is the first. A
request that cannot be read is answered with an error, which an agent counts as a denial.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInternalError, JsonRpcInvalidParams

from rules_lsp.lsp.overviews import projects_asked
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.workspace.project import Project

if TYPE_CHECKING:
    from rules_lsp.prompter.gate import PolicyGate

_NAMES = {"requestId": "request_id"}
"""What answers call in the manner of JSON, and the gate in that of Python; either may be written."""
_STATES = ("pending", "approved", "denied", "consumed", "expired")


async def claim_job(server: RulesLanguageServer, *arguments: Any) -> Any:
    """Begin or resume a job of an agent: takes `task`, `piece`, `movement` and `job`.

    Optionally `roles`, `delegate` and `parent`. Raises JsonRpcInvalidParams for other arguments.
    """
    return await _answer(server, "rulesLsp.gate.claimJob", "claim_job", arguments)


async def before_tools(server: RulesLanguageServer, *arguments: Any) -> Any:
    """Which tool calls of a message may run? Takes `job` and `calls`; what waits for approval is asked of the user.

    The answer does not wait for the user: `rulesLsp/approvalDecided` tells what became of a request. Raises
    JsonRpcInvalidParams for other arguments.
    """
    project, given = _asked(server, "rulesLsp.gate.beforeTools", arguments)
    answer = await _ask(server, "rulesLsp.gate.beforeTools", "before_tools", project, given)
    # A gate that is off gives back what it was given.
    if answer is not given["calls"] and "approval" in answer:
        server.approving.ask(project, answer.get("approvals", [answer["approval"]]))
    return answer


async def before_completion(server: RulesLanguageServer, *arguments: Any) -> Any:
    """Is the completion of a job accepted? Takes `job` and `completion`.

    Raises JsonRpcInvalidParams for other arguments.
    """
    return await _answer(server, "rulesLsp.gate.beforeCompletion", "before_completion", arguments)


async def decide(server: RulesLanguageServer, *arguments: Any) -> Any:
    """Approve or deny a call that waits: takes `requestId`, `approve`, and optionally `by`, who does.

    Raises JsonRpcInvalidParams for other arguments.
    """
    project, given = _asked(server, "rulesLsp.gate.decide", arguments)
    who = {"by": server.approving.who} if given.get("by") is None else {}
    answer = await _ask(server, "rulesLsp.gate.decide", "decide", project, {**given, **who})
    if answer["decided"]:
        server.approving.decided(given["request_id"])
    return answer


async def consume(server: RulesLanguageServer, *arguments: Any) -> Any:
    """Spend an approval right before its call runs: takes `requestId`, `nonce` and `fingerprint`.

    Raises JsonRpcInvalidParams for other arguments.
    """
    return await _answer(server, "rulesLsp.gate.consume", "consume", arguments)


async def release(server: RulesLanguageServer, *arguments: Any) -> Any:
    """Note that a job is done: takes `job`.

    Raises JsonRpcInvalidParams for other arguments.
    """
    return await _answer(server, "rulesLsp.gate.release", "release", arguments)


async def approvals(server: RulesLanguageServer, *arguments: Any) -> list[dict[str, Any]]:
    """The requests for approval of the project, of one `state` or of all, the oldest first.

    Raises JsonRpcInvalidParams for other arguments, JsonRpcInternalError where the store cannot tell them.
    """
    project, given = _asked(server, "rulesLsp.gate.approvals", arguments)
    state = given.pop("state", None)
    if given or (state is not None and state not in _STATES):
        raise JsonRpcInvalidParams(
            f"`rulesLsp.gate.approvals` takes `folder` and a `state`: {', '.join(f'`{each}`' for each in _STATES)}"
        )
    found = await server.gates.ask(project, lambda gate: gate.approvals(state))
    if isinstance(found, str):
        raise JsonRpcInternalError(found)
    return found


async def status(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """Whether Auto Prompter is on in the project, and every rule of its file, those that are switched off too.

    Raises JsonRpcInvalidParams for other arguments.
    """
    project, given = _asked(server, "rulesLsp.gate.status", arguments)
    if given:
        raise JsonRpcInvalidParams("`rulesLsp.gate.status` takes `folder` alone")
    return await server.gates.ask(project, lambda gate: gate.status())


async def _answer(server: RulesLanguageServer, command: str, method: str, arguments: tuple[Any, ...]) -> Any:
    project, given = _asked(server, command, arguments)
    return await _ask(server, command, method, project, given)


def _asked(server: RulesLanguageServer, command: str, arguments: tuple[Any, ...]) -> tuple[Project, dict[str, Any]]:
    """The project that is asked about, and what it is asked by the gate's own names."""
    (project, *_) = projects_asked(server, arguments, command)
    given: Mapping[str, Any] = arguments[0] if arguments else {}
    return project, {_NAMES.get(name, name): value for name, value in given.items() if name != "folder"}


async def _ask(server: RulesLanguageServer, command: str, method: str, project: Project, given: dict[str, Any]) -> Any:
    def question(gate: PolicyGate) -> dict[str, Any]:
        from rules_lsp.prompter.front import answer

        return answer(gate, {"do": method, "with": given})

    told = await server.gates.ask(project, question)
    if "error" in told:
        raise JsonRpcInvalidParams(f"`{command}`: {told['error']}")
    return told["answer"]
