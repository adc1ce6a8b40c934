"""A key that the file does not have.

## What it finds
A key that is none of `system_prompt_extension`, `allowed_tools`, `denied_tools` and `file_patterns`, or under
`file_patterns` none of `include` and `exclude`. Keys that begin with `x-` are free. `include` and `exclude` at the top
level belong under `file_patterns`. A word of the same meaning, such as `blocked_tools`, is told.
In `.auto-prompter.yaml` it is a key that neither the file nor a rule nor a part of a rule has; in
`.a0proj/project.json` one that `file_structure` does not have, and in a persona one that personas do not have.

## Why it matters
A slip of the pen is read as the key that it is nearest to, since the lists only ever restrict; every other key has no
effect at all, so that what stands below it is neither allowed nor denied.
In `.auto-prompter.yaml` a rule with such a key denies whatever it could be meant for, and a file with one every call.
In the other files it has no effect.

## Example
```yaml
deny_tools:
  - github/delete_file
```

## Instead
```yaml
denied_tools:
  - github/delete_file
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.base import MAX_DIAGNOSTICS, Check, Diagnostic, Fix, RelatedPlace, Stage, diagnostic_of
from rules_lsp.checks.common.key_merge import DENYING_KEYS, merged
from rules_lsp.checks.common.key_renames import with_renames
from rules_lsp.checks.common.kinds import NEIGHBOUR_KINDS, WITH_OBJECTS
from rules_lsp.checks.common.lines import indentation, line_at, line_break_of, split_lines, whole_lines
from rules_lsp.checks.common.lookalikes import told_of_look_alike
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.keys import PATTERNS, TOP_LEVEL, meant_key
from rules_lsp.policy.model import Rules
from rules_lsp.policy.yaml.read_yaml import read_yaml
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, resolve

_INDENT = "  "
# A tab, and the line breaks and blanks of YAML that end no line in an editor.
_NO_INDENTATION = re.compile("[\t\x85\u2028\u2029\ufeff]")


def _find(subject: Subject) -> Iterator[Diagnostic]:
    # Of a key that stands there twice the second says just that: what is wrong with its name the first says.
    twice = {problem.span for problem in subject.problems if problem.code == "duplicate-key"}
    unknown = (each for each in subject.problems if each.code == "unknown-key" and each.span not in twice)
    problems = [_named(subject, problem) for problem in unknown]
    if subject.kind in NEIGHBOUR_KINDS:
        yield from with_renames(subject, problems)
        return
    renamed = _renamed(problems)
    taken: dict[tuple[int, str], Span] = {}
    for number, problem in enumerate(problems):
        found, rename = subject.nodes.pair(problem.span), problem.data.get("rename")
        if found is None or rename is None:
            yield diagnostic_of(problem, _fixes(subject, problem, renamed) if number < MAX_DIAGNOSTICS else ())
            continue
        # Renaming into a key that stands beside it would only trade this fault for a key that stands twice.
        other = taken.get((id(found[0]), rename)) or subject.nodes.key_of(found[0], rename)
        if other is None:
            taken[id(found[0]), rename] = problem.span
            yield diagnostic_of(problem, (Fix(f"rename it to `{rename}`", (TextEdit(problem.span, rename),)),))
        else:
            yield _beside(subject, problem, rename, other, number < MAX_DIAGNOSTICS)


def _named(subject: Subject, problem: Problem) -> Problem:
    message = told_of_look_alike(problem.message, subject.text.slice(problem.span))
    return replace(problem, message=message)


def _renamed(problems: list[Problem]) -> dict[str, Span]:
    """The one key that is to get each name: a slip of it, else the first other word for it."""
    renamed: dict[str, Span] = {}
    for datum in ("rename", "synonym"):
        for problem in problems:
            if datum in problem.data:
                renamed.setdefault(problem.data[datum], problem.span)
    return renamed


def _beside(subject: Subject, problem: Problem, known: str, other: Span, with_fix: bool) -> Diagnostic:
    """A slip beside the key that it means, or beside an earlier slip of it."""
    advice = f"put its entries under `{known}`"
    if known not in DENYING_KEYS:
        advice = "each of the two must allow, so put what is meant under one of them"
        if known not in ("allowed_tools", "include"):
            advice = "keep one of them"
    what = f"unknown key `{shown(subject.text.slice(problem.span))}`"
    message = f"{what}; it is read as `{known}` meanwhile, which stands here too: {advice}"
    edits = merged(subject, problem.span, known) if with_fix else ()
    fixes = (Fix(f"move its entries to `{known}`", edits),) if edits else ()
    related = (RelatedPlace(other, f"`{shown(subject.text.slice(other))}` stands here"),)
    return Diagnostic(problem.code, problem.severity, message, problem.span, related, fixes)


def _fixes(subject: Subject, problem: Problem, renamed: dict[str, Span]) -> Iterator[Fix]:
    found = subject.nodes.pair(problem.span)
    synonym = problem.data.get("synonym")
    free = found is not None and synonym is not None and subject.nodes.key_of(found[0], synonym) is None
    if synonym is not None and free and renamed[synonym] == problem.span:
        yield Fix(f"rename it to `{synonym}`", (TextEdit(problem.span, synonym),), safe=bool(problem.data["certain"]))
    if problem.data.get("meant") is not None and found is not None and subject.error is None:
        keys = subject.nodes.keys(found[0])
        simple = all(sum(keys[key] for key in keys if key.casefold() == name) < 2 for name in PATTERNS)
        # Another word for their parent is renamed first, so that the key is not made a second time.
        parent = renamed.get("file_patterns")
        simple = simple and (parent is None or _is_read_as_patterns(subject.text.slice(parent)))
        edits = _moved(subject.text, found[0]) if simple else ()
        if edits and _entries(read_yaml(Text(apply_edits(subject.text.content, edits))).rules) == _entries(
            subject.shown
        ):
            yield Fix("move it under `file_patterns`", edits)


def _is_read_as_patterns(key: str) -> bool:
    return meant_key(key, TOP_LEVEL) == "file_patterns"


def _entries(rules: Rules | None) -> list[tuple[str, list[str]]] | None:
    """What the lists of rules hold, or None where the file is not in force: moving a list must change nothing."""
    if rules is None:
        return None
    return [(each.name, [entry.text for entry in each.entries]) for each in rules.lists()]


def _moved(text: Text, root: Mapping) -> tuple[TextEdit, ...]:
    """The edits that move `include` and `exclude`, each there at most once, under `file_patterns`; empty if not simple.

    All of them move at once, so that the fixes of two of them are the same edits.
    """
    if root.flow or indentation(text, root.span.start):
        return ()
    pairs = [(key, value) for key, value in root.pairs if isinstance(key, Scalar)]
    places = [place for place, (key, _) in enumerate(pairs) if key.value.casefold() in PATTERNS]
    # A slip of the key is read as it, and is renamed for itself.
    parents = [place for place, (key, _) in enumerate(pairs) if _is_read_as_patterns(key.value)]
    names = {pairs[place][0].value.casefold() for place in places}
    if len(parents) > 1:
        return ()
    sections = [_Section(key, _pair_lines(text, key, value)) for key, value in (pairs[place] for place in places)]
    if any(_NO_INDENTATION.search(text.slice(each.lines)) for each in sections):
        return ()
    together = places[-1] - places[0] == len(places) - 1
    if not parents:
        return _indented(text, sections, f"file_patterns:{line_break_of(text)}") if together else ()
    key, node = pairs[parents[0]]
    value = resolve(node)
    if isinstance(value, Scalar) and value.is_null and not len(value.token):
        return _indented(text, sections, "") if together and parents[0] == places[0] - 1 else ()
    if not isinstance(value, Mapping) or value.flow or value is not node:
        return ()
    if any(value.get(name) is not None for name in names) or indentation(text, value.span.start) != len(_INDENT):
        return ()
    return _cut_and_pasted(text, sections, whole_lines(text, value.span).end)


@dataclass(frozen=True, slots=True)
class _Section:
    """A key that belongs elsewhere, and its lines with those of its value."""

    key: Scalar
    lines: Span

    @property
    def name(self) -> str:
        return self.key.value.casefold()


def _pair_lines(text: Text, key: Scalar, value: Node) -> Span:
    return whole_lines(text, Span(key.token.start, max(key.token.end, value.token.end)))


def _indented(text: Text, sections: list[_Section], head: str) -> tuple[TextEdit, ...]:
    """Everything from the first to the last section one level deeper, the remarks between them too."""
    edits = [TextEdit(each.key.span, each.name) for each in sections if each.key.value != each.name]
    start = sections[0].lines.start
    for line in split_lines(text.content[start : sections[-1].lines.end]):
        if line.strip():
            edits.append(TextEdit(Span(start, start), head + _INDENT))
            head = ""
        start += len(line)
    return tuple(sorted(edits))


def _cut_and_pasted(text: Text, sections: list[_Section], target: int) -> tuple[TextEdit, ...]:
    """The sections cut out and put in at an offset; none where a remark above one would be left behind."""
    line_break = line_break_of(text)
    moved = "" if text.content[target - 1] in "\r\n" else line_break
    for section in sections:
        start, end = section.lines.start, section.lines.end
        if start and start != target and text.slice(line_at(text, start - 1)).lstrip().startswith("#"):
            return ()
        content = text.content[start : section.key.span.start] + section.name + text.content[section.key.span.end : end]
        content += "" if content[-1] in "\r\n" else line_break
        moved += "".join(_INDENT + line if line.strip() else line for line in split_lines(content))
    return (TextEdit(Span(target, target), moved), *(TextEdit(section.lines, "") for section in sections))


CHECK = Check.documented("unknown-key", "error", _find, __doc__, Stage.SHAPE, "either", kinds=WITH_OBJECTS)
