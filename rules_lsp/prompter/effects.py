"""How effects are put together: within a call, and over a batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

STOP, DENY, APPROVAL, ADVISE, ALLOW = "stop", "deny", "approval", "advise", "allow"
ORDER = (STOP, DENY, APPROVAL, ADVISE, ALLOW)
"""Within a call, the strongest first."""
HOLDING = (STOP, APPROVAL, ADVISE)
"""What holds a whole batch, the strongest first. A denial holds its own call alone."""


def strongest(effects: Iterable[str]) -> str:
    """The effect of a call on which several rules have a say; `allow` where none has."""
    return min(effects, key=ORDER.index, default=ALLOW)


def holding(effects: Sequence[str]) -> str | None:
    """Why the whole batch is held: any stop, else any approval, else any advice; None where it runs."""
    return next((effect for effect in HOLDING if effect in effects), None)
