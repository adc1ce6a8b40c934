"""The agents that are known, and what their hooks say: where a call stands in a host's message, and which root holds.

Each host runs a command before a tool call, writes one JSON object to it and reads what it prints. What a model can
set (`cwd` where the host follows the model's `cd`) never chooses the root: that is what the host itself calls the
project's directory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from rules_lsp.source.records import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

Message: TypeAlias = "Mapping[str, Any]"


class Unreadable(Exception):
    """A host's message is not what this host sends; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call. Relative paths start from `cwd`, or from the root where it is None.

    `roots` are the project's directories as the host names them, none where it does not. `server_unknown` says that
    the tool is one of an MCP server that the host does not name.
    """

    tool: str
    arguments: Mapping[str, Any]
    cwd: str | None
    roots: tuple[str, ...]
    server_unknown: bool = False


@dataclass(frozen=True, slots=True)
class Host:
    """How one host speaks. `read` takes a message apart; `deny` gives the object that stops the call there."""

    read: Callable[[Message], Call]
    deny: Callable[[Message, str], dict[str, Any]]


def _named(message: Message, tool: str, arguments: str, roots: tuple[str, ...], cwd: str | None = None) -> Call:
    """The call under two keys of a message."""
    given = message.get(arguments)
    # Some hosts send the arguments as JSON in a text.
    if isinstance(given, str):
        import json

        given = json.loads(given)
    name = message.get(tool)
    if not isinstance(name, str) or not name:
        raise Unreadable(f"the message names no tool in `{tool}`")
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise Unreadable(f"`{arguments}` of the message is no object")
    return Call(name, given, cwd, roots)


def _event(message: Message, key: str, *known: str) -> None:
    event = message.get(key)
    if event not in known:
        raise Unreadable(f"the event {event!r} is not known: this hook answers {' and '.join(known)}")


def _claude_event(message: Message) -> None:
    """The event of Claude's form, which VS Code also writes with another key."""
    _event(message, "hookEventName" if "hookEventName" in message else "hook_event_name", "PreToolUse")


def _directory(message: Message, key: str = "cwd") -> str | None:
    value = message.get(key)
    if value is None or value == "":
        return None
    if not isinstance(value, str) or not os.path.isabs(value):
        raise Unreadable(f"`{key}` of the message is no absolute path")
    return value


def _directories(message: Message, key: str) -> tuple[str, ...]:
    value = message.get(key)
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise Unreadable(f"`{key}` of the message is no list of directories")
    return tuple(value)


def _variable(*names: str) -> tuple[str, ...]:
    return next(((value,) for name in names if (value := os.environ.get(name))), ())


def _place(directory: str | None) -> tuple[str, ...]:
    return (directory,) if directory else ()


def _read_claude(message: Message) -> Call:
    """Claude Code, and who else runs the hooks of `.claude/settings.json`: Copilot, and agents in VS Code.

    Those two tell the time of the call, and their `cwd` is the root.
    """
    _claude_event(message)
    cwd = _directory(message)
    follows_model = "transcript_path" in message and "timestamp" not in message
    return _named(
        message,
        "tool_name",
        "tool_input",
        _variable("CLAUDE_PROJECT_DIR") or _place(None if follows_model else cwd),
        cwd,
    )


def _read_codex(message: Message) -> Call:
    """Codex says no root: it runs the hook in it."""
    _event(message, "hook_event_name", "PreToolUse")
    return _named(message, "tool_name", "tool_input", (os.getcwd(),), _directory(message))


def _read_gemini(message: Message) -> Call:
    _event(message, "hook_event_name", "BeforeTool")
    roots = _variable("GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR")
    return _named(message, "tool_name", "tool_input", roots, _directory(message))


def _read_qwen(message: Message) -> Call:
    _event(message, "hook_event_name", "PreToolUse")
    roots = _variable("QWEN_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR")
    return _named(message, "tool_name", "tool_input", roots, _directory(message))


