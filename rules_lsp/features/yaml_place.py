"""Where a cursor stands in YAML, however broken the document is.

The cursor's line is repaired first: what is being typed becomes a plain word, and what is open behind it is closed. Of
the lines above only those are kept that the line hangs from by its indentation. This skeleton is parsed: faults
elsewhere do not disturb, no prose and no comment holds the word as a node, and the cost does not grow with a list.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rules_lsp.features.flow import scan_flow
from rules_lsp.features.yaml_line import Levels, Token, block_token, flow_token, levels_of, value_column
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Alias, Mapping, Node, Run, Scalar, Sequence, key_text, parse_yaml

_WORD = "cursor7d1f"
_LINE = re.compile(r"\n[ ]*[^ \t\n#]")
_NO_TEXT = frozenset(" \t\n#")
_NEXT_TEXT = re.compile(r"\n([ ]*)(?:(-(?=[ \n]|\Z))|[^ \t\n#-]|-)")
_NEXT_LINE = re.compile(r"\n([ ]*)([^ \t\n#])")


@dataclass(frozen=True, slots=True)
class YamlPlace:
    """A place in a tree.

    `path` are the keys above it; `item` tells whether it is an item of a list, `flow` whether it stands in brackets.
    `span` is what is being written, inside of its quotes; `quote` is the quote or empty, `closed` whether it ends.
    `own_line`: nothing else stands on its line; `glued`: a blank is missing in front of it; `colon`: it is a key with
    its colon. `beside` tells whether what stands in the lines beside it are items, None where nothing does.
    `goes_on`: more of the value at the place stands in the lines below; in brackets an item does, without a comma.
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
    goes_on: bool


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
        if flow.comment or flow.ended or flow.token < span.start:
            return None
        key = flow.opened[-1].endswith("{") and not flow.key
        token = flow_token(line, flow.token - span.start, column, key=key)
        opening = text.slice(text.line_span(text.line_of(start)))
        head = opening[: start - text.line_span(text.line_of(start)).start]
        goes_on = token is not None and hanging.has_item_below(
            line[token.end :], len(opening) - len(opening.lstrip(" "))
        )
        word = f"{head}{''.join(flow.opened)}{flow.key} {_WORD}{flow.closers}"
        return _placed([*hanging.lines[:index], word], token, span.start, True, False, None, goes_on)
    if hanging.continues or (blank and hanging.misplaced()):
        return None
    token = block_token(line, levels, column)
    if token is None:
        return None
    word = f"{line[: token.start]}{' ' if token.glued else ''}{_WORD}"
    own_line = not line[: token.start].strip() and not line[token.end :].strip() and not token.quote
    goes_on = hanging.goes_on_below(line, levels, token)
    return _placed([*hanging.lines, word], token, span.start, False, own_line, hanging.beside, goes_on)


def is_part_of_another(root: Node | None, text: Text, offset: int, place: YamlPlace) -> bool:
    """Whether a place in a sound tree is a part of what is no place: of an alias, a text of several lines, brackets."""
    if isinstance(root, Alias):
        return root.span.start <= offset <= root.span.end
    if isinstance(root, Scalar):
        end = root.token.end + (root.style in ("'", '"'))
        return root.token.start < text.line_span(text.line_of(offset)).start and offset < end
    if root is None:
        return False
    if root.flow:
        # Below brackets that are the whole document nothing stands either.
        inside = root.span.start < offset < root.span.end
        if not place.flow and (inside or not (root.span.start or place.path)):
            return True
    parts = root.parts if isinstance(root, Sequence) else [node for pair in root.pairs for node in pair]
    return any(
        is_part_of_another(part, text, offset, place)
        for part in parts
        if not isinstance(part, Run) and part.token.start <= offset <= part.token.end
    )


