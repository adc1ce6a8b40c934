"""What may be written at the cursor: convert in, ask the view, convert out; an item is documented when it is shown."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from rules_lsp.features.completion import TRIGGERS, CompletionItem, completion
from rules_lsp.features.completion_documentation import documentation
from rules_lsp.features.completion_place import CompletionKind, Topic
from rules_lsp.features.markup import plain
from rules_lsp.lsp.convert import offset_of, range_of
from rules_lsp.lsp.flags import SUGGEST_AGAIN
from rules_lsp.lsp.language import viewed
from rules_lsp.lsp.neighbours import is_hidden
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.lsp.state import State
from rules_lsp.policy.model import LIST_NAMES
from rules_lsp.source.text import Text

OPTIONS = types.CompletionOptions(
    trigger_characters=list(TRIGGERS),
    resolve_provider=True,
    completion_item=types.ServerCompletionItemOptions(label_details_support=True),
)
_KINDS: dict[CompletionKind, types.CompletionItemKind] = {
    "key": types.CompletionItemKind.Property,
    "section": types.CompletionItemKind.Class,
    "skeleton": types.CompletionItemKind.Snippet,
    "server": types.CompletionItemKind.Module,
    "tool": types.CompletionItemKind.Function,
    "directory": types.CompletionItemKind.Folder,
    "file": types.CompletionItemKind.File,
    "pattern": types.CompletionItemKind.Operator,
    "value": types.CompletionItemKind.EnumMember,
}


def complete(server: RulesLanguageServer, params: types.CompletionParams) -> types.CompletionList | None:
    """What may be written at a position."""
    uri = params.text_document.uri
    found = viewed(server, uri)
    if found is None or is_hidden(server.state, found[1]):
        return None
    _, view = found
    state, text = server.state, view.subject.text
    shown = completion(view, offset_of(text, params.position, state.encoding), _trigger(params.context))
    if shown is None:
        return None
    items = [_item_of(state, text, uri, item) for item in shown.items]
    return types.CompletionList(is_incomplete=not shown.complete, items=items)


def resolve(server: RulesLanguageServer, item: types.CompletionItem) -> types.CompletionItem:
    """The item with its documentation, if there is something to say."""
    data: Any = item.data
    asked = data if isinstance(data, dict) else {}
    uri, topic = asked.get("uri"), _topic_of(asked.get("topic"))
    found = viewed(server, uri) if isinstance(uri, str) else None
    told = documentation(found[1], topic) if found is not None and topic is not None else None
    if told is not None:
        markdown = server.state.flags.markdown_completion
        kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
        item.documentation = types.MarkupContent(kind, told if markdown else plain(told))
    return item


def _trigger(context: types.CompletionContext | None) -> str | None:
    if context is None or context.trigger_kind is not types.CompletionTriggerKind.TriggerCharacter:
        return None
    return context.trigger_character


def _item_of(state: State, text: Text, uri: str, item: CompletionItem) -> types.CompletionItem:
    flags = state.flags
    snippet = item.snippet if flags.snippets else None
    written = item.text if snippet is None else snippet
    return types.CompletionItem(
        label=item.label,
        kind=_KINDS[item.kind],
        detail=item.detail if not flags.label_details else None,
        label_details=(
            types.CompletionItemLabelDetails(description=item.detail) if flags.label_details and item.detail else None
        ),
        sort_text=item.sort_text,
        filter_text=item.filter_text,
        insert_text_format=types.InsertTextFormat.Snippet if snippet is not None else None,
        insert_text_mode=(
            types.InsertTextMode.AdjustIndentation if flags.adjusted_indentation and "\n" in written else None
        ),
        text_edit=types.TextEdit(range_of(text, item.span, state.encoding), written),
        additional_text_edits=(
            [types.TextEdit(range_of(text, edit.span, state.encoding), edit.replacement) for edit in item.also] or None
        ),
        command=types.Command("", SUGGEST_AGAIN) if item.again and flags.suggests_again else None,
        data={"uri": uri, "topic": _topic_data(item.topic)} if item.topic is not None else None,
    )


def _topic_data(topic: Topic) -> list[str | None]:
    return [topic.kind, topic.value, topic.list]


def _topic_of(data: Any) -> Topic | None:
    """The topic of an item that a client sends back; None where it is none of ours."""
    if not isinstance(data, list) or len(data) != 3:
        return None
    kind, value, list_name = data
    if not isinstance(kind, str) or kind not in _KINDS or not isinstance(value, str):
        return None
    if list_name not in (None, *LIST_NAMES):
        return None
    return Topic(kind, value, list_name)
