from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makeini("[pytest]\nmarkers =\n    zed\n    yes\n")
    pytester.makeconftest(
        """
        from tests.support import programs
        programs.LACKS.update(zed=lambda: "there is no `zed`", yes=lambda: None)
        pytest_plugins = ["tests.support.left_out"]
        """
    )
    pytester.makepyfile(
        test_it="""
        import pytest
        @pytest.mark.zed
        def test_absent(): raise AssertionError
        @pytest.mark.yes
        def test_present(): pass
        def test_plain(): pass
        """
    )
    return pytester


def test_a_test_whose_program_is_absent_is_named(project: pytest.Pytester) -> None:
    result = project.runpytest_subprocess()
    result.assert_outcomes(passed=2, deselected=1)
    result.stdout.fnmatch_lines(["*left out: there is no `zed`*", "LEFT OUT test_it.py::test_absent"])
    assert result.ret == pytest.ExitCode.OK


def test_with_ci_it_fails_the_run(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    result = project.runpytest_subprocess()
    result.assert_outcomes(passed=2, deselected=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_workers_tell_what_they_leave_out(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    result = project.runpytest_subprocess("-n", "2")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*left out: there is no `zed`*", "LEFT OUT test_it.py::test_absent"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_test_that_nobody_asked_for_is_not_left_out(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    result = project.runpytest_subprocess("-k", "plain or present")
    result.assert_outcomes(passed=2, deselected=1)
    result.stdout.no_fnmatch_line("LEFT OUT*")
    assert result.ret == pytest.ExitCode.OK
