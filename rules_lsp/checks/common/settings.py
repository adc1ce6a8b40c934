"""How grave each code is to those who run the checks: the settings of an editor or of a command line."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Literal

from rules_lsp.checks.common.base import Check, Diagnostic
from rules_lsp.source.problem import Severity
from rules_lsp.source.records import dataclass, field, replace

Level = Severity | Literal["off"]
LEVELS: tuple[Level, ...] = ("off", "information", "warning", "error")
_NO_LEVELS: Mapping[str, Level] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """`severity` maps codes to levels; a code that is not in it has the severity of its check.

    A level other than `off` also turns on a check that is off by default.
    """

    severity: Mapping[str, Level] = field(default_factory=lambda: _NO_LEVELS)

    @classmethod
    def of_json(cls, value: object, codes: Collection[str]) -> tuple[CheckSettings, tuple[str, ...]]:
        """The settings of a JSON object `{code: level}`, and in words what of it is left out; None is no object.

        `codes` are those that exist.
        """
        if value is None:
            return cls(), ()
        if not isinstance(value, Mapping):
            return cls(), (f"`severity` must be an object of codes with one of {', '.join(LEVELS)}",)
        severity: dict[str, Level] = {}
        faults: list[str] = []
        for code, name in value.items():
            level = next((level for level in LEVELS if level == name), None)
            if code not in codes:
                faults.append(f"`severity`: there is no check `{code}`")
            elif level is None:
                faults.append(f"`severity`: `{code}` must be one of {', '.join(LEVELS)}")
            else:
                severity[code] = level
        return cls(MappingProxyType(severity)), tuple(faults)

    def runs(self, check: Check) -> bool:
        """Whether a check is to run."""
        level = self.severity.get(check.code)
        return check.on if level is None else level != "off"

    def applied(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """The diagnostic as grave as the settings say, or None where they turn it off."""
        level = self.severity.get(diagnostic.code)
        if level is None or level == diagnostic.severity:
            return diagnostic
        return None if level == "off" else replace(diagnostic, severity=level)


NO_SETTINGS = CheckSettings()
