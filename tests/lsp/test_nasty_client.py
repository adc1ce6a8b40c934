"""What no test of one method does: storms, huge and hostile texts, files that are none, addresses of other kinds."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client
from tests.lsp.shadow import Shadow

RULES = ".coding-agent-rules.yaml"
FAULTY = "deny_tools: [a]\n"
PULL: dict[str, Any] = {"textDocument": {"diagnostic": {}}, "general": {"positionEncodings": ["utf-8"]}}
WARNING = 2


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    folder.mkdir()
    return folder


@pytest.fixture
def client(root: Path) -> Iterator[Client]:
    made = begun(root)
    yield made
    made.kill()


@pytest.fixture(scope="module")
def enduring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One server for all addresses: none of them may leave a trace. It has had nothing to complain of at its end."""
    made = begun(tmp_path_factory.mktemp("app"))
    yield made
    assert complaints(made) == []
    made.close()


def begun(root: Path) -> Client:
    made = Client()
    made.initialize(workspaceFolders=[{"uri": root.as_uri(), "name": "app"}], capabilities=PULL)
    return made


def command(client: Client, name: str, *arguments: Any) -> Any:
    return client.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)})


def state(client: Client) -> Any:
    return command(client, "rulesLsp.serverState", {"settled": True})


def opened(client: Client, uri: str, text: str) -> Shadow:
    shadow = Shadow(uri, text, "utf-8")
    client.notify("textDocument/didOpen", shadow.opening())
    return shadow


def codes(client: Client, shadow: Shadow) -> list[str]:
    return [each["code"] for each in client.request("textDocument/diagnostic", shadow.identity)["items"]]


def ask_everything(client: Client, shadow: Shadow, offset: int) -> None:
    """Each question that an editor asks of a document: it has a result, and no error."""
    place = shadow.at(offset)
    for method in (
        "textDocument/diagnostic",
        "textDocument/codeLens",
        "textDocument/semanticTokens/full",
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/documentLink",
    ):
        client.request(method, shadow.identity)
    for method in ("hover", "completion", "documentHighlight", "definition", "prepareRename"):
        client.request(f"textDocument/{method}", place)
    client.request("textDocument/selectionRange", {**shadow.identity, "positions": [place["position"]]})


def complaints(client: Client) -> list[str]:
    logged = [each["params"] for each in client.received if each.get("method") == "window/logMessage"]
    return [each["message"] for each in logged if each["type"] <= WARNING]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (RULES, "denied_tools:\n" + "".join(f"  - server{number}/tool\n" for number in range(10_000))),
        (RULES, "system_prompt_extension: |\n" + "  word \U0001f600\n" * 90_000),
        (RULES, "# " + "x" * 2**20),
        (RULES, "[" * 20_000),
        (RULES, "- " * 20_000),
        (RULES, "".join(f"b{n}: &b{n} [*b{n - 1},*b{n - 1}]\n" if n else "b0: &b0 [x]\n" for n in range(40))),
        (RULES, "file_patterns: {include: ['" + "{a,b}" * 3000 + "', '" + "**/" * 5000 + "']}\n"),
        (".coding-agent-rules.md", "word `word` word\n\n" * 60_000),
        (".coding-agent-rules.md", "## Allowed Tools\n" + "x `a` " * 170_000),
        (".coding-agent-rules.md", "> " * 20_000 + "x"),
        (".coding-agent-rules.md", "- " * 20_000 + "x"),
        (".coding-agent-rules.md", "*a_" * 20_000),
    ],
    ids=lambda value: f"{value[:20]!r} {len(value)}",
)
def test_huge_and_deep_texts(client: Client, root: Path, name: str, text: str) -> None:
    shadow = opened(client, (root / name).as_uri(), text)
    ask_everything(client, shadow, len(text) // 2)
    client.notify("textDocument/didChange", shadow.changed((len(text), len(text), "\n")))
    ask_everything(client, shadow, 0)
    assert complaints(client) == []
    client.close()


def test_projects_of_documents_that_are_closed_are_forgotten(client: Client, root: Path) -> None:
    for number in range(200):
        directory = root.parent / f"other-{number}"
        directory.mkdir()
        shadow = opened(client, (directory / RULES).as_uri(), FAULTY)
        client.notify("textDocument/didChange", shadow.changed((0, 0, "# x\n")))
        client.notify("textDocument/didClose", shadow.identity)
    kept = opened(client, (root.parent / "other-0" / RULES).as_uri(), FAULTY)
    assert codes(client, kept) == ["unknown-key"]
    known = state(client)
    assert [each["uri"] for each in known["folders"]] == [root.as_uri(), (root.parent / "other-0").as_uri()]
    assert list(known["scans"]) == [str(root.parent / "other-0")]
    client.close()


def test_a_project_stays_as_long_as_one_of_its_documents_is_open(client: Client, root: Path) -> None:
    other = root.parent / "other"
    (other / "rules").mkdir(parents=True)
    first = opened(client, (other / RULES).as_uri(), FAULTY)
    second = opened(client, (other / ".coding-agent-rules.md").as_uri(), "## Denied Tools\n- `a`\n")
    client.notify("textDocument/didClose", first.identity)
    assert [each["uri"] for each in state(client)["folders"]] == [root.as_uri(), other.as_uri()]
    client.notify("textDocument/didClose", second.identity)
    assert [each["uri"] for each in state(client)["folders"]] == [root.as_uri()]
    client.close()


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("untitled:Untitled-1", []),
        ("untitled:/a/.coding-agent-rules.yaml", []),
        ("vscode-notebook-cell:/a/.coding-agent-rules.yaml#W0sZmlsZQ%3D%3D", []),
        ("vscode-vfs://github/a/.coding-agent-rules.yaml", []),
        ("git:/a/.coding-agent-rules.yaml?%7B%22ref%22%7D", []),
        ("file://host/a/.coding-agent-rules.yaml", []),
        ("file:///a%00b/.coding-agent-rules.yaml", []),
        ("file:///%FF/.coding-agent-rules.yaml", []),
        ("file:relative", []),
        (":", []),
        ("", []),
        ("file:///no/such/.coding-agent-rules.yaml", ["unknown-key"]),
        (f"file:///{'x' * 5000}/.coding-agent-rules.yaml", ["unknown-key"]),
    ],
)
def test_addresses(enduring: Client, uri: str, expected: list[str]) -> None:
    client, before = enduring, state(enduring)["folders"]
    shadow = opened(client, uri, FAULTY)
    ask_everything(client, shadow, 3)
    assert codes(client, shadow) == expected
    client.notify("textDocument/didChange", shadow.changed((0, 0, "# \U0001f600\n")))
    client.notify("textDocument/didSave", shadow.identity)
    file = {"uri": uri, "oldUri": uri, "newUri": uri}
    for method in ("didCreateFiles", "didRenameFiles", "didDeleteFiles"):
        client.notify(f"workspace/{method}", {"files": [file]})
    assert client.request("workspace/willRenameFiles", {"files": [file]}) is None
    assert codes(client, shadow) == expected
    client.notify("textDocument/didClose", shadow.identity)
    assert codes(client, shadow) == []
    assert state(client)["folders"] == before


