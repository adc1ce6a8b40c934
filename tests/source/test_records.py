"""Records behave as the data classes of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from typing import Any

import pytest

from rules_lsp.source import records


def classes(module: Any) -> Any:
    """One class of every kind that the package uses, made with the decorator of `module`."""

    class Kinds:
        @module.dataclass(frozen=True, slots=True, order=True)
        class Pair:
            left: int
            right: int = 7

        @module.dataclass(slots=True)
        class Bag:
            name: str
            items: list[int] = module.field(default_factory=list)
            note: str = module.field(default="", compare=False)

        @module.dataclass(frozen=True)
        class Wide:
            a: int

            def __post_init__(self) -> None:
                if self.a < 0:
                    raise ValueError("negative")

        @module.dataclass(frozen=True, eq=False)
        class Same:
            a: int

        @module.dataclass(frozen=True, slots=True)
        class Empty:
            pass

    return Kinds


OURS, THEIRS = classes(records), classes(dataclasses)
KINDS = pytest.mark.parametrize("made", [OURS, THEIRS], ids=["records", "dataclasses"])


@KINDS
def test_fields_are_given_by_place_and_by_name(made: Any) -> None:
    assert (made.Pair(1).left, made.Pair(1).right, made.Pair(right=2, left=1).right) == (1, 7, 2)
    assert made.Bag("x").items == []
    assert made.Bag("x").items is not made.Bag("x").items
    assert made.Bag("x", [3]).items == [3]
    assert made.Pair.__match_args__ == ("left", "right")


@KINDS
@pytest.mark.parametrize("given", [((), {}), ((1, 2, 3), {}), ((1,), {"wrong": 2}), ((1,), {"left": 1})])
def test_wrong_arguments_are_refused(made: Any, given: Any) -> None:
    values, named = given
    with pytest.raises(TypeError):
        made.Pair(*values, **named)


@KINDS
def test_equality_and_hash(made: Any) -> None:
    assert made.Pair(1, 2) == made.Pair(1, 2)
    assert made.Pair(1, 2) != made.Pair(1, 3)
    assert made.Pair(1, 2) != (1, 2)
    assert len({made.Pair(1, 2), made.Pair(1, 2), made.Pair(2, 1)}) == 2
    assert made.Bag("x", [], "one") == made.Bag("x", [], "other")
    assert made.Same(1) != made.Same(1)
    assert made.Empty() == made.Empty()
    assert len({made.Same(1), made.Same(1)}) == 2
    with pytest.raises(TypeError):
        hash(made.Bag("x"))


@KINDS
def test_order(made: Any) -> None:
    assert sorted([made.Pair(2, 1), made.Pair(1, 9), made.Pair(1, 2)]) == [
        made.Pair(1, 2),
        made.Pair(1, 9),
        made.Pair(2, 1),
    ]
    assert made.Pair(2, 1) > made.Pair(1, 9)
    assert made.Pair(2, 1) >= made.Pair(2, 1)
    with pytest.raises(TypeError):
        assert made.Pair(1, 2) < (1, 3)


@KINDS
def test_frozen_and_mutable(made: Any) -> None:
    for frozen in (made.Pair(1), made.Wide(1)):
        with pytest.raises(AttributeError):
            setattr(frozen, frozen.__match_args__[0], 2)
        with pytest.raises(AttributeError):
            delattr(frozen, frozen.__match_args__[0])
    bag = made.Bag("x")
    bag.name = "y"
    assert bag.name == "y"
    with pytest.raises(AttributeError):
        bag.other = 1


@KINDS
def test_what_follows_the_fields_is_called(made: Any) -> None:
    with pytest.raises(ValueError, match="negative"):
        made.Wide(-1)


@KINDS
def test_shown(made: Any) -> None:
    assert repr(made.Pair(1, 2)).endswith("Kinds.Pair(left=1, right=2)")
    assert repr(made.Empty()).endswith("Kinds.Empty()")


@pytest.mark.parametrize(("made", "module"), [(OURS, records), (THEIRS, dataclasses)], ids=["records", "dataclasses"])
def test_replaced_and_copied(made: Any, module: Any) -> None:
    assert module.replace(made.Pair(1, 2), right=5) == made.Pair(1, 5)
    assert copy.copy(made.Pair(1, 2)) == made.Pair(1, 2)
    assert copy.deepcopy(made.Bag("x", [1])) == made.Bag("x", [1])
    with pytest.raises(TypeError):
        module.replace(made.Pair(1, 2), other=5)


def test_fields_of_a_base_come_first() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Base:
        a: int

    @records.dataclass(frozen=True, slots=True)
    class More(Base):
        b: int

    assert More(1, 2) == More(a=1, b=2)
    assert repr(More(1, 2)).endswith("More(a=1, b=2)")
    assert Base(1) != More(1, 2)


def test_a_field_without_default_comes_before_those_with_one() -> None:
    with pytest.raises(TypeError, match="late"):

        @records.dataclass
        class Wrong:
            early: int = 1
            late: int  # type: ignore[misc]


def test_objects_travel_between_processes() -> None:
    from rules_lsp.source.text import Span

    assert pickle.loads(pickle.dumps(Span(1, 3))) == Span(1, 3)


def test_the_heavy_module_stays_out() -> None:
    code = (
        "import sys, rules_lsp.source.records; print(sorted({'dataclasses', 'inspect', 'typing'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"
