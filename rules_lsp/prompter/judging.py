"""The interface for a judge of texts. None ships, and what one says never changes a decision."""

from __future__ import annotations

import time

from rules_lsp.prompter.model import Rule
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Judge(Protocol):
        """Says whether a text meets a condition: `match`, `no_match` or `unknown`."""

        def __call__(self, rule_id: str, condition: str, text: Untrusted) -> str:
            """The verdict of one rule."""


VERDICTS = ("match", "no_match", "unknown")


@dataclass(frozen=True, slots=True)
class Untrusted:
    """A text of an agent's: material to judge, never an instruction."""

    text: str


def shadow_verdict(judge: Judge | None, rule: Rule, text: str) -> tuple[str, float]:
    """A judge's verdict and its time in milliseconds; `unknown` where there is no judge or it fails."""
    started = time.perf_counter()
    verdict: object = "unknown"
    if judge is not None:
        try:
            verdict = judge(rule.id, str(rule.condition["text"]), Untrusted(text))
        except Exception:
            verdict = "unknown"
    told = verdict if isinstance(verdict, str) and verdict in VERDICTS else "unknown"
    return told, round((time.perf_counter() - started) * 1000, 3)
