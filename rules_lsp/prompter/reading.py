"""The text of an `.auto-prompter.yaml` as rules and problems. Nothing raises, and what cannot be read holds back.

A rule with a fault is broken: the gate denies what it might have held back. A file with a fault outside of its rules
denies everything. A rule that is switched off holds nothing back, whatever else it says.
"""

from __future__ import annotations

from rules_lsp.policy.shell.patterns import CommandPattern, parse_command_pattern
from rules_lsp.policy.yaml.lists import first_line, kind_of
from rules_lsp.prompter.keys import TOP_LEVEL, VERSION
from rules_lsp.prompter.model import Rule, RuleSet
from rules_lsp.prompter.reading_rule import read_rule
from rules_lsp.prompter.values import Reader, Wrong, first_key_of
from rules_lsp.source.problem import Problem, Related
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence, YamlDocument, key_text, parse_yaml, resolve


@dataclass(frozen=True, slots=True)
class ReadRule:
    """A rule with its place: the whole of it, and its `id` where it has one."""

    rule: Rule
    span: Span
    id_span: Span | None


@dataclass(frozen=True, slots=True)
class PrompterRules:
    """What a text says. `rules` hold; `read` are the same with their places; `document` is the tree."""

    rules: RuleSet
    read: tuple[ReadRule, ...]
    problems: tuple[Problem, ...]
    document: YamlDocument


def read_auto_prompter(text: Text) -> PrompterRules:
    """Read the text of a file. A text that is empty has no rules."""
    document = parse_yaml(text)
    if document.error is not None:
        cause = f"the file cannot be read: {document.error.message}"
        return PrompterRules(RuleSet(refusal=cause), (), document.problems, document)
    reader = _File()
    root = resolve(document.root) if document.root is not None else None
    if not (root is None or (isinstance(root, Scalar) and root.is_null)):
        reader.file(root)
    problems = tuple(sorted((*document.problems, *reader.problems), key=lambda problem: problem.span))
    return PrompterRules(reader.rule_set(), tuple(reader.rules), problems, document)


def is_switched_off(text: Text) -> bool:
    """Whether the file's own switch is off; no rule is looked at."""
    document = parse_yaml(text)
    root = resolve(document.root) if document.root is not None else None
    if document.error is not None or not isinstance(root, Mapping):
        return False
    keys = [(key, value) for name, value in root.pairs if (key := key_text(name)) is not None]
    switches = [resolve(value) for key, value in keys if key.value == "enabled"]
    if len(switches) != 1 or any(key.is_merge for key, _ in keys):
        return False
    switch = switches[0]
    plain = isinstance(switch, Scalar) and not switch.style and switch.tag is None
    return plain and isinstance(switch, Scalar) and switch.value in ("false", "False", "FALSE")


class _File:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.rules: list[ReadRule] = []
        self._reader = Reader(self.problems.append)
        self._enabled = True
        self._dangerous: list[CommandPattern] = []
        self._refusal: str | None = None
        self._ids: dict[str, Span] = {}

    def rule_set(self) -> RuleSet:
        return RuleSet(self._enabled, tuple(each.rule for each in self.rules), tuple(self._dangerous), self._refusal)

    def file(self, root: Node) -> None:
        seen_version = False
        try:
            for key, value in self._reader.pairs(root, "the file", TOP_LEVEL):
                seen_version = seen_version or key.value == "version"
                self._guarded(key.value, value)
        except Wrong as wrong:
            self._refuse(str(wrong))
        if not seen_version and isinstance(root, Mapping):
            self._refuse(str(self._reader.refuse("missing-key", "`version: 1` is missing", first_key_of(root))))

    def _guarded(self, key: str, value: Node) -> None:
        try:
            if key == "version":
                if self._reader.integer(value, "`version`", 1) != VERSION:
                    raise self._reader.refuse("unknown-value", f"`version` must be {VERSION}", value.token)
            elif key == "enabled":
                self._enabled = self._reader.switch(value, "`enabled`")
            elif key == "x-dangerous":
                self._read_dangerous(value)
            else:
                self._read_rules(value)
        except Wrong as wrong:
            self._refuse(str(wrong))

    def _refuse(self, cause: str) -> None:
        self._refusal = self._refusal or f"the file cannot be read: {cause}"

    def _read_dangerous(self, node: Node) -> None:
        for text in self._reader.texts(node, "`x-dangerous`"):
            pattern = parse_command_pattern(text)
            if isinstance(pattern, str):
                raise self._reader.refuse("wrong-type", f"`{first_line(text)}` is no command: {pattern}", node.token)
            self._dangerous.append(pattern)

    def _read_rules(self, node: Node) -> None:
        value = resolve(node)
        if not isinstance(value, Sequence):
            told = kind_of(value) if value is not None else "inside itself"
            raise self._reader.refuse("wrong-type", f"`rules` must be a list and is {told}", node.token)
        for index, item in enumerate(value.items):
            found = read_rule(item, index, self.problems.append)
            rule = found.rule
            if found.id_span is not None:
                first = self._ids.setdefault(rule.id, found.id_span)
                if first is not found.id_span:
                    rule = self._duplicate(rule, found.id_span, first)
            self.rules.append(ReadRule(rule, item.token, found.id_span))

    def _duplicate(self, rule: Rule, span: Span, first: Span) -> Rule:
        message = f"the id `{rule.id}` stands twice: counters and approvals could not tell the rules apart"
        self.problems.append(Problem("duplicate-id", message, span, related=(Related(first, "first here"),)))
        return Rule({**rule.data, "broken": rule.broken or message})


__all__ = ["PrompterRules", "ReadRule", "is_switched_off", "read_auto_prompter"]
