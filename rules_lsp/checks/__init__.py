"""The checks: what is wrong in a rule file or a configuration, where, and how to repair it.

`CHECKS` is the one list of them; a check is one file and one line here. `run_checks` runs them on a subject.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator

from rules_lsp.checks import (
    alias_bomb,
    all_tools_denied,
    allowed_and_denied,
    ambiguous_scalar,
    argument_pattern,
    bare_server_allowed,
    builtins_denied,
    bypassing_tool,
    case_mismatch,
    character_class_path,
    comma_in_entry,
    config_value,
    covered_entry,
    covered_pattern,
    dead_exclude,
    dialect_divergent,
    duplicate_entry,
    duplicate_key,
    duplicate_section,
    empty_list,
    empty_section,
    escaped_backslash,
    fullwidth_punctuation,
    invalid_glob,
    malformed_tool_name,
    matches_nothing,
    missing_schema_line,
    missing_space,
    multiple_documents,
    near_miss_heading,
    negated_entry,
    negated_pattern,
    never_matches,
    nothing_allowed,
    null_value,
    partly_unanchored,
    renamed_tool,
    rule_file_editable,
    scalar_for_list,
    secret_exposed,
    section_in_code,
    server_file,
    shadowed_include,
    stray_double_star,
    superseded_rule_file,
    swallowed_comment,
    syntax_error,
    tab_indentation,
    unclosed_fence,
    unknown_key,
    unknown_rule_file,
    unknown_server,
    unknown_tool,
    unplaced_pattern,
    unquoted_entry,
    unquoted_glob,
    unread_rule_file,
    unreadable_file,
    unreadable_section_content,
    unused_ignore,
    wrong_type,
)
from rules_lsp.checks.common.base import MAX_DIAGNOSTICS, Check, Diagnostic, Fix, RelatedPlace, diagnostic_of
from rules_lsp.checks.common.documentation import Documentation, ExampleFile
from rules_lsp.checks.common.kinds import FileKind, kind_of_file
from rules_lsp.checks.common.other_files import subjects_of_project
from rules_lsp.checks.common.precedence import unexplained
from rules_lsp.checks.common.settings import NO_SETTINGS, CheckSettings
from rules_lsp.checks.common.subject import Subject, subjects_in_force
from rules_lsp.checks.common.suppressions import heard, suppressions_of
from rules_lsp.checks.common.unread_ignores import unread_ignores_of
from rules_lsp.checks.prompt import (
    clashing_server_names,
    condition_expression,
    dropped_key,
    foreign_template_tag,
    include_escapes,
    include_in_instructions,
    incomplete_edit_schema,
    invalid_schema,
    masked_instructions,
    misnamed_instructions,
    partial_file_structure,
    relaxed_json,
    secret_in_address,
    spaced_placeholder,
    stray_endif,
    template_else,
    template_reads_file,
    template_split_tag,
    template_syntax,
    template_unsafe,
    text_for_switch,
    unclosed_condition,
    undefined_name,
    undefined_variable,
    unknown_filter,
    unusable_server_name,
    unused_variable,
)
from rules_lsp.checks.prompter import (
    duplicate_id,
    illegal_action,
    illegal_key,
    invalid_expression,
    limit_on_denial,
    missing_companions,
    missing_key,
    never_matching_rule,
    refused_action,
    reserved_category,
    unedited_template,
    unknown_piece,
    unknown_value,
    unlimited_injection,
    unreachable_rule,
)
from rules_lsp.checks.unused_ignore import unread_ignores, unused_ignores
from rules_lsp.source.records import replace

CHECKS: tuple[Check, ...] = (
    superseded_rule_file.CHECK,
    unread_rule_file.CHECK,
    unreadable_file.CHECK,
    rule_file_editable.CHECK,
    server_file.CHECK,
    unknown_rule_file.CHECK,
    config_value.CHECK,
    syntax_error.CHECK,
    unquoted_glob.CHECK,
    tab_indentation.CHECK,
    fullwidth_punctuation.CHECK,
    missing_space.CHECK,
    duplicate_key.CHECK,
    unknown_key.CHECK,
    wrong_type.CHECK,
    scalar_for_list.CHECK,
    ambiguous_scalar.CHECK,
    null_value.CHECK,
    empty_list.CHECK,
    swallowed_comment.CHECK,
    escaped_backslash.CHECK,
    multiple_documents.CHECK,
    alias_bomb.CHECK,
    missing_schema_line.CHECK,
    invalid_glob.CHECK,
    never_matches.CHECK,
    negated_pattern.CHECK,
    matches_nothing.CHECK,
    comma_in_entry.CHECK,
    stray_double_star.CHECK,
    partly_unanchored.CHECK,
    dialect_divergent.CHECK,
    character_class_path.CHECK,
    shadowed_include.CHECK,
    covered_pattern.CHECK,
    dead_exclude.CHECK,
    nothing_allowed.CHECK,
    secret_exposed.CHECK,
    malformed_tool_name.CHECK,
    unknown_server.CHECK,
    unknown_tool.CHECK,
    renamed_tool.CHECK,
    allowed_and_denied.CHECK,
    duplicate_entry.CHECK,
    covered_entry.CHECK,
    case_mismatch.CHECK,
    bypassing_tool.CHECK,
    all_tools_denied.CHECK,
    builtins_denied.CHECK,
    bare_server_allowed.CHECK,
    argument_pattern.CHECK,
    near_miss_heading.CHECK,
    unreadable_section_content.CHECK,
    negated_entry.CHECK,
    unplaced_pattern.CHECK,
    duplicate_section.CHECK,
    empty_section.CHECK,
    unclosed_fence.CHECK,
    section_in_code.CHECK,
    unquoted_entry.CHECK,
    missing_key.CHECK,
    unknown_value.CHECK,
    illegal_action.CHECK,
    illegal_key.CHECK,
    refused_action.CHECK,
    reserved_category.CHECK,
    unlimited_injection.CHECK,
    limit_on_denial.CHECK,
    invalid_expression.CHECK,
    duplicate_id.CHECK,
    unreachable_rule.CHECK,
    never_matching_rule.CHECK,
    missing_companions.CHECK,
    unknown_piece.CHECK,
    unedited_template.CHECK,
    masked_instructions.CHECK,
    misnamed_instructions.CHECK,
    include_in_instructions.CHECK,
    include_escapes.CHECK,
    dropped_key.CHECK,
    partial_file_structure.CHECK,
    text_for_switch.CHECK,
    secret_in_address.CHECK,
    clashing_server_names.CHECK,
    unusable_server_name.CHECK,
    template_else.CHECK,
    undefined_name.CHECK,
    unclosed_condition.CHECK,
    stray_endif.CHECK,
    spaced_placeholder.CHECK,
    foreign_template_tag.CHECK,
    condition_expression.CHECK,
    relaxed_json.CHECK,
    template_syntax.CHECK,
    template_split_tag.CHECK,
    undefined_variable.CHECK,
    unused_variable.CHECK,
    unknown_filter.CHECK,
    template_unsafe.CHECK,
    template_reads_file.CHECK,
    invalid_schema.CHECK,
    incomplete_edit_schema.CHECK,
    unused_ignore.CHECK,
)
STRICT_VARIABLE = "RULES_LSP_STRICT"
_log = logging.getLogger(__name__)


def run_checks(
    subject: Subject,
    checks: tuple[Check, ...] = CHECKS,
    *,
    also: frozenset[str] = frozenset(),
    settings: CheckSettings = NO_SETTINGS,
    most: int | None = MAX_DIAGNOSTICS,
) -> list[Diagnostic]:
    """Everything that is wrong in a subject, in the order of the text, at most `most` findings; None sets no bound.

    `also` are the codes of checks that are not on by default and are to run all the same; `settings` say how grave
    each code is. What a comment of the file asks to ignore is left out. The fault for which the whole file is not
    read is told whatever comments and settings say.
    What reading found and no check speaks of is passed on as it is. A check that fails is logged and the others go
    on; with `RULES_LSP_STRICT=1` in the environment its exception is raised instead.
    """
    found: list[Diagnostic] = []
    error = subject.error
    known = {check.code for check in (*CHECKS, *checks)} | {problem.code for problem in subject.problems}
    silent = {problem.code for problem in subject.problems} - {
        check.code for check in checks if subject.kind in check.kinds
    }
    ran = set(silent)
    for check in checks:
        asked = settings.runs(check) or check.code in also or (error is not None and error.code == check.code)
        if not asked or subject.kind not in check.kinds or not (subject.governs or check.about_the_file):
            continue
        try:
            found += check.find(subject)
            ran.add(check.code)
        except Exception:
            if os.environ.get(STRICT_VARIABLE) == "1":
                raise
            _log.exception("the check %s failed on %s", check.code, subject.name)
            silent.add(check.code)
    found += [diagnostic_of(problem) for problem in subject.problems if problem.code in silent]
    found = unexplained(subject, found, (*CHECKS, *checks))
    found.sort(key=lambda diagnostic: (diagnostic.span, diagnostic.code))
    comments = suppressions_of(subject)
    unread = tuple(unread_ignores_of(subject, [each.span for each in comments]))
    if comments or unread:
        found, used = heard(subject, found, comments)
        if unused_ignore.CODE in ran:
            vain = [
                *unused_ignores(subject, comments, used, ran, known),
                *unread_ignores(subject, unread, found, known),
            ]
            found += heard(subject, vain, comments)[0]
            found.sort(key=lambda diagnostic: (diagnostic.span, diagnostic.code))
    told = (each if subject.is_error(each.code, each.span) else settings.applied(each) for each in found)
    return _capped(list(_with_effect(subject, [each for each in told if each is not None])), most)


def _with_effect(subject: Subject, found: list[Diagnostic]) -> Iterator[Diagnostic]:
    """The fault for which the file is not in force says so, once."""
    error = subject.error
    for diagnostic in found:
        if error is not None and subject.is_error(diagnostic.code, diagnostic.span):
            yield replace(diagnostic, message=f"{diagnostic.message}; {subject.meanwhile}")
            error = None
        else:
            yield diagnostic


def _capped(found: list[Diagnostic], most: int | None) -> list[Diagnostic]:
    if most is None or len(found) <= most:
        return found
    kept, left = found[: most - 1], found[most - 1 :]
    message = f"{len(left):,} further findings from here on are not shown: repair those above first"
    return [*kept, Diagnostic("too-many-findings", "information", message, left[0].span)]


__all__ = [
    "CHECKS",
    "MAX_DIAGNOSTICS",
    "Check",
    "CheckSettings",
    "Diagnostic",
    "Documentation",
    "ExampleFile",
    "FileKind",
    "Fix",
    "RelatedPlace",
    "Subject",
    "kind_of_file",
    "run_checks",
    "subjects_in_force",
    "subjects_of_project",
]
