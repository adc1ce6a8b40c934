"""Real hosts with a scripted model: what the rules deny is stopped, and goes through where there are none.

All calls of a host are made in one conversation, and each is judged by its own file and by what its model was told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
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
    """The sessions of the module, each played when it is first asked for."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.without_rules = cache(lambda host: self._play(host, NO_RULES, (pair.stopped for pair in PAIRS[host])))
        self.with_rules = cache(lambda host: self._play(host, RULES, _both(PAIRS[host])))
        self.with_broken_rules = cache(
            lambda host: self._play(host, BROKEN_RULES, _both(_few(host)), DENY_WHEN_BROKEN),
        )

    def _play(self, host: str, rules: str, deeds: Iterable[Deed], config: str | None = None) -> tuple[Path, Session]:
        directory = self._directory / f"{host}-{len(list(self._directory.iterdir()))}"
        directory.mkdir()
        place = make_place(host, directory)
        write_project(place.project, rules, config)
        place.install_hook()
        return place.project, place.play(script_of(deeds))


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
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Sessions:
    return Sessions(tmp_path_factory.mktemp("hosts"))


every_pair = pytest.mark.parametrize(("host", "pair"), _parameters(lambda host: PAIRS[host]))
a_few_pairs = pytest.mark.parametrize(("host", "pair"), _parameters(_few))


@every_pair
def test_it_goes_through_without_rules(sessions: Sessions, host: str, pair: Pair) -> None:
    project, session = sessions.without_rules(host)
    assert pair.stopped.done(project), session.results.get(pair.stopped.name)


@every_pair
def test_the_rules_stop_it_and_the_model_hears_why(sessions: Sessions, host: str, pair: Pair) -> None:
    project, session = sessions.with_rules(host)
    assert pair.reason in session.results[pair.stopped.name]
    assert pair.stopped.left(project)


@every_pair
def test_the_rules_let_its_neighbour_through(sessions: Sessions, host: str, pair: Pair) -> None:
    project, session = sessions.with_rules(host)
    assert pair.neighbour.done(project), session.results.get(pair.neighbour.name)


@a_few_pairs
def test_nothing_goes_through_where_the_rules_are_broken(sessions: Sessions, host: str, pair: Pair) -> None:
    project, session = sessions.with_broken_rules(host)
    assert _UNREADABLE in session.results[pair.stopped.name]
    assert _UNREADABLE in session.results[pair.neighbour.name]
    assert pair.stopped.left(project)
    assert pair.neighbour.left(project)
