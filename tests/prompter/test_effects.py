from __future__ import annotations

import pytest

from rules_lsp.prompter.effects import holding, strongest


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ((), "allow"),
        (("allow", "advise"), "advise"),
        (("advise", "approval"), "approval"),
        (("approval", "deny"), "deny"),
        (("deny", "stop"), "stop"),
    ],
)
def test_within_a_call_stop_deny_approval_advise_allow(effects: tuple[str, ...], expected: str) -> None:
    assert strongest(effects) == expected
    assert strongest(tuple(reversed(effects))) == expected


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ((), None),
        (("allow", "deny"), None),
        (("deny", "advise"), "advise"),
        (("advise", "approval", "deny"), "approval"),
        (("approval", "stop"), "stop"),
    ],
)
def test_over_a_batch_any_stop_else_any_approval_else_any_advice_holds(
    effects: tuple[str, ...], expected: str | None
) -> None:
    assert holding(effects) == expected
