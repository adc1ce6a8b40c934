"""What a tool entry does to the tools that are known now: which it matches, and what becomes of these."""

from __future__ import annotations

from collections import Counter

from rules_lsp.features.counting import ToolCounts
from rules_lsp.features.hover_files import MOST_OTHERS, line_of
from rules_lsp.features.markup import code, sentence
from rules_lsp.features.numbers import amount, out_of
from rules_lsp.features.view import View
from rules_lsp.policy.entries import DENYING_LISTS
from rules_lsp.policy.model import Entry
from rules_lsp.policy.tools.lists import argument_form, split_name
from rules_lsp.policy.tools.patterns import is_wild

MOST_TOOLS = 8
_FLAGS = {
    (True, False): "its server states that it only reads",
    (False, True): "its server states that it may destroy",
}


def tools_in_markdown(view: View, entry: Entry) -> list[str]:
    """Paragraphs about the known tools that an entry matches, none where no tool is known; and what is stale of it."""
    counts = view.tool_counts
    return [*(_matched(view, entry, counts) if counts is not None else ()), *_stale(view, entry)]


def _matched(view: View, entry: Entry, counts: ToolCounts) -> list[str]:
    names = counts.tools_of(entry)
    if names == (entry.text,):
        return _single(view, entry.text)
    matched = f"it matches **{out_of(len(names), len(counts.known), 'known tool')}**"
    if not names:
        return [matched] if _could_be_known(view, entry) else []
    alone = sum(_decides_alone(view, entry, name) for name in names)
    verb = "denied" if entry.list in DENYING_LISTS else "allowed"
    lines = [f"- {code(name)}{_otherwise(view, entry, name)}" for name in names[:MOST_TOOLS]]
    more = len(names) - MOST_TOOLS
    lines += [f"- and {more:,} more"] if more > 0 else []
    told = [f"{matched}, of which {alone:,} {'is' if alone == 1 else 'are'} {verb} by it alone", "\n".join(lines)]
    # What is shown of a short list names them already.
    others = _others(view, entry, names) if more > 0 else []
    return [*told, "\n".join(others)] if others else told


def _others(view: View, entry: Entry, names: tuple[str, ...]) -> list[str]:
    """The denying entries that overrule an allowing one, or deny with a denying one, and how many tools, most first."""
    taken = Counter(other for name in names for other in view.policy.denying.all(name) if other != entry)
    lead = "also denied by" if entry.list in DENYING_LISTS else "but"
    found = sorted(taken.items(), key=lambda pair: (-pair[1], pair[0].span))
    lines = [
        f"- {lead} {code(other.text)} of `{other.list}` (line {line_of(view, other)}): {amount(number, 'tool')}"
        for other, number in found[:MOST_OTHERS]
    ]
    rest = len(found) - MOST_OTHERS
    return [*lines, f"- and {rest:,} more"] if rest > 0 else lines


def _single(view: View, name: str) -> list[str]:
    """A tool that is known, with what is known of it."""
    catalogue = view.subject.catalogue
    server, _, tool = name.rpartition("/")
    known = catalogue.known(server) if catalogue is not None else None
    found = catalogue.tool(server, tool) if catalogue is not None else None
    if known is None or found is None:
        return []
    states = _FLAGS.get((found.read_only, found.destructive))
    asked = f"the server was asked at {known.asked}" if known.asked is not None else None
    told = [sentence(found.description)] if found.description else []
    return ["; ".join(filter(None, (f"a known tool of {code(known.title)}", states, asked))), *told]


def _stale(view: View, entry: Entry) -> list[str]:
    """That what a server said of its tools counts no more, where it is so."""
    server, _ = split_name(argument_form(entry.text) or entry.text)
    catalogue = view.subject.catalogue
    if server is None or catalogue is None or not catalogue.is_stale(server):
        return []
    again = code(f"rules-lsp tools refresh {server}")
    return [f"the server {code(server)} was asked for its tools when its command was another: {again} asks it again"]


def _could_be_known(view: View, entry: Entry) -> bool:
    """Whether a tool that an entry matches would be known: not an agent's own, nor one of a server that tells none."""
    catalogue = view.subject.catalogue
    server, _ = split_name(argument_form(entry.text) or entry.text)
    if server is None or catalogue is None:
        return False
    return is_wild(server) or catalogue.tools_of(server) is not None


def _decides_alone(view: View, entry: Entry, name: str) -> bool:
    """Whether the answer about a tool would be another one without an entry."""
    denying = view.policy.denying.all(name)
    passing = [allowing.all(name) for allowing in view.policy.allowing]
    if entry.list in DENYING_LISTS:
        return denying == (entry,) and all(passing)
    return not denying and all(passing) and (entry,) in passing


def _otherwise(view: View, entry: Entry, name: str) -> str:
    """What else decides about a tool that an entry matches, where something does."""
    denying = [other for other in view.policy.denying.all(name) if other != entry]
    if not denying:
        return ""
    also = "also denied" if entry.list in DENYING_LISTS else "denied"
    return f": {also} by {code(denying[0].text)} (line {line_of(view, denying[0])})"
