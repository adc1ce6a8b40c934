"""What stands above the file and above each rule."""

from __future__ import annotations

from pathlib import Path

from rules_lsp.features.neighbours import NOTHING_OUTSIDE, NeighbourLens, Outside, neighbour_features
from rules_lsp.features.view import View
from rules_lsp.source.text import Span
from tests.features.prompter.project import RULES, rules_view
from tests.features.support import drawn
from tests.prompter.support import ADVISING, Place, bash, claimed

FEATURES = neighbour_features("prompter")


def shown(view: View, outside: Outside = NOTHING_OUTSIDE) -> list[tuple[str, str | None]]:
    assert FEATURES.lenses is not None
    assert FEATURES.resolve_lens is not None
    found = []
    for lens in FEATURES.lenses(view):
        assert lens.title is None
        told = FEATURES.resolve_lens(view, lens, outside)
        assert told is not None
        found.append((drawn(view, lens.span.start, lens.span.end), told.title))
    return found


def test_the_switch_and_each_rule(tmp_path: Path) -> None:
    assert shown(rules_view(tmp_path, RULES)) == [
        ("version: 1", "Auto Prompter: on · 1 of 2 rules active"),
        ("confirm", "on · request_approval · at most 3 in a task"),
        ("japanese", "off · inject_instruction · no limit"),
    ]


def test_rules_of_a_file_that_is_off(tmp_path: Path) -> None:
    assert shown(rules_view(tmp_path, RULES.replace("enabled: true", "enabled: false"))) == [
        ("version: 1", "Auto Prompter: off · 2 rules"),
        ("confirm", "off with the file · request_approval · at most 3 in a task"),
        ("japanese", "off with the file · inject_instruction · no limit"),
    ]


def test_a_broken_rule_says_what_follows(tmp_path: Path) -> None:
    text = "version: 1\nrules:\n  - id: a\n    when: always\n    action: audit_only\n  - when: always\n"
    assert shown(rules_view(tmp_path, text)) == [
        ("version: 1", "Auto Prompter: on · 2 of 2 rules active"),
        ("a", "broken: denies what it may hold back · audit_only · no limit"),
        ("", "broken: denies what it may hold back · deny_current_tool · no limit"),
    ]


def test_a_file_that_does_not_parse_denies_everything(tmp_path: Path) -> None:
    ((_, title),) = shown(rules_view(tmp_path, "rules: [\n"))
    assert title is not None
    assert title.startswith("Auto Prompter: every call is denied: the file cannot be read: ")


def test_what_a_rule_did(tmp_path: Path) -> None:
    place = Place(tmp_path, ADVISING)
    gate = place.gate()
    claimed(gate)
    outside = Outside(store=str(place.store))
    view = rules_view(place.root, ADVISING)
    before = shown(view, outside)[1]
    gate.before_tools("j", [bash("ls")])
    gate.before_tools("j", [bash("ls", "2")])
    assert before == ("tip", "on · inject_instruction · never fired · at most 1,000 in a task")
    during = shown(view, outside)[1]
    gate.close()
    told = ("tip", "on · inject_instruction · fired 2 of 1,000 in the last task · last 1970-01-12 13:46 UTC")
    assert (during, shown(view, outside)[1]) == (told, told)


def test_a_lens_of_another_text_is_none(tmp_path: Path) -> None:
    assert FEATURES.resolve_lens is not None
    view = rules_view(tmp_path, RULES)
    for key in ("2", "-1", "x", "", "\u0662", "9" * 5000):
        assert FEATURES.resolve_lens(view, NeighbourLens(Span(0, 0), key), NOTHING_OUTSIDE) is None
