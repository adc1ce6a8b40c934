"""The tools of the MCP server: what each takes, what it gives, and how it asks the engine. Nothing here knows MCP.

No argument names a root: which project is asked is settled by whoever started the server, never by a model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules_lsp.agents.mcp_schemas import edits_answer, edits_input, explanation, input_of, narrowed, policies
from rules_lsp.features.effective_policy import effective_policy
from rules_lsp.features.explaining import explained_as_json
from rules_lsp.prompt.edits.as_json import edits_as_json
from rules_lsp.prompt.edits.checking import check_edits_of_folders
from rules_lsp.prompt.edits.request import edit_request
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.folders import Folders

Arguments = Mapping[str, Any]

_PATH = ("path", "uri", "operation", "newPath", "cwd")
_PATHS = ("paths", "operation", "newPath", "cwd", "detail")
_TOOL = ("tool", "tools", "arguments", "cwd", "detail")
_EDITS = ("edits", "targets", "cwd", "allowDelete")
_EXPLAINED = ("path", "uri", "tool", "operation", "newPath", "arguments", "cwd")


@dataclass(frozen=True, slots=True)
class AskingTool:
    """A tool that only asks. `answer` gives its structured result for the open folders and never raises on input."""

    name: str
    title: str
    description: str
    input_schema: Callable[[], dict[str, Any]]
    output_schema: Callable[[], dict[str, Any]]
    answer: Callable[[Folders, Arguments], dict[str, Any]]


def _check_file(folders: Folders, arguments: Arguments) -> dict[str, Any]:
    return folders.answer(_only(arguments, _PATH))


def _check_tool(folders: Folders, arguments: Arguments) -> dict[str, Any]:
    return folders.answer(_only(arguments, _TOOL))


def _filter_paths(folders: Folders, arguments: Arguments) -> dict[str, Any]:
    answer = folders.answer(_only(arguments, _PATHS))
    if "answers" not in answer:
        return answer
    pairs = zip(arguments["paths"], answer["answers"], strict=True)
    return {"allowedPaths": [path for path, each in pairs if each["allowed"]], **answer}


def _explain(folders: Folders, arguments: Arguments) -> dict[str, Any]:
    query = _only(arguments, _EXPLAINED)
    decision = folders.decide(query)
    return {**folders.answer(query), "weighed": []} if decision is None else explained_as_json(decision)


def _check_edits(folders: Folders, arguments: Arguments) -> dict[str, Any]:
    request = edit_request(arguments, _EDITS)
    nobody = folders.answer(None)["policy"]
    return edits_as_json(check_edits_of_folders(folders, request), policy=nobody)


def _effective_policy(folders: Folders, arguments: Arguments) -> dict[str, Any]:
    return {"folders": [effective_policy(project.policy()) for project in folders.projects]}


def _only(arguments: Arguments, keys: tuple[str, ...]) -> dict[str, Any]:
    """The arguments that are a tool's own: as in every query, others count for nothing."""
    return {key: value for key, value in arguments.items() if key in keys}


TOOLS: tuple[AskingTool, ...] = (
    AskingTool(
        "check_file",
        "May this file be touched?",
        "Says whether a file may be read, written, created, deleted or renamed under the project's rules, and why. "
        "Ask before you touch a file; what is denied stays denied.",
        lambda: input_of(_PATH, "path", "uri"),
        lambda: narrowed("file_answer"),
        _check_file,
    ),
    AskingTool(
        "check_tool",
        "May this tool be called?",
        "Says whether a tool may be called under the project's rules, with these arguments, and why. "
        "Paths among the arguments are checked too.",
        lambda: input_of(_TOOL, "tool", "tools"),
        lambda: narrowed("tool_answer", "batch", "file_answer"),
        _check_tool,
    ),
    AskingTool(
        "filter_paths",
        "Which of these files may be touched?",
        "Takes a list of paths and one operation; says which of the paths the project's rules allow, and for each of "
        "the others what kind of rule denies it.",
        lambda: input_of(_PATHS, "paths"),
        lambda: narrowed("batch", "file_answer", with_allowed_paths=True),
        _filter_paths,
    ),
    AskingTool(
        "check_edits",
        "Can these edits be made?",
        "Takes a batch of edits, each a block of a file and what replaces it; says of each whether the project's rules "
        "allow it and whether its block stands once, and if not where something near it stands. Changes nothing.",
        edits_input,
        edits_answer,
        _check_edits,
    ),
    AskingTool(
        "explain",
        "Why is this allowed or denied?",
        "The decision about one file or one tool with every rule that spoke, in the order in which they were weighed.",
        lambda: input_of(_EXPLAINED, "path", "uri", "tool"),
        explanation,
        _explain,
    ),
    AskingTool(
        "effective_policy",
        "The rules in force",
        "The project's rules as they hold now: every entry with its place, what is protected, and what is wrong.",
        lambda: input_of(()),
        policies,
        _effective_policy,
    ),
)
