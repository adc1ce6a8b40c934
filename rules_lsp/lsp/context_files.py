"""Commands about what a prompt takes in: the files of a selection, and a persona rendered for a file."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from rules_lsp.lsp.overviews import projects_asked
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.policy.files import read_file
from rules_lsp.source.text import Encoding, Text
from rules_lsp.source.uri import usable_path
from rules_lsp.workspace.project import Project

_FILES = "rulesLsp.contextFiles"
_PREVIEW = "rulesLsp.previewPersona"


async def context_files(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """The files that a prompt takes in, for `{"files", "fileLists", "references", "folder"}`; the answer has a schema.

    Relative paths start at `cwd`, else at the folder; `automatic` false leaves out what comes along by itself;
    `byDirectory` true counts by directory. Raises JsonRpcInvalidParams for other arguments.
    """
    (project, *_) = projects_asked(server, arguments, _FILES)
    asked = arguments[0] if arguments else {}
    files, lists, references = (_texts(asked, key, _FILES) for key in ("files", "fileLists", "references"))
    cwd = _directory(asked, project, _FILES)
    automatic, counted = asked.get("automatic") is not False, asked.get("byDirectory") is True
    encoding: Encoding = server.state.encoding

    def work() -> dict[str, Any]:
        from rules_lsp.prompt.context.as_json import selection_as_json
        from rules_lsp.prompt.context.selecting import STANDARD_INPUT, select_context

        # The server's own input is the protocol: no list is read from it.
        named = [each for each in lists if each != STANDARD_INPUT]
        selection = select_context(
            project, files, named, references, cwd=cwd, automatic=automatic, lists_are_asked=True
        )
        return selection_as_json(selection, encoding, by_directory=counted)

    return await asyncio.to_thread(work)


async def preview_persona_for(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """What a model is told by a persona, for `{"uri", "target", "references", "task"}`, and what is left out of it.

    `uri` is the persona, as it is in the editor where it is open; `target` is the `file:` URI of a file to change. The
    rest is that of `rules-lsp persona --format json`. Raises JsonRpcInvalidParams for other arguments.
    """
    asked = arguments[0] if len(arguments) == 1 else None
    uri = asked.get("uri") if isinstance(asked, dict) else None
    path = usable_path(uri) if isinstance(uri, str) else None
    if not isinstance(asked, dict) or not isinstance(uri, str) or path is None:
        raise JsonRpcInvalidParams(f"`{_PREVIEW}` takes one object with `uri`, the `file:` URI of a persona")
    target, task = asked.get("target"), asked.get("task")
    target_path = usable_path(target) if isinstance(target, str) else None
    if (target is not None and target_path is None) or not (task is None or isinstance(task, str)):
        raise JsonRpcInvalidParams(f"the `target` of `{_PREVIEW}` is a `file:` URI, and its `task` a text")
    references = _texts(asked, "references", _PREVIEW)
    text = _text_of(server, uri, path)
    folders = server.state.folders
    project = folders.innermost(target_path or path) or next(iter(folders.projects), None)
    if project is None:
        raise JsonRpcInvalidParams("no folder is open, so there are no rules to ask")
    cwd, encoding = project.root.given, server.state.encoding

    def work() -> dict[str, Any]:
        from rules_lsp.prompt.context.as_json import selection_as_json
        from rules_lsp.prompt.personas.preview import preview_persona
        from rules_lsp.prompt.personas.reading import read_persona

        reading = read_persona(text)
        targets = [] if target_path is None else [target_path]
        preview = preview_persona(reading, project, targets, references, cwd=cwd, task=task)
        problems = [*preview.rendered.problems]
        problems += [problem for problem in reading.problems if problem not in problems]
        return {
            "text": preview.text,
            **preview.as_json(),
            "problems": [
                {
                    "code": problem.code,
                    "severity": problem.severity,
                    "message": problem.message,
                    "range": text.range(problem.span, encoding).as_json(),
                }
                for problem in problems
            ],
            "context": selection_as_json(preview.selection, encoding),
        }

    return await asyncio.to_thread(work)


def _text_of(server: RulesLanguageServer, uri: str, path: str) -> Text:
    document = server.state.document(uri)
    if document is not None:
        return document.text
    # An editor may write the address of an open document in another way.
    opened = server.state.buffers().get(path)
    if opened is not None:
        return Text(opened)
    content = read_file(path)
    text, unreadable = content.text()
    if not content.exists or unreadable is not None:
        raise JsonRpcInvalidParams(f"the persona cannot be read: {unreadable or 'there is no such file'}")
    return Text(text)


def _texts(asked: dict[str, Any], key: str, command: str) -> list[str]:
    found = asked.get(key)
    found = [] if found is None else found
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise JsonRpcInvalidParams(f"`{key}` of `{command}` is a list of texts")
    return found


def _directory(asked: dict[str, Any], project: Project, command: str) -> str:
    cwd = asked.get("cwd")
    if cwd is None:
        return project.root.given
    path = usable_path(cwd) if isinstance(cwd, str) and cwd[:5].lower() == "file:" else cwd
    if not isinstance(path, str) or "\0" in path or not os.path.isabs(path):
        raise JsonRpcInvalidParams(f"the `cwd` of `{command}` is an absolute path or a `file:` URI")
    return path
