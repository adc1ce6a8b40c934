"""What is promised of Auto Prompter, statement by statement, and the test that holds each."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from tests.prompter.support import ROOT
from tests.prompter.vectors import VECTORS

_VECTOR = "tests/prompter/test_vectors.py::test_a_vector_through_python"
_READING = "tests/prompter/test_reading.py"
_STORE = "tests/prompter/test_store.py"
_AUDIT = "tests/prompter/test_audit.py"
_OFF = "tests/prompter/test_off.py"
_CONDITIONS = "tests/prompter/test_conditions.py"
_KINDS = "tests/policy/shell/test_kinds.py"
_CASES = "tests/checks/test_cases.py::test_what_is_wanted_is_found_and_nothing_else"
_E2E = "tests/e2e/test_auto_prompter.py"
_GATE = "tests/e2e/test_gate.py"
_HOVER = "tests/features/prompter/test_hover.py"
_LENSES = "tests/features/prompter/test_lenses.py"
_COMPLETION = "tests/features/prompter/test_completion.py"

STATEMENTS: dict[str, tuple[str, ...]] = {
    # The file
    "the engine knows nothing of it": (
        "tests/test_architecture.py::test_imports_go_down_only",
        "tests/test_architecture.py::test_the_engine_starts_without_auto_prompter",
    ),
    "people read of Auto Prompter and rules, never of hooks": (
        f"{_CONDITIONS}::test_people_read_auto_prompter_or_rules_and_never_of_hooks",
    ),
    "a call that the project's rules deny stays denied": (f"{_VECTOR}[spec-denies]",),
    "every key of the format is read, and by the schema too": (
        f"{_READING}::test_everything_at_once",
        "tests/test_schemas.py::test_what_the_reader_of_auto_prompter_lists_is_what_its_schema_says",
    ),
    "rules keep their settings while the switch is off": (
        "tests/cli/test_prompter.py::test_status_of_a_file_that_is_off_or_cannot_be_read",
    ),
    "an id is unique, of small letters, digits and hyphens": (
        f"{_READING}::test_an_id_has_small_letters_digits_and_hyphens",
        f"{_READING}::test_an_id_stands_once",
    ),
    "without a target every tool is meant, else the union of categories and tools": (f"{_VECTOR}[tools]",),
    "all given parts of a condition must hold": (f"{_VECTOR}[pieces-and-movements]",),
    "condition: kinds of commands": (f"{_VECTOR}[approve-deleting]",),
    "condition: an expression over the command line": (f"{_VECTOR}[matches]",),
    "condition: files that the call touches, in command lines too": (f"{_VECTOR}[files]",),
    "condition: pieces and movements": (f"{_VECTOR}[pieces-and-movements]",),
    "condition: external": (f"{_VECTOR}[external]",),
    "condition: share of a language, code left out": (f"{_VECTOR}[language]",),
    "condition: no approval of this fingerprint was used yet": (
        f"{_CONDITIONS}::test_approved_false_holds_until_an_approval_of_this_very_call_was_used",
        f"{_CONDITIONS}::test_approved_true_holds_where_an_approval_was_used",
    ),
    "condition: roles that the caller states": (f"{_VECTOR}[roles]",),
    "condition: how often the rule matched in this task": (f"{_VECTOR}[fired]",),
    "each moment takes its own actions": (
        f"{_READING}::test_a_rule_that_is_refused",
        f"{_READING}::test_the_schema_refuses_it_too",
        f"{_CASES}[prompter_moments]",
    ),
    "always: instructions join the preamble in the order of the file": (
        f"{_READING}::test_the_preamble_joins_instructions_in_the_order_of_the_file",
    ),
    "moments that are only observed take no rule": (f"{_READING}::test_a_rule_that_is_refused",),
    "a tool may have several categories; an MCP tool that none claims communicates outside": (
        f"{_VECTOR}[categories]",
    ),
    "reserved categories are refused when written, and deny": (
        f"{_READING}::test_a_rule_that_is_refused",
        f"{_VECTOR}[reserved-category]",
    ),
    "what needs rights that no file shows is refused with the reason": (
        f"{_READING}::test_a_rule_that_is_refused",
        f"{_CASES}[prompter_refused]",
    ),
    "a condition in words is heard from a judge and changes nothing": (
        f"{_VECTOR}[shadow]",
        f"{_AUDIT}::test_a_judge_is_heard_and_changes_nothing",
    ),
    "advice before tools needs a limit": (f"{_READING}::test_a_rule_that_is_refused", f"{_CASES}[prompter_limits]"),
    "a spent limit or a cooldown silences advice": (f"{_VECTOR}[limit-silences-advice]", f"{_VECTOR}[cooldown]"),
    "a limit per movement starts anew with the next": (f"{_VECTOR}[per-movement]",),
    "a denial has no limit": (f"{_READING}::test_a_rule_that_is_refused", f"{_CASES}[prompter_limits]"),
    "an approval whose limit is spent is denied": (f"{_VECTOR}[spent-approval-denies]",),
    "what is dangerous is a table, which a project adds to": (
        f"{_KINDS}::test_every_row_of_the_table_says_why",
        f"{_VECTOR}[dangerous-of-the-project]",
    ),
    "an unknown program is not dangerous by its name": (f"{_KINDS}::test_the_kinds_of_a_command",),
    "a command line that is not understood has every kind": (
        f"{_KINDS}::test_the_kinds_of_a_command",
        f"{_KINDS}::test_a_line_too_long_or_too_deep_is_of_every_kind",
    ),
    "at least 120 commands have the right kinds": (f"{_KINDS}::test_the_table_is_long_and_says_each_line_once",),
    # Decisions
    "within a call stop, deny, approval, advice, allow": (
        "tests/prompter/test_effects.py::test_within_a_call_stop_deny_approval_advise_allow",
        f"{_VECTOR}[deny-over-approval-over-advice]",
    ),
    "over a batch any stop, approval or advice holds all of it": (
        "tests/prompter/test_effects.py::test_over_a_batch_any_stop_else_any_approval_else_any_advice_holds",
        f"{_VECTOR}[approve-deleting]",
    ),
    "instructions are one message, denied calls keep their reason": (
        f"{_VECTOR}[deny-keeps-its-reason-in-a-held-batch]",
    ),
    "where there are denials only, the others run": (f"{_VECTOR}[deny-alone]",),
    "audit_only changes nothing": (f"{_VECTOR}[audit-changes-nothing]",),
    "a completion is asked about only where it could end": (f"{_VECTOR}[language]",),
    "a completion that is refused gives each control call an error": (
        f"{_VECTOR}[completion-advice]",
        "tests/prompter/test_hostile.py::test_every_control_call_of_a_completion_that_is_not_judged_has_a_result",
    ),
    "a delegate never waits alone": (f"{_VECTOR}[delegate]",),
    "what cannot be read or judged denies what it might hold back": (
        f"{_VECTOR}[broken-rule]",
        f"{_VECTOR}[unreadable-file]",
        f"{_VECTOR}[unknown-key-of-the-file]",
        "tests/prompter/test_hostile.py::test_a_call_that_makes_no_sense_is_denied",
    ),
    "the same vectors through all four fronts": (
        _VECTOR,
        "tests/prompter/test_vectors.py::test_a_vector_through_the_language_server",
        "tests/cli/test_prompter.py::test_a_vector_through_the_command",
        "tests/agents/test_mcp_gate.py::test_a_vector_through_mcp",
    ),
    # State
    "a job that is claimed again gets its snapshot; edits are for the next": (
        f"{_STORE}::test_a_job_that_is_claimed_again_after_an_edit_gets_the_old_snapshot",
        f"{_STORE}::test_a_process_that_did_not_claim_a_job_finds_its_snapshot",
    ),
    "counters survive a restart, for all jobs of a task": (
        f"{_STORE}::test_counters_survive_a_restart_and_are_shared_by_the_jobs_of_a_task",
    ),
    "repeat after denial": (f"{_STORE}::test_repeat_after_denial",),
    "the fingerprint is of task, piece, movement, rule, version, tool and canonical arguments, not of the job": (
        f"{_STORE}::test_another_call_another_version_or_a_retry_needs_a_new_approval",
        f"{_STORE}::test_another_job_of_the_task_may_use_the_approval",
        f"{_CONDITIONS}::test_arguments_are_the_same_whatever_the_order_of_their_keys",
    ),
    "an approval is spent once, by one of all who race": (
        f"{_STORE}::test_of_sixteen_racing_consumers_exactly_one_wins",
        f"{_STORE}::test_an_approval_is_spent_with_all_three_marks_only",
    ),
    "a retry needs a new approval": (f"{_CONDITIONS}::test_without_it_each_run_needs_an_approval_of_its_own",),
    "approvals expire": (f"{_STORE}::test_an_approval_expires",),
    "a process that is killed leaves what was there before": (
        f"{_STORE}::test_a_process_that_is_killed_in_the_middle_leaves_what_was_there_before",
    ),
    "what waits is resumed in another process": (f"{_STORE}::test_a_waiting_approval_is_resumed_by_another_process",),
    "an older store is migrated, a newer one refused": (
        f"{_STORE}::test_an_older_store_is_brought_up_to_date_and_a_newer_one_is_refused",
    ),
    "nothing of the state is in the project": (
        f"{_STORE}::test_the_store_is_its_owners_alone_and_nothing_is_in_the_workspace",
    ),
    "an event has allowed fields only, and a deterministic id of which the first counts": (
        f"{_AUDIT}::test_what_an_event_holds",
        f"{_AUDIT}::test_a_retry_has_the_same_event_id_and_readers_keep_the_first",
    ),
    "live listeners hear an event once, from a queue of 1,024 for each job": (
        f"{_AUDIT}::test_the_queue_of_seen_events_is_bounded_and_dropped_when_a_job_is_done",
        f"{_AUDIT}::test_a_notice_has_these_fields_and_comes_once",
    ),
    "an event that was not written is not taken for seen": (
        f"{_AUDIT}::test_a_failing_audit_says_so_and_lets_the_call_go_on",
    ),
    "secrets are masked in every place of the arguments": (
        "tests/prompter/test_masking.py::test_no_audit_no_notice_no_summary_and_no_row_holds_a_secret",
        "tests/prompter/test_masking.py::test_a_token_is_masked_in_arguments_of_any_shape",
    ),
    "no conversation, no raw arguments, nothing of a person": (
        f"{_CONDITIONS}::test_the_audit_tells_nothing_of_the_person_and_nothing_that_was_said",
    ),
    "the retention is applied": (
        f"{_AUDIT}::test_the_retention_drops_whole_days",
        "tests/prompter/test_following.py::test_the_retention_of_the_operator_is_applied_by_the_gate",
    ),
    "only the operator sets the retention": (f"{_CONDITIONS}::test_the_file_cannot_set_what_is_the_operators",),
    "the audit is followed across days": (
        "tests/prompter/test_following.py::test_the_command_tells_each_event_as_it_comes_and_ends_cleanly",
    ),
    "a failing store closes controls; a failing audit opens and says so": (
        f"{_STORE}::test_a_store_that_fails_closes_the_controls_and_opens_the_rest",
        f"{_STORE}::test_a_claim_without_a_store_lets_nothing_run",
        f"{_AUDIT}::test_a_failing_audit_says_so_and_lets_the_call_go_on",
    ),
    "a change of the switch or of a rule is recorded: who, and ids only, also while off": (
        "tests/prompter/test_authoring.py::test_the_record_has_ids_and_a_name_and_nothing_else",
        f"{_E2E}::test_saves_are_recorded_by_name_and_ids",
    ),
    "off gives back the very objects and opens nothing": (
        f"{_OFF}::test_off_returns_the_same_objects_and_opens_nothing",
        f"{_OFF}::test_a_claim_while_the_switch_is_off_reads_no_rule_and_opens_no_database",
        f"{_GATE}::test_not_available_gives_back_what_was_given_and_opens_nothing",
    ),
    "what is no plain false is not off": (f"{_OFF}::test_what_is_no_plain_false_does_not_switch_off",),
    "not available hides commands, lenses and completion, and leaves diagnostics": (
        f"{_E2E}::test_where_the_feature_is_taken_away_only_what_reads_stays",
    ),
    "what it costs, on and off, is measured": ("tests/test_benches.py::test_prompter",),
    # What people see
    "everyone sees the switch and all rules": (
        "tests/cli/test_prompter.py::test_status_shows_the_switch_and_every_rule",
    ),
    "a notice has these fields": (f"{_AUDIT}::test_a_notice_has_these_fields_and_comes_once",),
    "audit_only is in the audit and in no notice": (
        f"{_AUDIT}::test_audit_only_is_in_the_audit_and_in_no_notice",
        f"{_GATE}::test_an_audit_only_rule_gives_no_notice",
    ),
    "the number of active rules is told when a job begins": (
        f"{_STORE}::test_a_job_that_is_claimed_again_after_an_edit_gets_the_old_snapshot",
    ),
    "the file's hover says whom its rules bind": (f"{_HOVER}::test_the_first_line_tells_of_the_file",),
    "an approval is asked of the editor's user; no client and no answer deny": (
        f"{_GATE}::test_an_approved_call_runs_once",
        f"{_GATE}::test_anything_but_approve_once_denies",
        f"{_GATE}::test_a_client_that_cannot_ask_denies",
        f"{_GATE}::test_no_answer_in_time_denies_and_a_late_one_is_not_heeded",
        "tests/editors/vscode/test_approvals.py::test_an_agent_waits_for_the_person_and_what_it_did_is_listed",
        "tests/editors/test_neovim_plugin.py::test_an_agent_waits_for_the_user_and_what_it_did_is_listed",
    ),
    "an agent cannot approve where it asks": (
        "tests/agents/test_mcp_gate.py::test_an_agent_cannot_approve_through_the_server_that_it_asks",
    ),
    "notices reach the editor once": (f"{_GATE}::test_each_notice_comes_once_and_has_its_shape",),
    "a lens shows state, fires and limit": (
        f"{_LENSES}::test_the_switch_and_each_rule",
        f"{_LENSES}::test_what_a_rule_did",
    ),
    "hover shows what a rule matches and did": (
        f"{_HOVER}::test_what_stands_there",
        f"{_HOVER}::test_what_a_rule_did_is_told_from_the_store",
    ),
    "nine templates, each valid as inserted": (
        "tests/prompter/test_templates.py::test_there_are_the_nine",
        "tests/prompter/test_templates.py::test_each_is_a_rule_as_it_is_inserted",
        f"{_COMPLETION}::test_every_template_is_valid_as_inserted",
    ),
    "a template left unedited is told": (f"{_CASES}[prompter_template]",),
    "a rule that another always covers is told, where that is proved": (
        f"{_CASES}[prompter_unreachable]",
        "tests/checks/prompter/test_cover.py::test_no_call_shows_the_contrary",
    ),
    "a rule about writing without companions is told": (f"{_CASES}[prompter_companions]",),
    "unknown tools, pieces and keys are told": (
        f"{_CASES}[prompter_tools]",
        f"{_CASES}[prompter_pieces]",
        f"{_CASES}[prompter_slips]",
    ),
    "an expression that is not linear is told": (f"{_READING}::test_a_rule_that_is_refused",),
    "status, gate, approvals and audit on the command line": (
        "tests/cli/test_prompter.py::test_status_shows_the_switch_and_every_rule",
        "tests/cli/test_prompter.py::test_an_approval_is_listed_and_decided_once",
        "tests/cli/test_prompter.py::test_the_audit_for_people_and_for_programs",
    ),
    "the worked example": ("tests/prompter/test_example.py::test_the_loop_prints_what_the_readme_shows",),
}


@cache
def names_of(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in tree.body if isinstance(node, functions) and node.name.startswith("test_"))


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_has_its_tests(statement: str) -> None:
    assert STATEMENTS[statement]
    for test in STATEMENTS[statement]:
        path, _, name = test.partition("::")
        function, _, row = name.removesuffix("]").partition("[")
        assert function in names_of(path), test
        if row and path == "tests/checks/test_cases.py":
            assert (ROOT / "tests" / "cases" / f"{row}.case").is_file(), test
        elif row:
            assert row in {vector["id"] for vector in VECTORS}, test


def test_every_vector_holds_a_statement() -> None:
    held = {test.partition("[")[2].removesuffix("]") for tests in STATEMENTS.values() for test in tests if "[" in test}
    # What is not claimed may do nothing, and a broken rule that is off holds nothing back.
    assert {vector["id"] for vector in VECTORS} - held == {"not-claimed", "broken-rule-that-is-off"}
