"""Where a cursor stands in the template of a persona: which name of it, and what may stand there."""

from __future__ import annotations

import re
from typing import Literal

from rules_lsp.features.json_place import json_place
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

TEMPLATE = ("user_content",)
_MARK = expression(r"\{\{|\{%|\{#|\}\}|%\}|#\}")
_WORD = re.compile(r"\w*")
_NAME_BEFORE = expression(r"(?<![\w.])[^\W\d]\w*\Z|(?<![\w.])\Z")
_STATEMENT = expression(r"[-+]?\s*\w*\s*\Z")


@dataclass(frozen=True, slots=True)
class TemplateSpot:
    """A name in an expression of the template, perhaps an empty one, and what it may be."""

    kind: Literal["variable", "filter"]
    span: Span


def template_spot(text: Text, offset: int) -> TemplateSpot | None:
    """The name at an offset; None outside of `{{ }}` and `{% %}`, in texts, behind a dot, and for a statement's own."""
    found = json_place(text, offset)
    if found is None or not (found.quoted and found.item and found.path == TEMPLATE):
        return None
    before = text.content[found.span.start : offset]
    marks = list(_MARK.finditer(before))
    if not marks or marks[-1][0] not in ("{{", "{%"):
        return None
    mark = marks[-1]
    inner = before[mark.end() :]
    name = _NAME_BEFORE.search(inner)
    if name is None or inner.count("'") % 2 or inner.count('\\"') % 2:
        return None
    head = inner[: name.start()].rstrip()
    if head.endswith(".") or (mark[0] == "{%" and _STATEMENT.fullmatch(inner[: name.end()] if not head else "!")):
        return None
    behind = _WORD.match(text.content, offset, found.span.end)
    assert behind is not None
    span = Span(found.span.start + mark.end() + name.start(), behind.end())
    return TemplateSpot("filter" if head.endswith("|") else "variable", span)
