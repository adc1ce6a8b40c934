"""How long one question takes from outside, as a ratio to Python importing yaml and pathspec: start_up.py [RUNS].

The two commands run in turn, so that a slow moment of the machine meets both; the medians and their ratio are printed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RULES = "file_patterns:\n  include: [src/**]\n  exclude: ['*.pem']\n"
QUESTION = b'{"path": "src/app.py"}\n'


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    program = Path(sys.executable).with_name("rules-lsp")
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / ".coding-agent-rules.yaml").write_text(RULES)
        commands = {
            "rules-lsp query": [str(program), "query", "--root", directory],
            "import yaml, pathspec": [sys.executable, "-c", "import yaml, pathspec"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for run in range(runs + 1):
            for name, command in commands.items():
                taken = _seconds(command)
                if run:
                    times[name].append(taken)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    for name, median in medians.items():
        print(f"{name:24} {median * 1000:7.1f} ms")
    ours, floor = medians.values()
    print(f"{'ratio':24} {ours / floor:7.2f}")


def _seconds(command: list[str]) -> float:
    # Python writes and finds its byte code as it does for a user.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    begin = time.perf_counter()
    subprocess.run(command, input=QUESTION, stdout=subprocess.DEVNULL, env=environment, check=True)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
