"""A text as a YAML scalar in quotes."""

from __future__ import annotations

import re

_NEEDS_ESCAPE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_ESCAPED = re.compile('[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff"\\\\]')
# Narrower than YAML's own rule: a text that is not obviously plain is quoted.
_PLAIN = re.compile(r"[A-Za-z_./~][^\s:#\x00-\x1f\x7f-\x9f\ufeff]*")
_PLAIN_IN_FLOW = re.compile(r"[A-Za-z_./~][^\s:#,\[\]{}\x00-\x1f\x7f-\x9f\ufeff]*")
_READ_OTHERWISE = re.compile(
    r"~|[yn]|yes|no|true|false|on|off|null|\.inf|\.nan|\.[0-9_]+(?:e[-+]?[0-9]+)?", re.IGNORECASE
)


def quoted(text: str, prefer: str = '"') -> str:
    """The text in quotes that need no escape, the preferred ones if both would do; else in single quotes, doubled.

    Only a text with a control character or a line break is written with escapes.
    """
    if _NEEDS_ESCAPE.search(text):
        return '"' + _ESCAPED.sub(_escape, text) + '"'
    fits = {'"': '"' not in text and "\\" not in text, "'": "'" not in text}
    other = "'" if prefer == '"' else '"'
    for quote in (prefer, other):
        if fits[quote]:
            return f"{quote}{text}{quote}"
    return "'" + text.replace("'", "''") + "'"


def plain_or_quoted(text: str, prefer: str = '"', *, flow: bool = False) -> str:
    """The text as it is where YAML reads it as that text everywhere, else in quotes; `flow` is inside brackets."""
    plain = _PLAIN_IN_FLOW if flow else _PLAIN
    return text if plain.fullmatch(text) and not _READ_OTHERWISE.fullmatch(text) else quoted(text, prefer)


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"