def _read_copilot(message: Message) -> Call:
    """Copilot's own form (`toolName`) has no event in it; the other is Claude's, also that of agents in VS Code, which
    run the hooks of Copilot too. Its `cwd` is the root in all of them.
    """
    cwd = _directory(message)
    if "toolName" in message:
        return _named(message, "toolName", "toolArgs", _place(cwd), cwd)
    _claude_event(message)
    return _named(message, "tool_name", "tool_input", _place(cwd), cwd)


def _read_vscode(message: Message) -> Call:
    """Hooks of agents in VS Code run in the folder of the workspace."""
    _claude_event(message)
    cwd = _directory(message)
    return _named(message, "tool_name", "tool_input", _place(cwd), cwd)


_CURSOR_EVENTS = {
    "preToolUse": ("tool_name", "tool_input"),
    "beforeMCPExecution": ("tool_name", "tool_input"),
    "beforeShellExecution": (None, "command"),
    "beforeReadFile": (None, "file_path"),
}
_CURSOR_MCP = "MCP:"
_CURSOR_TOOLS = {"beforeShellExecution": "Shell", "beforeReadFile": "Read"}


def _read_cursor(message: Message) -> Call:
    event = message.get("hook_event_name")
    _event(message, "hook_event_name", *_CURSOR_EVENTS)
    tool, arguments = _CURSOR_EVENTS[str(event)]
    roots, cwd = _directories(message, "workspace_roots"), _directory(message)
    if tool is not None:
        call = _named(message, tool, arguments, roots, cwd)
        name = call.tool.removeprefix(_CURSOR_MCP)
        unknown = (event == "beforeMCPExecution" or name != call.tool) and "/" not in name
        # The prefix keeps a server's `Read` from being taken for the built-in tool of that name.
        return replace(call, tool=_CURSOR_MCP + name, server_unknown=True) if unknown else call
    if not isinstance(message.get(arguments), str):
        raise Unreadable(f"`{arguments}` of the message is no text")
    built_in = {"tool": _CURSOR_TOOLS[str(event)], "arguments": {arguments: message[arguments]}}
    return _named(built_in, "tool", "arguments", roots, cwd)


def _read_cline(message: Message) -> Call:
    """Cline's `preToolUse` holds lists as JSON in texts; `tool_call` holds them as they are."""
    call = message.get("tool_call")
    if not isinstance(call, Mapping):
        raise Unreadable("the message holds no `tool_call`")
    return _named(call, "name", "input", _directories(message, "workspaceRoots"))


def _read_opencode(message: Message) -> Call:
    """What our own plugin writes."""
    root = _directory(message, "directory")
    return _named(message, "tool", "args", _place(root), root)


def _deny_as_claude(message: Message, reason: str) -> dict[str, Any]:
    output = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason}
    return {"hookSpecificOutput": output}


def _deny_as_copilot(message: Message, reason: str) -> dict[str, Any]:
    """The wrong form for the event would be passed over."""
    if "hook_event_name" in message or "hookEventName" in message:
        return _deny_as_claude(message, reason)
    return {"permissionDecision": "deny", "permissionDecisionReason": reason}


def _deny_as_gemini(message: Message, reason: str) -> dict[str, Any]:
    return {"decision": "deny", "reason": reason}


def _deny_as_cursor(message: Message, reason: str) -> dict[str, Any]:
    return {"permission": "deny", "user_message": reason, "agent_message": reason}


def _deny_as_cline(message: Message, reason: str) -> dict[str, Any]:
    return {"cancel": True, "errorMessage": reason}


HOSTS: dict[str, Host] = {
    "claude": Host(_read_claude, _deny_as_claude),
    "codex": Host(_read_codex, _deny_as_claude),
    "gemini": Host(_read_gemini, _deny_as_gemini),
    "copilot": Host(_read_copilot, _deny_as_copilot),
    "qwen": Host(_read_qwen, _deny_as_claude),
    "cursor": Host(_read_cursor, _deny_as_cursor),
    "vscode": Host(_read_vscode, _deny_as_claude),
    "cline": Host(_read_cline, _deny_as_cline),
    "opencode": Host(_read_opencode, _deny_as_gemini),
}
"""The hosts by the name under which their hook is run."""
