"""What is said to be covered is covered: the gate denies each call of the narrow rule by the wide one."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from rules_lsp.checks.common.prompter_cover import covers
from rules_lsp.policy.roots import Root
from rules_lsp.prompter.model import Rule
from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.source.text import Text
from tests.prompter.support import Place

PARTS = (
    "",
    "target: {categories: [ssh]}",
    "target: {categories: [command_execution]}",
    "target: {categories: [file_write, file_read]}",
    "target: {categories: [file_write]}",
    "target: {categories: [internet_search, external_communication, browser, ssh]}",
    "target: {tools: ['github/*']}",
    "target: {tools: ['github/delete_*', Read]}",
    "target: {tools: [Read, Bash]}",
    "target: {tools: ['*']}",
    "target: {categories: [file_read], tools: [github/delete_file]}",
    "condition: {external: true}",
    "condition: {external: false}",
    "condition: {command: {kinds: [deletes]}}",
    "condition: {command: {kinds: [deletes, overwrites]}}",
    "condition: {command: {matches: 'infra'}}",
    "condition: {command: {kinds: [deletes], matches: 'infra'}}",
    "condition: {files: ['infra/**']}",
    "condition: {files: ['infra/a.tf', '/infra/b/']}",
    "condition: {files: ['*.tf']}",
    "condition: {files: ['infra/**'], pieces: [deploy]}",
    "condition: {pieces: [deploy, build], movements: [apply]}",
    "condition: {pieces: [deploy], movements: [apply], role: [member]}",
    "condition: {role: [member, owner]}",
)
CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("Bash", {"command": "rm infra/a.tf"}),
    ("Bash", {"command": "echo x > infra/b/c.py"}),
    ("Bash", {"command": "ssh host ls"}),
    ("Bash", {"command": "rm 'open"}),
    ("Read", {"file_path": "infra/a.tf"}),
    ("Write", {"file_path": "INFRA/B/x.tf", "content": ""}),
    ("Write", {"file_path": "src/a.py", "content": ""}),
    ("github/delete_file", {"path": "infra/a.tf"}),
    ("mcp__github__delete_file", {}),
    ("GitHub/get_me", {}),
    ("WebFetch", {"url": "https://example.org"}),
    ("browser_click", {}),
)
JOBS = tuple(
    itertools.product(("deploy", "other"), ("apply", "plan"), (None, ("member",), ("guest",))),
)


def item(number: int) -> str:
    part = f"    {PARTS[number]}\n" if PARTS[number] else ""
    return f"  - id: r{number}\n    when: tool.before\n    action: deny_current_tool\n{part}"


def rules() -> list[Rule]:
    items = "".join(map(item, range(len(PARTS))))
    read = read_auto_prompter(Text(f"version: 1\nrules:\n{items}"))
    assert read.problems == ()
    return list(read.rules.rules)


def denied_by(number: int, directory: Path) -> set[tuple[int, int]]:
    """The calls that the gate denies by one rule: the number of the job and that of the call."""
    directory.mkdir()
    place = Place(directory, f"version: 1\nrules:\n{item(number)}")
    gate = place.gate()
    calls = [{"id": str(at), "tool": tool, "arguments": given} for at, (tool, given) in enumerate(CALLS)]
    found: set[tuple[int, int]] = set()
    for job, (piece, movement, roles) in enumerate(JOBS):
        gate.claim_job("task", piece, movement, f"job {job}", roles=roles)
        answer = gate.before_tools(f"job {job}", calls)
        found |= {(job, int(each["id"])) for each in answer["calls"] if each["effect"] == "deny"}
    gate.close()
    return found


def test_no_call_shows_the_contrary(tmp_path: Path) -> None:
    denied = [denied_by(number, tmp_path / str(number)) for number in range(len(PARTS))]
    assert denied[0] == set(itertools.product(range(len(JOBS)), range(len(CALLS))))
    assert all(denied)
    root = Root.at(str(tmp_path))
    found = rules()
    proved = 0
    for wide, narrow in itertools.permutations(range(len(PARTS)), 2):
        if covers(found[wide], found[narrow], (root.given, root.real)):
            proved += 1
            assert denied[narrow] <= denied[wide], (PARTS[wide], PARTS[narrow])
    assert proved == 43


@pytest.mark.parametrize(
    ("wide", "narrow", "covered"),
    [
        (0, 1, True),
        (1, 0, False),
        (3, 4, True),
        (4, 3, False),
        (5, 1, True),
        (2, 13, True),
        (13, 2, False),
        (6, 7, False),
        (9, 7, True),
        (5, 11, True),
        (11, 1, True),
        (12, 1, False),
        (14, 13, True),
        (13, 14, False),
        (15, 16, True),
        (17, 18, True),
        (18, 17, False),
        (17, 19, False),
        (17, 20, True),
        (20, 17, False),
        (21, 22, True),
        (23, 22, True),
        (22, 23, False),
    ],
)
def test_what_covers_what(wide: int, narrow: int, covered: bool) -> None:
    found = rules()
    assert covers(found[wide], found[narrow], ()) is covered
