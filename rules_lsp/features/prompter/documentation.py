"""The texts about keys, words and entries of the rules: the same under the cursor and beside a completion item."""

from __future__ import annotations

from rules_lsp.features.completion_documentation import of_rules
from rules_lsp.features.completion_place import Topic
from rules_lsp.features.markup import code, sentence
from rules_lsp.features.numbers import amount
from rules_lsp.features.prompter.matching import FILES_LIST, known_tools, tools_of_category, tools_of_pattern
from rules_lsp.features.prompter.template_rules import template_called
from rules_lsp.features.tool_words import tool_in_words
from rules_lsp.features.view import View
from rules_lsp.policy.tools.lists import entry_problem
from rules_lsp.prompter.keys import OBSERVED, REFUSED_ACTIONS, RESERVED_CATEGORIES
from rules_lsp.prompter.language import SCRIPTS
from rules_lsp.schemas import choices, describe

CATEGORIES = ("rules", "target", "categories")
KINDS = ("rules", "condition", "command", "kinds")
MOST_TOOLS = 8
_LISTS = (CATEGORIES, KINDS)


def documentation(view: View, topic: Topic) -> str | None:
    """The documentation of a completion item."""
    if topic.kind == "key":
        return key_documentation(tuple(topic.value.split(".")))
    if topic.kind == "value":
        path, _, value = topic.value.partition("=")
        return value_documentation(view, tuple(path.split(".")), value)
    if topic.kind == "skeleton":
        template = template_called(topic.value)
        return None if template is None else f"{template.description}\n\n```yaml\n{template.text.strip()}\n```"
    if topic.list == FILES_LIST:
        return file_pattern_in_markdown(view, topic.value)
    if topic.list is not None:
        return tool_pattern_in_markdown(view, topic.value)
    return of_rules(view, topic)


def key_documentation(path: tuple[str, ...]) -> str | None:
    """What a key means, by the keys that lead to it."""
    return describe("auto-prompter", *path)


def value_documentation(view: View, path: tuple[str, ...], value: str) -> str | None:
    """What a word means that stands behind a key, or in its list; None for a text of the author's own."""
    steps = (*path, 0) if path in _LISTS else path
    meaning = choices("auto-prompter", *steps).get(value)
    if meaning is None:
        meaning = _refused(path, value)
    if meaning is None and path == ("rules", "condition", "language", "expect") and value in SCRIPTS:
        scripts = ", ".join(name.capitalize() for name in SCRIPTS[value])
        return f"{code(value)}: told by its letters ({scripts}), with which other languages may be written too"
    if meaning is None:
        return None
    parts = [f"{code(value)}: {meaning[0].lower()}{meaning[1:]}"]
    if path == CATEGORIES:
        parts.append(tools_in_words(tools_of_category(view, value), len(known_tools(view))))
    return "\n\n".join(parts)


def tool_pattern_in_markdown(view: View, text: str) -> str | None:
    """What an entry of `target.tools` stands for, and the known tools that it matches."""
    if entry_problem(text, True) is not None:
        return None
    matched = tools_in_words(tools_of_pattern(view, text), len(known_tools(view)))
    return f"it stands for {tool_in_words(text, denying=True)}\n\n{matched}"


def file_pattern_in_markdown(view: View, text: str) -> str | None:
    """What an entry of `condition.files` covers, and which files."""
    return of_rules(view, Topic("pattern", text, FILES_LIST))


def tools_in_words(names: tuple[str, ...], total: int) -> str:
    """`it matches 2 of 12 known tools: a, b`."""
    told = f"it matches **{len(names):,} of {amount(total, 'known tool')}**"
    if not names:
        return told
    more = len(names) - MOST_TOOLS
    shown = ", ".join(code(name) for name in names[:MOST_TOOLS])
    return f"{told}: {shown}{f' and {more:,} more' if more > 0 else ''}"


def _refused(path: tuple[str, ...], value: str) -> str | None:
    """Why a word that others know is no word here."""
    if path == ("rules", "action") and value in REFUSED_ACTIONS:
        return f"refused: {sentence(REFUSED_ACTIONS[value])}"
    if path == ("rules", "when") and value in OBSERVED:
        return "observed in the audit only; a rule there is refused"
    if path == CATEGORIES and value in RESERVED_CATEGORIES:
        return "reserved; a call is denied until it can be judged"
    return None
