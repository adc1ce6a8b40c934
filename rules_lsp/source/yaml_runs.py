"""Faults that repeat: the unquoted globs that follow one in the same list.

A list of a thousand globs would have to be parsed a thousand times if each parse told of one of them. What follows is
taken for a fault of the same kind only where it cannot be anything else, and the search ends at the first entry of
which that is not plain: the next parse finds what is wrong from there on.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.source.expressions import expression
from rules_lsp.source.text import Span

# An alias is a name of these letters, and only some signs may follow it; no token begins with one of the others.
_NO_ALIAS = r"\*(?:[A-Za-z0-9_-]+[^\sA-Za-z0-9_\-?:,\[\]{}%@`]|[^\sA-Za-z0-9_,\[\]{}-])"
_END_OF_LINE = r"[ ]*(?:(?<=[ ])\#[^\r\n]*)?(?:\r\n|\r|\n|\Z)"
_EMPTY_LINE = expression(r"[ ]*(?:\#[^\r\n]*)?(?:\r\n|\r|\n)")
_REST_OF_LINE = expression(_END_OF_LINE)
_DASH = expression(r"[ ]*-[ ]+")
_FAULTY = rf"(?P<faulty>(?:{_NO_ALIAS}|[@`%]\S)\S*)"
_PLAIN = r"[A-Za-z0-9_./]\S*(?<!:)"
_QUOTED = r"""'[^'\r\n]*'|"[^"\\\r\n]*\""""
_BLOCK_VALUE = expression(rf"[ ]+(?:{_FAULTY}|{_PLAIN}|{_QUOTED}){_END_OF_LINE}")
_FAULTY_IN_FLOW = rf"(?P<faulty>(?:{_NO_ALIAS}|[@`%][^\s,\[\]{{}}])[^\s,\[\]{{}}]*)"
_PLAIN_IN_FLOW = r"""[A-Za-z0-9_./][^\s,\[\]{}:#"'?]*"""
_FLOW_ENTRY = expression(rf"[ ]*,[ \r\n]*(?:{_FAULTY_IN_FLOW}|{_PLAIN_IN_FLOW}|{_QUOTED})(?=[ ]*[,\]])")


def faults_behind(content: str, glob: Span) -> Iterator[Span]:
    """The unquoted globs behind one at whose first character the parser stopped, as far as they are plain."""
    line_start = max(content.rfind("\n", 0, glob.start), content.rfind("\r", 0, glob.start)) + 1
    dash = _DASH.fullmatch(content, line_start, glob.start)
    return _in_flow(content, glob.end) if dash is None else _in_block(content, glob.end, dash.group().rstrip(" "))


def _in_block(content: str, at: int, dash: str) -> Iterator[Span]:
    """`dash` is that of the list, with its indentation: what follows under it is an entry of the same list."""
    end = _REST_OF_LINE.match(content, at)
    while end is not None:
        at = end.end()
        end = _EMPTY_LINE.match(content, at)
        if end is None and content.startswith(dash, at):
            end = _BLOCK_VALUE.match(content, at + len(dash))
            if end is not None and end["faulty"] is not None:
                yield Span(*end.span("faulty"))


def _in_flow(content: str, at: int) -> Iterator[Span]:
    while (entry := _FLOW_ENTRY.match(content, at)) is not None:
        at = entry.end()
        if entry["faulty"] is not None:
            yield Span(*entry.span("faulty"))
