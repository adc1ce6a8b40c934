"""What becomes of a call whose hook is killed in the middle: how each host takes it, as it was observed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts.calls import Deed, script_of
from tests.hosts.hands import HANDS
from tests.hosts.hosts import make_place
from tests.hosts.project import RULES, write_project

README = Path(__file__).parent / "README.md"
DYING = Path(__file__).parent / "dying"
HOOK_DIES, ALL_DIE = "secrets/hook-dies.txt", "secrets/all-die.txt"
GUARDED = "policy engine failed: rules-lsp gave no answer"

# The hook alone is killed, then the hook together with the shell that guards it. Nothing here is promised by a host.
OBSERVED = {
    "claude": ("stopped", "stopped"),
    "codex": ("stopped", "goes on"),
    "gemini": ("stopped", "goes on"),
}


@pytest.mark.parametrize("host", [pytest.param(host, marks=getattr(pytest.mark, host)) for host in OBSERVED])
def test_a_killed_hook_is_taken_as_observed(tmp_path: Path, host: str) -> None:
    hand = HANDS[host]
    hook = Deed("hook-dies", HOOK_DIES, hand.write("hook-dies", HOOK_DIES))
    everything = Deed("all-die", ALL_DIE, hand.write("all-die", ALL_DIE))
    place = make_place(host, tmp_path)
    write_project(place.project, RULES)
    place.install_hook()
    session = place.play(script_of([hook, everything]), DYING)
    assert _outcomes(place.project, hook, everything) == OBSERVED[host], session.results
    assert GUARDED in session.results["hook-dies"]
    assert f"| {host} | {' | '.join(OBSERVED[host])} |" in README.read_text(encoding="utf-8")


def _outcomes(project: Path, *deeds: Deed) -> tuple[str, ...]:
    return tuple("stopped" if deed.left(project) else "goes on" for deed in deeds)
