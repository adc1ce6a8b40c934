"""A comment that asks for silence where there is nothing to say.

## What it finds
A code in `rules-lsp: ignore[…]` that no check has, or that is not found on the lines that the comment covers: its own,
and the next one where the comment stands alone; and a comment that names no code, or is not written like that, and
so ignores nothing. Of checks that look at the project's files, servers and tools nothing
is said: what they find is another thing on another machine. A fault for which the whole file is not read cannot be
ignored.

## Why it matters
It hides the next fault of its kind, which may be a real one.

## Example
```yaml
denied_tools:
  # rules-lsp: ignore[duplicate-entry] both agents need it
  - Bash
```

## Instead
```yaml
denied_tools:
  - Bash
  # rules-lsp: ignore[duplicate-entry] both agents need it
  - Bash
```
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.kinds import WITH_PROMPTER
from rules_lsp.checks.common.lines import whole_lines
from rules_lsp.checks.common.nearest import Nearest
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.suppressions import SuppressedCode, Suppression
from rules_lsp.checks.common.unread_ignores import UnreadIgnore, codes_meant
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.text import Span, Text

CODE = "unused-ignore"
_LINES = 100
_LOOK_AT_THE_TEXT = frozenset(
    {
        "allowed-and-denied",
        "ambiguous-scalar",
        "argument-pattern",
        "builtins-denied",
        "comma-in-entry",
        "duplicate-entry",
        "duplicate-id",
        "duplicate-key",
        "duplicate-section",
        "empty-list",
        "empty-section",
        "escaped-backslash",
        "fullwidth-punctuation",
        "illegal-action",
        "illegal-key",
        "invalid-expression",
        "invalid-glob",
        "limit-on-denial",
        "missing-companions",
        "missing-key",
        "missing-schema-line",
        "missing-space",
        "near-miss-heading",
        "negated-entry",
        "negated-pattern",
        "never-matching-rule",
        "null-value",
        "refused-action",
        "reserved-category",
        "scalar-for-list",
        "section-in-code",
        "stray-double-star",
        "swallowed-comment",
        "syntax-error",
        "unclosed-fence",
        "unedited-template",
        "unknown-key",
        "unknown-piece",
        "unknown-value",
        "unlimited-injection",
        "unplaced-pattern",
        "unquoted-entry",
        "unquoted-glob",
        "unreadable-section-content",
        "wrong-type",
    }
)
"""The checks whose findings depend on the text alone: only of them is it sure that there is nothing to ignore."""


def unused_ignores(
    subject: Subject,
    suppressions: Iterable[Suppression],
    used: Collection[SuppressedCode],
    ran: Collection[str],
    known: Collection[str],
) -> Iterator[Diagnostic]:
    """What is wrong with the comments of a subject.

    `used` are the codes that hid something, `ran` the codes of the checks that ran, `known` all codes that exist.
    """
    names = Nearest(known)
    for suppression in suppressions:
        if not suppression.codes:
            message = "this comment names no code, so nothing is ignored: write one between the brackets"
            yield Diagnostic(CODE, "warning", message, suppression.span, (), (_without_comment(subject, suppression),))
        for number, each in enumerate(suppression.codes):
            fault = _fault(subject, suppression, each, used, ran, known, names)
            if fault is None:
                continue
            message, meant = fault
            if meant is not None:
                edit = TextEdit(each.span, meant)
                yield Diagnostic(CODE, "warning", message, each.span, (), (Fix(f"write `{meant}`", (edit,), False),))
            else:
                yield Diagnostic(CODE, "warning", message, each.span, (), (_without(subject, suppression, number),))


def unread_ignores(
    subject: Subject, ignores: Iterable[UnreadIgnore], found: Iterable[Diagnostic], known: Collection[str]
) -> Iterator[Diagnostic]:
    """The comments that ask for silence in vain; `found` is what the checks find, `known` all codes that exist."""
    codes_of_line: dict[int, list[str]] = {}
    for each in found:
        if not subject.is_error(each.code, each.span):
            codes_of_line.setdefault(subject.text.line_of(each.span.start), []).append(each.code)
    for ignore in ignores:
        codes, span = codes_meant(subject, ignore, known)
        named = bool(codes)
        if not named:
            lines = range(ignore.first, min(ignore.last, ignore.first + _LINES) + 1)
            codes, span = [code for line in lines for code in codes_of_line.get(line, ())], ignore.sign
        if codes:
            written = f"rules-lsp: ignore[{', '.join(dict.fromkeys(codes))}]"
            fix = Fix(f"write `{written}`", (TextEdit(span, written),), named)
        else:
            written = "rules-lsp: ignore[code]"
            fix = _removed(subject, ignore.span, ignore.alone)
        cause = "is not written as one that ignores" if named else "names no code, so nothing is ignored"
        yield Diagnostic(CODE, "warning", f"this comment {cause}: write `{written}`", ignore.span, (), (fix,))


def _fault(
    subject: Subject,
    suppression: Suppression,
    each: SuppressedCode,
    used: Collection[SuppressedCode],
    ran: Collection[str],
    known: Collection[str],
    names: Nearest,
) -> tuple[str, str | None] | None:
    """What is wrong with a code, and the code that was meant, if that is known; None where it is right."""
    if each in used or each.code == CODE:
        return None
    if each.code not in known:
        meant = names.to(each.code)
        hint = f"did you mean `{meant}`?" if meant is not None else "remove it"
        return f"`{each.code}` is no check, so nothing is ignored: {hint}", meant
    error = subject.error
    if error is not None:
        line = subject.text.line_of(error.span.start)
        if error.code == each.code and suppression.covers(line):
            return f"`{each.code}` is why the file is not read, and cannot be ignored: repair it", None
        # Behind a fault of the whole file others are not found.
        return None
    if each.code in ran and each.code in _LOOK_AT_THE_TEXT:
        lines = "this line" if suppression.first == suppression.last else "this line or the next"
        return f"`{each.code}` is not found on {lines}, so nothing is ignored: remove it", None
    return None


def _without(subject: Subject, suppression: Suppression, number: int) -> Fix:
    """The comment without one of its codes, and where that is the only one, no comment."""
    codes = suppression.codes
    if len(codes) == 1:
        return _without_comment(subject, suppression)
    gone = codes[number].span
    span = Span(codes[number - 1].span.end, gone.end) if number else Span(gone.start, codes[1].span.start)
    return Fix(f"remove `{codes[number].code}`", (TextEdit(span, ""),))


def _without_comment(subject: Subject, suppression: Suppression) -> Fix:
    return _removed(subject, suppression.span, suppression.alone)


def _removed(subject: Subject, span: Span, alone: bool) -> Fix:
    text = subject.text
    before = text.content[text.line_span(text.line_of(span.start)).start : span.start]
    if alone and not before.strip():
        return Fix("remove the comment", (TextEdit(whole_lines(text, span), ""),))
    return Fix("remove the comment", (TextEdit(_with_blanks(text, span), ""),))


def _with_blanks(text: Text, span: Span) -> Span:
    start = span.start
    while start and text.content[start - 1] in " \t":
        start -= 1
    return Span(start, span.end)


def _find(subject: Subject) -> Iterator[Diagnostic]:
    """Nothing: what is unused is known only when the other checks have run."""
    return iter(())


CHECK = Check.documented(CODE, "warning", _find, __doc__, Stage.BESIDE, "either", kinds=WITH_PROMPTER)
