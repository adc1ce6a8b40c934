"""The types of the protocol are the same whether they are made at once or when they are first used."""

from __future__ import annotations

import re
import subprocess
import sys

_DESCRIBE = """
import attrs
from lsprotocol import converters, types
for name, cls in sorted(types.ALL_TYPES_MAP.items(), key=lambda item: item[0]):
    if isinstance(cls, type) and attrs.has(cls):
        for field in attrs.fields(cls):
            print(name, field.name, field.type, field.default, field.validator, field.init, field.eq, field.kw_only)
        print(name, cls.__match_args__, cls.__hash__, cls.__doc__)
"""
_AT_ONCE = "from lsprotocol import converters\nconverters.get_converter()\n"
_PUT_OFF = "from rules_lsp.lsp.deferred_types import import_types\nimport_types()\n"


def answer(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_class_has_the_same_fields() -> None:
    at_once, put_off = (answer(start + _DESCRIBE) for start in (_AT_ONCE, _PUT_OFF))
    assert len(at_once.splitlines()) > 2000
    assert without_addresses(put_off) == without_addresses(at_once)


def test_objects_are_compared_shown_and_checked_as_ever() -> None:
    program = (
        "from lsprotocol import types\n"
        "one, same = types.Position(1, 2), types.Position(character=2, line=1)\n"
        "print(one == same, one != types.Position(1, 3), one < types.Position(2, 0), one)\n"
        "print(types.Hover('x') == types.Hover('x'), types.Hover('x'))\n"
        "try:\n    types.Position(-1, 'x')\nexcept (TypeError, ValueError) as error:\n    print(type(error).__name__)\n"
        "try:\n    types.Range()\nexcept TypeError:\n    print('two are missing')\n"
        "one.line = 7\nprint(one)\n"
    )
    assert answer(_PUT_OFF + program) == answer(program)


def test_a_class_costs_nothing_until_it_is_used() -> None:
    program = (
        "from lsprotocol import types\n"
        "def ready(cls):\n    return type(cls.__dict__['__attrs_attrs__']) is not __import__("
        "'rules_lsp.lsp.deferred_types').lsp.deferred_types._Fields\n"
        "classes = [cls for cls in types.ALL_TYPES_MAP.values() if '__attrs_attrs__' in getattr(cls, '__dict__', ())]\n"
        "print(len(classes) > 500, [cls.__name__ for cls in classes if ready(cls)])\n"
        "types.Position(1, 2)\n"
        "print([cls.__name__ for cls in classes if ready(cls)])\n"
    )
    assert answer(_PUT_OFF + program).splitlines() == ["True []", "['Position']"]


def test_types_that_were_imported_before_stay_as_they_are() -> None:
    program = _AT_ONCE + _PUT_OFF + "from lsprotocol import types\nprint(hasattr(types.Position(1, 2), '__dict__'))"
    assert answer(program) == "False\n"


def test_other_classes_that_are_defined_meanwhile_are_made_at_once() -> None:
    program = (
        "import attrs, rules_lsp.lsp.deferred_types as deferred\n"
        "made = deferred._put_off(type('Other', (), {'__annotations__': {'x': 'int'}, '__module__': 'other'}))\n"
        "print(made(3), hasattr(made(3), '__dict__'))"
    )
    assert answer(program) == "Other(x=3) False\n"


def without_addresses(shown: str) -> list[str]:
    return re.sub(r"0x[0-9a-f]+", "0x", shown).splitlines()
