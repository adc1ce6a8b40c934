"""The configurations that are given for editors which no test runs: well formed, and true of this server."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.cli.main import main
from rules_lsp.policy.file_names import DEFAULT_RULE_FILES
from tests.editors.home import EDITORS, PROJECT

COMMAND = ["rules-lsp", "serve", "--stdio"]
TOP_LEVEL_NAMES = {Path(name).parts[0] for name in DEFAULT_RULE_FILES}


def toml(name: str) -> dict[str, Any]:
    return tomllib.loads((EDITORS / name).read_text(encoding="utf-8"))


def js(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((EDITORS / name).read_text(encoding="utf-8"))
    return read


def test_the_command_is_one_that_the_program_has(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*COMMAND[1:], "--help"])
    assert ended.value.code == 0
    assert "--stdio" in capsys.readouterr().out


def test_helix() -> None:
    read = toml("helix/languages.toml")
    (server,) = read["language-server"].items()
    assert server == ("rules-lsp", {"command": COMMAND[0], "args": COMMAND[1:]})
    assert {each["name"]: each["language-servers"][-1] for each in read["language"]} == {
        "yaml": "rules-lsp",
        "markdown": "rules-lsp",
        "json": "rules-lsp",
        "jsonc": "rules-lsp",
    }


def test_zed() -> None:
    manifest, package = toml("zed/extension.toml"), toml("zed/Cargo.toml")
    assert manifest["version"] == package["package"]["version"]
    (server,) = manifest["language_servers"].values()
    assert server["language_ids"] == {"YAML": "yaml", "Markdown": "markdown", "JSON": "json", "JSONC": "jsonc"}
    assert server["languages"] == list(server["language_ids"])
    source = (EDITORS / "zed" / package["lib"]["path"]).read_text(encoding="utf-8")
    words = re.search(r'const PROGRAM: &str = "(.*)";\nconst ARGUMENTS: \[&str; 2\] = \["(.*)", "(.*)"\];', source)
    assert words is not None
    assert list(words.groups()) == COMMAND


def test_kate() -> None:
    servers = js("kate/settings.json")["servers"]
    assert {name: server["highlightingModeRegex"] for name, server in servers.items()} == {
        "yaml": "^YAML$",
        "markdown": "^Markdown$",
        "json": "^JSON$",
    }
    for server in servers.values():
        assert server["command"] == COMMAND
        assert {*server["rootIndicationFileNames"]} <= {".git", *TOP_LEVEL_NAMES}


def test_sublime_text() -> None:
    selector = "source.yaml | text.html.markdown | source.json"
    assert js("sublime/LSP.sublime-settings")["clients"] == {
        "rules-lsp": {"enabled": True, "command": COMMAND, "selector": selector}
    }


def test_jetbrains() -> None:
    template = js("jetbrains/rules-lsp/template.json")
    assert template["programArgs"] == {"default": " ".join(COMMAND)}
    patterns = {
        pattern: mapping["languageId"]
        for mapping in template["fileTypeMappings"]
        for pattern in mapping["fileType"]["patterns"]
    }
    named = {Path(name).name: "yaml" if name.endswith(".yaml") else "markdown" for name in DEFAULT_RULE_FILES}
    told = {".auto-prompter.yaml": "yaml", "AGENTS.override.md": "markdown", "*.json": "json"}
    assert patterns == {**named, "config.yaml": "yaml", **told}


def test_every_link_of_the_table_leads_somewhere() -> None:
    text = (EDITORS / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", text)
    assert len(links) >= 10
    assert [link for link in links if not (EDITORS / link).exists()] == []
    listed = {Path(link).parts[0] for link in links}
    assert {path.name for path in EDITORS.iterdir() if path.is_dir()} <= {*listed, "vscode"}


def test_the_lines_of_the_readme_name_the_same_places_as_the_plugin() -> None:
    marks = re.compile(r"\{ '\.git', (\{.*?\}) \}")
    told = marks.findall((PROJECT / "README.md").read_text(encoding="utf-8"))
    assert told == marks.findall((EDITORS / "nvim" / "lua" / "rules_lsp" / "config.lua").read_text(encoding="utf-8"))
    assert {*re.findall(r"'(.*?)'", told[0])} == {*TOP_LEVEL_NAMES, ".auto-prompter.yaml"}
