"""`rules-lsp query` as a process: one line in, one line out, whatever the line holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.schemas import violations
from tests.support.projects import RULES, build

PACKAGE = str(Path(__file__).parents[2])
Environment = dict[str, str]
NO_JSON = "the line is no JSON: write one JSON object a line"


def run(
    root: Path, data: bytes, *options: str, cwd: Path | None = None, environment: Environment | None = None
) -> subprocess.CompletedProcess[bytes]:
    variables = {key: value for key, value in os.environ.items() if key != "RULES_LSP_CONFIG"}
    variables |= {"PYTHONPATH": PACKAGE, **(environment or {})}
    command = [sys.executable, "-m", "rules_lsp", "query", *options]
    return subprocess.run(
        command, input=data, capture_output=True, cwd=cwd or root, env=variables, timeout=60, check=False
    )


def answers(
    root: Path, data: bytes, *options: str, cwd: Path | None = None, environment: Environment | None = None
) -> list[dict[str, Any]]:
    done = run(root, data, *options, cwd=cwd, environment=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    found = [json.loads(line) for line in done.stdout.decode("ascii").splitlines()]
    assert [violations("decision", answer) for answer in found] == [[]] * len(found)
    return found


def codes(
    root: Path, data: bytes, *options: str, cwd: Path | None = None, environment: Environment | None = None
) -> list[str]:
    return [answer["code"] for answer in answers(root, data, *options, cwd=cwd, environment=environment)]


def test_each_line_is_answered_in_order(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: "denied_tools: [Bash]\nfile_patterns: {exclude: ['*.pem']}\n"})
    lines: list[tuple[bytes, str]] = [
        (b'{"path": "a"}', "unrestricted"),
        (b"not json", NO_JSON),
        (b'{"tool": "Bash"}', "denied-tool"),
        (b'{"path": "x.pem", "operation": "read"}\r', "excluded"),
        (b'\xef\xbb\xbf{"path": "a"}', "unrestricted"),
        (b'{"path": "\xff"}', NO_JSON),
        (b"\xff\xfe", NO_JSON),
        (b'{"path": "\xed\xa0\x80"}', "the path holds half of a character (a lone surrogate)"),
        (b'{"path": "\\ud800"}', "the path holds half of a character (a lone surrogate)"),
        (b'{"path": "\\u0000"}', "the path holds a control character"),
        (b"[1]", "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`"),
        (b"null", "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`"),
        (b"NaN", "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`"),
        (b'"path"', "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`"),
        (b'{"path": "a"} {"path": "b"}', NO_JSON),
        (b'{"path": "a"', NO_JSON),
        (b"1" * 10_000, NO_JSON),
        (b"[" * 200_000, NO_JSON),
        (b'{"tool": "Write", "arguments": ' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}", "invalid-request"),
        (b'{"path": "' + b"a" * 4_000_000 + b'"}', "the path is longer than 4,096 bytes"),
        (b'{"path": "\xe3\x81\x82.pem"}', "excluded"),
        (b'{"path": "last"}', "unrestricted"),
    ]
    found = answers(root, b"\n".join(line for line, _ in lines))
    given = [
        answer["reason"] if " " in want else answer["code"] for (_, want), answer in zip(lines, found, strict=True)
    ]
    assert given == [want for _, want in lines]


def test_empty_lines_ask_nothing(tmp_path: Path) -> None:
    root = build(tmp_path)
    assert codes(root, b"") == []
    assert codes(root, b"\n\n  \r\n\t\n") == []
    assert codes(root, b'\n{"path": "a"}\n\n{"path": "../b"}\n\n') == ["unrestricted", "outside-root"]


def test_each_answer_is_written_before_the_next_question(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: "denied_tools: [Bash]\n"})
    command = [sys.executable, "-m", "rules_lsp", "query"]
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask() -> str:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(b'{"tool": "Bash"}\n')
            process.stdin.flush()
            code: str = json.loads(process.stdout.readline())["code"]
            return code

        assert ask() == "denied-tool"
        # The rules of the moment count.
        (root / RULES).write_text("denied_tools: [Grep]\n")
        assert ask() == "unrestricted"
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_where_the_root_is(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: "denied_tools: [Bash]\n"}, directories=["a/b"])
    question = b'{"tool": "Bash"}\n'
    assert codes(root, question, cwd=root / "a" / "b") == ["denied-tool"]
    assert codes(root, question, cwd=tmp_path) == ["unrestricted"]
    assert codes(root, question, "--root", str(root), cwd=tmp_path) == ["denied-tool"]
    assert codes(root, question, "--root", "app", cwd=tmp_path) == ["denied-tool"]
    # A query cannot move it.
    moved = json.dumps({"path": f"{root}/x", "root": str(root)}).encode()
    assert codes(root, moved, cwd=tmp_path / "app" / "a") == ["unrestricted"]
    other = build(tmp_path / "app" / "a" / "b", {RULES: ""})
    assert codes(other, moved, "--root", str(other)) == ["outside-root"]


def test_which_configuration_counts(tmp_path: Path) -> None:
    root = build(tmp_path)
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(f"project_agent_rules: {{default_rules: {{denied_tools: [{name}]}}}}\n")
    question = b'{"tools": ["one", "two"]}\n'

    def denied(*options: str, **environment: str) -> list[str]:
        return [item["code"] for item in answers(root, question, *options, environment=environment)[0]["answers"]]

    one, two = str(tmp_path / "one.yaml"), str(tmp_path / "two.yaml")
    assert denied() == ["unrestricted", "unrestricted"]
    assert denied("--config", one) == ["denied-tool", "unrestricted"]
    assert denied(RULES_LSP_CONFIG=two) == ["unrestricted", "denied-tool"]
    assert denied("--config", one, RULES_LSP_CONFIG=two) == ["denied-tool", "unrestricted"]
    assert denied("--config", "../one.yaml") == ["denied-tool", "unrestricted"]


@pytest.mark.parametrize(
    ("options", "environment", "message"),
    [
        (["--root", "/nowhere"], {}, "rules-lsp: --root /nowhere: there is no such directory\n"),
        (["--root", ""], {}, "rules-lsp: --root : there is no such directory\n"),
        (["--config", "/nowhere"], {}, "rules-lsp: --config /nowhere: there is no such file\n"),
        (["--config", "/"], {}, "rules-lsp: --config /: it is no file\n"),
        (["--root", "/dev/null"], {}, "rules-lsp: --root /dev/null: it is no directory\n"),
        ([], {"RULES_LSP_CONFIG": "/nowhere"}, "rules-lsp: RULES_LSP_CONFIG /nowhere: there is no such file\n"),
    ],
)
def test_what_does_not_exist_is_a_failure(
    tmp_path: Path, options: list[str], environment: dict[str, str], message: str
) -> None:
    done = run(build(tmp_path), b'{"path": "a"}\n', *options, environment=environment)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", message)


def test_an_unknown_option_is_a_failure(tmp_path: Path) -> None:
    done = run(build(tmp_path), b"", "--nothing")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().splitlines()[-1] == "rules-lsp query: error: unrecognized arguments: --nothing"


def test_a_volume_can_be_said_to_fold_case(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: "file_patterns: {exclude: [Secrets/]}\n"})
    assert codes(root, b'{"path": "SECRETS/k"}') == ["unrestricted"]
    assert codes(root, b'{"path": "SECRETS/k"}', "--case-insensitive") == ["excluded"]
