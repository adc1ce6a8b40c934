"""Two thousand random edits of faulty documents with questions in between: all answered, nothing leaks, one text."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client
from tests.lsp.shadow import Shadow

SEED = 20_240
EDITS, WARM = 2000, 500
LARGEST = 4000
MOST_GROWTH_KIB = 24 * 1024
WARNING = 2

YAML = """\
# yaml-language-server: $schema=./s.json
system_prompt_extension: |
  Be brief. \U0001f600
allowed_tools: [github/*, 'Azure MCP/x', "mcp__github__y", Read]
deny_tools:
  - GitHub/delete_file # rules-lsp: ignore[unknown-tool]
  - github/get_issue
  - github/get_issue
file_patterns:
  include:
    - src/**
    - docs/[a-z.md
    - '!src/a.py'
  exclude:
    - "*.pem"
    - secrets/
    - src/{a,b}/**
"""
MARKDOWN = """\
# Rules \u6f22\u5b57

## Allowed Tools
- `github/*`
- everything but `Bash`

## Denied tools
* Bash(rm *)

## File Patterns
### Include
| Include | Exclude |
| --- | --- |
| `src/**` | `*.pem` |

### Exclude
- `secrets/`
- secrets/**, *.key
```yaml
exclude: [a, "b"]
```
"""
CONFIG = """\
project_agent_rules:
  enabled: yes
  on_eror: deny
  rule_files: [.coding-agent-rules.yaml, rules/x.yaml, 5]
  default_rules:
    denied_tools: [Bash, Bash]
    file_patterns: {include: ['**'], exclude: [src/[a-z]/, '**']}
"""
HOSTILE = """\
&a allowed_tools: &b [*a, *b, !!python/object:os.system x]
? [complex, key]
: {{{{[[[[
denied_tools: !!set {a, b}
file_patterns: &f
  <<: *f
  include: ['**/**/**/**/*a*a*a*b', '{a,{b,{c,{d}}}}', '[!]a-', "\\ud83d\\0"]
\texclude:\t- \u2028\u0085
...
--- %TAG
denied_tools: |+9
"""
SERVERS = '{"mcpServers": {"github": {"command": "x", "tools": ["get_issue"]}, "a\\u002fb": {}, "github": []}}\n'
PIECES = (
    *"[]{}'\"`*!/:#-,|>&?%@\\ \t\n\r",
    "\r\n",
    "  - ",
    "\n- `src/**`",
    "\n    - src/\U0001f600/*.{py,md}",
    "\n## Denied Tools\n",
    "\ndenied_tools:\n",
    "\nallowed_tools: [a, b",
    "include:",
    "github/",
    "mcp__github__get_issue",
    "&a *a",
    "\n```\n",
    "| --- |",
    "<!-- x",
    "\u6f22\u5b57",
    "\U0001f468\u200d\U0001f469",
    "e\u0301",
    "\u2028",
    "\ufeff",
    "\u0000",
    "\u202e",
    "a" * 300,
    "[" * 60,
    "{a," * 20,
    "# rules-lsp: ignore[unknown-key]",
)
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-8"]},
    "textDocument": {
        "diagnostic": {},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}, "dataSupport": True},
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename"]}},
}


@pytest.fixture
def roots(tmp_path: Path) -> list[Path]:
    """Three folders: each has rules of another kind."""
    made = [tmp_path / name for name in ("yaml", "markdown", "hostile")]
    for root in made:
        for name in ("src/a.py", "src/b/c.py", "docs/x.md", "secrets/key.pem", "src/\U0001f600/d.md"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("")
        (root / ".mcp.json").write_text(SERVERS)
    return made


@pytest.fixture
def start(roots: list[Path]) -> Iterator[Any]:
    """Begins a session with the folders open; all of them are ended, and none may have complained."""
    begun: list[Client] = []

    def session() -> Client:
        client = Client()
        begun.append(client)
        folders = [{"uri": root.as_uri(), "name": root.name} for root in roots]
        options = {"inlayHints": {"enabled": True}}
        client.initialize(workspaceFolders=folders, capabilities=CAPABILITIES, initializationOptions=options)
        return client

    yield session
    for client in begun:
        client.kill()


def documents(roots: list[Path]) -> list[tuple[Shadow, str]]:
    """The documents, each with its first text and faults."""
    plain, markdown, hostile = roots
    named = (
        (plain / ".coding-agent-rules.yaml", YAML),
        (plain / "config.yaml", CONFIG),
        (plain / ".mcp.json", SERVERS),
        (markdown / ".coding-agent-rules.md", MARKDOWN),
        (hostile / ".coding-agent-rules.yaml", HOSTILE),
    )
    return [(Shadow(path.as_uri(), text, "utf-8"), text) for path, text in named]


def settle(client: Client) -> Any:
    arguments = {"command": "rulesLsp.serverState", "arguments": [{"settled": True}]}
    return client.request("workspace/executeCommand", arguments)


def resident_kib(process: int) -> int:
    """The memory of a process that is in use."""
    status = Path(f"/proc/{process}/status")
    if status.exists():
        return int(next(line for line in status.read_text().splitlines() if line.startswith("VmRSS")).split()[1])
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, check=True).stdout)


class Typist:
    """Edits at random, and asks about what is there."""

    def __init__(self, client: Client, seed: int) -> None:
        self._client = client
        self._random = random.Random(seed)
        self._tokens: dict[str, str] = {}

    def edit(self, shadow: Shadow, first: str) -> None:
        """One edit; a document that has grown too large begins anew."""
        if len(shadow.text) > LARGEST or self._random.random() < 0.02:
            self._client.notify("textDocument/didChange", shadow.changed(first))
            return
        self._client.notify("textDocument/didChange", shadow.changed(self._change(shadow)))

    def _change(self, shadow: Shadow) -> tuple[int, int, str]:
        size = len(shadow.text)
        start = self._random.randrange(size + 1)
        end = min(size, start + self._random.choice((0, 0, 0, 1, 1, 4, 30)))
        start -= shadow.between_breaks(start)
        end += shadow.between_breaks(end)
        return start, end, self._random.choice((*PIECES, ""))

    def ask(self, shadow: Shadow) -> None:
        """A hover and a completion at a random place, and one question more."""
        place = shadow.at(self._cursor(shadow))
        self._client.request("textDocument/hover", place)
        listed = self._client.request("textDocument/completion", place)
        for name, more in self._random.sample(self._others(shadow, place), 1):
            answer = self._client.request(name, more)
            self._follow(name, shadow, answer)
        if listed and listed["items"]:
            self._client.request("completionItem/resolve", self._random.choice(listed["items"]))

    def _cursor(self, shadow: Shadow) -> int:
        offset = self._random.randrange(len(shadow.text) + 1)
        return offset - shadow.between_breaks(offset)

    def _others(self, shadow: Shadow, place: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        known, range_ = shadow.identity, shadow.all_of_it()
        tokens, named = self._tokens.get(shadow.uri), {"uri": shadow.uri, "position": place["position"]}
        return [
            ("textDocument/diagnostic", known),
            ("textDocument/codeLens", known),
            ("textDocument/inlayHint", {**known, "range": range_}),
            ("textDocument/codeAction", {**known, "range": range_, "context": {"diagnostics": []}}),
            ("textDocument/codeAction", {**known, "range": range_, "context": {"diagnostics": [], "only": ["source"]}}),
            ("textDocument/semanticTokens/full", known)
            if tokens is None
            else ("textDocument/semanticTokens/full/delta", {**known, "previousResultId": tokens}),
            ("textDocument/documentSymbol", known),
            ("textDocument/foldingRange", known),
            ("textDocument/selectionRange", {**known, "positions": [place["position"]]}),
            ("textDocument/documentHighlight", place),
            ("textDocument/definition", place),
            ("textDocument/references", {**place, "context": {"includeDeclaration": True}}),
            ("textDocument/prepareRename", place),
            ("textDocument/documentLink", known),
            ("workspace/symbol", {"query": "a"}),
            ("workspace/executeCommand", {"command": "rulesLsp.showFiles", "arguments": [named]}),
        ]

    def _follow(self, name: str, shadow: Shadow, answer: Any) -> None:
        if name.startswith("textDocument/semanticTokens"):
            # A configuration that is none of ours while it is half a text has no tokens.
            self._tokens[shadow.uri] = answer["resultId"] if answer is not None else "none"
        if name == "textDocument/codeLens" and answer:
            self._client.request("codeLens/resolve", self._random.choice(answer))


def shown(client: Client, shadow: Shadow) -> list[Any]:
    """What a server makes of a document as it is: every part of the text has a part in it."""
    known = shadow.identity
    found = client.request("textDocument/diagnostic", known)["items"]
    hovers = [
        client.request("textDocument/hover", shadow.at(offset))
        for offset in range(0, len(shadow.text) + 1, 97)
        if not shadow.between_breaks(offset)
    ]
    return [
        found,
        hovers,
        (client.request("textDocument/semanticTokens/full", known) or {}).get("data"),
        client.request("textDocument/documentSymbol", known),
        client.request("textDocument/foldingRange", known),
        client.request(
            "textDocument/codeAction", {**known, "range": shadow.all_of_it(), "context": {"diagnostics": []}}
        ),
    ]


def unversioned(answer: Any) -> Any:
    """The same without the version of the document, which differs from a fresh one's."""
    if isinstance(answer, list):
        return [unversioned(each) for each in answer]
    if isinstance(answer, dict):
        return {key: unversioned(each) for key, each in answer.items() if key != "version"}
    return answer


def complaints(client: Client) -> list[str]:
    """What a server has told its client's log of."""
    logged = [each["params"] for each in client.received if each.get("method") == "window/logMessage"]
    return [each["message"] for each in logged if each["type"] <= WARNING]


def test_a_long_session(start: Any, roots: list[Path]) -> None:
    print(f"seed {SEED}")
    client = start()
    typist, choose = Typist(client, SEED), random.Random(SEED)
    edited = documents(roots)
    for shadow, _ in edited:
        client.notify("textDocument/didOpen", shadow.opening())
    settle(client)
    sizes: list[int] = []
    for number in range(1, EDITS + 1):
        shadow, first = choose.choice(edited)
        typist.edit(shadow, first)
        typist.ask(shadow)
        if number in (WARM, EDITS):
            sizes.append(resident_kib(client.process.pid))
    assert {each["uri"]: each["characters"] for each in settle(client)["documents"]} == {
        shadow.uri: len(shadow.text) for shadow, _ in edited
    }
    fresh = start()
    for shadow, _ in edited:
        fresh.notify("textDocument/didOpen", shadow.opening())
    settle(fresh)
    for shadow, _ in edited:
        assert unversioned(shown(client, shadow)) == unversioned(shown(fresh, shadow)), shadow.text
    assert complaints(client) == []
    assert sizes[1] - sizes[0] < MOST_GROWTH_KIB, f"{sizes} KiB after {WARM} and {EDITS} edits"
    client.close()
    fresh.close()
