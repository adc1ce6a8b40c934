"""A fenced `yaml` block in a section: its lists, with places in the Markdown document."""

from __future__ import annotations

from rules_lsp.policy.markdown.headings import Side, side_name
from rules_lsp.policy.model import ListName, RuleList
from rules_lsp.policy.yaml.lists import Report, kind_of, read_list
from rules_lsp.source.markdown import Code
from rules_lsp.source.problem import Problem, Related
from rules_lsp.source.records import replace
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence, parse_yaml, resolve


def is_yaml_fence(code: Code) -> bool:
    """Whether a code block is a fence marked as YAML."""
    words = (code.info or "").split()
    return bool(words) and words[0].casefold() in ("yaml", "yml")


def read_yaml_fence(
    text: Text, code: Code, name: ListName, sided: bool, report: Report
) -> tuple[tuple[Side | None, RuleList], ...]:
    """The lists that a fence specifies, each with the side that its key names, None for a bare list.

    `name` is the list that a bare one belongs to; `sided` tells whether `include:` and `exclude:` are keys here. A
    fence without content gives no list; one that cannot be read gives a broken list.
    """
    places = _Places(text, code)
    inner = Text(places.content)
    problems: list[Problem] = []
    document = parse_yaml(inner)
    problems.extend(document.problems)
    root = resolve(document.root) if document.root is not None else None
    found: list[tuple[Side | None, RuleList]] = []
    if document.error is not None:
        message = f"the `yaml` block does not parse: {document.error.message}"
        found.append((None, RuleList(name, document.error.span, (), message)))
    elif isinstance(root, Mapping):
        found += _mapping(inner, root, name, sided, problems)
    elif root is not None and not (isinstance(root, Scalar) and root.is_null):
        found.append((None, _bare_list(inner, root, name, problems)))
    for problem in problems:
        report(places.problem(problem))
    return tuple((side, places.rule_list(rules)) for side, rules in found)


def _bare_list(inner: Text, root: Node, name: ListName, problems: list[Problem]) -> RuleList:
    if isinstance(root, Scalar):
        root = Sequence((root,), root.token, False)
    if isinstance(root, Sequence) and not root.items:
        return RuleList(name, root.span)
    first = inner.line_span(inner.line_of(root.token.start))
    return read_list(inner, root, name, first, problems.append) or RuleList(name, first)


def _mapping(
    inner: Text, root: Mapping, name: ListName, sided: bool, problems: list[Problem]
) -> list[tuple[Side | None, RuleList]]:
    found: list[tuple[Side | None, RuleList]] = []
    for key, value in root.pairs:
        side = side_name(key.value) if sided and isinstance(key, Scalar) else None
        if side is None:
            keys = "`include:` and `exclude:`, or a list" if sided else "a list"
            message = f"a `yaml` block in this section holds {keys}, and this is {kind_of(root)} with other keys"
            problems.append(Problem("wrong-type", message, key.token))
            found.append((None, RuleList(name, key.token, (), message)))
            continue
        list_name: ListName = "file_patterns.include" if side == "include" else "file_patterns.exclude"
        rules = read_list(inner, value, list_name, key.token, problems.append)
        if rules is not None:
            found.append((side, rules))
    return found


class _Places:
    """The content of an indented fence as one text, and the way back to the document."""

    def __init__(self, text: Text, code: Code) -> None:
        self._lines = code.lines or (Span(code.opening.end, code.opening.end),)
        self.content = "\n".join(text.slice(line) for line in self._lines)
        self._inner = Text(self.content)

    def span(self, span: Span) -> Span:
        start = self._place(span.start)
        return Span(start, max(start, self._place(span.end)))

    def problem(self, problem: Problem) -> Problem:
        related = tuple(Related(self.span(other.span), other.message) for other in problem.related)
        return replace(problem, span=self.span(problem.span), related=related)

    def rule_list(self, rules: RuleList) -> RuleList:
        entries = tuple(replace(entry, span=self.span(entry.span)) for entry in rules.entries)
        return replace(rules, span=self.span(rules.span), entries=entries)

    def _place(self, offset: int) -> int:
        number = min(self._inner.line_of(offset), len(self._lines) - 1)
        line = self._lines[number]
        return min(line.start + offset - self._inner.line_span(number).start, line.end)
