"""The MCP server: the engine's answers as tools, and the rules in force as a resource that can be subscribed to.

Whoever starts the server says which project is asked: by a root, else the client by its own roots, else the working
directory. A root that is no directory of this machine is not open, and where none is open everything is denied.

Clients send no events of files, and a watcher of the whole tree would cost more than all answers together. So a change
of the policy is noticed when somebody asks (each answer reads the governing files anyway) and, while somebody is
subscribed and only then, by the same look every `LOOK_SECONDS`.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.session import ServerSession
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated, ServerEvent
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from rules_lsp import __version__
from rules_lsp.agents.mcp_gate import Gate, GateOptions, GateTool
from rules_lsp.agents.mcp_tools import TOOLS, AskingTool
from rules_lsp.features.effective_policy import effective_policy
from rules_lsp.policy.policy import Policy
from rules_lsp.source.uri import usable_path
from rules_lsp.workspace.finding import find_root
from rules_lsp.workspace.folders import Folders

POLICY_URI = "rules://policy"
LOOK_SECONDS = 2.0
ROOTS_SECONDS = 30.0
"""How long the client may take to name its roots."""
_ROOTS = "roots"
_INSTRUCTIONS = (
    "This server knows the rules that the project gives to coding agents. Ask `check_file` before you touch a file and "
    "`check_tool` before you call a tool; ask `filter_paths` about many files at once. A denial is final: do not try "
    "another way to the same file. An error counts as a denial."
)
_READS_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_WRITES_STATE = types.ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
_Context = ServerRequestContext[Any, Any]


def serve(
    root: str | None, config: str | None, *, fold_case: bool | None = None, gate: GateOptions | None = None
) -> None:
    """Serve one client over standard input and output until it has gone."""

    async def run() -> None:
        server = create_server(root, config, fold_case=fold_case, gate=gate)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)


def create_server(
    root: str | None,
    config: str | None,
    *,
    fold_case: bool | None = None,
    look_seconds: float = LOOK_SECONDS,
    gate: GateOptions | None = None,
) -> Server[Any]:
    """A server for one client. `root` is an absolute path; without it the client's roots count."""
    rules = _Rules(
        root, lambda: Folders(config, fold_case=fold_case), look_seconds, Gate(config, fold_case, gate or GateOptions())
    )
    server: Server[Any] = Server(
        "rules-lsp",
        version=__version__,
        title="Rules for coding agents",
        instructions=_INSTRUCTIONS,
        lifespan=rules.life,
        on_list_tools=rules.list_tools,
        on_call_tool=rules.call_tool,
        on_list_resources=_list_resources,
        on_read_resource=rules.read_resource,
        on_subscribe_resource=rules.subscribe,
        on_unsubscribe_resource=rules.unsubscribe,
        on_subscriptions_listen=ListenHandler(rules.bus),
    )
    server.add_notification_handler("notifications/roots/list_changed", types.NotificationParams, rules.roots_changed)
    return server


