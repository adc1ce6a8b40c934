"""How the model of each host says what it wants done: the tools of that host, with the arguments that they take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from tests.hosts.model.script import Call

OLD, NEW = "old", "new"
"""What the calls look for in a file that is there, and what they leave in every file."""


class Hand(Protocol):
    """The tools of one host. `writer` and `editor` are names of them; `mcp` makes that of a server's tool."""

    writer: str
    editor: str
    mcp: str

    def write(self, name: str, path: str) -> list[Call]:
        """Make a new file."""

    def edit(self, name: str, path: str) -> list[Call]:
        """Change a file that is there."""

    def ask(self, name: str, server: str, tool: str, arguments: Mapping[str, Any]) -> list[Call]:
        """Call a tool of an MCP server."""

    def shell(self, name: str, command: str) -> list[Call]:
        """Run a command line."""


class Claude:
    writer, editor, mcp = "Write", "Edit", "mcp__{}__{}"

    def write(self, name: str, path: str) -> list[Call]:
        return [Call(name, "Write", {"file_path": path, "content": NEW})]

    def edit(self, name: str, path: str) -> list[Call]:
        """Claude Code edits only what it has read."""
        return [
            Call(f"{name}-read", "Read", {"file_path": path}),
            Call(name, "Edit", {"file_path": path, "old_string": OLD, "new_string": NEW}),
        ]

    def edit_notebook(self, name: str, path: str) -> list[Call]:
        return [
            Call(f"{name}-read", "Read", {"file_path": path}),
            Call(name, "NotebookEdit", {"notebook_path": path, "cell_id": "one", "new_source": NEW}),
        ]

    def ask(self, name: str, server: str, tool: str, arguments: Mapping[str, Any]) -> list[Call]:
        return [Call(name, self.mcp.format(server, tool), arguments)]

    def shell(self, name: str, command: str) -> list[Call]:
        return [Call(name, "Bash", {"command": command})]

    def delegate(self, name: str, prompt: str) -> list[Call]:
        kind = {"subagent_type": "general-purpose", "run_in_background": False}
        return [Call(name, "Agent", {"description": "Write a file", "prompt": prompt, **kind})]


class Codex:
    writer, editor, mcp = "apply_patch", "apply_patch", "mcp__{}__{}"

    def write(self, name: str, path: str) -> list[Call]:
        return [self._patch(name, f"*** Add File: {path}\n+{NEW}")]

    def edit(self, name: str, path: str) -> list[Call]:
        return [self._patch(name, f"*** Update File: {path}\n@@\n-{OLD}\n+{NEW}")]

    def move(self, name: str, path: str, target: str) -> list[Call]:
        return [self._patch(name, f"*** Update File: {path}\n*** Move to: {target}\n@@\n-{OLD}\n+{NEW}")]

    def ask(self, name: str, server: str, tool: str, arguments: Mapping[str, Any]) -> list[Call]:
        return [Call(name, tool, arguments, f"mcp__{server}")]

    def shell(self, name: str, command: str) -> list[Call]:
        return [Call(name, "exec_command", {"cmd": command})]

    def shell_in(self, name: str, directory: str, command: str) -> list[Call]:
        return [Call(name, "exec_command", {"cmd": command, "workdir": directory})]

    def patch_in_shell(self, name: str, path: str) -> list[Call]:
        patch = _patch_text(f"*** Add File: {path}\n+{NEW}")
        return self.shell(name, f"apply_patch <<'EOF'\n{patch}EOF\n")

    def _patch(self, name: str, changes: str) -> Call:
        return Call(name, "apply_patch", _patch_text(changes))


class Gemini:
    writer, editor, mcp = "write_file", "replace", "mcp_{}_{}"

    def write(self, name: str, path: str) -> list[Call]:
        return [Call(name, "write_file", {"file_path": path, "content": NEW})]

    def edit(self, name: str, path: str) -> list[Call]:
        return [self._replace(name, path, OLD)]

    def create_by_edit(self, name: str, path: str) -> list[Call]:
        return [self._replace(name, path, "")]

    def ask(self, name: str, server: str, tool: str, arguments: Mapping[str, Any]) -> list[Call]:
        return [Call(name, self.mcp.format(server, tool), arguments)]

    def shell(self, name: str, command: str) -> list[Call]:
        return [Call(name, "run_shell_command", {"command": command, "description": "Write a file"})]

    def shell_in(self, name: str, directory: str, command: str) -> list[Call]:
        told = {"command": command, "description": "Write a file", "dir_path": directory}
        return [Call(name, "run_shell_command", told)]

    def delegate(self, name: str, prompt: str) -> list[Call]:
        return [Call(name, "invoke_agent", {"agent_name": "generalist", "prompt": prompt})]

    def _replace(self, name: str, path: str, old: str) -> Call:
        change = {"old_string": old, "new_string": NEW, "instruction": "Say it anew"}
        return Call(name, "replace", {"file_path": path, **change})


def _patch_text(changes: str) -> str:
    return f"*** Begin Patch\n{changes}\n*** End Patch\n"


HANDS: dict[str, Hand] = {"claude": Claude(), "codex": Codex(), "gemini": Gemini()}
