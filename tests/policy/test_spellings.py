"""Other spellings of a path: what is read beside the path as written, and what leaves the root."""

from __future__ import annotations

import unicodedata

import pytest

from rules_lsp.policy.spellings import spellings


def readings(path: str, *, windows: bool = False) -> list[str]:
    found, escapes = spellings(path, windows=windows)
    assert not escapes
    assert found[0] == path
    assert len(found) == len(set(found))
    return found[1:]


@pytest.mark.parametrize(
    "path", ["", "a", "a/b.py", "a b", "[id]/x", "$id.tsx", "a:b", "a.", "a ", "~", "%", "100%", "%zz", "a+b", "-"]
)
def test_an_ordinary_name_has_one_reading(path: str) -> None:
    assert readings(path) == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("caf\u0065\u0301", ["caf\u00e9"]),
        ("\u3042.md", []),
        ("se\u200bcret", ["secret"]),
        ("se\u202ecret", ["secret"]),
        ("se\ufeffcret", ["secret"]),
        ("se\u00adcret", ["secret"]),
        ("se\u2066cret\u2069", ["secret"]),
        ("se\U000e0063cret", ["secret"]),
        ("e\u200b\u0301", ["\u00e9"]),
        ("%73ecrets", ["secrets"]),
        ("a%2Fb", ["a/b"]),
        ("%2573ecrets", ["%73ecrets"]),
        ("se%E2%80%8Bcret", ["secret"]),
        ("%00a", ["\0a"]),
        ("e%CC%81", ["\u00e9"]),
        ("secrets\\key", ["secrets/key"]),
        ("a%5Cb", ["a\\b", "a/b"]),
        ("%73ecrets/%FF", ["secrets/\ufffd"]),
        ("%73ecrets/%E3%81", ["secrets/\ufffd"]),
        ("\udcff%41", ["\ufffd\ufffd\ufffdA"]),
        ("a/b%2F..%2Fc", ["a/b/../c"]),
    ],
)
def test_readings(path: str, expected: list[str]) -> None:
    assert readings(path) == expected


@pytest.mark.parametrize(
    "path",
    ["%2e%2e/x", "..%2Fx", "a/%2e%2e/%2e%2e/x", "%2Fetc/passwd", "..\\x", "a\\..\\..\\x", "\\etc", "%5Cetc", "..%5Cx",
     "%2e%2e", "a%2F..%2F.."],
)  # fmt: skip
def test_a_reading_that_leaves_the_root_is_told(path: str) -> None:
    assert spellings(path, windows=False)[1]


@pytest.mark.parametrize("path", ["a/%2e%2e/x", "%2e/x", "...%2Fx", "a\\..\\x", "%252e%252e/x", "a%2F%2Fb", "..%c0%af"])
def test_a_reading_that_stays_inside_is_not(path: str) -> None:
    assert not spellings(path, windows=False)[1]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("secret.", ["secret"]),
        ("secret. .", ["secret"]),
        ("secret ", ["secret"]),
        ("a./b", ["a/b"]),
        ("f.txt:stream", ["f.txt"]),
        ("f.txt:a:b", ["f.txt"]),
        ("%73ecret.", ["secret.", "secret"]),
    ],
)
def test_windows_opens_less_than_is_written(path: str, expected: list[str]) -> None:
    found = readings(path, windows=True)
    assert [reading for reading in expected if reading not in found] == []
    assert readings("a.b/c d", windows=True) == []


def test_every_format_character_that_text_direction_needs_is_seen_through() -> None:
    bidirectional = [
        chr(code)
        for code in range(0x110000)
        if unicodedata.bidirectional(chr(code)) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    ]
    assert len(bidirectional) == 9
    for character in [*bidirectional, "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\ufeff", "\u061c"]:
        assert "secret" in spellings(f"sec{character}ret", windows=False)[0]
