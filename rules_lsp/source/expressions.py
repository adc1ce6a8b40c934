"""Regular expressions that are compiled when they are first used: most of the package's see no faulty text in a run."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    expression = re.compile


class _Expression:
    """A `re.Pattern` to be: each of its methods is looked up once and then kept."""

    def __init__(self, text: str, flags: int = 0) -> None:
        self._source = (text, flags)

    def __getattr__(self, name: str) -> object:
        compiled = self.__dict__.get("_compiled") or re.compile(*self._source)
        self.__dict__["_compiled"] = compiled
        found = self.__dict__[name] = getattr(compiled, name)
        return found


if not TYPE_CHECKING:
    expression = _Expression
