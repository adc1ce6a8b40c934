"""A YAML node as a list of entries: every item kept with its place, what cannot be read marked as broken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from rules_lsp.policy.entries import TOOL_LISTS, checked_entry
from rules_lsp.policy.model import Entry, ListName, RuleList
from rules_lsp.policy.yaml.slips import line_slips, list_slips
from rules_lsp.source.excerpt import bounded
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_slips import slips_of_entry
from rules_lsp.source.yaml_tree import STANDARD_TAG, Mapping, Node, Run, Scalar, Sequence, resolve

Report = Callable[[Problem], None]

ALLOWING = ("allowed_tools", "file_patterns.include")
PATTERN_LISTS = ("file_patterns.include", "file_patterns.exclude")
# A value with one of these is first of all that, and becomes a list in the next step.
_BEFORE_SCALAR = ("unquoted-glob", "fullwidth-punctuation", "escaped-backslash")
_ESCAPE_IN_PATH = expression(r"(?<=[\w.*)\]}-])\\[abefnrtv0](?=[\w.*([{-])")
_LONGEST_REMEMBERED = 200
_TAG = expression(r"(?<!\S)!\S*")
_BOOLEAN = r"[yY]|[nN]|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF|null|Null|NULL"
_NUMBER = (
    r"[-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
    r"|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN)"
)
_DATE = r"\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?)?)?"
_AMBIGUOUS = expression(rf"(?:{_BOOLEAN}|{_NUMBER}|{_DATE}|=)\Z")


def read_list(text: Text, node: Node, name: ListName, key: Span, report: Report) -> RuleList | None:
    """The list that a value stands for, or None where it specifies nothing. Problems go to `report`."""
    value = resolve(node)
    if isinstance(value, Scalar):
        if value.is_null:
            report(_null_key(text, key))
            return None
        return _scalar_for_list(text, value, name, key, report)
    if isinstance(value, Sequence) and not _is_plain(value, "seq"):
        tag = _TAG.search(text.content, value.span.start, value.span.end)
        place = Span(*tag.span()) if tag is not None else key
        message = f"the tag `{first_line(text.slice(place))}` is not allowed: a list is plain"
        report(Problem("wrong-type", message, place))
        return RuleList(name, key, (), message)
    if not isinstance(value, Sequence):
        message = f"`{text.slice(key)}` must be a list of texts and is {kind_of(value)}: write `- ` before each entry"
        report(Problem("wrong-type", message, key))
        return RuleList(name, key, (), message)
    entries = tuple(_entries(text, value, name, report))
    if not value.parts and name in ALLOWING:
        what = "tool" if name == "allowed_tools" else "file"
        message = f"an empty `{text.slice(key)}` allows no {what}: remove the key to allow every {what}"
        report(Problem("empty-list", message, key, "warning"))
    return RuleList(name, key, entries)


def read_texts(text: Text, node: Node, key: Span, report: Report) -> list[Scalar]:
    """The texts of a list that holds no rules (`x-unprotected`); what is no text is reported and left out."""
    value = resolve(node)
    items = value.items if isinstance(value, Sequence) else (node,)
    texts: list[Scalar] = []
    for item in items:
        scalar = resolve(item)
        nothing = isinstance(scalar, Scalar) and scalar.says_nothing
        if isinstance(scalar, Scalar) and not nothing and "\n" not in scalar.value and _is_text(scalar):
            texts.append(scalar)
            report_ambiguity(scalar, report)
            if scalar is value:
                message = f"`{text.slice(key)}` must be a list and holds one value: write it as a list"
                report(Problem("scalar-for-list", message, scalar.span, data={"value": scalar.value}))
        elif not nothing:
            message = f"an entry of `{text.slice(key)}` must be one line of text and is {kind_of(scalar)}"
            report(Problem("wrong-type", message, item.token))
    return texts


def _entries(text: Text, value: Sequence, name: ListName, report: Report) -> Iterator[Entry]:
    index = 0
    for part in value.parts:
        of_run = _entries_of_run(part.written, part.token.start, name, index) if isinstance(part, Run) else None
        if of_run is not None:
            yield from of_run
            index += len(of_run)
            continue
        for item in part.nodes() if isinstance(part, Run) else (part,):
            entry = _entry(text, item, name, index, report, commas=value.flow)
            if entry is not None:
                yield entry
            index += 1


@lru_cache(maxsize=256)
def _entries_of_run(written: str, start: int, name: ListName, index: int) -> tuple[Entry, ...] | None:
    """The entries of a run that begins at an offset with the item `index`; None where there is something to say of it.

    An edit leaves the runs in front of it as they are, and so their entries.
    """
    run = Run(written, Span(start, start + len(written)))
    if not _is_faultless_run(written, name):
        return None
    places = ((item.text, start + item.start) for item in run.items)
    return tuple(Entry(text, Span(at, at + len(text)), name, number) for number, (text, at) in enumerate(places, index))


@lru_cache(maxsize=256)
def _is_faultless_run(written: str, name: ListName) -> bool:
    items = Run(written, Span(0, len(written))).items
    return all(
        _is_faultless(f"{item.quote}{item.text}{item.quote}", len(item.quote), item.text, item.quote, name, False)
        for item in items
    )


def _entry(text: Text, item: Node, name: ListName, index: int, report: Report, *, commas: bool = False) -> Entry | None:
    """The entry that an item is, or None where it says nothing; `commas` separate entries in its place."""
    value = resolve(item)
    if not isinstance(value, Scalar):
        return _no_text(text, item, value, name, index, report)
    if not _is_text(value):
        return _tagged(text, value, name, index, report)
    token, span = value.token, value.span
    if value.tag is None and token.end - token.start <= _LONGEST_REMEMBERED:
        written = text.content[token.start : token.end]
        if _is_faultless(written, span.start - token.start, value.value, value.style, name, commas):
            return Entry(value.value, span, name, index)
    return _checked(text, value, name, index, report, commas)


@lru_cache(maxsize=8192)
def _is_faultless(written: str, inner: int, value: str, style: str, name: ListName, commas: bool) -> bool:
    """Whether nothing is to be said of a text as it is `written`, from `inner` on: of most, and each time of the same.

    What is said of an entry depends on nothing else.
    """
    problems: list[Problem] = []
    whole = Span(0, len(written))
    scalar = Scalar(value, Span(inner, max(inner, whole.end - (style in ("'", '"')))), whole, style)
    return _checked(Text(written), scalar, name, 0, problems.append, commas) is not None and not problems


def _checked(text: Text, value: Scalar, name: ListName, index: int, report: Report, commas: bool) -> Entry | None:
    """The entry that a text is; what is wrong with it goes to `report`, and depends on the text alone."""
    if value.says_nothing or not value.value.strip():
        message = "this entry is empty and says nothing: write a value or remove the line"
        report(Problem("null-value", message, _dash_before(text, value), "warning"))
        return None
    if _spans_lines(text, value):
        message = "this entry holds a line break: write one entry a line, each with a `- ` of its own"
        problem = Problem("wrong-type", message, value.span, data={"kind": "line-break"})
        for found in line_slips(text, value) or [_backslash(text, value, name) or problem]:
            report(found)
        return Entry(value.value, value.span, name, index, message)
    report_ambiguity(value, report)
    entry, broken = checked_entry(value.value, value.span, name, index)
    for found in _slips(text, value, name, commas) or ([broken] if broken is not None else []):
        report(found)
    return entry


def _slips(text: Text, value: Scalar, name: ListName, commas: bool) -> list[Problem]:
    """What its author did not mean as text in an entry: of that an entry's other fault is only the consequence."""
    if value.style == "":
        return [slip.problem for slip in slips_of_entry(text.content, value.span, commas=commas)]
    backslash = _backslash(text, value, name)
    return [] if backslash is None else [backslash]


