"""Real hosts with a scripted model: what the rules deny is stopped, and goes through where there are none.

All calls of a host are made in one conversation, and each is judged by its own file and by what its model was told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.calls import PAIRS, Deed, Pair, script_of
from tests.hosts.hosts import make_place
from tests.hosts.project import BROKEN_RULES, DENY_WHEN_BROKEN, NO_RULES, RULES, write_project
from tests.hosts.session import Session

_UNREADABLE = "the rule file `.coding-agent-rules.yaml` cannot be read and `on_error` is `deny`"
_OF_EACH_KIND = ("write", "mcp-path", "shell")
"""Pairs in which a host's own tool, one of MCP and a command line are called."""


class Sessions:
    """The sessions of some hosts, played beside one another; whoever asks for one waits for it."""

    def __init__(self, directory: Path, hosts: Iterable[str], pool: Executor) -> None:
        self._directory = directory
        self._playing = {
            (host, kind): pool.submit(self._play, host, kind, rules, deeds, config)
            for host in hosts
            for kind, (rules, deeds, config) in _told(host).items()
        }

    def of(self, host: str, kind: str) -> tuple[Path, Session]:
        """A session, and the project in which it was played."""
        return self._playing[host, kind].result()

    def _play(self, host: str, kind: str, rules: str, deeds: list[Deed], config: str | None) -> tuple[Path, Session]:
        directory = self._directory / f"{host} {kind}"
        directory.mkdir()
        place = make_place(host, directory)
        write_project(place.project, rules, config)
        place.install_hook()
        return place.project, place.play(script_of(deeds))


def _told(host: str) -> dict[str, tuple[str, list[Deed], str | None]]:
    """The rules, the deeds and the configuration of each kind of session."""
    return {
        "without rules": (NO_RULES, [pair.stopped for pair in PAIRS[host]], None),
        "with rules": (RULES, list(_both(PAIRS[host])), None),
        "with broken rules": (BROKEN_RULES, list(_both(_few(host))), DENY_WHEN_BROKEN),
    }


def _both(pairs: Iterable[Pair]) -> Iterator[Deed]:
    for pair in pairs:
        yield pair.stopped
        yield pair.neighbour


def _few(host: str) -> Iterator[Pair]:
    return (pair for pair in PAIRS[host] if pair.stopped.name in _OF_EACH_KIND)


def _parameters(pairs_of: Callable[[str], Iterable[Pair]]) -> list[Any]:
    return [
        pytest.param(host, pair, id=f"{host}-{pair.stopped.name}", marks=getattr(pytest.mark, host))
        for host in PAIRS
        for pair in pairs_of(host)
    ]


@pytest.fixture(scope="module")
def sessions(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sessions]:
    chosen = [host for host in PAIRS if any(item.get_closest_marker(host) for item in request.session.items)]
    with ThreadPoolExecutor(max_workers=2) as pool:
        yield Sessions(tmp_path_factory.mktemp("hosts"), chosen, pool)


every_pair = pytest.mark.parametrize(("host", "pair"), _parameters(lambda host: PAIRS[host]))
a_few_pairs = pytest.mark.parametrize(("host", "pair"), _parameters(_few))


@every_pair
def test_it_goes_through_without_rules(sessions: Sessions, host: str, pair: Pair) -> None:
    project, session = sessions.of(host, "without rules")
    assert pair.stopped.done(project), session.results.get(pair.stopped.name)


@every_pair
def test_the_rules_stop_it_and_the_model_hears_why(sessions: Sessions, host: str, pair: Pair) -> None:
    project, session = sessions.of(host, "with rules")
    assert pair.reason in session.results[pair.stopped.name]
    assert pair.stopped.left(project)


@every_pair
def test_the_rules_let_its_neighbour_through(sessions: Sessions, host: str, pair: Pair) -> None:
    project, session = sessions.of(host, "with rules")
    assert pair.neighbour.done(project), session.results.get(pair.neighbour.name)


@a_few_pairs
def test_nothing_goes_through_where_the_rules_are_broken(sessions: Sessions, host: str, pair: Pair) -> None:
    project, session = sessions.of(host, "with broken rules")
    assert _UNREADABLE in session.results[pair.stopped.name]
    assert _UNREADABLE in session.results[pair.neighbour.name]
    assert pair.stopped.left(project)
    assert pair.neighbour.left(project)
