"""Holds the picture: imports go down only, and what is heavy or belongs to one room stays in it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "rules_lsp"

LEVELS: tuple[frozenset[str], ...] = (
    frozenset({"schemas", "source"}),
    frozenset({"policy"}),
    frozenset({"workspace"}),
    frozenset({"prompter", "prompt"}),
    frozenset({"checks"}),
    frozenset({"features"}),
    frozenset({"lsp", "cli", "agents"}),
    frozenset({"__main__"}),
)
"""The rooms from the ground up. A room imports itself and lower levels; rooms of one level do not know each other."""
EXCEPTIONS = {
    ("rules_lsp/cli/mcp.py", "agents"): "the verb that starts the MCP server",
    ("rules_lsp/__init__.py", "agents"): "the loader is offered at the top of the package, imported when asked for",
    ("rules_lsp/cli/export.py", "agents"): "the verb that writes the settings of agents' hosts",
    ("rules_lsp/cli/serve.py", "lsp"): "the verb that starts the server",
    ("rules_lsp/cli/entry.py", "agents"): "a hook is answered before the table of verbs is read",
    ("rules_lsp/cli/hook.py", "agents"): "the verb that answers and installs hooks",
    ("rules_lsp/prompt/always_parts.py", "prompter"): "what an agent is told holds the rules that hold always",
    ("rules_lsp/cli/doctor.py", "agents"): "the verb that looks at hosts",
}
ONLY_IN: dict[str, tuple[str, ...]] = {
    "pygls": ("rules_lsp/lsp/",),
    "lsprotocol": ("rules_lsp/lsp/",),
    "mcp": ("rules_lsp/agents/",),
    "mcp_types": ("rules_lsp/agents/",),
    "markdown_it": ("rules_lsp/source/markdown",),
    "jsonschema": ("rules_lsp/schemas.py",),
    "jinja2": ("rules_lsp/prompt/personas/",),
}
LIGHT = ("rules_lsp.policy", "rules_lsp.cli.query", "rules_lsp.cli.instructions", "rules_lsp.agents.loader")
HEAVY = ("pygls", "lsprotocol", "jsonschema", "jinja2")
MOST_LINES = 400


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(source: str) -> Iterator[str]:
    """The dotted names that a module imports anywhere, in functions and for type checking too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            yield from (f"{module}.{alias.name}" for alias in node.names)


def level_of(room: str) -> int:
    return next(number for number, rooms in enumerate(LEVELS) if room in rooms)


def rooms_imported(source: str) -> set[str]:
    parts = (name.split(".") for name in imports(source))
    known = frozenset().union(*LEVELS)
    return {names[1] for names in parts if names[0] == "rules_lsp" and len(names) > 1 and names[1] in known}


def upward(name: str, source: str) -> set[str]:
    """The rooms that a module may not import and does."""
    path = name.split("/")
    room = "" if path[1] == "__init__.py" else path[1].removesuffix(".py")
    own = level_of(room) if room else -1
    return {
        other for other in rooms_imported(source) - {room} if level_of(other) >= own and (name, other) not in EXCEPTIONS
    }


def strangers(name: str, source: str) -> set[str]:
    """The third-party packages that a module may not import and does."""
    packages = {imported.split(".")[0] for imported in imports(source)}
    return {package for package in packages & ONLY_IN.keys() if not name.startswith(ONLY_IN[package])}


def test_every_module_belongs_to_a_room() -> None:
    known = frozenset().union(*LEVELS) | {"__init__"}
    assert {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in modules()} <= known


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_go_down_only(path: Path) -> None:
    assert upward(name_of(path), path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_third_party_packages_stay_in_their_room(path: Path) -> None:
    assert strangers(name_of(path), path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_modules_are_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize(
    ("name", "source", "found"),
    [
        ("rules_lsp/source/text.py", "import rules_lsp.policy.model", {"policy"}),
        ("rules_lsp/policy/model.py", "from rules_lsp.source.text import Span", set()),
        ("rules_lsp/policy/model.py", "def f():\n    from rules_lsp.workspace import x", {"workspace"}),
        ("rules_lsp/policy/model.py", "from rules_lsp.policy.globs import x", set()),
        ("rules_lsp/checks/a.py", "from rules_lsp import features", {"features"}),
        ("rules_lsp/features/a.py", "from rules_lsp import __version__, checks", set()),
        ("rules_lsp/cli/query.py", "from rules_lsp.lsp.server import x", {"lsp"}),
        ("rules_lsp/cli/serve.py", "from rules_lsp.lsp.server import x", set()),
        ("rules_lsp/cli/serve.py", "from rules_lsp.agents.loader import x", {"agents"}),
        ("rules_lsp/lsp/server.py", "from rules_lsp.agents.loader import x", {"agents"}),
        ("rules_lsp/agents/loader.py", "from rules_lsp.cli.query import x", {"cli"}),
        ("rules_lsp/__init__.py", "from rules_lsp.agents.loader import x", set()),
        ("rules_lsp/__init__.py", "from rules_lsp.policy.model import x", {"policy"}),
    ],
)
def test_a_wrong_import_is_found(name: str, source: str, found: set[str]) -> None:
    assert upward(name, source) == found


@pytest.mark.parametrize(
    ("name", "source", "found"),
    [
        ("rules_lsp/features/hover.py", "def f():\n    from lsprotocol import types", {"lsprotocol"}),
        ("rules_lsp/lsp/hover.py", "from lsprotocol import types\nimport pygls.server", set()),
        ("rules_lsp/lsp_tools.py", "import pygls", {"pygls"}),
        ("rules_lsp/policy/load.py", "import jsonschema.validators\nimport yaml", {"jsonschema"}),
        ("rules_lsp/source/markdown.py", "import markdown_it", set()),
    ],
)
def test_a_stranger_is_found(name: str, source: str, found: set[str]) -> None:
    assert strangers(name, source) == found


@pytest.mark.parametrize("module", LIGHT)
def test_the_engine_starts_without_what_is_heavy(module: str) -> None:
    program = f"import sys, {module}; print(sorted(set({HEAVY!r}) & sys.modules.keys()))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (answer.returncode, answer.stdout.strip(), answer.stderr) == (0, "[]", "")


@pytest.mark.parametrize("module", LIGHT)
def test_the_engine_starts_without_auto_prompter(module: str) -> None:
    program = f"import sys, {module}; print([name for name in sys.modules if 'prompter' in name or name == 'sqlite3'])"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (answer.returncode, answer.stdout.strip(), answer.stderr) == (0, "[]", "")
