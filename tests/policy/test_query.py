"""The one door: every query has an answer of the schema's shape, and a batch answers as its parts do."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules_lsp.policy import query
from rules_lsp.schemas import violations
from rules_lsp.workspace.project import Project
from tests.support.projects import RULES, build, code, project


def asked(found: Project, question: object) -> dict[str, Any]:
    """An answer that was checked against the schema and for being JSON."""
    answer = found.answer(question)
    assert violations("decision", json.loads(json.dumps(answer))) == []
    return answer


ONE_OF = "a query holds exactly one of `path`, `uri`, `paths`, `tool` and `tools`"
RULE_TEXT = """\
allowed_tools: [github/*, Read, Write]
denied_tools: [github/delete_file]
file_patterns:
  include: [src/**, '*.md']
  exclude: ['*.pem', secrets/]
"""


@pytest.fixture
def found(tmp_path: Path) -> Project:
    return project(tmp_path, {RULES: RULE_TEXT, "src/a": "", "secrets/k": ""}, links={"l": "secrets", "out": "/etc"})


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ({"path": "src/a"}, "included"),
        ({"path": "src/a", "operation": None, "cwd": None, "newPath": None}, "included"),
        ({"path": "src/a.pem"}, "excluded"),
        ({"path": "b"}, "not-included"),
        ({"path": "b", "operation": "read"}, "unrestricted"),
        ({"path": "out/x"}, "outside-root"),
        ({"path": RULES}, "protected"),
        ({"path": ""}, "invalid-request"),
        ({"path": "src/a", "operation": "nothing"}, "invalid-request"),
        ({"path": "src/a", "operation": "rename", "newPath": "src/b"}, "included"),
        ({"path": "src/a", "operation": "rename", "newPath": "b"}, "not-included"),
        ({"path": "src", "operation": "delete"}, "not-included"),
        ({"path": "src/a", "unknown": 1, "source": "saved"}, "included"),
        ({"path": "src/a", "root": "/etc"}, "invalid-request"),
        ({"path": "src/a", "source": 3}, "invalid-request"),
        ({"path": "src/a", "detail": "other"}, "invalid-request"),
        ({"uri": "file:///etc/passwd"}, "outside-root"),
        ({"uri": "x"}, "invalid-request"),
        ({"tool": "github/x"}, "allowed-tool"),
        ({"tool": "github/delete_file"}, "denied-tool"),
        ({"tool": "gitlab/x"}, "not-allowed-tool"),
        ({"tool": "Write", "arguments": {"file_path": "src/a"}}, "allowed-tool"),
        ({"tool": "Write", "arguments": {"file_path": "l/k"}}, "excluded"),
        ({"tool": "Write", "arguments": {}}, "invalid-request"),
        ({"tool": ""}, "invalid-request"),
    ],
)
def test_single_questions(found: Project, question: dict[str, Any], expected: str) -> None:
    assert asked(found, question)["code"] == expected


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (None, "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`"),
        ([], "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`"),
        ("path", "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`"),
        (3.5, "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`"),
        (
            {},
            "a query holds exactly one of `path`, `uri`, `paths`, `tool` and `tools`, and this one holds none of them",
        ),
        ({"path": "a", "tool": "b"}, f"{ONE_OF}, and this one holds `path` and `tool`"),
        ({"path": "a", "uri": None}, f"{ONE_OF}, and this one holds `path` and `uri`"),
        ({"paths": "a"}, "`paths` is a list of at most 100,000 texts"),
        ({"paths": {"a": 1}}, "`paths` is a list of at most 100,000 texts"),
        ({"paths": None}, "`paths` is a list of at most 100,000 texts"),
        ({"tools": 3}, "`tools` is a list of at most 100,000 texts"),
    ],
)
def test_what_is_no_question(found: Project, question: object, reason: str) -> None:
    answer = asked(found, question)
    assert (answer["allowed"], answer["code"], answer["reason"]) == (False, "invalid-request", reason)


def test_a_batch_has_a_limit(found: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "MAX_BATCH", 2)
    assert len(asked(found, {"paths": ["a", "b"]})["answers"]) == 2
    assert asked(found, {"paths": ["a", "b", "c"]})["code"] == "invalid-request"


def test_a_batch_is_compact_unless_asked_otherwise(found: Project) -> None:
    paths = ["src/a", 3, "b", "", "src/a"]
    compact = asked(found, {"paths": paths})
    assert compact["answers"] == [
        {"allowed": True, "code": "included"},
        {"allowed": False, "code": "invalid-request"},
        {"allowed": False, "code": "not-included"},
        {"allowed": False, "code": "invalid-request"},
        {"allowed": True, "code": "included"},
    ]
    assert compact["policy"] == found.answer({"path": "x"})["policy"]
    assert asked(found, {"paths": []})["answers"] == []
    assert asked(found, {"paths": ["a"], "detail": "compact"})["answers"] == [
        {"allowed": False, "code": "not-included"}
    ]
    full = asked(found, {"paths": paths, "detail": "full", "operation": "read"})["answers"]
    single = asked(found, {"path": "src/a", "operation": "read"})
    assert full[0] == {key: value for key, value in single.items() if key != "policy"}
    assert asked(found, {"tools": ["Read", "x/y", None]})["answers"] == [
        {"allowed": True, "code": "allowed-tool"},
        {"allowed": False, "code": "not-allowed-tool"},
        {"allowed": False, "code": "invalid-request"},
    ]


@pytest.mark.parametrize("depth", [2, 50, 5_000, 100_000])
def test_no_value_is_too_deep(found: Project, depth: int) -> None:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    for question in (
        {"path": value},
        {"path": "a", "operation": value},
        {"path": "a", "cwd": value},
        {"path": "src/a", "operation": "rename", "newPath": value},
        {"uri": value},
        {"paths": value},
        {"tool": value},
        {"tools": [value]},
        {"tool": "github/push_files", "arguments": value},
        {"tool": "github/push_files", "arguments": {"files": value}},
        {"tool": "Write", "arguments": {"file_path": value}},
        value,
    ):
        answer = found.answer(question)
        if "answers" in answer:
            assert [item["code"] for item in answer["answers"]] == ["invalid-request"]
        else:
            assert answer["code"] == "invalid-request"


def test_a_hostile_operation_is_told_in_bounded_space(found: Project) -> None:
    answer = asked(found, {"path": "a", "operation": {str(n): [n] * 100 for n in range(1000)}})
    assert answer["code"] == "invalid-request"
    assert len(answer["operation"]) < 500
    assert len(answer["reason"]) < 500


NAMES = [
    "a",
    "b",
    "secrets",
    "src",
    "x.pem",
    "l",
    "out",
    "s%65crets",
    "[id]",
    "..",
    ".",
    "A",
    "\u00e9",
    "e\u0301",
    "a\\b",
    RULES,
]
PATTERNS = [
    "a",
    "*.pem",
    "secrets/",
    "src/**",
    "/a/b",
    "[id]",
    "**",
    "!a",
    "l/*",
    "\u00e9",
    "a[",
    "out",
    "{a,b}",
    "a/../b",
    "A",
]
TOOLS = ["Read", "Write", "github/x", "mcp__github__x", "github_x", "a b", "", "github.push_files", "*"]
TOOL_ENTRIES = ["Read", "github/*", "x", "mcp__github__x", "a b", "Write", "*", "github/x"]
paths = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)
operations = st.sampled_from(["read", "write", "create", "delete", "rename", "other"])


def block(name: str, entries: list[str] | None) -> str:
    return "" if entries is None else f"{name}: {json.dumps(entries)}\n"


@st.composite
def rule_files(draw: st.DrawFn) -> str:
    def lists(values: list[str]) -> list[str] | None:
        return draw(st.none() | st.lists(st.sampled_from(values), max_size=3))

    text = block("allowed_tools", lists(TOOL_ENTRIES)) + block("denied_tools", lists(TOOL_ENTRIES))
    patterns = block("  include", lists(PATTERNS)) + block("  exclude", lists(PATTERNS))
    twice = block("  include", lists(PATTERNS)) if draw(st.booleans()) else ""
    return text + (f"file_patterns:\n{patterns}{twice}" if patterns + twice else "")


@pytest.fixture(scope="module")
def ground() -> Iterator[Project]:
    with tempfile.TemporaryDirectory() as directory:
        top = Path(directory)
        (top / "evil").mkdir()
        files = {"a/b/x.pem": "", "src/a": "", "secrets/b": "", "[id]/x": "", "b": ""}
        root = build(top, files, links={"l": "secrets", "out": "../evil", "src/l": "../a/b", "A": "a"})
        yield Project(str(root), fold_case=False)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    rule_files(),
    st.lists(paths, max_size=6),
    operations,
    st.none() | paths,
    st.lists(st.sampled_from(TOOLS), max_size=4),
)
def test_batch_and_single_compact_and_full_agree(
    ground: Project, rules: str, batch: list[str], operation: str, new_path: str | None, tools: list[str]
) -> None:
    (Path(ground.root.real) / RULES).write_text(rules, encoding="utf-8")
    shared: dict[str, Any] = {"operation": operation} | ({} if new_path is None else {"newPath": new_path})
    arguments = {"arguments": {"file_path": batch[0]}} if batch else {}
    for key, one, values, extra in (("paths", "path", batch, shared), ("tools", "tool", tools, arguments)):
        full = ground.answer({key: values, "detail": "full", **extra})
        compact = ground.answer({key: values, **extra})
        single = [ground.answer({one: value, **extra}) for value in values]
        assert violations("decision", full) == []
        assert full["policy"] == compact["policy"]
        assert full["answers"] == [{k: v for k, v in answer.items() if k != "policy"} for answer in single]
        assert compact["answers"] == [{"allowed": answer["allowed"], "code": answer["code"]} for answer in single]
        for answer in single:
            check_rule(rules, answer)


def check_rule(rules: str, answer: dict[str, Any]) -> None:
    """The named rule stands in the file at the named place, and is of a list that can give the code."""
    rule = answer["rule"]
    lists = {
        "excluded": {"file_patterns.exclude", "file_patterns.include"},
        "not-included": {"file_patterns.include"},
        "included": {"file_patterns.include"},
        "denied-tool": {"denied_tools"},
        "not-allowed-tool": {"allowed_tools"},
        "allowed-tool": {"allowed_tools"},
        "policy-error": {"denied_tools", "file_patterns.exclude", "file_patterns.include"},
    }.get(answer["code"])
    assert (rule is None) == (lists is None)
    if rule is None or lists is None:
        return
    assert rule["list"] in lists
    line = rules.split("\n")[rule["range"]["start"]["line"]]
    written = line[rule["range"]["start"]["character"] : rule["range"]["end"]["character"]]
    if "pattern" in rule:
        # The rule files here are written as JSON, escapes included.
        assert json.loads(f'"{written}"') == rule["pattern"]
        assert (rule["pattern"][0] == "!") == (
            rule["list"] == "file_patterns.include" and answer["code"] == "excluded"
        ) or (answer["code"] == "policy-error" or rule["list"] != "file_patterns.include")
    else:
        assert written == rule["list"].rpartition(".")[2]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rule_files(), st.sampled_from(PATTERNS), paths, operations)
def test_one_more_exclude_never_allows_more(
    ground: Project, rules: str, pattern: str, path: str, operation: str
) -> None:
    target = Path(ground.root.real) / RULES
    question = {"path": path, "operation": operation, **({"newPath": "new"} if operation == "rename" else {})}
    target.write_text(rules, encoding="utf-8")
    before = ground.answer(question)["allowed"]
    more = rules if "file_patterns:" in rules else rules + "file_patterns:\n"
    target.write_text(more + f"  exclude: {json.dumps([pattern])}\n", encoding="utf-8")
    assert before or not ground.answer(question)["allowed"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rule_files(), st.sampled_from(TOOL_ENTRIES), st.sampled_from(TOOLS))
def test_one_more_denied_tool_never_allows_more(ground: Project, rules: str, entry: str, tool: str) -> None:
    target = Path(ground.root.real) / RULES
    target.write_text(rules, encoding="utf-8")
    before = ground.answer({"tool": tool})["allowed"]
    target.write_text(f"denied_tools: {json.dumps([entry])}\n{rules}", encoding="utf-8")
    assert before or not ground.answer({"tool": tool})["allowed"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.characters(), max_size=20), operations)
def test_any_path_has_an_answer(ground: Project, path: str, operation: str) -> None:
    (Path(ground.root.real) / RULES).write_text(RULE_TEXT, encoding="utf-8")
    question = {"path": path, "operation": operation, **({"newPath": path} if operation == "rename" else {})}
    assert asked(ground, question)["code"] in (
        "included", "unrestricted", "excluded", "not-included", "outside-root", "protected", "invalid-request"
    )  # fmt: skip


def test_a_position_is_in_the_encoding_that_was_asked_for(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "denied_tools: ['\U0001f600\u3042/x']\n"})
    places = {
        encoding: found.answer({"tool": "\U0001f600\u3042/x"}, encoding)["rule"]["range"]["end"]["character"]
        for encoding in ("utf-8", "utf-16", "utf-32")
    }
    assert places == {"utf-8": 25, "utf-16": 21, "utf-32": 20}
    assert code(found, tool="x/x") == "unrestricted"
