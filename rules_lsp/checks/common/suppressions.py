"""The comments of a file that ask for silence: where they stand, which codes they name, which lines they cover.

`# rules-lsp: ignore[code, code] reason` in YAML covers its line, and where it stands alone the next line as well;
`<!-- rules-lsp: ignore[code] reason -->` in Markdown does the same, and in front of a code block, HTML or a quote it
covers all of it. In a `yaml` block of Markdown the comment is that of YAML.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from rules_lsp.checks.common.base import Diagnostic
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.markdown.fenced_yaml import is_yaml_fence
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.source.markdown import Code, Html, Quote
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar
from rules_lsp.source.yaml_tree import Sequence as YamlSequence

_SIGN = "rules-lsp:"
_YAML = re.compile(r"(?:^|(?<=[\s\ufeff]))#[ \t]*rules-lsp:[ \t]*ignore\[(?P<codes>[^\]\r\n]*)\][^\r\n]*", re.MULTILINE)
_MARKDOWN = re.compile(r"(?<!`)<!--\s{0,9}rules-lsp:\s{0,9}ignore\[(?P<codes>[^\]<>]{0,2000})\]")
_END = "-->"
# Comments above one another that are looked at for one line.
_NEAREST = 16
_CODE = re.compile(r"[^\s,]+")
_BEFORE_ALONE = " \t\ufeff>"


@dataclass(frozen=True, slots=True)
class SuppressedCode:
    """A code that a comment names, and where."""

    code: str
    span: Span


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment.

    `span` is the whole comment, `list` what stands between its brackets. `first` and `last` are the lines that it
    covers, base 0; `alone` tells whether nothing else stands on its lines.
    """

    codes: tuple[SuppressedCode, ...]
    span: Span
    list: Span
    first: int
    last: int
    alone: bool

    def covers(self, line: int) -> bool:
        """Whether the comment covers a line."""
        return self.first <= line <= self.last


@dataclass(frozen=True, slots=True)
class Comment:
    """What was found: the comment's beginning, where it ends, and whether it is one of Markdown."""

    match: re.Match[str]
    end: int
    markdown: bool


def suppressions_of(subject: Subject) -> tuple[Suppression, ...]:
    """The comments of a file that ask for silence, in order."""
    if _SIGN not in subject.text.content:
        return ()
    found = comments_in(subject, _YAML, _MARKDOWN)
    blocks = covered_blocks(subject)
    return tuple(_chained([_read(subject, each, blocks) for each in found]))


def comments_in(subject: Subject, yaml: re.Pattern[str], markdown: re.Pattern[str]) -> list[Comment]:
    """What looks like a comment by one of two patterns and is no text of a rule, in order."""
    if isinstance(subject.reading, MarkdownRules):
        found = _in_markdown(subject.text, subject.reading, yaml, markdown)
        return sorted(found, key=lambda each: each.match.start())
    if subject.kind in ("instructions", "a0-template"):
        return list(_in_prose(subject.text, markdown))
    if subject.kind not in ("yaml", "config", "prompter"):
        return []
    scalars = _Places(subject.nodes.root)
    matches = yaml.finditer(subject.text.content)
    return [Comment(match, match.end(), False) for match in matches if match.start() not in scalars]


def covered_lines(subject: Subject, comment: Comment, blocks: dict[int, int]) -> tuple[int, int, bool]:
    """The first and the last line that a comment covers, and whether it stands alone; `blocks` as `covered_blocks`."""
    text = subject.text
    first, last = text.line_of(comment.match.start()), text.line_of(comment.end)
    before = text.content[text.line_span(first).start : comment.match.start()]
    behind = text.content[comment.end : text.line_span(last).end]
    alone = not before.strip(_BEFORE_ALONE) and not behind.strip()
    covered = last
    if alone and last + 1 < text.line_count:
        covered = last + 1
        while comment.markdown and covered + 1 < text.line_count and not text.slice(text.line_span(covered)).strip():
            covered += 1
        covered = blocks.get(covered, covered)
    return first, covered, alone