def test_folders_that_are_none(client: Client, root: Path) -> None:
    for uri in ("file:///a%00b", "untitled:x", "", "file:///no/such/directory"):
        folder = {"uri": uri, "name": "x"}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
    assert [each["uri"] for each in state(client)["folders"]] == [root.as_uri()]


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


def make_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_other_encoding(path: Path) -> None:
    path.write_bytes("denied_tools: [Read]\n".encode("utf-16"))


def make_no_text(path: Path) -> None:
    path.write_bytes(b"denied_tools: [\xff\xfe]\n")


NO_FILES: tuple[Callable[[Path], None], ...] = (
    Path.mkdir,
    os.mkfifo,
    make_loop,
    make_device,
    make_other_encoding,
    make_no_text,
)


@pytest.mark.parametrize("name", [RULES, "config.yaml", ".mcp.json"])
def test_what_stands_where_a_file_belongs(client: Client, root: Path, name: str) -> None:
    rules, place = root / RULES, root / name
    rules.write_text("denied_tools: [Bash]\n")
    shadow = opened(client, rules.as_uri(), FAULTY)
    assert command(client, "isToolAllowed", "Bash")["code"] == "denied-tool"
    for make in NO_FILES:
        place.unlink(missing_ok=True)
        make(place)
        client.notify("textDocument/didSave", shadow.identity)
        ask_everything(client, shadow, 3)
        assert "unknown-key" in codes(client, shadow)
        command(client, "isToolAllowed", "Bash")
        if place.is_dir() and not place.is_symlink():
            place.rmdir()
        else:
            place.unlink()
        rules.write_text("denied_tools: [Bash]\n")
        client.notify("textDocument/didSave", shadow.identity)
        assert command(client, "isToolAllowed", "Bash")["code"] == "denied-tool"
        assert command(client, "isToolAllowed", "Read")["code"] == "unrestricted"
    state(client)
    assert complaints(client) == []
    client.close()


def test_a_folder_that_goes_while_it_is_open(client: Client, root: Path) -> None:
    (root / "src").mkdir()
    (root / "src" / "a").write_text("")
    (root / RULES).write_text("file_patterns: {include: [src/**]}\n")
    shadow = opened(client, (root / RULES).as_uri(), "file_patterns: {include: [src/**]}\n")
    state(client)
    assert command(client, "isFileAllowed", "src/a")["code"] == "included"
    shutil.rmtree(root)
    client.notify("workspace/didDeleteFiles", {"files": [{"uri": root.as_uri()}]})
    state(client)
    ask_everything(client, shadow, 26)
    answer = command(client, "isFileAllowed", "src/a")
    assert (answer["allowed"], answer["code"]) == (False, "policy-error")
    client.close()


def test_changes_that_point_out_of_the_text(client: Client, root: Path) -> None:
    shadow = opened(client, (root / RULES).as_uri(), "a: b\n")
    for start, end in (((9, 9), (99, 99)), ((0, 50), (0, 2)), ((2**31 - 1, 2**31 - 1), (0, 0)), ((0, 2), (0, 1))):
        range_ = {
            key: dict(zip(("line", "character"), at, strict=True)) for key, at in (("start", start), ("end", end))
        }
        identity = {"uri": shadow.uri, "version": 2}
        changes = [{"range": range_, "text": "#"}]
        client.notify("textDocument/didChange", {"textDocument": identity, "contentChanges": changes})
    ask_everything(client, shadow, 0)
    client.notify("textDocument/didChange", shadow.changed(FAULTY))
    assert codes(client, shadow) == ["unknown-key"]
    client.close()


def test_documents_out_of_order(client: Client, root: Path) -> None:
    shadow = Shadow((root / RULES).as_uri(), FAULTY, "utf-8")
    client.notify("textDocument/didClose", shadow.identity)
    client.notify("textDocument/didOpen", shadow.opening())
    client.notify("textDocument/didOpen", shadow.opening())
    assert codes(client, shadow) == ["unknown-key"]
    client.notify("textDocument/didClose", shadow.identity)
    client.notify("textDocument/didClose", shadow.identity)
    assert codes(client, shadow) == []
    client.notify("textDocument/didChange", shadow.changed("x"))
    assert state(client)["documents"] == []
    assert complaints(client) == [f"a change of {shadow.uri}, which is not open, was passed over"]