async def _list_resources(
    context: _Context, parameters: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    policy = types.Resource(
        uri=POLICY_URI,
        name="policy",
        title="The rules in force",
        description="The rules of the open project as they hold now, as JSON. Subscribe to hear of changes.",
        mime_type="application/json",
    )
    return types.ListResourcesResult(resources=[policy])


class _Bus(InMemorySubscriptionBus):
    """Tells when the first listener comes and the last one goes."""

    def __init__(self, changed: Callable[[int], None]) -> None:
        super().__init__()
        self._changed = changed

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        unsubscribe = super().subscribe(listener)
        self._changed(+1)
        left = False

        def leave() -> None:
            nonlocal left
            unsubscribe()
            if not left:
                left = True
                self._changed(-1)

        return leave


class _Rules:
    """What one client is answered from."""

    def __init__(self, root: str | None, new_folders: Callable[[], Folders], look_seconds: float, gate: Gate) -> None:
        self.bus = _Bus(self._listeners_changed)
        self._root = root
        self._new_folders = new_folders
        self._look_seconds = look_seconds
        self._gate = gate
        self._paths: tuple[str, ...] | None = None
        self._folders = new_folders()
        self._listeners = 0
        self._session: ServerSession | None = None
        self._wanted = anyio.Event()
        self._told: tuple[Policy, ...] | None = None

    @asynccontextmanager
    async def life(self, server: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        """Look at the policy now and then while the server runs."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._look)
            try:
                yield {}
            finally:
                self._gate.close()
            group.cancel_scope.cancel()

    async def list_tools(
        self, context: _Context, parameters: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """The tools. Those of the gate are told where the project that is known so far has rules of that kind."""
        here = (self._root if self._root is not None else find_root(os.getcwd()),)
        gate = self._gate.tools if self._gate.is_listed(here if self._paths is None else self._paths) else ()
        told: list[tuple[AskingTool | GateTool, types.ToolAnnotations]] = [(tool, _READS_ONLY) for tool in TOOLS]
        told += [(tool, _WRITES_STATE if tool.changes else _READS_ONLY) for tool in gate]
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    title=tool.title,
                    description=tool.description,
                    input_schema=tool.input_schema(),
                    output_schema=tool.output_schema(),
                    annotations=annotations,
                )
                for tool, annotations in told
            ]
        )

    async def call_tool(
        self, context: _Context, parameters: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Answer a call; a failure of the engine is a result that is an error."""
        tools = (*TOOLS, *self._gate.tools)
        tool = next((tool for tool in tools if tool.name == parameters.name), None)
        if tool is None:
            names = ", ".join(tool.name for tool in tools)
            message = f"there is no tool `{parameters.name}`: use one of {names}"
            raise MCPError(code=types.INVALID_PARAMS, message=message)
        if (needed := await self._open(context, parameters)) is not None:
            return needed
        try:
            arguments = parameters.arguments or {}
            if isinstance(tool, GateTool):
                answer = self._gate.answer(self._folders, tool, arguments)
            else:
                answer = tool.answer(self._folders, arguments)
        except Exception as error:
            reason = f"policy engine failed: {type(error).__name__}: {error}: take it as a denial"
            return types.CallToolResult(content=[types.TextContent(text=reason)], is_error=True)
        return types.CallToolResult(
            content=[types.TextContent(text=json.dumps(answer))],
            structured_content=answer,
        )

    async def read_resource(
        self, context: _Context, parameters: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult | types.InputRequiredResult:
        """The rules in force, as `effective_policy` gives them."""
        _known(parameters.uri)
        if (needed := await self._open(context, parameters)) is not None:
            return needed
        folders = [effective_policy(project.policy()) for project in self._folders.projects]
        text = json.dumps({"folders": folders})
        content = types.TextResourceContents(uri=POLICY_URI, mime_type="application/json", text=text)
        return types.ReadResourceResult(contents=[content])

    async def subscribe(self, context: _Context, parameters: types.SubscribeRequestParams) -> types.EmptyResult:
        """Tell this client of changes from now on."""
        _known(parameters.uri)
        await self._open(context, None)
        if self._session is None:
            self._listeners_changed(+1)
        self._session = context.session
        return types.EmptyResult()

    async def unsubscribe(self, context: _Context, parameters: types.UnsubscribeRequestParams) -> types.EmptyResult:
        """Tell this client nothing more."""
        _known(parameters.uri)
        if self._session is not None:
            self._session = None
            self._listeners_changed(-1)
        return types.EmptyResult()

    async def roots_changed(self, context: _Context, parameters: types.NotificationParams) -> None:
        """Ask for the client's roots anew before the next answer."""
        self._paths = None

    async def _open(
        self, context: _Context, parameters: types.InputResponseRequestParams | None
    ) -> types.InputRequiredResult | None:
        """Open what is to be asked, or say what the client must tell first. Whoever is subscribed hears of news."""
        capabilities = context.session.client_capabilities
        has_roots = capabilities is not None and capabilities.roots is not None
        if self._root is not None or not has_roots:
            self._use((self._root if self._root is not None else find_root(os.getcwd()),))
        elif context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            # These clients answer no requests and send no events: the roots come along with each question.
            given = (parameters.input_responses or {}).get(_ROOTS) if parameters is not None else None
            if not isinstance(given, types.ListRootsResult):
                return types.InputRequiredResult(input_requests={_ROOTS: types.ListRootsRequest()})
            self._use(_paths_of(given))
        elif self._paths is None:
            try:
                listed = await context.session.send_request(
                    types.ListRootsRequest(), types.ListRootsResult, request_read_timeout_seconds=ROOTS_SECONDS
                )
            except MCPError:
                self._folders, self._paths = self._new_folders(), None
                return None
            self._use(_paths_of(listed))
        await self._tell()
        return None

    def _use(self, paths: tuple[str, ...]) -> None:
        if paths == self._paths:
            return
        self._folders, self._paths = self._new_folders(), paths
        for path in paths:
            self._folders.open(path)

    async def _look(self) -> None:
        while True:
            await self._wanted.wait()
            await anyio.sleep(self._look_seconds)
            if self._paths is not None:
                await self._tell()

    async def _tell(self) -> None:
        """Tell whoever is subscribed if the policies are others than those of the last look."""
        # A project gives the same policy for as long as its governing files are the same.
        now = tuple(project.policy() for project in self._folders.projects)
        before, self._told = self._told, now
        if before is None or (len(before) == len(now) and all(a is b for a, b in zip(before, now, strict=True))):
            return
        if self._session is not None:
            await self._session.send_resource_updated(POLICY_URI)
        await self.bus.publish(ResourceUpdated(POLICY_URI))

    def _listeners_changed(self, change: int) -> None:
        self._listeners += change
        if self._listeners:
            self._wanted.set()
        else:
            self._wanted = anyio.Event()


def _paths_of(listed: types.ListRootsResult) -> tuple[str, ...]:
    """The directories that a client's roots name. A client without a root has the working directory."""
    if not listed.roots:
        return (find_root(os.getcwd()),)
    paths = (usable_path(str(root.uri)) for root in listed.roots)
    return tuple(path for path in paths if path is not None and os.path.isdir(path))


def _known(uri: str) -> None:
    if str(uri) != POLICY_URI:
        raise MCPError(code=types.INVALID_PARAMS, message=f"there is no resource `{uri}`: use {POLICY_URI}")
