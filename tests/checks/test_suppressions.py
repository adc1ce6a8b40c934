"""Comments that ask for silence: what they cover, what they cannot hide, how they are written."""

from __future__ import annotations

import pytest

from rules_lsp.checks import CheckSettings, Diagnostic, Subject, run_checks
from rules_lsp.checks.common.fixing import fixed
from rules_lsp.checks.common.suppressing import suppression_fix
from rules_lsp.checks.common.suppressions import suppressions_of
from rules_lsp.source.edits import apply_edits

YAML, MARKDOWN = ".coding-agent-rules.yaml", ".coding-agent-rules.md"


def found(content: str, name: str = YAML) -> list[tuple[str, str]]:
    diagnostics = run_checks(Subject.of_text(name, content))
    return [(each.code, content[each.span.start : each.span.end]) for each in diagnostics]


@pytest.mark.parametrize(
    "content",
    [
        "# rules-lsp: ignore[unknown-key] on purpose\ndeny_tools: [Bash]\n",
        "deny_tools: [Bash] # rules-lsp: ignore[unknown-key]\n",
        "#rules-lsp:ignore[unknown-key]\ndeny_tools: [Bash]\n",
        "\ufeff# rules-lsp: ignore[unknown-key]\r\ndeny_tools: [Bash]\r\n",
        "# rules-lsp: ignore[null-value, unknown-key,empty-list]\nallow_tools: []\nx-a: 1\n",
        "# rules-lsp: ignore[unknown-key]\n# rules-lsp: ignore[empty-list]\nallow_tools: []\n",
    ],
)
def test_a_comment_hides_what_it_names_on_its_line_and_the_next(content: str) -> None:
    left = [(code, text) for code, text in found(content) if code != "unused-ignore"]
    assert left == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("# rules-lsp: ignore[unknown-key]\n\ndeny_tools: [Bash]\n", ["unused-ignore", "unknown-key"]),
        ("x-a: 1 # rules-lsp: ignore[unknown-key]\ndeny_tools: [Bash]\n", ["unused-ignore", "unknown-key"]),
        ("deny_tools: [Bash]\n# rules-lsp: ignore[unknown-key]\n", ["unknown-key", "unused-ignore"]),
        ("# rules-lsp: ignore[null-value]\ndeny_tools: [Bash]\n", ["unused-ignore", "unknown-key"]),
        ("# rules-lsp: ignore unknown-key\ndeny_tools: [Bash]\n", ["unused-ignore", "unknown-key"]),
        ("# rules-lsp ignores unknown-key\ndeny_tools: [Bash]\n", ["unknown-key"]),
        ('x-a: "# rules-lsp: ignore[unknown-key]"\ndeny_tools: [Bash]\n', ["unknown-key"]),
        ("x-a: |\n  # rules-lsp: ignore[unknown-key]\ndeny_tools: [Bash]\n", ["unknown-key"]),
    ],
)
def test_a_comment_hides_nothing_else(content: str, expected: list[str]) -> None:
    assert [code for code, _ in found(content)] == expected


