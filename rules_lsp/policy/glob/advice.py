"""What to do about a pattern that cannot be read."""

from __future__ import annotations

from rules_lsp.policy.glob.nodes import POSIX_CLASSES, GlobError, GlobErrorKind
from rules_lsp.policy.keys import edit_distance

_FARTHEST_CLASS = 2
_ADVICE: dict[GlobErrorKind, str] = {
    "line-break": "write one pattern a line",
    "too-long": "shorten it",
    "too-many-expansions": "write `*`, or several patterns",
    "unclosed-brace": r"add the `}`, or write `\{` for a plain one",
    "unclosed-class": r"add the `]`, or write `\[` for a plain one",
    "reversed-range": "put its lower end first",
    "unknown-class": "write `[:alpha:]` or such",
    "trailing-backslash": r"remove it, or write `\\` for a plain one",
}


def advice_for(error: GlobError, text: str) -> str:
    """What to write instead, an imperative; `text` is the pattern that the error is about."""
    written = text[error.start : error.end]
    if error.kind == "reversed-range" and len(written) == 3 and "\\" not in written:
        return f"write `{written[2]}-{written[0]}`"
    if error.kind == "unknown-class":
        near = _near_class(written.strip("[:]"))
        return _ADVICE[error.kind] if near is None else f"write `[:{near}:]`"
    return _ADVICE[error.kind]


def _near_class(name: str) -> str | None:
    ranked = sorted((edit_distance(name.lower(), known, _FARTHEST_CLASS + 1), known) for known in POSIX_CLASSES)
    if ranked[0][0] > _FARTHEST_CLASS or ranked[0][0] == ranked[1][0]:
        return None
    return ranked[0][1]
