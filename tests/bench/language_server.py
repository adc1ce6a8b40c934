"""How fast the language server is beside yaml-language-server: language_server.py [--peer FOLDER] [--rounds N].

FOLDER is where `npm install yaml-language-server` was done; where it was not, that is done there first. Both servers
get the same documents, the peer with a schema that says as much of them as a schema can. In turn each is started anew
and timed from outside:

- `spawn → initialize` and `spawn → first diagnostics`: until the answer, and until the fault in the document is told
- `keystroke → diagnostics`: each edit makes or mends the fault; until the server says so
- `hover` and `completion`: over places all through the document
- `edit, completion`: an edit and completion at once, which is what somebody waits for while writing
- `memory`: what is resident of the process tree at the end

The peer sleeps 200 ms before it validates. So it runs a second time with timers of just that length cut to nothing
(`eager`): against that one `keystroke → diagnostics` compares work with work. Without `--peer` and without the program
on the path, our server runs alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.documents import NAME, RuleFile, rule_file, schema
from tests.bench.editor import Editor
from tests.bench.measure import HEADER, OURS, PROGRAM, Board, environment, machine

PEER, EAGER = "yaml-ls", "eager"
LENGTHS = (30, 1000)
# Metric → the peer that it is compared with, and the bar at each length.
METRICS: dict[str, tuple[str, dict[int, float]]] = {
    "spawn → initialize": (PEER, {30: 1.35}),
    "spawn → first diagnostics": (PEER, {30: 0.85, 1000: 0.75}),
    "keystroke → diagnostics": (EAGER, {30: 0.8, 1000: 0.6}),
    "hover": (PEER, {30: 0.9, 1000: 0.4}),
    "completion": (PEER, {30: 1.0, 1000: 0.3}),
    "edit, completion": (PEER, {30: 1.2, 1000: 0.5}),
    "memory": (PEER, {30: 0.75, 1000: 0.5}),
}
_DEBOUNCE_MS = 200
_REST_SECONDS = 0.01
_EAGER_TIMERS = f"""
const real = globalThis.setTimeout;
const eager = (run, delay, ...rest) => real(run, delay === {_DEBOUNCE_MS} ? 0 : delay, ...rest);
globalThis.setTimeout = Object.defineProperties(eager, Object.getOwnPropertyDescriptors(real));
"""


@dataclass(frozen=True)
class Server:
    """How one contender is started."""

    command: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass
class OpenFile:
    """The document as the server knows it: opened faulty, and each `toggle` mends or makes the fault."""

    editor: Editor
    uri: str
    rules: RuleFile
    faulty: bool = True
    version: int = 1

    def open(self) -> None:
        item = {"uri": self.uri, "languageId": "yaml", "version": 1, "text": self.rules.text(faulty=True)}
        self.editor.notify("textDocument/didOpen", {"textDocument": item})

    def edit(self, line: int, character: int, removed: int, added: str) -> None:
        self.version += 1
        places = {"start": _place(line, character), "end": _place(line, character + removed)}
        identity = {"uri": self.uri, "version": self.version}
        changes = [{"range": places, "text": added}]
        self.editor.notify("textDocument/didChange", {"textDocument": identity, "contentChanges": changes})

    def toggle(self) -> None:
        self.edit(*self.rules.fault, int(self.faulty), "" if self.faulty else "s")
        self.faulty = not self.faulty

    def diagnosed(self, since: int) -> float:
        """When an error stood on the line of the fault just if it is there."""

        def right(items: list[dict[str, Any]]) -> bool:
            errors = [item for item in items if item.get("severity", 1) == 1]
            return self.faulty == any(item["range"]["start"]["line"] == self.rules.fault[0] for item in errors)

        return self.editor.diagnosed(self.uri, self.version, right, since)

    def ask(self, method: str, line: int, character: int) -> tuple[float, float]:
        """Ask about a place; the seconds that it took, and when the answer was here."""
        parameters = {"textDocument": {"uri": self.uri}, "position": _place(line, character)}
        answer = self.editor.request(f"textDocument/{method}", parameters)
        return answer.seconds, answer.stamp


def _place(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def keystrokes(file: OpenFile, count: int) -> Iterator[float]:
    """Seconds from an edit to the diagnostics that follow from it."""
    for _ in range(count):
        time.sleep(_REST_SECONDS)
        since, sent = file.editor.told, time.perf_counter()
        file.toggle()
        yield file.diagnosed(since) - sent


def hovers(file: OpenFile, count: int) -> Iterator[float]:
    """Over the last word of lines all through the document."""
    lines = file.rules.lines
    for number in range(count):
        line = number * 37 % len(lines)
        word = lines[line].split()[-1]
        yield file.ask("hover", line, lines[line].rindex(word) + len(word) // 2)[0]


def completions(file: OpenFile, count: int) -> Iterator[float]:
    """Where an entry begins, where one ends, and at a key, in turn."""
    entries = file.rules.entries
    some = cycle(entries[:: max(1, len(entries) // 67)])
    for number in range(count):
        line, character = next(some)
        places = (line, character), (line, len(file.rules.lines[line])), (file.rules.fault[0], 0)
        yield file.ask("completion", *places[number % 3])[0]


def typing(file: OpenFile, count: int) -> Iterator[float]:
    """One character into an entry and completion behind it, then the same with its removal."""
    places = cycle(file.rules.entries[::7])
    for _ in range(count // 2):
        line, character = next(places)
        character += 2
        for removed, added in ((0, "e"), (1, "")):
            time.sleep(_REST_SECONDS)
            sent = time.perf_counter()
            file.edit(line, character, removed, added)
            yield file.ask("completion", line, character + len(added))[1] - sent


def session(server: Server, root: Path, rules: RuleFile, settings: Mapping[str, Any], count: int) -> dict[str, float]:
    """Start a server, put it through everything once, and end it: the median of each metric, in ms and MiB."""
    probes: dict[str, Callable[[OpenFile, int], Iterator[float]]] = {
        "keystroke → diagnostics": keystrokes,
        "hover": hovers,
        "completion": completions,
        "edit, completion": typing,
    }
    with Editor(server.command, root, {**environment(), **server.variables}, settings) as editor:
        found = {"spawn → initialize": 1000 * (editor.initialize() - editor.spawned)}
        file = OpenFile(editor, (root / NAME).as_uri(), rules)
        file.open()
        found["spawn → first diagnostics"] = 1000 * (file.diagnosed(0) - editor.spawned)
        for name, probe in probes.items():
            found[name] = 1000 * median(probe(file, count))
        found["memory"] = resident_mib(editor.process.pid)
    return found


def resident_mib(pid: int) -> float:
    """The resident memory of a process and of everything below it; pages that they share count for each.

    Not a number where the system has no `/proc`.
    """
    if not Path(f"/proc/{pid}").is_dir():
        return float("nan")
    family = [pid]
    for parent in family:
        for task in Path(f"/proc/{parent}/task").iterdir():
            family += map(int, (task / "children").read_text().split())
    pages = sum(int(Path(f"/proc/{member}/statm").read_text().split()[1]) for member in family)
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def peer_command(folder: Path | None) -> tuple[str, ...] | None:
    """The command of yaml-language-server: from a folder, where it is installed if it is not yet, else of the path."""
    if folder is None:
        found = shutil.which("yaml-language-server")
        return None if found is None else (found, "--stdio")
    package = folder / "node_modules" / "yaml-language-server"
    if not package.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", str(folder), "yaml-language-server"], check=True)
    return "node", str(package / "bin" / "yaml-language-server"), "--stdio"


def version_of(command: tuple[str, ...]) -> str:
    """The version of the peer, as its package says; the program's path is in it."""
    for above in Path(command[-2]).resolve().parents:
        manifest = above / "package.json"
        if manifest.is_file():
            return f"yaml-language-server {json.loads(manifest.read_text(encoding='utf-8'))['version']}"
    return "yaml-language-server"