def heard(
    subject: Subject, found: Iterable[Diagnostic], suppressions: Sequence[Suppression]
) -> tuple[list[Diagnostic], frozenset[SuppressedCode]]:
    """The diagnostics that no comment hides, and the codes of comments that hid one.

    The problem for which the file is not in force is never hidden.
    """
    naming: dict[str, list[tuple[Suppression, SuppressedCode]]] = {}
    for suppression in suppressions:
        for each in suppression.codes:
            naming.setdefault(each.code, []).append((suppression, each))
    kept: list[Diagnostic] = []
    used: set[SuppressedCode] = set()
    for diagnostic in found:
        hiding = _hiding(subject, diagnostic, naming.get(diagnostic.code, ()))
        if hiding is None:
            kept.append(diagnostic)
        else:
            used.add(hiding)
    return kept, frozenset(used)


def _hiding(
    subject: Subject, diagnostic: Diagnostic, naming: Sequence[tuple[Suppression, SuppressedCode]]
) -> SuppressedCode | None:
    """The code of the last comment in front of a diagnostic's line, or on it, that covers it."""
    if not naming or subject.is_error(diagnostic.code, diagnostic.span):
        return None
    line = subject.text.line_of(diagnostic.span.start)
    index = bisect_right(naming, line, key=lambda pair: pair[0].first)
    return next(
        (each for suppression, each in reversed(naming[max(0, index - _NEAREST) : index]) if suppression.covers(line)),
        None,
    )


def _read(subject: Subject, comment: Comment, blocks: dict[int, int]) -> Suppression:
    match = comment.match
    first, covered, alone = covered_lines(subject, comment, blocks)
    codes = tuple(
        SuppressedCode(code[0], Span(match.start("codes") + code.start(), match.start("codes") + code.end()))
        for code in _CODE.finditer(match["codes"])
    )
    return Suppression(codes, Span(match.start(), comment.end), Span(*match.span("codes")), first, covered, alone)


def _chained(found: list[Suppression]) -> Iterator[Suppression]:
    """A comment alone on its line that stands above another one covers what that one covers."""
    below: Suppression | None = None
    chained: list[Suppression] = []
    for each in reversed(found):
        if below is not None and each.alone and below.alone and each.last == below.first:
            each = Suppression(each.codes, each.span, each.list, each.first, below.last, True)
        chained.append(each)
        below = each
    yield from reversed(chained)


def _in_markdown(
    text: Text, reading: MarkdownRules, yaml: re.Pattern[str], markdown: re.Pattern[str]
) -> Iterator[Comment]:
    """The comments outside of code, and those of YAML in a block that is read as such."""
    code: list[Span] = []
    for block in reading.document.walk():
        if isinstance(block, Code):
            code.append(block.span)
            if is_yaml_fence(block):
                for match in yaml.finditer(text.content, block.span.start, block.span.end):
                    yield Comment(match, match.end(), False)
    starts = [span.start for span in code]
    for match in markdown.finditer(text.content):
        index = bisect_right(starts, match.start()) - 1
        end = text.content.find(_END, match.end())
        if end < 0:
            break
        # In backticks it is an example.
        if (index < 0 or match.start() >= code[index].end) and not text.content.startswith("`", end + len(_END)):
            yield Comment(match, end + len(_END), True)


def _in_prose(text: Text, markdown: re.Pattern[str]) -> Iterator[Comment]:
    """The comments of a text whose blocks are not read; in backticks one is an example."""
    for match in markdown.finditer(text.content):
        end = text.content.find(_END, match.end())
        if end < 0:
            break
        if not text.content.startswith("`", end + len(_END)):
            yield Comment(match, end + len(_END), True)


def covered_blocks(subject: Subject) -> dict[int, int]:
    """The last line of each block of Markdown that has no lines of its own for a comment, by its first line."""
    if not isinstance(subject.reading, MarkdownRules):
        return {}
    text = subject.text
    return {
        text.line_of(block.span.start): text.line_of(block.span.end)
        for block in subject.reading.document.walk()
        if isinstance(block, Code | Html | Quote)
    }


class _Places:
    """The scalars of a tree: what looks like a comment in one of them is text."""

    def __init__(self, root: Node | None) -> None:
        self._spans = sorted(node.token for node in _scalars(root))
        self._starts = [span.start for span in self._spans]

    def __contains__(self, offset: int) -> bool:
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self._spans[index].end


def _scalars(root: Node | None) -> Iterator[Scalar]:
    pending: list[Node] = [root] if root is not None else []
    while pending:
        node = pending.pop()
        if isinstance(node, Scalar):
            yield node
        pending.extend(_children(node))


def _children(node: Node) -> Iterable[Node]:
    if isinstance(node, YamlSequence):
        return node.items
    return [child for pair in node.pairs for child in pair] if isinstance(node, Mapping) else ()
