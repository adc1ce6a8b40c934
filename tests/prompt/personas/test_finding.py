from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.prompt.personas.finding import find_persona, is_persona, personas


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home, app = tmp_path / "home", tmp_path / "app"
    for name in ("app/.shaft/shaft/templates/task/mine.json", "app/.shaft/shaft/templates/both.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}")
    for name in ("templates/both.json", "other/templates/editor.json", "other/templates/notes.md"):
        (home / ".shaft" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / ".shaft" / name).write_text("{}")
    monkeypatch.setenv("HOME", str(home))
    return app


def test_the_working_directory_comes_first_then_home_then_the_package(here: Path) -> None:
    found = [(each.name, each.hidden) for each in personas(str(here))]
    assert found == [
        ("both", False),
        ("task/mine", False),
        ("both", True),
        ("editor", False),
        ("editor", True),
        ("reviewer", False),
    ]


def test_a_persona_is_found_by_its_name(here: Path) -> None:
    cwd, home = str(here), here.parent / "home"
    assert find_persona("both", cwd) == str(here / ".shaft/shaft/templates/both.json")
    assert (
        find_persona("mine", cwd)
        == find_persona("task/mine.json", cwd)
        == str(here / ".shaft/shaft/templates/task/mine.json")
    )
    assert find_persona("editor", cwd) == str(home / ".shaft/other/templates/editor.json")
    assert find_persona("../both", cwd) is None
    assert find_persona("ask/mine", cwd) is None


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/w/.shaft/shaft/templates/task/a.json", True),
        ("/w/.shaft/templates/a.json", True),
        ("/w/.shaft/shaft/templates/a.md", False),
        ("/w/templates/a.json", False),
        ("/w/.shaft/a.json", False),
        ("/w/.shaft/x/templates/a/b/c.json", False),
    ],
)
def test_the_path_of_a_persona(path: str, answer: bool) -> None:
    assert is_persona(path) is answer
