"""Whole pages in Markdown for an editor to open: a policy, the files of a pattern, a decision."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.code_lens import effect_in_words
from rules_lsp.features.explaining import explained_in_markdown, source_of
from rules_lsp.features.hover_files import file_link
from rules_lsp.features.hover_policy import policy_in_markdown
from rules_lsp.features.markup import code, row, sentence
from rules_lsp.features.numbers import amount, out_of
from rules_lsp.features.view import View
from rules_lsp.policy.decision import Decision, refer_to
from rules_lsp.policy.entries import TOOL_LISTS
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.policy.patterns import never_matches_in, read_pattern
from rules_lsp.policy.policy import Policy
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.inventory import FileInventory

MOST_FILES = 1_000
_NAMELESS = ".coding-agent-rules.yaml"
_UNLISTED = "the files of the project are not listed yet"


def view_in_force(policy: Policy, files: FileInventory | None, catalogue: Catalogue | None) -> View:
    """The view of the document whose rules are in force; of an empty one where there is none."""
    source, config = policy.source, policy.config
    unread = policy.degraded and policy.rule_file is not None and source is policy.rule_file.document
    if source is None or unread:
        subject = Subject.of_text(_NAMELESS, "", root=policy.root)
    else:
        subject = Subject.of_text(
            policy.root.relative(source.path) or source.path,
            source.text,
            path=source.path,
            kind="config" if source.path == config.path else None,
            root=policy.root,
            known_servers=policy.known_servers,
        )
    return View(subject.surrounded(policy, files, catalogue), policy)


def policy_page(view: View) -> str:
    """The effective policy: the table of the lists, and below it each entry with what it takes now."""
    policy = view.saved
    lines = [f"# Policy of {code(policy.root.given)}", "", f"rules: {sentence(source_of(policy))}", ""]
    if policy.refusal is not None:
        return _page([*lines, f"everything is denied: {sentence(policy.refusal)}"])
    lines += [policy_in_markdown(view), ""]
    if policy.enabled:
        for rules in view.subject.shown.lists():
            lines += [f"## `{rules.name}`", "", *_entries(view, rules), ""]
    return _page(lines)


def files_page(view: View, text: str) -> str:
    """The files that a pattern takes, each with whether the policy lets it be written."""
    lines = [f"# Files of {code(text)}", ""]
    pattern = read_pattern(text.removeprefix("!"), "file_patterns.include")
    files, counts = view.subject.files, view.file_counts
    if pattern.glob is None:
        return _page([*lines, f"{code(text)} {sentence(pattern.broken or 'is no pattern')}"])
    never = never_matches_in(pattern, *view.root_paths)
    if never is not None:
        meant = f": write {code(never.rewritten)}" if never.rewritten is not None else ""
        lines += [f"as written it matches no path of the project{meant}", ""]
    if files is None or counts is None:
        return _page([*lines, _UNLISTED])
    taken = sorted(files.file_index.covered(pattern.glob))
    writable = frozenset(counts.writable_files()) if view.saved.refusal is None else frozenset()
    total = out_of(len(taken), len(files.files), "file", complete=files.complete)
    lines += [f"{total}, {sum(path in writable for path in taken):,} of them writable", ""]
    if taken:
        lines += [row("file", "may be written"), "| --- | --- |"]
        lines += [row(file_link(view, path), "yes" if path in writable else "no") for path in taken[:MOST_FILES]]
    if len(taken) > MOST_FILES:
        lines += ["", f"and {len(taken) - MOST_FILES:,} more"]
    return _page(lines)


def decision_page(decision: Decision) -> str:
    """A decision and every step on the way to it."""
    return f"# Decision\n\n{explained_in_markdown(decision)}"


def _page(lines: list[str]) -> str:
    return "\n".join(lines).rstrip("\n") + "\n"


def _entries(view: View, rules: RuleList) -> Iterator[str]:
    if rules.broken is not None:
        yield f"cannot be read: {sentence(rules.broken)}"
        return
    if not rules.entries:
        yield "empty"
        return
    yield row("entry", "line", "takes now")
    yield "| --- | --- | --- |"
    for entry in rules.entries:
        yield row(code(entry.text), _line(view, entry), _taken(view, entry))


def _line(view: View, entry: Entry) -> str:
    place = refer_to(view.policy, entry)
    line = view.subject.text.line_of(entry.span.start) + 1
    return f"{line}" if place is None else f"[{line}]({place.document.uri}#L{line})"


def _taken(view: View, entry: Entry) -> str:
    if entry.broken is not None:
        return f"cannot be read: {sentence(entry.broken)}"
    if entry.list in TOOL_LISTS:
        counts = view.tool_counts
        return "" if counts is None else amount(len(counts.tools_of(entry)), "known tool")
    count = view.file_counts.of(entry) if view.file_counts is not None else None
    if count is None:
        return ""
    return effect_in_words(count)
