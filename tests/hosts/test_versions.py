"""What the page says of the hosts is what is installed."""

from __future__ import annotations

import json
import re
from pathlib import Path

HERE = Path(__file__).parent


def test_the_page_names_the_versions_that_are_installed() -> None:
    wanted = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"].values()
    numbers = sorted(match[0] for version in wanted if (match := re.search(r"\d+\.\d+\.\d+", version)))
    page = (HERE / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| \w+ \| (\d+\.\d+\.\d+) \|$", page, re.MULTILINE)) == numbers
