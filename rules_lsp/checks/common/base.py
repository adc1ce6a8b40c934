"""What a check is made of: its diagnostics, their fixes, and the check itself as a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rules_lsp.checks.common.documentation import Documentation, parse_documentation
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
    new root-relative name; such a fix has no edits.
    """

    title: str
    edits: tuple[TextEdit, ...]
    safe: bool = True
    rename: tuple[str, str] | None = None


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


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of fault: its name, how grave it is by default, the function that finds it, what a person reads.

    A check that is not `on` is run only where its code is asked for. One that is `about_the_file` looks at what a file
    is to the project, and runs also on a file that does not govern it. One that `yields` says nothing of an entry of
    which another check speaks, nor by reason of one: once that is repaired, it may say something else.
    """

    code: str
    severity: Severity
    find: Find
    documentation: Documentation
    on: bool = True
    about_the_file: bool = False
    yields: bool = False

    @classmethod
    def documented(
        cls,
        code: str,
        severity: Severity,
        find: Find,
        docstring: str | None,
        *,
        on: bool = True,
        about_the_file: bool = False,
        yields: bool = False,
    ) -> Check:
        """A check with the documentation of its module's docstring. Raises ValueError where that has another form."""
        return cls(code, severity, find, parse_documentation(docstring), on, about_the_file, yields)


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
