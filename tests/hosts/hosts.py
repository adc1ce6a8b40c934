"""The real hosts: how each is started, what it needs in its home, and how its hook is trusted."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tests.hosts.model.script import Script
from tests.hosts.model.server import URL
from tests.hosts.session import CHECKOUT, Session, environment, run
from tests.support.hosts import program

Servers: TypeAlias = Mapping[str, Mapping[str, Any]]
"""MCP servers by name, each with its `command` and `args`, and an `env` where it needs one."""
FILE_SERVER = {"stubfs": {"command": sys.executable, "args": [str(CHECKOUT / "tests" / "hosts" / "mcp_files.py")]}}


@dataclass(frozen=True)
class Host:
    """One host. `prepare` writes what it needs into a home and a project; the hook is not part of that.

    `trust` does for its user what the installation of the hook has said.
    """

    name: str
    prepare: Callable[[Path, Path, Servers], None]
    trust: Callable[[Path, Path, str], None]
    options: Sequence[str]
    variables: Mapping[str, str]

    def command(self) -> list[str]:
        path = program(self.name)
        start = ["node", str(path)] if path.suffix == ".js" else [str(path)]
        return [*start, *self.options]


@dataclass(frozen=True)
class Place:
    """A host's home and a project, both made for one session."""

    host: Host
    home: Path
    project: Path

    def rules_lsp(self, *arguments: str, code: int = 0) -> str:
        """Run the command in the project as the host's user, and give what it prints."""
        command = [sys.executable, "-m", "rules_lsp", *arguments]
        done = subprocess.run(
            command, cwd=self.project, env=environment(self.home), capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def install_hook(self, *options: str) -> None:
        """Run `rules-lsp hook install`, and do what it says is left to do."""
        said = self.rules_lsp("hook", "install", self.host.name, *options)
        self.host.trust(self.home, self.project, said)

    def play(self, script: Script, *modules: Path, below: str = ".") -> Session:
        """Start the host in the project, or below it, and let the model say its script.

        Its hooks find `modules` before all others.
        """
        variables = environment(self.home, *modules, **self.host.variables)
        return run(self.host.command(), self.project / below, variables, script)


def make_place(name: str, directory: Path, servers: Servers = FILE_SERVER) -> Place:
    """A fresh repository and a home in which the host starts without a question."""
    place = Place(HOSTS[name], directory / "home", directory / "project")
    place.home.mkdir()
    place.project.mkdir()
    subprocess.run(["git", "init", "--quiet", str(place.project)], check=True)
    place.host.prepare(place.home, place.project, servers)
    return place


def write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def _trust_in_claude(home: Path, project: Path, said: str) -> None:
    """Nothing is left to do."""
    assert len(said.splitlines()) == 1


def _prepare_claude(home: Path, project: Path, servers: Servers) -> None:
    write_json(project / ".mcp.json", {"mcpServers": servers})


_CODEX_CONFIG = """\
model = "gpt-5.5"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.stub]
name = "stub"
base_url = "{url}/v1"
env_key = "STUB_KEY"
wire_api = "responses"

[analytics]
enabled = false
"""


def _prepare_codex(home: Path, project: Path, servers: Servers) -> None:
    (home / ".codex").mkdir()
    config = _CODEX_CONFIG.format(url=URL)
    for name, server in servers.items():
        lines = (f"{key} = {_as_toml(value)}\n" for key, value in server.items())
        # The first turn waits for a server that is required.
        config += f"\n[mcp_servers.{name}]\nrequired = true\n{''.join(lines)}"
    (home / ".codex" / "config.toml").write_text(config, encoding="utf-8")


def _as_toml(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_as_toml(each)}' for key, each in value.items())} }}"
    return json.dumps(value)


def _trust_in_codex(home: Path, project: Path, said: str) -> None:
    """Write into the user's configuration the tables that the installation has printed."""
    tables = [table for line in said.splitlines() if (table := line.strip()).startswith(("[", "trust"))]
    with (home / ".codex" / "config.toml").open("a", encoding="utf-8") as config:
        config.write("\n" + "\n".join(tables) + "\n")


def _prepare_gemini(home: Path, project: Path, servers: Servers) -> None:
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
        "mcpServers": servers,
    }
    write_json(home / ".gemini" / "settings.json", settings)


def _trust_in_gemini(home: Path, project: Path, said: str) -> None:
    """What gemini writes where its user trusts the folder: without it gemini does not start."""
    write_json(home / ".gemini" / "trustedFolders.json", {str(project): "TRUST_FOLDER"})


# Each may do whatever it likes, so that nothing but the hook stands between the model and the files.
HOSTS: dict[str, Host] = {
    "claude": Host(
        "claude",
        _prepare_claude,
        _trust_in_claude,
        ("-p", "go", "--output-format", "json", "--permission-mode", "bypassPermissions"),
        {
            "ANTHROPIC_BASE_URL": URL,
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            # Root may do without questions only where it says that it is in a sandbox.
            "IS_SANDBOX": "1",
        },
    ),
    "codex": Host("codex", _prepare_codex, _trust_in_codex, ("exec", "--json", "go"), {"STUB_KEY": "dummy"}),
    "gemini": Host(
        "gemini",
        _prepare_gemini,
        _trust_in_gemini,
        ("-p", "go", "-o", "json", "-m", "gemini-2.5-flash", "--approval-mode", "yolo"),
        {
            "GOOGLE_GEMINI_BASE_URL": URL,
            "GEMINI_API_KEY": "dummy",
            "GEMINI_CLI_NO_RELAUNCH": "true",
        },
    ),
}
