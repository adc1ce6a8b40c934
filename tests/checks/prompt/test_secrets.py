"""The secret of an address is in no message, and in no text that is printed."""

from __future__ import annotations

import pytest

from rules_lsp.checks import Subject, run_checks
from rules_lsp.checks.common.hidden_secrets import shown_text

NAME = ".a0proj/project.json"
SECRET = "geheim"


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (f'{{"git_url": "https://{SECRET}@e.org/a"}}', f'{{"git_url": "{"*" * 22}"}}'),
        (f'{{"git_url": "https://me:{SECRET}\\"x@e.org"}}', f'{{"git_url": "{"*" * 26}"}}'),
        (f'{{"git_url": "https://{SECRET}\\u0040e.org"}}', f'{{"git_url": "{"*" * 25}"}}'),
        (f'{{"git_url": "https:\\/\\/{SECRET}@e.org"}}', f'{{"git_url": "{"*" * 22}"}}'),
        (f'{{"git_url": "https://{SECRET}😀@e.org"}}', f'{{"git_url": "{"*" * 14}🔒{"*" * 6}"}}'),
        (f'{{"git_url": "https://{SECRET}@e.org\n}}', f'{{"git_url": "{"*" * 20}\n}}'),
        (f'{{"git_url": https://{SECRET}@e.org', f'{{"git_url": {"*" * 20}'),
        (f'{{"description": "see https://e.org/?token={SECRET}"}}', f'{{"description": "{"*" * 31}"}}'),
        ('{"git_url": "ssh://git@e.org/a", "title": "a@b"}', '{"git_url": "ssh://git@e.org/a", "title": "a@b"}'),
    ],
)
def test_the_text_that_is_shown(content: str, shown: str) -> None:
    subject = Subject.of_text(NAME, content)
    assert shown_text(subject).content == shown
    assert len(shown.encode("utf-16")) == len(content.encode("utf-16"))
    for found in run_checks(subject):
        assert SECRET not in found.message
        assert all(SECRET not in fix.title + edit.replacement for fix in found.fixes for edit in fix.edits)


def test_a_file_of_another_kind_is_shown_as_it_is() -> None:
    subject = Subject.of_text("AGENTS.md", f"https://me:{SECRET}@e.org", kind="instructions")
    assert shown_text(subject) is subject.text
