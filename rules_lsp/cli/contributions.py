"""What each entry of the rules in force takes: known tools, files of the project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules_lsp.checks.common.surroundings import Surroundings
from rules_lsp.policy.entries import TOOL_LISTS
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Contribution:
    """What an entry takes by itself, whatever others say: known tools, or a number of files where it is a pattern."""

    entry: Entry
    tools: tuple[str, ...] = ()
    files: int | None = None


@dataclass(frozen=True, slots=True)
class ListContribution:
    """A list and its entries. `whole` says that the files counted are all that there are."""

    rules: RuleList
    entries: tuple[Contribution, ...]
    whole: bool


def contributions(known: Surroundings) -> tuple[ListContribution, ...]:
    """Every list of the rules in force, in the order of the format."""
    policy = known.policy
    tools = _tools(policy, dict.fromkeys(name for name, _ in known.catalogue.all_known()))
    files = _files(policy, known.files.files)
    return tuple(
        ListContribution(
            rules,
            tuple(
                Contribution(entry, tools=tuple(tools.get(id(entry), ())))
                if rules.name in TOOL_LISTS
                else Contribution(entry, files=files[id(entry)])
                for entry in rules.entries
            ),
            known.files.complete,
        )
        for rules in policy.rules.lists()
    )


def _tools(policy: Policy, names: Iterable[str]) -> dict[int, list[str]]:
    """The known tools that each entry takes, by the identity of the entry."""
    taken: dict[int, list[str]] = {}
    for name in names:
        entries = [*policy.denying.all(name), *(entry for tools in policy.allowing for entry in tools.all(name))]
        for entry in entries:
            taken.setdefault(id(entry), []).append(name)
    return taken


def _files(policy: Policy, paths: Iterable[str]) -> Counter[int]:
    """How many files each entry takes, by the identity of the entry."""
    taken: Counter[int] = Counter()
    for path in paths:
        for position in policy.excludes.all_covering(path, False, fold_case=policy.fold_case):
            taken[id(policy.excludes.entries[position])] += 1
        for includes in policy.includes:
            for position in includes.all_covering(path, False):
                taken[id(includes.entries[position])] += 1
    return taken
