"""What the server makes of a client: its capabilities, its settings, its folders, and its documents' homes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

FAULTY = "file_patterns:\n  exclude: # 😀\n    - '😀[a'\n"


@pytest.fixture
def session() -> Iterator[Client]:
    made = Client()
    yield made
    made.close()


def opened(client: Client, path: Path, text: str, language: str = "yaml") -> Any:
    item = {"uri": path.as_uri(), "languageId": language, "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})
    return client.notification("textDocument/publishDiagnostics")


def asked(client: Client, query: Any, command: str = "isFileAllowed") -> tuple[bool, str]:
    answer = client.request("workspace/executeCommand", {"command": command, "arguments": [query]})
    return answer["allowed"], answer["code"]


@pytest.mark.parametrize(
    ("offered", "chosen", "column"),
    [
        (None, "utf-16", 9),
        ([], "utf-16", 9),
        (["utf-8", "utf-16"], "utf-8", 11),
        (["utf-16", "utf-8"], "utf-16", 9),
        (["utf-32", "utf-8", "utf-16"], "utf-32", 8),
        (["utf-7", "utf-8"], "utf-8", 11),
        (["utf-7"], "utf-16", 9),
    ],
)
def test_the_clients_first_encoding_that_is_known(
    session: Client, tmp_path: Path, offered: list[str] | None, chosen: str, column: int
) -> None:
    general = {} if offered is None else {"general": {"positionEncodings": offered}}
    result = session.initialize(capabilities=general)
    assert result["capabilities"]["positionEncoding"] == chosen
    (shown,) = opened(session, tmp_path / ".coding-agent-rules.yaml", FAULTY)["diagnostics"]
    assert shown["range"] == {"start": {"line": 2, "character": column}, "end": {"line": 2, "character": column + 1}}


def test_what_the_server_says_of_itself(session: Client) -> None:
    result = session.initialize()
    assert result["serverInfo"]["name"] == "rules-lsp"
    capabilities = result["capabilities"]
    assert capabilities["textDocumentSync"] == {
        "openClose": True,
        "change": 2,
        "save": {"includeText": False},
    }
    assert capabilities["hoverProvider"] is True
    kinds = ["quickfix", "refactor.rewrite", "source.fixAll", "source.organizeRules"]
    assert capabilities["codeActionProvider"] == {"codeActionKinds": kinds, "resolveProvider": True}
    assert {
        "rulesLsp.isFileAllowed",
        "rulesLsp.isToolAllowed",
        "rulesLsp.serverState",
        "isFileAllowed",
        "isToolAllowed",
    } <= set(capabilities["executeCommandProvider"]["commands"])
    assert capabilities["experimental"] == {"rulesLsp": {"apiVersion": 1}}
    assert "diagnosticProvider" not in capabilities
    assert capabilities["workspace"]["workspaceFolders"] == {"supported": True, "changeNotifications": True}


def test_a_plain_client_gets_what_it_can_take(session: Client, tmp_path: Path) -> None:
    literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}
    session.initialize(capabilities={"textDocument": {"codeAction": literals}})
    path = tmp_path / ".coding-agent-rules.yaml"
    text = "denied_tools: [a/b]\ndenied_tools: [c/d]\nallow_tools: [x]\n"
    shown = opened(session, path, text)["diagnostics"]
    assert [(found["code"], "relatedInformation" in found) for found in shown] == [
        ("duplicate-key", False),
        ("unknown-key", False),
    ]
    document = {"uri": path.as_uri()}
    hover = session.request("textDocument/hover", {"textDocument": document, "position": {"line": 0, "character": 16}})
    assert hover["contents"] == {
        "kind": "plaintext",
        "value": "denied: `a/b` is denied by `a/b` (line 1)\n\n"
        "in `denied_tools` it stands for the tool `b` of the server `a`",
    }
    where = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 0}}
    question = {"textDocument": document, "range": where, "context": {"diagnostics": []}}
    action, *others = session.request("textDocument/codeAction", question)
    assert action["title"] == "rename it to `allowed_tools`"
    assert [other["title"] for other in others] == [
        "ignore `unknown-key` here",
        "repair everything that has a safe fix",
    ]
    end = {"line": 2, "character": 11}
    edit = {"range": {"start": where["start"], "end": end}, "newText": "allowed_tools"}
    assert action["edit"] == {"changes": {path.as_uri(): [edit]}}


def test_a_client_without_code_action_objects_gets_none(session: Client, tmp_path: Path) -> None:
    session.initialize()
    path = tmp_path / ".coding-agent-rules.yaml"
    opened(session, path, "deny_tools: []\n")
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    question = {"textDocument": {"uri": path.as_uri()}, "range": where, "context": {"diagnostics": []}}
    assert session.request("textDocument/codeAction", question) == []


@pytest.mark.parametrize(
    "folders",
    [
        {"workspaceFolders": [{"uri": "{uri}", "name": "x"}]},
        {"workspaceFolders": [{"uri": "ssh://h/x", "name": "y"}, {"uri": "{uri}", "name": "x"}]},
        {"workspaceFolders": None, "rootUri": "{uri}"},
        {"workspaceFolders": None, "rootUri": None, "rootPath": "{path}"},
    ],
)
def test_every_way_to_name_the_folder(client: Client, tmp_path: Path, folders: dict[str, Any]) -> None:
    (tmp_path / ".coding-agent-rules.yaml").write_text("file_patterns: {exclude: [a]}\n")
    named = json.loads(json.dumps(folders).replace("{uri}", tmp_path.as_uri()).replace("{path}", str(tmp_path)))
    client.initialize(**named)
    assert asked(client, {"path": "a"}) == (False, "excluded")
    assert asked(client, {"path": "b"}) == (True, "unrestricted")


def test_the_settings_of_the_editor(session: Client, tmp_path: Path) -> None:
    config = tmp_path / "operator.yaml"
    config.write_text("project_agent_rules: {default_rules: {file_patterns: {exclude: [KEY]}}}\n")
    root = tmp_path / "app"
    root.mkdir()
    options = {"config": str(config), "caseInsensitive": True}
    session.initialize(workspaceFolders=[{"uri": root.as_uri(), "name": "x"}], initializationOptions=options)
    assert asked(session, {"path": "key"}) == (False, "excluded")
    assert asked(session, {"path": "keys"}) == (True, "unrestricted")
    shown = opened(session, config, "project_agent_rules: {read_roots: [relative]}\n")
    assert [found["code"] for found in shown["diagnostics"]] == ["config-value"]


def test_the_editor_says_how_grave_a_code_is(session: Client, tmp_path: Path) -> None:
    options = {"severity": {"unknown-key": "information", "empty-list": "off"}}
    session.initialize(initializationOptions=options)
    text = "allow_tools: []\nx-a: 1\n"
    shown = opened(session, tmp_path / ".coding-agent-rules.yaml", text)["diagnostics"]
    assert [(found["code"], found["severity"]) for found in shown] == [("unknown-key", 3)]


def test_a_level_that_is_not_understood_is_left_out_and_told() -> None:
    client = Client()
    try:
        client.initialize(initializationOptions={"severity": {"nonsense": "off", "unknown-key": 5}})
        client.request("shutdown", None)
        client.notify("exit", None)
        code, complaints = client.end()
    finally:
        client.kill()
    assert code == 0
    assert [line.partition("`severity`: ")[2] for line in complaints.splitlines()] == [
        "there is no check `nonsense`",
        "`unknown-key` must be one of off, information, warning, error",
    ]


def test_a_configuration_that_does_not_exist_denies(session: Client, tmp_path: Path) -> None:
    options = {"config": str(tmp_path / "no-such.yaml")}
    session.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}], initializationOptions=options)
    assert asked(session, {"path": "a"}) == (False, "policy-error")


def test_a_rule_file_outside_of_every_folder_is_a_project_of_its_own(session: Client, tmp_path: Path) -> None:
    session.initialize()
    for name, text in (
        (".coding-agent-rules.yaml", "deny_tools: []\n"),
        ("sub/.coding-agent-rules.yaml", "deny_tools: []\n"),
    ):
        shown = opened(session, tmp_path / name, text)
        assert [found["code"] for found in shown["diagnostics"]] == ["unknown-key"]
    assert opened(session, tmp_path / "config.yaml", "project_agent_rules: 5\n")["diagnostics"] == []


def test_saving_a_configuration_shows_what_it_changes(session: Client, tmp_path: Path) -> None:
    session.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
    path = tmp_path / "agent.yaml"
    assert opened(session, path, "deny_tools: []\n")["diagnostics"] == []
    config = tmp_path / "config.yaml"
    config.write_text("project_agent_rules: {rule_files: [agent.yaml]}\n")
    session.notify("textDocument/didSave", {"textDocument": {"uri": config.as_uri()}})
    shown = session.notification("textDocument/publishDiagnostics")
    assert (shown["uri"], shown["version"]) == (path.as_uri(), 1)
    assert [found["code"] for found in shown["diagnostics"]] == ["unknown-key"]


def test_a_folder_that_opens_shows_what_it_changes(session: Client, tmp_path: Path) -> None:
    session.initialize()
    (tmp_path / "config.yaml").write_text("project_agent_rules: {rule_files: [agent.yaml]}\n")
    assert opened(session, tmp_path / "agent.yaml", "deny_tools: []\n")["diagnostics"] == []
    folder = {"uri": tmp_path.as_uri(), "name": "x"}
    session.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    shown = session.notification("textDocument/publishDiagnostics")
    assert [found["code"] for found in shown["diagnostics"]] == ["unknown-key"]


def test_a_lone_surrogate_travels(session: Client, tmp_path: Path) -> None:
    session.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
    assert asked(session, {"path": "\ud800"}) == (False, "invalid-request")
    assert asked(session, {"tool": "\ud800/x"}, "isToolAllowed") == (False, "invalid-request")
    path = tmp_path / ".coding-agent-rules.yaml"
    opened(session, path, "denied_tools: ['\ud800/x']\n")
    assert asked(session, {"path": "a", "source": "buffer"})[0] is True
