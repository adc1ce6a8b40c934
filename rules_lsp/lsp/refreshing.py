"""What the client is told when something outside of its documents has changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from lsprotocol import types

from rules_lsp.lsp.flags import ClientFlags
from rules_lsp.lsp.protocol import Protocol
from rules_lsp.lsp.state import State
from rules_lsp.prompter.keys import FILE_NAME
from rules_lsp.source.uri import to_uri

POLICY_CHANGED = "rulesLsp/policyChanged"
"""Notification: the folder's `uri` and the `version` of its policy, each time that it is another."""

_REFRESHES: tuple[tuple[str, Callable[[ClientFlags], bool], str], ...] = (
    (types.WORKSPACE_DIAGNOSTIC_REFRESH, lambda flags: flags.refresh_diagnostics, types.TEXT_DOCUMENT_DIAGNOSTIC),
    (types.WORKSPACE_CODE_LENS_REFRESH, lambda flags: flags.refresh_code_lens, types.TEXT_DOCUMENT_CODE_LENS),
    (types.WORKSPACE_INLAY_HINT_REFRESH, lambda flags: flags.refresh_inlay_hints, types.TEXT_DOCUMENT_INLAY_HINT),
    (
        types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
        lambda flags: flags.refresh_semantic_tokens,
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    ),
)
"""A request to ask anew, whether the client can take it, and the method that it is to ask anew."""


class Refreshing:
    """The loop's own. The client is asked only if what it would be shown may differ, and never twice at once."""

    def __init__(self, state: State, messages: Protocol) -> None:
        self._state = state
        self._messages = messages
        self._versions: dict[str, str] = {}
        self._known: tuple[object, ...] | None = None
        self._asked: set[str] = set()
        self._again: set[str] = set()
        self.when_policies_change: Callable[[], None] = lambda: None

    def refresh(self) -> None:
        """Read what governs every project anew; where anything is new, tell policies and have the client ask."""
        state = self._state
        known = tuple(
            (project.policy(), state.knowledge.catalogue(root), state.knowledge.files(root), state.settings_of(root))
            for project in state.projects()
            for root in (project.root,)
        )
        self.tell_policies()
        before, self._known = self._known, known
        if before is not None and not _same(known, before):
            for method, can, asked in _REFRESHES:
                if can(state.flags) and asked in self._messages.fm.features:
                    self._ask(method)

    def refresh_lenses(self) -> None:
        """A rule of Auto Prompter did something: have the client ask for what is counted, where that is shown."""
        shown = any(os.path.basename(each.path or "") == FILE_NAME for each in self._state.documents)
        if shown and self._state.flags.refresh_code_lens:
            self._ask(types.WORKSPACE_CODE_LENS_REFRESH)

    def tell_policies(self) -> None:
        """Tell the version of each open folder's policy if it is another than the one before, without reading it."""
        folders = self._state.folders.projects
        news = False
        for project in folders:
            policy, directory = project.latest, project.root.given
            if policy is None:
                continue
            before = self._versions.get(directory)
            self._versions[directory] = policy.version
            if before not in (None, policy.version):
                news = True
                self._messages.notify(POLICY_CHANGED, {"uri": to_uri(directory), "version": policy.version})
        for directory in self._versions.keys() - {project.root.given for project in folders}:
            del self._versions[directory]
        if news:
            self.when_policies_change()

    def _ask(self, method: str) -> None:
        if method in self._asked:
            self._again.add(method)
            return
        self._asked.add(method)
        self._messages.send_request(method).add_done_callback(lambda answer: self._answered(method, answer))

    def _answered(self, method: str, answer: Future[Any]) -> None:
        self._asked.discard(method)
        if answer.cancelled():
            # The session ends: nothing is asked any more.
            return
        # Whatever the answer is: a client that fails once may manage the next time.
        answer.exception()
        if method in self._again:
            self._again.discard(method)
            self._ask(method)


def _same(left: tuple[object, ...], right: tuple[object, ...]) -> bool:
    return len(left) == len(right) and all(
        isinstance(one, tuple) and isinstance(other, tuple) and all(a is b for a, b in zip(one, other, strict=True))
        for one, other in zip(left, right, strict=True)
    )
