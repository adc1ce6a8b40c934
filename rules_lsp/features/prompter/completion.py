"""What may be written at the cursor in a file of rules: keys, words, tools, patterns, and whole rules."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.features.completion_files import pattern_proposals
from rules_lsp.features.completion_in_yaml import is_no_key, placed
from rules_lsp.features.completion_place import NOTHING, Place, Proposal, Proposals, TextStyle, Topic
from rules_lsp.features.completion_tools import tool_proposals
from rules_lsp.features.prompter.documentation import CATEGORIES, KINDS
from rules_lsp.features.prompter.key_forms import key_proposals
from rules_lsp.features.prompter.matching import FILES_LIST
from rules_lsp.features.prompter.spots import rule_nodes, value_of
from rules_lsp.features.prompter.surrounding import AroundPlace, around_place
from rules_lsp.features.prompter.template_rules import HEAD, block_snippet, flow_snippet, flow_text
from rules_lsp.features.view import View
from rules_lsp.features.yaml_place import YamlPlace, is_part_of_another, yaml_place
from rules_lsp.policy.model import ListName
from rules_lsp.prompter.keys import ACTIONS, BEFORE_TOOL
from rules_lsp.prompter.language import SCRIPTS
from rules_lsp.prompter.templates import TEMPLATES
from rules_lsp.schemas import choices, keys
from rules_lsp.source.records import replace
from rules_lsp.source.yaml_tree import Mapping, Scalar, Sequence

RULES = ("rules",)
_SWITCHES = (("enabled",), ("rules", "enabled"), ("rules", "condition", "external"), ("rules", "condition", "approved"))
_BOOLEANS = ("true", "false")
_WORDS = (
    ("rules", "when"),
    ("rules", "action"),
    ("rules", "condition", "language", "expect"),
    ("rules", "condition", "judge"),
    ("rules", "limit", "per"),
)
_TOOLS = ("rules", "target", "tools")
_FILES = ("rules", "condition", "files")
_NAMES = (("rules", "condition", "pieces"), ("rules", "condition", "movements"))
_STARTER = (
    "version: 1\nenabled: true\nrules:\n"
    "  - id: {id}\n    name: {name}\n    when: always\n    action: inject_instruction\n    instruction: {told}{end}"
)


def completion(view: View, offset: int, trigger: str | None) -> tuple[Place, Proposals] | None:
    """What may be written at an offset, and how it has to be written there; None where nothing may."""
    subject = view.subject
    at = yaml_place(subject.text, offset)
    if at is None or (trigger is not None and at.own_line):
        return None
    if subject.error is None and is_part_of_another(subject.nodes.root, subject.text, offset, at):
        return None
    around = around_place(subject, at)
    if keys("auto-prompter", *at.path, *((0,) if at.item else ())):
        return _keys(view, offset, at, around)
    if at.path == RULES:
        return _rules_list(view, offset, at)
    if at.path in (CATEGORIES, KINDS, _TOOLS, _FILES, *_NAMES):
        return _entries(view, offset, at, around)
    return _values(view, offset, at, around)


def _keys(view: View, offset: int, at: YamlPlace, around: AroundPlace) -> tuple[Place, Proposals] | None:
    if is_no_key(at) or (at.own_line and at.beside):
        return None
    named = at.colon or bool(at.quote)
    found = key_proposals(
        at.path,
        item=at.item,
        present=around.keys,
        colon=named,
        flow=at.flow,
        when=around.when,
        action=around.action,
    )
    items = list(found)
    if not named and at.path == RULES and at.item and _is_first_in_item(view, at) and not at.goes_on:
        items += _templates(view, flow=at.flow)
    if not at.path and not view.subject.text.content[: at.span.start].strip() and not around.keys and not at.flow:
        items.insert(0, _starter())
    return placed(view, view.subject.text, offset, at, None), Proposals(tuple(items))


def _is_first_in_item(view: View, at: YamlPlace) -> bool:
    """Whether nothing of a rule stands in front of a place: a dash or the bracket of the list does."""
    text = view.subject.text
    line = text.content[text.line_span(text.line_of(at.span.start)).start : at.span.start].strip()
    return line.endswith("[") if at.flow else line.endswith("-")


def _rules_list(view: View, offset: int, at: YamlPlace) -> tuple[Place, Proposals] | None:
    """Behind or below the key `rules` a rule becomes the first of a list."""
    if at.goes_on or at.item or at.quote or (at.own_line and at.beside is False):
        return None
    place = placed(view, view.subject.text, offset, at, None, entry=True)
    if at.own_line and not at.flow:
        return place, Proposals(tuple(_templates(view, flow=False)))
    return None


def _templates(view: View, *, flow: bool) -> Iterator[Proposal]:
    taken = {value_of(rule, "id") for _, rule in rule_nodes(view.subject)}
    for template in TEMPLATES:
        listed = template.id in taken
        detail = "a rule with this id is there already" if listed else "a rule"
        topic = Topic("skeleton", template.id)
        snippet = flow_snippet(template) if flow else block_snippet(template)
        yield Proposal(
            template.id,
            template.title,
            "skeleton",
            detail,
            topic,
            listed=listed,
            snippet=snippet,
            written=flow_text(template),
        )


def _starter() -> Proposal:
    parts = {"id": "answer-plainly", "name": "Answer in plain words", "told": "Answer in plain words."}
    stops = {key: f"${{{number}:{text}}}" for number, (key, text) in enumerate(parts.items(), 1)}
    snippet, written = _STARTER.format(**stops, end="$0"), _STARTER.format(**parts, end="")
    assert written.startswith(HEAD)
    return Proposal("version", "Auto Prompter", "skeleton", "a file with one rule", snippet=snippet, written=written)


def _entries(view: View, offset: int, at: YamlPlace, around: AroundPlace) -> tuple[Place, Proposals] | None:
    """The entries of a list: words, tools, patterns, or what other rules name."""
    if (at.goes_on and not at.flow) or (at.own_line and not at.item and not at.flow and at.beside is False):
        return None
    list_name: ListName | None = "denied_tools" if at.path == _TOOLS else FILES_LIST if at.path == _FILES else None
    place = placed(view, view.subject.text, offset, at, list_name, entry=True)
    if at.path == _TOOLS:
        found = tool_proposals(view, place)
    elif at.path == _FILES:
        found = pattern_proposals(view, place)
    elif at.path in _NAMES:
        found = Proposals(tuple(Proposal(name, name, "value") for name in _used(view, at)))
    else:
        found = Proposals(tuple(_word(at.path, name) for name in choices("auto-prompter", *at.path, 0)))
    return place, _with_listed(found, around.texts)


def _with_listed(found: Proposals, present: frozenset[str]) -> Proposals:
    """The proposals as they say which of them stand in the list already."""
    return replace(
        found,
        items=tuple(
            replace(each, listed=True, detail="already listed") if each.text in present else each
            for each in found.items
        ),
    )


def _used(view: View, at: YamlPlace) -> tuple[str, ...]:
    """What other rules of the file name in the same list, sorted."""
    found: set[str] = set()
    for _, rule in rule_nodes(view.subject):
        node = rule.get("condition")
        values = node.get(at.path[-1]) if isinstance(node, Mapping) else None
        for item in values.items if isinstance(values, Sequence) else ():
            inside = item.token.start <= at.span.start and at.span.end <= item.token.end
            if isinstance(item, Scalar) and item.value.strip() and not inside:
                found.add(item.value)
    return tuple(sorted(found))


def _values(view: View, offset: int, at: YamlPlace, around: AroundPlace) -> tuple[Place, Proposals] | None:
    """The value of a key that takes a few."""
    if at.item or at.goes_on:
        return None
    place = placed(view, view.subject.text, offset, at, None)
    if at.path in _WORDS:
        return place, Proposals(tuple(_word(at.path, name) for name in _names(at.path, around)))
    plain = _BOOLEANS if at.path in _SWITCHES else ("1",) if at.path == ("version",) else ()
    if not plain or at.quote:
        return (place, NOTHING) if plain else None
    items = tuple(Proposal(each, each, "value") for each in plain)
    return replace(place, style=TextStyle(place.style.lead)), Proposals(items)


def _names(path: tuple[str, ...], around: AroundPlace) -> tuple[str, ...]:
    if path == ("rules", "action"):
        return ACTIONS.get(around.when, ACTIONS[BEFORE_TOOL])
    if path == ("rules", "when"):
        return tuple(name for name in ACTIONS if not around.action or around.action in ACTIONS[name]) or tuple(ACTIONS)
    if path[-1] == "expect":
        return tuple(SCRIPTS)
    return tuple(choices("auto-prompter", *path))


def _word(path: tuple[str, ...], name: str) -> Proposal:
    return Proposal(name, name, "value", None, Topic("value", f"{'.'.join(path)}={name}"))
