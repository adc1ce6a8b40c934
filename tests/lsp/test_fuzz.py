"""The protocol's edge under arbitrary messages: each request is answered, and the server lives."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

METHODS = (
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/documentHighlight",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentLink",
    "textDocument/diagnostic",
    "textDocument/willSaveWaitUntil",
    "workspace/symbol",
    "workspace/diagnostic",
    "workspace/executeCommand",
    "workspace/willRenameFiles",
    "workspace/textDocumentContent",
    "codeAction/resolve",
    "codeLens/resolve",
    "completionItem/resolve",
    "nobody/knowsThis",
)
NOTIFICATIONS = (
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didSave",
    "textDocument/didClose",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didCreateFiles",
    "workspace/didRenameFiles",
    "workspace/didDeleteFiles",
    "window/workDoneProgress/cancel",
    "$/cancelRequest",
    "$/setTrace",
)
COMMANDS = (
    "rulesLsp.isFileAllowed",
    "rulesLsp.isToolAllowed",
    "rulesLsp.serverState",
    "rulesLsp.explainFile",
    "rulesLsp.overview",
    "rulesLsp.starter",
    "isFileAllowed",
    "no.such.command",
)
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    7,
    2**31 - 1,
    2**40,
    1.5,
    "",
    "x",
    "file:///",
    "file:///a%zz",
    "untitled:1",
    [],
    {},
    [None],
)
TEXTS = (
    "",
    "denied_tools: [",
    "deny: 😀\r\n- a\u2028b",
    "file_patterns:\n  include:\n    - src/**\n    - '[a'\n",
    "\ufeff",
)
SEEDS = range(6)
ROUNDS = 120
INTERNAL_ERROR = -32603
KNOWN_ERRORS = {-32700, -32600, -32601, -32602, -32800, -32801, -32802, -32803}


class Noise:
    """Messages that nearly fit: what each needs, with some of it missing, wrong or far away."""

    def __init__(self, seed: int, root: Path) -> None:
        self._random = random.Random(seed)
        names = (".coding-agent-rules.yaml", ".coding-agent-rules.md", "config.yaml", "src/a.py", "gone/x")
        self._uris = [(root / name).as_uri() for name in names]

    def pick(self, *choices: Any) -> Any:
        return self._random.choice(choices)

    def value(self, usual: Any) -> Any:
        """A value as it should be, mostly."""
        return self.pick(*ODD) if self._random.random() < 0.08 else usual

    def position(self) -> Any:
        far = (0, 1, 3, 9, 500, 2**31 - 1)
        return self.value({"line": self.value(self.pick(*far)), "character": self.value(self.pick(*far))})

    def range(self) -> Any:
        return self.value({"start": self.position(), "end": self.position()})

    def document(self, **more: Any) -> Any:
        return self.value({"uri": self.value(self.pick(*self._uris)), **more})

    def parameters(self) -> Any:
        """Everything that any request asks for: each takes what is its own."""
        usual = {
            "textDocument": self.document(version=self.value(2)),
            "position": self.position(),
            "positions": self.value([self.position()]),
            "range": self.range(),
            "context": self.value({"diagnostics": [], "includeDeclaration": True, "triggerKind": 1}),
            "newName": self.value("new"),
            "query": self.value("a"),
            "previousResultId": self.value("1"),
            "previousResultIds": self.value([]),
            "files": self.value([{"uri": self.pick(*self._uris), "oldUri": self.value("file:///a"), "newUri": ""}]),
            "command": self.value(self.pick(*COMMANDS)),
            "arguments": self.value([self.value({"path": self.value("a"), "tool": self.value("b")})]),
            "uri": self.value(self.pick(*self._uris)),
            "title": self.value("x"),
            "label": self.value("x"),
            "data": self.value({"uri": self.pick(*self._uris)}),
        }
        if self._random.random() < 0.1:
            usual.pop(self.pick(*usual))
        return self.value(usual)

    def change(self) -> Any:
        text = self.value(self.pick(*TEXTS))
        return self.value(self.pick({"text": text}, {"text": text, "range": self.range()}))

    def notification(self) -> tuple[str, Any]:
        method = self.pick(*NOTIFICATIONS)
        parameters = {
            "textDocument": self.document(version=self.value(3), languageId="yaml", text=self.pick(*TEXTS)),
            "contentChanges": self.value([self.change(), self.change()]),
            "changes": self.value([{"uri": self.pick(*self._uris), "type": self.value(1)}]),
            "files": self.value([{"uri": self.pick(*self._uris), "oldUri": self.value("file:///a"), "newUri": ""}]),
            "settings": self.value({"rulesLsp": {"severity": self.value({"unknown-key": self.value("off")})}}),
            "token": self.value("t"),
            "id": self.value(3),
            "value": self.value("off"),
        }
        return method, self.value(parameters)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("app")
    (root / ".coding-agent-rules.yaml").write_text("denied_tools: [Bash]\n")
    return root


@pytest.fixture(scope="module")
def fuzzed(project: Path) -> Iterator[Client]:
    made = Client()
    diagnostic: dict[str, Any] = {"textDocument": {"diagnostic": {}}}
    made.initialize(workspaceFolders=[{"uri": project.as_uri(), "name": "app"}], capabilities=diagnostic)
    yield made
    made.kill()


@pytest.mark.parametrize("seed", SEEDS)
def test_every_request_is_answered_and_none_breaks_the_server(fuzzed: Client, project: Path, seed: int) -> None:
    noise = Noise(seed, project)
    broken: list[Any] = []
    for _ in range(ROUNDS):
        if noise.pick(True, False):
            fuzzed.notify(*noise.notification())
            continue
        method, parameters = noise.pick(*METHODS), noise.parameters()
        answer = fuzzed.ask(method, parameters)
        if "error" in answer and answer["error"]["code"] not in KNOWN_ERRORS:
            broken.append((method, parameters, answer["error"]["message"]))
    query = {"command": "isToolAllowed", "arguments": [{"tool": "Bash", "root": str(project)}]}
    assert fuzzed.request("workspace/executeCommand", query)["code"] == "denied-tool"
    failures = [
        message["params"]["message"]
        for message in fuzzed.received
        if message.get("method") == "window/logMessage" and message["params"]["type"] == 1
    ]
    assert (broken, failures) == ([], [])


def test_what_is_wrong_is_no_noise_in_the_log(project: Path) -> None:
    client = Client()
    try:
        client.initialize(workspaceFolders=[{"uri": project.as_uri(), "name": "app"}])
        assert client.ask("workspace/executeCommand", {"command": "no.such"})["error"]["code"] == -32602
        assert client.ask("textDocument/hover", {"textDocument": 5})["error"]["code"] == -32602
        client.notify("nobody/knowsThis", {"textDocument": 5})
        client.close()
    finally:
        client.kill()
