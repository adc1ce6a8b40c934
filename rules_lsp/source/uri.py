"""`file:` URIs and paths, each turned into the other without losing a character."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from rules_lsp.source.expressions import expression

_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
_ESCAPED = expression(rb"%([0-9a-fA-F]{2})")
_FILE = expression(r"file:(?://(?P<host>[^/?#]*))?(?P<path>/[^?#]*)?(?P<rest>.*)\Z", re.IGNORECASE | re.DOTALL)


@lru_cache(maxsize=4096)
def to_uri(path: str) -> str:
    """The `file:` URI of an absolute path."""
    if os.name == "nt":
        path = "/" + path.replace("\\", "/").lstrip("/")
    encoded = os.fsencode(path)
    return "file://" + "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in encoded)


def from_uri(uri: str) -> str | None:
    """The path of a `file:` URI of this machine; None for every other URI, one with a query, or one that is no text."""
    match = _FILE.match(uri)
    if match is None or match["rest"] or not match["path"] or (match["host"] or "").lower() not in ("", "localhost"):
        return None
    path = percent_decoded(match["path"])
    if path is not None and os.name == "nt" and re.match(r"/[A-Za-z]:", path):
        return path[1:]
    return path


def usable_path(uri: str) -> str | None:
    """The path of a `file:` URI as `from_uri` reads it; None also where it has a null character, as no file has."""
    path = from_uri(uri)
    return None if path is None or "\0" in path else path


def percent_decoded(text: str) -> str | None:
    """The text with `%XX` decoded once, or None where that is no UTF-8."""
    if "%" not in text:
        return text
    try:
        return _decoded(text.encode("utf-8")).decode("utf-8")
    except UnicodeError:
        return None


def leniently_decoded(text: str) -> str:
    """The text with `%XX` decoded once, bytes that are no UTF-8 replaced, as most programs decode it."""
    if "%" not in text:
        return text
    return _decoded(text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")


def _decoded(encoded: bytes) -> bytes:
    return _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), encoded)
