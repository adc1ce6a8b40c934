"""The names under which a project's rules are looked for."""

from __future__ import annotations

DEFAULT_RULE_FILES = (".coding-agent-rules.yaml", ".coding-agent-rules.md", ".github/AGENTS.md")
"""The built-in order: the first that exists is in force."""
