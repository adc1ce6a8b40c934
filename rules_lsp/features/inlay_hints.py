"""What stands behind each pattern: how many files it takes, and what would be otherwise without it."""

from __future__ import annotations

from rules_lsp.features.code_lens import effect_in_words
from rules_lsp.features.view import View
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

_CLOSING = "'\"`"


@dataclass(frozen=True, slots=True)
class InlayHint:
    """A text to show at an offset, with a blank in front."""

    offset: int
    label: str


def inlay_hints(view: View, within: Span) -> tuple[InlayHint, ...]:
    """The hints of a part of the document; none while it does not parse or the files are not known."""
    counts = view.file_counts
    if counts is None or view.subject.error is not None:
        return ()
    content = view.subject.text.content
    found: list[InlayHint] = []
    for rules in (*view.subject.shown.include, *view.subject.shown.exclude):
        for entry in rules.entries:
            if entry.span.start > within.end or entry.span.end < within.start:
                continue
            count = counts.of(entry)
            if count is not None:
                end = entry.span.end
                closing = content[end : end + 1]
                quoted = closing != "" and closing in _CLOSING and content[entry.span.start - 1] == closing
                found.append(InlayHint(end + quoted, effect_in_words(count)))
    return tuple(sorted(found, key=lambda hint: hint.offset))
