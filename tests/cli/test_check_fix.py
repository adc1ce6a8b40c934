"""`rules-lsp check --fix` and `--diff`: what is written, what is kept, what is said."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from rules_lsp.cli.main import main
from tests.support.projects import MARKDOWN, RULES, build

CODES = "unknown-key,unquoted-glob,invalid-glob,scalar-for-list,config-value"
BOM = b"\xef\xbb\xbf"
FAULTY = b"# first\r\ndeny_tools:  # why\r\n  - 'Bash'\r\nfile_patterns:\r\n  include: [*.py, \"a\"]\r\n"
FIXED = b'# first\r\ndenied_tools:  # why\r\n  - \'Bash\'\r\nfile_patterns:\r\n  include: ["*.py", "a"]\r\n'


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["check", "--select", CODES, *arguments])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_the_fixes_are_made_and_told_and_the_rest_is_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: b"deny_tools: [Bash]\nfile_patterns: {exclude: ['a[']}\n"})
    text = f"""\
{RULES}:1:1: fixed[unknown-key] rename it to `denied_tools`
made 1 fix in 1 file

{RULES}:2:29: error[invalid-glob] `a[` has a `[` that is never closed: add the `]`, or write `\\[` for a plain one; \
until then every file is denied
    file_patterns: {{exclude: ['a[']}}
                                ^
    fix: read `[` as a plain character (a guess)

found 1 error in 1 file
"""
    assert run(capsys, "--fix") == (1, text, "")
    assert (here / RULES).read_bytes() == b"denied_tools: [Bash]\nfile_patterns: {exclude: ['a[']}\n"


def test_a_guess_is_made_only_where_that_is_asked_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = build(here.parent, {RULES: "file_patterns: {exclude: ['a[']}\n"}) / RULES
    assert run(capsys, "--fix")[0] == 1
    assert path.read_text() == "file_patterns: {exclude: ['a[']}\n"
    assert run(capsys, "--fix", "--unsafe") == (
        0,
        f"{RULES}:1:29: fixed[invalid-glob] read `[` as a plain character\nmade 1 fix in 1 file\n\n"
        "nothing to report in 1 file\n",
        "",
    )
    assert path.read_text() == "file_patterns: {exclude: ['a\\[']}\n"


def test_what_no_fix_is_about_is_kept(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = build(here.parent, {RULES: BOM + FAULTY}) / RULES
    path.chmod(0o604)
    assert run(capsys, "--fix")[0] == 0
    assert path.read_bytes() == BOM + FIXED
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert os.listdir(here) == [RULES]


def test_made_twice_they_change_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = build(here.parent, {RULES: FAULTY}) / RULES
    run(capsys, "--fix")
    before = path.stat()
    assert run(capsys, "--fix") == (0, "nothing to report in 1 file\n", "")
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_linked_rule_file_is_written_at_its_target(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {"shared/rules.yaml": FAULTY}, links={RULES: "shared/rules.yaml", f"b/{RULES}": "../shared"})
    (here / "b" / RULES).unlink()
    assert run(capsys, "--fix", ".", "shared/rules.yaml")[0] == 0
    assert os.readlink(here / RULES) == "shared/rules.yaml"
    assert (here / "shared/rules.yaml").read_bytes() == FIXED


def test_a_link_out_of_the_project_is_not_followed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = here.parent / "rules.yaml"
    outside.write_bytes(FAULTY)
    build(here.parent, links={RULES: "../rules.yaml"})
    assert main(["check", "--fix"]) == 1
    assert outside.read_bytes() == FAULTY


def test_only_rule_files_are_changed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = "project_agent_rules: {enabld: true}\n"
    build(here.parent, {RULES: "denied_tools: [Bash]\n", "config.yaml": config})
    status, output, _ = run(capsys, "--fix", "--unsafe")
    assert (status, output.splitlines()[-1]) == (1, "found 1 error in 2 files")
    assert (here / "config.yaml").read_text() == config


def test_only_what_is_selected_is_fixed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = build(here.parent, {RULES: FAULTY}) / RULES
    assert main(["check", "--fix", "--select", "unquoted-glob"]) == 0
    assert path.read_bytes() == FIXED.replace(b"denied_tools", b"deny_tools")
    assert main(["check", "--fix", "--ignore", "unknown-key", "--select", "unknown-key"]) == 0
    assert path.read_bytes() == FIXED.replace(b"denied_tools", b"deny_tools")


def test_a_file_that_may_not_be_written_is_a_failure_and_the_others_go_on(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build(here.parent, {f"a/{RULES}": FAULTY, f"b/{RULES}": FAULTY})
    real = os.access
    refused = str(here / "a" / RULES)
    monkeypatch.setattr(os, "access", lambda path, mode: path != refused and real(path, mode))
    status, output, errors = run(capsys, "--fix")
    assert (status, output.splitlines()[-1]) == (2, "found 2 errors in 2 files")
    assert errors == f"rules-lsp: a/{RULES}: it cannot be changed (permission denied), and is as it was\n"
    assert (here / "a" / RULES).read_bytes() == FAULTY
    assert (here / "b" / RULES).read_bytes() == FIXED


def test_in_other_formats_what_was_done_is_told_aside(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: "deny_tools: [Bash]\n"})
    done = f"{RULES}:1:1: fixed[unknown-key] rename it to `denied_tools`\nmade 1 fix in 1 file\n\n"
    assert run(capsys, "--fix", "--format", "json") == (0, "[]\n", done)


def test_a_file_that_nobody_reads_is_renamed_only_where_guesses_are_wanted(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = ".coding-agent-rules.yml"
    build(here.parent, {wrong: "denied_tools: [Bash]\n"})
    assert main(["check", "--fix", "--select", "unread-rule-file"]) == 1
    assert os.listdir(here) == [wrong]
    capsys.readouterr()
    assert main(["check", "--fix", "--unsafe", "--select", "unread-rule-file"]) == 0
    assert os.listdir(here) == [RULES]
    assert capsys.readouterr().out.splitlines()[0].startswith(f"{wrong}: fixed[unread-rule-file] ")


def test_the_difference_is_what_fix_would_write(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: "a: 1\ndeny_tools: [Bash]\nx-b: 2\n", f"sub/{RULES}": "denied_tools: [Bash]\n"})
    text = f"""\
