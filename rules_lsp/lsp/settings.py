"""The settings below `rulesLsp`: one table, from which the server reads and the packages of editors make theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from rules_lsp.checks import CHECKS, CheckSettings
from rules_lsp.checks.common.settings import LEVELS, NO_SETTINGS
from rules_lsp.source.records import dataclass, replace

SECTION = "rulesLsp"
Scope = Literal["machine", "window", "resource"]


@dataclass(frozen=True, slots=True)
class FolderSettings:
    """What an editor's user has set for one folder.

    `config`, `fold_case` and `auto_prompter_store` are None where they are not set.
    """

    config: str | None = None
    fold_case: bool | None = None
    checks: CheckSettings = NO_SETTINGS
    workspace_diagnostics: bool = False
    code_lens: bool = True
    inlay_hints: bool = False
    file_status: bool = False
    auto_prompter_available: bool = True
    auto_prompter_store: str | None = None
    approval_seconds: int = 300


Change = Callable[[FolderSettings, Any], FolderSettings]


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name below the section with dots, its JSON schema, and where it may be set.

    A `machine` setting is never taken from the files of a project, a `window` one holds for all folders, a `resource`
    one for each. `change` puts a value that fits the schema into the settings.
    """

    name: str
    schema: Mapping[str, Any]
    scope: Scope
    change: Change


def _checks(settings: FolderSettings, value: Any) -> FolderSettings:
    return replace(settings, checks=CheckSettings.of_json(value, _CODES)[0])


_CODES = frozenset(check.code for check in CHECKS)

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "config",
        {
            "type": ["string", "null"],
            "default": None,
            "description": "The operator's config.yaml: it takes the place of the project's own.",
        },
        "machine",
        lambda settings, value: replace(settings, config=value or None),
    ),
    Setting(
        "caseInsensitive",
        {
            "type": ["boolean", "null"],
            "default": None,
            "description": "Treat the volume as one that does not tell cases apart. Without it the volume is asked.",
        },
        "machine",
        lambda settings, value: replace(settings, fold_case=True if value else None),
    ),
    Setting(
        "severity",
        {
            "type": "object",
            "default": {},
            "description": "How grave each check is, by its code; a level also turns on a check that is off.",
            "propertyNames": {"enum": sorted(_CODES)},
            "additionalProperties": {"enum": list(LEVELS)},
        },
        "resource",
        _checks,
    ),
    Setting(
        "diagnostics.workspace",
        {
            "type": "boolean",
            "default": False,
            "description": "Also check the rule files that are not open, for editors that ask for it.",
        },
        "window",
        lambda settings, value: replace(settings, workspace_diagnostics=value),
    ),
    Setting(
        "codeLens.enabled",
        {"type": "boolean", "default": True, "description": "Show above each pattern what it takes."},
        "resource",
        lambda settings, value: replace(settings, code_lens=value),
    ),
    Setting(
        "inlayHints.enabled",
        {"type": "boolean", "default": False, "description": "Show behind each pattern how many files it takes."},
        "resource",
        lambda settings, value: replace(settings, inlay_hints=value),
    ),
    Setting(
        "fileStatus",
        {
            "type": "boolean",
            "default": False,
            "description": "Tell of every open file whether agents may write it, for an editor that shows it.",
        },
        "window",
        lambda settings, value: replace(settings, file_status=value),
    ),
    # What a project says of itself must not take its rules away: all of these are the machine's.
    Setting(
        "autoPrompter.available",
        {
            "type": "boolean",
            "default": True,
            "description": "Offer Auto Prompter, rules that act while an agent works. If false, none is read.",
        },
        "machine",
        lambda settings, value: replace(settings, auto_prompter_available=value),
    ),
    Setting(
        "autoPrompter.store",
        {
            "type": ["string", "null"],
            "default": None,
            "description": "The database of Auto Prompter. Without it, it is in the user's state folder.",
        },
        "machine",
        lambda settings, value: replace(settings, auto_prompter_store=value or None),
    ),
    Setting(
        "autoPrompter.approvalSeconds",
        {
            "type": "integer",
            "default": 300,
            "minimum": 1,
            "maximum": 86_400,
            "description": "How long a request for approval is shown; one that nobody answers by then is denied.",
        },
        "machine",
        lambda settings, value: replace(settings, approval_seconds=value),
    ),
)