def contenders(peer: tuple[str, ...] | None, scratch: Path) -> dict[str, Server]:
    """Ours, the peer, and the peer without its sleep."""
    servers = {OURS: Server((*PROGRAM, "serve", "--stdio"))}
    if peer is not None:
        hook = scratch / "eager_timers.cjs"
        hook.write_text(_EAGER_TIMERS)
        servers[PEER] = Server(peer)
        servers[EAGER] = Server(peer, {"NODE_OPTIONS": f"--require={hook}"})
    return servers


def bench(servers: Mapping[str, Server], scratch: Path, length: int, rounds: int, count: int) -> None:
    """The rows of a document of so many lines."""
    rules, root = rule_file(length), scratch / f"lines-{length}"
    root.mkdir()
    (root / NAME).write_text(rules.text(faulty=True))
    (scratch / "schema.json").write_text(json.dumps(schema()))
    yaml = {"schemas": {(scratch / "schema.json").as_uri(): NAME}, "schemaStore": {"enable": False}}
    settings = {"yaml": {**yaml, "validate": True, "hover": True, "completion": True}}
    boards = {
        metric: Board(f"{metric}, {length:,} lines", "MiB" if metric == "memory" else "ms")
        for metric, (_, bars) in METRICS.items()
        if length in bars or len(bars) > 1
    }
    for number in range(rounds + 1):
        for name, server in servers.items():
            found = session(server, root, rules, settings, count if number else 4)
            for metric, board in boards.items():
                if number:
                    board.samples.setdefault(name, []).append(found[metric])
    for metric, board in boards.items():
        against, bars = METRICS[metric]
        if against in servers:
            print(board.row(against, bars.get(length)), flush=True)
        else:
            print(f"| {board.metric} | {board.unit} | {median(board.samples[OURS]):.4g} | | | | |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", type=Path, metavar="FOLDER", help="where `npm install yaml-language-server` was done")
    parser.add_argument("--rounds", type=int, default=9, help="how often each server is started (default: 9)")
    parser.add_argument("--count", type=int, default=60, help="edits and questions of each kind in a session")
    parser.add_argument("--lines", type=int, nargs="+", default=LENGTHS, help="lengths of the document")
    options = parser.parse_args()
    peer = peer_command(options.peer)
    print(HEADER)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        servers = contenders(peer, scratch)
        for length in options.lines:
            bench(servers, scratch, length, options.rounds, options.count)
    print(f"\n{machine('node')}" + ("" if peer is None else f"; {version_of(peer)}"))


if __name__ == "__main__":
    main()
