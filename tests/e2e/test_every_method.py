"""Every method and command that the README names is sent to a real server by some test over its streams."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules_lsp.lsp.registration import BELOW, COMMANDS, METHODS

TESTS = Path(__file__).parents[1]
END_TO_END = (
    *sorted((TESTS / "e2e").glob("*.py")),
    *(TESTS / "lsp" / f"{name}.py" for name in ("client", "test_asking_servers", "test_life", "test_outside")),
    TESTS / "lsp" / "test_session.py",
)
"""Where an answer is compared with what it has to be: what only feeds a server noise is no test of a method."""
PUBLISHED = (*(method.name for method in METHODS), *BELOW, *COMMANDS)


def sent_in(source: str) -> Iterator[str]:
    """What a test sends or waits for: names of methods and commands as texts, and methods of the typed client."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Attribute):
            yield node.attr.removesuffix("_async")


def typed(method: str) -> str:
    """A method as the typed client names it: `textDocument/didOpen` is `text_document_did_open`."""
    return re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", method.removeprefix("$/")).replace("/", "_")


SENT = {
    name
    for path in END_TO_END
    if path.name != Path(__file__).name
    for name in sent_in(path.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_has_a_test_from_end_to_end(name: str) -> None:
    assert {name, typed(name)} & SENT, f"no test in tests/e2e sends `{name}`"


def test_a_name_that_nobody_sends_is_missed() -> None:
    assert not {"textDocument/moniker", typed("textDocument/moniker")} & SENT
    assert typed("textDocument/semanticTokens/full") == "text_document_semantic_tokens_full"
