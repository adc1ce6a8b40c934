from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rules_lsp.source.text import Position, Text
from rules_lsp.workspace.server_files import ConfiguredServer, ServerFile, read_server_files
from rules_lsp.workspace.server_launch import HIDDEN, clean_url, read_launch
from rules_lsp.workspace.servers import SERVER_FILES, configured_servers

NPX = {"command": "npx", "args": ["-y", "@playwright/mcp@latest"]}


def write(root: Path, name: str, content: str | bytes) -> str:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return os.path.realpath(root)


def only_file(root: Path, name: str, content: str | bytes) -> ServerFile:
    (file,) = read_server_files(write(root, name, content))
    return file


def only_server(root: Path, name: str, content: str) -> ConfiguredServer:
    file = only_file(root, name, content)
    assert file.problems == ()
    (server,) = file.servers
    return server


FORMS = [
    (".mcp.json", '{"mcpServers": {"a b": {"command": "x"}}}', "a b"),
    (".mcp.json", '{"servers": {"a": {"command": "x"}}}', "a"),
    (".vscode/mcp.json", '{"inputs": [], "servers": {"a": {"type": "stdio", "command": "x"}}}', "a"),
    (".vscode/mcp.json", '{"mcp": {"servers": {"a": {"command": "x"}}}}', "a"),
    (".cursor/mcp.json", '{"mcpServers": {"a/b": {"url": "https://h/mcp"}}}', "a/b"),
    (".gemini/settings.json", '{"mcp": {"allowed": ["q"]}, "mcpServers": {"a": {"httpUrl": "https://h"}}}', "a"),
    (".qwen/settings.json", '{"mcpServers": {"a": {"command": "x"}}}', "a"),
    (".zed/settings.json", '{"servers": {"q": {}}, "context_servers": {"a": {"command": {"path": "x"}}}}', "a"),
    (".codex/config.toml", '[servers.q]\n[mcp_servers.a]\ncommand = "x"\n', "a"),
    (".codex/config.toml", '[mcp_servers."a b"]\ncommand = "x"\n[mcp_servers."a b".env]\nK = "v"\n', "a b"),
    (".codex/config.toml", '[mcp_servers]\na = { command = "x" }\n', "a"),
    (".codex/config.toml", 'mcp_servers.a.command = "x"\n', "a"),
    ("opencode.json", '{"servers": {"q": {}}, "mcp": {"a": {"type": "local", "command": ["x"]}}}', "a"),
    ("opencode.jsonc", '{"mcp": {"a": {"enabled": false}}}', "a"),
    ("claude_desktop_config.json", '{"mcpServers": {"a": {"command": "x"}}}', "a"),
    ("mcp.json", '{"mcpServers": {"a": {"command": "x"}}}', "a"),
    (".a0proj/mcp_servers.json", '{"mcpServers": {"a": {"command": "x"}}}', "a"),
    (".a0proj/mcp_servers.json", '{"mcpServers": [{"name": "a", "command": "x"}]}', "a"),
    (".a0proj/mcp_servers.json", '[{"name": "a", "command": "x"}]', "a"),
    ("config.yaml", "mcp_servers:\n  a:\n    command: x\n", "a"),
    ("config.yaml", "mcp_servers:\n  - mcp_server_name: a\n    name: q\n", "a"),
    ("config.yaml", "mcp_servers: [a]\n", "a"),
    ("config.yaml", "settings:\n  agent:\n    mcp_servers:\n      mcpServers:\n        a: {command: x}\n", "a"),
    ("config.yaml", "agents:\n  - name: q\n    mcp_servers:\n      - name: a\n", "a"),
    ("config.yaml", "tools:\n  - mcp_server_name: a\n", "a"),
    ("config.yaml", 'mcp_servers: \'{"mcpServers": {"a": {"command": "x"}}}\'\n', "a"),
]


@pytest.mark.parametrize(("file_name", "content", "name"), FORMS)
def test_every_form_names_its_server(tmp_path: Path, file_name: str, content: str, name: str) -> None:
    root = write(tmp_path, file_name, content)
    assert configured_servers(root) == {name}
    (file,) = read_server_files(root)
    assert [(server.name, server.file) for server in file.servers] == [(name, file_name)]
    assert file.problems == ()
    at = file.servers[0].span
    assert file.text.slice(at) == ("mcp_servers" if "'{" in content else name)


