"""What happens outside of the open documents: files, settings and folders that change, and what the client is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

CREATED, CHANGED, DELETED = 1, 2, 3
PULL = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
WATCH = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
ASK = {"workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}}


@pytest.fixture
def session() -> Iterator[Client]:
    made = Client()
    yield made
    made.close()


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    return tmp_path / ".coding-agent-rules.yaml"


def folder(path: Path) -> dict[str, Any]:
    return {"workspaceFolders": [{"uri": path.as_uri(), "name": path.name}]}


def opened(client: Client, path: Path, text: str, version: int = 1) -> None:
    item = {"uri": path.as_uri(), "languageId": "yaml", "version": version, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})


def changed(client: Client, path: Path, text: str, version: int) -> None:
    parameters = {"textDocument": {"uri": path.as_uri(), "version": version}, "contentChanges": [{"text": text}]}
    client.notify("textDocument/didChange", parameters)


def happened(client: Client, kind: int, *paths: Path) -> None:
    client.notify(
        "workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind} for path in paths]}
    )


def pulled(client: Client, path: Path, previous: str | None = None) -> tuple[str, list[str], str]:
    """The kind of a report, its codes and its id."""
    parameters = {"textDocument": {"uri": path.as_uri()}, "previousResultId": previous}
    report = client.request("textDocument/diagnostic", parameters)
    return report["kind"], [found["code"] for found in report.get("items", [])], report["resultId"]


def settled(client: Client) -> Any:
    return client.request(
        "workspace/executeCommand", {"command": "rulesLsp.serverState", "arguments": [{"settled": True}]}
    )


def asked(client: Client, method: str) -> Any:
    """The first message of a method that has come, or else is waited for."""
    for message in client.received:
        if message.get("method") == method:
            client.received.remove(message)
            return message
    while True:
        message = client.receive()
        if message.get("method") == method:
            return message
        client.received.append(message)


def answer(client: Client, request: Any, result: Any) -> None:
    client.send({"jsonrpc": "2.0", "id": request["id"], "result": result})


def methods(client: Client) -> list[str]:
    return [message["method"] for message in client.received if "method" in message]


def codes(parameters: Any) -> list[str]:
    return [found["code"] for found in parameters["diagnostics"]]


def test_who_pulls_is_not_pushed_at(session: Client, tmp_path: Path, rules: Path) -> None:
    result = session.initialize(**folder(tmp_path), capabilities=PULL)
    assert result["capabilities"]["diagnosticProvider"] == {
        "interFileDependencies": True,
        "workspaceDiagnostics": True,
        "identifier": "rules-lsp",
    }
    opened(session, rules, "deny_tools: []\n")
    kind, found, first = pulled(session, rules)
    assert (kind, found) == ("full", ["unknown-key"])
    assert pulled(session, rules, first) == ("unchanged", [], first)
    changed(session, rules, "# more\ndeny_tools: []\n", 2)
    kind, found, second = pulled(session, rules, first)
    assert (kind, found, second != first) == ("full", ["unknown-key"], True)
    session.notify("textDocument/didClose", {"textDocument": {"uri": rules.as_uri()}})
    assert pulled(session, rules)[:2] == ("full", [])
    assert session.request("workspace/diagnostic", {"previousResultIds": []}) == {"items": []}
    assert "textDocument/publishDiagnostics" not in methods(session)


def test_who_does_not_pull_is_offered_nothing_to_pull(session: Client, rules: Path) -> None:
    session.initialize()
    opened(session, rules, "deny_tools: []\n")
    assert codes(session.notification("textDocument/publishDiagnostics")) == ["unknown-key"]
    parameters = {"textDocument": {"uri": rules.as_uri()}}
    assert session.ask("textDocument/diagnostic", parameters)["error"]["code"] == -32601


def test_the_client_is_asked_to_pull_anew_when_files_are_known(session: Client, tmp_path: Path, rules: Path) -> None:
    session.initialize(**folder(tmp_path), capabilities=PULL)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("")
    opened(session, rules, "file_patterns: {include: [scr/**]}\n")
    pulled(session, rules)
    request = asked(session, "workspace/diagnostic/refresh")
    # The files may have been known to the first pull: what counts is that they are to one after the request.
    assert pulled(session, rules)[:2] == ("full", ["matches-nothing"])
    answer(session, request, None)


def test_the_whole_workspace_where_the_settings_want_it(session: Client, tmp_path: Path, rules: Path) -> None:
    options = {"diagnostics": {"workspace": True}}
    result = session.initialize(**folder(tmp_path), capabilities=PULL, initializationOptions=options)
    assert result["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"] is True
    rules.write_text("deny_tools: []\n")
    config = tmp_path / "config.yaml"
    config.write_text("project_agent_rules: {enabled: 5}\n")
    opened(session, config, "project_agent_rules: {enabled: true}\n", 7)
    reports = session.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert [(each["uri"], each["version"], [found["code"] for found in each["items"]]) for each in reports] == [
        (config.as_uri(), 7, []),
        (rules.as_uri(), None, ["unknown-key"]),
    ]
    previous = [{"uri": each["uri"], "value": each["resultId"]} for each in reports]
    again = session.request("workspace/diagnostic", {"previousResultIds": previous})["items"]
    assert [(each["uri"], each["kind"]) for each in again] == [
        (config.as_uri(), "unchanged"),
        (rules.as_uri(), "unchanged"),
    ]
    rules.unlink()
    last = session.request("workspace/diagnostic", {"previousResultIds": previous})["items"]
    assert [(each["uri"], each["kind"], each.get("items")) for each in last] == [
        (config.as_uri(), "unchanged", None),
        (rules.as_uri(), "full", []),
    ]


def test_the_whole_workspace_as_long_as_the_settings_want_it(session: Client, tmp_path: Path, rules: Path) -> None:
    rules.write_text("deny_tools: []\n")
    config = tmp_path / "config.yaml"
    session.initialize(**folder(tmp_path), capabilities=PULL)
    opened(session, config, "project_agent_rules: {enabled: true}\n")
    told: dict[str, str] = {}

    def reported(wanted: bool) -> list[tuple[str, str, int | None]]:
        settings = {"rulesLsp": {"diagnostics": {"workspace": wanted}}}
        session.notify("workspace/didChangeConfiguration", {"settings": settings})
        previous = [{"uri": uri, "value": value} for uri, value in told.items()]
        items = session.request("workspace/diagnostic", {"previousResultIds": previous})["items"]
        told.update((each["uri"], each["resultId"]) for each in items)
        return [(Path(each["uri"]).name, each["kind"], len(each.get("items", []))) for each in items]

    assert reported(False) == []
    assert reported(True) == [(config.name, "full", 0), (rules.name, "full", 1)]
    assert reported(True) == [(config.name, "unchanged", 0), (rules.name, "unchanged", 0)]
    assert reported(False) == [(rules.name, "full", 0)]
    assert reported(False) == [(rules.name, "unchanged", 0)]
    assert reported(True) == [(config.name, "unchanged", 0), (rules.name, "full", 1)]


def test_a_client_that_never_answers_may_shut_the_server_down(client: Client, tmp_path: Path, rules: Path) -> None:
    client.initialize(**folder(tmp_path), capabilities=PULL)
    for level in ("off", "error", "warning"):
        settings = {"rulesLsp": {"severity": {"unknown-key": level}}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert asked(client, "workspace/diagnostic/refresh")["id"]
    assert client.request("shutdown", None) is None
    client.notify("exit", None)
    assert client.end() == (0, "")


def test_files_are_watched_where_the_client_can(session: Client, tmp_path: Path, rules: Path) -> None:
    session.initialize(**folder(tmp_path), capabilities=WATCH)
    request = asked(session, "client/registerCapability")
    (registration,) = request["params"]["registrations"]
    assert registration["method"] == "workspace/didChangeWatchedFiles"
    assert [(each["globPattern"], each["kind"]) for each in registration["registerOptions"]["watchers"]] == [
        ("**/*", CREATED | 4),
        ("**/*.{yaml,yml,md,markdown,json,jsonc,toml}", 2),
    ]
    answer(session, request, None)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("")
    opened(session, rules, "file_patterns: {include: [scr/**]}\n")
    assert codes(session.notification("textDocument/publishDiagnostics")) == []
    assert codes(session.notification("textDocument/publishDiagnostics")) == ["matches-nothing"]
    (tmp_path / "src").rename(tmp_path / "scr")
    happened(session, CREATED, tmp_path / "scr")
    happened(session, DELETED, tmp_path / "src")
    assert codes(session.notification("textDocument/publishDiagnostics")) == []
    assert settled(session)["watched"] is True


@pytest.mark.parametrize(
    ("method", "files"),
    [
        ("workspace/didCreateFiles", [{"uri": "{scr}"}]),
        ("workspace/didDeleteFiles", [{"uri": "{src}"}]),
        ("workspace/didRenameFiles", [{"oldUri": "{src}", "newUri": "{scr}"}]),
    ],
)
def test_what_the_editor_does_to_files_counts(
    session: Client, tmp_path: Path, rules: Path, method: str, files: list[dict[str, str]]
) -> None:
    session.initialize(**folder(tmp_path))
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("")
    opened(session, rules, "file_patterns: {include: [scr/**]}\n")
    session.notification("textDocument/publishDiagnostics")
    assert codes(session.notification("textDocument/publishDiagnostics")) == ["matches-nothing"]
    (tmp_path / "src").rename(tmp_path / "scr")
    places = {"{src}": (tmp_path / "src").as_uri(), "{scr}": (tmp_path / "scr").as_uri()}
    named = [{key: places[value] for key, value in file.items()} for file in files]
    session.notify(method, {"files": named})
    assert codes(session.notification("textDocument/publishDiagnostics")) == []


def test_a_directory_that_will_be_renamed_takes_its_patterns_along(
    session: Client, tmp_path: Path, rules: Path
) -> None:
    session.initialize(**folder(tmp_path))
    text = "file_patterns:\n  include: [src/**, docs/**]\n"
    rules.write_text(text)
    files = [{"oldUri": (tmp_path / "src").as_uri(), "newUri": (tmp_path / "lib" / "core").as_uri()}]
    place = {"start": {"line": 1, "character": 12}, "end": {"line": 1, "character": 18}}
    expected = {rules.as_uri(): [{"range": place, "newText": "lib/core/**"}]}
    assert session.request("workspace/willRenameFiles", {"files": files}) == {"changes": expected}
    opened(session, rules, "\n" + text)
    moved = {"start": {"line": 2, "character": 12}, "end": {"line": 2, "character": 18}}
    expected = {rules.as_uri(): [{"range": moved, "newText": "lib/core/**"}]}
    assert session.request("workspace/willRenameFiles", {"files": files}) == {"changes": expected}
    other = [{"oldUri": (tmp_path / "test").as_uri(), "newUri": (tmp_path / "tests").as_uri()}]
    assert session.request("workspace/willRenameFiles", {"files": other}) is None
    away = [{"oldUri": (tmp_path / "src").as_uri(), "newUri": tmp_path.parent.as_uri() + "/src"}]
    assert session.request("workspace/willRenameFiles", {"files": away}) is None


def test_a_policy_that_changes_is_told_once(session: Client, tmp_path: Path, rules: Path) -> None:
    session.initialize(**folder(tmp_path))
    rules.write_text("denied_tools: [Bash]\n")
    happened(session, CREATED, rules)
    told = asked(session, "rulesLsp/policyChanged")["params"]
    (state,) = settled(session)["folders"]
    assert told == {"uri": tmp_path.as_uri(), "version": state["policyVersion"]}
    happened(session, CHANGED, rules)
    (tmp_path / "other.txt").write_text("")
    happened(session, CREATED, tmp_path / "other.txt")
    settled(session)
    assert "rulesLsp/policyChanged" not in methods(session)


def test_a_policy_that_changed_unseen_is_told_when_it_is_asked(session: Client, tmp_path: Path, rules: Path) -> None:
    session.initialize(**folder(tmp_path))
    query = {"command": "isToolAllowed", "arguments": [{"tool": "Bash"}]}
    assert session.request("workspace/executeCommand", query)["allowed"] is True
    rules.write_text("denied_tools: [Bash]\n")
    given = session.request("workspace/executeCommand", query)
    assert given["allowed"] is False
    assert [each["params"]["version"] for each in session.received if "method" in each] == [given["policy"]["version"]]


def test_settings_for_each_folder(session: Client, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for path in (first, second):
        path.mkdir()
        (path / ".coding-agent-rules.yaml").write_text("deny_tools: []\n")
    operator = tmp_path / "operator.yaml"
    operator.write_text("project_agent_rules: {rule_files: [none.yaml], default_rules: {denied_tools: [Bash]}}\n")
    folders = [{"uri": path.as_uri(), "name": path.name} for path in (first, second)]
    session.initialize(workspaceFolders=folders, capabilities=ASK)
    registration = asked(session, "client/registerCapability")
    request = asked(session, "workspace/configuration")
    assert registration["params"]["registrations"][0]["registerOptions"] == {"section": "rulesLsp"}
    assert request["params"]["items"] == [
        {"scopeUri": first.as_uri(), "section": "rulesLsp"},
        {"scopeUri": second.as_uri(), "section": "rulesLsp"},
    ]
    answer(session, registration, None)
    answer(session, request, [{"severity": {"unknown-key": "off"}}, {"config": str(operator), "severity": None}])
    for path, expected in ((first, []), (second, ["unknown-key"])):
        opened(session, path / ".coding-agent-rules.yaml", "deny_tools: []\n")
        shown = session.notification("textDocument/publishDiagnostics")
        assert [code for code in codes(shown) if code == "unknown-key"] == expected
    query = {"tool": "Bash", "root": str(first)}
    for root, allowed in ((first, True), (second, False)):
        parameters = {"command": "isToolAllowed", "arguments": [{**query, "root": str(root)}]}
        assert session.request("workspace/executeCommand", parameters)["allowed"] is allowed
    session.notify("workspace/didChangeConfiguration", {"settings": None})
    answer(session, asked(session, "workspace/configuration"), [None, None])
    assert codes(session.notification("textDocument/publishDiagnostics")) == ["unknown-key"]
    parameters = {"command": "isToolAllowed", "arguments": [{"tool": "Bash", "root": str(second)}]}
    assert session.request("workspace/executeCommand", parameters)["allowed"] is True


def test_settings_of_a_client_that_is_not_asked(session: Client, tmp_path: Path, rules: Path) -> None:
    session.initialize(**folder(tmp_path))
    opened(session, rules, "deny_tools: []\n")
    assert codes(session.notification("textDocument/publishDiagnostics")) == ["unknown-key"]
    settings = {"rulesLsp": {"severity": {"unknown-key": "off"}}}
    session.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert codes(session.notification("textDocument/publishDiagnostics")) == []


def test_a_configuration_that_is_no_path_allows_nothing(client: Client, tmp_path: Path) -> None:
    client.initialize(**folder(tmp_path), capabilities=ASK)
    answer(client, asked(client, "workspace/configuration"), [{"config": 5}])
    told = asked(client, "window/logMessage")["params"]
    assert told["message"].endswith("`config` must be a text")
    parameters = {"command": "isToolAllowed", "arguments": [{"tool": "Bash"}]}
    assert client.request("workspace/executeCommand", parameters)["allowed"] is False


def test_the_state_for_a_bug_report_holds_no_text(session: Client, tmp_path: Path, rules: Path) -> None:
    config = tmp_path / "operator.yaml"
    config.write_text("")
    session.initialize(**folder(tmp_path), initializationOptions={"config": str(config)})
    opened(session, rules, "denied_tools: [SECRET]\n")
    state = settled(session)
    assert (state["apiVersion"], state["positionEncoding"], state["scans"]) == (1, "utf-16", {str(tmp_path): "done"})
    assert state["documents"] == [{"uri": rules.as_uri(), "version": 1, "characters": 23}]
    (shown,) = state["folders"]
    assert (shown["uri"], shown["operatorConfig"], shown["files"]) == (tmp_path.as_uri(), True, 1)
    assert "SECRET" not in json.dumps(state)
    assert "operator.yaml" not in json.dumps(state)


def test_a_root_for_a_client_that_names_none(tmp_path: Path) -> None:
    (tmp_path / ".coding-agent-rules.yaml").write_text("denied_tools: [Bash]\n")
    client = Client(["--root", str(tmp_path)])
    try:
        client.initialize(workspaceFolders=None)
        parameters = {"command": "isToolAllowed", "arguments": [{"tool": "Bash"}]}
        assert client.request("workspace/executeCommand", parameters)["code"] == "denied-tool"
        client.close()
    finally:
        client.kill()


def test_a_long_scan_is_shown_and_may_be_cancelled(session: Client, tmp_path: Path, rules: Path) -> None:
    for number in range(11):
        directory = tmp_path / f"d{number}"
        directory.mkdir()
        for name in range(1000):
            (directory / str(name)).touch()
    session.initialize(**folder(tmp_path), capabilities={"window": {"workDoneProgress": True}})
    opened(session, rules, "denied_tools: [Bash]\n")
    request = asked(session, "window/workDoneProgress/create")
    answer(session, request, None)
    values = [session.notification("$/progress")["value"] for _ in range(2)]
    assert values[0] == {"kind": "begin", "title": f"Listing {tmp_path.name}", "cancellable": True}
    assert values[1]["kind"] in ("report", "end")
    session.notify("window/workDoneProgress/cancel", {"token": request["params"]["token"]})
    assert settled(session)["scans"][str(tmp_path)] in ("given up", "done")
