"""A file and a directory that the editor renames: the patterns go along, and the rules hold under the new names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client
from tests.lsp.shadow import Shadow

TEXT = (
    "file_patterns:\r\n"
    "  include: # \U0001f600\r\n"
    "    - 'src/**' # the sources\r\n"
    '    - "src/\u6f22\u5b57.md"\r\n'
    "    - docs/**\r\n"
    "  exclude: [src/secrets/*.pem, '*.key']\r\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("src/a.py", "src/\u6f22\u5b57.md", "src/secrets/x.pem", "docs/d.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / ".coding-agent-rules.yaml").write_bytes(TEXT.encode())
    return tmp_path


@pytest.fixture
def client(root: Path) -> Iterator[Client]:
    made = Client()
    changes = {"workspaceEdit": {"documentChanges": True}, "fileOperations": {"willRename": True, "didRename": True}}
    capabilities = {"textDocument": {"diagnostic": {}}, "workspace": changes}
    folder = {"uri": root.as_uri(), "name": "app"}
    result = made.initialize(capabilities=capabilities, workspaceFolders=[folder])
    operations = result["capabilities"]["workspace"]["fileOperations"]
    any_file = {"filters": [{"pattern": {"glob": "**/*"}}]}
    assert (operations["willRename"], operations["didRename"]) == (any_file, any_file)
    yield made
    made.close()


def command(client: Client, name: str, *arguments: Any) -> Any:
    return client.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)})


def allowed(client: Client, path: str) -> tuple[bool, str]:
    answer = command(client, "isFileAllowed", path)
    return answer["allowed"], answer["code"]


@pytest.mark.parametrize(
    ("old", "new", "expected", "answers"),
    [
        (
            "src",
            "lib/core",
            TEXT.replace("src/**", "lib/core/**")
            .replace("src/\u6f22", "lib/core/\u6f22")
            .replace("[src/", "[lib/core/"),
            {"lib/core/a.py": (True, "included"), "lib/core/secrets/x.pem": (False, "excluded")},
        ),
        (
            "src/\u6f22\u5b57.md",
            "src/\U0001f600.md",
            TEXT.replace("\u6f22\u5b57.md", "\U0001f600.md"),
            {"src/\U0001f600.md": (True, "included"), "src/secrets/x.pem": (False, "excluded")},
        ),
    ],
)
def test_what_is_renamed_is_ruled_as_before(
    client: Client, root: Path, old: str, new: str, expected: str, answers: dict[str, tuple[bool, str]]
) -> None:
    rules = root / ".coding-agent-rules.yaml"
    shadow = Shadow(rules.as_uri(), TEXT)
    client.notify("textDocument/didOpen", shadow.opening())
    command(client, "rulesLsp.serverState", {"settled": True})
    before = client.request("textDocument/diagnostic", shadow.identity)["items"]
    files = {"files": [{"oldUri": (root / old).as_uri(), "newUri": (root / new).as_uri()}]}
    (change,) = client.request("workspace/willRenameFiles", files)["documentChanges"]
    assert change["textDocument"] == {"uri": shadow.uri, "version": 1}
    edits = sorted(((*shadow.span(edit["range"]), edit["newText"]) for edit in change["edits"]), reverse=True)
    client.notify("textDocument/didChange", shadow.changed(*edits))
    assert shadow.text == expected
    rules.write_bytes(shadow.text.encode())
    (root / new).parent.mkdir(parents=True, exist_ok=True)
    (root / old).rename(root / new)
    client.notify("workspace/didRenameFiles", files)
    command(client, "rulesLsp.serverState", {"settled": True})
    after = client.request("textDocument/diagnostic", shadow.identity)["items"]
    assert [each["code"] for each in after] == [each["code"] for each in before]
    assert {path: allowed(client, path) for path in answers} == answers


def test_a_name_that_no_pattern_holds_changes_nothing(client: Client, root: Path) -> None:
    files = {"files": [{"oldUri": (root / "srcs").as_uri(), "newUri": (root / "x").as_uri()}]}
    assert client.request("workspace/willRenameFiles", files) is None
