"""The two commands of the README make a real host obey in a fresh repository, and `doctor` knows when they do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.calls import Deed, script_of
from tests.hosts.hands import HANDS
from tests.hosts.hosts import Place, make_place, write_json
from tests.hosts.model.script import Script
from tests.hosts.project import content_of

KEY, APP = "secrets/key.pem", "src/app.py"
every_host = pytest.mark.parametrize("host", [pytest.param(host, marks=getattr(pytest.mark, host)) for host in HANDS])


@every_host
def test_two_commands_make_it_obey(tmp_path: Path, host: str) -> None:
    place = make_place(host, tmp_path)
    place.rules_lsp("init")
    place.install_hook()
    report = _report(place, code=0)
    session = place.play(script_of(_deeds(host)))
    assert report["ok"] is True
    assert "`secrets/key.pem` is excluded by `*.pem`" in session.results["key"]
    assert content_of(place.project, KEY) is None
    assert content_of(place.project, APP) in ("new", "new\n")


@every_host
def test_a_hook_of_the_user_finds_the_rules_from_below(tmp_path: Path, host: str) -> None:
    place = make_place(host, tmp_path)
    place.rules_lsp("init")
    (place.project / "src").mkdir()
    place.install_hook("--user")
    hand = HANDS[host]
    key, app = hand.write("key", "key.pem"), hand.write("app", "app.py")
    session = place.play(Script([*key, *app]), below="src")
    assert "`src/key.pem` is excluded by `*.pem`" in session.results["key"]
    assert content_of(place.project, "src/key.pem") is None
    assert content_of(place.project, APP) in ("new", "new\n")


@every_host
def test_doctor_names_a_hook_that_does_not_run(tmp_path: Path, host: str) -> None:
    place = make_place(host, tmp_path)
    place.rules_lsp("init")
    expected = _SWITCHED_OFF[host](place)
    report = _report(place, code=1)
    session = place.play(script_of(_deeds(host)))
    assert {finding["code"] for finding in report["findings"] if finding["level"] == "problem"} == expected
    assert content_of(place.project, KEY) in ("new", "new\n"), session.results


def _deeds(host: str) -> list[Deed]:
    hand = HANDS[host]
    return [Deed("key", KEY, hand.write("key", KEY)), Deed("app", APP, hand.write("app", APP))]


def _report(place: Place, code: int) -> dict[str, Any]:
    """What `doctor` says of the host."""
    hosts = json.loads(place.rules_lsp("doctor", "--format", "json", code=code))["hosts"]
    report: dict[str, Any] = next(each for each in hosts if each["host"] == place.host.name)
    return report


def _switch_off_in_claude(place: Place) -> set[str]:
    place.install_hook()
    write_json(place.project / ".claude" / "settings.local.json", {"disableAllHooks": True})
    return {"switched-off"}


def _trust_nothing_in_codex(place: Place) -> set[str]:
    place.rules_lsp("hook", "install", "codex")
    return {"not-trusted", "project-not-trusted"}


def _switch_off_in_gemini(place: Place) -> set[str]:
    place.install_hook()
    settings = place.home / ".gemini" / "settings.json"
    write_json(settings, {**json.loads(settings.read_text(encoding="utf-8")), "hooksConfig": {"enabled": False}})
    return {"switched-off"}


_SWITCHED_OFF = {
    "claude": _switch_off_in_claude,
    "codex": _trust_nothing_in_codex,
    "gemini": _switch_off_in_gemini,
}
