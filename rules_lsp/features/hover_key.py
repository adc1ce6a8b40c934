"""The documentation of the key, or of the Markdown section, under the cursor."""

from __future__ import annotations

import re

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.markup import code
from rules_lsp.policy.keys import PATTERNS, TOP_LEVEL, meant_key
from rules_lsp.policy.markdown.read_markdown import MarkdownRules, MarkdownSection
from rules_lsp.schemas import SchemaName, describe
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence

_KEY_LINE = re.compile(r"([ \t]*)([A-Za-z_-]+)[ \t]*(?::|$)")
_SECTIONS = {
    "Allowed Tools": ("allowed_tools",),
    "Denied Tools": ("denied_tools",),
    "File Patterns": ("file_patterns",),
}
_LISTS = ("allowed_tools", "denied_tools", "file_patterns", "file_patterns.include", "file_patterns.exclude")


@dataclass(frozen=True, slots=True)
class DocumentedKey:
    """A key: its title and its documentation in Markdown, its place, and the name of the list that it specifies.

    `name` is None for a key that specifies no list; `file_patterns` stands for both of its lists.
    """

    title: str
    documentation: str
    span: Span
    name: str | None


def key_at(subject: Subject, offset: int) -> DocumentedKey | None:
    """The key or section heading that an offset touches, if it is documented."""
    if isinstance(subject.reading, MarkdownRules):
        return _section_at(subject.reading.sections, offset)
    found = _path_at(subject.nodes.root, offset, ())
    if found is None and subject.error is not None:
        found = _path_in_line(subject, offset)
    if found is None:
        return None
    path, span = found
    return _documented("config" if subject.kind == "config" else "coding-agent-rules", path, span)


def _documented(schema: SchemaName, path: tuple[str, ...], span: Span) -> DocumentedKey | None:
    text = describe(schema, *path)
    if text is not None:
        return DocumentedKey(code(".".join(path)), text, span, _list_name(path))
    if schema != "coding-agent-rules":
        return None
    meant = _meant(path)
    text = describe(schema, *meant) if meant is not None else None
    if meant is None or text is None:
        return None
    name = ".".join(meant)
    return DocumentedKey(f"{code(path[-1])} is no key; it is read as `{name}` meanwhile", text, span, _list_name(meant))


def _list_name(path: tuple[str, ...]) -> str | None:
    name = ".".join(path).removeprefix("project_agent_rules.default_rules.")
    return name if name in _LISTS else None


def _meant(path: tuple[str, ...]) -> tuple[str, ...] | None:
    """The known key that an unknown one is read as."""
    if len(path) == 1:
        if path[0].casefold() in PATTERNS:
            return ("file_patterns", path[0].casefold())
        known = meant_key(path[0], TOP_LEVEL)
        return None if known is None else (known,)
    if len(path) == 2 and (path[0] == "file_patterns" or meant_key(path[0], TOP_LEVEL) == "file_patterns"):
        known = meant_key(path[1], PATTERNS)
        return None if known is None else ("file_patterns", known)
    return None


def _path_at(node: Node | None, offset: int, above: tuple[str, ...]) -> tuple[tuple[str, ...], Span] | None:
    """The key path of the key that an offset touches; lists have no step of their own."""
    if isinstance(node, Sequence):
        inner = next((item for item in node.items if offset in item.token), None)
        return _path_at(inner, offset, above)
    if not isinstance(node, Mapping):
        return None
    for key, value in node.pairs:
        if not isinstance(key, Scalar):
            continue
        if offset in key.token:
            return (*above, key.value), key.span
        if offset in value.token:
            found = _path_at(value, offset, (*above, key.value))
            if found is not None:
                return found
    return None


def _path_in_line(subject: Subject, offset: int) -> tuple[tuple[str, ...], Span] | None:
    """The key of the cursor's line in a part of a document that cannot be parsed."""
    line = subject.text.line_span(subject.text.line_of(offset))
    match = _KEY_LINE.match(subject.text.slice(line))
    if match is None:
        return None
    span = Span(match.start(2), match.end(2)).shifted(line.start)
    if offset not in span or subject.kind == "config":
        return None
    name = match[2]
    if match[1]:
        return (("file_patterns", name), span) if name in PATTERNS else None
    return ((name,), span) if name in TOP_LEVEL else None


def _section_at(sections: tuple[MarkdownSection, ...], offset: int) -> DocumentedKey | None:
    for section in sections:
        if offset in section.heading:
            return _documented("coding-agent-rules", _SECTIONS[section.name], section.heading)
        for place in section.places:
            if offset in place.span:
                return _documented("coding-agent-rules", ("file_patterns", place.side), place.span)
    return None
