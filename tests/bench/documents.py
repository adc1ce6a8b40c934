"""Rule files of a wanted length, and a schema that tells a server for any YAML what it can know of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, islice, product
from typing import Any

NAME = ".coding-agent-rules.yaml"
_SERVERS = [
    "github",
    "gitlab",
    "filesystem",
    "browser",
    "postgres",
    "slack",
    "sentry",
    "linear",
    "docker",
    "search",
    "mail",
    "calendar",
]
_VERBS = ["get", "list", "read", "search", "create", "update", "merge", "close"]
_NOUNS = [
    "issue",
    "file",
    "branch",
    "comment",
    "release",
    "label",
    "page",
    "record",
    "channel",
    "thread",
    "job",
    "team",
]
_AREAS = [
    "api",
    "core",
    "web",
    "auth",
    "billing",
    "search",
    "report",
    "worker",
    "queue",
    "admin",
    "theme",
    "mail",
    "sync",
    "cache",
]
_TOPS = ("src", "packages", "tests", "docs", "tools", "services")
_FORMS = ("**/*.py", "*.ts", "handlers/**", "models/*.json", "test_*.py", "views/**/*.tsx")
_TOOLS = [f"{server}/{verb}_{noun}" for noun, verb, server in product(_NOUNS, _VERBS, _SERVERS)]


@dataclass(frozen=True)
class RuleFile:
    """A rule file that is correct but, when it is faulty, for one misspelt key: `denied_toolss`."""

    lines: tuple[str, ...]

    @property
    def fault(self) -> tuple[int, int]:
        """The line and the character where one `s` more makes the fault."""
        return self.lines.index("denied_tools:"), len("denied_tools")

    def text(self, *, faulty: bool) -> str:
        """The whole text."""
        line, _ = self.fault
        lines = [*self.lines[:line], "denied_toolss:" if faulty else self.lines[line], *self.lines[line + 1 :]]
        return "\n".join(lines) + "\n"

    @property
    def entries(self) -> list[tuple[int, int]]:
        """Where the text of each entry begins: line and character."""
        return [(number, line.index("- ") + 2) for number, line in enumerate(self.lines) if "- " in line[:6]]


def rule_file(length: int) -> RuleFile:
    """Every key, `length` lines in all: about a sixth is prose, the rest are entries of which no two are the same."""
    room = length - 7
    prose, allowed, denied, include = (room * share // 100 for share in (15, 25, 20, 20))
    exclude = room - prose - allowed - denied - include
    globs = [f"{top}/{area}/{form}" for form, top, area in product(_FORMS, _TOPS, _AREAS)]
    private = [
        f"{glob.split('/')[0]}/**/private_{number}.*" for number, glob in enumerate(islice(cycle(globs[::7]), exclude))
    ]
    lines = [
        "# What coding agents may do in this repository.",
        "system_prompt_extension: |",
        *(f"  Rule {number}: keep each change small, and say why." for number in range(prose)),
        "allowed_tools:",
        *(f"  - {tool}" for tool in _TOOLS[:allowed]),
        "denied_tools:",
        *(f"  - {tool}" for tool in _TOOLS[::-1][:denied]),
        "file_patterns:",
        "  include:",
        *(f'    - "{glob}"' for glob in globs[:include]),
        "  exclude:",
        *(f'    - "{glob}"' for glob in private),
    ]
    return RuleFile(tuple(lines))


def schema() -> dict[str, Any]:
    """Keys, types, spelling of entries, proposals and hover text, in the form that costs a validator least."""
    tool = r"^[A-Za-z0-9_.*?-]+(/[A-Za-z0-9_.*?-]+)?$"
    glob = r"^(?![~/$!]|[A-Za-z]:)(?!.*(^|/)\.\.(/|$))[^\\]*[^\\\s]$"
    files = {
        "include": _list("Files the agent may touch.", glob, ["src/**", "docs/**/*.md", "*.py"]),
        "exclude": _list("Files it may never touch.", glob, ["**/.env", "secrets/**", "*.pem"]),
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Rules for coding agents",
        "type": "object",
        "additionalProperties": False,
        "patternProperties": {"^x-": {}},
        "properties": {
            "system_prompt_extension": {"type": "string", "description": "Text added to what the agent is told."},
            "allowed_tools": _list("Only these may be called. Leave the key out to allow all.", tool, _TOOLS[:40]),
            "denied_tools": _list("These are refused, whatever the other list says.", tool, _TOOLS[:40]),
            "file_patterns": {
                "type": "object",
                "additionalProperties": False,
                "description": "Which files the agent may touch.",
                "properties": files,
            },
        },
    }


def _list(description: str, pattern: str, examples: list[str]) -> dict[str, Any]:
    items = {"type": "string", "minLength": 1, "pattern": pattern, "examples": examples}
    return {"description": description, "type": "array", "uniqueItems": True, "items": items}
