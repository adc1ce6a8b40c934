"""What every bench here shares: contenders that run in turn, ratios of their pairs, and one row a metric.

On a shared machine a time says little on its own. The contenders take turns (A B A B …), ours is divided by the peer's
of the same round, and the median of these ratios is the number to quote; its range is the noise to quote with it.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

OURS = "ours"
PROJECT = Path(__file__).resolve().parents[2]
_SCRIPT = Path(sys.executable).with_name("rules-lsp")
PROGRAM = (str(_SCRIPT),) if _SCRIPT.exists() else (sys.executable, "-m", "rules_lsp")
HEADER = "| metric | unit | ours | peer | ours ÷ peer | range | bar |\n| --- | --- | --- | --- | --- | --- | --- |"


@dataclass
class Board:
    """Samples of one metric: by contender, one a round, in the same order."""

    metric: str
    unit: str = "ms"
    samples: dict[str, list[float]] = field(default_factory=dict)

    def run(self, contenders: Mapping[str, Callable[[], float]], rounds: int) -> None:
        """Let the contenders take turns; what one returns is its sample. A first round warms up and is not kept."""
        for number in range(rounds + 1):
            for name, measured in contenders.items():
                sample = measured()
                if number:
                    self.samples.setdefault(name, []).append(sample)

    def ratio(self, peer: str, ours: str = OURS) -> tuple[float, float, float]:
        """The median, the least and the greatest of the ratios of the pairs."""
        pairs = [own / other for own, other in zip(self.samples[ours], self.samples[peer], strict=True)]
        return median(pairs), min(pairs), max(pairs)

    def row(
        self,
        peer: str,
        bar: float | None = None,
        ours: str = OURS,
        *,
        most: float | None = None,
        above: float | None = None,
    ) -> str:
        """One row of a Markdown table. A bar is told as it is asked for, and with a word where it is missed.

        `bar` bounds the ratio, `most` our median in the metric's unit, `above` what our median is above the peer's.
        """
        middle, low, high = self.ratio(peer, ours)
        own, other = median(self.samples[ours]), median(self.samples[peer])
        told = ""
        for found, bound, words in (
            (middle, bar, ""),
            (own, most, f" {self.unit}"),
            (own - other, above, f" {self.unit} above"),
        ):
            if bound is not None:
                told = f"≤ {bound:g}{words}" + (" missed" if found > bound else "")
        ratio = f"{middle:.2f} | {low:.2f}–{high:.2f} | {told}"
        return f"| {self.metric} | {self.unit} | {own:.4g} | {peer}: {other:.4g} | {ratio} |"


def environment() -> dict[str, str]:
    """The environment a user would have: unbuffered output or unwritten byte code would slow Python's side alone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NODE_"))}
    return {**kept, "PYTHONPATH": str(PROJECT)}


def command_ms(command: tuple[str, ...], directory: Path) -> float:
    """How long a whole command takes, its output thrown away, in milliseconds."""
    began = time.perf_counter()
    subprocess.run(
        command, cwd=directory, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False
    )
    return 1000 * (time.perf_counter() - began)


def machine(*programs: str) -> str:
    """The machine and the versions, in a line: what a table of numbers stands under."""
    versions = [f"Python {platform.python_version()}"]
    for program in programs:
        if shutil.which(program):
            asked = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
            versions.append(asked.stdout.splitlines()[0] if asked.stdout else program)
    where = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{where}; {', '.join(versions)}; {time.strftime('%Y-%m-%d')}"
