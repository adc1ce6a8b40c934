"""Rules in an `AGENTS.md` that is no rule file: the one in `.github` governs a project, and no other does."""

from __future__ import annotations

import re
from functools import lru_cache

from rules_lsp.policy.config import DEFAULT_RULE_FILES
from rules_lsp.policy.markdown.headings import SectionName
from rules_lsp.policy.markdown.read_markdown import MarkdownSection, read_markdown
from rules_lsp.source.text import Span, Text

_GOVERNING = DEFAULT_RULE_FILES[-1]
_BASE = _GOVERNING.rpartition("/")[2]
_MAY_HOLD_RULES = re.compile(r"(?:allowed|denied)[ \t]+tools|file[ \t]+patterns", re.IGNORECASE)


def is_instructions(name: str) -> bool:
    """Whether a file of a root-relative name is read by agents as prose alone: an `AGENTS.md` beside `.github`."""
    return name.rpartition("/")[2] == _BASE and name != _GOVERNING and not name.endswith(f"/{_GOVERNING}")


@lru_cache(maxsize=16)
def rules_in(content: str) -> tuple[SectionName, Span] | None:
    """The first section of a Markdown text with an entry that can be read, and its heading; None where there is none.

    In `File Patterns` that is one below an include or an exclude.
    """
    if _MAY_HOLD_RULES.search(content) is None:
        return None
    sections = read_markdown(Text(content)).sections
    return next(((each.name, each.heading) for each in sections if _holds_rules(each)), None)


def _holds_rules(section: MarkdownSection) -> bool:
    first = min((place.span.start for place in section.places), default=None)
    if section.name == "File Patterns" and first is None:
        return False
    return any(each.entry.broken is None and each.entry.span.start >= (first or 0) for each in section.entries)
