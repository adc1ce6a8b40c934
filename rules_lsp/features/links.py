"""What a click opens: files that patterns name, the schema that a comment names, the documentation of checks."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator

from rules_lsp.checks.common.suppressions import suppressions_of
from rules_lsp.features.view import View
from rules_lsp.features.written import pattern_entries
from rules_lsp.policy.config import Config
from rules_lsp.policy.patterns import read_pattern
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

_SCHEMA = re.compile(r"^\ufeff?#[ \t]*yaml-language-server:[ \t]*\$schema=(\S+)", re.MULTILINE)
_MOST_ASKED = 500
"""Files that the disk is asked about as long as those of the project are not listed."""
_WEB = re.compile(r"https?://[^/\s]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Link:
    """A part of the text and what it leads to: one of an absolute `path`, a `url`, or the `code` of a check."""

    span: Span
    path: str | None = None
    url: str | None = None
    code: str | None = None


def document_links(view: View) -> tuple[Link, ...]:
    """The links of a document in order. A file that is known not to exist is none."""
    found = [*_patterns(view), *_schema(view), *_rule_files(view), *_checks(view)]
    return tuple(sorted(found, key=lambda link: (link.span.start, link.span.end)))


def _patterns(view: View) -> Iterator[Link]:
    known = view.subject.files
    asked = 0
    for entry in pattern_entries(view.subject):
        if entry.broken is not None:
            continue
        pattern = read_pattern(entry.text, entry.list)
        literal = pattern.glob.literal_path if pattern.glob is not None else None
        if literal is None:
            continue
        path = _absolute(view, literal)
        if known is not None:
            exists = literal in known.names and literal not in known.directory_names
        else:
            asked += 1
            exists = asked <= _MOST_ASKED and _is_file(path)
        if exists:
            yield Link(entry.span, path=path)


def _is_file(path: str) -> bool:
    """Whether something other than a directory is there; as in an inventory a link is not followed."""
    try:
        return not stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def _schema(view: View) -> Iterator[Link]:
    if view.subject.kind not in ("yaml", "config"):
        return
    for match in _SCHEMA.finditer(view.subject.text.content):
        address, span = match[1], Span(*match.span(1))
        if _WEB.match(address):
            yield Link(span, url=address)
        elif ":" not in address and view.subject.path is not None:
            yield Link(span, path=os.path.normpath(os.path.join(os.path.dirname(view.subject.path), address)))


def _rule_files(view: View) -> Iterator[Link]:
    reading = view.subject.reading
    for entry in reading.rule_files if isinstance(reading, Config) else ():
        path = _absolute(view, entry.name)
        if entry.span is not None and "\0" not in path and os.path.isfile(path):
            yield Link(entry.span, path=path)


def _checks(view: View) -> Iterator[Link]:
    for suppression in suppressions_of(view.subject):
        yield from (Link(each.span, code=each.code) for each in suppression.codes)


def _absolute(view: View, name: str) -> str:
    return os.path.join(view.saved.root.given, *name.split("/"))
