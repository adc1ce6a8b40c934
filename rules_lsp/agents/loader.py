"""The Python API: ask a project's rules from a program, without an editor."""

from __future__ import annotations

import os
from typing import Any

from rules_lsp.policy.decide_tool import decide_tool
from rules_lsp.policy.decision import FileDecision, ToolDecision
from rules_lsp.policy.model import Rules
from rules_lsp.policy.query import decide
from rules_lsp.policy.resolve import Resolver
from rules_lsp.workspace.finding import operator_config
from rules_lsp.workspace.project import Project


class ProjectAgentRulesLoader:
    """The rules of the project at `root`; they are read again whenever a file that governs them changes.

    `config` names the operator's `config.yaml`; without it `RULES_LSP_CONFIG` does, else the root's own counts.
    No method raises because of what a rule file or a request holds: what cannot be read is denied.
    """

    def __init__(self, root: str | os.PathLike[str], config: str | os.PathLike[str] | None = None) -> None:
        self._project = Project(os.fspath(root), operator_config(os.fspath(config) if config is not None else None))

    def load_rules(self) -> Rules:
        """The rules in force, every entry with its place."""
        return self._project.policy().rules

    def get_system_prompt_extension(self) -> str:
        """The text to add to the system prompt; empty where there is none, or where the rules are switched off."""
        policy = self._project.policy()
        return policy.rules.system_prompt_extension if policy.enabled else ""

    def is_tool_allowed(self, tool: str, arguments: dict[str, Any] | None = None) -> bool:
        """Whether a tool (`server/tool`, a built-in's name, or a host's spelling) may be called."""
        return self.explain_tool(tool, arguments).allowed

    def is_file_allowed(self, path: str | os.PathLike[str], operation: str = "write") -> bool:
        """Whether `operation` (read, write, create, delete) may be done to a path, absolute or root-relative."""
        return self.explain_file(path, operation).allowed

    def explain_tool(
        self, tool: str, arguments: dict[str, Any] | None = None, *, cwd: str | os.PathLike[str] | None = None
    ) -> ToolDecision:
        """The whole answer about a tool; `as_json()` gives the answer object. Relative paths start from `cwd`."""
        policy = self._project.policy()
        return decide_tool(policy, tool, arguments, Resolver(policy.root), cwd=_text(cwd))

    def explain_file(
        self,
        path: str | os.PathLike[str],
        operation: str = "write",
        *,
        new_path: str | os.PathLike[str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
    ) -> FileDecision:
        """The whole answer about a path; a rename is asked with `new_path`."""
        policy = self._project.policy()
        query = {"path": _text(path), "operation": operation, "newPath": _text(new_path), "cwd": _text(cwd)}
        decision = decide(policy, query, Resolver(policy.root))
        assert isinstance(decision, FileDecision)
        return decision


def _text(path: object) -> object:
    return os.fspath(path) if isinstance(path, os.PathLike) else path
