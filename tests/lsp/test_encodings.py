"""Two clients count the same documents in bytes and in UTF-16 units: what they are told are the same characters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client
from tests.lsp.shadow import Shadow

ENCODINGS = ("utf-8", "utf-16", "utf-32")
YAML = (
    "# \U0001f468\u200d\U0001f469 \u6f22\u5b57\r\n"
    "system_prompt_extension: 'a\u2028b\u0085\U0001f600'\r\n"
    "allowed_tools: ['\U0001f600/\u6f22\u5b57', '\U0001f600/\u6f22\u5b57', '\U0001f600/*']\r\n"
    "file_patterns:\r\n"
    "  include:\r\n"
    "    - '\U0001f600/\u6f22/**'\r\n"
    "    - '\u6f22\u5b57/\U0001f600[z-a]'\r\n"
    "    - '\U0001f600\u2028\u6f22/*.{md,\u6f22\U0001f600'\r\n"
    "  deny: [\U0001f600]\r\n"
)
MARKDOWN = (
    "\u6f22\u5b57 \U0001f600\n\r\n## Allowed Tools\r\n"
    "- `\U0001f600/\u6f22\u5b57` \U0001f600\r- `\U0001f600/\u6f22\u5b57`\r\n"
    "## File Patterns\n### Include \U0001f600\n- \U0001f600 `\U0001f600/[a` \u2028 `\u6f22/**`\n\n"
)
DOCUMENTS = {".coding-agent-rules.yaml": YAML, ".coding-agent-rules.md": MARKDOWN}
CAPABILITIES: dict[str, Any] = {
    "textDocument": {
        "diagnostic": {},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "hover": {"contentFormat": ["markdown"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
POINTED = {"range", "selectionRange", "targetRange"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("app")
    for name in ("\U0001f600/\u6f22/a.md", "\u6f22\u5b57/\U0001f600.md", "\u6f22/x"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


@pytest.fixture(scope="module")
def clients(root: Path) -> Iterator[dict[str, Client]]:
    """A server for each encoding, all at once."""
    made: dict[str, Client] = {}
    for encoding in ENCODINGS:
        made[encoding] = client = Client()
        capabilities = {**CAPABILITIES, "general": {"positionEncodings": [encoding]}}
        result = client.initialize(workspaceFolders=[{"uri": root.as_uri(), "name": "app"}], capabilities=capabilities)
        assert result["capabilities"]["positionEncoding"] == encoding
    yield made
    for client in made.values():
        client.close()


@pytest.fixture
def opened(clients: dict[str, Client], root: Path, name: str) -> Iterator[list[tuple[Client, Shadow]]]:
    """The document in every client."""
    pairs = [
        (client, Shadow((root / name).as_uri(), DOCUMENTS[name], encoding)) for encoding, client in clients.items()
    ]
    for client, shadow in pairs:
        client.notify("textDocument/didOpen", shadow.opening())
        settle = {"command": "rulesLsp.serverState", "arguments": [{"settled": True}]}
        client.request("workspace/executeCommand", settle)
    yield pairs
    for client, shadow in pairs:
        client.notify("textDocument/didClose", shadow.identity)


def in_characters(shadow: Shadow, answer: Any) -> Any:
    """An answer with every range as the offsets of code points."""
    if isinstance(answer, list):
        return [in_characters(shadow, each) for each in answer]
    if not isinstance(answer, dict):
        return answer
    return {
        key: shadow.span(each) if key in POINTED and each else in_characters(shadow, each)
        for key, each in answer.items()
        if key not in ("resultId", "data")
    }


def told(client: Client, shadow: Shadow, method: str, **more: Any) -> Any:
    return in_characters(shadow, client.request(method, {**shadow.identity, **more}))


def pointed_at(answer: Any) -> int:
    """How many ranges there are in an answer."""
    if isinstance(answer, list):
        return sum(map(pointed_at, answer))
    if not isinstance(answer, dict):
        return 0
    return sum((key in POINTED and bool(each)) + pointed_at(each) for key, each in answer.items())


@pytest.mark.parametrize("name", DOCUMENTS)
def test_of_the_whole_document(opened: list[tuple[Client, Shadow]]) -> None:
    answers = [
        [
            told(client, shadow, "textDocument/diagnostic"),
            told(client, shadow, "textDocument/codeAction", range=shadow.all_of_it(), context={"diagnostics": []}),
            told(client, shadow, "textDocument/documentSymbol"),
            told(client, shadow, "textDocument/foldingRange"),
            told(client, shadow, "textDocument/documentLink"),
            told(client, shadow, "textDocument/codeLens"),
        ]
        for client, shadow in opened
    ]
    assert answers[1] == answers[0]
    assert answers[2] == answers[0]
    assert [pointed_at(each) > 0 for each in answers[0][:3]] == [True, True, True]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_at_every_character(opened: list[tuple[Client, Shadow]]) -> None:
    differing: list[tuple[int, str]] = []
    text = opened[0][1].text
    for offset in range(len(text) + 1):
        if opened[0][1].between_breaks(offset):
            continue
        for method in ("textDocument/hover", "textDocument/completion", "textDocument/documentHighlight"):
            answers = [told(client, shadow, method, position=shadow.position(offset)) for client, shadow in opened]
            if any(answer != answers[0] for answer in answers):
                differing.append((offset, method))
    assert differing == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_tokens_lie_on_the_same_characters(opened: list[tuple[Client, Shadow]]) -> None:
    found = []
    for client, shadow in opened:
        data = client.request("textDocument/semanticTokens/full", shadow.identity)["data"]
        line = character = 0
        spans = []
        for index in range(0, len(data), 5):
            character = data[index + 1] + (0 if data[index] else character)
            line += data[index]
            start = shadow.offset({"line": line, "character": character})
            end = shadow.offset({"line": line, "character": character + data[index + 2]})
            spans.append((shadow.text[start:end], start, data[index + 3]))
        found.append(spans)
    assert found[0] == found[1] == found[2]
    assert "\u6f22" in "".join(text for text, _, _ in found[0])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_after_the_same_edits(opened: list[tuple[Client, Shadow]]) -> None:
    text = opened[0][1].text
    emoji, end = text.index("\U0001f600"), len(text)
    edits = ((end, end, "\u6f22\U0001f600: [\r\n"), (emoji, emoji + 1, "\u5b57\u2028"), (0, 0, "\U0001f469\r\n"))
    answers = []
    for client, shadow in opened:
        client.notify("textDocument/didChange", shadow.changed(*edits))
        answers.append(told(client, shadow, "textDocument/diagnostic"))
        assert shadow.text == opened[0][1].text
    assert answers[0] == answers[1] == answers[2]
    assert pointed_at(answers[0]) > 0