@pytest.mark.parametrize(
    "content",
    [
        "## Allowed Tools <!-- rules-lsp: ignore[empty-section] nothing may run -->\n",
        "<!-- rules-lsp: ignore[empty-section] -->\n## Allowed Tools\n",
        "<!-- rules-lsp: ignore[empty-section] -->\n\n## Allowed Tools\n",
        "<!-- rules-lsp: ignore[empty-section]\nnothing may run -->\n## Allowed Tools\n",
        "## Allowed Tools\n- `Read`\n- ~~`Edit`~~ <!-- rules-lsp: ignore[negated-entry] -->\n",
        "## File Patterns\n\n| a |\n|---|\n| `x` <!-- rules-lsp: ignore[unplaced-pattern] --> |\n",
        "<!-- rules-lsp: ignore[section-in-code] shown -->\n```markdown\nx\n\n## Denied Tools\n- `a`\n```\n",
        "<!-- rules-lsp: ignore[section-in-code] -->\n<!--\n## Denied Tools\n- `a`\n-->\n",
        "## Denied Tools\n```yaml\n- x\n# rules-lsp: ignore[malformed-tool-name]\n- c d\n```\n",
    ],
)
def test_a_comment_in_markdown_hides_too(content: str) -> None:
    assert found(content, MARKDOWN) == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("`<!-- rules-lsp: ignore[empty-section] -->`\n## Allowed Tools\n", ["empty-section"]),
        ("```text\n<!-- rules-lsp: ignore[empty-section] -->\n```\n## Allowed Tools\n", ["empty-section"]),
        ("# rules-lsp: ignore[empty-section]\n## Allowed Tools\n", ["empty-section"]),
        ("<!-- rules-lsp: ignore[empty-section] -->\nx\n## Allowed Tools\n", ["unused-ignore", "empty-section"]),
        ("<!-- rules-lsp: ignore[empty-section]\n## Allowed Tools\n", []),
    ],
)
def test_what_is_shown_in_markdown_is_no_comment(content: str, expected: list[str]) -> None:
    assert [code for code, _ in found(content, MARKDOWN)] == expected


def test_what_makes_the_file_unread_is_never_hidden() -> None:
    content = "# rules-lsp: ignore[syntax-error, unknown-key]\ndeny_tools: [\n"
    diagnostics = run_checks(
        Subject.of_text(YAML, content), settings=CheckSettings({"syntax-error": "off", "unused-ignore": "error"})
    )
    assert [(each.code, each.severity) for each in diagnostics] == [
        ("unused-ignore", "error"),
        ("syntax-error", "error"),
    ]
    assert diagnostics[0].message == "`syntax-error` is why the file is not read, and cannot be ignored: repair it"


def test_unknown_and_unused_codes_are_told_and_repaired() -> None:
    content = (
        "# rules-lsp: ignore[unknwon-key] x\ndeny_tools: [a/b]\n"
        "x-a: 1 # rules-lsp: ignore[null-value, nonsense]\n"
        "# rules-lsp: ignore[]\n"
        "# rules-lsp: ignore[unknown-tool, unused-ignore] another machine may know\n"
        "x-b: 1\n"
    )
    assert found(content) == [
        ("unused-ignore", "unknwon-key"),
        ("unknown-key", "deny_tools"),
        ("unused-ignore", "null-value"),
        ("unused-ignore", "nonsense"),
        ("unused-ignore", "# rules-lsp: ignore[]"),
    ]

    def diagnose(text: str) -> list[Diagnostic]:
        return run_checks(Subject.of_text(YAML, text))

    assert fixed(content, diagnose) == (
        "# rules-lsp: ignore[unknwon-key] x\ndenied_tools: [a/b]\nx-a: 1\n"
        "# rules-lsp: ignore[unknown-tool, unused-ignore] another machine may know\nx-b: 1\n"
    )
    assert fixed(content.replace("deny_tools", "dny_tls"), diagnose, unsafe=True).startswith(
        "# rules-lsp: ignore[unknown-key] x\n"
    )


def test_a_check_that_did_not_run_has_no_unused_comment() -> None:
    content = "x-a: 1 # rules-lsp: ignore[null-value]\n"
    subject = Subject.of_text(YAML, content)
    assert [each.code for each in run_checks(subject)] == ["unused-ignore"]
    assert run_checks(subject, settings=CheckSettings({"null-value": "off"})) == []
    assert found("x-a: 1 # rules-lsp: ignore[missing-schema-line]\n") == []


@pytest.mark.parametrize(
    ("content", "code", "expected"),
    [
        (
            "denied_tools:\r\n  - Bash\r\n  - Bash\r\n",
            "duplicate-entry",
            "denied_tools:\r\n  - Bash\r\n  # rules-lsp: ignore[duplicate-entry] on purpose\r\n  - Bash\r\n",
        ),
        (
            "\ufeffdeny_tools: [a/b]\n",
            "unknown-key",
            "\ufeff# rules-lsp: ignore[unknown-key] on purpose\ndeny_tools: [a/b]\n",
        ),
        (
            "# rules-lsp: ignore[empty-list] why\nallow_tools: []\n",
            "unknown-key",
            "# rules-lsp: ignore[empty-list, unknown-key] why\nallow_tools: []\n",
        ),
        (
            "allowed_tools: [] # rules-lsp: ignore[]\n",
            "empty-list",
            "allowed_tools: [] # rules-lsp: ignore[empty-list]\n",
        ),
    ],
)
def test_a_comment_is_written_in_yaml(content: str, code: str, expected: str) -> None:
    assert written(content, code, YAML) == expected


