"""`.a0proj/project.json`."""

from __future__ import annotations

import pytest

from rules_lsp.prompt.a0_project import A0Project, FileStructure, read_a0_project
from rules_lsp.prompt.git_addresses import without_credentials
from rules_lsp.prompt.relaxed_json import data_of, read_relaxed_json
from rules_lsp.schemas import validate
from rules_lsp.source.text import Text

WHOLE = """{
  // of the shop
  "title": "Shop", "description": "Sells", "instructions": "Be brief.\\nAsk.", "include_agents_md": false,
  "color": "#ff0000", "git_url": "https://example.org/shop.git",
  "file_structure": {"enabled": false, "max_depth": 1, "max_files": 2, "max_folders": 3, "max_lines": 4,
                     "gitignore": "*.log"},
}
"""


def problems(content: str) -> list[tuple[str, str, str, str]]:
    """Code, severity, place and message."""
    found = read_a0_project(Text(content)).problems
    return [(each.code, each.severity, content[each.span.start : each.span.end], each.message) for each in found]


def test_all_keys() -> None:
    reading = read_a0_project(Text(WHOLE))
    assert (reading.error, reading.problems) == (None, ())
    assert reading.project == A0Project(
        "Shop",
        "Sells",
        "Be brief.\nAsk.",
        False,
        "#ff0000",
        "https://example.org/shop.git",
        FileStructure(False, 1, 2, 3, 4, "*.log"),
    )
    assert {name: WHOLE[span.start : span.end][:10] for name, span in reading.spans.items()} == {
        "title": "Shop",
        "description": "Sells",
        "instructions": "Be brief.\\",
        "include_agents_md": "false",
        "color": "#ff0000",
        "git_url": "https://ex",
        "file_structure": '{"enabled"',
    }


@pytest.mark.parametrize("content", ["", "{}", "// only a comment", '{"title": null, "include_agents_md": null}'])
def test_what_is_missing_has_its_default(content: str) -> None:
    reading = read_a0_project(Text(content))
    assert (reading.project, reading.problems) == (A0Project(), ())
    assert reading.project.file_structure == FileStructure(True, 5, 20, 20, 250, "")


@pytest.mark.parametrize(
    ("written", "counts", "severity"),
    [
        ("true", True, None),
        ("false", False, None),
        ('"0"', False, None),
        ('" False "', False, None),
        ('"NO"', False, None),
        ('"off"', False, None),
        ('"yes"', True, "information"),
        ('"never"', True, "warning"),
        ('""', True, "warning"),
        ("0", False, "error"),
        ("1", True, "error"),
        ("[]", False, "error"),
    ],
)
def test_the_switch_of_the_instructions(written: str, counts: bool, severity: str | None) -> None:
    content = f'{{"include_agents_md": {written}}}'
    assert read_a0_project(Text(content)).project.include_agents_md is counts
    assert [(each[1], each[2]) for each in problems(content)] == ([] if severity is None else [(severity, written)])


def test_a_text_that_does_not_switch_off() -> None:
    assert problems('{"include_agents_md": "nein"}') == [
        (
            "text-for-switch",
            "warning",
            '"nein"',
            "`nein` counts as true: only `0`, `false`, `no` and `off` are texts that switch it off",
        )
    ]


def test_keys_that_are_dropped() -> None:
    assert problems('{"titel": "x", "mcp_servers": "{}", "name": 1}') == [
        (
            "dropped-key",
            "warning",
            "titel",
            "`titel` has no effect and is dropped when Agent Zero saves the project: did you mean `title`?",
        ),
        (
            "dropped-key",
            "warning",
            "mcp_servers",
            "`mcp_servers` has no effect and is dropped when Agent Zero saves the project: remove it",
        ),
        (
            "dropped-key",
            "warning",
            "name",
            "`name` has no effect and is dropped when Agent Zero saves the project: remove it",
        ),
    ]


def test_a_partial_file_structure() -> None:
    content = (
        '{"file_structure": {"max_depth": -1, "max_files": true, "gitignore": [], "enabled": true, "max_filez": 1}}'
    )
    assert problems(content) == [
        (
            "partial-file-structure",
            "error",
            "file_structure",
            "`file_structure` lacks `max_folders`, `max_lines`: nothing fills in what is missing, so write all six "
            "keys",
        ),
        ("wrong-type", "error", "-1", "`max_depth` must be a whole number from 0"),
        ("wrong-type", "error", "true", "`max_files` must be a whole number from 0"),
        ("wrong-type", "error", "[]", "`gitignore` must be a text with a pattern a line"),
        (
            "unknown-key",
            "warning",
            "max_filez",
            "`max_filez` is no key of `file_structure` and has no effect: did you mean `max_files`?",
        ),
    ]
    assert read_a0_project(Text(content)).project.file_structure == FileStructure()


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        ("[]", "[]", "the file must hold an object"),
        ('{"title": 1}', "1", "`title` must be a text in double quotes"),
        ('{"git_url": {"token": "hidden"}}', '{"token": "hidden"}', "`git_url` must be a text in double quotes"),
        ('{"file_structure": []}', "[]", "`file_structure` must be an object"),
    ],
)
def test_values_of_another_kind(content: str, place: str, message: str) -> None:
    assert problems(content) == [("wrong-type", "error", place, message)]