def _backslash(text: Text, value: Scalar, name: ListName) -> Problem | None:
    r"""A backslash in double quotes between the parts of a path, of which YAML makes a control character.

    In the name of a tool `\n` stands between two names sooner than in one.
    """
    if value.style != '"':
        return None
    written = text.slice(value.span)
    found = _ESCAPE_IN_PATH.search(written)
    if found is None or (name not in PATTERN_LISTS and "\\n" in written):
        return None
    place = Span(value.span.start + found.start(), value.span.start + found.end())
    message = f"`{found.group()}` in double quotes is a control character and no part of a path: write `/`"
    return Problem("escaped-backslash", message, place)


def _scalar_for_list(text: Text, value: Scalar, name: ListName, key: Span, report: Report) -> RuleList:
    found: list[Problem] = []
    entry = _entry(text, value, name, 0, found.append)
    slips = list_slips(text, value)
    for slip in slips:
        report(slip)
    if entry is None or _spans_lines(text, value) or value.style in ("|", ">"):
        message = f"`{text.slice(key)}` must be a list and is a block of text: write `- ` before each entry"
        if not slips:
            report(Problem("wrong-type", message, key, data={"kind": "text-for-list"}))
        return RuleList(name, key, (), message)
    if slips:
        return RuleList(name, key, (entry,))
    special = next((problem for problem in found if problem.code in _BEFORE_SCALAR), None)
    message = f"`{text.slice(key)}` must be a list and holds one value: write it as a list"
    report(special or Problem("scalar-for-list", message, value.span, data={"value": value.value}))
    return RuleList(name, key, (entry,))


