"""A question about a batch as an editor or an agent's host asks it: an object, or the batch alone."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from rules_lsp.prompt.edits.reading import NO_BATCH
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEYS = ("edits", "targets", "cwd", "root", "allowDelete")


@dataclass(frozen=True, slots=True)
class EditOptions:
    """How a batch is meant.

    `targets` are the paths and patterns that it may touch (None: every file), `cwd` is the absolute directory from
    which relative paths start (None: the root), `root` names one of several open folders.
    """

    targets: Sequence[str] | None = None
    cwd: str | None = None
    allow_delete: bool = False
    root: str | None = None


@dataclass(frozen=True, slots=True)
class EditRequest:
    """A batch (JSON data) with how it is meant, or why the question is none."""

    edits: object
    options: EditOptions
    refusal: str | None = None


def edit_request(value: object, keys: Sequence[str] = KEYS) -> EditRequest:
    """The request of an object with `edits` and some of the other keys, or of a batch alone. Raises nothing."""
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return EditRequest(value, EditOptions())
    if not isinstance(value, Mapping) or "edits" not in value:
        return EditRequest([], EditOptions(), NO_BATCH)
    problem = _problem(value)
    if problem is not None:
        return EditRequest([], EditOptions(), problem)
    told = {key: value.get(key) for key in keys}
    options = EditOptions(told.get("targets"), told.get("cwd"), told.get("allowDelete") is True, told.get("root"))
    return EditRequest(value["edits"], options)


def _problem(value: Mapping[Any, Any]) -> str | None:
    targets = value.get("targets")
    is_list = isinstance(targets, Sequence) and not isinstance(targets, (str, bytes))
    if targets is not None and not (is_list and all(isinstance(each, str) for each in targets)):
        return "`targets` is a list of paths and patterns"
    for key in ("cwd", "root"):
        if value.get(key) is not None and not isinstance(value[key], str):
            return f"`{key}` must be a text"
    if value.get("cwd") is not None and not os.path.isabs(value["cwd"]):
        return "`cwd` must be an absolute path"
    if value.get("allowDelete") not in (None, True, False):
        return "`allowDelete` must be true or false"
    return None
