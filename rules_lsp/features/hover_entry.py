"""An entry of a list for the reader of its document: what it stands for, and what it decides."""

from __future__ import annotations

from rules_lsp.features.glob_words import FormWords, glob_in_words
from rules_lsp.features.hover_files import files_in_markdown
from rules_lsp.features.hover_instructions import chain_of_entry
from rules_lsp.features.hover_tools import tools_in_markdown
from rules_lsp.features.markup import code, sentence
from rules_lsp.features.tool_words import is_literal, tool_in_words
from rules_lsp.features.view import View
from rules_lsp.policy.decide_tool import decide_tool
from rules_lsp.policy.decision import RuleReference
from rules_lsp.policy.entries import DENYING_LISTS, TOOL_LISTS
from rules_lsp.policy.glob import Alternative, AnyDirectories, Glob
from rules_lsp.policy.model import Entry
from rules_lsp.policy.patterns import ReadPattern, never_matches_in, read_pattern
from rules_lsp.policy.patterns.reading import WHOLE_PROJECT
from rules_lsp.policy.resolve import Resolver
from rules_lsp.policy.tools.lists import argument_form, invalid_name

_EFFECTS = {
    "includes": "may be changed, unless an exclude matches",
    "excludes": "may be neither read nor changed",
}


def entry_in_markdown(view: View, entry: Entry, negation: str | None = None) -> str:
    """An entry in Markdown. `negation` says why an entry of an allowing list allows nothing, where it does not."""
    if entry.broken is not None:
        return _broken(entry)
    if negation is not None:
        return f"{code(entry.text)} {sentence(negation)}, so it allows nothing in `{entry.list}`"
    if entry.list in TOOL_LISTS:
        return "\n\n".join([_tool(view, entry), *tools_in_markdown(view, entry)])
    return "\n\n".join([_pattern(view, entry), *files_in_markdown(view, entry), *chain_of_entry(view, entry)])


def _broken(entry: Entry) -> str:
    what = "tool" if entry.list in TOOL_LISTS else "file"
    denies = f"until it is repaired, `{entry.list}` denies every {what}"
    meanwhile = denies if entry.list in DENYING_LISTS else "until it is repaired, it allows nothing"
    return f"**cannot be read**: {sentence(entry.broken or '')}\n\n{meanwhile}"


def _tool(view: View, entry: Entry) -> str:
    denying = entry.list in DENYING_LISTS
    meaning = tool_in_words(entry.text, denying=denying)
    effect = f"in `{entry.list}` it stands for {meaning}"
    name = (argument_form(entry.text) if denying else None) or entry.text
    if not is_literal(name) or invalid_name(name) is not None or (argument_form(name) and not denying):
        return effect if denying else f"{effect}; what a denying entry matches stays denied"
    decision = decide_tool(view.policy, name, None, Resolver(view.policy.root))
    lines = [
        f"**{'allowed' if decision.allowed else 'denied'}**: {sentence(decision.reason)}{_place(view, decision.rule)}"
    ]
    lines += [f"- overrules {_reference(view, rule)}" for rule in decision.overruled]
    return "\n".join(lines) + f"\n\n{effect}"


def _place(view: View, rule: RuleReference | None) -> str:
    return "" if rule is None else f" ({_line(view, rule)})"


def _reference(view: View, rule: RuleReference) -> str:
    pattern = f"{code(rule.pattern)} of " if rule.pattern is not None else ""
    return f"{pattern}`{rule.list}` ({_line(view, rule)})"


def _line(view: View, rule: RuleReference) -> str:
    return f"line {view.subject.text.position(rule.span.start).line + 1}"


def _pattern(view: View, entry: Entry) -> str:
    pattern = read_pattern(entry.text, entry.list)
    paragraphs = [_effect(pattern, entry)]
    never = never_matches_in(pattern, *view.root_paths)
    if never is not None and pattern.effect != "nothing":
        meant = f"; its author means {code(never.rewritten)}" if never.rewritten is not None else ""
        also = " and it denies that as well" if meant and pattern.effect == "excludes" else ""
        paragraphs.append(f"as written it matches no path of the project{meant}{also}")
    if pattern.glob is not None and not _is_whole_project(pattern):
        paragraphs.append(_forms(pattern.glob))
        if pattern.effect == "excludes" and any(_ends_below(form) for form in pattern.glob.alternatives):
            paragraphs.append("an exclude also covers the directory itself")
    return "\n\n".join(part for part in paragraphs if part)


def _effect(pattern: ReadPattern, entry: Entry) -> str:
    if pattern.effect == "nothing":
        return f"`!` has no effect in `{entry.list}`: an exclude only takes files away"
    if _is_whole_project(pattern):
        return f"every file of the project {_EFFECTS[pattern.effect]}"
    negated = " (`!` takes away from what `include` allows)" if pattern.negated else ""
    return f"what {code(pattern.body)} matches {_EFFECTS[pattern.effect]}{negated}"


def _is_whole_project(pattern: ReadPattern) -> bool:
    body = pattern.body.rstrip(" ")
    return body == "**" or (pattern.effect == "excludes" and body in WHOLE_PROJECT)


def _ends_below(form: Alternative) -> bool:
    return len(form.segments) > 1 and isinstance(form.segments[-1], AnyDirectories)


def _forms(glob: Glob) -> str:
    words = glob_in_words(glob)
    if not words.forms:
        return "it matches nothing"
    several = len(words.forms) > 1
    text = "\n\n".join(_form(form, several) for form in words.forms)
    return f"{text}\n\nand {words.left_out} more forms" if words.left_out else text


def _form(form: FormWords, several: bool) -> str:
    head = f"{code(form.text)}: {form.summary}" if several else form.summary
    return "\n".join([head, "", *(f"- {code(part.source)}: {part.words}" for part in form.segments)])
