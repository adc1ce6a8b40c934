"""Writes the table of checks into README.md, between its marks: `python tests/support/readme_table.py`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
_MARKED = re.compile(r"(<!-- checks: .*? -->\n).*(<!-- end of checks -->\n)", re.DOTALL)


def main() -> None:
    """Run the program of the checkout and put in what it prints."""
    command = [sys.executable, "-m", "rules_lsp", "rule", "--format", "markdown"]
    table = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    path = ROOT / "README.md"
    content, number = _MARKED.subn(lambda match: match[1] + table + match[2], path.read_text(encoding="utf-8"))
    if number != 1:
        raise SystemExit("README.md lacks the marks of the table")
    path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
