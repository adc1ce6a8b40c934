"""What several checks derive from a subject, derived once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from rules_lsp.checks.common.subject import Subject

Derived = TypeVar("Derived")


def once_a_subject(derive: Callable[[Subject], Derived]) -> Callable[[Subject], Derived]:
    """The function, which keeps its answer with the subject: for answers that nobody changes.

    Two threads that ask at once may derive it twice and get equal answers.
    """

    @wraps(derive)
    def derived(subject: Subject) -> Derived:
        kept = subject.derived
        if derive not in kept:
            kept[derive] = derive(subject)
        answer: Derived = kept[derive]
        return answer

    return derived
