"""The types of the protocol, each made ready when it is first used.

`lsprotocol` compiles the methods of more than five hundred classes where it is imported: half of the time in which a
server starts, for classes of which a session uses a fifth. Here `attrs.define` is put off for each of them until its
first object is made or its fields are asked for. The class is the same then, but for a `__dict__` in its objects.
Where that cannot be done (the types have been imported before) they are made at once, as always.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

import attrs

_MODULE = "lsprotocol.types"
_define: Any = attrs.define
_names: dict[str, Any] = {}
_lock = threading.RLock()


def import_types() -> None:
    """Import `lsprotocol.types`, with the making of its classes put off."""
    if _MODULE in sys.modules:
        return
    setattr(attrs, "define", _put_off)  # noqa: B010
    try:
        from lsprotocol import _hooks, types
    finally:
        setattr(attrs, "define", _define)  # noqa: B010
    _names.update(types.ALL_TYPES_MAP)
    # The types that annotations name would be looked up for all classes at once; here each class has its own done.
    _hooks._resolved_forward_references = True


class _Fields:
    """Stands where `attrs` keeps the fields of a class, until that is made ready."""

    def __get__(self, _: object, owner: Any) -> Any:
        _make_ready(owner)
        return owner.__attrs_attrs__


def _put_off(cls: Any = None, **options: Any) -> Any:
    """`attrs.define`, which leaves a class of the protocol for later."""
    if options or cls is None or cls.__module__ != _MODULE or cls.__bases__ != (object,):
        return _define(cls, **options)

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        _make_ready(cls)
        self.__init__(*values, **named)

    cls.__init__ = __init__
    cls.__attrs_attrs__ = _Fields()
    return cls


def _make_ready(cls: Any) -> None:
    with _lock:
        # Another thread may have been here first.
        if isinstance(cls.__dict__["__attrs_attrs__"], _Fields):
            del cls.__init__, cls.__attrs_attrs__
            # A class with slots would be another one, and whoever has this one would be left with it.
            _define(cls, slots=False)
            attrs.resolve_types(cls, _names, {})
