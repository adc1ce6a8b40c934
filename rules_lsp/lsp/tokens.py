"""Semantic tokens as the protocol packs them: five numbers a token, counted from the one before it."""

from __future__ import annotations

from lsprotocol import types

from rules_lsp.features.semantic_tokens import TOKEN_TYPES, semantic_tokens
from rules_lsp.features.view import View
from rules_lsp.lsp.convert import span_of
from rules_lsp.lsp.language import viewed
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.source.text import Encoding, Span

LEGEND = types.SemanticTokensLegend(list(TOKEN_TYPES), [])
"""What the numbers mean; which requests there are, pygls tells the client by what is registered."""

_NUMBERS = {kind: number for number, kind in enumerate(TOKEN_TYPES)}
_WIDTH = 5


def full(server: RulesLanguageServer, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
    """The tokens of a document."""
    uri = params.text_document.uri
    found = viewed(server, uri)
    if found is None:
        return None
    data = packed(found[1], server.state.encoding)
    return types.SemanticTokens(data, _put(server, uri, data))


def delta(
    server: RulesLanguageServer, params: types.SemanticTokensDeltaParams
) -> types.SemanticTokens | types.SemanticTokensDelta | None:
    """What differs from the tokens that the client has; all of them where these are not known any more."""
    uri = params.text_document.uri
    found = viewed(server, uri)
    if found is None:
        return None
    before = server.state.sent_tokens.get(uri, params.previous_result_id)
    data = packed(found[1], server.state.encoding)
    identity = _put(server, uri, data)
    if before is None:
        return types.SemanticTokens(data, identity)
    return types.SemanticTokensDelta(edits_between(before, data), identity)


def of_range(server: RulesLanguageServer, params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
    """The tokens of a part of a document."""
    found = viewed(server, params.text_document.uri)
    if found is None:
        return None
    encoding = server.state.encoding
    return types.SemanticTokens(packed(found[1], encoding, span_of(found[1].subject.text, params.range, encoding)))


def packed(view: View, encoding: Encoding, within: Span | None = None) -> list[int]:
    """The tokens of a view, or of a part of it, as numbers."""
    text = view.subject.text
    numbers: list[int] = []
    line = character = 0
    whole, plain = text.line_span(0), False
    for token in semantic_tokens(view, within):
        span = token.span
        if not numbers or span.start > whole.end:
            number = text.line_of(span.start)
            lines, character, line = number - line, 0, number
            whole = text.line_span(line)
            plain = text.slice(whole).isascii()
        else:
            lines = 0
        # Where every character is one unit, as on nearly all lines, nothing has to be converted.
        start = span.start - whole.start if plain else text.position(span.start, encoding).character
        end = span.end - whole.start if plain else text.position(span.end, encoding).character
        numbers += (lines, start - character, end - start, _NUMBERS[token.type], 0)
        character = start
    return numbers


def edits_between(before: list[int], after: list[int]) -> list[types.SemanticTokensEdit]:
    """One edit that makes the numbers before to those after, over whole tokens; none where they are equal."""
    shorter = min(len(before), len(after))
    first = 0
    while first < shorter and before[first : first + _WIDTH] == after[first : first + _WIDTH]:
        first += _WIDTH
    last = 0
    while last < shorter - first and _token(before, last) == _token(after, last):
        last += _WIDTH
    if first == len(before) == len(after):
        return []
    return [types.SemanticTokensEdit(first, len(before) - last - first, after[first : len(after) - last])]


def _token(numbers: list[int], last: int) -> list[int]:
    """The token in front of the last so many numbers."""
    end = len(numbers) - last
    return numbers[end - _WIDTH : end]


def _put(server: RulesLanguageServer, uri: str, data: list[int]) -> str:
    return server.state.sent_tokens.put(uri, data)