@pytest.mark.parametrize(
    ("file_name", "content"),
    [
        (".mcp.json", '{"tools": {"a": {"command": "x"}}}'),
        (".mcp.json", "{}"),
        (".mcp.json", '{"mcpServers": {"": {"command": "x"}}}'),
        (".mcp.json", '{"mcpServers": {"\\ud800": {"command": "x"}}}'),
        (".mcp.json", '{"mcpServers": null}'),
        (".mcp.json", '{"mcp": {"enabled": true, "mode": "x"}}'),
        (".gemini/settings.json", '{"mcp": {"a": {"command": "x"}}}'),
        ("opencode.json", '{"mcpServers": {"a": {"command": "x"}}}'),
        ("config.yaml", "servers:\n  a: {command: x}\n"),
        ("config.yaml", "mcp_servers:\n"),
        (".vscode/mcp.json", '{"inputs": [{"id": "token"}]}'),
        (".vscode/mcp.json", '{"inputs": [], "servers": {}}'),
        (".gemini/settings.json", '{"theme": "x"}'),
        (".gemini/settings.json", ""),
        ("opencode.json", '{"$schema": "x", "model": "y"}'),
        (".codex/config.toml", ""),
        (".codex/config.toml", 'model = "x"\n'),
        (".a0proj/mcp_servers.json", "[]"),
        (".a0proj/mcp_servers.json", '{"mcp_servers": ""}'),
        ("config.yaml", "mcp_servers: {}\n"),
        ("config.yaml", "mcp_servers: '{\"mcpServers\": {}}'\n"),
        ("settings.json", '{"mcpServers": {"a": {"command": "x"}}}'),
        ("sub/.mcp.json", '{"mcpServers": {"a": {"command": "x"}}}'),
    ],
)
def test_what_names_no_server(tmp_path: Path, file_name: str, content: str) -> None:
    root = write(tmp_path, file_name, content)
    assert configured_servers(root) == frozenset()
    assert [(file.servers, file.problems) for file in read_server_files(root)] in ([], [((), ())])


def test_all_files_are_united_and_disabled_servers_are_known(tmp_path: Path) -> None:
    write(tmp_path, ".mcp.json", json.dumps({"mcpServers": {"one": {"command": "x", "disabled": True}, "two": NPX}}))
    write(tmp_path, ".codex/config.toml", '[mcp_servers.three]\ncommand = "x"\nenabled = false\n')
    root = write(tmp_path, ".vscode/mcp.json", json.dumps({"servers": {"two": NPX, "Four": {"isActive": False}}}))
    assert configured_servers(root) == {"one", "two", "three", "Four"}
    servers = [server for file in read_server_files(root) for server in file.servers]
    assert [(server.name, server.file, server.disabled) for server in servers] == [
        ("one", ".mcp.json", True),
        ("two", ".mcp.json", False),
        ("two", ".vscode/mcp.json", False),
        ("Four", ".vscode/mcp.json", True),
        ("three", ".codex/config.toml", True),
    ]


def test_comments_and_trailing_commas(tmp_path: Path) -> None:
    content = (
        '\ufeff// 説明 "mcpServers": {\n'
        "{\r\n"
        '  /* "x": { */ "mcpServers": {\r\n'
        '    "a": {"url": "https://h/a//b", "args": ["/*", "*/", "\\"//",],}, // "c": {}\n'
        '    "b\\u00e9": {"command": "x"},\n'
        "  },\n"
        "}\n"
    )
    root = write(tmp_path, ".mcp.json", content)
    assert configured_servers(root) == {"a", "bé"}
    (file,) = read_server_files(root)
    assert file.problems == ()
    assert file.servers[0].launch.url == "https://h/a//b"
    assert [file.text.range(server.span).start for server in file.servers] == [Position(3, 5), Position(4, 5)]
    assert [file.text.slice(server.span) for server in file.servers] == ["a", "b\\u00e9"]


def test_a_surrogate_pair_is_one_character_of_a_name(tmp_path: Path) -> None:
    root = write(tmp_path, ".mcp.json", '{"mcpServers": {"\\ud83d\\ude00": {"command": "x"}}}')
    assert configured_servers(root) == {"😀"}


