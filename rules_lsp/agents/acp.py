"""Permission requests of the Agent Client Protocol, answered by the rules: for editors that drive agents over ACP.

Some agents run none of their hooks when an editor drives them; but they ask the editor for permission, and there the
rules can say no:

    denial = decide(message["params"], root)
    if denial is not None:
        answer(message["id"], denial.result)   # the user is not asked
    else:
        ...                                    # the user is asked, as ever

What is allowed is never answered for the user. What an agent does without asking is not seen.

A request says less than a hook's message: often no name of a tool, sometimes no arguments. What is not said is not
taken for harmless: then kind and locations decide, and where these say nothing either, any rule about files denies.
Agents tell some of it earlier: lay the `toolCall` of a request over what `session/update` told of the same call.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules_lsp.agents.hosts import Call
from rules_lsp.agents.shell_look import reason_to_deny
from rules_lsp.agents.shell_tools import directories_of
from rules_lsp.agents.surroundings import narrowed, project_around
from rules_lsp.policy.decision import Decision
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.tools.patch_text import patched_files
from rules_lsp.source.records import dataclass
from rules_lsp.source.uri import from_uri
from rules_lsp.workspace.finding import find_root, operator_config
from rules_lsp.workspace.folders import Folders

_REJECTING = ("reject_once", "reject_always")
_OPERATIONS: dict[str, tuple[str, ...]] = {
    "read": ("read",),
    "search": ("read",),
    "edit": ("write",),
    "delete": ("delete",),
    "move": ("delete", "create"),
}
"""What each kind does to its locations; of both ends of a move nobody says which is which. All others write."""
_BUILT_INS: dict[str, tuple[str, ...]] = {
    "read": ("Read",),
    "search": ("Grep", "Glob"),
    "edit": ("Edit", "Write"),
    "delete": ("Edit", "Write"),
    "move": ("Edit", "Write"),
    "execute": ("Bash",),
    "fetch": ("WebFetch",),
}
"""The tools that a call of a kind may be, where it does not say which."""
_HARMLESS = frozenset({"think", "switch_mode"})
_PATHS = (
    *("path", "file_path", "filePath", "abs_path", "absolute_path", "filename", "notebook_path", "target_file"),
    *("old_path", "oldPath", "new_path", "newPath", "source", "destination", "uri"),
    *("paths", "files", "filenames"),
)
_PATCHES = ("patch", "patchText", "patch_text", "input", "command")
_PATCH_MARK = "*** Begin Patch"
_TOOL_TITLE = re.compile(r"mcp__[^\s_]\S*__\S+")


_Path = str | os.PathLike[str]
_Root = _Path | Sequence[_Path]


@dataclass(frozen=True, slots=True)
class Denial:
    """A request that the rules refuse. `result` answers `session/request_permission`, `reason` is for the user."""

    result: dict[str, Any]
    reason: str


def decide(request: Mapping[str, Any], root: _Root | None = None, config: _Path | None = None) -> Denial | None:
    """Decide the parameters of a `session/request_permission`: a denial, or None to ask the user.

    `root` is the session's directory, or several; without it the working directory's project. `config` names the
    operator's `config.yaml`; without it `RULES_LSP_CONFIG` does. Never raises: what cannot be decided is denied.
    """
    try:
        reason = _Question(request, _folders(root, config)).reason()
    except Exception as error:
        reason = f"policy engine failed: {type(error).__name__}: {error}"
    return None if reason is None else Denial({"outcome": _outcome(request)}, reason)


def _folders(root: _Root | None, config: _Path | None) -> Folders:
    operator = operator_config(os.fspath(config) if config is not None else None)
    if operator is not None and not os.path.isfile(operator):
        raise FileNotFoundError(f"the operator's configuration `{operator}` is no file")
    folders = Folders(operator)
    if root is None:
        roots: Sequence[_Path] = [find_root(os.getcwd())]
    else:
        roots = [root] if isinstance(root, str | os.PathLike) else root
    for each in roots:
        path = os.fspath(each)
        if not os.path.isdir(path):
            raise NotADirectoryError(f"the session's directory `{path}` is no directory")
        folders.open(os.path.abspath(path))
    return folders


def _outcome(request: object) -> dict[str, Any]:
    """The option that rejects, once rather than always; where there is none the question is cancelled."""
    options = request.get("options") if isinstance(request, Mapping) else None
    for kind in _REJECTING:
        for option in options if isinstance(options, list) else ():
            if isinstance(option, dict) and option.get("kind") == kind and isinstance(option.get("optionId"), str):
                return {"outcome": "selected", "optionId": option["optionId"]}
    return {"outcome": "cancelled"}


class _Question:
    """One call, and the folders that it may concern."""

    def __init__(self, request: Mapping[str, Any], folders: Folders) -> None:
        call = request.get("toolCall")
        self._call: Mapping[str, Any] = call if isinstance(call, Mapping) else {}
        self._folders = folders
        kind = self._call.get("kind")
        self._kind = kind if isinstance(kind, str) else "other"
        given = self._call.get("rawInput")
        self._input: Mapping[str, Any] | None = given if isinstance(given, Mapping) else None
        self._cwd = folders.projects[0].root.given
        self._decide = narrowed(self._of_folders, folders.projects)

    def reason(self) -> str | None:
        """Why the call is denied, or None."""
        if not self._call:
            return "the request names no tool call"
        name, arguments = self._named()
        paths = list(dict.fromkeys((*self._locations(), *self._paths_of_input())))
        lines = list(self._commands())
        reason = self._about_tool(name, arguments) or self._about_paths(paths) or self._about_commands(lines)
        understood = bool(paths or lines) or (name is not None and arguments is not None)
        if reason is None and not understood and self._kind not in _HARMLESS and self._files_are_restricted():
            return "the request does not say which files it touches, and the project has rules about files"
        return reason

    def _about_tool(self, name: str | None, arguments: Mapping[str, Any] | None) -> str | None:
        if name is not None:
            query: dict[str, Any] = {"tool": name, "cwd": self._cwd}
            if arguments is not None:
                query["arguments"] = arguments
            decision = self._decide(query)
            return None if decision.allowed else decision.reason
        decisions = [self._decide({"tool": tool}) for tool in _BUILT_INS.get(self._kind, ())]
        denied = next((each for each in decisions if not each.allowed and each.code != "not-allowed-tool"), None)
        if denied is not None:
            return denied.reason
        if decisions:
            return None if any(each.allowed for each in decisions) else decisions[0].reason
        if self._kind not in _HARMLESS and any(_restricts_tools(policy) for policy in self._policies()):
            return "the request does not name its tool, and the project has rules about tools"
        return None

    def _about_paths(self, paths: Sequence[str]) -> str | None:
        for path in paths:
            for operation in _OPERATIONS.get(self._kind, ("write",)):
                decision = self._decide({"path": path, "operation": operation, "cwd": self._cwd})
                if not decision.allowed:
                    return decision.reason
        return None

    def _about_commands(self, lines: Sequence[str]) -> str | None:
        call = Call("", self._input or {}, self._cwd, ())
        reasons = (reason_to_deny(lines, cwd, self._decide) for cwd in directories_of(call, ()))
        return next((reason for reason in reasons if reason is not None), None) if lines else None

    def _named(self) -> tuple[str | None, Mapping[str, Any] | None]:
        """The name of the tool where the request tells one, and the arguments of the call as far as they are there."""
        meta = self._call.get("_meta")
        for value in meta.values() if isinstance(meta, Mapping) else ():
            if isinstance(value, Mapping) and isinstance(value.get("toolName"), str):
                return value["toolName"], self._input
        if self._input is not None:
            server, tool = self._input.get("server"), self._input.get("tool")
            if isinstance(server, str) and isinstance(tool, str):
                given = self._input.get("arguments")
                return f"{server}/{tool}", given if isinstance(given, Mapping) else None
        title = self._call.get("title")
        if isinstance(title, str) and _TOOL_TITLE.fullmatch(title):
            return title, self._input
        return None, self._input

    def _locations(self) -> Iterator[str]:
        """The paths that the request itself names: its locations, and the differences that it shows."""
        for key in ("locations", "content"):
            values = self._call.get(key)
            for value in values if isinstance(values, list) else ():
                if isinstance(value, Mapping) and isinstance(value.get("path"), str):
                    yield value["path"]

    def _paths_of_input(self) -> Iterator[str]:
        given = self._input or {}
        for key in _PATHS:
            values = given.get(key)
            for value in values if isinstance(values, list) else (values,):
                if isinstance(value, str) and value:
                    path = from_uri(value) if key == "uri" else value
                    yield from (path,) if path is not None else ()
        changes = given.get("changes")
        yield from (path for path in changes if isinstance(path, str)) if isinstance(changes, Mapping) else ()
        for key in _PATCHES:
            value = given.get(key)
            if isinstance(value, str) and _PATCH_MARK in value:
                yield from (path for file in patched_files(value) for path in (file.path, file.new_path) if path)

    def _commands(self) -> Iterator[str]:
        command = (self._input or {}).get("command")
        if isinstance(command, str) and command:
            yield command
        elif isinstance(command, list) and command and all(isinstance(word, str) for word in command):
            yield shlex.join(command)

    def _files_are_restricted(self) -> bool:
        return any(
            policy.refusal is not None or (policy.enabled and bool(policy.rules.include or policy.rules.exclude))
            for policy in self._policies()
        )

    def _policies(self) -> Iterator[Policy]:
        for project in self._folders.projects:
            yield project.policy()
            around = project_around(project)
            if around is not None:
                yield around.policy()

    def _of_folders(self, query: Mapping[str, Any]) -> Decision:
        decision = self._folders.decide(query)
        assert decision is not None
        return decision


def _restricts_tools(policy: Policy) -> bool:
    return policy.enabled and bool(policy.rules.allowed_tools or policy.rules.denied_tools)
