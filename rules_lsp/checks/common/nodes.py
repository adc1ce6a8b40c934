"""The nodes of a YAML tree found by their places, for fixes that rewrite one of them."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Node, Run, Scalar, Sequence


class NodeIndex:
    """The pairs and items of a tree by the offset at which they start; aliases are leaves."""

    def __init__(self, root: Node | None) -> None:
        self.root = root
        self._pairs: dict[int, tuple[Mapping, Scalar, Node]] = {}
        self._keys: dict[int, Counter[str]] = {}
        self._sequences: list[Sequence] = []
        self._quotes: Counter[str] = Counter()
        self.has_aliases = False
        pending: list[Node | Run] = [root] if root is not None else []
        while pending:
            node = pending.pop()
            if isinstance(node, Scalar):
                self._quotes[node.style] += 1
            elif isinstance(node, Run):
                self._quotes.update(item.quote for item in node.items)
            elif isinstance(node, Mapping):
                self._keys[id(node)] = Counter(key.value for key, _ in node.pairs if isinstance(key, Scalar))
                for key, value in node.pairs:
                    if isinstance(key, Scalar):
                        self._pairs[key.span.start] = (node, key, value)
                    pending += (key, value)
            elif isinstance(node, Sequence):
                self._sequences.append(node)
                pending += node.parts
            else:
                self.has_aliases = True

    @cached_property
    def _items(self) -> dict[int, tuple[Sequence, Node]]:
        return {
            start: (sequence, item)
            for sequence in self._sequences
            for item in sequence.items
            for start in (item.token.start, item.span.start)
        }

    @property
    def preferred_quote(self) -> str:
        """The quote that the document uses more often; double ones where it has no habit."""
        return "'" if self._quotes["'"] > self._quotes['"'] else '"'

    def keys(self, mapping: Mapping) -> Counter[str]:
        """The keys of a mapping of the tree, and how often each stands in it."""
        return self._keys[id(mapping)]

    def key_of(self, mapping: Mapping, name: str) -> Span | None:
        """Where a key of a mapping first stands, or None."""
        if name not in self._keys[id(mapping)]:
            return None
        return next(key.span for key, _ in mapping.pairs if isinstance(key, Scalar) and key.value == name)

    def pair(self, key: Span) -> tuple[Mapping, Scalar, Node] | None:
        """The mapping, the key and the value of the pair whose key has a span."""
        found = self._pairs.get(key.start)
        return found if found is not None and found[1].span == key else None

    def item(self, span: Span) -> tuple[Sequence, Node] | None:
        """The list and the item of which a span is the token or what stands in its quotes."""
        found = self._items.get(span.start)
        return found if found is not None and span in (found[1].token, found[1].span) else None
