from __future__ import annotations

import pytest

from rules_lsp.checks import CheckSettings, Subject, run_checks

NAME = ".coding-agent-rules.yaml"
CODES = {"unknown-key", "empty-list"}


def severities(content: str, settings: CheckSettings) -> list[tuple[str, str]]:
    return [(each.code, each.severity) for each in run_checks(Subject.of_text(NAME, content), settings=settings)]


def test_a_level_replaces_the_severity_of_a_code() -> None:
    content = "allow_tools: []\n"
    assert severities(content, CheckSettings()) == [("empty-list", "warning"), ("unknown-key", "error")]
    changed = CheckSettings({"unknown-key": "information", "empty-list": "off"})
    assert severities(content, changed) == [("unknown-key", "information")]


def test_a_level_turns_on_what_is_off() -> None:
    assert severities("x-a: 1\n", CheckSettings()) == []
    assert severities("x-a: 1\n", CheckSettings({"missing-schema-line": "warning"})) == [
        ("missing-schema-line", "warning")
    ]
    assert severities("x-a: 1\n", CheckSettings({"missing-schema-line": "off"})) == []


@pytest.mark.parametrize(
    ("value", "expected", "faults"),
    [
        (None, {}, 0),
        ({}, {}, 0),
        ({"unknown-key": "off"}, {"unknown-key": "off"}, 0),
        ({"unknown-key": "loud", "empty-list": "error"}, {"empty-list": "error"}, 1),
        ({"nonsense": "off"}, {}, 1),
        ({"unknown-key": None}, {}, 1),
        ({"unknown-key": ["off"]}, {}, 1),
        (["unknown-key"], {}, 1),
        ("off", {}, 1),
    ],
)
def test_settings_are_read_from_json(value: object, expected: dict[str, str], faults: int) -> None:
    settings, said = CheckSettings.of_json(value, CODES)
    assert (dict(settings.severity), len(said)) == (expected, faults)
