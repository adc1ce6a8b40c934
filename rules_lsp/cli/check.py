"""`rules-lsp check`: what is wrong in rule files, as text or as JSON."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rules_lsp.checks import Diagnostic, Subject, kind_of_file, run_checks, subjects_in_force
from rules_lsp.cli.main import FOUND, OK, UsageError
from rules_lsp.cli.options import add_project_options, project_of
from rules_lsp.cli.render import rendered, style_for, summary, use_any_encoding
from rules_lsp.policy.config import DEFAULT_RULE_FILES
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.roots import Root
from rules_lsp.source.text import Span, Text
from rules_lsp.source.uri import to_uri
from rules_lsp.workspace.project import find_root, operator_config
from rules_lsp.workspace.servers import configured_servers

DESCRIPTION = "Find what is wrong in the rules of a project, or in the files that are named."
EXAMPLE = "rules-lsp check\n  rules-lsp check .coding-agent-rules.yaml --format json"
# A directory that bears a rule file's name is a rule file that cannot be read, and no project.
_FILE_NAMES = frozenset(os.path.basename(name) for name in DEFAULT_RULE_FILES)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a project's directory or a rule file")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print the findings")
    parser.add_argument("--no-color", action="store_true", help="print without colours")
    add_project_options(parser)


@dataclass(frozen=True, slots=True)
class _Checked:
    """A file, how it is called in the output, and what was found in it."""

    subject: Subject
    name: str
    diagnostics: list[Diagnostic]


def run(arguments: argparse.Namespace) -> int:
    """Print the findings; the exit code is 1 where there is an error or a warning, else 0."""
    use_any_encoding()
    notes: list[str] = []
    subjects = [subject for path in arguments.paths or [None] for subject in _subjects(path, arguments, notes)]
    checked = [_Checked(subject, _name_of(subject), run_checks(subject)) for subject in _once(subjects)]
    if arguments.format == "json":
        for note in notes:
            print(note, file=sys.stderr)
        print(json.dumps([item for each in checked for item in _as_json(each)], indent=2))
    else:
        _print(checked, notes, arguments.no_color)
    severities = {diagnostic.severity for each in checked for diagnostic in each.diagnostics}
    return FOUND if severities & {"error", "warning"} else OK


def _subjects(path: str | None, arguments: argparse.Namespace, notes: list[str]) -> Iterator[Subject]:
    if path is None:
        yield from _of_project(arguments.root, arguments, notes)
    elif not os.path.lexists(path):
        raise UsageError(f"{path}: there is no such file or directory")
    elif os.path.isdir(path) and os.path.basename(os.path.abspath(path)) not in _FILE_NAMES:
        yield from _of_project(path, arguments, notes)
    else:
        yield _of_file(os.path.abspath(path), arguments)


def _of_project(root: str | None, arguments: argparse.Namespace, notes: list[str]) -> list[Subject]:
    """The files in force; where there is no rule file, a note says so."""
    policy = project_of(argparse.Namespace(root=root, config=arguments.config)).policy()
    if policy.rule_file is None:
        notes.append(_without_rule_file(policy))
    return subjects_in_force(policy)


def _of_file(path: str, arguments: argparse.Namespace) -> Subject:
    root = Root.at(arguments.root or find_root(os.path.dirname(path)))
    config = operator_config(arguments.config)
    operator = config is not None and os.path.realpath(path) == os.path.realpath(config)
    return Subject.of_file(
        path,
        kind="config" if operator else kind_of_file(path),
        root=root if root.relative(path) is not None else None,
        known_servers=configured_servers(root.real),
        operator=operator,
    )


def _without_rule_file(policy: Policy) -> str:
    effect = "`default_rules` apply" if policy.config.default_rules is not None else "nothing is restricted inside it"
    return f"{_shortened(policy.root.given)}: the project has no rule file, so {effect}"


def _once(subjects: list[Subject]) -> Iterator[Subject]:
    """Each file once, though it was named twice."""
    seen: set[str | None] = set()
    for subject in subjects:
        if subject.path not in seen:
            seen.add(subject.path)
            yield subject


def _name_of(subject: Subject) -> str:
    return subject.name if subject.path is None else _shortened(subject.path)


def _shortened(path: str) -> str:
    """A path as seen from the working directory where it lies below it, else as it is."""
    try:
        here = os.path.relpath(path)
    except (OSError, ValueError):
        return path
    return path if here.startswith(os.pardir) else here


def _print(checked: list[_Checked], notes: list[str], no_color: bool) -> None:
    style = style_for(sys.stdout, no_color)
    for each in checked:
        for diagnostic in each.diagnostics:
            print("\n".join(rendered(diagnostic, each.name, each.subject.text, style)), end="\n\n")
    for note in notes:
        print(note)
    if checked:
        print(summary((diagnostic.severity for each in checked for diagnostic in each.diagnostics), len(checked)))


def _as_json(each: _Checked) -> Iterator[dict[str, Any]]:
    text = each.subject.text
    uri = to_uri(each.subject.path) if each.subject.path is not None else None
    for diagnostic in each.diagnostics:
        yield {
            "path": each.name,
            "uri": uri,
            "code": diagnostic.code,
            "severity": diagnostic.severity,
            "message": diagnostic.message,
            "range": _range(text, diagnostic.span),
            "related": [
                {
                    "uri": uri if place.document is None else place.document.uri,
                    "range": _range(text if place.document is None else place.document.text, place.span),
                    "message": place.message,
                }
                for place in diagnostic.related
            ],
            "fixes": [
                {
                    "title": fix.title,
                    "safe": fix.safe,
                    "edits": [{"range": _range(text, edit.span), "newText": edit.replacement} for edit in fix.edits],
                }
                for fix in diagnostic.fixes
            ],
        }


def _range(text: Text, span: Span) -> dict[str, dict[str, int]]:
    return text.range(span, "utf-16").as_json()