def test_the_last_of_two_equal_keys_counts(tmp_path: Path) -> None:
    content = '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}'
    server = only_server(tmp_path, ".mcp.json", content)
    assert (server.launch.words, server.span.start) == (("y",), content.rindex('"a"') + 1)


@pytest.mark.parametrize(
    ("file_name", "content", "message", "place"),
    [
        (".mcp.json", '{"mcpServers": {"a": {}', "a comma or a closing bracket is missing here", (0, 22)),
        (".mcp.json", '{"mcpServers": {"a" {}}}', "a colon is missing here", (0, 20)),
        (
            ".mcp.json",
            '{\n  "mcpServers": {\n    "a": \n  }\n}',
            "a value is missing here, or is none that JSON knows",
            (3, 2),
        ),
        (".mcp.json", "{'mcpServers': {}}", "a key in double quotes must stand here", (0, 1)),
        (".mcp.json", '{"mcpServers": {}} x', "the document has already ended here", (0, 19)),
        (".mcp.json", '{"mcpServers": {}, "x', "this quote is never closed", (0, 19)),
        (".mcp.json", '{"a": "\\q"}', "this escape stands for no character", (0, 7)),
        (".mcp.json", '{"a": 1 /* x }', "this comment is never closed: add `*/`", (0, 8)),
        (".codex/config.toml", "[mcp_servers.a]\r\ncommand = \r\n", "invalid value", (1, 8)),
        (".codex/config.toml", "x = [1,", "invalid value", (0, 6)),
        ("config.yaml", "mcp_servers:\n\ta: 1\n", "a tab cannot indent YAML: use spaces", (1, 0)),
    ],
)
def test_a_broken_file_is_a_problem_at_its_place(
    tmp_path: Path, file_name: str, content: str, message: str, place: tuple[int, int]
) -> None:
    root = write(tmp_path, file_name, content)
    assert configured_servers(root) == frozenset()
    (file,) = read_server_files(root)
    (problem,) = file.problems
    assert (file.name, file.servers, problem.code, problem.severity) == (file_name, (), "server-file", "error")
    assert problem.message == f"{message}: no server of this file is known until it is repaired"
    assert file.text.position(problem.span.start) == Position(*place)


LISTED = "`mcpServers`: each server of its list must be a mapping with its name under `mcp_server_name`"


@pytest.mark.parametrize(
    ("file_name", "content", "message", "marked", "severity"),
    [
        (".mcp.json", "[1]", "the file must hold an object with the servers below a key", "[1]", "error"),
        (".mcp.json", '{"servers": 5}', "`servers` must be a mapping of servers by name", "servers", "error"),
        (".mcp.json", '{"servers": {"a": 5}}', "`a` must be a mapping with a command or an address", "a", "warning"),
        (".mcp.json", "[]", "the file must hold an object with the servers below a key", "[]", "error"),
        (".mcp.json", "null", "the file must hold an object with the servers below a key", "null", "error"),
        (".mcp.json", "", "the file must hold an object with the servers below a key", "", "error"),
        (".mcp.json", "// none\n", "the file must hold an object with the servers below a key", "// none", "error"),
        (".gemini/settings.json", "null", "the file must hold an object with the servers below a key", "null", "error"),
        (
            ".mcp.json",
            '{"mcpServers": "no"}',
            "`mcpServers` must be a mapping of servers by name",
            "mcpServers",
            "error",
        ),
        (".mcp.json", '{"mcpServers": [1]}', LISTED, "mcpServers", "error"),
        (".mcp.json", '{"mcpServers": [{"command": "x"}, 2]}', LISTED, "mcpServers", "error"),
        (".mcp.json", '{"mcpServers": {"x": 5}}', "`x` must be a mapping with a command or an address", "x", "warning"),
        ("opencode.json", '{"mcp": {"x": 5}}', "`x` must be a mapping with a command or an address", "x", "warning"),
        ("opencode.json", '{"mcp": true}', "`mcp` must be a mapping of servers by name", "mcp", "error"),
        (
            ".vscode/mcp.json",
            '{"mcp": {"servers": {"x": 5}}}',
            "`x` must be a mapping with a command or an address",
            "x",
            "warning",
        ),
        (
            ".codex/config.toml",
            'mcp_servers = "no"',
            "`mcp_servers` must be a mapping of servers by name",
            "mcp_servers",
            "error",
        ),
        (".codex/config.toml", "mcp_servers = [1]", LISTED.replace("mcpS", "mcp_s"), "mcp_servers", "error"),
        (
            ".codex/config.toml",
            "[mcp_servers]\nx = 5\n",
            "`x` must be a mapping with a command or an address",
            "x",
            "warning",
        ),
        (
            "config.yaml",
            "mcp_servers: none\n",
            "`mcp_servers` must be a mapping of servers by name",
            "mcp_servers",
            "error",
        ),
        ("config.yaml", "mcp_servers: [{a: 1}]\n", LISTED.replace("mcpS", "mcp_s"), "mcp_servers", "error"),
        (
            "config.yaml",
            "mcp_servers: true",
            "`mcp_servers` must be a mapping of servers by name",
            "mcp_servers",
            "error",
        ),
    ],
)
def test_a_wrong_shape_is_a_problem(
    tmp_path: Path, file_name: str, content: str, message: str, marked: str, severity: str
) -> None:
    file = only_file(tmp_path, file_name, content)
    (problem,) = file.problems
    assert (problem.message, file.text.slice(problem.span), problem.severity) == (message, marked, severity)
    assert file.servers == ()


