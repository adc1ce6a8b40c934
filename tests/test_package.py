"""The wheel: what it holds, and that an installation finds its schemas without the checkout."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from rules_lsp import __version__
from rules_lsp.schemas import SCHEMA_NAMES

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("dist")
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(directory), versions=["standard"])))


def test_the_wheel_holds_the_schemas_and_the_data(wheel: Path) -> None:
    assert wheel.name == f"rules_lsp-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for name in SCHEMA_NAMES:
            checkout = (ROOT / "schemas" / f"{name}.schema.json").read_bytes()
            assert archive.read(f"rules_lsp/_schemas/{name}.schema.json") == checkout
        entry_points = archive.read(f"rules_lsp-{__version__}.dist-info/entry_points.txt").decode()
    assert "rules-lsp = rules_lsp.cli.entry:main\n" in entry_points
    data = {path.relative_to(ROOT).as_posix() for path in (ROOT / "rules_lsp").rglob("*.json")}
    assert names >= {"rules_lsp/py.typed", f"rules_lsp-{__version__}.dist-info/licenses/LICENSE"} | data
    assert {name.split("/")[0] for name in names} == {"rules_lsp", f"rules_lsp-{__version__}.dist-info"}


def test_an_installation_finds_its_own_schemas(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from rules_lsp.schemas import SCHEMA_NAMES, describe, schema_path\n"
        "print(*map(schema_path, SCHEMA_NAMES), sep='\\n')\n"
        "print(describe('query', 'uri'))"
    )
    answer = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert answer.stdout.splitlines() == [
        *(str(tmp_path / "rules_lsp" / "_schemas" / f"{name}.schema.json") for name in SCHEMA_NAMES),
        "The path as a `file:` URI, in place of `path`.",
    ]


def test_every_dependency_is_bounded() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(project["dependencies"]) == 9
    for requirement in project["dependencies"]:
        assert ">=" in requirement
        assert ",<" in requirement