def _placed(
    lines: list[str], token: Token | None, at: int, flow: bool, own_line: bool, beside: bool | None, goes_on: bool
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
        goes_on,
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
        # A line break stands in front of each line, at the offset at which the line begins in the text.
        self._lines = "\n" + _with_line_feeds(text.content)
        self._end = text.line_span(number).end
        self._column = levels.first
        self._beside_elsewhere = False
        self.beside: bool | None = None
        self.continues = False
        self.lines: list[str] = []
        starts: list[tuple[int, int]] = []
        column, dash = levels.first, bool(levels.dashes)
        end = text.line_span(number).start
        while (column or dash) and (place := _last(_hung_from(column, dash), self._lines, end)) is not None:
            span = text.line_span(text.line_of(place))
            line = text.slice(span)
            if line.startswith("---"):
                break
            if not self.lines:
                self._look_beside(span.end, text.line_span(number).start)
            found = levels_of(line)
            value = value_column(line, found)
            kept = any(dash_column < column for dash_column in found.dashes)
            whole = found.content < column or (dash and found.content == column and value > column)
            end = span.start
            if not (kept or whole):
                continue
            if whole:
                starts.append((len(self.lines), span.start + value))
            elif value == found.content < len(line.rstrip()):
                self.continues = True
            self.lines.append(line if whole else line[: found.content])
            column, dash = found.first, kept
        if not self.lines:
            self._look_beside(0, text.line_span(number).start)
        self.lines.reverse()
        last = len(self.lines) - 1
        self.flows = [(last - index, start) for index, start in reversed(starts) if start < len(text.content)]

    def goes_on_below(self, line: str, levels: Levels, token: Token) -> bool:
        """Whether the line below belongs to what is written on the line: to its key's value, or to its last item."""
        below = _NEXT_TEXT.search(self._lines, self._end + 1)
        if below is None:
            return False
        behind_key = token.start >= value_column(line, levels) > levels.content
        column = levels.content if behind_key or not levels.dashes else levels.dashes[-1]
        indent = len(below[1])
        return indent > column or (behind_key and indent == column and below[2] is not None)

    def has_item_below(self, behind: str, column: int) -> bool:
        """Whether brackets that a line at a column opens go on with an item right below, no comma in front of it."""
        below = _NEXT_TEXT.search(self._lines, self._end + 1)
        if below is None or (behind.strip() and not behind.lstrip().startswith("#")):
            return False
        end = self._lines.find("\n", below.end())
        line = self._lines[below.start() + 1 : end if end >= 0 else None]
        levels = levels_of(line)
        is_block = len(below[1]) <= column and (bool(levels.dashes) or value_column(line, levels) > levels.content)
        return not is_block and not line.lstrip().startswith((",", "]", "}", "---"))

    def misplaced(self) -> bool:
        """Whether a blank line is no place for what it would hang from: the lines beside it stand elsewhere."""
        below = _NEXT_LINE.search(self._lines, self._end + 1)
        if below is not None:
            indent, item = len(below[1]), below[2] == "-"
            if indent > self._column or (indent == self._column and self.beside is not None and item != self.beside):
                return True
        return self._beside_elsewhere

    def _look_beside(self, start: int, end: int) -> None:
        """What stands at the line's own column in a part of the text above it."""
        beginning = "\n" + " " * self._column
        at = self._lines.rfind(beginning, start, end)
        while at >= 0 and self._lines[at + len(beginning)] in _NO_TEXT:
            at = self._lines.rfind(beginning, start, at)
        if at >= 0:
            self.beside = self._lines[at + len(beginning)] == "-"
        else:
            self._beside_elsewhere = _LINE.search(self._lines, start, end) is not None


@lru_cache(maxsize=64)
def _hung_from(column: int, dash: bool) -> re.Pattern[str]:
    """Lines that begin left of a column; for an item of a list also those at the column that are keys."""
    left = rf"[ ]{{0,{column - 1}}}(?=[^ \t\n#])" if column else r"(?!)"
    key = rf"|[ ]{{{column}}}(?=(?!-[ \t\n])[^ \t\n#][^\n]*:(?:[ \t\n]|\Z))" if dash else ""
    return re.compile(rf"\n(?:{left}{key})")


def _last(pattern: re.Pattern[str], lines: str, end: int) -> int | None:
    """Where the last line in front of an offset that matches begins."""
    found = None
    for match in pattern.finditer(lines, 0, end):
        found = match.start()
    return found


def _with_line_feeds(content: str) -> str:
    """The text with a line feed for every other line break, each character where it was."""
    return content.replace("\r\n", " \n").replace("\r", "\n") if "\r" in content else content
