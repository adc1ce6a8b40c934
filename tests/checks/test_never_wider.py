"""What a rule file denied stays denied when its fixes are made: in every case, planted fault, and slip at random.

An entry that is corrected allows what it was meant to allow, and a denial that is corrected gives up a name that
nothing has; everything else that was denied is asked about again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules_lsp.checks import Diagnostic, Subject, run_checks
from rules_lsp.checks.common.fixing import repaired
from rules_lsp.checks.common.surroundings import Surroundings
from rules_lsp.checks.common.widening import Versions
from rules_lsp.policy.decide_file import FileRequest, decide_file
from rules_lsp.policy.decide_tool import decide_tool
from rules_lsp.policy.decision import Decision
from rules_lsp.policy.requests import asked_path
from rules_lsp.policy.resolve import Resolver
from rules_lsp.workspace.project import Project
from tests.checks.case_files import read_case
from tests.checks.test_mutated import LOOK_ALIKES, NAMES, mutated
from tests.checks.test_typed import FILES

PLANTED = sorted((Path(__file__).resolve().parent.parent / "planted" / "files").glob("*.case"))
PROJECT = {
    ".mcp.json": '{"mcpServers": {"github": {"command": "github-mcp-server"}, "filesystem": {"command": "x"}}}',
    "src/app.py": "", "secrets/x.txt": "", "app/[id]/page.tsx": "", "app/i/page.tsx": "", ".env": "", "a.pem": "",
    "build/x": "", "docs/readme.md": "", "lib/x.js": "",
}  # fmt: skip
TOOLS = (
    "Bash", "Read", "Write", "Edit", "Grep", "WebFetch", "NewTool", "github/delete_file", "mcp__github__push_files",
    "github/issue_read", "github/new_tool", "filesystem/write_file", "newserver/new_tool", "mcp__newserver__new_tool",
)  # fmt: skip
PATHS = (*PROJECT, "new/new.new", "new.new", "secrets/new", "src/new.py", "app/d/new.tsx", "src/.env", "b.pem")
DENIED = ("denied-tool", "excluded")
NOT_ALLOWED = ("not-allowed-tool", "not-included")
SEEDS = 3
FILES_A_SEED = 120


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Surroundings:
    directory = tmp_path_factory.mktemp("project")
    for name, content in PROJECT.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(content)
    return Surroundings.of(Project(str(directory)))


def subject_of(known: Surroundings, kind: str, content: str) -> Subject:
    name = ".coding-agent-rules.md" if kind == "markdown" else ".coding-agent-rules.yaml"
    root = known.policy.root
    servers = known.policy.known_servers
    path = root.absolute(name)
    return known.around(Subject.of_text(name, content, path=path, root=root, known_servers=servers))


def answers(subject: Subject) -> Iterator[Decision]:
    policy = subject.effective
    assert policy is not None
    resolver = Resolver(policy.root)
    for tool in TOOLS:
        yield decide_tool(policy, tool, None, resolver)
    for path in PATHS:
        asked = asked_path(path, None, policy.root, policy.config)
        yield decide_file(policy, FileRequest(asked, "write"), resolver)


def hold_limits(known: Surroundings, kind: str, content: str) -> int:
    """Make the fixes, the safe ones and all; how many were made."""
    before = subject_of(known, kind, content)
    count = 0
    for unsafe in (False, True):
        versions = Versions(before)

        def diagnose(changed: str, versions: Versions = versions) -> list[Diagnostic]:
            return run_checks(versions.of(changed), most=None)

        steps = [before]
        while True:
            now = steps[-1].text.content
            changed, repairs = repaired(now, diagnose, unsafe=unsafe, widens=versions.widens, rounds=1)
            if not repairs:
                break
            count += len(repairs)
            steps.append(versions.of(changed))
            hold_step(*steps[-2:], unsafe=unsafe)
    return count


def hold_step(before: Subject, after: Subject, *, unsafe: bool) -> None:
    told = f"{before.text.content!r} became {after.text.content!r}"
    if before.error is not None:
        return
    assert len(after.shown.allowed_tools) >= min(1, len(before.shown.allowed_tools)), told
    assert len(after.shown.include) >= min(1, len(before.shown.include)), told
    texts = {entry.text for rules in before.shown.lists() for entry in rules.entries}
    for was, now in zip(answers(before), answers(after), strict=True):
        if not now.allowed or was.allowed:
            continue
        assert unsafe or was.code not in DENIED, told
        if was.code in NOT_ALLOWED:
            # Each of several lists must allow.
            assert {step.rule.pattern for step in now.weighed if step.rule is not None} - texts, told


@pytest.mark.parametrize("name", [*NAMES, *(path.stem for path in PLANTED)])
def test_of_cases_and_planted_faults(name: str, known: Surroundings) -> None:
    if name in FILES:
        hold_limits(known, *FILES[name])
        return
    file = read_case(next(path for path in PLANTED if path.stem == name)).files[0]
    hold_limits(known, "markdown" if file.name.endswith(".md") else "yaml", file.content)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_of_slips_at_random(seed: int, known: Surroundings) -> None:
    dice = random.Random(seed)
    made = 0
    for _ in range(FILES_A_SEED):
        kind, content = FILES[dice.choice(NAMES)]
        made += hold_limits(known, kind, mutated(dice, content, LOOK_ALIKES))
    assert made > FILES_A_SEED


@pytest.mark.parametrize("seed", range(SEEDS))
def test_of_lists_that_overrule_one_another(seed: int, known: Surroundings) -> None:
    dice = random.Random(seed)
    made = 0
    for _ in range(FILES_A_SEED):
        lines = []
        for key in dice.choices(("allowed_tools", "denied_tools", "allow_tools", "denied-tools"), k=dice.randint(1, 4)):
            entries = dice.choices(("Bash", "Read", "Grep", "'*'", "'**'", "'*/*'", "github/*", "github/get_me"), k=2)
            lines.append(f"{key}: [{', '.join(entries[: dice.randint(1, 2)])}]")
        for key in dice.sample(("include", "exclude", "file_pattern", "file_patterns"), dice.randint(0, 2)):
            entries = dice.choices(("src/**", "'**'", "secrets/", "app/[id]/**", "src/app.py", "'!src/app.py'"), k=2)
            inner = f"[{', '.join(entries)}]"
            lines.append(f"{key}: {inner}" if key in ("include", "exclude") else f"{key}: {{exclude: {inner}}}")
        made += hold_limits(known, "yaml", "\n".join(lines) + "\n")
    assert made > FILES_A_SEED
