"""Each method about the entries of a document and the names in them, over standard streams, in two encodings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

RULES = ".coding-agent-rules.yaml"
MCP = '{"mcpServers": {"github": {"command": "x"}}}\n'
YAML = """\
# 😀
denied_tools: ["😀/delete_?", github/drop, github/x]
file_patterns:
  include:
    - "src/**"
    - README.md
"""
Start = Callable[..., Client]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".mcp.json").write_text(MCP)
    (tmp_path / "src").mkdir()
    for name in ("README.md", "LICENSE", "src/a.py", "src/b.py"):
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.fixture(params=["utf-16", "utf-8"])
def start(root: Path, request: pytest.FixtureRequest) -> Iterator[Start]:
    made: list[Client] = []

    def started(text: str = YAML, capabilities: Any = None, options: Any = None) -> Client:
        client = Client()
        made.append(client)
        general = {"positionEncodings": [request.param]}
        client.initialize(
            capabilities={"general": general, **(capabilities or {})},
            workspaceFolders=[{"uri": root.as_uri(), "name": "app"}],
            initializationOptions=options,
        )
        opened(client, root / RULES, text)
        settled = client.request("workspace/executeCommand", command("rulesLsp.serverState", {"settled": True}))
        assert settled["version"]
        return client

    yield started
    for client in made:
        client.close()


@pytest.fixture
def wide(request: pytest.FixtureRequest) -> int:
    """The units that an emoji takes."""
    return {"utf-16": 2, "utf-8": 4}[request.node.callspec.params["start"]]


def opened(client: Client, path: Path, text: str) -> None:
    item = {"uri": path.as_uri(), "languageId": "yaml", "version": 7, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})


def command(name: str, *arguments: Any) -> dict[str, Any]:
    return {"command": name, "arguments": list(arguments)}


def place(line: int, start: int, end: int, last: int | None = None) -> dict[str, Any]:
    return {"start": position(line, start), "end": position(line if last is None else last, end)}


def position(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def of(root: Path, **more: Any) -> dict[str, Any]:
    return {"textDocument": {"uri": (root / RULES).as_uri()}, **more}


def test_code_lenses_are_resolved_and_list_their_files(start: Start, root: Path) -> None:
    client = start()
    found = client.request("textDocument/codeLens", of(root))
    assert [lens["range"]["start"]["line"] for lens in found] == [0, 3, 4, 5]
    assert all("command" not in lens for lens in found)
    resolved = [client.request("codeLens/resolve", lens)["command"] for lens in found]
    assert [each["title"] for each in resolved] == [
        "policy: 3 of 5 files writable",
        "3 of 5 files",
        "2 files · net +2",
        "1 file · net +1",
    ]
    assert {each["command"] for each in resolved} == {"rulesLsp.showFiles"}
    asked = {key: resolved[2][key] for key in ("command", "arguments")}
    start_of_file = place(0, 0, 0)
    assert client.request("workspace/executeCommand", asked) == [
        {"uri": (root / "src" / name).as_uri(), "range": start_of_file} for name in ("a.py", "b.py")
    ]
    here = {"uri": (root / RULES).as_uri(), "position": position(5, 8)}
    assert client.request("workspace/executeCommand", command("rulesLsp.showFiles", here)) == [
        {"uri": (root / "README.md").as_uri(), "range": start_of_file}
    ]


def test_a_lens_of_a_tool_list_lists_the_tools(start: Start, root: Path) -> None:
    (root / ".mcp.json").write_text('{"mcpServers": {"context7": {"url": "https://mcp.context7.com/mcp"}}}\n')
    client = start("denied_tools: # \U0001f600\n  - context7/*\n")
    lenses = client.request("textDocument/codeLens", of(root))
    resolved = {lens["range"]["start"]["line"]: client.request("codeLens/resolve", lens)["command"] for lens in lenses}
    asked = {key: resolved[0][key] for key in ("command", "arguments")}
    assert (resolved[0]["title"], asked["command"]) == ("2 of 2 tools", "rulesLsp.showTools")
    denied = [{"tool": f"context7/{name}", "allowed": False} for name in ("query-docs", "resolve-library-id")]
    assert client.request("workspace/executeCommand", asked) == denied
    here = {"uri": (root / RULES).as_uri(), "position": position(1, 6)}
    assert client.request("workspace/executeCommand", command("rulesLsp.showTools", here)) == denied
    for arguments in ([], [3], [{"uri": 3}], [{"folder": "x", "writable": True}]):
        answer = client.ask("workspace/executeCommand", command("rulesLsp.showTools", *arguments))
        assert answer["error"]["code"] == -32602


def test_a_lens_of_an_older_text_says_nothing_and_a_wrong_command_is_refused(start: Start, root: Path) -> None:
    client = start()
    lens = client.request("textDocument/codeLens", of(root))[2]
    change = {"textDocument": {"uri": (root / RULES).as_uri(), "version": 8}, "contentChanges": [{"text": "x: [\n"}]}
    client.notify("textDocument/didChange", change)
    assert client.request("codeLens/resolve", lens)["command"] == {"title": "", "command": ""}
    assert client.request("codeLens/resolve", {**lens, "data": 3})["command"]["title"] == ""
    assert client.request("textDocument/codeLens", of(root)) == []
    no_lens = {"uri": "file:///x", "kind": "x", "start": 0, "end": 0}
    wrong: list[list[Any]] = [[], [3], [{}], [{"uri": 3}], [{"uri": "file:///x", "position": 3}], [no_lens]]
    for arguments in wrong:
        answer = client.ask("workspace/executeCommand", command("rulesLsp.showFiles", *arguments))
        assert answer["error"]["code"] == -32602
    unknown = command("rulesLsp.showFiles", {"uri": "file:///x", "position": position(0, 0)})
    assert client.request("workspace/executeCommand", unknown) == []


def test_settings_turn_lenses_off_and_hints_on(start: Start, root: Path) -> None:
    whole = of(root, range=place(0, 0, 0, 99))
    assert start().request("textDocument/inlayHint", whole) == []
    client = start(options={"codeLens": {"enabled": False}, "inlayHints": {"enabled": True}})
    assert client.request("textDocument/codeLens", of(root)) == []
    assert client.request("textDocument/inlayHint", whole) == [
        {"position": position(4, 14), "label": "2 files · net +2", "paddingLeft": True},
        {"position": position(5, 15), "label": "1 file · net +1", "paddingLeft": True},
    ]
    assert len(client.request("textDocument/inlayHint", of(root, range=place(5, 0, 8)))) == 1


def decoded(data: list[int]) -> list[tuple[int, int, int, int]]:
    """The tokens as line, character, length and type."""
    line = character = 0
    found = []
    for at in range(0, len(data), 5):
        lines, characters, length, kind, _ = data[at : at + 5]
        character = characters + (0 if lines else character)
        line += lines
        found.append((line, character, length, kind))
    return found


def test_semantic_tokens_whole_in_part_and_what_differs(start: Start, root: Path, wide: int) -> None:
    client = start("denied_tools: [a/b]\nallowed_tools: ['😀/*', c/d]\n")
    tokens = client.request("textDocument/semanticTokens/full", of(root))
    first = [(0, 15, 1, 0), (0, 16, 1, 4), (0, 17, 1, 1)]
    at = 17 + wide
    second = [(1, 17, wide, 0), (1, at, 1, 4), (1, at + 1, 1, 2)]
    third = [(1, at + 5, 1, 0), (1, at + 6, 1, 4), (1, at + 7, 1, 1)]
    assert decoded(tokens["data"]) == first + second + third
    part = client.request("textDocument/semanticTokens/range", of(root, range=place(0, 0, 19)))
    assert decoded(part["data"]) == first
    previous = {"previousResultId": tokens["resultId"]}
    same = client.request("textDocument/semanticTokens/full/delta", of(root, **previous))
    assert same["edits"] == []
    edit = {"range": place(0, 17, 18), "text": "*"}
    change = {"textDocument": {"uri": (root / RULES).as_uri(), "version": 8}, "contentChanges": [edit]}
    client.notify("textDocument/didChange", change)
    previous = {"previousResultId": same["resultId"]}
    delta = client.request("textDocument/semanticTokens/full/delta", of(root, **previous))
    assert delta["edits"] == [{"start": 10, "deleteCount": 5, "data": [0, 1, 1, 2, 0]}]
    gone = client.request("textDocument/semanticTokens/full/delta", of(root, previousResultId="1"))
    assert decoded(gone["data"])[2] == (0, 17, 1, 2)


def test_the_outline_as_a_tree_and_flat(start: Start, root: Path) -> None:
    tree = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
    found = start(capabilities=tree).request("textDocument/documentSymbol", of(root))
    assert [(each["name"], [child["name"] for child in each["children"]]) for each in found] == [
        ("denied_tools", ["😀/delete_?", "github/drop", "github/x"]),
        ("file_patterns", ["include"]),
    ]
    assert found[1]["selectionRange"] == place(2, 0, 13)
    assert found[1]["range"] == place(2, 0, 15, 5)
    flat = start().request("textDocument/documentSymbol", of(root))
    assert [(each["name"], each.get("containerName")) for each in flat] == [
        ("denied_tools", None),
        ("😀/delete_?", "denied_tools"),
        ("github/drop", "denied_tools"),
        ("github/x", "denied_tools"),
        ("file_patterns", None),
        ("include", "file_patterns"),
        ("src/**", "include"),
        ("README.md", "include"),
    ]


def test_entries_of_all_rule_files_are_found(start: Start, root: Path) -> None:
    (root / ".coding-agent-rules.md").write_text("## Denied Tools\n- `gitlab/x`\n")
    client = start()
    found = client.request("workspace/symbol", {"query": "git"})
    assert [(each["name"], each["location"]["uri"]) for each in found] == [
        ("github/drop", (root / RULES).as_uri()),
        ("github/x", (root / RULES).as_uri()),
        ("gitlab/x", (root / ".coding-agent-rules.md").as_uri()),
    ]
    assert found[2]["location"]["range"] == place(1, 3, 11)


def test_folds_and_growing_selections(start: Start, root: Path) -> None:
    client = start()
    assert client.request("textDocument/foldingRange", of(root)) == [
        {"startLine": 2, "endLine": 5, "kind": "region"},
        {"startLine": 3, "endLine": 5, "kind": "region"},
    ]
    (grown,) = client.request("textDocument/selectionRange", of(root, positions=[position(4, 8)]))
    ranges = []
    while grown is not None:
        ranges.append(grown["range"])
        grown = grown.get("parent")
    assert ranges[:4] == [place(4, 7, 10), place(4, 7, 13), place(4, 6, 14), place(4, 4, 14)]
    assert ranges[-1] == place(0, 0, 0, 6)


def test_a_name_leads_to_its_server_and_its_other_places(start: Start, root: Path, wide: int) -> None:
    client = start()
    server = {"uri": (root / ".mcp.json").as_uri(), "range": place(0, 17, 23)}
    at = 28 + wide
    own = [place(1, at, at + 6), place(1, at + 13, at + 19)]
    here = of(root, position=position(1, at))
    assert client.request("textDocument/definition", here) == [server]
    pattern = client.request("textDocument/definition", of(root, position=position(4, 9)))
    assert pattern == [{"uri": (root / "src").as_uri(), "range": place(0, 0, 0)}]
    context = {"context": {"includeDeclaration": True}}
    places = [{"uri": (root / RULES).as_uri(), "range": each} for each in own]
    assert client.request("textDocument/references", {**here, **context}) == [server, *places]
    marked = client.request("textDocument/documentHighlight", here)
    assert [each["range"] for each in marked] == own


def test_a_server_is_renamed_with_versions_where_the_client_takes_them(start: Start, root: Path) -> None:
    changes = {"workspace": {"workspaceEdit": {"documentChanges": True}}}
    text = "allowed_tools: [github/a]\n"
    client = start(text, capabilities=changes)
    here = of(root, position=position(0, 18))
    assert client.request("textDocument/prepareRename", here) == {"range": place(0, 16, 22), "placeholder": "github"}
    assert client.request("textDocument/prepareRename", of(root, position=position(0, 3))) is None
    whole = {"range": place(0, 16, 24), "newText": '"git hub/a"'}
    name = {"range": place(0, 17, 23), "newText": "git hub"}
    assert client.request("textDocument/rename", {**here, "newName": "git hub"}) == {
        "documentChanges": [
            {"textDocument": {"uri": (root / ".mcp.json").as_uri(), "version": None}, "edits": [name]},
            {"textDocument": {"uri": (root / RULES).as_uri(), "version": 7}, "edits": [whole]},
        ]
    }
    refused = client.ask("textDocument/rename", {**here, "newName": "a*"})
    assert refused["error"] == {
        "code": -32803,
        "message": "a name must not hold `*` or `?`: they would stand for others as well",
    }
    plain = start(text)
    assert plain.request("textDocument/rename", {**here, "newName": "git hub"}) == {
        "changes": {(root / ".mcp.json").as_uri(): [name], (root / RULES).as_uri(): [whole]}
    }


def test_links_to_files_and_to_the_pages_of_checks(start: Start, root: Path) -> None:
    text = "# rules-lsp: ignore[unknown-tool]\nfile_patterns:\n  include: [README.md]\n"
    readme = {"range": place(2, 12, 21), "target": (root / "README.md").as_uri()}
    assert start(text).request("textDocument/documentLink", of(root)) == [readme]
    client = start(text, capabilities={"workspace": {"textDocumentContent": {}}})
    page, same = client.request("textDocument/documentLink", of(root))
    assert same == readme
    assert page["range"] == place(0, 20, 32)
    shown = client.request("workspace/textDocumentContent", {"uri": page["target"]})
    assert shown["text"].startswith(f"# `unknown-tool`\n\n{page['tooltip']}\n\n## What it finds\n")


def test_nothing_is_told_of_a_document_that_is_not_open(start: Start) -> None:
    client = start()
    other: dict[str, Any] = {"textDocument": {"uri": "file:///nowhere/x.yaml"}}
    here = {**other, "position": position(0, 0)}
    for method, asked, answer in (
        ("textDocument/codeLens", other, []),
        ("textDocument/inlayHint", {**other, "range": place(0, 0, 1)}, []),
        ("textDocument/semanticTokens/full", other, None),
        ("textDocument/semanticTokens/full/delta", {**other, "previousResultId": "1"}, None),
        ("textDocument/semanticTokens/range", {**other, "range": place(0, 0, 1)}, None),
        ("textDocument/documentSymbol", other, None),
        ("textDocument/foldingRange", other, None),
        ("textDocument/selectionRange", {**other, "positions": [position(0, 0)]}, None),
        ("textDocument/definition", here, None),
        ("textDocument/references", {**here, "context": {"includeDeclaration": True}}, None),
        ("textDocument/documentHighlight", here, None),
        ("textDocument/prepareRename", here, None),
        ("textDocument/rename", {**here, "newName": "x"}, None),
        ("textDocument/documentLink", other, None),
    ):
        assert client.request(method, asked) == answer, method
