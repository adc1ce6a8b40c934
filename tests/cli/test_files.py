"""`rules-lsp files`: which files it finds, how it prints them, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rules_lsp.cli.main import main

ROOT = Path(__file__).resolve().parent.parent.parent
NAME = ".coding-agent-rules.yaml"
RULES = "file_patterns:\n  include: [src/**, docs/]\n  exclude: ['*.pem']\n"
FILES = ("src/app.py", "src/shop/cart.py", "src/key.pem", "docs/index.md", "setup.py", ".git/config", "src-old/x.py")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("RULES_LSP_CONFIG", raising=False)
    directory = tmp_path / "project"
    directory.mkdir()
    for name in FILES:
        put(directory, name)
    put(directory, NAME, RULES)
    monkeypatch.chdir(directory)
    return directory


def put(directory: Path, name: str, content: str = "") -> None:
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    status = main(["files", *arguments])
    output = capsys.readouterr()
    return status, output.out.splitlines(), output.err


@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        ([], ["docs/index.md", "src/app.py", "src/shop/cart.py"]),
        (["--allowed"], ["docs/index.md", "src/app.py", "src/shop/cart.py"]),
        (["--denied"], [NAME, "setup.py", "src-old/x.py", "src/key.pem"]),
        (["--denied", "--operation", "read"], ["src/key.pem"]),
        (["*.py"], ["setup.py", "src-old/x.py", "src/app.py", "src/shop/cart.py"]),
        (["*.py", "--allowed"], ["src/app.py", "src/shop/cart.py"]),
        (["*.py", "--denied"], ["setup.py", "src-old/x.py"]),
        (["src/**"], ["src/app.py", "src/key.pem", "src/shop/cart.py"]),
        (["src/shop"], ["src/shop/cart.py"]),
        (["/src/app.py"], ["src/app.py"]),
        (["src/{app,shop/cart}.py"], ["src/app.py", "src/shop/cart.py"]),
        (["src/app.py/"], []),
        (["nothing/**"], []),
        ([".git/**"], []),
        (["*.md", "--count"], ["1"]),
        (["nothing", "--count"], ["0"]),
        (["*.md", "--count", "--format", "json"], ['{"count": 1}']),
        (["nothing", "--format", "json"], ["[]"]),
    ],
)
def test_the_files(project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], paths: list[str]) -> None:
    assert printed(capsys, *arguments) == (0, paths, "")


def test_without_rules_everything_is_allowed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / NAME).unlink()
    found = ["docs/index.md", "setup.py", "src-old/x.py", "src/app.py", "src/key.pem", "src/shop/cart.py"]
    assert printed(capsys) == (0, found, "")
    assert printed(capsys, "--denied") == (0, [], "")


def test_json_says_what_decided(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines, _ = printed(capsys, "src/*", "--denied", "--format", "json")
    assert (status, json.loads("\n".join(lines))) == (
        0,
        [{"path": "src/key.pem", "allowed": False, "code": "excluded"}],
    )
    assert json.loads("\n".join(printed(capsys, "src/*.p*", "--format", "json")[1])) == [
        {"path": "src/app.py"},
        {"path": "src/key.pem"},
    ]


def test_another_root(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project, "src/docs/a.md")
    assert printed(capsys, "*.md", "--root", "src") == (0, ["docs/a.md"], "")


def test_a_link_is_a_file_and_what_it_leads_to_decides(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src" / "out").symlink_to(project.parent)
    (project / "src" / "in").symlink_to("app.py")
    assert printed(capsys, "src/*")[1] == ["src/app.py", "src/in", "src/key.pem", "src/out", "src/shop/cart.py"]
    assert printed(capsys, "src/*", "--denied")[1] == ["src/key.pem", "src/out"]
    assert printed(capsys, "src/out/project/**")[1] == []


def test_odd_names_are_printed_and_break_no_line(project: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    names = [b"odd/a\nb", b"odd/\xff.py", "odd/é \U0001f600".encode(), b"odd/\x1b[31m"]
    (project / "odd").mkdir()
    for name in names:
        with open(os.path.join(os.fsencode(project), name), "wb"):
            pass
    assert main(["files", "odd/"]) == 0
    lines = [b"odd/<U+001B>[31m", b"odd/a<U+000A>b", "odd/é \U0001f600".encode(), b"odd/\xff.py"]
    assert capfdbinary.readouterr().out.split(b"\n") == [*lines, b""]
    assert main(["files", "odd/", "-0"]) == 0
    assert sorted(capfdbinary.readouterr().out.split(b"\0")) == sorted([*names, b""])
    assert main(["files", "odd/*.py", "--denied", "--format", "json"]) == 0
    assert json.loads(capfdbinary.readouterr().out) == [
        {"path": "odd/\udcff.py", "allowed": False, "code": "invalid-request"}
    ]


def test_a_name_in_another_normal_form(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project, "cafe\u0301/x.md")
    assert printed(capsys, "caf\u00e9/**") == (0, ["cafe\u0301/x.md"], "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["[a"], "rules-lsp: `[a` has a `[` that is never closed\n"),
        (["!src"], "rules-lsp: `!src` negates: write the pattern alone\n"),
        ([""], "rules-lsp: an empty GLOB takes no file: leave it out for what the rules allow\n"),
        ([" "], "rules-lsp: an empty GLOB takes no file: leave it out for what the rules allow\n"),
        (["-0", "--format", "json"], "rules-lsp: -0 is for text: leave `--format json` out\n"),
        (["--root", "nowhere"], "rules-lsp: --root nowhere: there is no such directory\n"),
    ],
)
def test_what_makes_no_sense_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert printed(capsys, *arguments) == (2, [], message)


def test_a_glob_that_can_match_nothing_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = "`src\\shop\\**` can match no path as it is written: did you mean `src/shop/**`?\n"
    assert printed(capsys, "src\\shop\\**") == (0, [], note)
    assert printed(capsys, f"{project}/src/**")[2].endswith("did you mean `/src/**`?\n")


def test_a_reader_that_goes_away_is_no_failure_of_ours(project: Path) -> None:
    for number in range(3000):
        (project / "src" / f"a-file-with-a-rather-long-name-{number}.py").touch()
    command = [sys.executable, "-m", "rules_lsp", "files", "src/**"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=project, env=environment) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait() == 128 + signal.SIGPIPE


def test_an_interruption_ends_it_without_a_word(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("rules_lsp.cli.files.walk_chosen", interrupted)
    assert main(["files"]) == 128 + signal.SIGINT
    assert capsys.readouterr() == ("", "")