def _spans_lines(text: Text, value: Scalar) -> bool:
    """Whether a text holds a line break, or was written over several lines: a dash that is indented too far."""
    written = text.slice(value.token) if value.style not in ("|", ">") else ""
    return any(line_break in part for part in (value.value, written) for line_break in ("\n", "\r"))


def _no_text(
    text: Text, item: Node, value: Sequence | Mapping | None, name: ListName, index: int, report: Report
) -> Entry:
    written = text.slice(item.token)
    if name not in TOOL_LISTS and value is not None and value.flow and "\n" not in written and not _holds_values(value):
        message = f"YAML reads `{first_line(written)}` as {kind_of(value)} and not as a pattern: put it in quotes"
        problem = Problem("unquoted-glob", message, item.token, data={"value": written})
    else:
        message = (
            f"this entry must be a text and is {kind_of(value)}: write the text alone, in quotes if it holds a colon"
        )
        data = {"kind": "mapping-for-text"} if isinstance(value, Mapping) else {}
        problem = Problem("wrong-type", message, item.token, data=data)
    report(problem)
    return Entry(written, item.token, name, index, message)


def _holds_values(node: Sequence | Mapping) -> bool:
    return isinstance(node, Mapping) and any(
        not isinstance(value, Scalar) or not value.is_null for _, value in node.pairs
    )


def _tagged(text: Text, value: Scalar, name: ListName, index: int, report: Report) -> Entry:
    written = text.slice(value.token)
    if written.startswith("!") and not written.startswith("!!"):
        message = f"YAML reads `{first_line(written)}` as a tag and not as a text: put it in quotes"
        report(Problem("unquoted-glob", message, value.token, data={"value": written}))
    else:
        message = f"the tag of `{first_line(written)}` is not allowed: an entry is a plain text"
        report(Problem("wrong-type", message, value.token))
    return Entry(written, value.token, name, index, message)


def _is_text(value: Scalar) -> bool:
    return value.tag in (None, f"{STANDARD_TAG}str")


def _is_plain(node: Sequence | Mapping, kind: str) -> bool:
    return node.tag in (None, f"{STANDARD_TAG}{kind}")


def _null_key(text: Text, key: Span) -> Problem:
    message = f"`{text.slice(key)}` has no value and counts as not written: give it a value or remove it"
    return Problem("null-value", message, key, "warning")


def _dash_before(text: Text, value: Scalar) -> Span:
    """The place of an entry of which nothing is written: its dash, or the token where there is one."""
    if len(value.token) or value.span.start == 0:
        return value.token
    dash = text.content.rfind("-", 0, value.span.start)
    if dash >= 0 and not text.content[dash + 1 : value.span.start].strip():
        return Span(dash, dash + 1)
    return value.token


def report_ambiguity(value: Scalar, report: Report) -> None:
    """Report a plain text that other readers of YAML take for a boolean, a number, a date or nothing."""
    if value.style == "" and _AMBIGUOUS.match(value.value):
        message = f"YAML reads `{value.value}` as {_ambiguity(value.value)}; it is taken as written: put it in quotes"
        report(Problem("ambiguous-scalar", message, value.span, "warning", {"value": value.value}))


def _ambiguity(value: str) -> str:
    if re.match(rf"(?:{_DATE})\Z", value):
        return "a date"
    if re.match(r"(?:null|Null|NULL)\Z", value):
        return "nothing"
    return "a boolean" if re.match(rf"(?:{_BOOLEAN})\Z", value) else "a number"


def kind_of(node: Node | None) -> str:
    """What a node is, in a word that a rule author reads."""
    if node is None:
        return "a list inside itself"
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Mapping):
        return "a mapping"
    return "a text"


def first_line(text: str) -> str:
    """The first line of a text, bounded, for a message."""
    return bounded(text.split("\n", 1)[0], 40)