def test_a_text_that_is_being_typed_keeps_what_it_says() -> None:
    reading = read_a0_project(Text('{"title": "Shop", "colour": 1, "git_url": "https://me:hidden@h/x'))
    assert (reading.project.title, reading.project.git_url) == ("Shop", "https://h/x")
    assert [problem.code for problem in reading.problems] == ["syntax-error"]


def test_a_secret_in_the_address() -> None:
    content = '{"git_url": "https://me:hidden@example.org/shop.git"}'
    reading = read_a0_project(Text(content))
    assert reading.project.git_url == "https://example.org/shop.git"
    assert [(each.code, content[each.span.start : each.span.end]) for each in reading.problems] == [
        ("secret-in-address", "https://me:hidden@example.org/shop.git")
    ]
    assert "hidden" not in reading.problems[0].message
    assert dict(reading.problems[0].data) == {"clean": "https://example.org/shop.git"}


@pytest.mark.parametrize(
    ("address", "clean"),
    [
        ("https://user:hidden@h/x.git", "https://h/x.git"),
        ("https://hidden@h/x.git", "https://h/x.git"),
        ("HTTPS://User:Hidden@H", "HTTPS://H"),
        ("https://user:hid/den@h/x", "https://h/x"),
        ("https://user:hid#den@h/x", "https://h/x"),
        ("https://user:hid@den@h/x", "https://h/x"),
        ("//user:hidden@h/x", "//h/x"),
        ("ssh://git:hidden@h/x", "ssh://git@h/x"),
        ("git:hidden@h:o/r", "h:o/r"),
        ("https://h/x?private_token=hidden&page=1#key=hidden", "https://h/x?private_token=&page=1#key="),
        (" https://a:hidden@b\nhttps://hidden@c ", " https://b\nhttps://c "),
        ("https://user:hid den@h/x", "https://h/x"),
        ("https:///user:hidden@h/x", "https:///h/x"),
        ("https://h/https://user:hidden@g/x", "https://h/https://g/x"),
        ("https://h/x?next=https://user:hidden@g/x", "https://h/x?next=https://g/x"),
        ("https://h/ghp_hiddenhiddenhidden1/x", "https://h//x"),
        ("https://h/x?glpat-hiddenhiddenhidden1", "https://h/x?"),
        ("ssh://ghp_hiddenhiddenhidden1@h/x", "ssh://h/x"),
        ("https://h/x?jwt=hidden&session_id=hidden&sas=hidden", "https://h/x?jwt=&session_id=&sas="),
        ("https://h/x,token=hidden", "https://h/x,token="),
    ],
)
def test_credentials_are_taken_away(address: str, clean: str) -> None:
    assert without_credentials(address) == clean
    assert without_credentials(clean) == clean


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/x.git",
        "https://example.org:8443/a@b",
        "https://example.org/x@v1",
        "https://example.org/x?monkey=1&page=2",
        "https://example.org:8443 git@example.org:x",
        "https://example.org/ghp_x/pypi-publish-actions",
        "https://example.org/a,b?page=1,2",
        "ssh://git@example.org/x",
        "git@example.org:team/x.git",
        "C:\\work\\x",
        "../x",
        "",
    ],
)
def test_addresses_without_credentials_stay(address: str) -> None:
    assert without_credentials(address) == address


@pytest.mark.parametrize(
    ("content", "faults"),
    [
        (WHOLE, []),
        ("{}", []),
        ('{"include_agents_md": "off"}', []),
        ('{"titel": "x"}', ["unknown key `titel`"]),
        ('{"title": 1}', ["title: must be text"]),
        ('{"file_structure": {}}', ["file_structure: `enabled` is missing"]),
    ],
)
def test_the_schema_knows_the_same_keys(content: str, faults: list[str]) -> None:
    data = data_of(read_relaxed_json(Text(content)).root)
    assert validate("a0-project", data)[:1] == faults
