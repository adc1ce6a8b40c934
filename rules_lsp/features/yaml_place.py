"""Where a cursor stands in YAML, however broken the document is.

The cursor's line is repaired first: what is being typed becomes a plain word, and what is open behind it is closed. Of
the lines above only those are kept that the line hangs from by its indentation. This skeleton is parsed: faults
elsewhere do not disturb, no prose and no comment holds the word as a node, and the cost does not grow with a list.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules_lsp.features.flow import scan_flow
from rules_lsp.features.yaml_line import Levels, Token, block_token, flow_token, levels_of, value_column
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence, key_text, parse_yaml

_WORD = "cursor7d1f"


@dataclass(frozen=True, slots=True)
class YamlPlace:
    """A place in a tree.

    `path` are the keys above it; `item` tells whether it is an item of a list, `flow` whether it stands in brackets.
    `span` is what is being written, inside of its quotes; `quote` is the quote or empty, `closed` whether it ends.
    `own_line`: nothing else stands on its line; `glued`: a blank is missing in front of it; `colon`: it is a key with
    its colon. `beside` tells whether what stands in the lines beside it are items, None where nothing does.
    """

    path: tuple[str, ...]
    item: bool
    flow: bool
    span: Span
    quote: str
    closed: bool
    own_line: bool
    glued: bool
    colon: bool
    beside: bool | None


@dataclass(frozen=True, slots=True)
class _Found:
    path: tuple[str, ...]
    item: bool


def yaml_place(text: Text, offset: int) -> YamlPlace | None:
    """The place of a cursor; None in comments, in prose, and where nothing can be written."""
    number = text.line_of(offset)
    span = text.line_span(number)
    line, column = text.slice(span), offset - span.start
    levels = levels_of(line)
    blank = not line.strip()
    hanging = _Hanging(text, number, Levels((), column) if blank else levels)
    for index, start in (*hanging.flows, (len(hanging.lines), span.start + value_column(line, levels))):
        if start >= offset or text.content[start] not in "[{":
            continue
        flow = scan_flow(text.content, start, offset)
        if not flow.opened:
            continue
        if flow.comment or flow.token < span.start:
            return None
        token = flow_token(line, flow.token - span.start, column)
        head = text.slice(Span(text.line_span(text.line_of(start)).start, start))
        word = f"{head}{''.join(flow.opened)}{flow.key} {_WORD}{flow.closers}"
        return _placed([*hanging.lines[:index], word], token, span.start, True, False, None)
    if hanging.continues or (blank and hanging.misplaced(column)):
        return None
    token = block_token(line, levels, column)
    if token is None:
        return None
    word = f"{line[: token.start]}{' ' if token.glued else ''}{_WORD}"
    own_line = not line[: token.start].strip() and not line[token.end :].strip() and not token.quote
    return _placed([*hanging.lines, word], token, span.start, False, own_line, hanging.beside)


def _placed(
    lines: list[str], token: Token | None, at: int, flow: bool, own_line: bool, beside: bool | None
) -> YamlPlace | None:
    document = parse_yaml(Text("\n".join(lines)))
    found = _find(document.root if document.error is None else document.partial, ())
    if found is None or token is None:
        return None
    return YamlPlace(
        found.path,
        found.item,
        flow,
        Span(at + token.inner, at + token.end),
        token.quote,
        token.closed,
        own_line,
        token.glued,
        token.colon,
        beside,
    )


def _find(node: Node | None, above: tuple[str, ...], item: bool = False) -> _Found | None:
    if isinstance(node, Scalar):
        return _Found(above, item) if node.value == _WORD and not node.style else None
    if isinstance(node, Sequence):
        return next((found for child in node.items if (found := _find(child, above, True)) is not None), None)
    if not isinstance(node, Mapping):
        return None
    for name, value in node.pairs:
        key = key_text(name)
        if key is not None and key.value == _WORD:
            return _Found(above, item)
        found = _find(value, (*above, key.value if key is not None else ""))
        if found is not None:
            return found
    return None


class _Hanging:
    """The lines from which a line hangs, the outermost first, each without what stands beside the line.

    `flows` are those of them whose value begins with a bracket: their number, and the bracket's offset. `beside` tells
    whether the lines beside it are items of a list, None where there are none. `continues`: the line goes on with the
    text of an item.
    """

    def __init__(self, text: Text, number: int, levels: Levels) -> None:
        self._text = text
        self._number = number
        self._beside_column: int | None = None
        self.beside: bool | None = None
        self.continues = False
        self.lines: list[str] = []
        starts: list[tuple[int, int]] = []
        column, dash = levels.first, bool(levels.dashes)
        for above in range(number - 1, -1, -1):
            if column == 0 and not dash:
                break
            span = text.line_span(above)
            line = text.slice(span)
            bare = line.lstrip(" ")
            indent = len(line) - len(bare)
            if not bare.strip() or bare.startswith(("#", "\t")):
                continue
            if line.startswith("---"):
                break
            found = levels_of(line) if indent <= column else None
            kept = () if found is None else tuple(place for place in found.dashes if place < column)
            value = value_column(line, found) if found is not None else 0
            whole = found is not None and (
                found.content < column or (dash and found.content == column and value > column)
            )
            if found is None or not (kept or whole):
                self._pass(indent, bare)
                continue
            if whole:
                starts.append((len(self.lines), span.start + value))
            elif value == found.content < len(line.rstrip()):
                self.continues = True
            self.lines.append(line if whole else line[: found.content])
            column, dash = found.first if kept or not found.dashes else found.content, bool(kept)
        self.lines.reverse()
        last = len(self.lines) - 1
        self.flows = [(last - index, start) for index, start in reversed(starts) if start < len(text.content)]

    def misplaced(self, column: int) -> bool:
        """Whether a blank line at a column is no place for what it would hang from: other lines stand elsewhere."""
        below = self._below()
        if below is not None:
            indent, item = below
            if indent > column or (indent == column and self.beside is not None and item != self.beside):
                return True
        return self._beside_column is not None and self._beside_column != column

    def _pass(self, indent: int, bare: str) -> None:
        """A line that the line does not hang from; the outermost of those next to it stand beside it."""
        if not self.lines and (self._beside_column is None or indent <= self._beside_column):
            self._beside_column, self.beside = indent, bare.startswith("-")

    def _below(self) -> tuple[int, bool] | None:
        for number in range(self._number + 1, self._text.line_count):
            line = self._text.slice(self._text.line_span(number))
            bare = line.lstrip(" ")
            if bare.strip() and not bare.startswith("#"):
                return len(line) - len(bare), bare.startswith("-")
        return None
