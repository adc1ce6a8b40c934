"""The files of a project that do not govern it: rule files that lose, files that only look like one, server files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from rules_lsp.checks.common.kinds import NEIGHBOUR_KINDS, NEIGHBOUR_NAMES, SERVER_KINDS, kind_of_file, neighbour_kind
from rules_lsp.checks.common.subject import Subject, subjects_in_force
from rules_lsp.policy.config import DEFAULT_RULE_FILES, RuleFileName
from rules_lsp.policy.files import read_file
from rules_lsp.policy.policy import Policy, RuleFile
from rules_lsp.source.records import replace
from rules_lsp.source.text import Text
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.server_files import read_server_files

_NEAR = re.compile(
    r"(?:\.coding[-_]agents?[-_]rules?\.(?P<extension>ya?ml|md|markdown)|coding[-_]agents?[-_]rules?\.(?P<bare>ya?ml))",
    re.IGNORECASE,
)
_DIRECTORIES = (".github", ".vscode", ".config", ".claude", ".cursor")
_WITHOUT_RULES = SERVER_KINDS | NEIGHBOUR_KINDS - {"instructions"}
_OTHERS = frozenset({"node_modules", "site-packages", ".venv", "venv", ".git"})


def subjects_of_project(policy: Policy, files: FileInventory | None = None) -> list[Subject]:
    """The saved files of a project that are checked: those in force, and those beside them for what they are.

    Without `files` only the root and the directories where a rule file is often misplaced are looked at.
    """
    root = policy.root
    found = {subject.path: subject for subject in subjects_in_force(policy)}
    for subject in _not_in_force(policy, files):
        found.setdefault(subject.path, subject)
    for file in read_server_files(root.real):
        path = root.absolute(file.name)
        governing = found.get(path)
        if governing is not None:
            problems = sorted((*governing.problems, *file.problems), key=lambda problem: problem.span)
            found[path] = replace(governing, problems=tuple(problems))
        else:
            subject = Subject.of_text(file.name, file.text, path=path, root=root, known_servers=policy.known_servers)
            if subject.problems or file.problems:
                found[path] = subject if subject.problems else replace(subject, problems=file.problems)
    for name in _neighbours(root.real, files):
        path, kind = root.absolute(name), neighbour_kind(name)
        if path not in found and os.path.lexists(path):
            found[path] = Subject.of_file(path, name=name, kind=kind, root=root, known_servers=policy.known_servers)
    return list(found.values())


def _neighbours(root: str, files: FileInventory | None) -> Iterator[str]:
    """The root-relative names of files that are no rule files by their names, those in their one place first."""
    yield from NEIGHBOUR_NAMES
    near = (
        f"{directory}/{name}".lstrip("/")
        for directory in ("", *_DIRECTORIES)
        for name in _names_in(os.path.join(root, directory))
    )
    for name in files.files if files is not None else near:
        if neighbour_kind(name) is not None:
            yield name


def relative_name(subject: Subject) -> str | None:
    """The root-relative name of a subject, or None where its project is not known or it is no rule file."""
    if subject.root is None or subject.kind in _WITHOUT_RULES:
        return None
    return subject.name if subject.path is None else subject.root.relative(subject.path)


def order_of(policy: Policy) -> dict[str, int]:
    """The places of the rule files in the order that holds, by their root-relative names; none outside of the root."""
    root = policy.root
    order: dict[str, int] = {}
    for entry in policy.config.rule_files:
        path = os.path.normpath(os.path.join(root.real, entry.name))
        name = root.relative(path) if "\0" not in entry.name else None
        if name:
            order.setdefault(name, len(order))
    return order


def superseding(policy: Policy, name: str, order: dict[str, int]) -> RuleFile | None:
    """The rule file in force, if it stands above the root-relative `name` in the order and is another file."""
    above, root = policy.rule_file, policy.root
    if above is None or name not in order or order.get(above.name, len(order)) >= order[name]:
        return None
    same = os.path.realpath(root.absolute(above.name)) == os.path.realpath(root.absolute(name))
    return None if same else above


def left_out_of_order(policy: Policy, name: str, order: dict[str, int]) -> RuleFileName | None:
    """The first entry of a configured `rule_files` that leaves out an ordinary name, or None.

    `.github/AGENTS.md` may stand there for something else.
    """
    if name not in DEFAULT_RULE_FILES[:2] or name in order:
        return None
    return next((entry for entry in policy.config.rule_files if entry.span is not None), None)


def _not_in_force(policy: Policy, files: FileInventory | None) -> Iterator[Subject]:
    root, order = policy.root, order_of(policy)
    for name in dict.fromkeys((*order, *DEFAULT_RULE_FILES)):
        exists = os.path.lexists(root.absolute(name))
        if exists and (superseding(policy, name, order) or left_out_of_order(policy, name, order)):
            yield _bystander(policy, name)
    for name in dict.fromkeys(_candidates(root.real, files)):
        if name not in order and not (policy.fold_case and name.casefold() == (canonical_name(name) or "").casefold()):
            yield _bystander(policy, name)


def _bystander(policy: Policy, name: str) -> Subject:
    path = policy.root.absolute(name)
    text = Text(read_file(path, policy.root.real).text()[0])
    return Subject(
        name, path, kind_of_file(name), text, None, (), policy.root, policy.known_servers, policy=policy, governs=False
    )


def _candidates(root: str, files: FileInventory | None) -> Iterator[str]:
    """The root-relative names of files that look like a rule file and are none."""
    for directory in ("", *_DIRECTORIES):
        for name in _names_in(os.path.join(root, directory)):
            path = f"{directory}/{name}" if directory else name
            if canonical_name(path) is not None:
                yield path
    for path in files.files if files is not None else ():
        if canonical_name(path) is not None:
            yield path


def _names_in(directory: str) -> list[str]:
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []


def canonical_name(name: str) -> str | None:
    """The root-relative name that a rule file of this name should have, or None where it is no slip of one.

    A file of a default name in a directory of its own governs that directory, unless nobody looks for one there.
    """
    *directories, base = name.split("/")
    near = _NEAR.fullmatch(base)
    if near is None or _OTHERS.intersection(directories):
        return _github_name(name)
    extension = (near["extension"] or near["bare"]).casefold()
    right = ".coding-agent-rules." + ("md" if extension in ("md", "markdown") else "yaml")
    if directories[:1] and directories[0] in _DIRECTORIES:
        return right if len(directories) == 1 else None
    return "/".join((*directories, right)) if base != right else None


def _github_name(name: str) -> str | None:
    right = DEFAULT_RULE_FILES[-1]
    return right if name != right and name.casefold() == right.casefold() else None
