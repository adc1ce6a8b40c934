"""Pages that an editor opens: their addresses, their texts, and word to the client when a text is another.

The address of a page says all that it is about: `rules-lsp:/<kind>.md?` and its description as JSON in URL-safe
base64, which no editor encodes anew.
"""

from __future__ import annotations

import binascii
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from rules_lsp.features.check_page import check_named, page_in_markdown
from rules_lsp.features.preview import decision_page, files_page, policy_page, view_in_force
from rules_lsp.lsp.prompts import target_asked, told_instructions, told_prompt
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.workspace.project import Project

SCHEME = "rules-lsp"
OPTIONS = types.TextDocumentContentOptions(schemes=[SCHEME])
Page = Mapping[str, Any]
"""`kind` and what belongs to it: for `policy` and `files` perhaps `folder`, a path or URI; for `files` `pattern`; for
`decision` `query`, a question about one file or one tool; for `check` `code`; for `prompt` and `instructions` perhaps
`for`, a path or URI."""


def text_document_content(
    server: RulesLanguageServer, params: types.TextDocumentContentParams
) -> types.TextDocumentContentResult:
    """The text of a page. Raises JsonRpcInvalidParams for an address that is none of a page."""
    page = page_of(params.uri)
    text = page_text(server, page)
    server.pages.follow(params.uri, text, partial(page_text, server, page))
    return types.TextDocumentContentResult(text)


def preview(server: RulesLanguageServer, *arguments: Any) -> dict[str, str]:
    """The `uri` of a page and its text, `markdown`; takes the description of a page, or its address.

    Raises JsonRpcInvalidParams for what is neither.
    """
    asked = arguments[0] if len(arguments) == 1 else None
    page = page_of(asked) if isinstance(asked, str) else asked
    if not isinstance(page, Mapping):
        raise JsonRpcInvalidParams("a preview takes one object with `kind`, or the address of a page")
    return {"markdown": page_text(server, page), "uri": address_of(page)}


def address_of(page: Page) -> str:
    """The address of a page."""
    encoded = urlsafe_b64encode(json.dumps(page, sort_keys=True).encode("ascii")).rstrip(b"=").decode("ascii")
    return f"{SCHEME}:/{page['kind']}.md?{encoded}"


def page_of(address: str) -> Page:
    """The page of an address. Raises JsonRpcInvalidParams where it is none."""
    head, _, encoded = address.partition("?")
    try:
        page = json.loads(urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
    except (ValueError, RecursionError, binascii.Error):
        page = None
    if not head.startswith(f"{SCHEME}:") or not isinstance(page, dict):
        raise JsonRpcInvalidParams("this is the address of no page")
    return page


def page_text(server: RulesLanguageServer, page: Page) -> str:
    """The text of a page. Raises JsonRpcInvalidParams where its description is none."""
    kind = page.get("kind")
    make = _KINDS.get(kind) if isinstance(kind, str) else None
    if make is None:
        raise JsonRpcInvalidParams(f"the `kind` of a preview is one of {', '.join(f'`{name}`' for name in _KINDS)}")
    return make(server, page)


def _policy(server: RulesLanguageServer, page: Page) -> str:
    return "\n".join(policy_page(view_in_force(*_known(server, project))) for project in _projects(server, page))


def _files(server: RulesLanguageServer, page: Page) -> str:
    pattern = page.get("pattern")
    if not isinstance(pattern, str):
        raise JsonRpcInvalidParams("a preview of files needs `pattern`, a text")
    projects = _projects(server, page)
    return "\n".join(files_page(view_in_force(*_known(server, project)), pattern) for project in projects)


def _decision(server: RulesLanguageServer, page: Page) -> str:
    state = server.state
    decision = state.folders.decide(page.get("query"), state.buffers())
    if decision is None:
        raise JsonRpcInvalidParams("no folder is open, so there are no rules to ask")
    return decision_page(decision)


def _check(server: RulesLanguageServer, page: Page) -> str:
    code = page.get("code")
    check = check_named(code) if isinstance(code, str) else None
    if check is None:
        raise JsonRpcInvalidParams("a preview of a check needs `code`, the code of one")
    return f"# `{check.code}`\n\n{page_in_markdown(check)}\n"


def _prompt(server: RulesLanguageServer, page: Page) -> str:
    from rules_lsp.features.prompt_page import prompt_page

    return prompt_page(told_prompt(target_asked(server, page, ("for",), "rulesLsp.preview")))


def _instructions(server: RulesLanguageServer, page: Page) -> str:
    from rules_lsp.features.prompt_page import instructions_page

    return instructions_page(told_instructions(target_asked(server, page, ("for",), "rulesLsp.preview")))


_KINDS: dict[str, Callable[[RulesLanguageServer, Page], str]] = {
    "policy": _policy,
    "files": _files,
    "decision": _decision,
    "check": _check,
    "prompt": _prompt,
    "instructions": _instructions,
}


def _projects(server: RulesLanguageServer, page: Page) -> tuple[Project, ...]:
    folders, folder = server.state.folders, page.get("folder")
    named = folders.named(folder) if folder is not None else None
    found = folders.projects if folder is None else (named,) if named is not None else ()
    if not found:
        raise JsonRpcInvalidParams("the `folder` of a preview names no open folder")
    return found


def _known(server: RulesLanguageServer, project: Project) -> tuple[Any, Any, Any]:
    knowledge, root = server.state.knowledge, project.root
    server.scans.want(root.real, watched=server.watched)
    return project.policy(), knowledge.files(root), knowledge.catalogue(root)
