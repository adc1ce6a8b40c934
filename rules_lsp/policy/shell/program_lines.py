"""Programs with command lines in words of their own kind: `tmux`, `awk`, `make -f -`, `cmd /c`, `pwsh -c`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules_lsp.policy.shell.arguments import read_arguments
from rules_lsp.policy.shell.git_running import option_lines
from rules_lsp.policy.shell.inner import HIDDEN, Inner, joined_line, line_of
from rules_lsp.source.expressions import expression
from rules_lsp.source.shell import Word

_TMUX_VERBS = frozenset({
    "new", "new-session", "neww", "new-window", "splitw", "split-window", "respawnp", "respawn-pane", "respawnw",
    "respawn-window", "run", "run-shell", "if", "if-shell", "send", "send-keys", "pipep", "pipe-pane", "popup",
    "display-popup",
})  # fmt: skip
_TMUX_VALUES = frozenset("sntcxyeFlpdwhTbSIN") - frozenset("dbIl")
_MOST_OF_AWK = 8_192
_TEXT_OF_AWK = expression(r'"(?:[^"\\]|\\.)*"')
_RUNS_OF_AWK = expression(r'\bsystem\s{0,9}\(|\|&?\s{0,9}(?:""|getline\b)|\bprintf?\b[^;}\n|]*\|(?!\|)')
# A block, a variable, a call or a continued line of PowerShell, which the grammar of Bash reads otherwise.
_ONLY_POWERSHELL = expression(r"[{}$()`@%]|(?:^|[\s;|])&(?!&)|\\[\s;|]")


def tmux_runs(rest: Sequence[Word]) -> Iterator[Inner]:
    """The lines that `tmux` runs in its windows, or types into them."""
    at = 0
    while at < len(rest):
        if rest[at].text not in _TMUX_VERBS:
            at += 1
            continue
        end = next((place for place in range(at, len(rest)) if rest[place].text in (";", "\\;")), len(rest))
        command = list(rest[at + 1 : end])
        while command and (command[0].text or "")[:1] == "-":
            option = command.pop(0).text or ""
            if option != "--" and option[-1] in _TMUX_VALUES and command:
                command.pop(0)
        if len(command) > 1:
            # Each may be a line of its own: `if-shell` has three.
            yield from (Inner(word.text) for word in command if word.text is not None and " " in word.text)
        if command:
            yield joined_line(command)
        at = end


def screen_runs(rest: Sequence[Word]) -> Iterator[Inner]:
    """What `screen -X stuff` types."""
    for word, behind in zip(rest, rest[1:], strict=False):
        if word.text == "stuff":
            yield Inner(behind.text.removesuffix("\\n").removesuffix("^M")) if behind.text is not None else HIDDEN


def hyperfine_runs(rest: Sequence[Word]) -> Iterator[Inner]:
    """The lines that are measured, and those around them."""
    own = frozenset({"n", "command-name", "export-json", "export-csv", "export-markdown", "style", "sort", "u", "L"})
    lines = frozenset({"p", "prepare", "c", "cleanup", "s", "setup", "conclude", "reference", "C"})
    numbers = frozenset({"w", "warmup", "r", "runs", "m", "min-runs", "M", "max-runs", "S", "shell", "input", "output"})
    given = read_arguments(rest, own | lines | numbers)
    yield from (line_of(word) for word in (*given.operands, *given.values(*lines)))


def tar_runs(rest: Sequence[Word]) -> Iterator[Inner]:
    """The lines in options of `tar` that name a program."""
    names = ("--to-command", "--use-compress-program", "--info-script", "--new-volume-script", "--rsh-command", "-I")
    yield from option_lines(rest, names)
    for inner in option_lines(rest, ("--checkpoint-action",)):
        if inner == HIDDEN:
            yield HIDDEN
        elif (inner.line or "").startswith("exec="):
            yield Inner((inner.line or "").removeprefix("exec="))


def awk_runs(rest: Sequence[Word]) -> Iterator[Inner]:
    """Hidden where the program of `awk` runs others: what they are stands in its own language."""
    given = read_arguments(rest, frozenset({"F", "v", "f", "e", "field-separator", "assign", "file", "source", "i"}))
    programs = [*given.values("e", "source")]
    if not programs and not given.has("f", "file"):
        programs = list(given.operands[:1])
    for program in programs:
        if len(program.text or "") > _MOST_OF_AWK:
            yield HIDDEN
            continue
        if program.text is not None and _RUNS_OF_AWK.search(_TEXT_OF_AWK.sub('""', program.text)):
            yield HIDDEN


def make_runs(rest: Sequence[Word]) -> Iterator[Inner]:
    """Hidden where the rules of `make` come from its input or its own words."""
    given = read_arguments(rest, frozenset({"f", "file", "makefile", "C", "directory", "I", "o", "W", "eval", "E"}))
    if any(word.text in ("-", "/dev/stdin", None) for word in given.values("f", "file", "makefile")):
        yield HIDDEN
    yield from (HIDDEN for _ in given.values("eval", "E"))


def cmd_runs(rest: Sequence[Word]) -> Iterator[Inner]:
    """The line behind `cmd /c`; Git's own shell on Windows has it as `//c`."""
    for at, word in enumerate(rest):
        if (word.text or "").lstrip("/").casefold() in ("c", "k", "r") and (word.text or "")[:1] == "/":
            yield joined_line(rest[at + 1 :])
            return


def powershell_runs(rest: Sequence[Word]) -> Iterator[Inner]:
    """The line behind `pwsh -c`, where Bash would read it alike; hidden where it is more than commands and words."""
    at = 0
    while at < len(rest):
        option = (rest[at].text or "").casefold()
        if rest[at].text is None or option == "-":
            yield HIDDEN
            return
        if option[:1] != "-":
            yield from _powershell_line(rest[at:])
            return
        name = option.lstrip("-")
        if name and name != "ex" and not name.startswith("exe") and "encodedcommand".startswith(name) or name == "ec":
            yield HIDDEN
            return
        if name in ("c", "cwa") or (name and "command".startswith(name)) or name == "commandwithargs":
            yield from _powershell_line(rest[at + 1 :])
            return
        if name and (name == "f" or "file".startswith(name)):
            return
        at += 2 if name in _POWERSHELL_VALUES else 1


_POWERSHELL_VALUES = frozenset({
    "ep", "ex", "executionpolicy", "wd", "workingdirectory", "w", "windowstyle", "version", "v", "configurationname",
    "config", "psconsolefile", "inputformat", "outputformat", "o", "of", "if", "settingsfile", "custompipename",
})  # fmt: skip


def _powershell_line(words: Sequence[Word]) -> Iterator[Inner]:
    line = joined_line(words).line
    if line is None or line in ("", "-") or _ONLY_POWERSHELL.search(line):
        yield HIDDEN
    else:
        yield Inner(line)
