"""What the saved files of a project say, read again only if one of them may have changed.

What decides for an agent is read for each question. What an editor is shown follows each of its keystrokes, and there
a look at the files' marks is enough: a file that is written, replaced, made or taken away has another time of change,
or its directory has. Such a time tells nothing until the clock of the file system has moved on, so what changed just
now is read each time; so is a project in which one of the names is a link, since what that leads to can change
elsewhere, and one with an operator's configuration. What servers said of their tools lies outside of the project and
has a mark too.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable

from rules_lsp.policy.config import DEFAULT_RULE_FILES
from rules_lsp.policy.inputs import GOVERNING_NAMES
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.roots import Root
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.live.learnt import place_of
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.servers import SERVER_FILES

SETTLED_SECONDS = 2.0
"""How long ago a file must have changed for its time to tell of the next change: file systems count in such steps."""

Mark = tuple[int, ...]
Marks = dict[str, Mark]
_NAMES = frozenset((*DEFAULT_RULE_FILES, *GOVERNING_NAMES, *SERVER_FILES))


@dataclass(frozen=True, slots=True)
class Saved:
    """What was read of a project, and the marks of the files from before that; None where they tell nothing."""

    project: Project
    policy: Policy
    catalogue: Catalogue
    marks: Marks | None


class SavedFiles:
    """The loop's own: the saved state of each project for what an editor shows."""

    def __init__(self, catalogue_of: Callable[[Root], Catalogue], now: Callable[[], float] = time.time) -> None:
        self._catalogue_of = catalogue_of
        self._now = now
        self._known: dict[str, Saved] = {}

    def of(self, project: Project) -> Saved:
        """What the files of a project say now."""
        known = self._known.get(project.root.given)
        if known is not None and known.project is project and known.marks is not None and _hold(known.marks):
            return known
        # The marks are older than what is read after them: what changes in between will not fit them.
        named = () if known is None else (entry.name for entry in known.policy.config.rule_files)
        marks = None if project.operator_config is not None else self._marks(project.root.real, named)
        policy = project.policy()
        if known is None or known.policy.config is not policy.config:
            # The names are those of another order.
            marks = None
        saved = self._known[project.root.given] = Saved(project, policy, self._catalogue_of(project.root), marks)
        return saved

    def forget(self, directory: str) -> None:
        """Forget the project at an absolute path."""
        self._known.pop(directory, None)

    def _marks(self, root: str, named: Iterable[str]) -> Marks | None:
        """The marks of the directories, where a new file shows, and of the files that are there."""
        marks: dict[str, Mark | None] = {root: _mark(root)}
        for name in (*_NAMES, *named):
            path = root
            for part in name.split("/"):
                path = os.path.join(path, part)
                if path not in marks:
                    marks[path] = _mark(path)
                if marks[path] is None:
                    break
        place = place_of(root)
        if marks[root] is not None:
            marks[place] = _mark(place)
        there = {path: mark for path, mark in marks.items() if mark is not None}
        newest = max((time for _, _, _, *times in there.values() for time in times), default=0)
        links = any(stat.S_ISLNK(mode) for mode, *_ in there.values())
        return None if links or not there or newest > (self._now() - SETTLED_SECONDS) * 1e9 else there


def _hold(marks: Marks) -> bool:
    return all(_mark(path) == mark for path, mark in marks.items())


def _mark(path: str) -> Mark | None:
    """The mode, the identity and the times of a name, None where there is none that can be looked at."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
