"""A tool that is not named `server/tool`.

## What it finds
What is no name of a tool at all (prose, a space, a character that cannot be seen or only looks like another), and a
name as hosts spell it: `mcp__server__tool`, and `server.tool`, `server:tool` or `server__tool` where the server is a
configured one. A built-in tool is written as its bare name. In `allowed_tools` also `**`, which is no `*`, and a word
for every tool or for none (`all`, `none`), which is read as the name of a built-in tool.
The tools of a target in `.auto-prompter.yaml` are named likewise.

## Why it matters
What cannot be read allows nothing, and in `denied_tools` it denies every tool until it is repaired. A host's spelling
allows the tool in that host alone. Every tool is `*`; `**` is a pattern of built-in tools and allows none of a server.

## Example
```yaml
allowed_tools:
  - Read
  - mcp__github__get_me
```

## Instead
```yaml
allowed_tools:
  - Read
  - github/get_me
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage, diagnostic_of
from rules_lsp.checks.common.canonical_names import is_host_spelling, of_broken, of_host_spelling
from rules_lsp.checks.common.kinds import WITH_PROMPTER
from rules_lsp.checks.common.lookalikes import look_alike, meant, told_of_look_alike
from rules_lsp.checks.common.prompter_rules import targeted_tool_at
from rules_lsp.checks.common.remembered import once_a_list
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import rewrite, with_fixes
from rules_lsp.checks.common.tool_names import KnownServers, ToolEntry, entries_in, readings_of, servers_of, tool_lists
from rules_lsp.policy.entries import DENYING_LISTS, shown
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.policy.tools.entries import entry_problem
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import replace
from rules_lsp.source.text import Span

_CODE = "malformed-tool-name"
_EVERY = frozenset({"all", "any", "anything", "every", "everything", "all_tools", "all-tools", "alltools"})
_NONE = frozenset({"none", "nothing", "no_tools", "no-tools"})


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    servers = servers_of(subject)
    for problem in subject.problems:
        if problem.code == _CODE:
            yield diagnostic_of(_named(subject, problem)), _repairs(subject, servers, problem)
    lists = [holder for holder in tool_lists(subject) if _may_be_misspelt(holder)]
    for found in (found for holder in lists for found in entries_in(subject, holder)):
        if _is_glob_for_everything(found):
            message = f"`{found.tool}` allows the built-in tools alone: write `*` for every tool"
            yield Diagnostic(_CODE, "error", message, found.entry.span), rewrite(subject, found.entry, "*", safe=False)
        elif (advice := _advice_on_word(found, servers)) is not None:
            yield from _word(subject, found, advice)
        elif found.server is None:
            yield from _host_spelling(subject, servers, found)
        elif found.server.isascii():
            continue
        elif (known := servers.lookalike(found.server)) is not None:
            name = f"{known}/{found.tool}"
            message = f"`{shown(found.server)}` only looks like the server `{shown(known)}`: write `{shown(name)}`"
            message = told_of_look_alike(message, found.server)
            yield Diagnostic(_CODE, "error", message, found.entry.span), rewrite(subject, found.entry, name)
        elif found.server not in servers and (letter := look_alike(found.server)) is not None:
            name = f"{meant(found.server)}/{found.tool}"
            message = f"in the server of `{shown(found.entry.text)}` {letter}: write `{shown(name)}`"
            fixes = rewrite(subject, found.entry, name, safe=found.denying)
            yield Diagnostic(_CODE, "error", message, found.entry.span), fixes


def _is_glob_for_everything(found: ToolEntry) -> bool:
    """Whether an entry is an allowing `**` in a list without an entry for the tools of every server."""
    if found.denying or found.server is not None or len(found.tool) < 2 or found.tool.strip("*"):
        return False
    return not _takes_every_server(found.holder)


def _advice_on_word(found: ToolEntry, servers: KnownServers) -> str | None:
    """What to write in place of a word for every tool, or in an allowing list for none; None where it is no such word.

    A server of that name may be meant. A denying word for none denies nothing that there is, as its author means.
    """
    word = found.tool.casefold().strip("_-.") if found.server is None else ""
    if word in _EVERY and found.tool not in servers and not _takes_every_server(found.holder):
        return "write `*` for every tool"
    if word in _NONE and not found.denying and found.tool not in servers:
        return "an empty list allows none"
    return None


def _word(subject: Subject, found: ToolEntry, advice: str) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    effect = "means" if subject.kind == "prompter" else "denies" if found.denying else "allows"
    message = f"`{shown(found.entry.text)}` {effect} only a tool of that name: {advice}"
    fixes = rewrite(subject, found.entry, "*", safe=False) if "*" in advice else iter(())
    widening = (replace(fix, widens=not found.denying) for fix in fixes)
    yield Diagnostic(_CODE, "error", message, found.entry.span), widening


@once_a_list
def _takes_every_server(holder: RuleList) -> bool:
    return any(tool == "*" and (server or "*") == "*" for (server, tool), _ in readings_of(holder))


@once_a_list
def _may_be_misspelt(holder: RuleList) -> bool:
    """Whether an entry names no server, or one with a character beyond those of names."""
    return any(server is None or not server.isascii() for (server, _), _ in readings_of(holder))


def _entry_at(subject: Subject, span: Span) -> Entry | None:
    return targeted_tool_at(subject, span) if subject.kind == "prompter" else subject.entry_at(span)


def _named(subject: Subject, problem: Problem) -> Problem:
    """A problem of a name with a character that only looks like another, which is all that is wrong with it."""
    entry = _entry_at(subject, problem.span)
    letter = look_alike(entry.text) if entry is not None else None
    if entry is None or letter is None or entry_problem(meant(entry.text), False) is not None:
        return problem
    message = f"`{shown(entry.text)}` is no tool name, {letter}: write `{shown(meant(entry.text))}`"
    return replace(problem, message=message)


def _host_spelling(
    subject: Subject, servers: KnownServers, found: ToolEntry
) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    if found.name != found.entry.text or found.tool in servers:
        return
    name = of_host_spelling(found.tool, servers)
    if name is None and not is_host_spelling(found.tool):
        return
    advice = f"write `{shown(name)}`" if name is not None else "write `server/tool`"
    message = f"`{shown(found.tool)}` is a host's spelling of a server's tool: {advice}"
    yield Diagnostic(_CODE, "error", message, found.entry.span), rewrite(subject, found.entry, name)


def _repairs(subject: Subject, servers: KnownServers, problem: Problem) -> Iterator[Fix]:
    entry = _entry_at(subject, problem.span)
    if entry is None or subject.error is not None:
        return
    names = of_broken(entry.text, entry.list in DENYING_LISTS, servers, subject.catalogue)
    yield from rewrite(subject, entry, *names)


CHECK = Check.documented(
    _CODE, "error", lambda subject: with_fixes(_find(subject)), __doc__, Stage.ENTRY, "either", kinds=WITH_PROMPTER
)
