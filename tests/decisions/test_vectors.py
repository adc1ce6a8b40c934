from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.decisions.harness import Front, PythonFront, TerminalFront, build, differences, vectors
from tests.decisions.lsp_front import LanguageServerFront
from tests.decisions.mcp_front import McpFront

VECTORS = vectors()
NAMES = [vector["id"] for vector in VECTORS]


@pytest.fixture(scope="module", autouse=True)
def importable() -> Iterator[None]:
    # The terminal runs in another directory; it must find the package that is tested here.
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    yield
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="module")
def language_server() -> Iterator[Front]:
    with LanguageServerFront() as front:
        yield front


@pytest.fixture(scope="module")
def mcp() -> Iterator[Front]:
    with McpFront() as front:
        yield front


def test_the_vectors_cover_every_area() -> None:
    areas = {name.split("-", 1)[0] for name in NAMES}
    assert areas == {"prec", "cfg", "prot", "degr", "yaml", "md", "tool", "args", "glob", "path"}
    assert len(NAMES) == len(set(NAMES)) == 165


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_python(vector: dict[str, Any], tmp_path: Path) -> None:
    assert differences(vector, build(vector, tmp_path), PythonFront()) == []


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_terminal(vector: dict[str, Any], tmp_path: Path) -> None:
    assert differences(vector, build(vector, tmp_path), TerminalFront()) == []


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_language_server(vector: dict[str, Any], tmp_path: Path, language_server: Front) -> None:
    assert differences(vector, build(vector, tmp_path), language_server) == []


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_mcp(vector: dict[str, Any], tmp_path: Path, mcp: Front) -> None:
    assert differences(vector, build(vector, tmp_path), mcp) == []
