"""One rule on a page: what it would do, what it is about now, and what it did."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.features.hover_files import first_files
from rules_lsp.features.markup import code, sentence
from rules_lsp.features.neighbours import Outside
from rules_lsp.features.numbers import amount, out_of
from rules_lsp.features.prompter.documentation import tools_in_words
from rules_lsp.features.prompter.matching import files_of, known_tools, tools_of
from rules_lsp.features.prompter.words import expression_in_words, limit_in_words, moment, would_do
from rules_lsp.features.view import View
from rules_lsp.prompter.activity import NO_ACTIVITY, Activity, rule_activity
from rules_lsp.prompter.model import Rule
from rules_lsp.prompter.reading import PrompterRules


def rule_in_markdown(view: View, rule: Rule, outside: Outside) -> str:
    """The page of a rule."""
    parts = [f"**{sentence(rule.name)}** {code(rule.id)}", sentence(_state(view, rule) + would_do(rule))]
    parts += [] if rule.broken is not None else list(_about(view, rule))
    limit = limit_in_words(rule)
    parts += [limit] if limit is not None else []
    parts.append(_counters(rule, activity_of(view, outside, rule.id)))
    return "\n\n".join(parts)


def activity_of(view: View, outside: Outside, rule_id: str) -> Activity | None:
    """What the store knows of a rule; None where no store is looked at."""
    if not outside.available or outside.store is None:
        return None
    return rule_activity(view.saved.root.real, outside.store).get(rule_id, NO_ACTIVITY)


def _state(view: View, rule: Rule) -> str:
    neighbour = view.subject.neighbour
    if isinstance(neighbour, PrompterRules) and not neighbour.rules.enabled:
        return "off with the switch of the file; on, "
    return "" if rule.enabled else "off; on, "


def _about(view: View, rule: Rule) -> Iterator[str]:
    tools = tools_of(view, rule)
    if tools is not None:
        yield tools_in_words(tools, len(known_tools(view)))
    command = rule.condition.get("command") or {}
    if "kinds" in command:
        yield f"of these only command lines that are one of {', '.join(code(each) for each in command['kinds'])}"
    if "matches" in command:
        yield expression_in_words(command["matches"])
    patterns = tuple(rule.condition.get("files") or ())
    if patterns:
        files = files_of(view, patterns)
        counts = view.file_counts
        yield f"only calls that touch {', '.join(code(each) for each in patterns)}"
        if files is not None and counts is not None:
            told = f"which cover **{out_of(len(files), counts.total, 'file', complete=counts.complete)}** now"
            yield f"{told}\n\n{first_files(view, files)}" if files else told


def _counters(rule: Rule, activity: Activity | None) -> str:
    version = f"version {code(rule.version)}"
    if activity is None:
        return version
    per = str(rule.limit.get("per", "task"))
    if activity.last_fired is None:
        told = "it has not fired yet"
    else:
        fires = amount(activity.fires(per), "time")
        told = f"it fired {fires} in the last {per}, {amount(activity.total, 'time')} in all, last at "
        told += moment(activity.last_fired)
    waits = f"; {amount(activity.pending, 'approval')} waiting" if activity.pending else ""
    return f"{version}; {told}{waits}"
