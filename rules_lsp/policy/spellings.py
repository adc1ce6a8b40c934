"""Other spellings of a path that reach the same file for whoever opens it: read for denying, never for allowing."""

from __future__ import annotations

import os
import posixpath
import unicodedata

from rules_lsp.source.expressions import expression
from rules_lsp.source.uri import leniently_decoded

# Zero-width characters, bidirectional marks, soft hyphen and variation selectors: nobody sees them in a name.
INVISIBLE = expression(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef]"
)


def spellings(relative: str, *, windows: bool = os.name == "nt") -> tuple[list[str], bool]:
    """The readings of a root-relative POSIX path, itself first, and whether one of them leaves the root.

    Readings are not normalised: a `..` that decoding brings to light leads elsewhere behind a link.
    """
    found: dict[str, None] = {relative: None}
    if not relative.isascii():
        normal = unicodedata.normalize("NFC", relative)
        found[normal] = None
        found[unicodedata.normalize("NFC", INVISIBLE.sub("", normal))] = None
    escapes = False
    if "%" in relative:
        for form in list(found):
            decoded = leniently_decoded(form)
            if decoded != form:
                found[unicodedata.normalize("NFC", INVISIBLE.sub("", decoded))] = None
                escapes = escapes or _leaves(decoded)
    if any("\\" in form for form in found):
        for form in list(found):
            if "\\" in form:
                separated = form.replace("\\", "/")
                found[separated] = None
                escapes = escapes or _leaves(separated)
    if windows:
        for form in list(found):
            found[_windows_name(form)] = None
    return list(found), escapes


def _leaves(path: str) -> bool:
    return path.startswith("/") or posixpath.normpath(path).split("/", 1)[0] == ".."


def _windows_name(path: str) -> str:
    """The path as Windows opens it: without trailing dots and spaces, and without a stream behind a colon."""
    return "/".join(part.split(":", 1)[0].rstrip(". ") or part for part in path.split("/"))
