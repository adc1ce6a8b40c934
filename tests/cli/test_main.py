"""The command itself: verbs, help, exit codes, and standard streams that are gone."""

from __future__ import annotations

import os
import signal
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


@pytest.mark.parametrize(
    "verb",
    [
        *("check", "check --format json", "check --format sarif", "check --format github", "check --diff", "check -h"),
        *("completion bash", "explain file a", "files *", "files --format json", "files --count", "policy", "query"),
        *("rule", "rule unknown-key", "rule --format json", "--version"),
    ],
)
def test_a_reader_that_has_gone(tmp_path: Path, verb: str) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "rules_lsp", *verb.split()]
    # What argparse itself cannot write it drops; buffered, as it is for users, the end of the command meets it.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    environment["PYTHONPATH"] = PACKAGE
    done = subprocess.run(
        command,
        input=b'{"path": "a"}\n' * 3,
        stdout=write,
        stderr=subprocess.PIPE,
        cwd=build(tmp_path, {RULES: "deny_tools: []\n"}),
        env=environment,
        timeout=60,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


@pytest.mark.parametrize("verb", ["check", "explain tool a", "files *", "policy", "query", "rule", "nothing", ""])
def test_nobody_hears_the_messages(tmp_path: Path, verb: str) -> None:
    done = shell(build(tmp_path), f"$R {verb} --root /nowhere 2>/dev/full >&2 </dev/null")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


@pytest.mark.parametrize("verb", ["check", "explain file a", "files", "init", "policy", "query", "serve"])
@pytest.mark.parametrize(
    ("root", "message"),
    [
        ("", "--root : there is no such directory"),
        ("nowhere", "--root nowhere: there is no such directory"),
        ("file", "--root file: it is no directory"),
        ("a\0b", "--root a<U+0000>b: there is no such directory"),
        ("x" * 5000, f"--root {'x' * 5000}: there is no such directory"),
    ],
)
def test_a_root_that_is_none(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    root: str,
    message: str,
) -> None:
    monkeypatch.chdir(build(tmp_path, {"file": ""}))
    monkeypatch.delenv("RULES_LSP_CONFIG", raising=False)
    assert main([*verb.split(), "--root", root]) == 2
    assert capsys.readouterr() == ("", f"rules-lsp: {message}\n")


@pytest.mark.parametrize(
    ("verb", "called"),
    [
        ("check", "rules_lsp.cli.check.check_target"),
        ("check --fix", "rules_lsp.cli.repair.changes_of"),
        ("check --diff", "rules_lsp.cli.repair.changes_of"),
        ("explain file a", "rules_lsp.cli.explain.decide"),
        ("files *", "rules_lsp.cli.files.walk_chosen"),
        ("policy", "rules_lsp.cli.policy.contributions"),
    ],
)
def test_an_interruption_ends_it_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, verb: str, called: str
) -> None:
    def interrupted(*_: object, **__: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.chdir(build(tmp_path, {RULES: "denied_tools: []\n"}))
    monkeypatch.setattr(called, interrupted)
    assert main(verb.split()) == 130
    assert capsys.readouterr() == ("", "")


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
