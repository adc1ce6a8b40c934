"""Edits of JSON with comments that leave what they do not mean as it is: comments, order, indentation, line ends.

Taking away what was put in gives the text back as it was. A member that is put into a container stands behind what is
already there: behind a comma that closes the last member (and followed by one where the author writes one there too),
on a line of its own where the container has lines. A container that was empty gets its member right in front of its
closing bracket, and one that had to be made ends with a line break in front of it: so they are told apart afterwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.records import dataclass, field
from rules_lsp.source.text import Span
from rules_lsp.workspace.located_json import read_json, without_comments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

KeyPath: TypeAlias = "tuple[str | int, ...]"

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]:,]|[^\s{}\[\]:,"]++')
_INDENTED = re.compile(r"[ \t]*")
_DEFAULT_INDENT = "  "


class CannotEdit(Exception):
    """The text cannot be edited as asked; the message says why."""


@dataclass(slots=True)
class Node:
    """A value in a text. `start` is where its key begins, if it has one, else where the value does."""

    start: int
    value: Span
    children: dict[str | int, Node] = field(default_factory=dict)


def append_to_list(text: str, path: tuple[str, ...], item: Any, siblings: dict[str, Any] | None = None) -> str:
    """The text with an item at the end of the list at a path of keys, which is made where it is missing.

    `siblings` are members that the top gets too where it lacks the first key of the path and them. Raises `CannotEdit`.
    """
    document = _parsed(text)
    node, held, depth = document.top, document.data, 0
    while depth < len(path) and isinstance(held, dict) and path[depth] in held:
        node, held, depth = node.children[path[depth]], held[path[depth]], depth + 1
    if not isinstance(held, list if depth == len(path) else dict):
        name = ".".join(path[:depth]) or "the top"
        raise CannotEdit(f"`{name}` is no {'list' if depth == len(path) else 'object'}")
    if depth == len(path):
        return document.verified(document.insert(node, {"": item}, is_list=True))
    made: Any = [item]
    for key in reversed(path[depth + 1 :]):
        made = {key: made}
    members = {path[depth]: made}
    if depth == 0:
        members |= {key: value for key, value in (siblings or {}).items() if key not in held}
    return document.verified(document.insert(node, members))


def replace_value(text: str, path: KeyPath, value: Any) -> str:
    """The text with another value at a path. Raises `CannotEdit`."""
    document = _parsed(text)
    node = document.node(path)
    return document.verified([TextEdit(node.value, document.render(value, node.start))])


def remove_value(text: str, path: KeyPath, siblings: dict[str, Any] | None = None) -> str:
    """The text without the value at a path, and without the containers that were made for it. Raises `CannotEdit`."""
    document = _parsed(text)
    while len(path) > 1 and document.was_made_for(path):
        path = path[:-1]
    last = path[-1]
    if len(path) == 1 and siblings:
        members = list(document.top.children)
        behind = members[members.index(last) + 1 :]
        if behind == [key for key in siblings if key in behind and document.data[key] == siblings[key]]:
            last = (last, *behind)[-1]
    return document.verified(document.removal(path, last))


def render(value: Any, indent: str = _DEFAULT_INDENT, margin: str = "", line_end: str = "\n") -> str:
    """A value as it stands in a text: every container that is not empty has its members on lines of their own."""
    shown = json.dumps(value, indent=indent, ensure_ascii=False)
    return shown.replace("\n", line_end + margin)


class _Document:
    """A text that parses, with the place of every value in it."""

    def __init__(self, text: str, data: Any) -> None:
        self.text = text
        self.data = data
        self._plain = without_comments(text)
        self.top = _tree(self._plain)
        self.line_end = "\r\n" if "\r\n" in text else "\n"

    def node(self, path: KeyPath) -> Node:
        node = self.top
        for step in path:
            node = node.children[step]
        return node

    def verified(self, edits: list[TextEdit]) -> str:
        """The edited text, if it still parses; what is no JSON to a host would switch off all that stands in it."""
        edited = apply_edits(self.text, edits)
        if read_json(edited).problem is not None:
            raise CannotEdit("its commas stand where no entry can be added or removed")
        return edited

    def render(self, value: Any, offset: int) -> str:
        """A value as it stands in a line that holds an offset."""
        return render(value, self._unit(), self._line_start(offset), self.line_end)

    def insert(self, parent: Node, members: dict[str, Any], is_list: bool = False) -> list[TextEdit]:
        """The edits that put members, or the items of a list, at the end of a container."""
        closing = parent.value.end - 1
        visible = len(self.text[:closing].rstrip())
        own_lines = bool(parent.children) and self._has_lines(parent)
        margin = self._margin_in(parent) if own_lines else self._line_start(visible if parent.children else closing)
        keys = {key: "" if is_list else f"{json.dumps(key, ensure_ascii=False)}: " for key in members}
        shown = [keys[key] + render(members[key], self._unit(), margin, self.line_end) for key in members]
        if not parent.children:
            return [TextEdit(Span(closing, closing), f",{self.line_end}{margin}".join(shown))]
        last = max(child.value.end for child in parent.children.values())
        trailing = self._plain[last:closing].strip() == ","
        gap = self.line_end + margin if own_lines else " "
        added = ",".join(gap + member for member in shown)
        if trailing:
            return [TextEdit(Span(visible, visible), added + ",")]
        if visible == last:
            return [TextEdit(Span(last, last), "," + added)]
        return [TextEdit(Span(last, last), ","), TextEdit(Span(visible, visible), added)]

    def removal(self, path: KeyPath, last: str | int) -> list[TextEdit]:
        """The edits that take a member away, with all up to the member `last` of the same container."""
        parent, first = self.node(path[:-1]), self.node(path)
        end = parent.children[last].value.end
        comma = self._plain.find(",", end, parent.value.end)
        if comma >= 0 and self._plain[end:comma].strip():
            comma = -1
        members = list(parent.children)
        alone = members[0] == path[-1] and members[-1] == last
        start = first.start if alone else len(self.text[: first.start].rstrip())
        if comma >= 0:
            # The comma belongs to it: one that another member follows, or the author's closing one.
            return [TextEdit(Span(start, end), ""), TextEdit(Span(comma, comma + 1), "")]
        if alone:
            return [TextEdit(Span(start, end), "")]
        before = self._plain.rfind(",", parent.value.start, first.start)
        return [TextEdit(Span(before, before + 1), ""), TextEdit(Span(max(start, before + 1), end), "")]

    def was_made_for(self, path: KeyPath) -> bool:
        """Whether the container of a value holds nothing else and looks as this module makes containers."""
        parent, node = self.node(path[:-1]), self.node(path)
        around = self.text[parent.value.start + 1 : node.start], self.text[node.value.end : parent.value.end - 1]
        return len(parent.children) == 1 and all(not gap.strip() and "\n" in gap for gap in around)

    def _has_lines(self, parent: Node) -> bool:
        first = next(iter(parent.children.values()))
        visible = len(self.text[: parent.value.end - 1].rstrip())
        return "\n" in self.text[parent.value.start : first.start] or "\n" in self.text[visible : parent.value.end]

    def _unit(self) -> str:
        """One step of indentation, as the first member of the top has it behind a line break."""
        first = next((child.start for child in self.top.children.values()), self.top.start)
        outer, inner = self._line_start(self.top.start), self._line_start(first)
        own_line = "\n" in self.text[self.top.start : first]
        return (inner.removeprefix(outer) if own_line else "") or _DEFAULT_INDENT

    def _margin_in(self, parent: Node) -> str:
        """The indentation of the members of a container that has them on lines of their own."""
        for child in parent.children.values():
            if not self.text[self.text.rfind("\n", 0, child.start) + 1 : child.start].strip():
                return self._line_start(child.start)
        return self._line_start(parent.start) + self._unit()

    def _line_start(self, offset: int) -> str:
        start = self.text.rfind("\n", 0, offset) + 1
        found = _INDENTED.match(self.text, start, offset)
        return found[0] if found is not None else ""


def _parsed(text: str) -> _Document:
    read = read_json(text)
    if read.problem is not None:
        raise CannotEdit(read.problem.message)
    if not isinstance(read.value, dict):
        raise CannotEdit("it holds no JSON object")
    return _Document(text, read.value)


def _tree(plain: str) -> Node:
    """The tree of a text that parses, comments blanked out. Raises `CannotEdit` where a key stands twice."""
    top = Node(0, Span(0, 0))
    open_nodes: list[tuple[Node, bool]] = [(top, True)]
    key: str | None = None
    key_start = 0
    for token, start, end, before_colon in _tokens(plain):
        if token in ":,":
            continue
        if token in "}]":
            node, _ = open_nodes.pop()
            node.value = Span(node.value.start, end)
            continue
        if before_colon:
            key, key_start = str(json.loads(token)), start
            continue
        parent, is_list = open_nodes[-1]
        node = Node(start if key is None else key_start, Span(start, end))
        name = len(parent.children) if key is None or is_list else key
        if name in parent.children:
            raise CannotEdit(f"the key `{name}` stands twice in it")
        parent.children[name] = node
        key = None
        if token in "{[":
            open_nodes.append((node, token == "["))
    return top.children[0]


def _tokens(plain: str) -> Iterator[tuple[str, int, int, bool]]:
    found = list(_TOKEN.finditer(plain))
    for number, match in enumerate(found):
        following = found[number + 1][0] if number + 1 < len(found) else ""
        yield match[0], match.start(), match.end(), following == ":"
