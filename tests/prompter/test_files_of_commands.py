"""What `condition.files` sees of a call: every path that its lines and arguments may mean, and no innocent command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.prompter.support import Place, bash, claimed

RULES = (
    "version: 1\nrules:\n  - {id: no, when: tool.before, condition: {files: ['infra/**']}, action: deny_current_tool}\n"
)


@pytest.fixture(scope="module")
def effect_of(tmp_path_factory: pytest.TempPathFactory) -> Any:
    place = Place(tmp_path_factory.mktemp("files"), RULES)
    for name in ("infra", "src"):
        (place.root / name).mkdir()
    for name in ("infra/x", "src/x", "README.md"):
        (place.root / name).write_text("", encoding="utf-8")
    (place.root / "link").symlink_to("infra")
    gate = place.gate()
    claimed(gate)

    def effect(call: dict[str, Any]) -> str:
        text = {"id": "1", **call}
        arguments = {
            key: value.replace("ROOT", str(place.root)) if isinstance(value, str) else value
            for key, value in text["arguments"].items()
        }
        return str(gate.before_tools("j", [{**text, "arguments": arguments}])["calls"][0]["effect"])

    return effect


@pytest.mark.parametrize(
    "line",
    [
        'bash -c "cat infra/x"',
        'eval "cat infra/x"',
        "find . -exec cat infra/x \\;",
        "find src -exec cat infra/x \\;",
        "xargs cat infra/x",
        "echo infra/x | xargs rm",
        "cat list | xargs rm",
        "cd infra && cat x",
        "cd src && cat ../infra/x",
        "cd link && ls",
        "pushd infra; ls",
        "(cd infra; cat x)",
        "eval 'cd infra'; cat x",
        "cd $HERE && ls",
        "env -C infra cat x",
        "env -C src cat ../infra/x",
        "git -C infra status",
        "git -C src add ../infra/x",
        "make -C infra",
        "make -Cinfra",
        "tar -xf a.tar -C infra",
        "cat inf*/x",
        "cat l*/x",
        "cat */x",
        "cat {infra,src}/x",
        "cat $PWD/infra/x",
        "D=infra; cat $D/x",
        "F=infra/x ./run",
        "export F=infra/x",
        "cat ~+/infra/x",
        "for f in infra/*; do cat $f; done",
        "for f in infra/*; do cat x; done; cat infra/x",
        "rm -rf .",
        "rm -rf *",
        "rm -rf ..",
        "rm -rf infra",
        "find . -name x -delete",
        "find -delete",
        "foo infra/x",
        "python infra/x",
        "python -c \"open('infra/x')\"",
        "python - <<'E'\nopen('infra/x')\nE",
        "./infra/x",
        "cp README.md --target-directory=infra",
        "foo --file=infra/x",
        "foo -finfra/x",
        "curl -F file=@infra/x http://h",
        "docker run -v ./infra:/x y",
        "git show HEAD:infra/x",
        "echo hello > infra/x",
        "sudo cat infra/x",
        "sudo sh -c 'cd infra; cat x'",
        "cat $(echo infra/x)",
        "cat `echo infra/x`",
        "cat link/x",
        "git clean -fdx",
        "grep -rn foo",
        "ROOT/infra/x",
        "cat ROOT/infra/x",
        "if true; then cat infra/x; fi",
        "[[ -f infra/x ]] && cat infra/x",
        "sed 'w infra/x' src/x",
        "awk '{print > \"infra/x\"}' src/x",
        "cd src; cp /tmp/x ..; cp /tmp/infra/x ../infra",
        "if cd infra; then cat x; fi",
        "builtin cd -P infra && ls",
    ],
)
def test_a_line_that_may_touch_a_file_of_the_patterns_matches(line: str, effect_of: Any) -> None:
    assert effect_of(bash(line)) == "deny"


@pytest.mark.parametrize(
    "line",
    [
        "ls",
        "ls -la",
        "echo hello",
        "echo 'the infra team'",
        "git status",
        "git diff --stat",
        "git commit -m 'touch infra/x, as asked'",
        "pytest -q",
        "npm test",
        "cat README.md",
        "cat README*",
        "cat src/*",
        "cat {README.md,src/x}",
        "cd src && cat x",
        "cd ROOT && pytest -q",
        "(cd src); cat x",
        "bash -c 'cat src/x'",
        "find src -name x -delete",
        "rm -rf src",
        "make -C src",
        "python src/x",
        "python -c 'print(1)'",
        "FOO=bar npm test",
        "export FOO=bar",
        "pytest -q 2>&1 | head -20",
        "echo hello > src/y",
        "cat infrastructure/x",
        "grep -rn foo src",
        "cat /etc/hosts",
    ],
)
def test_a_line_that_touches_none_of_them_does_not(line: str, effect_of: Any) -> None:
    assert effect_of(bash(line)) == "allow"


@pytest.mark.parametrize(
    ("tool", "arguments", "effect"),
    [
        ("Bash", {"command": "cat x", "cwd": "infra"}, "deny"),
        ("Bash", {"command": "make", "workdir": "infra"}, "deny"),
        ("Bash", {"command": "cat x", "dir_path": "infra"}, "deny"),
        ("Bash", {"command": "cat x", "cwd": "src"}, "allow"),
        ("Bash", {"command": "cat ../infra/x", "cwd": "src"}, "deny"),
        ("foo/bar", {"path": "infra/x"}, "deny"),
        ("foo/bar", {"path": "src/x"}, "allow"),
        ("foo/bar", {"text": "infra/x"}, "allow"),
        ("mcp__fs__write_file", {"path": "infra/x"}, "deny"),
        ("mcp__fs__write_file", {"path": "src/x"}, "allow"),
        ("foo/bar", {"edits": [{"filePath": "infra/x"}]}, "deny"),
        ("foo/bar", {"uri": "file://ROOT/infra/x"}, "deny"),
        ("Glob", {"pattern": "infra/*"}, "deny"),
        ("Glob", {"pattern": "*", "path": "infra"}, "deny"),
        ("Glob", {"pattern": "src/*"}, "allow"),
        ("Grep", {"pattern": "infra/x", "path": "src"}, "allow"),
        ("desktop-commander/start_process", {"timeout": 3}, "deny"),
    ],
)
def test_the_paths_of_arguments_count(tool: str, arguments: dict[str, Any], effect: str, effect_of: Any) -> None:
    assert effect_of({"tool": tool, "arguments": arguments}) == effect


@pytest.mark.parametrize(("line", "effect"), [("cp /tmp/a.pem src/", "deny"), ("cp /tmp/a.txt src/", "allow")])
def test_a_file_that_a_directory_gets_counts(line: str, effect: str, tmp_path: Path) -> None:
    place = Place(tmp_path, RULES.replace("infra/**", "*.pem"))
    (place.root / "src").mkdir()
    gate = place.gate()
    claimed(gate)
    assert [each["effect"] for each in gate.before_tools("j", [bash(line)])["calls"]] == [effect]


DELETES = (
    "version: 1\nrules:\n"
    "  - {id: no, when: tool.before, condition: {command: {kinds: [deletes]}}, action: deny_current_tool}\n"
)


@pytest.mark.parametrize(
    ("tool", "arguments", "effect"),
    [
        ("Bash", {"cmdline": "rm x"}, "deny"),
        ("Bash", {"cmdline": "ls"}, "allow"),
        ("shell/run", {"program": "rm", "args": ["x"]}, "deny"),
        ("shell/run", {"program": "ls", "args": ["rm"]}, "allow"),
        ("Bash", {"command": "ls", "script": "rm x"}, "deny"),
        ("Bash", {"command": "ls", "script": "ls"}, "allow"),
        ("Bash", {"command": "ls", "description": "rm x"}, "allow"),
        ("write_stdin", {"session_id": 1, "chars": "rm x\n"}, "deny"),
        ("write_stdin", {"session_id": 1, "chars": "ls\n"}, "allow"),
        ("local_shell_call", {"action": {"command": ["rm", "x"]}}, "deny"),
        ("local_shell_call", {"action": {"command": ["ls"]}}, "allow"),
        ("run_commands", {"commands": [{"command": "rm x"}]}, "deny"),
        ("run_commands", {"commands": [{"command": "ls"}]}, "allow"),
        ("run_commands", {"commands": ["ls", "rm x"]}, "deny"),
        ("Bash", {"command": ["rm", 5]}, "deny"),
        ("Bash", {"command": ["ls", 5]}, "allow"),
        ("Bash", {"Command": "rm x"}, "deny"),
        ("Bash", {"Command": "ls"}, "allow"),
        ("Bash", {"what": "ls"}, "deny"),
        ("Bash", {"command": None}, "deny"),
        ("Bash", {}, "allow"),
        ("foo/bar", {"what": "rm x"}, "allow"),
    ],
)
def test_a_line_counts_wherever_it_stands(tool: str, arguments: dict[str, Any], effect: str, tmp_path: Path) -> None:
    gate = Place(tmp_path, DELETES).gate()
    claimed(gate)
    answer = gate.before_tools("j", [{"id": "1", "tool": tool, "arguments": arguments}])
    assert [each["effect"] for each in answer["calls"]] == [effect]
