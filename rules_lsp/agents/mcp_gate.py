"""The gate of Auto Prompter as tools of the MCP server. Nothing here knows MCP.

A server is the agent's or the approver's, as whoever starts it says, and never both: an agent that asks for approval
must not be able to give it through the same server. So `gate_decide` is no tool of the agent's server, and the
approver's has no tool that claims, asks or spends.

No argument names a root: with several open folders it is not settled whose rules hold, and the gate answers none.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rules_lsp.agents import mcp_gate_schemas as schemas
from rules_lsp.prompter.keys import FILE_NAME
from rules_lsp.schemas import Schema
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.folders import Folders

if TYPE_CHECKING:
    from rules_lsp.prompter.gate import PolicyGate

PREFIX = "gate_"


@dataclass(frozen=True, slots=True)
class GateTool:
    """A tool for one method of the gate. `changes` says whether it writes to the store."""

    method: str
    title: str
    description: str
    input_schema: Callable[[], Schema]
    output_schema: Callable[[], Schema]
    changes: bool = True

    @property
    def name(self) -> str:
        """The tool's name."""
        return PREFIX + self.method


@dataclass(frozen=True, slots=True)
class GateOptions:
    """How a server offers the gate: `listed` also where the project has no rules of that kind yet.

    `approver` makes it the server of whoever approves. `store` is the database's file, None the one in the user's
    state folder; `clock` tells seconds since 1970.
    """

    listed: bool = False
    approver: bool = False
    store: str | None = None
    clock: Callable[[], float] = time.time


_LOOKING = (
    GateTool(
        "status",
        "Which rules act here?",
        "The switch and every rule of .auto-prompter.yaml as the file is now, rules that are off as off.",
        schemas.status_input,
        schemas.status_output,
        changes=False,
    ),
    GateTool(
        "approvals",
        "What waits for approval?",
        "The requests for approval of the project, of one state or of all, with what would run.",
        schemas.approvals_input,
        schemas.approvals_output,
        changes=False,
    ),
)
OF_AGENT = (
    GateTool(
        "claim_job",
        "Begin or resume a job",
        "Call it once before a job begins: it fixes the rules of the job. Put `preamble` into the system prompt.",
        schemas.claim_input,
        schemas.claim_output,
    ),
    GateTool(
        "before_tools",
        "May these calls run?",
        "Call it with all tool calls of one assistant message before any of them runs. Where `batch` is `held`, run "
        "nothing; give each call its `result`, then the `message`. Where it is `run`, run the calls without `result`, "
        "each after its `consume` was spent with gate_consume.",
        schemas.tools_input,
        schemas.tools_output,
    ),
    GateTool(
        "before_completion",
        "May the job end?",
        "Call it before a completion is accepted. Where `decision` is `refuse`, give each call its `result`, then the "
        "`message`, and go on.",
        schemas.completion_input,
        schemas.completion_output,
    ),
    GateTool(
        "consume",
        "Spend an approval",
        "Call it right before a call runs that was approved. Run the call only where `consumed` is true.",
        schemas.consume_input,
        schemas.consume_output,
    ),
    GateTool(
        "release",
        "End a job",
        "Call it when a job is done.",
        schemas.release_input,
        schemas.release_output,
    ),
    *_LOOKING,
)
"""What an agent's loop calls."""
OF_APPROVER = (
    GateTool(
        "decide",
        "Approve or deny a request",
        "Answers a request that waits, once. Ask the person who approves, each time.",
        schemas.decide_input,
        schemas.decide_output,
    ),
    *_LOOKING,
)
"""What whoever approves calls."""


class Gate:
    """The gate of one server, opened when it is first asked."""

    def __init__(self, config: str | None, fold_case: bool | None, options: GateOptions) -> None:
        self.tools = OF_APPROVER if options.approver else OF_AGENT
        self._config = config
        self._fold_case = fold_case
        self._options = options
        self._root: str | None = None
        self._gate: PolicyGate | None = None

    def is_listed(self, roots: tuple[str, ...]) -> bool:
        """Whether the tools are told to a client with these roots. Those that are not told answer all the same."""
        if self._options.listed or self._options.approver:
            return True
        return any(os.path.lexists(os.path.join(root, FILE_NAME)) for root in roots)

    def answer(self, folders: Folders, tool: GateTool, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The answer of a method as `rules_lsp.prompter.front` gives it: `answer`, or `error`, which is a denial."""
        from rules_lsp.prompter.front import answer

        if len(folders.projects) != 1:
            many = "several folders are open: start the server with --root"
            return {"error": many if folders.projects else "no folder is open"}
        return answer(self._gate_of(folders.projects[0].root.given), {"do": tool.method, "with": arguments})

    def close(self) -> None:
        """Give the database back."""
        if self._gate is not None:
            self._gate.close()
            self._gate = None

    def _gate_of(self, root: str) -> PolicyGate:
        if self._gate is None or root != self._root:
            from rules_lsp.prompter.gate import PolicyGate

            self.close()
            self._root = root
            self._gate = PolicyGate.open(
                root,
                self._options.store,
                config=self._config,
                fold_case=self._fold_case,
                clock=self._options.clock,
            )
        return self._gate
