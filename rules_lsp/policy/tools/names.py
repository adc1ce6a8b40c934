"""Names of tools: what a queried name must look like, and every tool that it may stand for.

A *reading* is a pair `(server, tool)`; a built-in tool of an agent has the server None. Hosts spell one and the same
tool differently (`mcp__server__tool`, `server.tool`, `mcp:server:tool`, `server:tool`, `mcp_server_tool`,
`server__tool`, `server-tool`, `server_tool`, `mcp__plugin_<plugin>_<server>__tool`), so a name without `/` has
several readings. For denying all of them count; for allowing only those that leave no doubt.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from rules_lsp.source.expressions import expression

Reading = tuple[str | None, str]

MAX_NAME_LENGTH = 512
MAX_BARE_LENGTH = 256
"""Characters of the longest name that is looked at, with and without a `/`; they bound the number of readings."""

SEPARATORS = "_.:-"
TOOL_GRAMMAR = expression(r"[A-Za-z0-9_.-]{1,128}")
BARE_GRAMMAR = expression(r"[A-Za-z0-9_.:-]+")

# Letters and marks that show nothing although their category is that of a visible character.
_BLANK = expression("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800]")
# Marks that only choose a glyph: they may stand in a server's name and never make it another name for denying.
_VARIATION = expression("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_MCP_PREFIX = expression(r"mcp(?=[_.:-])", re.IGNORECASE)
_PLUGIN_PREFIX = expression(r"mcp__plugin_", re.IGNORECASE)


def invalid_name(name: object) -> str | None:
    """Why a queried name is the name of no tool, or None. Any object may be asked about."""
    if not isinstance(name, str):
        return "a tool's name must be a text"
    if not name:
        return "a tool's name must not be empty"
    if len(name) > MAX_NAME_LENGTH:
        return f"a tool's name must not be longer than {MAX_NAME_LENGTH} characters"
    if (problem := unprintable(name)) is not None:
        return f"a tool's name must not hold {problem}"
    server, tool = split_name(name)
    if name != name.strip() or (server is not None and server != server.strip()):
        return "a tool's name must not begin or end with white space"
    if server is None:
        if len(tool) > MAX_BARE_LENGTH:
            return f"a tool's name without `/` must not be longer than {MAX_BARE_LENGTH} characters"
        known = BARE_GRAMMAR.fullmatch(tool)
        return None if known else "a built-in tool's name may hold letters, digits and `_.:-` only"
    if server_problem(server) is not None:
        return "a server's name must not be empty, nor begin or end with `/`"
    if not TOOL_GRAMMAR.fullmatch(tool):
        return "a tool's name after the last `/` is 1 to 128 letters, digits and `_.-`"
    return None


def unprintable(text: str) -> str | None:
    """The first character of a text that cannot be seen, in words, or None. A plain space can be."""
    if text.isascii() and text.isprintable():
        return None
    for character in text:
        if character.isprintable() and not _BLANK.match(character):
            continue
        category = unicodedata.category(character)
        kind = {"Cs": "half of a surrogate pair", "Cc": "a control character"}.get(category)
        kind = kind or ("unusual white space" if category[0] == "Z" else "an invisible character")
        return f"{kind} (U+{ord(character):04X})"
    return None


def server_problem(server: str) -> str | None:
    """Why a text is no server's name, or None; characters that cannot be seen are not looked for."""
    if not server:
        return "there is no server before the `/`"
    if server != server.strip() or server.strip("/") != server:
        return "the server's name begins or ends with white space or `/`"
    return None


def split_name(name: str) -> Reading:
    """The server and the tool of a name, split at the last `/`; the server of a name without one is None."""
    server, slash, tool = name.rpartition("/")
    return (server if slash else None, tool)


def canonical_name(name: str) -> Reading:
    """The server and the tool for an answer: `mcp__server__tool` is taken apart where only one split is possible."""
    if name.startswith("mcp__"):
        found = list(splits(name.removeprefix("mcp__"), ("__",)))
        if len(found) == 1 and _is_clean(found[0]):
            return found[0]
    return split_name(name)


