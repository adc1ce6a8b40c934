"""An installed hook run once, as its host runs it: does it answer at all, and in time?"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping

from rules_lsp.agents.doctor import InstalledHook
from rules_lsp.agents.hook_command import host_of
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIMIT = 20.0
"""Seconds that a hook gets."""
_FAILED = "policy engine failed"
_TOOL = "rules_lsp_doctor"
_DIRECTORIES = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR")


@dataclass(frozen=True, slots=True)
class Trial:
    """How a hook answered a call of a tool that does nothing: `failure` is None where the rules answered."""

    seconds: float
    failure: str | None


def try_hook(hook: InstalledHook, root: str) -> Trial:
    """Run a hook with a harmless message in the project's directory; never raises."""
    host = host_of(hook.words) or ""
    begun = time.monotonic()
    try:
        done = subprocess.run(
            _process(hook, host),
            input=json.dumps(_message(host, root)).encode(),
            capture_output=True,
            cwd=root,
            env={**os.environ, **dict.fromkeys(_DIRECTORIES, root)},
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        return Trial(time.monotonic() - begun, f"it gave no answer within {LIMIT:g} seconds")
    except (OSError, ValueError) as error:
        return Trial(time.monotonic() - begun, f"it cannot be run ({getattr(error, 'strerror', None) or error})")
    return Trial(time.monotonic() - begun, _failure(host, done))


def _process(hook: InstalledHook, host: str) -> list[str]:
    if host == "opencode":
        # The plugin starts these words itself.
        return list(hook.words)
    if hook.command == hook.path:
        return [hook.path]
    return ["bash" if host == "copilot" else "sh", "-c", hook.command]


def _message(host: str, root: str) -> Mapping[str, Any]:
    if host == "copilot":
        return {"cwd": root, "toolName": _TOOL, "toolArgs": {}}
    if host == "cline":
        return {"workspaceRoots": [root], "tool_call": {"name": _TOOL, "input": {}}}
    if host == "opencode":
        return {"directory": root, "tool": _TOOL, "args": {}}
    event = {"gemini": "BeforeTool", "cursor": "preToolUse"}.get(host, "PreToolUse")
    named = {"hook_event_name": event, "tool_name": _TOOL, "tool_input": {}, "cwd": root}
    return {**named, "workspace_roots": [root]}


def _failure(host: str, done: subprocess.CompletedProcess[bytes]) -> str | None:
    said, cause = (stream.decode("utf-8", "replace").strip() for stream in (done.stdout, done.stderr))
    for stream in (cause, said):
        if _FAILED in stream:
            reason = stream[stream.index(_FAILED) :].splitlines()[0].rstrip('"}')
            before = stream[: stream.index(_FAILED)].splitlines() if stream == cause else cause.splitlines()
            return f"{reason} ({before[-1]})" if before else reason
    allowed = done.returncode == 0 and not done.stdout
    denied = bool(done.stdout) and done.returncode == (0 if host == "cline" else 2)
    return None if allowed or denied else f"it ended with code {done.returncode} and no answer"