@pytest.mark.parametrize(
    ("file_name", "content"),
    [("config.yaml", "mcp_servers:\n  x: 5\n"), (".mcp.json", '{"servers": {"x": "npx y"}}')],
)
def test_a_text_for_a_server_is_a_problem_and_its_name_is_known(tmp_path: Path, file_name: str, content: str) -> None:
    file = only_file(tmp_path, file_name, content)
    (problem,) = file.problems
    assert problem.message == "`x` must be a mapping with a command or an address"
    assert (file.text.slice(problem.span), problem.severity) == ("x", "warning")
    assert [server.name for server in file.servers] == ["x"]


def test_a_broken_configuration_of_ours_is_reported_by_its_own_reader(tmp_path: Path) -> None:
    file = only_file(tmp_path, "config.yaml", "project_agent_rules: [\nmcp_servers: {a: }\n")
    assert (file.servers, file.problems) == ((), ())


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b'{"mcpServers": {"\xff": {}}}', "it is not UTF-8 (byte 17): save it as UTF-8"),
        (b" " * (1024 * 1024 + 1), "it is larger than 1 MiB"),
    ],
)
def test_an_unreadable_file_is_a_problem(tmp_path: Path, content: bytes, cause: str) -> None:
    root = write(tmp_path, ".mcp.json", content)
    assert configured_servers(root) == frozenset()
    (file,) = read_server_files(root)
    assert [problem.message for problem in file.problems] == [
        f"{cause}: no server of this file is known until it is repaired"
    ]


def test_a_directory_and_a_link_out_of_the_project_are_not_read(tmp_path: Path) -> None:
    project = tmp_path / "project"
    content = json.dumps({"mcpServers": {"a": NPX}})
    write(tmp_path, "outside.json", content)
    root = write(project, "real/inside.json", content)
    (project / "opencode.json").mkdir()
    (project / ".mcp.json").symlink_to(tmp_path / "outside.json")
    assert configured_servers(root) == frozenset()
    assert [(file.name, file.problems[0].message.split(":")[0]) for file in read_server_files(root)] == [
        (".mcp.json", "it is a link to a file outside the project"),
        ("opencode.json", "it is a directory"),
    ]
    (project / ".mcp.json").unlink()
    (project / ".mcp.json").symlink_to("real/inside.json")
    assert configured_servers(root) == {"a"}


@pytest.mark.parametrize(
    "content",
    [
        "[" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        '{"mcpServers":' * 300 + "{}" + "}" * 300,
        '\\"' * 200_000,
        "/*" * 200_000,
        "," * 200_000,
        '{"n": ' + "1" * 5_000 + "}",
        "\0",
        "nul",
        '"',
    ],
)
def test_hostile_json_is_answered(tmp_path: Path, content: str) -> None:
    root = write(tmp_path, ".mcp.json", content)
    assert configured_servers(root) == frozenset()
    assert len(read_server_files(root)[0].problems) == (0 if "mcpServers" in content else 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a." * 200_000 + "a = 1\n", "a key or a name here has more than 32 parts"),
        ("[" + "'a' . " * 100_000 + "a]\n", "a key or a name here has more than 32 parts"),
        ("x = " + "[" * 100_000, "it is nested too deeply or holds a number that is too long"),
    ],
)
def test_hostile_toml_is_answered(tmp_path: Path, content: str, message: str) -> None:
    root = write(tmp_path, ".codex/config.toml", content)
    assert configured_servers(root) == frozenset()
    (problem,) = read_server_files(root)[0].problems
    assert problem.message == f"{message}: no server of this file is known until it is repaired"


