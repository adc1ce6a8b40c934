from __future__ import annotations

import pytest
import yaml

from rules_lsp.checks.common.quoting import plain_or_quoted, quoted


@pytest.mark.parametrize(
    ("text", "prefer", "written"),
    [
        ("*.py", '"', '"*.py"'),
        ("*.py", "'", "'*.py'"),
        ("it's", "'", '"it\'s"'),
        ('say "a"', '"', "'say \"a\"'"),
        ("a\\b", '"', "'a\\b'"),
        ("a\\b's", '"', "'a\\b''s'"),
        ("\"'", '"', "'\"'''"),
        ("a\nb", "'", '"a\\u000ab"'),
        ("a\\\t", "'", '"a\\\\\\u0009"'),
        ("日本", '"', '"日本"'),
        ("", '"', '""'),
    ],
)
def test_quotes_that_need_no_escape_are_chosen(text: str, prefer: str, written: str) -> None:
    assert quoted(text, prefer) == written
    assert yaml.safe_load(written) == text


@pytest.mark.parametrize(
    ("text", "flow", "written"),
    [
        ("src/**", False, "src/**"),
        ("src/**", True, "src/**"),
        ("a{b,c}", False, "a{b,c}"),
        ("a{b,c}", True, '"a{b,c}"'),
        ("github/get_issue", False, "github/get_issue"),
        ("no", False, '"no"'),
        ("No", False, '"No"'),
        ("not", False, "not"),
        (".5", False, '".5"'),
        ("~", False, '"~"'),
        ("~/x", False, "~/x"),
        ("1.0", False, '"1.0"'),
        ("*", False, '"*"'),
        ("a b", False, '"a b"'),
        ("a:b", False, '"a:b"'),
        ("a#", False, '"a#"'),
        ("- x", False, '"- x"'),
    ],
)
def test_a_text_is_plain_only_where_that_is_plain(text: str, flow: bool, written: str) -> None:
    assert plain_or_quoted(text, flow=flow) == written
    assert yaml.safe_load(f"[{written}]" if flow else f"- {written}") == [text]
