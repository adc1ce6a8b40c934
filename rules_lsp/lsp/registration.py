"""The tables of what the server answers: the only place where a method or a command meets its handler."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from lsprotocol import types

from rules_lsp.lsp import (
    actions,
    asking_servers,
    commands,
    completion,
    configuration,
    context_files,
    counts,
    edits,
    explaining,
    gate,
    language,
    lifecycle,
    moving,
    navigation,
    overviews,
    previews,
    prompts,
    pulling,
    structure,
    synchronization,
    tokens,
    watching,
)
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Method:
    """A method of the protocol, its handler, and the options that the server announces for it."""

    name: str
    handler: Callable[..., Any]
    options: Any = None


_ANY_FILE = types.FileOperationRegistrationOptions([types.FileOperationFilter(types.FileOperationPattern("**/*"))])


METHODS: tuple[Method, ...] = (
    Method(types.INITIALIZE, lifecycle.initialize),
    Method(types.INITIALIZED, lifecycle.initialized),
    Method(types.EXIT, lifecycle.exit_server),
    Method(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, lifecycle.did_change_workspace_folders),
    Method(types.WORKSPACE_DID_CHANGE_CONFIGURATION, configuration.did_change_configuration),
    Method(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watching.did_change_watched_files),
    Method(types.WORKSPACE_WILL_RENAME_FILES, moving.will_rename_files, _ANY_FILE),
    Method(types.WORKSPACE_DID_CREATE_FILES, watching.did_create_files, _ANY_FILE),
    Method(types.WORKSPACE_DID_RENAME_FILES, watching.did_rename_files, _ANY_FILE),
    Method(types.WORKSPACE_DID_DELETE_FILES, watching.did_delete_files, _ANY_FILE),
    Method(types.TEXT_DOCUMENT_DID_OPEN, synchronization.did_open),
    Method(types.TEXT_DOCUMENT_DID_CHANGE, synchronization.did_change),
    Method(types.TEXT_DOCUMENT_DID_SAVE, synchronization.did_save, types.SaveOptions(include_text=False)),
    Method(types.TEXT_DOCUMENT_DID_CLOSE, synchronization.did_close),
    Method(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        pulling.document_diagnostic,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier="rules-lsp"),
    ),
    Method(types.WORKSPACE_DIAGNOSTIC, pulling.workspace_diagnostic),
    Method(types.TEXT_DOCUMENT_HOVER, language.hover),
    Method(types.TEXT_DOCUMENT_COMPLETION, completion.complete, completion.OPTIONS),
    Method(types.COMPLETION_ITEM_RESOLVE, completion.resolve),
    Method(types.TEXT_DOCUMENT_CODE_LENS, counts.code_lens, counts.CODE_LENS_OPTIONS),
    Method(types.CODE_LENS_RESOLVE, counts.resolve_code_lens),
    Method(types.TEXT_DOCUMENT_INLAY_HINT, counts.inlay_hint),
    Method(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, tokens.full, tokens.LEGEND),
    Method(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, tokens.delta),
    Method(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, tokens.of_range),
    Method(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, structure.document_symbol),
    Method(types.WORKSPACE_SYMBOL, structure.workspace_symbol),
    Method(types.TEXT_DOCUMENT_FOLDING_RANGE, structure.folding_range),
    Method(types.TEXT_DOCUMENT_SELECTION_RANGE, structure.selection_range),
    Method(types.TEXT_DOCUMENT_DEFINITION, navigation.definition),
    Method(types.TEXT_DOCUMENT_REFERENCES, navigation.references),
    Method(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, navigation.document_highlight),
    Method(types.TEXT_DOCUMENT_PREPARE_RENAME, navigation.prepare_rename),
    Method(types.TEXT_DOCUMENT_RENAME, navigation.rename, navigation.RENAME_OPTIONS),
    Method(types.TEXT_DOCUMENT_DOCUMENT_LINK, navigation.document_link),
    Method(types.TEXT_DOCUMENT_CODE_ACTION, actions.code_action, actions.OPTIONS),
    Method(types.CODE_ACTION_RESOLVE, actions.resolve),
    Method(types.WORKSPACE_TEXT_DOCUMENT_CONTENT, previews.text_document_content, previews.OPTIONS),
)

BELOW: dict[str, str] = {
    types.SHUTDOWN: "Answer nothing more but the exit.",
    types.CANCEL_REQUEST: "Do not begin a request that waits, or stop one that is waited for.",
    types.SET_TRACE: "Take the level of tracing.",
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: "End a scan of files that the client no longer wants.",
    types.WORKSPACE_EXECUTE_COMMAND: "Run a command.",
}
"""Methods that the protocol's own layer answers."""

COMMANDS: dict[str, Callable[..., Any]] = {
    "rulesLsp.isFileAllowed": commands.is_file_allowed,
    "rulesLsp.isToolAllowed": commands.is_tool_allowed,
    "rulesLsp.checkEdits": edits.check_edits,
    "rulesLsp.explainFile": explaining.explain_file,
    "rulesLsp.explainTool": explaining.explain_tool,
    "rulesLsp.preview": previews.preview,
    "rulesLsp.overview": overviews.overview,
    "rulesLsp.starter": overviews.starter,
    counts.SHOW_FILES: counts.show_files,
    counts.SHOW_TOOLS: counts.show_tools,
    "rulesLsp.refreshTools": asking_servers.refresh_tools,
    "rulesLsp.gate.claimJob": gate.claim_job,
    "rulesLsp.gate.beforeTools": gate.before_tools,
    "rulesLsp.gate.beforeCompletion": gate.before_completion,
    "rulesLsp.gate.decide": gate.decide,
    "rulesLsp.gate.consume": gate.consume,
    "rulesLsp.gate.release": gate.release,
    "rulesLsp.gate.approvals": gate.approvals,
    "rulesLsp.gate.status": gate.status,
    "rulesLsp.contextFiles": context_files.context_files,
    "rulesLsp.previewPersona": context_files.preview_persona_for,
    "rulesLsp.instructionsFor": prompts.instructions_for_file,
    "rulesLsp.previewPrompt": prompts.preview_prompt,
    "rulesLsp.serverState": commands.server_state,
    "isFileAllowed": commands.is_file_allowed,
    "isToolAllowed": commands.is_tool_allowed,
}


def create_server(
    config: str | None = None, *, fold_case: bool | None = None, root: str | None = None
) -> RulesLanguageServer:
    """A server with everything that it answers; the parameters are those of `RulesLanguageServer`."""
    server = RulesLanguageServer(config, fold_case=fold_case, root=root)
    for method in METHODS:
        # Each server has options of its own: those that go to the client are changed for it.
        server.feature(method.name, copy(method.options))(server.isolated(method.name, method.handler))
    for name, command in COMMANDS.items():
        server.command(name)(server.isolated(name, command))
    return server
