from __future__ import annotations

import time

from rules_lsp.checks import Diagnostic, Fix
from rules_lsp.checks.common.fixing import MAX_ROUNDS, MAX_WORK, Repair, compatible_edits, fixed, repaired
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.text import Position, Span


def edit(start: int, end: int, text: str) -> TextEdit:
    return TextEdit(Span(start, end), text)


def diagnostic(*fixes: Fix) -> Diagnostic:
    return Diagnostic("x", "error", "x", Span(0, 1), (), fixes)


def test_of_two_fixes_that_touch_the_first_is_taken_whole() -> None:
    first = Fix("a", (edit(0, 2, "x"), edit(5, 6, "y")))
    second = Fix("b", (edit(3, 4, "z"), edit(1, 3, "q")))
    third = Fix("c", (edit(6, 7, "r"),))
    assert compatible_edits([first, second, third]) == [edit(0, 2, "x"), edit(5, 6, "y"), edit(6, 7, "r")]


def test_two_insertions_in_one_place_are_not_both_made() -> None:
    assert compatible_edits([Fix("a", (edit(1, 1, "x"),)), Fix("b", (edit(1, 1, "y"),))]) == [edit(1, 1, "x")]


def test_the_same_edits_are_made_once() -> None:
    fix = Fix("a", (edit(0, 0, "x"),))
    assert compatible_edits([fix, fix]) == [edit(0, 0, "x")]


def test_edits_that_only_meet_are_both_made_and_one_inside_another_is_not() -> None:
    around = Fix("a", (edit(4, 8, "x"),))
    beside = [Fix("b", (edit(2, 4, "y"),)), Fix("c", (edit(8, 8, "z"),)), Fix("d", (edit(4, 4, "w"),))]
    touching = [Fix("e", (edit(5, 5, "v"),)), Fix("f", (edit(0, 3, "u"),)), Fix("g", (edit(4, 8, "t"),))]
    taken = [edit(4, 8, "x"), edit(2, 4, "y"), edit(8, 8, "z"), edit(4, 4, "w")]
    assert compatible_edits([around, *beside, *touching]) == taken


def test_many_fixes_take_no_longer_each_than_few() -> None:
    fixes = [Fix("a", (edit(2 * at, 2 * at + 1, "x"),)) for at in range(20_000)]
    before = time.process_time()
    assert len(compatible_edits(fixes)) == 20_000
    assert time.process_time() - before < 5


def test_edits_that_many_share_are_looked_at_once() -> None:
    shared = Fix("a", tuple(edit(2 * at, 2 * at + 1, "x") for at in range(3_000)))
    before = time.process_time()
    assert len(compatible_edits([shared] * 3_000)) == 3_000
    assert time.process_time() - before < 1


def test_only_safe_fixes_are_applied_unless_all_are_asked_for() -> None:
    def diagnose(content: str) -> list[Diagnostic]:
        unsafe = Fix("b", (edit(0, 1, "B"),), safe=False)
        return [diagnostic(unsafe, Fix("c", (edit(0, 1, "C"),)))] if content == "a" else []

    assert fixed("a", diagnose) == "C"
    assert fixed("a", diagnose, unsafe=True) == "B"


def test_fixing_goes_on_until_nothing_changes() -> None:
    def diagnose(content: str) -> list[Diagnostic]:
        return [diagnostic(Fix("a", (edit(0, 1, ""),)))] if len(content) > 2 else []

    assert fixed("abcde", diagnose) == "de"


def test_fixing_ends_where_it_would_go_round() -> None:
    rounds: list[str] = []

    def diagnose(content: str) -> list[Diagnostic]:
        rounds.append(content)
        return [diagnostic(Fix("a", (edit(0, 1, "b" if content == "a" else "a"),)))]

    assert fixed("a", diagnose) == "b"
    assert rounds == ["a", "b"]


def test_fixing_ends_after_a_number_of_rounds() -> None:
    assert fixed("", lambda content: [diagnostic(Fix("a", (edit(0, 0, "x"),)))]) == "x" * MAX_ROUNDS


def test_fixing_ends_after_an_amount_of_work() -> None:
    long = "x" * (MAX_WORK // 3)
    assert fixed(long, lambda content: [diagnostic(Fix("a", (edit(0, 0, "y"),)))]) == "yy" + long


def test_what_was_made_is_told_with_its_place_in_the_text_of_its_round() -> None:
    made = Fix("a", (edit(2, 3, "\nx"),))
    again = Fix("b", (edit(3, 4, ""),))
    touching = Fix("c", (edit(2, 4, ""),))

    def diagnose(content: str) -> list[Diagnostic]:
        first = Diagnostic("one", "error", "x", Span(2, 3), (), (made,))
        other = Diagnostic("two", "error", "x", Span(2, 4), (), (touching,))
        second = Diagnostic("three", "error", "x", Span(3, 4), (), (again,))
        return {"a\nbc": [first, other], "a\n\nxc": [second]}.get(content, [])

    assert repaired("a\nbc", diagnose) == (
        "a\n\nc",
        [Repair("one", made, Position(1, 0)), Repair("three", again, Position(2, 0))],
    )
