"""What a check is made of: its diagnostics, their fixes, and the check itself as a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from typing import Literal

from rules_lsp.checks.common.documentation import Documentation, parse_documentation
from rules_lsp.checks.common.kinds import RULE_KINDS, FileKind
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.policy import Document
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem, Severity
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

MAX_DIAGNOSTICS = 1000


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of the checked text that removes a diagnostic. `title` is an imperative without a final period.

    A `safe` fix does what the author certainly meant and may be applied without a question; one that is not safe is
    a guess. The edits belong together: all of them are made or none. `rename` moves the file itself: the old and the
    new root-relative name; such a fix has no edits. One that `widens` takes a limit away: it is made only where a
    person chooses just it, never together with others.
    """

    title: str
    edits: tuple[TextEdit, ...]
    safe: bool = True
    rename: tuple[str, str] | None = None
    widens: bool = False


@dataclass(frozen=True, slots=True)
class RelatedPlace:
    """Another place that belongs to a diagnostic; `document` is None where it is in the checked text itself."""

    span: Span
    message: str
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding in one text: a stable code, a sentence, an exact place, and how to repair it, the best fix first."""

    code: str
    severity: Severity
    message: str
    span: Span
    related: tuple[RelatedPlace, ...] = ()
    fixes: tuple[Fix, ...] = ()


Find = Callable[[Subject], Iterable[Diagnostic]]
FixesOf = Callable[[Subject, Problem], Iterable[Fix]]


FixKind = Literal["none", "safe", "unsafe", "either", "widening"]
"""What a check offers to repair its fault: of what is `either`, a fix is safe in one case and a guess in another."""
Reach = Literal["range", "line", "value"]
"""The text that a finding speaks of: its range, the whole of its lines, or a key and the single value behind it."""


class Stage(IntEnum):
    """Where a fault lies, from the characters to the rules as a whole; see `rules_lsp.checks.common.precedence`.

    What is `BESIDE` is said whatever else is wrong in its place: what the file as a whole is, or leaves open.
    """

    TEXT = 0
    """Characters that are not what they are meant for."""
    SYNTAX = 1
    """Text that does not parse, for no reason that is known better."""
    SHAPE = 2
    """Keys, kinds of values, headings, sections."""
    REPEATED = 3
    """An entry that stands there already."""
    ENTRY = 4
    """An entry by itself."""
    PROJECT = 5
    """An entry and the files, servers and tools that there are."""
    TOGETHER = 6
    """Entries and lists together."""
    BESIDE = 7
    PROVED = 8
    """An entry that has no effect beside the others as they stand."""


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of fault: its name, how grave it is by default, the function that finds it, what a person reads.

    `stage` and `reach` say which findings of other checks it explains, and `fixes` what it offers. A check that is not
    `on` is run only where its code is asked for. One that is `about_the_file` looks at what a file is to the project,
    and runs also on a file that does not govern it. `kinds` are the files that it looks at.
    """

    code: str
    severity: Severity
    find: Find
    documentation: Documentation
    stage: Stage
    fixes: FixKind
    reach: Reach = "range"
    on: bool = True
    about_the_file: bool = False
    kinds: frozenset[FileKind] = RULE_KINDS

    @classmethod
    def documented(
        cls,
        code: str,
        severity: Severity,
        find: Find,
        docstring: str | None,
        stage: Stage,
        fixes: FixKind,
        *,
        reach: Reach = "range",
        on: bool = True,
        about_the_file: bool = False,
        kinds: frozenset[FileKind] = RULE_KINDS,
    ) -> Check:
        """A check with the documentation of its module's docstring. Raises ValueError where that has another form."""
        return cls(code, severity, find, parse_documentation(docstring), stage, fixes, reach, on, about_the_file, kinds)


def diagnostic_of(problem: Problem, fixes: Iterable[Fix] = ()) -> Diagnostic:
    """What reading found, as a diagnostic."""
    related = tuple(RelatedPlace(place.span, place.message) for place in problem.related)
    return Diagnostic(problem.code, problem.severity, problem.message, problem.span, related, tuple(fixes))


def no_fixes(subject: Subject, problem: Problem) -> Iterable[Fix]:
    """The fixes of a fault that only the author can repair."""
    return ()


def found_by_reading(code: str, fixes_of: FixesOf = no_fixes) -> Find:
    """The `find` of a check whose fault reading has found: its problems of that code, each with its fixes.

    Fixes are made for the first `MAX_DIAGNOSTICS` only: no more are shown.
    """

    def find(subject: Subject) -> Iterator[Diagnostic]:
        for number, problem in enumerate(problem for problem in subject.problems if problem.code == code):
            yield diagnostic_of(problem, fixes_of(subject, problem) if number < MAX_DIAGNOSTICS else ())

    return find
