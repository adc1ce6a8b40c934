"""JSON with comments and trailing commas as a tree with places, also of a text that is being typed.

Whether a text parses, and where it does not, is said by the reader of the configuration files of hosts
(`workspace.located_json`): one reader decides. The tree is made of the tokens of any text, in one walk over them and
without recursion: what is missing is taken for what would be the least, and every offset is one of the text. Its nodes
are those of YAML trees, since JSON is YAML in flow style: texts have the style `"`, every other value is plain.
"""

from __future__ import annotations

import json

from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem, Related
from rules_lsp.source.records import dataclass, field
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_nodes import Mapping, Node, Scalar, Sequence
from rules_lsp.source.yaml_tree import YamlDocument
from rules_lsp.workspace.located_json import read_json, without_comments

MAX_DEPTH = 100
"""Levels of a tree; what lies deeper is left out of it, and the text counts as one that does not parse."""
MAX_PROBLEMS = 100
"""Keys of a text of which it is told that they stand twice."""

# What is never closed is taken to the end of its line: a match that fails would be tried again at each character.
_TOKEN = expression(r'"(?:[^"\\\r\n]|\\[^\r\n])*+"?|[{}\[\]:,]|[^\s{}\[\]:,"]++')
_BYTE_ORDER_MARK = "\ufeff"
_TOO_DEEP = f"it is nested deeper than {MAX_DEPTH} levels"


def read_relaxed_json(text: Text) -> YamlDocument:
    """Read a text; never raises, and takes time in proportion to it.

    `root` is the tree of a text that parses, None of one that does not and of an empty one; `partial` is the tree of
    either. `error` says why it does not parse. A key that stands twice is a problem only: its last value counts.
    """
    content = text.content
    if content.startswith(_BYTE_ORDER_MARK):
        content = " " + content[1:]
    fault = read_json(content).problem
    grower = _Grower(without_comments(content))
    tree = grower.tree()
    problems = grower.problems
    error: Problem | None = None
    if fault is not None:
        error = Problem("syntax-error", fault.message, fault.span)
    elif grower.too_deep is not None:
        error = Problem("syntax-error", _TOO_DEEP, grower.too_deep)
    if error is None:
        return YamlDocument(tree, None, tree, tuple(problems))
    return YamlDocument(None, error, tree, (error, *problems))


def value_of(mapping: Mapping, key: str) -> Node | None:
    """The value that counts of a key: the last one; None where the key is not there."""
    found = [value for name, value in mapping.pairs if isinstance(name, Scalar) and name.value == key]
    return found[-1] if found else None


def data_of(node: Node | None) -> object:
    """The value of a node: texts, numbers, True, False, None, lists and mappings; None for a word that is no JSON."""
    if isinstance(node, Scalar):
        return node.value if node.style else _plain_value(node.value)
    if isinstance(node, Sequence):
        return [data_of(item) for item in node.items]
    if isinstance(node, Mapping):
        return {key.value: data_of(value) for key, value in node.pairs if isinstance(key, Scalar)}
    return None


def _plain_value(word: str) -> object:
    try:
        value: object = json.loads(word)
    except ValueError:
        return None
    return value


@dataclass(slots=True)
class _Open:
    """A container that is not closed yet; `key` waits for its value, `colon` is where the colon behind it ends."""

    start: int
    is_object: bool
    pairs: list[tuple[Node, Node]] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    key: Scalar | None = None
    colon: int | None = None
    keys: dict[str, Span] = field(default_factory=dict)


class _Grower:
    """Makes a tree of the tokens of a text without comments."""

    def __init__(self, plain: str) -> None:
        self.problems: list[Problem] = []
        self.too_deep: Span | None = None
        self._plain = plain
        self._open: list[_Open] = []
        self._root: Node | None = None
        self._deeper = 0

    def tree(self) -> Node | None:
        for match in _TOKEN.finditer(self._plain):
            self._take(match[0], match.start(), match.end())
        end = len(self._plain.rstrip())
        while self._open:
            self._close(end)
        return self._root

    def _take(self, token: str, start: int, end: int) -> None:
        if token in "{[":
            if self._deeper or len(self._open) >= MAX_DEPTH:
                self._deeper += 1
                self.too_deep = self.too_deep or Span(start, end)
            else:
                self._open.append(_Open(start, token == "{"))
        elif self._deeper:
            self._deeper -= token in "}]"
        elif token in "}]":
            self._take_closing(token == "}", end)
        elif token == ",":
            if self._open:
                self._finish_pair(self._open[-1])
        elif token == ":":
            if self._open and self._open[-1].key is not None and self._open[-1].colon is None:
                self._open[-1].colon = end
        else:
            self._place(_scalar(token, start, end))

    def _take_closing(self, of_object: bool, end: int) -> None:
        """Close the nearest container that the bracket fits, with those inside it; what fits none is passed over."""
        if not any(frame.is_object == of_object for frame in self._open):
            return
        while self._open[-1].is_object != of_object:
            self._close(end - 1)
        self._close(end)

    def _close(self, end: int) -> None:
        frame = self._open.pop()
        self._finish_pair(frame)
        span = Span(frame.start, max(end, frame.start))
        if frame.is_object:
            self._place(Mapping(tuple(frame.pairs), span, True))
        else:
            self._place(Sequence(tuple(frame.items), span, True))

    def _place(self, node: Node) -> None:
        if not self._open:
            self._root = node if self._root is None else self._root
            return
        frame = self._open[-1]
        if not frame.is_object:
            frame.items.append(node)
        elif frame.colon is not None and frame.key is not None:
            self._add(frame, frame.key, node)
        else:
            self._finish_pair(frame)
            frame.key = node if isinstance(node, Scalar) else None

    def _finish_pair(self, frame: _Open) -> None:
        if frame.key is not None:
            place = frame.colon if frame.colon is not None else frame.key.token.end
            self._add(frame, frame.key, Scalar("", Span(place, place), Span(place, place)))

    def _add(self, frame: _Open, key: Scalar, value: Node) -> None:
        first = frame.keys.setdefault(key.value, key.span)
        if first is not key.span and len(self.problems) < MAX_PROBLEMS:
            message = f"the key `{key.value}` stands twice: only its last value counts"
            self.problems.append(Problem("duplicate-key", message, key.span, related=(Related(first, "first here"),)))
        frame.pairs.append((key, value))
        frame.key = frame.colon = None


def _scalar(token: str, start: int, end: int) -> Scalar:
    if token[0] != '"':
        return Scalar(token, Span(start, end), Span(start, end))
    closed = len(token) > 1 and token[-1] == '"' and not _ends_in_escape(token)
    inner = token[1:-1] if closed else token[1:]
    try:
        value = json.loads(f'"{inner}"', strict=False)
    except ValueError:
        value = inner
    return Scalar(str(value), Span(start + 1, start + 1 + len(inner)), Span(start, end), '"')


def _ends_in_escape(token: str) -> bool:
    """Whether the quote at the end of a token is an escaped one, so that the text is not closed."""
    body = token[1:-1]
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1
