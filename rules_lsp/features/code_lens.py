"""What stands above the first line, each list and each pattern: how many files and tools they come to.

Where a lens stands costs no counting; what it says is made when it is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from rules_lsp.checks.common.kinds import SERVER_KINDS
from rules_lsp.features.counting import GlobCount
from rules_lsp.features.hover_instructions import binding_in_words
from rules_lsp.features.numbers import amount, out_of, signed
from rules_lsp.features.view import View
from rules_lsp.policy.entries import TOOL_LISTS
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.policy.patterns import read_pattern
from rules_lsp.prompt.instruction_names import INSTRUCTION_NAMES
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Scalar

LensKind = Literal["policy", "instructions", "list", "entry"]
LENS_KINDS: tuple[LensKind, ...] = ("policy", "instructions", "list", "entry")


@dataclass(frozen=True, slots=True)
class Lens:
    """A place for a lens, and what it is about: with its kind, the start of the span tells it from all others."""

    kind: LensKind
    span: Span


@dataclass(frozen=True, slots=True)
class LensText:
    """What a lens says. `lists_files` tells whether there are files to show for it, `lists_tools` whether tools."""

    title: str
    lists_files: bool
    lists_tools: bool = False


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A known tool by its canonical name, and whether the policy lets it be called."""

    name: str
    allowed: bool


def lenses(view: View) -> tuple[Lens, ...]:
    """The lenses of a document in its order; none while it does not parse, and none about what is not known.

    A pattern that shares its line with another one or with its list's key has none: it would not tell which is meant.
    """
    if view.subject.error is not None or view.subject.kind in SERVER_KINDS or view.subject.neighbour is not None:
        return ()
    found = [*_policy(view), *_instructions(view), *_lists(view)]
    if view.file_counts is not None:
        found += _entries(view)
    return tuple(sorted(found, key=lambda lens: (lens.span.start, LENS_KINDS.index(lens.kind))))


def lens_text(view: View, lens: Lens) -> LensText | None:
    """What a lens of the document says now; None where it has none there."""
    if lens.kind == "policy":
        return _policy_text(view)
    if lens.kind == "instructions":
        told = binding_in_words(view.subject) if _is_instructions(view) else None
        return None if told is None else LensText(f"as instructions: {told}", False)
    if lens.kind == "list":
        rules = _list_at(view, lens.span.start)
        return None if rules is None else _list_text(view, rules)
    entry = _entry_at(view, lens.span.start)
    count = view.file_counts.of(entry) if entry is not None and view.file_counts is not None else None
    return None if count is None else LensText(effect_in_words(count), count.taken > 0)


def lens_at(view: View, offset: int) -> Lens:
    """What an offset is about: its entry, also one without a lens of its own, its list's key, else the policy."""
    entry = view.subject.entry_at(Span(offset, offset))
    if entry is not None:
        return Lens("entry", entry.span)
    held = (rules for rules in view.subject.shown.lists() if offset in rules.span)
    return next((Lens("list", rules.span) for rules in held), Lens("policy", view.subject.text.line_span(0)))


def lens_files(view: View, lens: Lens) -> tuple[str, ...]:
    """The root-relative paths of the files that a lens is about, sorted."""
    counts = view.file_counts
    if counts is None:
        return ()
    if lens.kind == "policy":
        return counts.writable_files() if view.not_in_force is None and view.policy.enabled else ()
    if lens.kind == "list":
        rules = _list_at(view, lens.span.start)
        return () if rules is None or rules.name in TOOL_LISTS else counts.files_of_list(rules)
    entry = _entry_at(view, lens.span.start)
    return () if entry is None else counts.files_of(entry)


def lens_tools(view: View, lens: Lens) -> tuple[ListedTool, ...]:
    """The known tools that a lens is about, in the order of their servers: of the policy those that are allowed."""
    counts = view.tool_counts
    if counts is None:
        return ()
    allowed = frozenset(counts.allowed_tools)
    if lens.kind == "policy":
        in_force = view.not_in_force is None and view.policy.enabled
        names = counts.allowed_tools if in_force else ()
    elif lens.kind == "list":
        rules = _list_at(view, lens.span.start)
        names = () if rules is None else counts.tools_of_list(rules)
    else:
        entry = _entry_at(view, lens.span.start)
        names = () if entry is None else counts.tools_of(entry)
    return tuple(ListedTool(name, name in allowed) for name in names)


