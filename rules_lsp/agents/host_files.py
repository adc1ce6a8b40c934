"""Where each host keeps its hooks, and how one of them is written there."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from rules_lsp.source.records import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

Kind: TypeAlias = "Literal['json', 'script', 'plugin']"

TIMEOUT = 30
"""Seconds that a host waits for an answer: longer than a hook takes to give up by itself."""


def _group_in_seconds(command: str) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": command, "timeout": TIMEOUT}]}


@dataclass(frozen=True, slots=True)
class HookFile:
    """The file of one host, relative to a project's directory and to the user's.

    In a `json` file a hook is an item of the list below `hooks` and each of the `events`; `item` makes it of a command
    line, and `top` are further members of the top that the host wants. `last` says that of several hooks the last one
    is obeyed. `variable` is the variable of the environment that moves the user's directory `home`.
    """

    kind: Kind
    project: str
    home: str
    user: str
    variable: str | None = None
    events: tuple[str, ...] = ("PreToolUse",)
    item: Callable[[str], dict[str, Any]] = _group_in_seconds
    top: Mapping[str, Any] = field(default_factory=dict)
    last: bool = False


def _claude(command: str) -> dict[str, Any]:
    # Claude Code goes on where a hook is not done in time, unless the hook says otherwise.
    handler = {"type": "command", "command": command, "timeout": TIMEOUT, "onFailure": "block"}
    return {"hooks": [handler]}


def _gemini(command: str) -> dict[str, Any]:
    return {"hooks": [{"name": "rules-lsp", "type": "command", "command": command, "timeout": TIMEOUT * 1000}]}


def _copilot(command: str) -> dict[str, Any]:
    return {"type": "command", "bash": command, "timeoutSec": TIMEOUT}


def _vscode(command: str) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": TIMEOUT}


def _cursor(command: str) -> dict[str, Any]:
    return {"command": command, "timeout": TIMEOUT, "failClosed": True}


_VERSION = {"version": 1}
_CURSOR_EVENTS = ("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile")
_SHARED = ".github/hooks/rules-lsp.json"

HOOK_FILES: dict[str, HookFile] = {
    "claude": HookFile("json", ".claude/settings.json", ".claude", "settings.json", "CLAUDE_CONFIG_DIR", item=_claude),
    "codex": HookFile("json", ".codex/hooks.json", ".codex", "hooks.json", "CODEX_HOME"),
    "gemini": HookFile(
        "json", ".gemini/settings.json", ".gemini", "settings.json", events=("BeforeTool",), item=_gemini
    ),
    "copilot": HookFile(
        *("json", _SHARED, ".copilot", "hooks/rules-lsp.json", "COPILOT_HOME", ("preToolUse",)),
        item=_copilot,
        top=_VERSION,
    ),
    "qwen": HookFile("json", ".qwen/settings.json", ".qwen", "settings.json", last=True),
    "cursor": HookFile(
        "json", ".cursor/hooks.json", ".cursor", "hooks.json", events=_CURSOR_EVENTS, item=_cursor, top=_VERSION
    ),
    "vscode": HookFile("json", _SHARED, ".copilot", "hooks/rules-lsp.json", "COPILOT_HOME", item=_vscode, top=_VERSION),
    "cline": HookFile("script", ".clinerules/hooks/PreToolUse", ".cline", "hooks/PreToolUse"),
    "opencode": HookFile(
        "plugin", ".opencode/plugins/rules-lsp.js", ".config", "opencode/plugins/rules-lsp.js", "XDG_CONFIG_HOME"
    ),
}
"""The file of each host, by the host's name."""


def project_file(host: str, root: str) -> str:
    """The path of a host's file in a project."""
    return os.path.join(root, *HOOK_FILES[host].project.split("/"))


def user_file(host: str) -> str:
    """The path of a host's file of the user."""
    return os.path.join(user_directory(host), *HOOK_FILES[host].user.split("/"))


def user_directory(host: str) -> str:
    """The directory in which a host keeps what is the user's, absolute."""
    file = HOOK_FILES[host]
    moved = os.environ.get(file.variable) if file.variable is not None else None
    return os.path.abspath(moved or os.path.join(os.path.expanduser("~"), file.home))
