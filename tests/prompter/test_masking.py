"""Secrets in every place of a call's arguments: nothing that is kept or shown holds one."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_lsp.prompter.masking import LONGEST, masked, summary_of
from tests.prompter.support import Place, claimed

TOKENS = {
    "github": "ghp_" + "a1B2" * 9,
    "github, fine": "github_pat_" + "11AB0" * 8,
    "gitlab": "glpat-" + "a1b2c3d4e5f6g7h8i9j0",
    "sk": "sk-proj-" + "a1b2c3d4" * 4,
    "pk": "pk_live_" + "a1b2c3d4" * 3,
    "rk": "rk_live_" + "a1b2c3d4" * 3,
    "slack": "xoxb-1234567890-" + "abcdefghij",
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "aws, session": "ASIA" + "IOSFODNN7EXAMPLE",
    "google": "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6q",
    "npm": "npm_" + "a1B2c3D4" * 4,
    "pypi": "pypi-" + "AgEIcHlwaS5vcmc",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "letters and digits": "0123456789abcdef" * 3,
}
"""Secrets that are known by their form."""
PLAIN = "hunter2secret"
"""A secret that only its place tells."""
KEY = "-----BEGIN RSA PRIVATE KEY-----\n" + PLAIN + "\n-----END RSA PRIVATE KEY-----"

WORDS = ["{}", "'{}'", '"{}"', "a={}", "--x {}", "--x={}", "x:{}", "x,{}", "/a/{}", "@{}", "${{X:-{}}}", "$(echo {})"]
NAMED_WORDS = [
    "TOKEN={} deploy",
    "export API_KEY={}",
    "env DB_PASSWORD='{}' deploy",
    "AWS_SECRET_ACCESS_KEY={} aws s3 ls",
    "deploy --token {}",
    "deploy --password={}",
    'deploy --api-key "{}"',
    "curl -H 'Authorization: Bearer {}' x",
    "curl -H 'Authorization: {}' x",
    "curl -H 'X-Api-Key: {}' x",
    "curl --header 'PRIVATE-TOKEN: {}' x",
    "curl -H 'Cookie: sid={}' x",
    "curl --cookie 'sid={}' x",
    "curl -u me:{} x",
    "curl --user 'me:{}' x",
    "curl https://me:{}@example.com/",
    "curl 'https://example.com/?a=1&access_token={}&b=2'",
    "psql postgresql://me:{}@db/x",
    "git -c http.extraHeader='Authorization: token {}' pull",
    "mysql -u root -p{} x",
    "sshpass -p {} ssh host",
    "docker login -u me -p {} registry",
    "redis-cli -a {} ping",
    "openssl enc -aes256 -k {}",
    "openssl rsa -passin pass:{}",
    'echo {{"password": "{}"}} > a.json',
]
ARGUMENTS: dict[str, Any] = {
    "value": {"a": "{}"},
    "part of a value": {"a": "x {} y"},
    "key": {"{}": "a"},
    "list": {"a": ["b", "{}"]},
    "deep": {"a": {"b": [{"c": "{}"}]}},
    "deeper than is shown": {"a": {"b": {"c": {"d": {"e": {"f": "{}"}}}}}},
    "url": {"url": "https://example.com/?q={}"},
    "header": {"headers": {"X": "{}"}},
}
NAMED_ARGUMENTS: dict[str, Any] = {
    "password": {"password": "{}"},
    "api key": {"apiKey": "{}"},
    "env": {"env": {"GITHUB_TOKEN": "{}"}},
    "assignment": {"env": ["GITHUB_TOKEN={}"]},
    "option": {"args": ["--token", "{}"]},
    "option with value": {"args": ["--token={}"]},
    "header": {"headers": {"Authorization": "{}"}},
    "header, named": {"headers": [{"name": "Authorization", "value": "{}"}]},
    "url": {"url": "https://me:{}@example.com"},
    "list": {"credentials": ["{}"]},
    "object": {"secret": {"value": "{}"}},
    "JSON in a text": {"body": '{"password": "{}"}'},
}


def filled(node: Any, secret: str) -> Any:
    if isinstance(node, dict):
        return {filled(key, secret): filled(value, secret) for key, value in node.items()}
    if isinstance(node, list):
        return [filled(each, secret) for each in node]
    return node.replace("{}", secret)


def calls_with(secret: str, words: list[str], arguments: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    lines = [("Bash", {"command": f"rm a; {line.format(secret)}"}) for line in words]
    return [*lines, *(("server/tool", filled(each, secret)) for each in arguments.values())]


CASES = {
    **{
        name: (token, calls_with(token, WORDS + NAMED_WORDS, ARGUMENTS | NAMED_ARGUMENTS))
        for name, token in TOKENS.items()
    },
    "known by its place": (PLAIN, calls_with(PLAIN, NAMED_WORDS, NAMED_ARGUMENTS)),
    "private key": (
        PLAIN,
        [("Bash", {"command": f"rm a; echo '{KEY}'"}), ("server/tool", filled(ARGUMENTS["deep"], KEY))],
    ),
}
RULES = """version: 1
rules:
  - {id: ask, name: Ask, when: tool.before, action: request_approval}
  - {id: see, name: See, when: tool.before, action: audit_only}
  - {id: odd, name: Odd, when: tool.before, condition: {text: odd, judge: shadow}, action: audit_only}
