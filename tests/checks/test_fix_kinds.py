"""What each check says that it offers is what it offers in the cases, and everything that it says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules_lsp.checks import CHECKS, Subject, run_checks
from rules_lsp.checks.common.surroundings import Surroundings
from rules_lsp.workspace.project import Project
from tests.checks.case_files import cases, read_case
from tests.checks.surroundings import kind_of_example, surrounded_subject

KINDS = {"none": set(), "safe": {True}, "unsafe": {False}, "either": {True, False}, "widening": {False}}
EVERY = frozenset(check.code for check in CHECKS)


def subjects(directory: Path) -> Iterator[Subject]:
    """Every case, and every example of the documentation as a saved file of a project."""
    for number, path in enumerate(cases()):
        first, *others = read_case(path).files
        place = directory / str(number)
        place.mkdir()
        yield surrounded_subject(first.name, first.content, {each.name: each.content for each in others}, place)
    for check in CHECKS:
        place = directory / check.code
        for file in check.documentation.example:
            (place / file.name).parent.mkdir(parents=True, exist_ok=True)
            (place / file.name).write_bytes(file.content.encode(file.encoding))
        known = Surroundings.of(Project(str(place)))
        name, root = check.documentation.example[0].name, known.policy.root
        servers = known.policy.known_servers
        kind = kind_of_example(name)
        yield known.around(Subject.of_file(str(place / name), name=name, kind=kind, root=root, known_servers=servers))


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[bool]]:
    """Whether the fixes of each code are safe."""
    found: dict[str, set[bool]] = defaultdict(set)
    for subject in subjects(tmp_path_factory.mktemp("projects")):
        for diagnostic in run_checks(subject, also=EVERY):
            found[diagnostic.code].update(fix.safe for fix in diagnostic.fixes)
    return found


def test_what_is_declared_occurs_and_nothing_else(offered: dict[str, set[bool]]) -> None:
    assert {check.code: offered[check.code] for check in CHECKS} == {check.code: KINDS[check.fixes] for check in CHECKS}
