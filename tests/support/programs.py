"""The programs beside Python that some tests need, and whether this machine has them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.support.hosts import HOSTS, lack_of_host
from tests.support.servers import lack_of_filesystem_server


def find_program(name: str) -> str | None:
    """The path of a program: of the running interpreter's environment before the one on PATH."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)


def find_neovim() -> str | None:
    """The path of a Neovim of version 0.11 or newer."""
    return _find_neovim(lambda version: version >= (0, 11))


def find_old_neovim() -> str | None:
    """The path of a Neovim that is too old for the plugin, from 0.7 to 0.9."""
    return _find_neovim(lambda version: (0, 7) <= version < (0, 10))


def _find_neovim(fits: Callable[[tuple[int, int]], bool]) -> str | None:
    directories = [str(Path(sys.executable).parent), *os.environ.get("PATH", os.defpath).split(os.pathsep)]
    programs = (shutil.which("nvim", path=directory) for directory in directories)
    return next((program for program in programs if program and fits(_neovim_version(program))), None)


def _neovim_version(program: str) -> tuple[int, int]:
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"NVIM v(\d+)\.(\d+)", answer.stdout)
    return (0, 0) if version is None else (int(version[1]), int(version[2]))


def lack_of_neovim() -> str | None:
    """Why this machine cannot run the tests with the Neovim plugin, or None."""
    return None if find_neovim() else "there is no `nvim` of version 0.11 or newer"


def lack_of_old_neovim() -> str | None:
    """Why this machine cannot run the tests with a Neovim that is too old for the plugin, or None."""
    return None if find_old_neovim() else "there is no `nvim` of a version from 0.7 to 0.9 (Debian 12 has 0.7)"


def lack_of_emacs() -> str | None:
    """Why this machine cannot run the tests in Emacs, or None."""
    program = find_program("emacs")
    if program is None:
        return "there is no `emacs`"
    packages = "(progn (package-initialize) (mapc #'require '(eglot lsp-mode yaml-mode)))"
    asked = subprocess.run([program, "-q", "--batch", "--eval", packages], capture_output=True, check=False)
    return None if asked.returncode == 0 else f"`{program}` lacks eglot, lsp-mode or yaml-mode"


def lack_of_vscode() -> str | None:
    """Why this machine cannot run the tests in VS Code, or None."""
    missing = [name for name in ("node", "npm", "chromium") if find_program(name) is None]
    if missing:
        return f"there is no {' and no '.join(f'`{name}`' for name in missing)}"
    installed = Path(sys.prefix) / "editors" / "vscode" / "installed"
    return None if installed.is_file() else "VS Code is not installed in the environment: see tests/support/vscode.sh"


def lack_of(name: str) -> Callable[[], str | None]:
    """Why this machine cannot run the tests that need a program of any version, or None."""
    return lambda: None if find_program(name) is not None else f"there is no `{name}`"


LACKS: dict[str, Callable[[], str | None]] = {
    "neovim": lack_of_neovim,
    "old_neovim": lack_of_old_neovim,
    "emacs": lack_of_emacs,
    "vscode": lack_of_vscode,
    "filesystem_server": lack_of_filesystem_server,
    "zsh": lack_of("zsh"),
    "fish": lack_of("fish"),
    **{host: lack_of_host(host) for host in HOSTS},
}
"""Marker of the tests that need it, and the reason why it is absent."""
