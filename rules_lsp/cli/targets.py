"""What `check` looks at: the projects and files that the command line names, and the subjects of each."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator

from rules_lsp.checks.common.kinds import NEIGHBOUR_NAMES, kind_of_file
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.surroundings import Surroundings
from rules_lsp.cli.main import UsageError
from rules_lsp.cli.named_file import fault_of_named
from rules_lsp.cli.names import shortened
from rules_lsp.cli.options import operator_config_of, root_of
from rules_lsp.policy.config import DEFAULT_RULE_FILES, read_config
from rules_lsp.policy.files import read_file
from rules_lsp.policy.policy import CONFIG_NAME, Policy
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.finding import find_root
from rules_lsp.workspace.inventory import Progress
from rules_lsp.workspace.nested import projects_below
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.servers import configured_servers

# A directory that bears a rule file's name is a rule file that cannot be read, and no project.
_FILE_NAMES = frozenset(os.path.basename(name) for name in DEFAULT_RULE_FILES)
Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Target:
    """A project, or some of its files. All paths are absolute; `config` is the operator's configuration."""

    root: str
    config: str | None
    files: tuple[str, ...] = ()
    notes_absence: bool = False


def targets_of(arguments: argparse.Namespace, note: Note) -> list[Target]:
    """The targets in the order of the command line, each project and each file once. Raises `UsageError`.

    Without a path it is the project of the working directory. A directory is a project whether or not it holds rules;
    the nested projects below it follow.
    """
    config = operator_config_of(arguments)
    if "" in arguments.skip:
        raise UsageError("--skip needs the name of a directory")
    skip = frozenset(os.path.abspath(path) for path in arguments.skip)
    roots: dict[str, Target] = {}
    files: dict[str, list[str]] = {}
    order: list[tuple[str, bool]] = []
    for path in arguments.paths or [None]:
        if path is None or (_is_directory(path) and os.path.basename(os.path.abspath(path)) not in _FILE_NAMES):
            top = root_of(arguments) if path is None else os.path.abspath(path)
            for target in _of_tree(top, config, skip, note):
                if target.root not in roots:
                    roots[target.root] = target
                    order.append((target.root, True))
        else:
            file = os.path.abspath(path)
            root = _root_of_file(file, arguments)
            fault = fault_of_named(file, root, config)
            if fault is not None:
                raise UsageError(f"{path}: {fault}")
            if root not in files:
                order.append((root, False))
            files.setdefault(root, []).append(file)
    return [roots[root] if whole else Target(root, config, tuple(files[root])) for root, whole in order]


def _is_directory(path: str) -> bool:
    if not path:
        raise UsageError("an empty PATH names nothing: leave it out for the project of the working directory")
    if not os.path.lexists(path):
        raise UsageError(f"{path}: there is no such file or directory")
    return os.path.isdir(path)


def _of_tree(top: str, config: str | None, skip: frozenset[str], note: Note) -> list[Target]:
    def tell(error: OSError) -> None:
        path, cause = str(error.filename), (error.strerror or "unknown cause").lower()
        if path == top:
            raise UsageError(f"{shortened(top)}: it cannot be read ({cause})")
        note(f"{shortened(path)}: it cannot be read ({cause}), so projects below it are not checked")

    found = projects_below(top, rule_files=_order(config), skip=skip, on_error=tell)
    nested = [Target(root, config) for root in found if root != top]
    # Without a rule file too it can hold one that is misnamed, or tool servers that no rule restricts.
    return [Target(top, config, notes_absence=True), *nested]


def _order(config: str | None) -> tuple[str, ...]:
    """The names by which a project is known: those that the operator's configuration puts in force, or the usual."""
    if config is None:
        return DEFAULT_RULE_FILES
    return tuple(entry.name for entry in read_config(read_file(config), config, operator=True).rule_files)


def _root_of_file(path: str, arguments: argparse.Namespace) -> str:
    """The directory that a rule file governs, where its name says so, as it does in an editor."""
    if arguments.root is not None:
        return root_of(arguments)
    for name in (*DEFAULT_RULE_FILES, CONFIG_NAME, *NEIGHBOUR_NAMES):
        if path.endswith(os.sep + name.replace("/", os.sep)):
            return path[: -len(name) - 1] or os.sep
    return find_root(os.path.dirname(path))


def subjects_of(target: Target, note: Note, progress: Progress | None = None) -> Iterator[Subject]:
    """The subjects of a target with what is known around them; `note` is told what is no finding of a file."""
    project = Project(target.root, target.config)
    known = Surroundings.of(project, progress)
    subjects = known.subjects()
    if not target.files:
        if known.policy.rule_file is None and target.notes_absence:
            note(_without_rule_file(known.policy))
        yield from subjects
        return
    by_path = {subject.path: subject for subject in subjects if subject.governs}
    for path in dict.fromkeys(target.files):
        relative = project.root.relative(path)
        real = project.root.absolute(relative) if relative else path
        yield by_path.get(real) or _of_file(path, target, known)


def _of_file(path: str, target: Target, known: Surroundings) -> Subject:
    root = known.policy.root
    operator = target.config is not None and os.path.realpath(path) == os.path.realpath(target.config)
    inside = root.relative(path) is not None
    subject = Subject.of_file(
        path,
        kind="config" if operator else kind_of_file(path),
        root=root if inside else None,
        known_servers=configured_servers(root.real),
        operator=operator,
    )
    return known.around(subject) if inside or operator else subject


def _without_rule_file(policy: Policy) -> str:
    effect = "`default_rules` apply" if policy.config.default_rules is not None else "nothing is restricted inside it"
    return f"{shortened(policy.root.given)}: the project has no rule file, so {effect}"


def weight_of(target: Target) -> int:
    """Roughly how much text a target has to be checked, in bytes, without reading it."""
    paths = target.files or tuple(os.path.join(target.root, name) for name in (*DEFAULT_RULE_FILES, CONFIG_NAME))
    return sum(_size(path) for path in paths)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0
