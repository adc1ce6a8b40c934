"""Argument paths: where in the arguments of a call the paths of files stand.

The syntax is `a.b[].c`: keys from the outermost object inwards, separated by dots; `[]` after a key stands for every
element of the list that the key holds. A key is any text without `.`, `[`, `]` and white space at its ends. Thus
`path` is the argument of that name, `files[].path` the key `path` of each object in the list `files`, and `paths[]`
each text in the list `paths`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass

_STEP = expression(r"(?P<key>[^.\[\]]+)(?P<list>\[\])?")
_MAX_STEPS = 16


@dataclass(frozen=True, slots=True)
class Step:
    """One key of an argument path, and whether the path goes on in each element of a list under it."""

    key: str
    each: bool


ArgumentPath = tuple[Step, ...]


class UnreadableArguments(Exception):
    """The arguments of a call do not have the shape that the tool needs; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Found:
    """A path in the arguments of a call.

    `order` sorts paths as they stand in the call, `holder` is the object whose key (`argument`, as in
    `files[2].path`) the path or its list stands under.
    """

    value: str
    argument: str
    order: tuple[int, ...]
    holder: Mapping[object, object]


def argument_path_problem(text: str) -> str | None:
    """Why a text is no argument path, or None."""
    steps = text.split(".")
    if any(not (match := _STEP.fullmatch(step)) or match["key"] != match["key"].strip() for step in steps):
        return (
            f"`{text}` is no argument path: write keys separated by `.`, with `[]` after a list, as in `files[].path`"
        )
    if len(steps) > _MAX_STEPS:
        return f"`{text}` is deeper than {_MAX_STEPS} keys: name a shorter argument path"
    return None


def parse_argument_path(text: str) -> ArgumentPath:
    """The steps of an argument path. Raises ValueError where `argument_path_problem` has something to say."""
    if (problem := argument_path_problem(text)) is not None:
        raise ValueError(problem)
    return tuple(Step(step.removesuffix("[]"), step.endswith("[]")) for step in text.split("."))


def paths_at(
    arguments: Mapping[object, object], alternatives: Sequence[ArgumentPath], required: bool
) -> Iterator[Found]:
    """Every path under one of several spellings of an argument, in the order of the call.

    Whatever spelling is present counts; a null is not present. Raises `UnreadableArguments` for a value of the wrong
    type, and where a required argument is there under no spelling, in any element of a list too.
    """
    return _in_object(arguments, alternatives, "", (), required)


def _in_object(
    value: Mapping[object, object],
    alternatives: Sequence[ArgumentPath],
    place: str,
    order: tuple[int, ...],
    required: bool,
) -> Iterator[Found]:
    present = False
    for position, (key, inner) in enumerate(value.items()):
        matching = [steps for steps in alternatives if steps[0].key == key]
        if matching and inner is not None:
            present = True
            yield from _under_key(value, inner, matching, f"{place}{key}", (*order, position), required)
    if required and not present:
        spellings = " or ".join(f"`{place}{_spelled(steps)}`" for steps in alternatives)
        raise UnreadableArguments(f"the argument {spellings} is missing")


def _under_key(
    holder: Mapping[object, object],
    value: object,
    matching: Sequence[ArgumentPath],
    place: str,
    order: tuple[int, ...],
    required: bool,
) -> Iterator[Found]:
    if not isinstance(value, list | tuple):
        single = [steps[1:] for steps in matching if not steps[0].each]
        if not single:
            raise UnreadableArguments(f"the argument `{place}` must be a list and is {kind_of(value)}")
        yield from _element(holder, value, single, place, order, required)
        return
    each = [steps[1:] for steps in matching if steps[0].each]
    if not each:
        raise UnreadableArguments(f"the argument `{place}` must be {_expected(matching)} and is a list")
    if required and not value:
        raise UnreadableArguments(f"the argument `{place}` is an empty list")
    for index, element in enumerate(value):
        yield from _element(holder, element, each, f"{place}[{index}]", (*order, index), required)


def _element(
    holder: Mapping[object, object],
    value: object,
    rests: Sequence[ArgumentPath],
    place: str,
    order: tuple[int, ...],
    required: bool,
) -> Iterator[Found]:
    deeper = [rest for rest in rests if rest]
    if isinstance(value, str) and len(deeper) < len(rests):
        yield Found(value, place, order, holder)
    elif isinstance(value, Mapping) and deeper:
        yield from _in_object(value, deeper, f"{place}.", order, required)
    else:
        expected = "an object" if len(deeper) == len(rests) else "a text"
        raise UnreadableArguments(f"the argument `{place}` must be {expected} and is {kind_of(value)}")


def kind_of(value: object) -> str:
    """What a value of JSON is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    kinds = ((str, "a text"), (int | float, "a number"), (Mapping, "an object"), (list | tuple, "a list"))
    return next((words for kind, words in kinds if isinstance(value, kind)), "a value of another kind")


def _expected(matching: Sequence[ArgumentPath]) -> str:
    return "a text" if any(len(steps) == 1 for steps in matching) else "an object"


def _spelled(steps: ArgumentPath) -> str:
    return ".".join(step.key + ("[]" if step.each else "") for step in steps)
