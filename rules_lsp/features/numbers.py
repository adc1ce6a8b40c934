"""Numbers in sentences: how many of what, and least ones where not everything is known."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"


def amount(number: int, thing: str, *, complete: bool = True) -> str:
    """`12 files`, `1 file`, `1,203 files`; `at least 12 files` where not all are known."""
    counted = f"{number:,} {thing if number == 1 else thing + 's'}"
    return counted if complete else f"at least {counted}"


def out_of(number: int, total: int, thing: str, *, complete: bool = True) -> str:
    """`12 of 1,203 files`."""
    if not complete:
        return amount(number, thing, complete=False)
    return f"{number:,} of {amount(total, thing)}"


def signed(number: int, *, adds: bool) -> str:
    """`+8` or `−3`; `±0` where there is no difference."""
    return f"{'+' if adds else MINUS}{number:,}" if number else "±0"
