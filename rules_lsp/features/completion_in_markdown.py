"""What may be written at a place in a Markdown rule file: entries in code marks, headings, lists to begin."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.features.completion_files import pattern_proposals
from rules_lsp.features.completion_in_yaml import list_proposals
from rules_lsp.features.completion_keys import SIDES, heading_proposals, section_skeletons, side_skeletons
from rules_lsp.features.completion_place import (
    BesidePlainStyle,
    CodeStyle,
    Place,
    Proposal,
    Proposals,
    TextStyle,
    Topic,
)
from rules_lsp.features.completion_tools import tool_proposals
from rules_lsp.features.markdown_beside import NOTHING_BESIDE, is_plain
from rules_lsp.features.markdown_place import BlankPlace, EntryPlace, HeadingPlace, MarkdownPlace, YamlFence
from rules_lsp.features.view import View
from rules_lsp.features.yaml_place import YamlPlace, yaml_place
from rules_lsp.policy.entries import TOOL_LISTS
from rules_lsp.policy.markdown.headings import SectionName, Side
from rules_lsp.policy.markdown.read_markdown import MarkdownRules, MarkdownSection
from rules_lsp.policy.model import ListName

_LEVEL = 2
_TOOL_LISTS: dict[SectionName, ListName] = {"Allowed Tools": "allowed_tools", "Denied Tools": "denied_tools"}
_SIDE_LISTS: dict[Side, ListName] = {"include": "file_patterns.include", "exclude": "file_patterns.exclude"}


def markdown_proposals(
    view: View, reading: MarkdownRules, offset: int, found: MarkdownPlace
) -> tuple[Place, Proposals] | None:
    """The place of a cursor with what may be written there; None where nothing may."""
    if isinstance(found, EntryPlace):
        return _entries(view, offset, found)
    if isinstance(found, HeadingPlace):
        return _headings(view, reading, offset, found)
    if isinstance(found, BlankPlace):
        return _beginnings(view, reading, found)
    return _in_fence(view, found)


def _entries(view: View, offset: int, found: EntryPlace) -> tuple[Place, Proposals]:
    content = view.subject.text.content
    before, after = content[found.span.start : offset], content[offset : found.span.end].strip("`")
    text = view.subject.text
    last = (
        found.beside == NOTHING_BESIDE
        and not content[found.span.end : text.line_span(text.line_of(offset)).end].strip()
    )
    code = CodeStyle(found.opened, found.closed, " " if found.glued else "", last)
    style = BesidePlainStyle(code, found.beside.markable, is_plain) if found.beside.plain else code
    place = Place((), found.list, found.span, before, after, style)
    proposals = tool_proposals(view, place) if found.list in TOOL_LISTS else pattern_proposals(view, place)
    behind = after.partition("/")[2]
    items = tuple(
        item
        for item in proposals.items
        if "`" not in item.text
        and (isinstance(style, CodeStyle) or style.can(item.text + (behind if item.partial else "")))
    )
    return place, Proposals(items, proposals.complete)


def _headings(view: View, reading: MarkdownRules, offset: int, found: HeadingPlace) -> tuple[Place, Proposals]:
    content = view.subject.text.content
    before, after = content[found.span.start : offset], content[offset : found.span.end]
    place = Place((), None, found.span, before, after, TextStyle(" " if found.glued else ""))
    others = [section for section in reading.sections if section.heading.start != found.span.start]
    inside = [section for section in others if section.body.start <= found.span.start <= section.body.end]
    sides = any(section.name == "File Patterns" and section.level < found.level for section in inside)
    present = {section.name for section in others}
    present_sides = {
        place.side.title() for section in inside for place in section.places if place.span.start != found.span.start
    }
    return place, Proposals(tuple(heading_proposals({*present, *present_sides}, sides=sides)))


def _beginnings(view: View, reading: MarkdownRules, found: BlankPlace) -> tuple[Place, Proposals]:
    place = Place((), found.list, found.span, "", "", TextStyle(""))
    return place, Proposals(tuple(_begun(view, reading, found)))


def _begun(view: View, reading: MarkdownRules, found: BlankPlace) -> Iterator[Proposal]:
    section, at = found.section, found.span.start
    if found.list is not None:
        label = "- `server/tool`" if found.list in TOOL_LISTS else "- `pattern`"
        topic = Topic("section", found.list)
        yield Proposal(label, label, "skeleton", "an entry", topic, partial=True, snippet="- `$0`", written="- `")
    elif section is not None and section.name == "File Patterns" and not _would_take(section, at, placed=True):
        yield from side_skeletons(section.level + 1, {place.side.title() for place in section.places})
    if section is not None and _would_take(section, at, placed=False):
        return
    level = min((each.level for each in reading.sections), default=_LEVEL)
    yield from section_skeletons({each.name for each in reading.sections}, level)


def _would_take(section: MarkdownSection, at: int, *, placed: bool) -> bool:
    """Whether a heading would take entries below it from their list; `placed` ones keep what names their own."""
    below = next((item.entry.span.start for item in section.entries if item.entry.span.start >= at), None)
    if below is None:
        return False
    return not (placed and any(at <= place.span.start <= below for place in section.places))


def _in_fence(view: View, found: YamlFence) -> tuple[Place, Proposals] | None:
    at = yaml_place(found.text, found.offset)
    list_name = _list_in_fence(found, at) if at is not None else None
    if at is None or list_name is None:
        return None
    proposed = list_proposals(view, found.text, found.offset, at, list_name)
    if proposed is None:
        return None
    place, proposals = proposed
    moved = Place(place.path, place.list, place.span.shifted(found.shift), place.before, place.after, place.style)
    return moved, proposals


def _list_in_fence(found: YamlFence, at: YamlPlace) -> ListName | None:
    """The list of an item in a block: that of its key, or of what the block stands under."""
    if found.section != "File Patterns":
        return _TOOL_LISTS[found.section] if not at.path and at.item else None
    if len(at.path) == 1 and at.path[0].title() in SIDES:
        return _SIDE_LISTS["include" if at.path[0].casefold() == "include" else "exclude"]
    return _SIDE_LISTS[found.side] if not at.path and at.item and found.side is not None else None
