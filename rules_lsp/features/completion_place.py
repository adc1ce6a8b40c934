"""Where a completion is asked for: what is to be written there, what it replaces, and how it has to be written."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, Protocol

from rules_lsp.checks.common.quoting import plain_or_quoted
from rules_lsp.policy.model import ListName
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Span

_SNIPPET_SIGN = re.compile(r"[\\$}]")

CompletionKind = Literal["key", "section", "skeleton", "server", "tool", "directory", "file", "pattern", "value"]


@dataclass(frozen=True, slots=True)
class Topic:
    """What the documentation of an item is about; made into a text when the item is looked at.

    `value` is a key path with dots, a section's key, a tool, a server, a pattern, or a value behind its key path.
    """

    kind: CompletionKind
    value: str
    list: ListName | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What may be written at a place. `text` is the whole entry as its author means it, without quotes or marks.

    `partial`: something is to follow (the tools of a server), so the cursor stays inside of quotes and the next
    question is asked at once. `listed`: it stands there already. `snippet` is the form with tab stops of an item that
    is more than its text, and `written` that form without them.
    """

    text: str
    label: str
    kind: CompletionKind
    detail: str | None = None
    topic: Topic | None = None
    partial: bool = False
    listed: bool = False
    snippet: str | None = None
    written: str | None = None


@dataclass(frozen=True, slots=True)
class Proposals:
    """What may be written; not `complete` where more of what is typed, or of what is known, would show others."""

    items: tuple[Proposal, ...]
    complete: bool = True


NOTHING = Proposals(())


@dataclass(frozen=True, slots=True)
class Written:
    """A text as it is put into the document: `snippet` for a client that knows tab stops, else `text`.

    `also` are edits elsewhere without which it would change what is written there.
    """

    text: str
    snippet: str | None = None
    also: tuple[TextEdit, ...] = ()


class Style(Protocol):
    """How an entry is written at its place."""

    @property
    def lead(self) -> str:
        """What has to stand in front of the entry."""
        ...

    def write(self, text: str, *, partial: bool) -> Written:
        """An entry as it is put into the document."""
        ...


@dataclass(frozen=True, slots=True)
class YamlStyle:
    """An entry of YAML.

    `quote` is the quote in which the cursor stands or empty, `closed` whether it ends on the line. `lead` is put in
    front: a blank, a dash. `brackets`: the entry is to become a list. `comma`: another entry stands
    below it. `last`: nothing stands behind it on the line.
    """

    quote: str = ""
    closed: bool = False
    flow: bool = False
    lead: str = ""
    brackets: bool = False
    preferred: str = '"'
    comma: bool = False
    last: bool = True

    def write(self, text: str, *, partial: bool) -> Written:
        """An entry in the quotes that stand there, or in new ones where YAML needs them."""
        comma = "," if self.comma else ""
        if self.quote:
            inner = text.replace("'", "''") if self.quote == "'" else text.replace("\\", "\\\\").replace('"', '\\"')
            return _ended(self.lead + inner, ("" if self.closed else self.quote) + comma, partial, self.last)
        scalar = plain_or_quoted(text, self.preferred, flow=self.flow or self.brackets)
        inner, close = (scalar, "") if scalar == text else (scalar[:-1], scalar[-1])
        opening, end = ("[", "]") if self.brackets else ("", "")
        return _ended(self.lead + opening + inner, close + end + comma, partial, self.last)


@dataclass(frozen=True, slots=True)
class CodeStyle:
    """An entry of Markdown: in the code marks in which the cursor stands, or in new ones.

    `last`: nothing stands behind it in its item or on its line.
    """

    opened: bool = False
    closed: bool = False
    lead: str = ""
    last: bool = True

    def write(self, text: str, *, partial: bool) -> Written:
        """An entry in code marks."""
        return _ended(self.lead + ("" if self.opened else "`") + text, "" if self.closed else "`", partial, self.last)


@dataclass(frozen=True, slots=True)
class BesidePlainStyle:
    """An entry of a Markdown item whose other entries have no code marks.

    It is written as they are where it `is_plain` and no mark is open; else in code marks, as all `others` then are.
    """

    code: CodeStyle
    others: tuple[Span, ...]
    is_plain: Callable[[str], bool]

    @property
    def lead(self) -> str:
        """What has to stand in front of the entry."""
        return self.code.lead

    def can(self, text: str) -> bool:
        """Whether the entry can be written without the loss of another."""
        return bool(self.others) or (not self.code.opened and self.is_plain(text))

    def write(self, text: str, *, partial: bool) -> Written:
        """An entry without code marks, or in them with the others."""
        if not self.code.opened and self.is_plain(text):
            return Written(self.lead + text)
        marks = (TextEdit(Span(at, at), "`") for span in self.others for at in (span.start, span.end))
        return replace(self.code.write(text, partial=partial), also=tuple(marks))


@dataclass(frozen=True, slots=True)
class TextStyle:
    """A text without marks: a heading."""

    lead: str = ""

    def write(self, text: str, *, partial: bool) -> Written:
        """The text itself."""
        return Written(self.lead + text)


@dataclass(frozen=True, slots=True)
class Place:
    """A place for an entry or a value.

    `path` are the keys above it, `list` the list that it belongs to. `span` is what is replaced, `before` and `after`
    what the author wrote of it in front of the cursor and behind it.
    """

    path: tuple[str, ...]
    list: ListName | None
    span: Span
    before: str
    after: str
    style: Style


def in_snippet(text: str) -> str:
    """A text as a snippet stands for it: its own signs escaped."""
    return _SNIPPET_SIGN.sub(r"\\\g<0>", text)


def _ended(text: str, end: str, partial: bool, last: bool) -> Written:
    if not partial or not end:
        return Written(text + end)
    # Without a tab stop the cursor would stand behind what ends the entry: the next answer writes the end, unless what
    # stands behind would be taken into the entry meanwhile.
    return Written(text if last else text + end, f"{in_snippet(text)}$0{in_snippet(end)}")
