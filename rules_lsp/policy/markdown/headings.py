"""Which heading is a section, which is only close to one, and which places a pattern list."""

from __future__ import annotations

from rules_lsp.policy.keys import edit_distance
from rules_lsp.policy.markdown.words import fold, markdown_words
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

SectionName: TypeAlias = "Literal['Allowed Tools', 'Denied Tools', 'File Patterns']"
Side: TypeAlias = "Literal['include', 'exclude']"
SECTION_NAMES: tuple[SectionName, ...] = ("Allowed Tools", "Denied Tools", "File Patterns")
LONGEST_HEADING = 200

_SECTIONS: dict[str, SectionName] = {name.casefold(): name for name in SECTION_NAMES}
_SIDES: dict[str, Side] = {"include": "include", "exclude": "exclude"}
_NUMBERING = expression(r"(?:\(?\d+(?:\.\d+)*[.)]?|[A-Za-z][.)]|[ivxIVX]+[.)])\s+")
_REMARK = expression(r"\s*[(（][^()（）]*[)）]$")
_CAMEL = expression(r"(?<=[a-z])(?=[A-Z])")
_EDGES = expression(r"^[\W_]+|(?:\s*\{[^{}]*\})?[\W_]*$")


def section_name(heading: str) -> SectionName | None:
    """The section that a heading's visible text starts, or None."""
    return _SECTIONS.get(_bare(heading))


def side_name(heading: str) -> Side | None:
    """`include` or `exclude` where a heading, label or column is one of them."""
    return _SIDES.get(_bare(heading))


def near_side(heading: str) -> Side | None:
    """The side that a heading or label means by another word for it, which places nothing: `除外` is `exclude`."""
    if len(heading) > LONGEST_HEADING or side_name(heading) is not None:
        return None
    return markdown_words().near_sides.get(_clean(_REMARK.sub("", heading.rstrip(" :："))))


def remark_of(heading: str) -> str:
    """The remark in parentheses at the end of a heading, or an empty text."""
    found = _REMARK.search(heading.rstrip(" :："))
    return found[0] if found else ""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The section that a heading is close to; `own` tells whether it is so in its name's own words."""

    section: SectionName
    own: bool


def near_miss(heading: str) -> NearMiss | None:
    """The section that a heading is close to, where it starts none.

    The words of the name in another order or number, a synonym, one slip of the pen, or marks around the name; never
    a heading with further words.
    """
    if len(heading) > LONGEST_HEADING or section_name(heading) is not None:
        return None
    text = _clean(_REMARK.sub("", heading.rstrip(" :：")))
    words = text.split()
    joined = text.replace(" ", "")
    for name, near in markdown_words().near_misses.items():
        section = _SECTIONS[name.casefold()]
        if joined == name.casefold().replace(" ", ""):
            return NearMiss(section, True)
        if text in near.texts or joined in near.texts:
            return NearMiss(section, False)
        if len(words) != 2:
            continue
        for adjective, noun in (words, reversed(words)):
            if adjective in near.own | near.adjectives and noun in ("tool", "tools"):
                return NearMiss(section, adjective in near.own)
        if section == "File Patterns" and words[0] in ("file", "files") and words[1] in ("pattern", "patterns"):
            return NearMiss(section, True)
        if _is_slip(text, fold(name)) and (section != "File Patterns" or words[0] == "file"):
            return NearMiss(section, True)
    return None


def _bare(heading: str) -> str:
    """A heading's text without numbering, a colon and a remark at its end."""
    if len(heading) > LONGEST_HEADING:
        return ""
    text = " ".join(heading.split())
    text = _NUMBERING.sub("", text, count=1) if _NUMBERING.match(text) else text
    while True:
        shorter = _REMARK.sub("", text).rstrip(" :：")
        if shorter == text:
            return text.casefold()
        text = shorter


def _clean(heading: str) -> str:
    text = _CAMEL.sub(" ", heading).replace("_", " ").replace("-", " ")
    text = _NUMBERING.sub("", text.strip(), count=1) if _NUMBERING.match(text.strip()) else text
    return fold(_EDGES.sub("", text))


def _is_slip(text: str, name: str) -> bool:
    distance = edit_distance(text, name, 3)
    return distance == 1 or (distance == 2 and sorted(text) == sorted(name))
