"""May these edits be made, and what would the files be? Every block is matched against the file as it is now.

Nothing of a file is looked at before the policy allows to write it, so that no answer tells what a denied file holds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from rules_lsp.policy.decide_file import decide_file
from rules_lsp.policy.decision import FileDecision
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.query import file_request, no_such_root, refusal
from rules_lsp.policy.resolve import Resolver
from rules_lsp.prompt.edits.files import EditedFiles
from rules_lsp.prompt.edits.model import CheckedEdits, EditAnswer, MalformedEdit, StructuredEdit
from rules_lsp.prompt.edits.outcomes import Asked, Stopped, refused
from rules_lsp.prompt.edits.reading import read_edits
from rules_lsp.prompt.edits.request import EditOptions, EditRequest
from rules_lsp.prompt.edits.targets import Targets, read_targets
from rules_lsp.workspace.conversation import Conversation
from rules_lsp.workspace.folders import Folders
from rules_lsp.workspace.project import Project

_NEEDS_ROOT = "several folders are open: name one with `root`, or give an absolute path"
Progress = Callable[[int], bool]
"""Told how many edits have been looked at; False stops."""
Decide = Callable[[str, str], FileDecision]
"""The decision about a path and an operation."""


def check_edits(
    project: Project,
    edits: object,
    targets: Sequence[str] | None = None,
    *,
    cwd: str | None = None,
    allow_delete: bool = False,
    overlay: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> CheckedEdits:
    """Check a batch (JSON data) against the policy and the files of a project. Writes nothing and never raises.

    `overlay` maps absolute paths to the texts of open buffers, which count instead of their files.
    """
    options = EditOptions(targets, cwd, allow_delete)
    policy = project.policy()
    return checked(edits, options, deciding(policy, options), policy, overlay, progress)


def check_edits_of_folders(
    folders: Folders, request: EditRequest, overlay: Mapping[str, str] | None = None
) -> CheckedEdits:
    """Check a batch as `check_edits` does, each path by the open folder that holds it."""
    if not folders.projects:
        return CheckedEdits((), (), None, "no folder is open, so there are no rules to ask")
    options = request.options
    policy = folders.projects[0].policy()
    if options.root is not None and folders.named(options.root) is None:
        return CheckedEdits((), (), policy, no_such_root(options.root))
    if request.refusal is not None:
        return CheckedEdits((), (), policy, request.refusal)
    conversation = Conversation(folders, "utf-16", Project.policy)
    alone = len(folders.projects) == 1

    def decide(path: str, operation: str) -> FileDecision:
        query = _query(path, operation, options)
        if not (alone or os.path.isabs(path) or "cwd" in query or "root" in query):
            decision = refusal(policy, query, _NEEDS_ROOT)
        else:
            decision = conversation.decide(query)
        assert isinstance(decision, FileDecision)
        return decision

    return checked(request.edits, options, decide, policy, overlay)


def deciding(policy: Policy, options: EditOptions) -> Decide:
    """The decisions of one policy, for one batch."""
    resolver = Resolver(policy.root)

    def decide(path: str, operation: str) -> FileDecision:
        return decide_file(policy, file_request(policy, _query(path, operation, options)), resolver)

    return decide


def checked(
    edits: object,
    options: EditOptions,
    decide: Decide,
    policy: Policy,
    overlay: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> CheckedEdits:
    """Check a batch by the decisions of whoever is asked; `policy` is that of the answer as a whole."""
    items, problem = read_edits(edits)
    targets = read_targets(options.targets, options.cwd)
    if problem is not None or isinstance(targets, str):
        return CheckedEdits((), (), policy, problem or str(targets))
    files = EditedFiles(overlay or {}, decide, options.allow_delete)
    answers: list[EditAnswer] = []
    for item in items:
        if progress is not None and not progress(item.index):
            return CheckedEdits((), (), policy, "it was cancelled")
        if isinstance(item, MalformedEdit):
            decision = refusal(policy, {"path": item.file_path}, item.reason)
            assert isinstance(decision, FileDecision)
            answers.append(EditAnswer(item.index, "malformed", decision))
        else:
            answers.append(_answer(item, decide, targets, files))
    answers = files.together(answers)
    result = CheckedEdits(tuple(answers), (), policy)
    return CheckedEdits(result.answers, tuple(files.changes()), policy) if result.allowed else result


def _answer(edit: StructuredEdit, decide: Decide, targets: Targets, files: EditedFiles) -> EditAnswer:
    operation = "write" if edit.search_block else "create"
    decision = decide(edit.file_path, operation)
    if not decision.allowed:
        return EditAnswer(edit.index, "denied", decision)
    asked = Asked(edit, decision)
    if edit.file_path.endswith(("/", os.sep)):
        return refused(asked, Stopped("not-editable", f"`{asked.told}` is named as a directory: edits are of files"))
    if not targets.take(decision.policy.root, asked.name, asked.real_name):
        return refused(asked, Stopped("not-a-target", f"`{asked.told}` is none of the files that these edits are for"))
    return files.place(asked)


def _query(path: str, operation: str, options: EditOptions) -> dict[str, str]:
    query = {"path": path, "operation": operation}
    if options.cwd is not None:
        query["cwd"] = options.cwd
    if options.root is not None:
        query["root"] = options.root
    return query
