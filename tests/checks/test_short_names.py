"""Slips of short names: what is near, and what is not."""

from __future__ import annotations

import pytest

from rules_lsp.checks.common.short_names import ShortNames, ShortSlip, ordinary_extensions, ordinary_names

SWAPPED, CHANGED = True, False


@pytest.mark.parametrize(
    ("word", "name", "certain"),
    [
        ("scr", "src", SWAPPED),
        ("lbi", "lib", SWAPPED),
        ("rsc", "src", SWAPPED),
        (".evn", ".env", SWAPPED),
        ("a.yp", "a.py", SWAPPED),
        ("sre", "src", CHANGED),
        ("sr", "src", CHANGED),
        ("srcc", "src", CHANGED),
        ("a.pyy", "a.py", CHANGED),
        ("scr.py", "src.py", SWAPPED),
    ],
)
def test_a_slip(word: str, name: str, certain: bool) -> None:
    assert ShortNames(["zzz", name, "far.py"]).to(word) == ShortSlip(name, certain)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("lib", "bin"),
        ("lib", "lab"),
        ("app", "api"),
        ("tmp", "tmpl"),
        ("ab", "ac"),
        ("xrc", "src"),
        ("s", "sr"),
        ("v1", "v2"),
        ("1v", "v1"),
        ("a1b", "a2b"),
        ("a.c", "a.h"),
        ("a.js", "a.ts"),
        ("a.pyw", "a.py"),
        ("a.yp", "b.py"),
        ("scr.js", "src.ts"),
        ("src", "src"),
        ("srces", "source"),
        ("verylongx", "verylongy"),
        ("", "a"),
    ],
)
def test_no_slip(word: str, name: str) -> None:
    assert ShortNames([name]).to(word) is None


def test_two_that_are_equally_near_leave_a_doubt() -> None:
    assert ShortNames(["src", "srv"]).to("sre") is None
    assert ShortNames(["src", "sce"]).to("scr") == ShortSlip("src", SWAPPED)
    assert ShortNames([]).to("scr") is None


def test_the_tables_are_folded() -> None:
    assert all(name == name.casefold() for name in (*ordinary_names(), *ordinary_extensions()))
    assert not any(name.startswith(".") for name in ordinary_extensions())
