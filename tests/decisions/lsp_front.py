"""The third front of the decision vectors: the language server's commands, asked over its standard streams."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

from tests.decisions.harness import Built
from tests.lsp.client import Client


class LanguageServerFront:
    """One server for all ordinary vectors, which comes and goes with their folders; one of its own for the others."""

    def __init__(self) -> None:
        self._shared: Client | None = None

    def __enter__(self) -> LanguageServerFront:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shared is not None:
            self._shared.close()
            self._shared = None

    def ask(self, built: Built, questions: list[dict[str, Any]]) -> list[Any]:
        """One answer a question, in order."""
        if built.operator_config is None and not built.case_insensitive:
            if self._shared is None:
                self._shared = Client()
                self._shared.initialize()
            return _ask(self._shared, built.root, questions)
        arguments = ["--case-insensitive"] if built.case_insensitive else []
        if built.operator_config is not None:
            arguments += ["--config", str(built.operator_config)]
        client = Client(arguments, built.elsewhere)
        try:
            client.initialize()
            return _ask(client, built.root, questions)
        finally:
            client.close()


def _ask(client: Client, root: Path, questions: list[dict[str, Any]]) -> list[Any]:
    folder = {"uri": root.as_uri(), "name": root.name}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    try:
        return [client.request("workspace/executeCommand", _command(question)) for question in questions]
    finally:
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})


def _command(question: dict[str, Any]) -> dict[str, Any]:
    about_tools = "tool" in question or "tools" in question
    name = "rulesLsp.isToolAllowed" if about_tools else "rulesLsp.isFileAllowed"
    return {"command": name, "arguments": [question]}
