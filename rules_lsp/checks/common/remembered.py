"""What several checks derive from a subject or from the texts of a list, derived once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.model import Entry, ListName, RuleList
from rules_lsp.source.text import Span

Derived = TypeVar("Derived")
Further = ParamSpec("Further")
_NOWHERE = Span(0, 0)


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


def once_a_list(
    derive: Callable[Concatenate[RuleList, Further], Derived],
) -> Callable[Concatenate[RuleList, Further], Derived]:
    """The function, which remembers its answers by the name of a list and the texts of its entries.

    From one version of a document to the next most lists say the same at other places. So the function gets a list
    without places, in which the index of an entry is its position, and answers with what holds for every such list.
    """

    def of_texts(name: ListName, texts: tuple[str, ...], *further: Any, **named: Any) -> Derived:
        entries = (Entry(text, _NOWHERE, name, place, None if text else "") for place, text in enumerate(texts))
        return derive(RuleList(name, _NOWHERE, tuple(entries)), *further, **named)

    remembered: Any = lru_cache(maxsize=64)(of_texts)

    @wraps(derive)
    def derived(holder: RuleList, /, *further: Further.args, **named: Further.kwargs) -> Derived:
        answer: Derived = remembered(holder.name, holder.texts, *further, **named)
        return answer

    return derived