"""


@pytest.mark.parametrize("kind", CASES)
def test_no_audit_no_notice_no_summary_and_no_row_holds_a_secret(kind: str, tmp_path: Path) -> None:
    secret, calls = CASES[kind]
    place = Place(tmp_path, RULES)
    gate = place.gate()
    claimed(gate)
    heard: list[object] = []
    gate.listen(heard.append)
    batch = [{"id": str(number), "tool": tool, "arguments": given} for number, (tool, given) in enumerate(calls)]
    answer = gate.before_tools("j", batch)
    assert [call["effect"] for call in answer["calls"]] == ["approval"] * len(calls)
    assert len(heard) == len(calls)
    listed = gate.approvals()
    assert len(listed) == len(calls)
    events = list(gate.events())
    assert len(events) == 3 * len(calls)
    for shown in (answer, heard, listed, events):
        assert secret not in json.dumps(shown)
    gate.close()
    with sqlite3.connect(place.store) as connection:
        kept = "\n".join(connection.iterdump())
    assert secret not in kept
    assert "Ask" in kept
    for path in (tmp_path / "state").rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path


SHAPES = st.recursive(
    st.sampled_from(["{}", "a {}", "x={}"]),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "url", "{}", "name", "value"]), inner, min_size=1, max_size=3)
    ),
    max_leaves=6,
)


@given(shape=SHAPES, token=st.sampled_from(list(TOKENS.values())))
def test_a_token_is_masked_in_arguments_of_any_shape(shape: Any, token: str) -> None:
    assert token not in summary_of("server/tool", {"a": filled(shape, token)}, [])


@given(before=st.integers(0, 9 * LONGEST), token=st.sampled_from(list(TOKENS.values())), gap=st.sampled_from(" ='/\""))
def test_no_part_of_a_token_is_shown_where_a_long_text_is_cut(before: int, token: str, gap: str) -> None:
    shown = masked("ab " * (before // 3) + "x" + gap + token)
    assert all(token[at : at + 10] not in shown for at in range(len(token) - 9))


@pytest.mark.parametrize(
    "line",
    [
        "docker run --name a image",
        "npm login --scope=@a",
        "ls -p a",
        "git push -u origin main",
        "task-abcdefghij pypi-publish-action",
        "pass the salt",
        "ps -u root",
        "make -k all",
    ],
)
def test_what_only_looks_alike_is_shown(line: str) -> None:
    assert masked(line) == line
