"""The programs beside Python that some tests need, and whether this machine has them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path


def find_program(name: str) -> str | None:
    """The path of a program: of the running interpreter's environment before the one on PATH."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)


def lack_of_neovim() -> str | None:
    """Why this machine cannot run the Neovim tests, or None."""
    program = find_program("nvim")
    if program is None:
        return "there is no `nvim`"
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"NVIM v(\d+)\.(\d+)", answer.stdout)
    if version is None or (int(version[1]), int(version[2])) < (0, 11):
        return f"`{program}` is not Neovim 0.11 or newer"
    return None


def lack_of(name: str) -> Callable[[], str | None]:
    """Why this machine cannot run the tests that need a program of any version, or None."""
    return lambda: None if find_program(name) is not None else f"there is no `{name}`"


LACKS: dict[str, Callable[[], str | None]] = {
    "neovim": lack_of_neovim,
    "zsh": lack_of("zsh"),
    "fish": lack_of("fish"),
}
"""Marker of the tests that need it, and the reason why it is absent."""
