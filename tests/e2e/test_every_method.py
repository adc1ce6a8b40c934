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


SENDING = frozenset({"request", "notify", "ask", "asked", "command", "run", "ExecuteCommandParams"})
"""Calls of which a text that they are given is sent; those of the typed client are methods by their own names."""


def sent_in(source: str) -> Iterator[str]:
    """What a test sends: texts that a sending call is given, by themselves or by a name, and methods of the client."""
    tree = ast.parse(source)
    named = dict(texts_of_names(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in SENDING:
                for argument in node.args:
                    yield from named.get(argument.id, ()) if isinstance(argument, ast.Name) else text_of(argument)
            elif isinstance(node.func, ast.Attribute):
                yield called.removesuffix("_async")
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if key is not None and text_of(key) == ["command"]:
                    yield from named.get(value.id, ()) if isinstance(value, ast.Name) else text_of(value)


def texts_of_names(tree: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """The texts that a name may stand for: a constant of the module, or a parameter of a test."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            yield statement.targets[0].id, set(text_of(statement.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "parametrize":
            inside = {text for each in ast.walk(node.args[1]) if isinstance(each, ast.expr) for text in text_of(each)}
            for each in ast.walk(node.args[0]):
                if isinstance(each, ast.expr):
                    yield from ((name, inside) for name in text_of(each))


def text_of(node: ast.expr) -> list[str]:
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


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


def test_a_name_that_is_only_spoken_of_is_not_sent() -> None:
    source = '''
NAME = "sent/byName"
@pytest.mark.parametrize(("method", "files"), [("sent/byParameter", ["x"])])
def test(method, files):
    """spoken/of"""
    assert answer == ("expected/text",)
    client.request("sent/directly", {"command": "sent.inside", "other": "not.sent"})
    client.notify(NAME, None), client.ask(method, files)
    client.text_document_hover_async(client.not_called)
'''
    sent = set(sent_in(source))
    assert {"sent/byName", "sent/byParameter", "sent/directly", "sent.inside", "text_document_hover"} <= sent
    assert not {"spoken/of", "expected/text", "not.sent", "not_called"} & sent


def test_a_name_that_nobody_sends_is_missed() -> None:
    assert not {"textDocument/moniker", typed("textDocument/moniker")} & SENT
    assert typed("textDocument/semanticTokens/full") == "text_document_semantic_tokens_full"
