"""The documentation of a completion item, made when the item is looked at."""

from __future__ import annotations

from rules_lsp.features.completion_place import Topic
from rules_lsp.features.glob_words import glob_in_words
from rules_lsp.features.hover_files import first_files
from rules_lsp.features.markup import code, sentence
from rules_lsp.features.neighbours import neighbour_features
from rules_lsp.features.numbers import amount
from rules_lsp.features.tool_words import is_literal, tool_in_words
from rules_lsp.features.view import View
from rules_lsp.policy.decide_tool import decide_tool
from rules_lsp.policy.entries import DENYING_LISTS
from rules_lsp.policy.model import Entry
from rules_lsp.policy.patterns import read_pattern
from rules_lsp.policy.resolve import Resolver
from rules_lsp.policy.tools.lists import entry_problem, invalid_name
from rules_lsp.schemas import SchemaName, choices, describe
from rules_lsp.source.text import Span


def documentation(view: View, topic: Topic) -> str | None:
    """The documentation of a topic in Markdown, or None where there is nothing to say."""
    of_kind = neighbour_features(view.subject.kind).documentation
    return of_kind(view, topic) if of_kind is not None else of_rules(view, topic)


def of_rules(view: View, topic: Topic) -> str | None:
    """The documentation of a topic of rule files and configurations, or None where there is nothing to say."""
    if topic.kind in ("key", "section"):
        schema: SchemaName = "config" if view.subject.kind == "config" and topic.kind == "key" else "coding-agent-rules"
        return describe(schema, *topic.value.split("."))
    if topic.kind == "value":
        path, _, value = topic.value.partition("=")
        return choices("config", *path.split(".")).get(value)
    if topic.kind == "server":
        return _server(view, topic.value)
    if topic.list is None:
        return None
    return _tool(view, topic) if topic.kind == "tool" else _pattern(view, topic)


def _server(view: View, name: str) -> str | None:
    catalogue = view.subject.catalogue
    known = catalogue.known(name) if catalogue is not None else None
    server = catalogue.server(name) if catalogue is not None else None
    if server is None:
        return None
    parts = [f"configured in {code(server.file)}"]
    if known is not None:
        parts.append(f"{code(known.title)}, {amount(len(known.tools), 'tool', complete=known.whole)}")
    if known is not None and known.asked is not None:
        parts.append(f"the server was asked at {known.asked}")
    if catalogue is not None and catalogue.is_stale(name):
        again = code(f"rules-lsp tools refresh {name}")
        parts.append(f"it was asked for its tools when its command was another: {again} asks it again")
    return "\n\n".join(parts)


def _tool(view: View, topic: Topic) -> str | None:
    denying = topic.list in DENYING_LISTS
    if entry_problem(topic.value, denying) is not None:
        return None
    meaning = f"in `{topic.list}` it stands for {tool_in_words(topic.value, denying=denying)}"
    if not is_literal(topic.value) or invalid_name(topic.value) is not None:
        return meaning
    decision = decide_tool(view.policy, topic.value, None, Resolver(view.policy.root))
    told = _told(view, topic.value)
    # An entry that is half written denies everything: that says nothing of the tool.
    without = f"without it: {sentence(decision.reason)}" if decision.code != "policy-error" else None
    return "\n\n".join(filter(None, (meaning, told, without)))


def _told(view: View, name: str) -> str | None:
    """What the server says of a tool, if it was asked."""
    server, _, tool = name.rpartition("/")
    found = view.subject.catalogue.tool(server, tool) if view.subject.catalogue is not None else None
    return sentence(found.description) if found is not None and found.description else None


def _pattern(view: View, topic: Topic) -> str | None:
    assert topic.list is not None
    pattern = read_pattern(topic.value, topic.list)
    words = glob_in_words(pattern.glob) if pattern.glob is not None else None
    parts = [words.forms[0].summary] if words is not None and words.forms else []
    counts = view.file_counts
    if counts is not None:
        files = counts.files_of(Entry(topic.value, Span(0, 0), topic.list, 0))
        parts += [amount(len(files), "file", complete=counts.complete), *([first_files(view, files)] if files else [])]
    return "\n\n".join(parts) or None
