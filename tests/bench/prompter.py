"""What the gate of Auto Prompter costs: prompter.py [--rules N] [--calls N] [--rounds N] [--batches N].

One `before_tools` with 50 rules and 8 calls, its store on the disk, against an empty transaction (`BEGIN IMMEDIATE`,
`COMMIT`) of SQLite on the same disk and in the mode of the store (WAL, `synchronous = FULL`: an approval that was
spent stays spent after a power cut), and where something is counted against a transaction of one row too; and a gate
that is off against the call of a method that gives its argument back. Each sample is a p50 or a p95 of many batches.

Two mixes: in `quiet` no rule fires and nothing is stored; in `counting` an advice with a limit and an audit fire in
each batch, so that a counter and eight events are written. The calls differ from batch to batch, so that no answer is
kept from the one before.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rules_lsp.prompter.gate import PolicyGate
from tests.bench.measure import HEADER, OURS, Board, machine

P95_BAR_MS, OFF_BAR_NS = 2.0, 1_000.0
_KINDS = ("deletes", "changes_permissions", "dangerous")
_RULES: tuple[Callable[[int], str], ...] = (
    lambda n: (
        f"target: {{categories: [file_write]}}, condition: {{files: ['infra{n}/**', '*.pem{n}']}}, "
        "action: request_approval"
    ),
    lambda n: f"condition: {{command: {{kinds: [{_KINDS[n % 3]}]}}, movements: [apply{n}]}}, action: request_approval",
    lambda n: f"condition: {{command: {{matches: '\\bterraform{n}\\b'}}}}, action: deny_current_tool",
    lambda n: f"target: {{tools: ['server{n}/*']}}, action: deny_current_tool",
    lambda n: (
        f"target: {{categories: [browser, ssh]}}, condition: {{external: true, pieces: [p{n}]}}, action: audit_only"
    ),
)
_COUNTING = (
    "{id: tip, when: tool.before, condition: {files: ['src/**']}, action: inject_instruction, instruction: Tip., "
    "limit: {fires: 1000000}}",
    "{id: see, when: tool.before, target: {tools: [Read]}, action: audit_only}",
)


def rules(number: int, *, counting: bool) -> str:
    """A file with so many rules."""
    rows = [*_COUNTING] if counting else []
    for n in range(number - len(rows)):
        rows.append(f"{{id: r{n}, when: tool.before, {_RULES[n % len(_RULES)](n)}}}")
    return "version: 1\nrules:\n" + "".join(f"  - {row}\n" for row in rows)


def batch_of(batch: int, calls: int) -> list[dict[str, Any]]:
    """The calls of one message: shells, files and a server, as agents send them together."""
    shapes: tuple[Callable[[int], tuple[str, dict[str, Any]]], ...] = (
        lambda n: ("Read", {"file_path": f"src/module{batch}/file{n}.py"}),
        lambda n: ("Bash", {"command": f"grep -rn 'name{batch}' src/{n} | sort | head -20"}),
        lambda n: ("Edit", {"file_path": f"src/module{batch}/file{n}.py", "old_string": "a", "new_string": "b"}),
        lambda n: ("github/get_issue", {"owner": "o", "repo": "r", "issue_number": batch}),
    )
    named = (shapes[n % len(shapes)](n) for n in range(calls))
    return [{"id": f"{batch}-{n}", "tool": tool, "arguments": given} for n, (tool, given) in enumerate(named)]


def spread(measured: Callable[[int], None], times: int) -> tuple[float, float]:
    """The p50 and the p95 of so many runs, in milliseconds."""
    took = []
    for number in range(times):
        began = time.perf_counter()
        measured(number)
        took.append(1000 * (time.perf_counter() - began))
    cuts = quantiles(took, n=20, method="inclusive")
    return cuts[9], cuts[18]


def bench_on(directory: Path, options: argparse.Namespace, *, counting: bool) -> None:
    """The rows of a gate that is on."""
    mix = "counting" if counting else "quiet"
    root, store = directory / mix, directory / "state" / f"{mix}.db"
    root.mkdir()
    (root / ".auto-prompter.yaml").write_text(rules(options.rules, counting=counting), encoding="utf-8")
    (root / ".coding-agent-rules.yaml").write_text("file_patterns: {exclude: [secrets/, '*.pem']}\n", encoding="utf-8")
    gate = PolicyGate.open(str(root), str(store))
    claimed = gate.claim_job("t", "p", "m", "j")
    if claimed["activeRules"] != options.rules:
        raise RuntimeError(f"the job has other rules: {claimed}")
    floor = sqlite3.connect(directory / "floor.db", isolation_level=None)
    floor.execute("PRAGMA journal_mode = WAL")
    floor.execute("PRAGMA synchronous = FULL")
    floor.execute("CREATE TABLE IF NOT EXISTS counts (count)")
    batches = [batch_of(number, options.calls) for number in range((options.rounds + 1) * options.batches)]
    expected = "held" if counting else "run"

    def asked(number: int) -> None:
        answer = gate.before_tools("j", batches.pop())
        if answer["batch"] != expected or "error" in answer or "auditError" in answer:
            raise RuntimeError(f"the batch was answered otherwise: {answer}")

    def empty(_: int) -> None:
        floor.execute("BEGIN IMMEDIATE")
        floor.execute("COMMIT")

    def one_row(number: int) -> None:
        floor.execute("BEGIN IMMEDIATE")
        floor.execute("INSERT INTO counts VALUES (?)", (number,))
        floor.execute("COMMIT")

    contenders = {OURS: asked, "empty transaction": empty, **({"one row": one_row} if counting else {})}
    name = f"`before_tools`, {options.rules} rules, {options.calls} calls, {mix}"
    middle, worst = Board(f"{name}, p50"), Board(f"{name}, p95")
    for number in range(options.rounds + 1):
        for contender, measured in contenders.items():
            found = spread(measured, options.batches)
            for board, sample in zip((middle, worst), found, strict=True) if number else ():
                board.samples.setdefault(contender, []).append(sample)
    for board, bar in ((middle, None), (worst, P95_BAR_MS)):
        for peer in list(contenders)[1:]:
            print(board.row(peer, most=bar), flush=True)
    gate.close()
    floor.close()


def bench_off(directory: Path, options: argparse.Namespace) -> None:
    """The row of a gate that is off."""
    root = directory / "off"
    root.mkdir()
    (root / ".auto-prompter.yaml").write_text("version: 1\nenabled: false\n", encoding="utf-8")
    gate = PolicyGate.open(str(root), str(directory / "state" / "off.db"))
    gate.claim_job("t", "p", "m", "j")
    calls = batch_of(0, options.calls)
    times = 20_000

    class Dispatcher:
        """What calls tools where there is no gate."""

        def before_tools(self, job: str, given: Any) -> Any:
            return given

    def timed(ask: Callable[[str, Any], Any]) -> float:
        began = time.perf_counter()
        for _ in range(times):
            if ask("j", calls) is not calls:
                raise RuntimeError("other calls came back")
        return 1e9 * (time.perf_counter() - began) / times

    dispatcher = Dispatcher()
    board = Board("a gate that is off", unit="ns")
    board.run(
        {OURS: lambda: timed(gate.before_tools), "a plain call": lambda: timed(dispatcher.before_tools)}, options.rounds
    )
    print(board.row("a plain call", above=OFF_BAR_NS), flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=int, default=50, help="rules of the file (default: %(default)s)")
    parser.add_argument("--calls", type=int, default=8, help="calls of a batch (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="pairs of each metric (default: %(default)s)")
    parser.add_argument("--batches", type=int, default=100, help="batches of a sample (default: %(default)s)")
    parser.add_argument("--directory", help="where the stores are (default: a new one for temporary files)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="prompter-", dir=options.directory) as directory:
        print(f"{machine()}; SQLite {sqlite3.sqlite_version}\n\n{HEADER}", flush=True)
        for counting in (False, True):
            bench_on(Path(directory).resolve(), options, counting=counting)
        bench_off(Path(directory).resolve(), options)


if __name__ == "__main__":
    main()
