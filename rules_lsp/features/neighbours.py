"""What is shown of the neighbours of rule files: a table of rooms, one for each kind.

A room is a package or a module whose `FEATURES` are a `NeighbourFeatures`. It is imported when the first document of
its kind is asked about. What a room leaves out is not there for its kind.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from rules_lsp.checks.common.kinds import FileKind
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rules_lsp.checks.common.subject import Subject
    from rules_lsp.features.completion_place import Place, Proposals, Topic
    from rules_lsp.features.hover import Hover
    from rules_lsp.features.symbols import Symbol
    from rules_lsp.features.view import View
    from rules_lsp.policy.model import Entry

ROOMS: dict[FileKind, str] = {
    "prompter": "rules_lsp.features.prompter",
    "instructions": "rules_lsp.features.instructions",
    "a0-project": "rules_lsp.features.a0.project",
    "a0-servers": "rules_lsp.features.a0.servers",
    "a0-template": "rules_lsp.features.a0.templates",
    "persona": "rules_lsp.features.personas",
}
"""The room of each kind."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What is known beside the document: whether its feature is `available`, and the path of the store or None."""

    available: bool = True
    store: str | None = None


NOTHING_OUTSIDE = Outside()


@dataclass(frozen=True, slots=True)
class NeighbourLens:
    """A lens at a place. `key` tells it from the others of its document.

    `title` is None until the lens is resolved; `command` is empty where a click does nothing.
    """

    span: Span
    key: str
    title: str | None = None
    command: str = ""
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class NeighbourAction:
    """What is offered for a selection: a change that a person chooses, never one that is made by itself."""

    title: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class NeighbourFeatures:
    """The features of a kind; each answers nothing, and never raises, where it has nothing to say.

    `completion` takes the character behind which an editor asked by itself, or None; `documentation` is that of a topic
    of its items. `lenses` are the places, quickly found; `resolve_lens` gives one of them its title. `entries` are the
    tools and patterns to be coloured and selected as those of rule files are.
    """

    hover: Callable[[View, int, Outside], Hover | None] | None = None
    completion: Callable[[View, int, str | None], tuple[Place, Proposals] | None] | None = None
    documentation: Callable[[View, Topic], str | None] | None = None
    lenses: Callable[[View], tuple[NeighbourLens, ...]] | None = None
    resolve_lens: Callable[[View, NeighbourLens, Outside], NeighbourLens | None] | None = None
    symbols: Callable[[Subject], tuple[Symbol, ...]] | None = None
    entries: Callable[[Subject], tuple[Entry, ...]] | None = None
    actions: Callable[[View, Span], tuple[NeighbourAction, ...]] | None = None


NO_FEATURES = NeighbourFeatures()


@cache
def neighbour_features(kind: FileKind) -> NeighbourFeatures:
    """The features of a kind; none of them for a kind that has no room."""
    room = ROOMS.get(kind)
    found = NO_FEATURES if room is None else import_module(room).FEATURES
    assert isinstance(found, NeighbourFeatures)
    return found
