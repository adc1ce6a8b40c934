"""Entries of tool lists: whether one can be read, and which pairs of patterns `(server, tool)` it stands for.

A pattern of the server None is one of built-in tools. Entries of denying lists are read folded and with every
plausible reading; entries of allowing lists as they are written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from rules_lsp.policy.tools.names import (
    MAX_BARE_LENGTH,
    MAX_NAME_LENGTH,
    Reading,
    fold,
    readings_for_denying,
    server_problem,
    split_name,
    unprintable,
)
from rules_lsp.policy.tools.patterns import is_wild
from rules_lsp.source.expressions import expression

_BARE_PATTERN = expression(r"[A-Za-z0-9_.:*?-]+")
_TOOL_PATTERN = expression(r"[A-Za-z0-9_.*?-]+")
_LONGEST_TOOL = 128
_MCP_PREFIX_PATTERN = expression(r"mcp(?:[_?]{2}|[_.:?-]|(?=\*))")
_NOT_IN_HOST_NAMES = expression(r"[^A-Za-z0-9_*?-]")


def entry_problem(text: str, denying: bool) -> str | None:
    """Why an entry can be read as no tool, in words that say what to write, or None.

    `Name(...)` is none of these: it covers `Name` in a denying list and allows nothing in an allowing one; ask
    `argument_form` for it.
    """
    read = unicodedata.normalize("NFKC", text) if denying else text
    if argument_form(read) is not None:
        return None
    return _pattern_problem(read)


def argument_form(text: str) -> str | None:
    """`Name` where an entry is written `Name(...)`, or None. Arguments are no part of a tool's name."""
    return next(_names_before_arguments(text), None) if text.endswith(")") else None


@lru_cache(maxsize=8192)
def denied_patterns(text: str) -> tuple[Reading, ...]:
    """The folded patterns that an entry of a denying list stands for.

    A bare name covers the built-in tool, the server of that name with every tool, and that tool of every server. A
    comma or a bracket may stand in a server's name or after it: where the border is in doubt, each reading is covered.
    """
    patterns: dict[Reading, None] = {}
    for name in _denied_names(fold(text)):
        patterns.update(dict.fromkeys(spelled_patterns(name)))
        if "/" not in name:
            patterns.update({(name, "*"): None, ("*", name): None})
    return tuple(patterns)


def spelled_patterns(name: str) -> tuple[Reading, ...]:
    """A folded entry as written, and as each tool that it stands for if it is a host's spelling."""
    if "/" in name or not is_wild(name):
        return readings_for_denying(name)
    prefix = _MCP_PREFIX_PATTERN.match(name)
    readings: dict[Reading, None] = {}
    for text in (name,) if prefix is None else (name, name[prefix.end() :]):
        readings.update(dict.fromkeys((*readings_for_denying(text)[1:], *_wild_splits(text))))
    return ((None, name), *readings)


@lru_cache(maxsize=8192)
def host_patterns(text: str) -> tuple[Reading, ...]:
    """The further patterns of a denying entry for names in a host's spelling.

    Hosts write `_` for what their function names cannot hold: `Azure MCP/list` is called `mcp__Azure_MCP__list`.
    Empty for an entry that they write as its author does.
    """
    name = argument_form(text) or text
    server, tool = split_name(name)
    written = (None if server is None else _as_host_writes(server), _as_host_writes(tool))
    if written == (server, tool):
        return ()
    if written[0] is None:
        return ((written[1].lower(), "*"), ("*", written[1].lower()))
    return ((written[0].lower(), written[1].lower()),)


def allowed_pattern(text: str) -> Reading | None:
    """The pattern that an entry of an allowing list stands for, as written, or None where it allows nothing."""
    return None if _pattern_problem(text) is not None else split_name(text)


def _pattern_problem(text: str) -> str | None:
    if not text.strip():
        return "a tool entry must not be empty: write `server/tool` or the name of a built-in tool"
    if (problem := unprintable(text)) is not None:
        return f"`{_shown(text)}` holds {problem}: type the name anew"
    if text != text.strip():
        return f"`{text}` begins or ends with white space: write `{text.strip()}`"
    longest = MAX_NAME_LENGTH if "/" in text else MAX_BARE_LENGTH
    if len(text) > longest:
        return f"`{text[:60]}…` is longer than {longest} characters and can match no name: shorten it"
    server, tool = split_name(text)
    if server is None:
        if _BARE_PATTERN.fullmatch(tool):
            return None
        return (
            f"`{text}` is no tool name: write `server/tool`, or a built-in tool's name of letters, digits and `_.:-`"
            " (`*` and `?` are wildcards)"
        )
    if (problem := server_problem(server)) is not None:
        return f"in `{text}` {problem}: write `server/tool`"
    if not tool:
        return f"`{text}` names no tool after the last `/`: write `{server}/*` for every tool of the server"
    if not _TOOL_PATTERN.fullmatch(tool):
        return f"in `{text}` the tool `{tool}` may hold letters, digits and `_.-` only (`*` and `?` are wildcards)"
    if len(tool.replace("*", "")) > _LONGEST_TOOL:
        return f"the tool of `{text[:60]}…` is longer than {_LONGEST_TOOL} characters and can match none: shorten it"
    return None


def _denied_names(folded: str) -> Iterator[str]:
    names = tuple(_names_before_arguments(folded))
    yield from names or (folded,)
    if "," in folded:
        for part in folded.split(","):
            yield from (
                name for name in (part.strip(), argument_form(part.strip())) if name and not _pattern_problem(name)
            )


def _names_before_arguments(text: str) -> Iterator[str]:
    if text.endswith(")") and unprintable(text) is None:
        for bracket in re.finditer(r"\(", text[: MAX_NAME_LENGTH + 1]):
            name = text[: bracket.start()].rstrip()
            if _pattern_problem(name) is None:
                yield name


def _wild_splits(text: str) -> Iterator[Reading]:
    # A wildcard may stand for the separator: `*` for that and what is beside it, `?` for it alone.
    for at, letter in enumerate(text):
        if letter == "*":
            yield text[: at + 1], text[at:]
        for length in (1, 2):
            separator = text[at : at + length]
            if "?" in separator and not separator.strip("_?") and 0 < at < len(text) - length:
                yield text[:at], text[at + length :]


def _as_host_writes(text: str) -> str:
    # One `_` for each UTF-16 unit: the hosts' replacement works on those.
    return _NOT_IN_HOST_NAMES.sub(lambda match: "__" if ord(match[0]) > 0xFFFF else "_", text)


def _shown(text: str) -> str:
    return "".join(character if character.isprintable() else f"<U+{ord(character):04X}>" for character in text)
