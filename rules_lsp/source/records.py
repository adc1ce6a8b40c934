"""`dataclass`, `field` and `replace` as in `dataclasses`, for classes that cost next to nothing until they are used.

`dataclasses` imports `inspect` and compiles half a dozen methods for each class where the class is defined: for the
classes that one question needs, that is more than half of the life of the process. Here a class costs a few
microseconds until the first of its objects is made; only then its `__init__` is compiled. The rest (`==`, `hash`, `<`,
`repr`) is not generated at all. Type checkers see the functions of the standard library, and every argument that is
taken here means what it means there. What else `dataclasses` offers (`fields`, `asdict`) does not know these classes.
"""

from __future__ import annotations

from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
    from typing import Any

    Fields = dict[str, Any]
    Key = Callable[[object], object]

_NOTHING = object()
_FIELDS = "__record_fields__"
_set = object.__setattr__


class _Field:
    """How a field is filled when the caller leaves it out, and whether `==` looks at it."""

    __slots__ = ("compare", "default", "factory")

    def __init__(self, default: Any = _NOTHING, default_factory: Any = _NOTHING, compare: bool = True) -> None:
        self.default = default
        self.factory = default_factory
        self.compare = compare


def _decorator(
    cls: Any | None = None, *, frozen: bool = False, slots: bool = False, order: bool = False, eq: bool = True
) -> Any:
    """The class with methods for its annotated fields; raises `TypeError` where a field without default comes late."""
    if cls is None:
        return lambda given: _decorator(given, frozen=frozen, slots=slots, order=order, eq=eq)
    own = {name: _field_of(cls, name) for name in cls.__dict__.get("__annotations__", {})}
    inherited = {name: given for base in reversed(cls.__mro__[1:]) for name, given in _fields_of(base).items()}
    fields = {**inherited, **own}
    made: Any = _with_slots(cls, [name for name in own if name not in inherited]) if slots else cls
    for name, value in ((_FIELDS, fields), ("__match_args__", tuple(fields))):
        setattr(made, name, value)
    made.__init__ = _first_init(made, fields, frozen)
    if "__repr__" not in made.__dict__:
        made.__repr__ = _repr
    if frozen:
        made.__setattr__ = _refuse_to_set
        made.__delattr__ = _refuse_to_delete
        made.__setstate__ = _set_state
    if eq:
        _compare(made, fields, frozen, order)
    return made


def _fields_of(cls: Any) -> Fields:
    fields: Fields = cls.__dict__.get(_FIELDS, {})
    return fields


def _field_of(cls: Any, name: str) -> _Field:
    given = cls.__dict__.get(name, _NOTHING)
    found = given if isinstance(given, _Field) else _Field(given)
    if found.default is not _NOTHING:
        setattr(cls, name, found.default)
    elif given is not _NOTHING:
        delattr(cls, name)
    return found


def _with_slots(cls: Any, names: list[str]) -> Any:
    body = {key: value for key, value in cls.__dict__.items() if key not in ("__dict__", "__weakref__", *names)}
    body["__slots__"] = tuple(names)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _first_init(cls: Any, fields: Fields, frozen: bool) -> Any:
    """An `__init__` that puts the compiled one in its place and calls it."""

    def __init__(self: object, *values: object, **named: object) -> None:
        compiled = _compiled_init(cls, fields, frozen)
        cls.__init__ = compiled
        compiled(self, *values, **named)

    _check_order(cls, fields)
    return __init__


def _check_order(cls: Any, fields: Fields) -> None:
    optional = False
    for name, given in fields.items():
        required = given.default is _NOTHING and given.factory is _NOTHING
        if required and optional:
            raise TypeError(f"{cls.__name__}.{name} has no default and follows a field that has one")
        optional = optional or not required


def _compiled_init(cls: Any, fields: Fields, frozen: bool) -> Any:
    names: dict[str, object] = {"_nothing": _NOTHING, "_set": _set}
    parameters, body = ["self"], []
    for number, (name, given) in enumerate(fields.items()):
        value = name
        if given.factory is not _NOTHING:
            names[f"_factory{number}"] = given.factory
            parameters.append(f"{name}=_nothing")
            value = f"_factory{number}() if {name} is _nothing else {name}"
        elif given.default is not _NOTHING:
            names[f"_default{number}"] = given.default
            parameters.append(f"{name}=_default{number}")
        else:
            parameters.append(name)
        body.append(_assignment(cls, name, value, number, names) if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body or ["pass"]), names)
    made: Any = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _assignment(cls: Any, name: str, value: str, number: int, names: dict[str, object]) -> str:
    """Sets a field of a frozen object: by its slot, which is the fastest, where it has one."""
    slot: Any = getattr(cls, name, None)
    if type(slot).__name__ == "member_descriptor":
        names[f"_slot{number}"] = slot.__set__
        return f"_slot{number}(self, {value})"
    return f"_set(self, {name!r}, {value})"


def _compare(cls: Any, fields: Fields, frozen: bool, order: bool) -> None:
    key = _key([name for name, given in fields.items() if given.compare])

    def __eq__(self: object, other: object) -> Any:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: object) -> int:
        return hash(key(self))

    if "__eq__" not in cls.__dict__:
        cls.__eq__ = __eq__
        cls.__hash__ = __hash__ if frozen else None
    if order:
        _order(cls, key)


def _order(cls: Any, key: Callable[[object], Any]) -> None:
    def __lt__(self: object, other: object) -> Any:
        return key(self) < key(other) if other.__class__ is self.__class__ else NotImplemented

    def __le__(self: object, other: object) -> Any:
        return key(self) <= key(other) if other.__class__ is self.__class__ else NotImplemented

    # Python asks the other operand for `>` and `>=`.
    cls.__lt__ = __lt__
    cls.__le__ = __le__


def _key(names: list[str]) -> Key:
    return attrgetter(*names) if names else lambda _: ()


def _repr(self: object) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in _fields_of(type(self)) or _inherited(self))
    return f"{type(self).__qualname__}({shown})"


def _inherited(self: object) -> Fields:
    return next((fields for base in type(self).__mro__ if (fields := _fields_of(base))), {})


def _refuse_to_set(self: object, name: str, value: object) -> None:
    raise AttributeError(f"cannot set `{name}`: a {type(self).__name__} is never changed")


def _refuse_to_delete(self: object, name: str) -> None:
    raise AttributeError(f"cannot delete `{name}`: a {type(self).__name__} is never changed")


def _set_state(self: object, state: Any) -> None:
    """What `pickle` and `copy` call: a dictionary of attributes, or a pair of one and one of slots."""
    for part in state if isinstance(state, tuple) else (state,):
        for name, value in (part or {}).items():
            _set(self, name, value)


def _replace(record: Any, **changes: object) -> Any:
    """The same record with other values in some fields."""
    cls = type(record)
    kept = {name: getattr(record, name) for name in _fields_of(cls) or _inherited(record) if name not in changes}
    return cls(**kept, **changes)


if not TYPE_CHECKING:
    dataclass, field, replace = _decorator, _Field, _replace
