"""The MCP server as a host sees it: over standard streams through the SDK's client, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters
from mcp.client.session import MessageHandlerFnT
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from rules_lsp import __version__
from rules_lsp.agents.mcp_server import create_server

PACKAGE = str(Path(__file__).parents[2])
RULES = "denied_tools:\n  - github/delete_file\nfile_patterns:\n  exclude:\n    - secrets/\n"
NAMES = ["check_file", "check_tool", "filter_paths", "check_edits", "explain", "effective_policy"]
ERAS = ("legacy", "2026-07-28")
SECONDS = 30.0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = Path(os.path.realpath(tmp_path)) / "app"
    made.mkdir()
    (made / ".coding-agent-rules.yaml").write_text(RULES, encoding="utf-8")
    return made


def environment() -> dict[str, str]:
    return {"PYTHONPATH": PACKAGE, "PATH": os.environ["PATH"]}


@contextlib.asynccontextmanager
async def connected(
    arguments: list[str],
    cwd: Path,
    era: str = "legacy",
    roots: list[Path] | None = None,
    *,
    process: bool = False,
    **options: Any,
) -> AsyncIterator[Client]:
    """A client of a server process, or of a server in this one; it names its roots if it has any."""

    async def list_roots(context: object) -> types.ListRootsResult:
        return types.ListRootsResult.model_validate({"roots": [{"uri": root.as_uri()} for root in roots or []]})

    if roots is not None:
        options["list_roots_callback"] = list_roots
    server: StdioServerParameters | Server[Any]
    if process:
        command = ["-m", "rules_lsp", "mcp", *arguments]
        server = StdioServerParameters(command=sys.executable, args=command, env=environment(), cwd=cwd)
    else:
        server = create_server(arguments[1] if arguments else None, None)
    with contextlib.chdir(cwd):
        async with Client(server, mode=era, read_timeout_seconds=SECONDS, **options) as client:
            yield client


async def asked(client: Client, name: str, /, **arguments: Any) -> Any:
    result = await client.call_tool(name, arguments)
    assert result.is_error is False
    return result.structured_content


def words(node: Any) -> Iterator[str]:
    """Every key of a schema, at any depth."""
    if isinstance(node, dict):
        yield from node
        for value in node.values():
            yield from words(value)
    elif isinstance(node, list):
        for value in node:
            yield from words(value)


@pytest.mark.parametrize("era", ERAS)
async def test_the_tools_are_told_with_schemas_and_annotations(root: Path, era: str) -> None:
    async with connected([], root, era, process=True) as client:
        tools = (await client.list_tools()).tools
        if era == "legacy":
            assert client.server_info is not None
            assert (client.server_info.name, client.server_info.version) == ("rules-lsp", __version__)
            assert client.server_capabilities.resources == types.ResourcesCapability(subscribe=True, list_changed=False)
    assert [tool.name for tool in tools] == NAMES
    for tool in tools:
        assert tool.annotations == types.ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        )
        assert tool.output_schema is not None
        for schema in (tool.input_schema, tool.output_schema):
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert "examples" not in json.dumps(schema)
        assert not {"$ref", "$defs", "oneOf", "anyOf", "allOf", "const"} & set(words(tool.input_schema))
    operation = tools[0].input_schema["properties"]["operation"]
    assert operation == {
        "description": "What is to be done with the path. `read`: Reads the file. Limited by `exclude` alone. "
        "`write`: Changes a file, or makes it. `create`: Makes a new file or directory. "
        "`delete`: Removes a file, or a directory with everything below it. "
        "`rename`: Moves a file or directory; `newPath` says where to.",
        "type": "string",
        "default": "write",
        "enum": ["read", "write", "create", "delete", "rename"],
    }
    assert tools[2].input_schema["properties"]["paths"] == {
        "description": "A batch of paths, asked with one operation.",
        "type": "array",
        "items": {"description": "One path, as under `path`.", "type": "string"},
    }
    inputs = {tool.name: (list(tool.input_schema["properties"]), tool.input_schema.get("required")) for tool in tools}
    assert inputs == {
        "check_file": (["path", "uri", "operation", "newPath", "cwd"], None),
        "check_tool": (["tool", "tools", "arguments", "cwd", "detail"], None),
        "filter_paths": (["paths", "operation", "newPath", "cwd", "detail"], ["paths"]),
        "check_edits": (["edits", "targets", "cwd", "allowDelete"], ["edits"]),
        "explain": (["path", "uri", "tool", "operation", "newPath", "arguments", "cwd"], None),
        "effective_policy": ([], None),
    }


@pytest.mark.parametrize("era", ERAS)
async def test_each_tool_answers(root: Path, era: str) -> None:
    async with connected(["--root", str(root)], root.parent, era, process=True) as client:
        denied = await asked(client, "check_file", path="secrets/key.pem")
        assert (denied["allowed"], denied["code"], denied["operation"]) == (False, "excluded", "write")
        assert denied["reason"] == "`secrets/key.pem` is excluded by `secrets/`"
        assert (await asked(client, "check_file", uri=(root / "src/a.py").as_uri()))["allowed"] is True
        tool = await asked(client, "check_tool", tool="mcp__github__delete_file")
        assert (tool["allowed"], tool["code"]) == (False, "denied-tool")
        assert (await asked(client, "check_tool", tool="github/get_issue"))["allowed"] is True
        filtered = await asked(client, "filter_paths", paths=["a", "secrets/b", "../c"], operation="read")
        assert filtered["allowedPaths"] == ["a"]
        assert filtered["answers"] == [
            {"allowed": True, "code": "unrestricted"},
            {"allowed": False, "code": "excluded"},
            {"allowed": False, "code": "outside-root"},
        ]
        (root / "a.txt").write_text("one\n", encoding="utf-8")
        edits = [
            {"file_path": path, "search_block": "one", "replace_block": "1"} for path in ("a.txt", "secrets/b", "c.txt")
        ]
        checked = await asked(client, "check_edits", edits=edits, targets=["a.txt", "secrets/"])
        assert (checked["allowed"], checked["applied"]) == (False, False)
        assert [(each["edit"], each["status"], each["code"]) for each in checked["answers"]] == [
            (0, "ready", "unrestricted"),
            (1, "denied", "excluded"),
            (2, "not-a-target", "invalid-request"),
        ]
        assert (await asked(client, "check_edits", edits=edits[:1], root="/"))["allowed"] is True
        assert (root / "a.txt").read_text(encoding="utf-8") == "one\n"
        explained = await asked(client, "explain", path="secrets/key.pem")
        assert [step["effect"] for step in explained["weighed"]] == ["denies"]
        assert explained["weighed"][0]["rule"]["pattern"] == "secrets/"
        (folder,) = (await asked(client, "effective_policy"))["folders"]
        assert (folder["root"], folder["refusal"]) == (str(root), None)
        assert [(each["list"], [entry["pattern"] for entry in each["entries"]]) for each in folder["lists"]] == [
            ("denied_tools", ["github/delete_file"]),
            ("file_patterns.exclude", ["secrets/"]),
        ]


async def test_what_makes_no_sense_is_denied_and_not_an_error(root: Path) -> None:
    async with connected([], root) as client:
        for tool, arguments in (
            ("check_file", {}),
            ("check_file", {"path": 7}),
            ("check_file", {"path": "a", "uri": "file:///a"}),
            ("check_file", {"tool": "a/b"}),
            ("check_file", {"path": "a", "operation": "burn"}),
            ("check_tool", {"tool": ""}),
            ("filter_paths", {"paths": "a"}),
            ("explain", {}),
        ):
            answer = await asked(client, tool, **arguments)
            assert (answer["allowed"], answer["code"]) == (False, "invalid-request"), (tool, arguments)


async def test_an_unknown_tool_and_an_unknown_resource_are_errors(root: Path) -> None:
    async with connected([], root) as client:
        with pytest.raises(MCPError, match="there is no tool `write_file`: use one of check_file, check_tool, "):
            await client.call_tool("write_file", {})
        with pytest.raises(MCPError, match="there is no resource `rules://other`: use rules://policy"):
            await client.read_resource("rules://other")


@pytest.mark.parametrize("era", ERAS)
async def test_the_client_names_the_roots(root: Path, era: str) -> None:
    other = root.parent / "other"
    other.mkdir()
    async with connected([], root.parent, era, [other, root], process=True) as client:
        folders = (await asked(client, "effective_policy"))["folders"]
        assert [folder["root"] for folder in folders] == [str(other), str(root)]
        assert (await asked(client, "check_file", path=str(root / "secrets/a")))["code"] == "excluded"
        assert (await asked(client, "check_file", path=str(other / "secrets/a")))["code"] == "unrestricted"
        assert (await asked(client, "check_file", path=str(root.parent / "a")))["code"] == "outside-root"


@pytest.mark.parametrize("era", ERAS)
async def test_no_argument_names_the_root(root: Path, era: str) -> None:
    other = root.parent / "other"
    other.mkdir()
    async with connected([], root.parent, era, [root]) as client:
        answer = await asked(client, "check_file", path="secrets/a", root=str(other), cwd=str(root))
        assert answer["code"] == "excluded"
        assert (await asked(client, "check_file", path="a", cwd=str(other)))["code"] == "outside-root"
        assert (await asked(client, "check_tool", tool="github/delete_file", root=str(other)))["code"] == "denied-tool"


async def test_a_root_of_the_command_line_beats_the_clients(root: Path) -> None:
    other = root.parent / "other"
    other.mkdir()
    async with connected(["--root", str(root)], root.parent, roots=[other]) as client:
        (folder,) = (await asked(client, "effective_policy"))["folders"]
        assert folder["root"] == str(root)


@pytest.mark.parametrize("era", ERAS)
async def test_without_any_root_the_working_directory_counts(root: Path, era: str) -> None:
    (root / "src").mkdir()
    async with connected([], root / "src", era, []) as client:
        assert [folder["root"] for folder in (await asked(client, "effective_policy"))["folders"]] == [str(root)]


@pytest.mark.parametrize("era", ERAS)
async def test_roots_that_are_no_directories_open_nothing(root: Path, era: str) -> None:
    async with connected([], root, era, [root / "gone"]) as client:
        answer = await asked(client, "check_file", path="a")
        assert (answer["allowed"], answer["code"]) == (False, "invalid-request")
        assert answer["reason"] == "no folder is open, so there are no rules to ask"
        explained = await asked(client, "explain", tool="a/b")
        assert (explained["allowed"], explained["weighed"]) == (False, [])


async def test_roots_that_cannot_be_listed_open_nothing(root: Path) -> None:
    async def refuse(context: object) -> types.ErrorData:
        return types.ErrorData(code=types.INTERNAL_ERROR, message="no")

    async with connected([], root, list_roots_callback=refuse) as client:
        assert (await asked(client, "check_file", path="a"))["code"] == "invalid-request"


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
async def test_other_roots_are_asked_for_when_the_client_tells_of_a_change(root: Path) -> None:
    other = root.parent / "other"
    other.mkdir()
    roots = [root]
    async with connected([], root.parent, roots=roots) as client:
        assert (await asked(client, "check_file", path="secrets/a"))["allowed"] is False
        roots[0] = other
        assert (await asked(client, "check_file", path="secrets/a"))["allowed"] is False
        await client.send_roots_list_changed()
        assert (await asked(client, "check_file", path="secrets/a"))["allowed"] is True


@pytest.mark.parametrize("era", ERAS)
async def test_the_policy_is_a_resource(root: Path, era: str) -> None:
    async with connected([], root, era, [root]) as client:
        (resource,) = (await client.list_resources()).resources
        assert (resource.uri, resource.mime_type) == ("rules://policy", "application/json")
        (content,) = (await client.read_resource("rules://policy")).contents
        assert isinstance(content, types.TextResourceContents)
        assert json.loads(content.text) == await asked(client, "effective_policy")


def heard_by(queue: asyncio.Queue[str]) -> MessageHandlerFnT:
    async def hear(message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            await queue.put(str(message.params.uri))

    return hear


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
async def test_a_subscriber_hears_of_a_change_without_asking(root: Path) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    async with connected([], root, process=True, message_handler=heard_by(heard)) as client:
        await client.subscribe_resource("rules://policy")
        (root / ".coding-agent-rules.yaml").write_text(RULES.replace("secrets/", "private/"), encoding="utf-8")
        assert await asyncio.wait_for(heard.get(), SECONDS) == "rules://policy"
        assert (await asked(client, "check_file", path="secrets/a"))["allowed"] is True
        await client.unsubscribe_resource("rules://policy")


async def test_a_listener_hears_of_a_change_without_asking(root: Path) -> None:
    async with (
        connected([], root, "2026-07-28", process=True) as client,
        client.listen(resource_subscriptions=["rules://policy"]) as heard,
    ):
        await asked(client, "check_file", path="a")
        (root / ".coding-agent-rules.yaml").write_text("denied_tools: [", encoding="utf-8")
        event = await asyncio.wait_for(anext(aiter(heard)), SECONDS)
        assert (type(event).__name__, event.uri) == ("ResourceUpdated", "rules://policy")  # type: ignore[union-attr]


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
async def test_whoever_asks_is_told_before_the_answer_and_once(root: Path) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    # Nobody looks by the clock here: only the questions do.
    server = create_server(str(root), None, look_seconds=10_000)
    async with Client(server, mode="legacy", message_handler=heard_by(heard)) as client:
        await client.subscribe_resource("rules://policy")
        await asked(client, "check_file", path="a")
        assert heard.empty()
        (root / ".coding-agent-rules.yaml").write_text(RULES.replace("secrets/", "private/"), encoding="utf-8")
        for _ in range(2):
            await asked(client, "check_file", path="a")
        assert (heard.qsize(), heard.get_nowait()) == (1, "rules://policy")
        await client.unsubscribe_resource("rules://policy")
        (root / ".coding-agent-rules.yaml").write_text(RULES, encoding="utf-8")
        await asked(client, "check_file", path="a")
        assert heard.empty()


async def test_a_failure_of_the_engine_is_an_error_and_says_deny(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("rules_lsp.workspace.folders.Folders.answer", fail)
    async with Client(create_server(str(root), None)) as client:
        result = await client.call_tool("check_file", {"path": "a"})
        assert (result.is_error, result.structured_content) == (True, None)
        (content,) = result.content
        assert isinstance(content, types.TextContent)
        assert content.text == "policy engine failed: RuntimeError: boom: take it as a denial"


def test_nothing_but_the_protocol_is_written_and_the_end_of_input_ends_it(root: Path) -> None:
    command = [sys.executable, "-m", "rules_lsp", "mcp"]
    done = subprocess.run(command, input=b"", capture_output=True, cwd=root, env=environment(), timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_without_the_extra_a_plain_word_says_what_to_install(root: Path) -> None:
    program = (
        "import sys; sys.modules['mcp_types'] = None; from rules_lsp.cli.main import main; sys.exit(main(['mcp']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, cwd=root, env=environment(), timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"rules-lsp: the MCP server needs the package `mcp`: pip install 'rules-lsp[mcp]'\n"