def fold(text: str) -> str:
    """A text as it is compared for denying: NFKC, case-folded, without marks that only choose a glyph."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _VARIATION.sub("", folded)


def readings_for_denying(name: str) -> tuple[Reading, ...]:
    """Every tool that a name may stand for, the name as written first; a name that holds `/` has that reading alone."""
    if "/" in name:
        return (split_name(name),)
    readings: dict[Reading, None] = {(None, name): None}
    for text in (name, *_without_prefix(name)):
        readings.update(dict.fromkeys(splits(text)))
    if (plugin := _PLUGIN_PREFIX.match(name)) is not None:
        readings.update(dict.fromkeys(_plugin_readings(name[plugin.end() :])))
    return tuple(readings)


def folded_readings(name: str) -> tuple[Reading, ...]:
    """The readings for denying, folded; a server is folded after the split, so a `/` of folding moves no border."""
    if "/" not in name:
        return readings_for_denying(fold(name))
    server, tool = split_name(name)
    return ((fold(server or ""), fold(tool)),)


def readings_for_allowing(name: str, known_servers: AbstractSet[str]) -> tuple[Reading, ...]:
    """The readings that must all be allowed for a host's spelling to be allowed; none means that it is not.

    `known_servers` are case-folded. A name that holds `/` has its one reading, known or not. The name as written, a
    built-in tool, is not among the readings: whoever asks compares it first.
    """
    if "/" in name:
        return (split_name(name),)
    vouching, doubtful = _allowing_candidates(name)
    required = [reading for reading in vouching if _is_known(reading, known_servers)]
    if not required and name.startswith("mcp__"):
        every = list(splits(name.removeprefix("mcp__"), ("__",)))
        required = every if all(map(_is_clean, every)) else []
    if required:
        required += [reading for reading in doubtful if _is_known(reading, known_servers)]
    return tuple(dict.fromkeys(required))


def splits(text: str, separators: Iterable[str] = ("__", *SEPARATORS)) -> Iterator[Reading]:
    """Every split of a text in two parts that are not empty."""
    for separator in separators:
        at = text.find(separator, 1)
        while 0 < at < len(text) - len(separator):
            yield text[:at], text[at + len(separator) :]
            at = text.find(separator, at + 1)


def _without_prefix(name: str) -> Iterator[str]:
    prefix = _MCP_PREFIX.match(name)
    if prefix is not None:
        yield name[prefix.end() + 1 :]
        if name.startswith("__", prefix.end()):
            yield name[prefix.end() + 2 :]


def _plugin_readings(rest: str) -> Iterator[Reading]:
    # `rest` is `<plugin>_<server>__<tool>`; both names may hold underscores, so each one may be the border.
    for server, tool in splits(rest, ("__",)):
        for _, shortened in splits(server or "", ("_",)):
            yield shortened, tool


def _allowing_candidates(name: str) -> tuple[list[Reading], list[Reading]]:
    """The readings that can make a name allowed, and those that can only keep it from being allowed.

    The latter are spellings that two tools share although the grammar of readings names one of them alone: a split at
    `__` beside a further underscore, and `server_tool` for a server whose own name begins with `mcp__`.
    """
    unclean = [reading for reading in splits(name, ("__",)) if not _is_clean(reading)]
    whole = [reading for reading in splits(name) if _is_clean(reading)]
    if name.startswith("mcp__"):
        rest = list(splits(name.removeprefix("mcp__"), ("__",)))
        named_mcp = [reading for reading in splits(name, ("__",)) if _is_clean(reading)]
        unclean += [reading for reading in rest if not _is_clean(reading)]
        return [reading for reading in rest if _is_clean(reading)] + named_mcp, unclean + whole
    for prefix in ("mcp_", "mcp:"):
        if name.startswith(prefix):
            whole += [reading for reading in splits(name.removeprefix(prefix), (prefix[-1],)) if _is_clean(reading)]
    return whole, unclean


def _is_clean(reading: Reading) -> bool:
    server, tool = reading
    whole = server is not None and server.strip(SEPARATORS) == server and tool.strip(SEPARATORS) == tool
    return whole and TOOL_GRAMMAR.fullmatch(tool) is not None


def _is_known(reading: Reading, known_servers: AbstractSet[str]) -> bool:
    return reading[0] is not None and reading[0].casefold() in known_servers
