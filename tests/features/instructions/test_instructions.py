"""What an editor shows of instructions: whom they bind, the way to them, and nothing that disturbs prose."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from rules_lsp.checks.common.kinds import neighbour_kind
from rules_lsp.features.code_lens import LensText, lens_text, lenses
from rules_lsp.features.completion import TRIGGERS, completion
from rules_lsp.features.completion_documentation import documentation
from rules_lsp.features.hover import hover
from rules_lsp.features.neighbours import NOTHING_OUTSIDE, neighbour_features
from rules_lsp.features.view import View
from tests.features.known import known_view

FILES = (
    "AGENTS.md",
    "README.md",
    "src/AGENTS.md",
    "src/a.py",
    "src/deep/AGENTS.md",
    "src/deep/AGENTS.override.md",
    "src/deep/b.py",
    "src2/AGENTS.MD",
    "src2/c.py",
)
PROSE = "# Style\n\n- Keep lines `short`, \"quoted\" or 'so': see [this](README.md) / that.\n\U0001f600 日本語\n"


def told_view(root: Path, text: str, name: str, files: Iterable[str] = (), complete: bool = True) -> View:
    return known_view(root, text, name, files=files, complete=complete, kind=neighbour_kind(name))


def lens(view: View) -> list[str | None]:
    features = neighbour_features(view.subject.kind)
    assert features.lenses is not None and features.resolve_lens is not None
    told = [features.resolve_lens(view, each, NOTHING_OUTSIDE) for each in features.lenses(view)]
    return [each.title if each is not None else None for each in told]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("AGENTS.md", "binds 8 files"),
        ("src/AGENTS.md", "binds 4 files"),
        ("src/deep/AGENTS.override.md", "binds 2 files · masks `AGENTS.md`"),
        ("src/deep/AGENTS.md", "masked by `AGENTS.override.md`"),
        ("src2/AGENTS.MD", "read by nobody under this name: it is `AGENTS.md`"),
        (".a0proj/instructions/1.md", "told with the instructions of the project"),
    ],
)
def test_a_lens_says_whom_a_file_binds(tmp_path: Path, name: str, told: str) -> None:
    assert lens(told_view(tmp_path, PROSE, name, files=FILES)) == [told]


def test_a_lens_says_that_a_file_is_empty_or_that_not_all_are_known(tmp_path: Path) -> None:
    empty = told_view(tmp_path, " \n", "src/AGENTS.md", files=FILES)
    assert lens(empty) == ["binds 4 files · empty: it tells nothing"]
    assert lens(told_view(tmp_path, PROSE, "AGENTS.md", files=FILES, complete=False)) == ["binds at least 8 files"]
    view = told_view(tmp_path, PROSE, "AGENTS.md")
    assert lens(View(view.subject.surrounded(view.saved), view.saved)) == []


def test_a_rule_file_that_is_instructions_too_says_both(tmp_path: Path) -> None:
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "AGENTS.md").write_text("## Allowed Tools\n- `a/b`\n")
    files = [".github/AGENTS.md", ".github/x.yml", "a.py"]
    view = known_view(tmp_path, "## Allowed Tools\n- `a/b`\n", ".github/AGENTS.md", files=files)
    told = [lens_text(view, each) for each in lenses(view) if each.kind == "instructions"]
    assert told == [LensText("as instructions: binds 1 file", False)]
    plain = known_view(tmp_path, "## Allowed Tools\n- `a/b`\n", ".coding-agent-rules.md", files=files)
    assert [each for each in lenses(plain) if each.kind == "instructions"] == []


def test_hover_on_the_first_line_shows_the_chain(tmp_path: Path) -> None:
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "AGENTS.md").write_text("all\n")
    (tmp_path / "src" / "AGENTS.md").write_text("sources\n")
    (tmp_path / "src" / "AGENTS.override.md").write_text("")
    view = told_view(tmp_path, "deep\n\nbelow", "src/deep/AGENTS.md", files=[*FILES[:5], "src/deep/b.py"])
    shown = hover(view, 2)
    root = tmp_path.as_uri()
    assert shown is not None
    assert shown.span == view.subject.text.line_span(0)
    assert shown.markdown == (
        "`src/deep/AGENTS.md`: 11 characters, about 3 tokens\n\nbinds 1 file\n\n"
        "what an agent is told that works in `src/deep`:\n\n"
        f"1. [`AGENTS.md`]({root}/AGENTS.md): 4 characters, about 1 token\n"
        "2. `src/deep/AGENTS.md`, this file: 11 characters, about 3 tokens\n\n"
        "in all about 4 tokens\n\nleft out:\n\n"
        "- `src/AGENTS.override.md`: it is empty\n"
        "- `src/AGENTS.md`: `AGENTS.override.md` stands in its place, and tells nothing"
    )
    assert hover(view, 6) is None


def test_nothing_is_completed_in_prose(tmp_path: Path) -> None:
    for name in ("AGENTS.md", "src/AGENTS.override.md", ".a0proj/instructions/1.md"):
        for end in range(1, len(PROSE) + 1):
            view = told_view(tmp_path, PROSE[:end], name, files=FILES)
            for trigger in (None, *TRIGGERS):
                assert completion(view, end, trigger) is None
                assert completion(view, end // 2, trigger) is None
            hover(view, end)
            lens(view)


def test_an_empty_file_can_begin_with_a_starter(tmp_path: Path) -> None:
    view = told_view(tmp_path, "\r\n", "src/AGENTS.md", files=FILES)
    found = completion(view, 0)
    assert found is not None
    (item,) = found.items
    assert item.text.startswith("# Instructions for agents\n\n## Purpose\n\nWhat this folder is for")
    headings = [line[3:] for line in item.text.split("\n") if line.startswith("## ")]
    assert headings == ["Purpose", "Style", "Where files go", "When it is done", "Ask first"]
    assert "$" not in item.text
    assert item.snippet is not None and item.snippet.count("${") == 5
    assert item.snippet.startswith("# Instructions for agents\r\n\r\n")
    assert item.topic is not None
    assert (documentation(view, item.topic) or "").startswith("```markdown\n# Instructions for agents\n")
    assert completion(view, 0, "-") is None
    assert completion(told_view(tmp_path, "", "AGENT.md", files=FILES), 0) is None


def test_hover_on_the_name_of_a_file_shows_its_chain(tmp_path: Path) -> None:
    text = "file_patterns:\n  include:\n    - src/deep/b.py\n    - src/**\n    - src/none.py\n"
    view = known_view(tmp_path, text, files=FILES)
    shown = hover(view, text.index("deep"))
    root = tmp_path.as_uri()
    assert shown is not None
    assert shown.markdown.endswith(
        f"\n\ninstructions: [`AGENTS.md`]({root}/AGENTS.md) → [`src/AGENTS.md`]({root}/src/AGENTS.md) → "
        f"[`src/deep/AGENTS.override.md`]({root}/src/deep/AGENTS.override.md)"
    )
    for other in ("src/**", "src/none.py"):
        beside = hover(view, text.index(other))
        assert beside is not None
        assert "instructions" not in beside.markdown
