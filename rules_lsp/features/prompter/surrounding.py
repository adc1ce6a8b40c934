"""What stands around the place of a cursor: the keys beside it, and what its rule says of the moment and the action."""

from __future__ import annotations

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.completion_in_yaml import keys_beside, node_beside, texts_beside
from rules_lsp.features.prompter.spots import value_of
from rules_lsp.features.yaml_place import YamlPlace
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, parse_yaml

_HEAD = "rules:\n"
_RULES_KEY = expression(r"(?m)^rules *:[ \t\r]*$")
_DASH = expression(r"\n( *)-(?=[ \r\n])")

_BRACKET = expression(r"'(?:[^']|'')*'|\"(?:[^\"\\]|\\.)*\"|[\[\]{}]")
_CLOSERS = {"[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class AroundPlace:
    """The keys of the mapping and the texts of the list at a place, and its rule's `when` and `action`, or empty."""

    keys: frozenset[str]
    texts: frozenset[str]
    when: str = ""
    action: str = ""


def around_place(subject: Subject, at: YamlPlace) -> AroundPlace:
    """What stands around a place, also where what is being written there cannot be parsed."""
    root, at = (subject.nodes.root, at) if subject.error is None else _without_line(subject.text, at)
    keys, texts = keys_beside(root, at), texts_beside(root, at)
    rule = node_beside(root, replace(at, path=("rules",))) if at.path[:1] == ("rules",) else None
    if not isinstance(rule, Mapping):
        return AroundPlace(keys, texts)
    return AroundPlace(keys, texts, value_of(rule, "when"), value_of(rule, "action"))


def _without_line(text: Text, at: YamlPlace) -> tuple[Node | None, YamlPlace]:
    """The tree of a text with blanks for what is being written, and the place in it.

    Of the rules it has the one that the place belongs to, where that can be told by the dashes alone.
    """
    line = text.line_span(text.line_of(at.span.start))
    before = text.content[line.start : at.span.start]
    kept = before if not before.strip(" -") else _closed(before.removesuffix(at.quote)) or " " * len(before)
    blank = kept.ljust(len(line))
    content = text.content[: line.start] + blank + text.content[line.end :]
    item = _item_around(content, line.end) if at.path[:1] == ("rules",) else None
    if item is not None:
        content = _HEAD + content[item.start : item.end]
        at = replace(at, span=at.span.shifted(len(_HEAD) - item.start))
    document = parse_yaml(Text(content))
    return document.root if document.error is None else document.partial, at


def _closed(before: str) -> str | None:
    """A line up to a place in brackets, with what closes these; None where none is open on the line."""
    closers: list[str] = []
    for match in _BRACKET.finditer(before):
        sign = match[0]
        if sign in _CLOSERS:
            closers.append(_CLOSERS[sign])
        elif closers and sign == closers[-1]:
            closers.pop()
    return before + "".join(reversed(closers)) if closers else None


def _item_around(content: str, line_end: int) -> Span | None:
    """The item of the block list of rules that ends behind a line or holds it; None where there is no such list."""
    key = _RULES_KEY.search(content, 0, line_end)
    first = _DASH.search(content, key.end(), line_end) if key is not None else None
    if first is None:
        return None
    dash = f"\n{first[1]}-"
    start = content.rfind(dash, first.start(), line_end)
    end = content.find(dash, line_end)
    return Span(start + 1, end + 1 if end >= 0 else len(content))
