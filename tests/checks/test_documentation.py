"""Every check's documentation: its example raises exactly that code, what to write instead is clean."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp import checks
from rules_lsp.checks import CHECKS, Check, Diagnostic, Documentation, ExampleFile, Subject, run_checks
from rules_lsp.checks.common.documentation import parse_documentation
from rules_lsp.checks.common.fixing import fixed
from rules_lsp.source.edits import apply_edits
from tests.checks.surroundings import surrounded_subject

# The checks whose faults only their author can repair.
WITHOUT_FIX = {
    "alias-bomb",
    "all-tools-denied",
    "builtins-denied",
    "clashing-server-names",
    "condition-expression",
    "dead-exclude",
    "dialect-divergent",
    "duplicate-key",
    "duplicate-section",
    "empty-section",
    "foreign-template-tag",
    "include-escapes",
    "include-in-instructions",
    "incomplete-edit-schema",
    "invalid-expression",
    "invalid-schema",
    "masked-instructions",
    "misnamed-instructions",
    "multiple-documents",
    "nothing-allowed",
    "null-value",
    "relaxed-json",
    "rule-file-editable",
    "section-in-code",
    "server-file",
    "stray-endif",
    "superseded-rule-file",
    "template-else",
    "template-reads-file",
    "template-split-tag",
    "template-syntax",
    "template-unsafe",
    "text-for-switch",
    "unclosed-condition",
    "undefined-name",
    "unedited-template",
    "unknown-filter",
    "unknown-rule-file",
    "unplaced-pattern",
    "unread-rule-file",
    "unreadable-file",
    "unreadable-section-content",
    "unusable-server-name",
    "unused-variable",
}
WHOLE = """Something.

## What it finds
This.

## Why it matters
That.

## Example
```yaml
denied_tools: x
```

```json .mcp.json
{}
```

## Instead
```markdown docs/rules.md
## Denied Tools
```
"""


def found_in(
    files: tuple[ExampleFile, ...], directory: Path, content: str | None = None, *, code: str | None = None
) -> list[Diagnostic]:
    others = {file.name: file.content for file in files[1:]}
    text = files[0].content if content is None else content
    also = frozenset({code}) if code is not None else frozenset()
    if files[0].encoding != "utf-8":
        saved = directory / files[0].name
        saved.write_bytes(text.encode(files[0].encoding))
        return run_checks(Subject.of_file(str(saved)), also=also)
    return run_checks(surrounded_subject(files[0].name, text, others, directory), also=also)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_the_example_raises_the_code_and_no_other(check: Check, tmp_path: Path) -> None:
    found = found_in(check.documentation.example, tmp_path, code=check.code)
    assert {(each.code, each.severity) for each in found} == {(check.code, check.severity)}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_what_to_write_instead_is_clean(check: Check, tmp_path: Path) -> None:
    assert found_in(check.documentation.instead, tmp_path, code=check.code) == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_the_fixes_of_the_example_remove_it(check: Check, tmp_path: Path) -> None:
    files = check.documentation.example

    def diagnose(content: str) -> list[Diagnostic]:
        return found_in(files, tmp_path, content, code=check.code)

    found = diagnose(files[0].content)
    for diagnostic in found:
        for fix in diagnostic.fixes:
            changed = apply_edits(files[0].content, fix.edits)
            assert check.code not in {each.code for each in diagnose(changed)}
    assert (found[0].fixes == ()) == (check.code in WITHOUT_FIX)
    left = diagnose(fixed(files[0].content, diagnose, unsafe=True))
    stays = check.code in WITHOUT_FIX or check.fixes == "widening"
    assert {each.code for each in left} == ({check.code} if stays else set())


def test_each_check_is_one_file_that_bears_its_name() -> None:
    codes = [check.code for check in CHECKS]
    assert len(set(codes)) == len(codes)
    for code in codes:
        assert getattr(checks, code.replace("-", "_")).CHECK in CHECKS


def test_a_docstring_is_read_part_by_part() -> None:
    assert parse_documentation(WHOLE) == Documentation(
        "Something.",
        "This.",
        "That.",
        (
            ExampleFile(".coding-agent-rules.yaml", "yaml", "denied_tools: x\n"),
            ExampleFile(".mcp.json", "json", "{}\n"),
        ),
        (ExampleFile("docs/rules.md", "markdown", "## Denied Tools\n"),),
    )


@pytest.mark.parametrize(
    "broken",
    [
        None,
        "",
        WHOLE.replace("## Why it matters", "## Why"),
        WHOLE.replace("```json .mcp.json", "```json"),
        WHOLE.replace("## Instead", "## Example"),
        WHOLE.removesuffix("```\n"),
        WHOLE.partition("```yaml")[0] + "## Instead\n```yaml\n```\n",
    ],
)
def test_another_form_is_refused(broken: str | None) -> None:
    with pytest.raises(ValueError, match="."):
        parse_documentation(broken)