--- a/{RULES}
+++ b/{RULES}
@@ -1,3 +1,3 @@
 a: 1
-deny_tools: [Bash]
+denied_tools: [Bash]
 x-b: 2
"""
    assert run(capsys, "--diff") == (1, text, "")
    assert (here / RULES).read_text() == "a: 1\ndeny_tools: [Bash]\nx-b: 2\n"
    assert run(capsys, "--diff", "sub") == (0, "", "")


def test_git_takes_the_difference_for_a_patch(here: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    files = {RULES: BOM + FAULTY.removesuffix(b"\r\n"), f"sub/{MARKDOWN}": b"x\n", f"\u65e5/{RULES}": b"deny_tools: x"}
    build(here.parent, files)
    assert main(["check", "--select", CODES, "--diff"]) == 1
    patch = capfdbinary.readouterr().out
    git = ["git", "-c", "core.autocrlf=false", "apply", "--verbose", "-"]
    answer = subprocess.run(git, input=patch, capture_output=True, cwd=here, check=False)
    assert (answer.returncode, b"error" in answer.stderr) == (0, False)
    assert (here / RULES).read_bytes() == BOM + FIXED.removesuffix(b"\r\n")
    assert (here / f"\u65e5/{RULES}").read_bytes() == b"denied_tools: [x]"


def test_the_names_in_a_patch_are_quoted(here: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    directory = here / os.fsdecode(b"a\n \xff")
    directory.mkdir()
    (directory / RULES).write_text("deny_tools: [Bash]\n")
    assert main(["check", "--select", CODES, "--diff"]) == 1
    patch = capfdbinary.readouterr().out
    assert patch.splitlines()[0] == b'--- "a/a\\n \\377/.coding-agent-rules.yaml"\t'
    answer = subprocess.run(["git", "apply", "-"], input=patch, capture_output=True, cwd=here, check=False)
    assert (answer.returncode, (directory / RULES).read_text()) == (0, "denied_tools: [Bash]\n")


def test_a_renaming_is_a_patch_too(here: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    build(here.parent, {"a/.coding-agent-rules.yml": "denied_tools: [Bash]\n"})
    assert main(["check", "--select", "unread-rule-file", "--diff", "--unsafe", "a"]) == 1
    patch = capfdbinary.readouterr().out
    answer = subprocess.run(["git", "apply", "-"], input=patch, capture_output=True, cwd=here, check=False)
    assert (answer.returncode, os.listdir(here / "a")) == (0, [RULES])


def test_from_below_the_names_count_from_the_project(here: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    build(here.parent, {RULES: "deny_tools: [Bash]\n"}, directories=[".git", "sub"])
    os.chdir(here / "sub")
    assert main(["check", "--select", CODES, "--diff"]) == 1
    assert capfdbinary.readouterr().out.splitlines()[0] == f"--- a/{RULES}".encode()


def test_of_two_files_for_one_name_the_first_is_renamed_and_the_other_is_left(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = (".coding-agent-rules.yml", "coding-agent-rules.yaml")
    build(here.parent, {names[0]: "denied_tools: [One]\n", names[1]: "denied_tools: [Two]\n"})
    assert main(["check", "--select", "unread-rule-file", "--diff", "--unsafe"]) == 1
    assert capsys.readouterr().out.count("rename to ") == 1
    assert main(["check", "--select", "unread-rule-file", "--fix", "--unsafe"]) == 1
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.splitlines() == [
        f"{names[0]}: fixed[unread-rule-file] rename it to `{RULES}`",
        f"{names[1]}: it keeps its name, since there is a `{RULES}` by now",
        "made 1 fix in 1 file",
        "",
        f"{names[1]}:1:1: warning[unread-rule-file] this file is never read: the name of a rule file is `{RULES}`",
        "    denied_tools: [Two]",
        "    ^^^^^^^^^^^^^^^^^^^",
        "",
        "found 1 warning in 2 files",
    ]
    assert (here / RULES).read_text() == "denied_tools: [One]\n"
    assert (here / names[1]).read_text() == "denied_tools: [Two]\n"


def test_a_file_that_two_paths_name_is_renamed_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {"a/.coding-agent-rules.yml": "denied_tools: [Bash]\n"})
    arguments = ["--select", "unread-rule-file", "--fix", "--unsafe", ".", "a", "--root", "."]
    assert main(["check", *arguments]) == 0
    assert os.listdir(here / "a") == [RULES]


def test_more_fixes_than_findings_are_shown_are_made(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = "".join(f"    - *.x{number}\n" for number in range(2500))
    path = build(here.parent, {RULES: f"file_patterns:\n  exclude:\n{entries}"}) / RULES
    assert main(["check", "--select", "unquoted-glob", "--fix"]) == 0
    assert capsys.readouterr().out.splitlines()[-3] == "made 2,500 fixes in 1 file"
    assert path.read_text().splitlines()[-1] == '    - "*.x2499"'


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--unsafe"], "--unsafe goes with --fix or --diff"),
        (["--select", ""], "--select names no check: leave it out, or name one"),
        (["--select", " , "], "--select names no check: leave it out, or name one"),
        (["--skip", ""], "--skip needs the name of a directory"),
        (["--fix", "--diff"], "--diff shows what --fix would change: use one of them"),
        (["--diff", "--format", "json"], "--diff prints a diff and no findings: leave out --format json"),
        (["--ignore", "unkown_key"], "there is no check `unkown_key`: did you mean `unknown-key`?"),
        (["--ignore", "zzz"], "there is no check `zzz`: `rules-lsp rule` lists all"),
        (["--severity", "unknown-key=bad"], "write CODE=LEVEL, the level one of off, information, warning, error"),
        (["--severity", "unknown-key"], "write CODE=LEVEL, the level one of off, information, warning, error"),
    ],
)
def test_what_makes_no_sense_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    path = build(here.parent, {RULES: FAULTY}) / RULES
    status = main(["check", *arguments])
    output = capsys.readouterr()
    assert (status, output.out) == (2, "")
    assert output.err.startswith("rules-lsp: ")
    assert output.err.endswith(f"{message}\n")
    assert path.read_bytes() == FAULTY


def test_severities_can_be_changed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: "deny_tools: [Bash]\n"})
    assert main(["check", "--severity", "unknown-key=information"]) == 0
    assert f"{RULES}:1:1: information[unknown-key]" in capsys.readouterr().out
    assert main(["check", "--severity", "unknown-key=off"]) == 0
    assert capsys.readouterr().out == "nothing to report in 1 file\n"


def test_a_check_that_is_off_runs_where_it_is_asked_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: "denied_tools: [Bash]\n"})
    for arguments in (["--select", "missing-schema-line"], ["--severity", "missing-schema-line=information"]):
        assert main(["check", *arguments]) == 0
        assert f"{RULES}:1:1: information[missing-schema-line]" in capsys.readouterr().out
    assert main(["check", "--severity", "missing-schema-line=off"]) == 0
    assert capsys.readouterr().out == "nothing to report in 1 file\n"


def test_why_a_file_is_not_read_is_told_whatever_is_selected_and_not_fixed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = build(here.parent, {RULES: FAULTY}) / RULES
    for arguments in (["--select", "duplicate-key"], ["--ignore", "unquoted-glob,unknown-key"]):
        assert main(["check", "--fix", *arguments]) == 1
        assert f"{RULES}:5:13: error[unquoted-glob] " in capsys.readouterr().out
        assert path.read_bytes() == FAULTY


def test_a_comment_asks_for_silence(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = build(here.parent, {RULES: "deny_tools: [a]  # rules-lsp: ignore[unknown-key] as it is\n"}) / RULES
    assert run(capsys, "--fix") == (0, "nothing to report in 1 file\n", "")
    assert path.read_text() == "deny_tools: [a]  # rules-lsp: ignore[unknown-key] as it is\n"
