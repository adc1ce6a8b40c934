"""How other tools read a pattern: minimatch (as editors and JavaScript tools use it) and Python's fnmatch."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from functools import lru_cache

from rules_lsp.policy.glob import Glob

Reading = Callable[[str], bool]
_STAR, _NAME = "[^/]*?", "[^/]+?"


def minimatch(glob: Glob) -> Reading | None:
    """minimatch with its defaults: the whole path, `**` as a whole name only, no dot at a wildcard's beginning."""
    forms = dict.fromkeys(item.text for item in glob.alternatives)
    sources = [_minimatch_form(form) for form in forms]
    if not sources or any(source is None for source in sources):
        return None
    expression = _compiled("|".join(source for source in sources if source is not None))
    return None if expression is None else lambda path: expression.fullmatch(path) is not None


def fnmatch_reading(glob: Glob) -> Reading | None:
    """`fnmatch.fnmatchcase`: the whole path, `*` over slashes too, braces and backslashes as they are."""
    expression = _compiled(fnmatch.translate(glob.text))
    return None if expression is None else lambda path: expression.match(path) is not None


def _minimatch_form(form: str) -> str | None:
    if "\\" in form or "[" in form:
        # Escapes and classes are read alike; a form with one is left to the others.
        return None
    names = form.removeprefix("./").split("/")
    parts: list[str] = []
    for place, name in enumerate(names):
        last = place + 1 == len(names)
        if name == "**":
            below = r"(?:(?!\.)[^/]+/)*?"
            parts.append(below + r"(?!\.)[^/]+" if last else below)
            continue
        dot = r"(?!\.)" if name[:1] in ("*", "?") else ""
        text = "".join(
            _STAR if run.startswith("*") else "[^/]" if run == "?" else re.escape(run)
            for run in re.findall(r"\*+|\?|[^*?]+", name)
        )
        parts.append(dot + (_NAME if text == _STAR else text) + ("" if last else "/"))
    return "".join(parts)


@lru_cache(maxsize=1024)
def _compiled(source: str) -> re.Pattern[str] | None:
    try:
        return re.compile(source)
    except (re.error, OverflowError, RecursionError):
        return None