EDITORS_OWN = frozenset({"server", "trace", "explorer"})
"""Groups of settings below the section that packages of editors read themselves."""
_PREFIX = f"{SECTION}."
_NAMES = frozenset(setting.name for setting in SETTINGS)
_GROUPS = frozenset(name.split(".")[0] for name in _NAMES if "." in name)
_TOP_NAMES = frozenset(name.split(".")[0] for name in _NAMES)
_KINDS: Mapping[str, tuple[type, str]] = {
    "string": (str, "a text"),
    "boolean": (bool, "true or false"),
    "object": (dict, "an object"),
    "integer": (int, "a whole number"),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A setting that cannot be read: its name and a sentence."""

    name: str
    message: str


def read_settings(value: object, base: FolderSettings) -> tuple[FolderSettings, tuple[Fault, ...]]:
    """The settings of a JSON object in place of those of `base`, and what of it is left out.

    Names stand bare, nested below the section, or with dots (`rulesLsp.codeLens.enabled`); what is absent or null is as
    in `base`. A name that is none of a setting is a fault, but for those that editors keep for themselves.
    """
    if value is None:
        return base, ()
    if not isinstance(value, Mapping):
        return base, (Fault("", "the settings must be an object"),)
    own, faults = _own(value)
    faults += _unknown(own)
    settings = base
    for setting in SETTINGS:
        given = _value_at(own, setting.name)
        if given is None:
            continue
        wanted = _wanted(setting.schema, given)
        if wanted is not None:
            faults.append(Fault(setting.name, f"`{setting.name}` must be {wanted}"))
            continue
        if setting.name == "severity":
            faults += [Fault(setting.name, message) for message in CheckSettings.of_json(given, _CODES)[1]]
        settings = setting.change(settings, given)
    return settings, tuple(faults)


def section_of(value: object) -> object:
    """What a client sends with all of its settings: those of our section, nested or with dots, else all that it sent.

    None where the client sent settings of others alone.
    """
    if not isinstance(value, Mapping):
        return value
    ours = {name: each for name, each in value.items() if name == SECTION or str(name).startswith(_PREFIX)}
    bare = any(str(name).split(".")[0] in _TOP_NAMES for name in value)
    return ours or (value if bare or not value else None)


def _wanted(schema: Mapping[str, Any], given: object) -> str | None:
    """What a value must be that does not fit a schema; None where it fits."""
    kinds = schema["type"]
    kind, words = _KINDS[kinds if isinstance(kinds, str) else kinds[0]]
    fits = isinstance(given, kind) and (kind is bool or not isinstance(given, bool))
    if "minimum" in schema:
        words = f"{words} from {schema['minimum']:,} to {schema['maximum']:,}"
        fits = fits and isinstance(given, int) and schema["minimum"] <= given <= schema["maximum"]
    return None if fits else words


def _own(value: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """The settings by their names below the section, however they were written."""
    nested = value.get(SECTION)
    faults = [] if nested is None or isinstance(nested, Mapping) else [Fault(SECTION, f"`{SECTION}` must be an object")]
    found: dict[str, Any] = {name: each for name, each in value.items() if name != SECTION}
    found.update(nested if isinstance(nested, Mapping) else {})
    return {name.removeprefix(_PREFIX): each for name, each in found.items()}, faults


def _unknown(settings: Mapping[str, Any]) -> list[Fault]:
    """The names that are none of a setting, and groups of settings that are no objects."""
    faults: list[Fault] = []
    for name, value in settings.items():
        if name in _NAMES or name.split(".")[0] in EDITORS_OWN:
            continue
        if name not in _GROUPS:
            faults.append(Fault(name, f"`{name}` is no setting of `{SECTION}`"))
        elif isinstance(value, Mapping):
            inner = (f"{name}.{each}" for each in value)
            faults += [Fault(each, f"`{each}` is no setting of `{SECTION}`") for each in inner if each not in _NAMES]
        elif value is not None:
            faults.append(Fault(name, f"`{name}` must be an object"))
    return faults


def _value_at(value: Mapping[str, Any], name: str) -> object:
    """The value at a dotted name, whether the client nests objects or keeps the dots."""
    if name in value:
        return value[name]
    found: object = value
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
