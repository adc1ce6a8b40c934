"""A tool entry in words: which tools it stands for in its list."""

from __future__ import annotations

from rules_lsp.features.markup import code
from rules_lsp.policy.tools.lists import argument_form, split_name

_WILD = "*?"


def is_literal(text: str) -> bool:
    """Whether an entry names one tool: no wildcard stands in it."""
    return not any(wildcard in text for wildcard in _WILD)


def tool_in_words(text: str, *, denying: bool) -> str:
    """The tools that an entry stands for, as the subject of a sentence; the entry must be one that can be read."""
    name = argument_form(text)
    if name is not None:
        if not denying:
            return f"nothing: an allowed tool is named without arguments, as {code(name)}"
        return f"{tool_in_words(name, denying=True)}, whatever its arguments"
    server, tool = split_name(text)
    if server is None:
        return _bare(tool, denying)
    return f"{_tool(tool)} of {_server(server)}"


def _bare(name: str, denying: bool) -> str:
    if name == "*":
        return "every tool"
    if is_literal(name):
        built_in = f"the built-in tool {code(name)}"
        others = f", every tool of the server {code(name)} and the tool {code(name)} of every server"
    else:
        built_in = f"every built-in tool {_named(name)}"
        others = ", every tool of such a server and such a tool of every server"
    return built_in + others if denying else built_in


def _tool(pattern: str) -> str:
    if pattern == "*":
        return "every tool"
    return f"the tool {code(pattern)}" if is_literal(pattern) else f"every tool {_named(pattern)}"


def _server(pattern: str) -> str:
    if pattern == "*":
        return "every server"
    return f"the server {code(pattern)}" if is_literal(pattern) else f"every server {_named(pattern)}"


def _named(pattern: str) -> str:
    """What names a pattern with wildcards takes, as a relative clause."""
    if "?" not in pattern and pattern.count("*") == 1:
        before, after = pattern.split("*")
        parts = [f"begins with {code(before)}"] if before else []
        parts += [f"ends in {code(after)}"] if after else []
        return f"whose name {' and '.join(parts)}"
    inner = pattern[1:-1]
    if len(pattern) > 2 and pattern[0] == pattern[-1] == "*" and is_literal(inner):
        return f"whose name contains {code(inner)}"
    return f"whose name matches {code(pattern)} (`*` is any characters, `?` is one)"
