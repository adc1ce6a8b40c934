"""What the client can take, reduced once to what this server asks about."""

from __future__ import annotations

from lsprotocol import types
from pygls.capabilities import get_capability

from rules_lsp.source.records import dataclass

SUGGEST_AGAIN = "editor.action.triggerSuggest"
"""The command of an editor that asks for completions: sent to clients alone that say that they have it."""


@dataclass(frozen=True, slots=True)
class ClientFlags:
    """One flag for each thing that clients differ in; all are off for a client that says nothing."""

    document_changes: bool = False
    related_information: bool = False
    markdown_hover: bool = False
    code_action_literals: bool = False
    progress: bool = False
    pull_diagnostics: bool = False
    watched_files: bool = False
    configuration: bool = False
    registered_configuration: bool = False
    refresh_diagnostics: bool = False
    refresh_code_lens: bool = False
    refresh_inlay_hints: bool = False
    refresh_semantic_tokens: bool = False
    create_files: bool = False
    rename_files: bool = False
    snippet_edits: bool = False
    resolved_edits: bool = False
    file_status: bool = False
    symbol_trees: bool = False
    pages: bool = False
    snippets: bool = False
    label_details: bool = False
    markdown_completion: bool = False
    adjusted_indentation: bool = False
    suggests_again: bool = False
    asks_user: bool = False

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities) -> ClientFlags:
        """The flags of a client."""

        def can(path: str) -> bool:
            return bool(get_capability(capabilities, path))

        operations = get_capability(capabilities, "workspace.workspace_edit.resource_operations") or ()
        resolved = get_capability(capabilities, "text_document.code_action.resolve_support.properties") or ()
        changes = can("workspace.workspace_edit.document_changes")
        documentation = get_capability(capabilities, "text_document.completion.completion_item.documentation_format")
        modes = get_capability(
            capabilities, "text_document.completion.completion_item.insert_text_mode_support.value_set"
        )
        hover_formats = get_capability(capabilities, "text_document.hover.content_format") or ()
        return cls(
            document_changes=changes,
            related_information=can("text_document.publish_diagnostics.related_information"),
            markdown_hover=types.MarkupKind.Markdown in hover_formats,
            code_action_literals=can("text_document.code_action.code_action_literal_support"),
            progress=can("window.work_done_progress"),
            pull_diagnostics=get_capability(capabilities, "text_document.diagnostic") is not None,
            watched_files=can("workspace.did_change_watched_files.dynamic_registration"),
            configuration=can("workspace.configuration"),
            registered_configuration=can("workspace.did_change_configuration.dynamic_registration"),
            refresh_diagnostics=can("workspace.diagnostics.refresh_support"),
            refresh_code_lens=can("workspace.code_lens.refresh_support"),
            refresh_inlay_hints=can("workspace.inlay_hint.refresh_support"),
            refresh_semantic_tokens=can("workspace.semantic_tokens.refresh_support"),
            create_files=changes and types.ResourceOperationKind.Create in operations,
            rename_files=changes and types.ResourceOperationKind.Rename in operations,
            snippet_edits=changes and can("workspace.workspace_edit.snippet_edit_support"),
            resolved_edits="edit" in resolved and can("text_document.code_action.data_support"),
            file_status=_experimental(capabilities, "fileStatus"),
            symbol_trees=can("text_document.document_symbol.hierarchical_document_symbol_support"),
            pages=get_capability(capabilities, "workspace.text_document_content") is not None,
            snippets=can("text_document.completion.completion_item.snippet_support"),
            label_details=can("text_document.completion.completion_item.label_details_support"),
            markdown_completion=types.MarkupKind.Markdown in (documentation or ()),
            adjusted_indentation=types.InsertTextMode.AdjustIndentation in (modes or ()),
            suggests_again=SUGGEST_AGAIN in _client_commands(capabilities),
            asks_user=get_capability(capabilities, "window.show_message") is not None,
        )


def _client_commands(capabilities: types.ClientCapabilities) -> list[object]:
    """The commands of its own that a client says it has, as `{"commands": {"commands": [...]}}`."""
    asked = capabilities.experimental
    group = asked.get("commands") if isinstance(asked, dict) else None
    named = group.get("commands") if isinstance(group, dict) else None
    return named if isinstance(named, list) else []


def _experimental(capabilities: types.ClientCapabilities, name: str) -> bool:
    """Whether a client asks for one of the messages that this server has beside the protocol."""
    asked = capabilities.experimental
    return isinstance(asked, dict) and asked.get(name) is True
