"""Files that are made to exhaust a machine, and files that are cut and mixed at random."""

from __future__ import annotations

import random
import time

import pytest

from rules_lsp.checks import FileKind, Subject, run_checks
from rules_lsp.checks.common.hidden_secrets import shown_text
from tests.checks.test_typed import FILES

KINDS: tuple[FileKind, ...] = ("instructions", "a0-project", "a0-servers", "a0-template", "persona")
NAMES = {
    "instructions": "AGENTS.md",
    "a0-project": ".a0proj/project.json",
    "a0-servers": ".a0proj/mcp_servers.json",
    "a0-template": "prompts/agent.system.projects.active.md",
    "persona": ".shaft/a/templates/b.json",
}
SIZE = 128 * 1024
LARGE: dict[str, str] = {
    "brackets": "[" * SIZE,
    "braces": "{{" * (SIZE // 2),
    "includes": '{{ include "a" }}\n' * 6_000,
    "open includes": "{{ include " * 11_000,
    "quotes": '"' * SIZE,
    "backslashes": '{"git_url": "' + "\\" * SIZE,
    "addresses": '{"git_url": "' + "https://a:b@c?token=" * 6_000 + '"}',
    "keys": "{" + ",".join(f'"k{number}": 1' for number in range(7_000)) + "}",
    "equal keys": "{" + ",".join(['"tittle": 1'] * 7_000) + "}",
    "structure": '{"file_structure": {' + ",".join(f'"max_dept{n}": 1' for n in range(6_000)) + "}}",
    "servers": '{"mcpServers": {' + ",".join(f'"a.{n}": {{"command": "x"}}' for n in range(4_000)) + "}}",
    "templates": '{"user_content": [' + ",".join(['"{{ target_content }}"'] * 2_500) + "]}",
    "conditions": "{{if project_name}}" * 4_000 + "{{endif}}" * 3_000,
    "strange tags": "{{ project_path }}{{else}}{{endif}}{% a %}{{if}}" * 2_000,
    "open tags": "{{if project_name {% {# " * 5_000,
    "open blocks": '{"user_content": [' + ",".join(['"{% if a %}"'] * 600) + "]}",
}
PIECES = (
    "{",
    "}",
    '"',
    ",",
    "[",
    "]",
    ":",
    "{{",
    "}}",
    "{%",
    "%}",
    "\\",
    "//",
    "/*",
    "\x00",
    "\ud800",
    "\r",
    "用",
    "😀",
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_takes_no_more_than_seconds(kind: FileKind, name: str) -> None:
    before = time.process_time()
    subject = Subject.of_text(NAMES[kind], LARGE[name], kind=kind)
    assert len(run_checks(subject)) <= 1_000
    assert len(shown_text(subject).content) == len(LARGE[name])
    assert time.process_time() - before < 5


@pytest.mark.parametrize("kind", KINDS)
def test_no_mixed_text_raises(kind: FileKind) -> None:
    chance = random.Random(8)
    texts = [content for name, (of, content) in FILES.items() if of == kind]
    assert texts or kind == "instructions"
    for content in texts or ["# a {{ include 'x' }}\n"]:
        for _ in range(40):
            at, end = sorted(chance.choices(range(len(content) + 1), k=2))
            changed = content[:at] + "".join(chance.choices(PIECES, k=chance.randrange(1, 4))) + content[end:]
            subject = Subject.of_text(NAMES[kind], changed, kind=kind)
            for found in run_checks(subject):
                assert 0 <= found.span.start <= found.span.end <= len(changed)
