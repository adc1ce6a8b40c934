"""A pytest plugin: tests whose marker names a program that is absent are left out and named.

With `CI=true` that fails the run, so that nothing is left out unseen. Where workers share the tests (pytest-xdist), all
of them leave out the same ones, and the run that started them tells.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.support.programs import LACKS

_LEFT_OUT = pytest.StashKey[dict[str, list[str]]]()
_TOLD = "left_out"


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


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes over what a worker left out."""
    output = getattr(node, "workeroutput", {})
    node.config.stash.setdefault(_LEFT_OUT, {}).update(output.get(_TOLD, {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Names what was left out."""
    for reason, names in config.stash.get(_LEFT_OUT, {}).items():
        terminalreporter.section(f"left out: {reason}", sep="-")
        for name in names:
            terminalreporter.line(f"LEFT OUT {name}")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Where every test must run, one that was left out is a failure."""
    left_out = session.config.stash.get(_LEFT_OUT, {})
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[_TOLD] = left_out
        return
    fine = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    if fine and left_out and os.environ.get("CI") == "true":
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
