"""Comments that are meant to ask for silence and do not: they name no code, or have other marks around them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.suppressions import comments_in, covered_blocks, covered_lines
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

_SIGN = r"(?P<sign>rules-lsp[ \t]{0,9}:[ \t]{0,9}ignore(?![\w-])|rules-lsp[ \t]{1,9}ignore(?=[ \t]{0,9}\[))"
_YAML = re.compile(rf"(?:^|(?<=[\s\ufeff]))#[ \t]*{_SIGN}[^\r\n]*", re.MULTILINE | re.IGNORECASE)
_MARKDOWN = re.compile(rf"(?<!`)<!--\s{{0,9}}{_SIGN}", re.IGNORECASE)
_OPENING = re.compile(r"[\s\[({<:=]*")
_CODE = re.compile(r"[\w-]+")
_BETWEEN = re.compile(r"[ \t]*[,;|&][ \t]*|[ \t]+")
_CLOSING = re.compile(r"[ \t]*[\])}>]")


@dataclass(frozen=True, slots=True)
class UnreadIgnore:
    """One such comment: all of it, where its request begins, and the lines that it would cover, base 0.

    `alone` tells whether nothing else stands on its lines.
    """

    span: Span
    sign: Span
    first: int
    last: int
    alone: bool


def unread_ignores_of(subject: Subject, read: Collection[Span]) -> Iterator[UnreadIgnore]:
    """The comments of a file that ask for silence in vain, in order; `read` are those that are understood."""
    if "rules-lsp" not in subject.text.content.lower():
        return
    starts = {span.start for span in read}
    found = [each for each in comments_in(subject, _YAML, _MARKDOWN) if each.match.start() not in starts]
    blocks = covered_blocks(subject) if found else {}
    for comment in found:
        first, last, alone = covered_lines(subject, comment, blocks)
        span = Span(comment.match.start(), comment.end)
        yield UnreadIgnore(span, Span(*comment.match.span("sign")), first, last, alone)


def codes_meant(subject: Subject, ignore: UnreadIgnore, known: Collection[str]) -> tuple[list[str], Span]:
    """The codes that stand behind the request, in their own writing, and the span from its sign to the last of them."""
    content, end = subject.text.content, ignore.sign.end
    at = end + len(_text(_OPENING, content, end))
    codes: list[str] = []
    while (word := _CODE.match(content, at, ignore.span.end)) is not None:
        code = word.group().lower().replace("_", "-")
        if code not in known:
            break
        codes.append(code)
        end = word.end()
        at = end + len(_text(_BETWEEN, content, end))
    return codes, Span(ignore.sign.start, end + len(_text(_CLOSING, content, end)))


def _text(pattern: re.Pattern[str], content: str, at: int) -> str:
    match = pattern.match(content, at)
    return match.group() if match is not None else ""
