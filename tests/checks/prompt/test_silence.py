"""A comment in instructions asks for silence, without a word of them being read as Markdown."""

from __future__ import annotations

import pytest

from rules_lsp.checks import Subject, run_checks

IGNORE = "<!-- rules-lsp: ignore[include-in-instructions] Agent Zero only -->"
INCLUDE = '{{ include "head.md" }}'


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        (f"{INCLUDE}\n", ["include-in-instructions"]),
        (f"{IGNORE}\n{INCLUDE}\n", []),
        (f"{IGNORE}\r\n\r\n{INCLUDE}\r\n{INCLUDE}\r\n", ["include-in-instructions"]),
        (f"{INCLUDE} {IGNORE}\n", []),
        (f"`{IGNORE}`\n{INCLUDE}\n", ["include-in-instructions"]),
        (f'{IGNORE}\n{{{{ include "../a" }}}}\n', ["include-escapes"]),
    ],
)
def test_what_is_silent(content: str, codes: list[str]) -> None:
    subject = Subject.of_text("AGENTS.md", content, kind="instructions")
    assert [each.code for each in run_checks(subject)] == codes
