"""Between the package's own types and those of the protocol, both ways; the only place that knows both.

Inside, a place is a `Span` of code points, half-open, base 0. Outside it is a range of lines and characters, both base
0, the characters in units of the encoding that was negotiated. What the editor sends may lie past the end of a line or
of the text; what goes out never does.
"""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from rules_lsp.checks.common.base import Diagnostic
from rules_lsp.features.hover import Hover
from rules_lsp.features.markup import plain
from rules_lsp.lsp.state import ClientFlags, OpenDocument
from rules_lsp.policy.policy import Document
from rules_lsp.source.text import Encoding, Position, Range, Span, Text
from rules_lsp.source.uri import to_uri

SOURCE = "rules-lsp"
_ENCODINGS: dict[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
}


def encoding_of(kind: types.PositionEncodingKind | str) -> Encoding:
    """The encoding that a client and this server agreed on."""
    return _ENCODINGS[kind.value if isinstance(kind, types.PositionEncodingKind) else kind]


def offset_of(text: Text, position: types.Position, encoding: Encoding) -> int:
    """The offset of a position in a text."""
    return text.offset(Position(position.line, position.character), encoding)


def span_of(text: Text, range_: types.Range, encoding: Encoding) -> Span:
    """The span of a range in a text."""
    start = Position(range_.start.line, range_.start.character)
    return text.span(Range(start, Position(range_.end.line, range_.end.character)), encoding)


def range_of(text: Text, span: Span, encoding: Encoding) -> types.Range:
    """The range of a span of a text."""
    start, end = text.position(span.start, encoding), text.position(span.end, encoding)
    return types.Range(types.Position(start.line, start.character), types.Position(end.line, end.character))


def changed_text(text: Text, changes: Iterable[types.TextDocumentContentChangeEvent], encoding: Encoding) -> Text:
    """The text after the changes of one notification, each of which counts on the one before it."""
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            span = span_of(text, change.range, encoding)
            text = Text(text.content[: span.start] + change.text + text.content[span.end :])
        else:
            text = Text(change.text)
    return text


def diagnostic_of(
    document: OpenDocument, text: Text, found: Diagnostic, encoding: Encoding, flags: ClientFlags
) -> types.Diagnostic:
    """A diagnostic of a document; `text` is what its spans count in."""
    related = None
    if flags.related_information and found.related:
        related = [
            types.DiagnosticRelatedInformation(
                _location(document, text, place.document, place.span, encoding), place.message
            )
            for place in found.related
        ]
    return types.Diagnostic(
        range=range_of(text, found.span, encoding),
        message=found.message,
        severity=_SEVERITIES[found.severity],
        code=found.code,
        source=SOURCE,
        related_information=related,
    )


def hover_of(text: Text, found: Hover, encoding: Encoding, flags: ClientFlags) -> types.Hover:
    """A hover, in Markdown where the client shows it."""
    kind = types.MarkupKind.Markdown if flags.markdown_hover else types.MarkupKind.PlainText
    value = found.markdown if flags.markdown_hover else plain(found.markdown)
    return types.Hover(types.MarkupContent(kind, value), range_of(text, found.span, encoding))


def _location(
    document: OpenDocument, text: Text, other: Document | None, span: Span, encoding: Encoding
) -> types.Location:
    if other is None:
        return types.Location(document.uri, range_of(text, span, encoding))
    return types.Location(to_uri(other.path), range_of(other.text, span, encoding))
