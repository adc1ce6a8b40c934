"""Structured edits of an agent in the editor: checked against the open buffers, and never made here."""

from __future__ import annotations

from typing import Any

from rules_lsp.lsp.server import RulesLanguageServer


def check_edits(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """Which edits of a batch can be made? Takes `edits`, and if wanted `targets`, `cwd`, `root` and `allowDelete`.

    Open buffers count as the texts of their files. Nothing is changed.
    """
    from rules_lsp.prompt.edits.as_json import edits_as_json
    from rules_lsp.prompt.edits.checking import check_edits_of_folders
    from rules_lsp.prompt.edits.request import edit_request

    state = server.state
    request = edit_request(arguments[0] if len(arguments) == 1 else None)
    answer = check_edits_of_folders(state.folders, request, state.buffers())
    server.refreshing.tell_policies()
    nobody = state.folders.answer(None, state.encoding)["policy"]
    return edits_as_json(answer, state.encoding, policy=nobody)
