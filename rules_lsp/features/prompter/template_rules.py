"""The templates of rules as they are put into a file."""

from __future__ import annotations

import json
from functools import lru_cache

from rules_lsp.features.completion_place import in_snippet
from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.prompter.templates import TEMPLATES, Template
from rules_lsp.source.text import Text

HEAD = "version: 1\nenabled: true\nrules:\n"


def template_called(identity: str) -> Template | None:
    """The template of an id, or None."""
    return next((template for template in TEMPLATES if template.id == identity), None)


def block_snippet(template: Template) -> str:
    """A template as an item of a block list with tab stops, without the item's dash: its first line stands behind it.

    The lines below the first are indented as they stand below a dash in the first column.
    """
    return template.body.removeprefix("- ")


@lru_cache(maxsize=64)
def flow_text(template: Template) -> str:
    """A template on one line, which stands in any list whatever its indentation."""
    (found,) = read_auto_prompter(Text(HEAD + template.text)).rules.rules
    said = {key: value for key, value in found.data.items() if value is not None and key != "broken"}
    return json.dumps(said, ensure_ascii=False)


def flow_snippet(template: Template) -> str:
    """The same for a client that knows tab stops: it has none, and its signs are escaped."""
    return in_snippet(flow_text(template))
