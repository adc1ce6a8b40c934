"""The comments of a YAML rule file by what they stand at, so that the same rules in Markdown keep them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.suppressions import comments_in
from rules_lsp.source.records import dataclass, field
from rules_lsp.source.yaml_tree import Mapping as YamlMapping
from rules_lsp.source.yaml_tree import Scalar

_HASH = re.compile(r"(?:^|(?<=[\s\ufeff]))(?=#)", re.MULTILINE)
_BLOCK_MARK = re.compile(r"[|>][0-9+-]*[ \t]+(?P<comment>#.*)")
_NEVER = re.compile(r"(?!)")
_FOR_TOOLS = re.compile(r"#\s*(?:rules-lsp:|yaml-language-server:)")
TOP, TAIL = "top", "tail"
"""Where the comments of the text in front of the sections stand, and those behind everything."""
Place = str | int
"""A list by its last name, `file_patterns`, `TOP` or `TAIL`; an entry by the start of its span."""


@dataclass(frozen=True, slots=True)
class PlacedComments:
    """The texts of comments without their marks: those above a place, and those behind a key on its line."""

    above: Mapping[Place, tuple[str, ...]] = field(default_factory=dict)
    behind: Mapping[Place, tuple[str, ...]] = field(default_factory=dict)


def placed_comments(subject: Subject, remarked: Mapping[int, str]) -> PlacedComments:
    """The comments of a YAML file but those that are told as the remarks of entries, by the start of their spans.

    What only tools read, a schema or the wish for silence about a finding, has no place in another format.
    """
    text = subject.text
    places = sorted(_places(subject), key=lambda found: found[0])
    starts = [start for start, _ in places]
    above: dict[Place, tuple[str, ...]] = {}
    behind: dict[Place, tuple[str, ...]] = {}
    for start, written in sorted((*_comments(subject), *_behind_block_marks(subject))):
        told = written[1:].strip()
        if not told or _FOR_TOOLS.match(written):
            continue
        line = text.line_span(text.line_of(start))
        on_line = [place for offset, place in places if line.start <= offset < start]
        if any(place in remarked for place in on_line):
            continue
        key = next((place for place in on_line if isinstance(place, str) and place != TOP), None)
        if key is not None:
            behind[key] = (*behind.get(key, ()), told)
            continue
        following = bisect_right(starts, start)
        place = on_line[0] if on_line else places[following][1] if following < len(places) else TAIL
        above[place] = (*above.get(place, ()), told)
    return PlacedComments(above, behind)


def _comments(subject: Subject) -> Iterator[tuple[int, str]]:
    """Where each comment begins, and the comment with its mark."""
    text = subject.text
    last = -1
    for found in comments_in(subject, _HASH, _NEVER):
        start = found.match.start()
        line = text.line_of(start)
        if line != last:
            last = line
            yield start, text.content[start : text.line_span(line).end].rstrip()


def _behind_block_marks(subject: Subject) -> Iterator[tuple[int, str]]:
    """The comments behind the `|` or `>` of a text at the top level, which belong to the text's place."""
    text, root = subject.text, subject.nodes.root
    for _, value in root.pairs if isinstance(root, YamlMapping) else ():
        if isinstance(value, Scalar):
            start = value.token.start
            found = _BLOCK_MARK.match(text.content, start, text.line_span(text.line_of(start)).end)
            if found is not None:
                yield found.start("comment"), found["comment"].rstrip()


def _places(subject: Subject) -> Iterator[tuple[int, Place]]:
    """The entries and the keys of a file by their offsets."""
    for rules in subject.shown.lists():
        yield from ((entry.span.start, entry.span.start) for entry in rules.entries)
    root = subject.nodes.root
    pending = list(root.pairs) if isinstance(root, YamlMapping) else []
    while pending:
        key, value = pending.pop()
        if isinstance(key, Scalar):
            yield key.token.start, TOP if key.value == "system_prompt_extension" else key.value
        if isinstance(key, Scalar) and key.value == "file_patterns" and isinstance(value, YamlMapping):
            pending += value.pairs
