"""The gate as tools of the MCP server: the vectors, who may approve, and where the tools are told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from rules_lsp.agents.mcp_gate import OF_AGENT, OF_APPROVER, GateOptions
from rules_lsp.agents.mcp_server import create_server
from tests.prompter.support import ASKING, Place, bash
from tests.prompter.vectors import VECTORS, lay_out, run

PACKAGE = str(Path(__file__).parents[2])
LOOKING = ["gate_status", "gate_approvals"]
ASKS = ["gate_claim_job", "gate_before_tools", "gate_before_completion", "gate_consume", "gate_release"]
JOB = {"task": "t", "piece": "p", "movement": "m", "job": "j"}


def server_of(place: Place, *, approver: bool = False) -> Server[Any]:
    options = GateOptions(approver=approver, store=str(place.store), clock=lambda: place.now)
    return create_server(str(place.root), None, gate=options)


async def asked(client: Client, name: str, /, **arguments: Any) -> Any:
    result = await client.call_tool(name, arguments)
    assert result.is_error is False
    (text,) = result.content
    assert isinstance(text, types.TextContent)
    assert json.loads(text.text) == result.structured_content
    return result.structured_content


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
async def test_a_vector_through_mcp(vector: dict[str, Any], tmp_path: Path) -> None:
    place = Place(tmp_path, None)
    lay_out(vector, place.root)
    # Whoever decides does so through a server of their own.
    async with Client(server_of(place)) as agent, Client(server_of(place, approver=True)) as approver:

        def ask(method: str, arguments: dict[str, Any]) -> Any:
            if method == "wait":
                place.now += arguments["seconds"]
                return {}
            client = approver if method == "decide" else agent

            async def called() -> Any:
                return await asked(client, f"gate_{method}", **arguments)

            return anyio.from_thread.run(called)["answer"]

        await anyio.to_thread.run_sync(run, vector, ask)


async def test_an_agent_cannot_approve_through_the_server_that_it_asks(tmp_path: Path) -> None:
    place = Place(tmp_path)
    async with Client(server_of(place)) as agent, Client(server_of(place, approver=True)) as approver:
        await asked(agent, "gate_claim_job", **JOB)
        waiting = (await asked(agent, "gate_before_tools", job="j", calls=[bash("rm a")]))["answer"]["approval"]
        with pytest.raises(MCPError, match="there is no tool `gate_decide`"):
            await agent.call_tool("gate_decide", {"request_id": waiting["requestId"], "approve": True})
        for name in ASKS:
            with pytest.raises(MCPError, match=f"there is no tool `{name}`"):
                await approver.call_tool(name, {})
        (listed,) = (await asked(approver, "gate_approvals", state="pending"))["answer"]
        assert listed == {
            "requestId": waiting["requestId"],
            "state": "pending",
            "ruleId": "ask",
            "ruleName": "Confirm deletions",
            "summary": "Bash: rm a",
            "task": "t",
            "job": "j",
            "snapshotId": waiting["snapshotId"],
        }
        # Neither server tells what spends an approval to anybody but the loop that asked.
        told = await asked(agent, "gate_approvals")
        assert waiting["nonce"] not in json.dumps(told)
        decided = await asked(approver, "gate_decide", request_id=waiting["requestId"], approve=True, by="mia")
        assert decided == {"answer": {"decided": True}}
        run = (await asked(agent, "gate_before_tools", job="j", calls=[bash("rm a")]))["answer"]
        (spend,) = run["calls"][0]["consume"]
        marks = {"request_id": spend["requestId"], "nonce": spend["nonce"], "fingerprint": spend["fingerprint"]}
        assert await asked(agent, "gate_consume", **marks) == {"answer": {"consumed": True}}
        assert (await asked(agent, "gate_consume", **marks))["answer"]["consumed"] is False


@pytest.mark.parametrize(
    ("rules", "options", "names"),
    [
        (None, GateOptions(), []),
        (ASKING, GateOptions(), [*ASKS, *LOOKING]),
        (None, GateOptions(listed=True), [*ASKS, *LOOKING]),
        (None, GateOptions(approver=True), ["gate_decide", *LOOKING]),
        (ASKING, GateOptions(approver=True), ["gate_decide", *LOOKING]),
    ],
)
async def test_the_tools_are_told_where_rules_act_or_where_they_are_asked_for(
    rules: str | None, options: GateOptions, names: list[str], tmp_path: Path
) -> None:
    place = Place(tmp_path, rules)
    async with Client(create_server(str(place.root), None, gate=options)) as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools if tool.name.startswith("gate_")] == names
    for tool in tools:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (not tool.name.startswith("gate_") or tool.name in LOOKING)


def words(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node
        for value in node.values():
            yield from words(value)
    elif isinstance(node, list):
        for value in node:
            yield from words(value)


@pytest.mark.parametrize("tool", {tool.name: tool for tool in (*OF_AGENT, *OF_APPROVER)}.values(), ids=lambda t: t.name)
def test_the_schemas_are_plain(tool: Any) -> None:
    for schema in (tool.input_schema(), tool.output_schema()):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
    assert not {"$ref", "$defs", "oneOf", "anyOf", "allOf", "const"} & set(words(tool.input_schema()))


async def test_off_gives_the_calls_back(tmp_path: Path) -> None:
    place = Place(tmp_path, ASKING + "enabled: false\n")
    async with Client(server_of(place)) as client:
        assert (await asked(client, "gate_claim_job", **JOB))["answer"]["enabled"] is False
        calls = [bash("rm a")]
        assert await asked(client, "gate_before_tools", job="j", calls=calls) == {"answer": calls}
        completion = {"text": "done", "calls": ["end"]}
        assert await asked(client, "gate_before_completion", job="j", completion=completion) == {"answer": completion}
    assert not place.store.exists()


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("gate_before_tools", {"job": "j"}, "`calls` is missing"),
        ("gate_before_tools", {"job": 1, "calls": []}, "`job` is of the wrong kind"),
        ("gate_release", {"job": "j", "root": "/"}, "`release` takes no `root`"),
    ],
)
async def test_what_makes_no_sense_is_an_error(
    name: str, arguments: dict[str, Any], error: str, tmp_path: Path
) -> None:
    async with Client(server_of(Place(tmp_path))) as client:
        assert await asked(client, name, **arguments) == {"error": error}


async def test_a_store_that_fails_says_so(tmp_path: Path) -> None:
    place = Place(tmp_path)
    (tmp_path / "state").write_text("")
    async with Client(server_of(place)) as client:
        assert await asked(client, "gate_approvals") == {"error": "the store failed: file exists"}
        assert (await asked(client, "gate_claim_job", **JOB))["answer"]["error"] == "the store failed: file exists"
        answer = (await asked(client, "gate_before_tools", job="j", calls=[bash("ls")]))["answer"]
        assert answer["calls"][0]["effect"] == "deny"


@pytest.mark.parametrize(
    ("number", "error"), [(0, "no folder is open"), (2, "several folders are open: start the server with --root")]
)
async def test_the_gate_is_of_one_project(number: int, error: str, tmp_path: Path) -> None:
    roots = [tmp_path / f"root{each}" for each in range(number)] or [tmp_path / "gone"]
    for root in roots[:number]:
        root.mkdir()

    async def list_roots(context: object) -> types.ListRootsResult:
        return types.ListRootsResult.model_validate({"roots": [{"uri": root.as_uri()} for root in roots]})

    with contextlib.chdir(tmp_path):
        async with Client(create_server(None, None), mode="legacy", list_roots_callback=list_roots) as client:
            assert await asked(client, "gate_claim_job", **JOB) == {"error": error}


async def test_the_options_of_the_command(tmp_path: Path) -> None:
    place = Place(tmp_path)
    found = {}
    for option in ("--gate", "--approver"):
        command = ["-m", "rules_lsp", "mcp", "--root", str(place.root), "--store", str(place.store), option]
        environment = {"PYTHONPATH": PACKAGE, "PATH": os.environ["PATH"]}
        server = StdioServerParameters(command=sys.executable, args=command, env=environment, cwd=tmp_path)
        async with Client(server) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            found[option] = [name for name in names if name.startswith("gate_")]
            if option == "--gate":
                await asyncio.wait_for(client.call_tool("gate_claim_job", JOB), 30)
                assert place.store.exists()
    assert found == {"--gate": [*ASKS, *LOOKING], "--approver": ["gate_decide", *LOOKING]}


def test_the_gate_is_loaded_when_it_is_asked() -> None:
    program = "import sys, rules_lsp.agents.mcp_server; print('rules_lsp.prompter.gate' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=PACKAGE)
    assert answer.stdout == "False\n"
