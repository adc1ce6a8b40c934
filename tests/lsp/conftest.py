from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lsp.client import Client


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client()
    yield made
    made.kill()


@pytest.fixture(scope="module")
def living() -> Iterator[Client]:
    """One initialized server for all tests of a module: what one of them does must not hurt the next."""
    made = Client()
    made.initialize()
    yield made
    made.kill()
