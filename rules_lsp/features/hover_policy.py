"""The whole effective policy of a document in a table: each list, what it matches now, and what comes of it."""

from __future__ import annotations

from rules_lsp.features.hover_list import amount_of_entries, matched_by
from rules_lsp.features.markup import code, row, sentence
from rules_lsp.features.numbers import amount, out_of
from rules_lsp.features.view import View
from rules_lsp.policy.model import RuleList

MOST_PROTECTED = 6
_ABSENT = {
    "allowed_tools": "not specified: every tool that is not denied",
    "denied_tools": "not specified: no tool is denied",
    "file_patterns.include": "not specified: every file that is not excluded",
    "file_patterns.exclude": "not specified: no file is excluded",
}


def policy_in_markdown(view: View) -> str:
    """The effective policy: a sentence with the totals and a table of the lists."""
    shown = view.subject.shown
    lists = {
        "allowed_tools": shown.allowed_tools,
        "denied_tools": shown.denied_tools,
        "file_patterns.include": shown.include,
        "file_patterns.exclude": shown.exclude,
    }
    rows = [row(f"`{name}`", _list(view, name, found)) for name, found in lists.items()]
    if view.policy.protected:
        rows.append(row("protected", _protected(view)))
    if shown.system_prompt_extension:
        rows.append(row("`system_prompt_extension`", amount(len(shown.system_prompt_extension), "character")))
    faults = [*_switched_off(view), *(row("error", sentence(error.message)) for error in view.saved.errors)]
    return "\n".join(
        [f"**effective policy**{_totals(view)}", "", row("rules", "effect now"), "| --- | --- |", *rows, *faults]
    )


def _totals(view: View) -> str:
    parts: list[str] = []
    if view.file_counts is not None:
        files = view.file_counts.writable
        parts.append(f"{out_of(files.files, files.total, 'file', complete=files.complete)} writable")
    if view.tool_counts is not None:
        tools = view.tool_counts.allowed
        parts.append(f"{out_of(tools.tools, tools.total, 'known tool')} allowed")
    if view.file_counts is not None and view.file_counts.capped:
        parts.append(f"the project has more files: only the first {view.file_counts.total:,} are counted")
    return f": {' · '.join(parts)}" if parts else ""


def _list(view: View, name: str, lists: tuple[RuleList, ...]) -> str:
    if not lists:
        return _ABSENT[name]
    broken = next((rules.broken for rules in lists if rules.broken is not None), None)
    faulty = sum(entry.broken is not None for rules in lists for entry in rules.entries)
    text = "; ".join(f"{amount_of_entries((rules,))}{matched_by(view, rules)}" for rules in lists)
    text += f"; {faulty:,} cannot be read" if faulty else ""
    return f"{text}; {sentence(broken)}" if broken is not None else text


def _protected(view: View) -> str:
    names = sorted(view.policy.protected - view.policy.unprotected)
    shown = ", ".join(code(name) for name in names[:MOST_PROTECTED])
    return shown + (f" and {len(names) - MOST_PROTECTED} more" if len(names) > MOST_PROTECTED else "")


def _switched_off(view: View) -> list[str]:
    return [] if view.policy.enabled else [row("switched off", "`enabled: false`: nothing is restricted")]
