"""The names under which a folder's instructions for agents are looked for, the first that can be read counting."""

from __future__ import annotations

INSTRUCTION_NAMES = ("AGENTS.override.md", "AGENTS.Override.md", "AGENTS.md", "Agents.md", "agents.md")
OVERRIDES = INSTRUCTION_NAMES[:2]
_MISSPELT = frozenset(
    {"agents.md", "agents.override.md", "agent.md", "agent.override.md", "agents.markdown", "agents.overrides.md"}
)


def meant_name(name: str) -> str | None:
    """The name that a file's name was meant to be (`AGENTS.MD`, `AGENT.md`); None where it is right or means none."""
    folded = name.casefold()
    # A plain `agent.md` may be a page about an agent.
    if name in INSTRUCTION_NAMES or folded not in _MISSPELT or name.startswith("agent."):
        return None
    return "AGENTS.override.md" if "override" in folded else "AGENTS.md"
