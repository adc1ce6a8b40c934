"""A home directory of its own for a real editor, in which `rules-lsp` is the one of this checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[2]
EDITORS = PROJECT / "editors"
LONGEST_RUN = 120.0
# The exit code of the server is kept: an editor that ends it badly is found out.
_COMMAND = """\
#!/bin/sh
"{python}" -m rules_lsp "$@"
code=$?
echo $code >"{exit_code}"
exit $code
"""
_FOREIGN = ("RULES_LSP_CONFIG", "NVIM_APPNAME", "EMACSLOADPATH", "VIMINIT", "MYVIMRC")


@dataclass(frozen=True, slots=True)
class Home:
    """`project` is the folder that the editor works in; it is not made here."""

    directory: Path
    project: Path

    @classmethod
    def make(cls, directory: Path) -> Home:
        """A new home below an empty directory."""
        home = cls(directory, directory / "app")
        command = home.commands / "rules-lsp"
        command.parent.mkdir()
        command.write_text(_COMMAND.format(python=sys.executable, exit_code=home.exit_code), encoding="utf-8")
        command.chmod(0o755)
        return home

    @property
    def commands(self) -> Path:
        """The directory that comes first on PATH."""
        return self.directory / "bin"

    @property
    def exit_code(self) -> Path:
        """The file with the exit code of the last run of `rules-lsp`."""
        return self.directory / "exit-code"

    @property
    def neovim_packages(self) -> Path:
        """Where Neovim finds packages that it starts by itself."""
        return self.directory / "data" / "nvim" / "site" / "pack" / "test" / "start"

    def write(self, files: dict[str, str]) -> None:
        """Write files of the project."""
        for name, content in files.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")

    def run(self, *command: str | Path, talks: bool = False, **variables: str) -> list[Any]:
        """What a program says in the project, one JSON value a line; it must end well.

        `talks` tells that it reports what it does on standard error; any other must leave that empty.
        """
        kinds = ("CONFIG", "DATA", "STATE", "CACHE")
        environment = {key: value for key, value in os.environ.items() if key not in _FOREIGN}
        environment |= {f"XDG_{kind}_HOME": str(self.directory / kind.lower()) for kind in kinds}
        environment |= {
            "HOME": str(self.directory),
            "PATH": f"{self.commands}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(PROJECT),
            "RULES_LSP_STRICT": "1",
            "TEST_EXIT_CODE": str(self.exit_code),
            **variables,
        }
        done = subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            env=environment,
            cwd=self.project,
            timeout=LONGEST_RUN,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert talks or done.stderr == ""
        return [json.loads(line) for line in done.stdout.splitlines() if line]
