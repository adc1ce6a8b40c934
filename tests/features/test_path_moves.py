from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.features.path_moves import edits_for_move
from rules_lsp.source.edits import apply_edits
from tests.features.known import known_view


def moved(root: Path, text: str, old: str, new: str, name: str = ".coding-agent-rules.yaml") -> str:
    return apply_edits(text, edits_for_move(known_view(root, text, name).subject, old, new))


@pytest.mark.parametrize(
    ("pattern", "old", "new", "expected"),
    [
        ("src/**", "src", "lib", "lib/**"),
        ("/src", "src", "lib", "/lib"),
        ("/src", "src", "a/b", "/a/b"),
        ("src/api/*.py", "src", "lib", "lib/api/*.py"),
        ("src/api/*.py", "src/api", "src/web", "src/web/*.py"),
        ("src/api/a.py", "src/api/a.py", "src/api/b.py", "src/api/b.py"),
        ("docs/api/", "docs/api", "api", "api/"),
        ("src/**", "src", "a[1]", r"a\[1]/**"),
        ("src", "src", "lib", "src"),
        ("*/api/**", "src/api", "src/web", "*/api/**"),
        ("**/api/**", "api", "web", "**/api/**"),
        ("srcs/**", "src", "lib", "srcs/**"),
        ("{src,lib}/**", "src", "lib", "{src,lib}/**"),
        ("src/**", "src/api", "src/web", "src/**"),
        ("s*/**", "src", "lib", "s*/**"),
    ],
)
@pytest.mark.parametrize("key", ["include", "exclude"])
def test_a_pattern_that_names_a_path(tmp_path: Path, key: str, pattern: str, old: str, new: str, expected: str) -> None:
    text = f"file_patterns:\n  {key}: # why\n    - '{pattern}'\n"
    assert moved(tmp_path, text, old, new) == f"file_patterns:\n  {key}: # why\n    - '{expected}'\n"


def test_every_pattern_goes_along_and_the_rest_stays(tmp_path: Path) -> None:
    before = (
        "denied_tools: [src/a]\r\n"
        "file_patterns:\r\n"
        '  include: [src/**, "src/😀/*"] # src/\r\n'
        '  exclude: ["!src/x", src/b]\r\n'
    )
    after = (
        "denied_tools: [src/a]\r\n"
        "file_patterns:\r\n"
        '  include: [lib/**, "lib/😀/*"] # src/\r\n'
        '  exclude: ["!src/x", lib/b]\r\n'
    )
    assert moved(tmp_path, before, "src", "lib") == after


def test_markdown(tmp_path: Path) -> None:
    text = "## File Patterns\n\n### Include\n\n- `src/**`: code\n- `docs/**`\n"
    assert moved(tmp_path, text, "src", "lib", ".coding-agent-rules.md") == text.replace("src/**", "lib/**")
