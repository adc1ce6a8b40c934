"""The keys and words of `.auto-prompter.yaml`; the schema describes them, this module lists them for speed."""

from __future__ import annotations

FILE_NAME = ".auto-prompter.yaml"
VERSION = 1
TOP_LEVEL = ("version", "enabled", "rules", "x-dangerous")
RULE = ("id", "name", "enabled", "when", "target", "condition", "action", "instruction", "limit")
TARGET = ("categories", "tools")
CONDITION = (
    "command",
    "files",
    "pieces",
    "movements",
    "external",
    "language",
    "approved",
    "role",
    "fired",
    "text",
    "judge",
)
COMMAND = ("kinds", "matches")
LANGUAGE = ("expect", "below")
FIRED = ("at_least",)
LIMIT = ("fires", "per", "cooldown_seconds", "repeat_after_denial")

ALWAYS, BEFORE_TOOL, BEFORE_COMPLETION = "always", "tool.before", "completion.before_accept"
AUDIT, INJECT, DENY, APPROVE = "audit_only", "inject_instruction", "deny_current_tool", "request_approval"
ACTIONS: dict[str, tuple[str, ...]] = {
    ALWAYS: (INJECT,),
    BEFORE_TOOL: (AUDIT, INJECT, DENY, APPROVE),
    BEFORE_COMPLETION: (AUDIT, INJECT, DENY),
}
"""The actions that each moment takes."""
OBSERVED = ("tool.after", "tool.denied", "runtime.error")
REFUSED_ACTIONS = {
    "stop_task": "a file cannot show the right to stop a task",
    "notify_admin": "a file cannot show the right to write to an administrator",
}
CATEGORIES = (
    "command_execution",
    "internet_search",
    "file_read",
    "file_write",
    "external_communication",
    "browser",
    "ssh",
)
RESERVED_CATEGORIES = ("git", "data_deletion")
EXTERNAL = frozenset({"internet_search", "external_communication", "browser", "ssh"})
PERIODS = ("task", "movement")
JUDGES = ("shadow",)