@pytest.mark.parametrize(
    ("content", "code", "expected"),
    [
        (
            "# A\n## Allowed Tools ##\n",
            "empty-section",
            "# A\n<!-- rules-lsp: ignore[empty-section] on purpose -->\n## Allowed Tools ##\n",
        ),
        (
            "## Allowed Tools\n- `Read`\n- ~~`Edit`~~  \n  old\n",
            "negated-entry",
            "## Allowed Tools\n- `Read`\n- ~~`Edit`~~ <!-- rules-lsp: ignore[negated-entry] on purpose -->  \n  old\n",
        ),
        (
            "## File Patterns\n\n| a |\n|---|\n| `x` |\n",
            "unplaced-pattern",
            "## File Patterns\n\n| a |\n|---|\n| `x` <!-- rules-lsp: ignore[unplaced-pattern] on purpose --> |\n",
        ),
        (
            "\n```markdown\nx\n## Denied Tools\n- `a`\n```\n",
            "section-in-code",
            "\n<!-- rules-lsp: ignore[section-in-code] on purpose -->\n```markdown\nx\n## Denied Tools\n- `a`\n```\n",
        ),
        (
            "## Denied Tools\n\n  ```yaml\n  - c d\n  ```\n",
            "malformed-tool-name",
            "## Denied Tools\n\n  ```yaml\n  # rules-lsp: ignore[malformed-tool-name] on purpose\n  - c d\n  ```\n",
        ),
    ],
)
def test_a_comment_is_written_in_markdown(content: str, code: str, expected: str) -> None:
    assert written(content, code, MARKDOWN) == expected


def written(content: str, code: str, name: str) -> str:
    subject = Subject.of_text(name, content)
    diagnostic = next(each for each in run_checks(subject) if each.code == code)
    fix = suppression_fix(subject, diagnostic, "on\npurpose ")
    assert fix is not None
    assert fix.title == f"ignore `{code}` here"
    after = apply_edits(content, fix.edits)
    left = [each.code for each in run_checks(Subject.of_text(name, after))]
    assert code not in left
    assert "unused-ignore" not in left
    return after


@pytest.mark.parametrize(
    ("content", "code", "name"),
    [
        ("denied_tools: [\n", "syntax-error", YAML),
        ("---\ntitle: x\n---\n", "superseded-rule-file", MARKDOWN),
    ],
)
def test_no_comment_is_written_where_none_can_stand(content: str, code: str, name: str) -> None:
    subject = Subject.of_text(name, content)
    diagnostic = next((each for each in run_checks(subject) if each.code == code), None)
    diagnostic = diagnostic or Diagnostic(code, "warning", "x", subject.text.line_span(0))
    assert suppression_fix(subject, diagnostic, "x") is None


def test_a_reason_cannot_end_the_comment() -> None:
    subject = Subject.of_text(MARKDOWN, "## Allowed Tools\n")
    (diagnostic,) = run_checks(subject)
    assert suppression_fix(subject, diagnostic, "a --> b") is None


def test_many_comments_are_read_in_linear_time() -> None:
    line = "x-{0}: # rules-lsp: ignore[null-value, empty-list]\n"
    subject = Subject.of_text(YAML, "".join(line.format(number) for number in range(10_000)))
    assert len(suppressions_of(subject)) == 10_000
    assert len([each for each in run_checks(subject) if each.code == "unused-ignore"]) == 1000 - 1
    hostile = "<!-- rules-lsp: ignore[x]\n" * 40_000
    assert suppressions_of(Subject.of_text(MARKDOWN, hostile)) == ()
