"""A file that is typed character by character: no exception, no place outside it, what is whole stays understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks import CHECKS, FileKind, Subject, run_checks
from rules_lsp.policy.yaml.read_yaml import read_yaml
from rules_lsp.source.text import Text
from tests.checks.case_files import cases, read_case
from tests.checks.surroundings import kind_of_example

TESTS = Path(__file__).resolve().parent.parent
LONGEST = 2048
# What a file of servers holds depends on its name, and so does what a template knows.
NAMED: dict[FileKind, str] = {
    "servers": ".mcp.json",
    "a0-servers": ".a0proj/mcp_servers.json",
    "a0-template": "agent.system.projects.active.md",
}


def typed_files() -> dict[str, tuple[FileKind, str]]:
    """Every rule file of the tests: its kind and its content, by a name for it."""
    files: dict[str, tuple[FileKind, str]] = {}
    for path in cases():
        file = read_case(path).files[0]
        files[path.stem] = (kind_of_example(file.name), file.content)
    for path in sorted((TESTS / "data" / "yaml_nasty").iterdir()):
        content = path.read_bytes().decode("utf-8", "surrogateescape")
        if len(content) < LONGEST:
            files[path.stem] = ("yaml", content)
    files["example"] = ("yaml", (TESTS / "example" / ".coding-agent-rules.yaml").read_text(encoding="utf-8"))
    for check in CHECKS:
        instead = check.documentation.instead[0]
        files[f"{check.code} instead"] = (kind_of_example(instead.name), instead.content)
    return files


FILES = typed_files()


@pytest.mark.parametrize("name", FILES)
def test_every_prefix_is_checked_without_an_exception(name: str) -> None:
    kind, content = FILES[name]
    for length in range(len(content) + 1):
        prefix = content[:length]
        found = run_checks(Subject.of_text(NAMED.get(kind, "typed"), prefix, kind=kind))
        spans = [each.span for each in found]
        spans += [edit.span for each in found for fix in each.fixes for edit in fix.edits]
        spans += [place.span for each in found for place in each.related]
        assert all(span.end <= length for span in spans), prefix
        assert [each.span for each in found] == sorted(each.span for each in found)


@pytest.mark.parametrize("name", FILES)
def test_every_prefix_is_also_read_as_the_other_format(name: str) -> None:
    kind, content = FILES[name]
    for length in range(0, len(content) + 1, 3):
        run_checks(Subject.of_text("typed", content[:length], kind="markdown" if kind == "yaml" else "yaml"))


WHOLE = """\
system_prompt_extension: |
  Say "hello": [now
allowed_tools: [Read, "github/*"]
denied_tools:
  - "Azure MCP/delete_*"
  - 'Bash'
file_patterns:
  include: ["src/**", {a: b}]
  exclude:
    - "*.pem"
x-note: "the end"
"""


def entries_of(content: str) -> dict[str, list[str]]:
    return {each.name: [entry.text for entry in each.entries] for each in read_yaml(Text(content)).shown.lists()}


def test_a_section_that_is_whole_stays_understood_while_the_next_is_typed() -> None:
    denied_from = WHOLE.index("denied_tools")
    patterns_from = WHOLE.index("file_patterns")
    note_from = WHOLE.index("x-note")
    for length in range(denied_from, len(WHOLE) + 1):
        found = entries_of(WHOLE[:length])
        assert found["allowed_tools"] == ["Read", "github/*"], WHOLE[:length]
        if length >= patterns_from:
            assert found["denied_tools"] == ["Azure MCP/delete_*", "Bash"], WHOLE[:length]
        if length >= note_from:
            assert found["file_patterns.exclude"] == ["*.pem"], WHOLE[:length]


BROKEN_SECTIONS = {
    "an unquoted glob": "  include:\n    - *.py\n",
    "a bracket that is never closed": "  include: [a\n",
    "a bracket too many": "  include: [a]]\n",
    "a bad escape": '  include:\n    - "\\d"\n',
    "a tab": "\tinclude: [a]\n",
    "indentation that fits nothing": "  include:\n    - a\n   exclude:\n    - b\n",
    "a colon too many": "  include: a: b\n",
    "a missing colon": "  include: [a]\n  exclude\n",
    "a quote that is never closed": '  include:\n    - "a\n    - "b"\n',
    "a text behind a value": '  include:\n    - "a" b\n',
    "an undefined alias": "  include: *nothing\n",
    "a directive": "%TAG ! x\n",
    "a value that cannot begin": "  include: @x\n",
}


@pytest.mark.parametrize("name", BROKEN_SECTIONS)
def test_a_broken_section_does_not_take_the_others_down(name: str) -> None:
    before, after = "allowed_tools:\n  - Read\n", 'denied_tools: ["Bash", Shell]\n'
    content = f"{before}file_patterns:\n{BROKEN_SECTIONS[name]}{after}"
    reading = read_yaml(Text(content))
    assert reading.rules is None
    assert reading.error is not None
    assert len(before) <= reading.error.span.start < len(content) - len(after)
    found = entries_of(content)
    assert found["allowed_tools"] == ["Read"]
    assert found["denied_tools"] == ["Bash", "Shell"]


@pytest.mark.parametrize("name", BROKEN_SECTIONS)
def test_two_broken_sections_do_not_take_a_third_down(name: str) -> None:
    content = f"file_patterns:\n{BROKEN_SECTIONS[name]}denied_tools: [Bash]\nallowed_tools: [\n"
    assert entries_of(content)["denied_tools"] == ["Bash"]
