from __future__ import annotations

import pytest

from rules_lsp.features.tool_words import is_literal, tool_in_words


@pytest.mark.parametrize(
    ("text", "allowing", "denying"),
    [
        ("*", "every tool", "every tool"),
        ("a/b", "the tool `b` of the server `a`", "the tool `b` of the server `a`"),
        ("a b/c/d", "the tool `d` of the server `a b/c`", "the tool `d` of the server `a b/c`"),
        ("a/*", "every tool of the server `a`", "every tool of the server `a`"),
        ("*/b", "the tool `b` of every server", "the tool `b` of every server"),
        (
            "*/delete_*",
            "every tool whose name begins with `delete_` of every server",
            "every tool whose name begins with `delete_` of every server",
        ),
        (
            "*hub/*_x",
            "every tool whose name ends in `_x` of every server whose name ends in `hub`",
            "every tool whose name ends in `_x` of every server whose name ends in `hub`",
        ),
        (
            "a/*key*",
            "every tool whose name contains `key` of the server `a`",
            "every tool whose name contains `key` of the server `a`",
        ),
        (
            "a/b?",
            "every tool whose name matches `b?` (`*` is any characters, `?` is one) of the server `a`",
            "every tool whose name matches `b?` (`*` is any characters, `?` is one) of the server `a`",
        ),
        (
            "Bash",
            "the built-in tool `Bash`",
            "the built-in tool `Bash`, every tool of the server `Bash` and the tool `Bash` of every server",
        ),
        (
            "Web*",
            "every built-in tool whose name begins with `Web`",
            "every built-in tool whose name begins with `Web`, every tool of such a server"
            " and such a tool of every server",
        ),
        (
            "Bash(rm *)",
            "nothing: an allowed tool is named without arguments, as `Bash`",
            "the built-in tool `Bash`, every tool of the server `Bash` and the tool `Bash` of every server,"
            " whatever its arguments",
        ),
    ],
)
def test_an_entry_in_words(text: str, allowing: str, denying: str) -> None:
    assert tool_in_words(text, denying=False) == allowing
    assert tool_in_words(text, denying=True) == denying


def test_literal_entries() -> None:
    assert [is_literal(text) for text in ("a/b", "Bash", "a/*", "a?/b", "Bash(x)")] == [True, True, False, False, True]
