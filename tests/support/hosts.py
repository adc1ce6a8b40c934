"""The coding agents that tests/hosts starts: where tests/support/hosts.sh installs them, and why one cannot run."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

HOSTS = {
    "claude": "@anthropic-ai/claude-code-linux-x64/claude",
    "codex": "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
    "gemini": "@google/gemini-cli/bundle/gemini.js",
}
"""The file that starts each host, below `node_modules`."""


def directory() -> Path:
    """The cache that holds the hosts' packages from one run to the next."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("RULES_LSP_CACHE") or Path(cache) / "rules-lsp-tests") / "hosts"


def program(host: str) -> Path:
    """The file that starts a host: a program, or a script for Node."""
    return directory() / "node_modules" / HOSTS[host]


def lack_of_host(host: str) -> Callable[[], str | None]:
    """Why this machine cannot run the tests in a real host, or None."""

    def lack() -> str | None:
        if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
            return f"`{host}` is run on Linux on x86-64 alone"
        if not program(host).is_file():
            return f"`{host}` is not installed in {directory()}: see tests/support/hosts.sh"
        if host == "gemini" and shutil.which("node") is None:
            return "there is no `node`, which `gemini` needs"
        return _lack_of_namespaces()

    return lack


def _lack_of_namespaces() -> str | None:
    isolated = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "true"]
    if shutil.which("unshare") is None:
        return "there is no `unshare`"
    done = subprocess.run(isolated, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"no network of its own can be made here (root may): {done.stderr.strip()}"