def effect_in_words(count: GlobCount) -> str:
    """`12 files · net +8`; where not all files are known, `at least 12 files`, and nothing of a difference.

    Of an exclude that keeps other files from being read than from being written, `12 files · net ±0 · read −12`.
    """
    taken = amount(count.taken, "file", complete=count.complete)
    if not count.complete or not count.taken:
        return taken
    told = f"{taken} · net {signed(count.net, adds=count.adds)}"
    return told if count.adds or count.hidden == count.net else f"{told} · read {signed(count.hidden, adds=False)}"


def _instructions(view: View) -> Iterator[Lens]:
    """A rule file that is also the instructions of its folder says whom it binds as such."""
    if _is_instructions(view) and view.subject.files is not None:
        yield Lens("instructions", view.subject.text.line_span(0))


def _is_instructions(view: View) -> bool:
    return view.subject.name.rpartition("/")[2] in INSTRUCTION_NAMES


def _policy(view: View) -> Iterator[Lens]:
    if view.subject.kind != "config":
        if view.not_in_force or view.file_counts is not None or view.tool_counts is not None:
            yield Lens("policy", view.subject.text.line_span(0))
        return
    key = _default_rules(view)
    # A rule file takes the place of the rules here.
    if key is not None and view.saved.rule_file is None and (view.file_counts or view.tool_counts):
        yield Lens("policy", key)


def _lists(view: View) -> Iterator[Lens]:
    for rules in view.subject.shown.lists():
        known = view.tool_counts if rules.name in TOOL_LISTS else view.file_counts
        if known is not None and rules.broken is None:
            yield Lens("list", rules.span)


def _entries(view: View) -> Iterator[Lens]:
    text, shown = view.subject.text, view.subject.shown
    keys = {text.line_of(rules.span.start) for rules in shown.lists()}
    entries = [entry for rules in (*shown.include, *shown.exclude) for entry in rules.entries]
    lines = Counter(text.line_of(entry.span.start) for entry in entries)
    for entry in entries:
        line = text.line_of(entry.span.start)
        if lines[line] == 1 and line not in keys and has_effect(entry):
            yield Lens("entry", entry.span)


def has_effect(entry: Entry) -> bool:
    """Whether a pattern can be read and does something in its list."""
    return entry.broken is None and read_pattern(entry.text, entry.list).effect != "nothing"


def _policy_text(view: View) -> LensText | None:
    if view.not_in_force is not None:
        return LensText(view.not_in_force, False)
    if not view.policy.enabled:
        return LensText("policy: the rules of this project are switched off", False)
    files, tools = view.file_counts, view.tool_counts
    parts: list[str] = []
    if files is not None:
        total = files.writable
        parts.append(f"{out_of(total.files, total.total, 'file', complete=total.complete)} writable")
    if tools is not None:
        parts.append(f"{out_of(tools.allowed.tools, tools.allowed.total, 'tool')} allowed")
    if files is not None and files.capped:
        parts.append(f"only the first {files.total:,} files are counted")
    return LensText(f"policy: {' · '.join(parts)}", files is not None and files.writable.files > 0) if parts else None


def _list_text(view: View, rules: RuleList) -> LensText | None:
    if rules.name in TOOL_LISTS:
        tools = view.tool_counts.of_list(rules) if view.tool_counts is not None else None
        return None if tools is None else LensText(out_of(tools.tools, tools.total, "tool"), False, tools.tools > 0)
    if view.file_counts is None:
        return None
    files = view.file_counts.of_list(rules)
    return LensText(out_of(files.files, files.total, "file", complete=files.complete), files.files > 0)


def _list_at(view: View, start: int) -> RuleList | None:
    return next((rules for rules in view.subject.shown.lists() if rules.span.start == start), None)


def _entry_at(view: View, start: int) -> Entry | None:
    entry = view.subject.entry_at(Span(start, start))
    return entry if entry is not None and entry.span.start == start else None


def _default_rules(view: View) -> Span | None:
    """The key `default_rules` of a configuration."""
    pending = [view.subject.nodes.root]
    while pending:
        node = pending.pop()
        for key, value in node.pairs if isinstance(node, Mapping) else ():
            if isinstance(key, Scalar) and key.value == "default_rules":
                return key.span
            if isinstance(key, Scalar) and key.value == "project_agent_rules":
                pending.append(value)
    return None
