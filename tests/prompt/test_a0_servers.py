"""The names of `.a0proj/mcp_servers.json`."""

from __future__ import annotations

import pytest

from rules_lsp.prompt.a0_servers import called_name, read_a0_servers
from rules_lsp.schemas import validate
from rules_lsp.source.text import Text


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("GitHub", "github"),
        ("my-server", "my_server"),
        ("a.b/c d", "a_b_c_d"),
        ("検索", "検索"),
        (" x ", "x"),
        ("--", "__"),
    ],
)
def test_how_a_server_is_called(name: str, called: str) -> None:
    assert called_name(name) == called


def read(content: str) -> list[tuple[str, str, str, str]]:
    found = read_a0_servers(Text(content)).problems
    return [(each.code, each.severity, content[each.span.start : each.span.end], each.message) for each in found]


def test_names_with_their_places() -> None:
    content = '{"mcpServers": {"git-hub": {"command": "x"}, /* two */ "Docs": {"url": "https://a"},}}'
    reading = read_a0_servers(Text(content))
    assert (reading.error, reading.problems) == (None, ())
    assert [(each.name, each.called, content[each.span.start : each.span.end]) for each in reading.names] == [
        ("git-hub", "git_hub", "git-hub"),
        ("Docs", "docs", "Docs"),
    ]


def test_names_that_are_called_the_same() -> None:
    content = '{"mcpServers": {"my-server": {}, "other": {}, "My_Server": {}}}'
    assert read(content) == [
        (
            "clashing-server-names",
            "error",
            "My_Server",
            "`My_Server` and `my-server` are both called `my_server`: only one of them can be reached, so give it "
            "another name",
        )
    ]
    assert [each.related[0].span.start for each in read_a0_servers(Text(content)).problems] == [17]


def test_names_that_cannot_be_called() -> None:
    assert read('[{"name": "a.b"}, {"name": "--"}, {"name": "fine-1"}]') == [
        (
            "unusable-server-name",
            "warning",
            "a.b",
            "`a.b` cannot be written in `server.tool`: its tools are called `a_b.…`, so name it that",
        ),
        (
            "unusable-server-name",
            "error",
            "--",
            "`--` has no letter and no digit, so nobody can call its tools: give it another name",
        ),
    ]


def test_a_text_that_does_not_parse() -> None:
    reading = read_a0_servers(Text('{"mcpServers": {"a": {'))
    assert reading.error is not None
    assert (reading.names, [problem.code for problem in reading.problems]) == ((), ["syntax-error"])
    assert read("") == []


@pytest.mark.parametrize(
    ("document", "faults"),
    [
        ({"mcpServers": {"a": {"command": "x", "args": ["y"]}}}, []),
        ({"mcpServers": [{"name": "a", "url": "https://a", "headers": {"X-Team": "b"}}]}, []),
        ([{"name": "a", "command": "x", "ours": 1}], []),
        ({"servers": {}}, ["unknown key `servers`"]),
        ({"mcpServers": {"a": {"command": ["x"]}}}, ["mcpServers.a.command: must be text"]),
    ],
)
def test_the_schema_of_the_servers(document: object, faults: list[str]) -> None:
    assert validate("a0-mcp-servers", document) == faults
