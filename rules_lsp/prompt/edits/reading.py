"""The batch as it is handed in: JSON in, edits out, with a reason for each item that is none."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from rules_lsp.policy.requests import shown
from rules_lsp.prompt.edits.model import KEYS, MAX_EDITS, REQUIRED, MalformedEdit, StructuredEdit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NO_BATCH = "a batch of edits is a JSON array of objects with `file_path`, `search_block` and `replace_block`"


class _WrittenTwice(ValueError):
    """A key stands twice in one object, so that readers differ on what it says."""


def parsed_edits(data: bytes) -> tuple[object, str | None]:
    """The JSON value of a document, and why there is none."""
    try:
        return json.loads(data, object_pairs_hook=_object), None
    except _WrittenTwice as error:
        return None, f"the key `{shown(str(error))}` is written twice in one object"
    except (ValueError, RecursionError):
        return None, f"this is no JSON: {NO_BATCH}"


def read_edits(value: object) -> tuple[list[StructuredEdit | MalformedEdit], str | None]:
    """The items of a batch in its order, and why it is no batch."""
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        return [], NO_BATCH
    if len(value) > MAX_EDITS:
        return [], f"a batch holds at most {MAX_EDITS:,} edits, and this one holds {len(value):,}"
    return [_edit(index, item) for index, item in enumerate(value)], None


def _edit(index: int, item: object) -> StructuredEdit | MalformedEdit:
    if not isinstance(item, Mapping):
        return MalformedEdit(index, None, "an edit is an object with `file_path`, `search_block` and `replace_block`")
    path = item.get("file_path")
    problem = _problem(item)
    if problem is not None:
        return MalformedEdit(index, path if isinstance(path, str) and _is_whole(path) else None, problem)
    return StructuredEdit(
        index, item["file_path"], item["search_block"], item["replace_block"], item.get("explanation")
    )


def _problem(item: Mapping[Any, Any]) -> str | None:
    missing = next((key for key in REQUIRED if key not in item), None)
    if missing is not None:
        return f"`{missing}` is missing"
    for key, value in item.items():
        if key not in KEYS:
            return f"`{shown(str(key))}` is no key of an edit: the keys are {', '.join(f'`{known}`' for known in KEYS)}"
        if key == "explanation" and value is None:
            continue
        if not isinstance(value, str):
            return f"`{key}` must be a text"
        if not _is_whole(value):
            return f"`{key}` holds half of a character (a lone surrogate)"
    if not item["file_path"]:
        return "`file_path` is empty"
    if not item["search_block"] and not item["replace_block"]:
        return "both blocks are empty: there is nothing to find and nothing to write"
    return None


def _is_whole(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise _WrittenTwice(key)
        made[key] = value
    return made
