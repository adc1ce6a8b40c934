"""A pytest plugin: tests whose marker names a program that is absent are left out and named.

With `CI=true` that fails the run, so that nothing is left out unseen.
"""

from __future__ import annotations

import os

import pytest

from tests.support.programs import LACKS

_LEFT_OUT = pytest.StashKey[dict[str, list[str]]]()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Takes out the tests that cannot run here; a program that no chosen test needs is not looked for."""
    left_out = config.stash.setdefault(_LEFT_OUT, {})
    for marker, lack in LACKS.items():
        marked = [item for item in items if item.get_closest_marker(marker)]
        reason = lack() if marked else None
        if reason:
            left_out.setdefault(reason, []).extend(item.nodeid for item in marked)
            items[:] = [item for item in items if item not in marked]
            config.hook.pytest_deselected(items=marked)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Names what was left out."""
    for reason, names in config.stash.get(_LEFT_OUT, {}).items():
        terminalreporter.section(f"left out: {reason}", sep="-")
        for name in names:
            terminalreporter.line(f"LEFT OUT {name}")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Where every test must run, one that was left out is a failure."""
    fine = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    if fine and session.config.stash.get(_LEFT_OUT, {}) and os.environ.get("CI") == "true":
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
