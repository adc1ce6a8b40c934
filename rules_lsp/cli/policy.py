"""`rules-lsp policy`: the rules in force, where each of them stands, and what it contributes."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from rules_lsp.checks.common.surroundings import Surroundings
from rules_lsp.cli.contributions import Contribution, ListContribution, contributions
from rules_lsp.cli.main import FOUND, OK
from rules_lsp.cli.options import add_project_options, add_volume_option, project_of
from rules_lsp.cli.render import counted, place_of, printable, use_any_encoding
from rules_lsp.features.effective_policy import effective_policy
from rules_lsp.policy.entries import DENYING_LISTS, TOOL_LISTS
from rules_lsp.policy.policy import Policy

DESCRIPTION = """Show the rules in force: the file that they come from, each entry with its place, and what it takes:
tools among those of the configured servers that are known, files among those of the project.

The exit code is 1 where something of the rules or the configuration cannot be read, else 0."""
EXAMPLE = "rules-lsp policy\n  rules-lsp policy --root services/api --format json"
MOST_NAMES = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print the rules")
    add_project_options(parser)
    add_volume_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the rules in force."""
    use_any_encoding()
    known = Surroundings.of(project_of(arguments))
    lists = contributions(known)
    if arguments.format == "json":
        print(json.dumps(_as_json(known, lists), indent=2))
    else:
        print("\n".join(_lines(known, lists)))
    return FOUND if known.policy.errors else OK


def _lines(known: Surroundings, lists: tuple[ListContribution, ...]) -> Iterator[str]:
    policy = known.policy
    yield f"rules: {_source(policy)}"
    if policy.config.path is not None:
        yield f"configuration: {_name(policy, policy.config.path)}"
    if policy.refusal is not None:
        yield f"everything is denied: {printable(policy.refusal)}"
    for error in policy.errors:
        place = place_of(_name(policy, error.document.path), error.document.text, error.span)
        yield f"{place}: error[{error.code}] {printable(error.message)}"
    if policy.rules.system_prompt_extension:
        size = counted(len(policy.rules.system_prompt_extension), "character")
        yield f"system prompt extension: {size}"
    if policy.protected and policy.enabled:
        protected = sorted(policy.protected - policy.unprotected)
        yield f"protected: {', '.join(map(printable, protected)) or 'nothing'}"
    for each in lists:
        yield from ("", *_list_lines(policy, each))


def _source(policy: Policy) -> str:
    if policy.source is None:
        return "none, so nothing is restricted inside the project"
    name = printable(_name(policy, policy.source.path))
    if not policy.enabled:
        return f"{name}, switched off: nothing is restricted inside the project"
    if policy.rule_file is not None and policy.source.path != policy.rule_file.document.path:
        return f"`default_rules` of {name}, in place of {printable(policy.rule_file.name)}"
    if policy.rule_file is None:
        return f"`default_rules` of {name}, since there is no rule file"
    return f"{name}, which cannot be read" if policy.degraded else name


def _list_lines(policy: Policy, each: ListContribution) -> Iterator[str]:
    if policy.source is None:
        return
    name = printable(_name(policy, policy.source.path))
    head = place_of(name, policy.source.text, each.rules.span)
    broken = f": {_broken(each.rules.broken, each.rules.name)}" if each.rules.broken is not None else ""
    empty = ": it is empty, so it allows nothing" if not each.entries and each.rules.name not in DENYING_LISTS else ""
    yield f"{each.rules.name} ({head}){broken or empty}"
    rows = [
        (place_of(name, policy.source.text, entry.entry.span), printable(entry.entry.text), _words(entry, each))
        for entry in each.entries
    ]
    place_width = max((len(place) for place, *_ in rows), default=0)
    pattern_width = min(40, max((len(pattern) for _, pattern, _ in rows), default=0))
    for place, pattern, words in rows:
        yield f"  {place:{place_width}}  {pattern:{pattern_width}}  {words}".rstrip()


def _words(found: Contribution, each: ListContribution) -> str:
    if found.entry.broken is not None:
        return _broken(found.entry.broken, each.rules.name)
    if found.files is not None:
        if not found.files:
            return "no file" if each.whole else "no file of those that could be listed"
        return counted(found.files, "file") if each.whole else f"at least {counted(found.files, 'file')}"
    if not found.tools:
        return ""
    more = ", …" if len(found.tools) > MOST_NAMES else ""
    return f"{counted(len(found.tools), 'known tool')}: {', '.join(found.tools[:MOST_NAMES])}{more}"


def _broken(cause: str, list_name: str) -> str:
    what = "tool" if list_name in TOOL_LISTS else "file"
    effect = f"every {what} is denied meanwhile" if list_name in DENYING_LISTS else "it allows nothing meanwhile"
    return f"cannot be read ({printable(cause)}): {effect}"


def _name(policy: Policy, path: str) -> str:
    return policy.root.relative(path) or path


def _as_json(known: Surroundings, lists: tuple[ListContribution, ...]) -> dict[str, Any]:
    shown = effective_policy(known.policy)
    for rules, each in zip(shown["lists"], lists, strict=True):
        for entry, found in zip(rules["entries"], each.entries, strict=True):
            entry |= {"tools": list(found.tools)} if found.files is None else {"files": found.files}
    lists_last = shown.pop("lists")
    return {
        **shown,
        "files": {"count": len(known.files.files), "complete": known.files.complete},
        "lists": lists_last,
    }
