"""How long one question takes from outside, beside Python importing yaml and pathspec: start_up.py [ROUNDS].

The hook is measured as a host runs it: one message about a file that is allowed, from start to exit.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.measure import HEADER, OURS, PROGRAM, Board, environment, machine

RULES = "file_patterns:\n  include: [src/**]\n  exclude: ['*.pem']\ndenied_tools: [WebFetch]\n"
FLOOR = "import yaml, pathspec"
BARS = {"`rules-lsp hook claude`": 0.9, "`rules-lsp query`": None, "`rules-lsp instructions`": None}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    print(f"{machine()}\n\n{HEADER}")
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / ".coding-agent-rules.yaml").write_text(RULES)
        (Path(directory) / "src").mkdir()
        for name in ("AGENTS.md", "src/AGENTS.md"):
            (Path(directory) / name).write_text("# Instructions\n\n- Answer briefly.\n")
        file = os.path.join(directory, "src", "app.py")
        call = {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": file, "content": ""}}
        message = json.dumps({**call, "transcript_path": "", "cwd": directory}).encode()
        commands = {
            "`rules-lsp hook claude`": ([*PROGRAM, "hook", "claude"], message),
            "`rules-lsp query`": ([*PROGRAM, "query", "--root", directory], b'{"path": "src/app.py"}\n'),
            "`rules-lsp instructions`": ([*PROGRAM, "instructions", "--root", directory, "src/app.py"], b""),
        }
        for name, (command, question) in commands.items():
            board = Board(f"{name}, start to exit")
            contenders = {
                OURS: partial(_milliseconds, command, question, directory),
                FLOOR: partial(_milliseconds, [sys.executable, "-c", FLOOR], b"", directory),
            }
            board.run(contenders, rounds)
            print(board.row(FLOOR, BARS[name]))


def _milliseconds(command: list[str], question: bytes, directory: str) -> float:
    variables = {**environment(), "CLAUDE_PROJECT_DIR": directory}
    began = time.perf_counter()
    subprocess.run(command, input=question, stdout=subprocess.DEVNULL, env=variables, cwd=directory, check=True)
    return 1000 * (time.perf_counter() - began)


if __name__ == "__main__":
    main()