def test_a_toml_key_of_some_parts_is_read(tmp_path: Path) -> None:
    content = "[mcp_servers.a.env]\n" + "a." * 30 + 'a = "1.2.3"\n'
    assert configured_servers(write(tmp_path, ".codex/config.toml", content)) == {"a"}


def test_many_servers_are_named_and_the_first_thousand_read(tmp_path: Path) -> None:
    content = json.dumps({"mcpServers": {f"s{number}": {"command": "x"} for number in range(1_002)}})
    root = write(tmp_path, ".mcp.json", content)
    assert len(configured_servers(root)) == 1_002
    (file,) = read_server_files(root)
    assert len(file.servers) == 1_000
    assert [(problem.message, file.text.slice(problem.span)) for problem in file.problems] == [
        ("the file has 1,002 servers: only the first 1,000 are looked at", "s1000")
    ]


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    root = write(tmp_path, ".mcp.json", '{"mcpServers": {"a": {}}}')
    assert configured_servers(root) == {"a"}
    write(tmp_path, ".mcp.json", '{"mcpServers": {"b": {}}}')
    assert configured_servers(root) == {"b"}
    os.unlink(os.path.join(root, ".mcp.json"))
    assert configured_servers(root) == frozenset()


def test_an_editors_text_stands_for_the_file(tmp_path: Path) -> None:
    root = write(tmp_path, ".mcp.json", '{"mcpServers": {"a": {}}}')
    files = read_server_files(root, {".mcp.json": '{"mcpServers": {"b": {}}}', "opencode.json": '{"mcp": {"c": {}}}'})
    assert [(file.name, [server.name for server in file.servers]) for file in files] == [
        (".mcp.json", ["b"]),
        ("opencode.json", ["c"]),
    ]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("[mcp_servers.b]\n[ mcp_servers . a ]\n", 1),
        ("[mcp_servers.'a']\n", 0),
        ('x = """\ny = 1\n"""\n[mcp_servers."\\u0061"]\n', 3),
        ("[mcp_servers]\nb.command = 'x'\na.command = 'x'\n", 2),
        ("[other]\na = 1\n[mcp_servers.a]\n", 2),
        ("[mcp_servers.a.env]\n", 0),
    ],
)
def test_the_place_of_a_server_in_toml(tmp_path: Path, content: str, line: int) -> None:
    file = only_file(tmp_path, ".codex/config.toml", content)
    (server,) = [server for server in file.servers if server.name == "a"]
    assert file.text.line_of(server.span.start) == line
    assert file.text.slice(server.span) in ("a", "\\u0061")


@pytest.mark.parametrize(
    ("entry", "words", "url", "transport"),
    [
        (NPX, ("npx", "-y", "@playwright/mcp@latest"), None, "stdio"),
        ({"command": ["uvx", "x"], "type": "local"}, ("uvx", "x"), None, "stdio"),
        ({"command": {"path": "/bin/x", "args": ["-v"]}}, ("/bin/x", "-v"), None, "stdio"),
        ({"command": "npx -y 'a b'"}, ("npx", "-y", "a b"), None, "stdio"),
        ({"command": "bash", "args": ["-c", "npx -y x"]}, ("bash", "-c", "npx", "-y", "x"), None, "stdio"),
        ({"command": "bash", "args": ["-c", "npx 'x"]}, ("bash", "-c", HIDDEN), None, "stdio"),
        ({"url": "https://h/mcp"}, (), "https://h/mcp", "http"),
        ({"url": "https://h/sse", "type": "sse"}, (), "https://h/sse", "sse"),
        ({"url": "https://h", "transport": "streamableHttp"}, (), "https://h", "http"),
        ({"httpUrl": "https://h"}, (), "https://h", "http"),
        ({"command": 5, "args": "x", "url": ["y"]}, ("x",), None, "stdio"),
        ({}, (), None, None),
        (None, (), None, None),
        (["npx"], (), None, None),
    ],
)
def test_a_launch(entry: object, words: tuple[str, ...], url: str | None, transport: str | None) -> None:
    launch = read_launch(entry)
    assert (launch.words, launch.url, launch.transport) == (words, url, transport)


