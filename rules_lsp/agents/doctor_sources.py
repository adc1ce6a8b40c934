"""Where hosts look for hooks, all of their places: what stands there, read and nothing else."""

from __future__ import annotations

import glob
import os

from rules_lsp.agents.host_files import user_directory
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.located_json import read_json
from rules_lsp.workspace.located_toml import read_toml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a host that exists. `data` is what it holds, None where `problem` says why it cannot be read."""

    path: str
    of_user: bool
    text: str
    data: Any
    problem: str | None


@dataclass(frozen=True, slots=True)
class HostPlaces:
    """The files of one host, as shell patterns below the project's directory and below the user's.

    `hooks` may hold hooks, `settings` switch them on or off. `events` are those under which a hook sees a call before
    it happens, with the names of our hooks that answer it as the host wants it.
    """

    hooks: tuple[str, ...]
    user_hooks: tuple[str, ...]
    events: dict[str, tuple[str, ...]]
    settings: tuple[str, ...] = ()
    user_settings: tuple[str, ...] = ()


_CLAUDE_FILES = (".claude/settings.json", ".claude/settings.local.json")
_PLUGINS = ("plugins/*.js", "plugins/*.ts", "plugin/*.js", "plugin/*.ts")
_CLAUDE_FORM = ("copilot", "vscode", "claude")

PLACES: dict[str, HostPlaces] = {
    "claude": HostPlaces(
        _CLAUDE_FILES, ("settings.json",), {"PreToolUse": ("claude",)}, _CLAUDE_FILES, ("settings.json",)
    ),
    "codex": HostPlaces(
        (".codex/hooks.json", ".codex/config.toml"),
        ("hooks.json", "config.toml"),
        {"PreToolUse": ("codex",)},
        (".codex/config.toml",),
        ("config.toml",),
    ),
    "gemini": HostPlaces(
        (".gemini/settings.json",),
        ("settings.json",),
        {"BeforeTool": ("gemini",)},
        (".gemini/settings.json",),
        ("settings.json",),
    ),
    "copilot": HostPlaces(
        (".github/hooks/*.json", ".claude/settings.json"),
        ("hooks/*.json",),
        {"preToolUse": ("copilot",), "PreToolUse": _CLAUDE_FORM},
        (".github/copilot/settings.json", ".github/copilot/settings.local.json"),
        ("config.json", "settings.json"),
    ),
    "qwen": HostPlaces(
        (".qwen/settings.json",),
        ("settings.json",),
        {"PreToolUse": ("qwen",)},
        (".qwen/settings.json",),
        ("settings.json",),
    ),
    "cursor": HostPlaces(
        (".cursor/hooks.json",),
        ("hooks.json",),
        dict.fromkeys(("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"), ("cursor",)),
    ),
    "vscode": HostPlaces(
        (".github/hooks/*.json", *_CLAUDE_FILES),
        ("hooks/*.json",),
        {"PreToolUse": _CLAUDE_FORM, "preToolUse": _CLAUDE_FORM},
        (".vscode/settings.json",),
    ),
    "cline": HostPlaces(
        (".clinerules/hooks/PreToolUse", ".cline/hooks/PreToolUse"),
        ("hooks/PreToolUse", "../Documents/Cline/Hooks/PreToolUse"),
        {},
    ),
    "opencode": HostPlaces(
        tuple(f".opencode/{each}" for each in _PLUGINS), tuple(f"opencode/{each}" for each in _PLUGINS), {}
    ),
}
"""The files of each host."""


def hook_sources(host: str, root: str) -> list[Source]:
    """The files of a host that may hold hooks, the project's first."""
    places = PLACES[host]
    return _sources(host, root, places.hooks, places.user_hooks)


def setting_sources(host: str, root: str) -> list[Source]:
    """The files of a host that may switch hooks off, the project's first."""
    places = PLACES[host]
    return _sources(host, root, places.settings, places.user_settings)


def read_source(path: str, of_user: bool) -> Source | None:
    """One file, None where there is none; the notation is told by its name, and a script is only text."""
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        cause = (
            "it is no text of UTF-8" if isinstance(error, UnicodeDecodeError) else (error.strerror or "unknown").lower()
        )
        return Source(path, of_user, "", None, f"it cannot be read ({cause})")
    if path.endswith((".json", ".toml")):
        document = read_toml(text) if path.endswith(".toml") else read_json(text)
        problem = None if document.problem is None else document.problem.message
        if problem is None and not isinstance(document.value, dict) and text.strip():
            problem = "it holds no object"
        return Source(path, of_user, text, document.value, problem)
    return Source(path, of_user, text, None, None)


def _sources(host: str, root: str, project: tuple[str, ...], user: tuple[str, ...]) -> list[Source]:
    found: list[Source] = []
    for directory, patterns, of_user in ((root, project, False), (user_directory(host), user, True)):
        for pattern in patterns:
            for path in sorted(glob.glob(os.path.join(glob.escape(directory), *pattern.split("/")))):
                source = read_source(os.path.normpath(path), of_user)
                if source is not None:
                    found.append(source)
    return found
