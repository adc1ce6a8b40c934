"""The command itself: verbs, help, exit codes, and standard streams that are gone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rules_lsp import __version__
from rules_lsp.cli.main import VERBS, main
from tests.support.projects import RULES, build

PACKAGE = str(Path(__file__).parents[2])


def shell(root: Path, script: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell script in which `$R` is the command."""
    variables = {key: value for key, value in os.environ.items() if key != "RULES_LSP_CONFIG"}
    variables |= {"PYTHONPATH": PACKAGE, "R": f"{sys.executable} -m rules_lsp", **environment}
    return subprocess.run(["sh", "-c", script], capture_output=True, cwd=root, env=variables, timeout=60, check=False)


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert (stopped.value.code, capsys.readouterr().out) == (0, f"rules-lsp {__version__}\n")


def test_without_a_verb_the_verbs_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    for verb, entry in VERBS.items():
        assert any(line.split() == [verb, *entry.summary.split()] for line in printed.err.splitlines())


def test_an_unknown_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert capsys.readouterr().err == f"rules-lsp: there is no verb `nothing`: use one of {', '.join(VERBS)}\n"


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_each_verb_has_help_with_an_example(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([verb, "--help"])
    printed = capsys.readouterr().out
    assert stopped.value.code == 0
    assert printed.startswith(f"usage: rules-lsp {verb}")
    assert "\nexample:\n  " in printed


@pytest.mark.parametrize("verb", ["explain file a", "query"])
def test_no_output_to_write_to(tmp_path: Path, verb: str) -> None:
    done = shell(build(tmp_path), f"""echo '{{"path": "a"}}' | $R {verb} >&-""")
    assert (done.returncode, done.stderr) == (2, b"rules-lsp: standard output is closed\n")


def test_no_input_is_an_empty_one(tmp_path: Path) -> None:
    done = shell(build(tmp_path), "$R query <&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_no_place_for_messages(tmp_path: Path) -> None:
    done = shell(build(tmp_path), "$R query --root /nowhere 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


@pytest.mark.parametrize("verb", ["explain file a", "explain file a --format json", "query"])
def test_a_full_disk(tmp_path: Path, verb: str) -> None:
    done = shell(build(tmp_path), f"""echo '{{"path": "a"}}' | $R {verb} >/dev/full""")
    assert (done.returncode, done.stderr) == (2, b"rules-lsp: no space left on device\n")


@pytest.mark.parametrize("verb", ["explain file a", "query"])
def test_a_reader_that_has_gone(tmp_path: Path, verb: str) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "rules_lsp", *verb.split()]
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    done = subprocess.run(
        command,
        input=b'{"path": "a"}\n' * 3,
        stdout=write,
        stderr=subprocess.PIPE,
        cwd=build(tmp_path),
        env=environment,
        timeout=60,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (2, b"")


@pytest.mark.parametrize("verb", ["explain file a", "query"])
def test_a_working_directory_that_is_gone(tmp_path: Path, verb: str) -> None:
    done = shell(build(tmp_path, directories=["gone"]), f"cd gone && rmdir ../gone && echo '{{}}' | $R {verb}")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"rules-lsp: no such file or directory\n")


def test_an_output_that_lacks_a_character(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: ""})
    done = shell(root, "$R explain file \u3042", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.splitlines()[0] == b"allowed: write \\u3042"


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    done = shell(build(tmp_path), "$R explain file \"$(printf 'a\\377')\"")
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.splitlines()[1] == b"  the path holds half of a character (a lone surrogate) (invalid-request)"