SECRET = "s3cr3tS3CR3Ts3cr3t"


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ({"command": "x", "env": {"TOKEN": SECRET}}, ("x",)),
        ({"command": "docker", "args": ["-e", f"TOKEN={SECRET}", "i"]}, ("docker", "-e", "TOKEN=…", "i")),
        ({"command": "docker", "args": [f"--env=TOKEN={SECRET}"]}, ("docker", "--env=TOKEN=…")),
        ({"command": "docker", "args": [f"-eTOKEN={SECRET}"]}, ("docker", "-eTOKEN=…")),
        ({"command": "x", "args": ["--api-key", SECRET, "y"]}, ("x", "--api-key", "…", "y")),
        ({"command": "x", "args": [f"--access_token={SECRET}"]}, ("x", "--access_token=…")),
        ({"command": "x", "args": ["-H", f"X-Any: {SECRET}"]}, ("x", "-H", "…")),
        ({"command": "x", "args": [f"Authorization: Bearer {SECRET}"]}, ("x", "Authorization:…")),
        ({"command": "x", "args": [f"postgresql://u:{SECRET}@h:5/db?p={SECRET}"]}, ("x", "postgresql://h:5/db")),
        ({"command": "x", "args": [f"ghp_{SECRET}"]}, ("x", "…")),
        ({"command": "sh", "args": ["-c", f"T={SECRET} npx y"]}, ("sh", "-c", "T=…", "npx", "y")),
        ({"command": "x", "args": ["--caps", "vision", "--keep"]}, ("x", "--caps", "vision", "--keep")),
        ({"command": "x", "args": ["C:\\a b", "img:tag", "@s/p@1"]}, ("x", "C:\\a b", "img:tag", "@s/p@1")),
    ],
)
def test_secrets_are_not_kept(entry: object, shown: tuple[str, ...]) -> None:
    launch = read_launch(entry)
    assert launch.words == shown
    assert SECRET not in repr(launch)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"https://u:{SECRET}@Host:8443/mcp?k={SECRET}#{SECRET}", "https://host:8443/mcp"),
        (f"https://h/s/{SECRET}/mcp", "https://h/s/…/mcp"),
        ("https://h/v1/github-mcp-server", "https://h/v1/github-mcp-server"),
        ("http://[::1]:80/mcp", "http://[::1]:80/mcp"),
        ("${input:address}", "${input:address}"),
        (f"?k={SECRET}", "…"),
        ("http://[", "…"),
    ],
)
def test_an_address_is_shown_without_secrets(url: str, shown: str) -> None:
    assert clean_url(url) == shown


def test_a_secret_is_in_nothing_that_is_kept_of_a_file(tmp_path: Path) -> None:
    entry = {"command": "x", "env": {"TOKEN": SECRET}, "headers": {"Authorization": SECRET}}
    server = only_server(tmp_path, ".mcp.json", json.dumps({"mcpServers": {"a": entry}}))
    assert SECRET not in repr(server)
    assert server.launch.environment == {"TOKEN"}


def test_the_table_names_files_of_the_project() -> None:
    assert all(not name.startswith("/") and ".." not in name for name in SERVER_FILES)
    assert len(SERVER_FILES) == 13


def test_asking_for_names_loads_no_parser_without_a_file(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from rules_lsp.workspace.servers import configured_servers\n"
        f"assert configured_servers({os.path.realpath(tmp_path)!r}) == frozenset()\n"
        "print(sorted({'yaml', 'json', 'tomllib', 'shlex', 'urllib'} & sys.modules.keys()))"
    )
    root = Path(__file__).resolve().parents[2]
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=root)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "[]\n", "")


def test_text_is_shared_by_span_and_problem(tmp_path: Path) -> None:
    file = only_file(tmp_path, ".mcp.json", b'\xef\xbb\xbf{"mcpServers": {"a": {}}}')
    assert isinstance(file.text, Text)
    assert file.text.slice(file.servers[0].span) == "a"
