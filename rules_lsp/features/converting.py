"""The rules of a Markdown file as a YAML file, and the other way round: other marks around the same decisions."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rules_lsp.checks.common.lines import line_break_of
from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.converting_comments import placed_comments
from rules_lsp.features.converting_text import Remarked, markdown_text, yaml_text
from rules_lsp.features.remarks import prose_to_keep, remarks_of
from rules_lsp.features.view import View
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.policy.model import Entry, RuleList, Rules
from rules_lsp.policy.policy import kind_of_rule_file
from rules_lsp.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Conversion:
    """A new file with the same rules. `name` is root-relative, `path` absolute; `title` says which of the two rules."""

    name: str
    path: str
    text: str
    title: str


def conversion(view: View) -> Conversion | None:
    """The file in the other format, or None: where a fault is to be repaired first, where the other format cannot say
    the same, where there is such a file already, or where no file of that format is in the order of rule files."""
    subject = view.subject
    name = _other_name(view)
    if name is None or not _is_whole(subject):
        return None
    path = view.saved.root.absolute(name)
    if os.path.lexists(path):
        return None
    text = _converted(subject)
    return None if text is None else Conversion(name, path, text, _title(view, name))


def _other_name(view: View) -> str | None:
    """The first rule file of the other format in the order."""
    kind = view.subject.kind
    order = [entry.name for entry in view.saved.config.rule_files]
    if kind not in ("yaml", "markdown") or view.subject.name not in order:
        return None
    return next((name for name in order if kind_of_rule_file(name) != kind), None)


def _title(view: View, name: str) -> str:
    order = [entry.name for entry in view.saved.config.rule_files]
    if order.index(name) < order.index(view.subject.name):
        return f"write these rules into a new `{name}`, which takes the place of this file"
    return f"write these rules into a new `{name}`, which is in force once this file is gone"


def _is_whole(subject: Subject) -> bool:
    """Whether nothing of a file is broken or says no where it should allow, and no list that allows stands twice."""
    rules = subject.shown
    broken = any(each.broken is not None for each in rules.lists()) or any(
        entry.broken is not None for each in rules.lists() for entry in each.entries
    )
    negated = any(each.negation is not None for each in subject.markdown_entries.values())
    twice = len(rules.allowed_tools) > 1 or len(rules.include) > 1
    faulty = any(problem.severity == "error" for problem in subject.problems)
    return subject.error is None and not (broken or negated or twice or faulty)


def _converted(subject: Subject) -> str | None:
    """The text of the other file with all that its author wrote, or None where that would count there.

    What stands beside an entry stays beside it unless it would count there.
    """
    rules = subject.shown
    line_break = line_break_of(subject.text)
    if not isinstance(subject.reading, MarkdownRules) and (rules.unprotected or rules.tool_paths):
        return None
    for remarks in (remarks_of(subject), {}):
        lists = _lists(rules, remarks)
        if isinstance(subject.reading, MarkdownRules):
            prose = prose_to_keep(subject.text, subject.reading, remarks)
            as_yaml = yaml_text(prose, lists, line_break)
            if _says_the_same(rules, as_yaml, prose):
                return as_yaml
        else:
            comments = placed_comments(subject, remarks)
            as_markdown = markdown_text(rules.system_prompt_extension, lists, line_break, comments)
            if as_markdown is not None and _says_the_same(rules, as_markdown, None):
                return as_markdown
    return None


def _lists(rules: Rules, remarks: dict[int, str]) -> dict[str, list[Remarked] | None]:
    """The entries of each list with their remarks; None where a list is not specified. Denying lists are united."""
    return {
        name: [Remarked(entry.text, remarks.get(entry.span.start, ""), entry.span.start) for entry in _entries(lists)]
        if lists
        else None
        for name, lists in _by_name(rules).items()
    }


def _by_name(rules: Rules) -> dict[str, tuple[RuleList, ...]]:
    return {
        "allowed_tools": rules.allowed_tools,
        "denied_tools": rules.denied_tools,
        "include": rules.include,
        "exclude": rules.exclude,
    }


def _entries(lists: Sequence[RuleList]) -> list[Entry]:
    return [entry for each in lists for entry in each.entries]


def _says_the_same(rules: Rules, text: str, extension: str | None) -> bool:
    """Whether a text has exactly the entries of some rules: one of YAML also that extension, else it is Markdown."""
    read = Subject.of_text("rules.md" if extension is None else "rules.yaml", text)
    if not _is_whole(read) or _texts(read.shown) != _texts(rules):
        return False
    return extension is None or read.shown.system_prompt_extension == _unified(extension)


def _texts(rules: Rules) -> dict[str, list[str] | None]:
    """The texts of each list; an empty denying list says nothing."""
    texts = {name: [entry.text for entry in _entries(each)] if each else None for name, each in _by_name(rules).items()}
    return {name: found or (None if name in ("denied_tools", "exclude") else found) for name, found in texts.items()}


def _unified(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
