"""The packaged extension in the real page of VS Code, with the server that it brings along."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.editors.vscode.harness import EXTENSION, Editor, build, drive
from tests.support.programs import find_program

HERE = Path(__file__).parent
RULES = ".coding-agent-rules.yaml"
FAULTY = """system_prompt_extension: |
  Prices are integers in cents.

allowed_tools:
  - Read
  - Edit
  - filesystem/*

deny_tools:
  - filesystem/move_file

file_patterns:
  include:
    - src/**
    - tests/**
  exclude:
    - secrets/
    - "*.pem"
"""
FILES = {
    RULES: FAULTY,
    ".mcp.json": json.dumps(
        {"mcpServers": {"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem"]}}}
    ),
    "README.md": "# Shop\n",
    "secrets/stripe.pem": "",
    "src/cart.py": "def total(prices: list[int]) -> int:\n    return sum(prices)\n",
    "src/prices.py": "",
    "tests/test_cart.py": "",
}

pytestmark = pytest.mark.vscode


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension as it is published, with the wheels of this checkout."""
    made = tmp_path_factory.mktemp("package") / "rules-lsp.vsix"
    build("wheels", "--", "--platform", "linux-x64", "--python", sys.executable)
    build("package", "--", "--out", str(made))
    return made


def environment_without_server(home: Path) -> dict[str, str]:
    """The environment of a person who has Python and nothing of ours."""
    programs = home / "programs"
    programs.mkdir()
    python = programs / "python3"
    python.symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    node = find_program("node")
    assert node is not None
    (programs / "node").symlink_to(node)
    kept = {key: value for key, value in os.environ.items() if key in ("LANG", "LC_ALL", "TMPDIR")}
    gallery = json.dumps({"serviceUrl": "", "itemUrl": "", "resourceUrlTemplate": ""})
    path = os.pathsep.join([str(programs), "/usr/bin", "/bin"])
    return {**kept, "HOME": str(home), "PATH": path, "EXTENSIONS_GALLERY": gallery}


@contextmanager
def shop(home: Path, package: Path, settings: dict[str, Any]) -> Iterator[tuple[Editor, Path]]:
    """An editor that serves, with the extension, and a project."""
    folder = home / "shop"
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    editor = Editor(home, environment_without_server(home))
    editor.configure(user=settings, machine={})
    editor.install(package)
    with editor.serving():
        yield editor, folder


def test_what_a_person_sees(tmp_path: Path, package: Path) -> None:
    pictures = Path(os.environ.get("RULES_LSP_PICTURES") or tmp_path)
    with shop(tmp_path, package, {"rulesLsp.explorer.decorations": True}) as (editor, folder):
        said = drive(
            HERE / "page.mjs",
            tmp_path,
            PAGE_ADDRESS=editor.address(folder=folder),
            PICTURES=str(pictures),
            FAILURE_PICTURE=str(tmp_path / "failure.png"),
            BROWSER_PROGRAM=find_program("chromium") or "",
        )
    print(json.dumps(said, ensure_ascii=False, indent=1))
    assert said == []


def test_the_package_holds_what_it_needs_and_no_more(package: Path) -> None:
    names = sorted(name for name in contents(package) if not name.endswith(".whl"))
    print(names)
    assert names == []


def contents(package: Path) -> list[str]:
    import zipfile

    with zipfile.ZipFile(package) as archive:
        return archive.namelist()


assert EXTENSION and shutil
