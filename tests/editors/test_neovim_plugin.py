"""What the Neovim plugin adds to the server, in a real Neovim: each part is a function of `neovim/plugin.lua`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.editors.home import EDITORS, Home
from tests.editors.recipes import fenced_blocks, help_blocks
from tests.support.programs import find_neovim

pytestmark = pytest.mark.neovim

HERE = Path(__file__).with_name("neovim")
PLUGIN = EDITORS / "nvim"
RULES = 'denied_tools:\n  - github/*\nfile_patterns:\n  include:\n    - src/**\n  exclude:\n    - "*.pem"\n'
PROMPTER = """version: 1
rules:
  - id: ask
    name: Confirm deletions
    when: tool.before
    condition: {command: {kinds: [deletes]}}
    action: request_approval
"""
FILES = {
    ".coding-agent-rules.yaml": RULES,
    ".git/HEAD": "",
    ".mcp.json": '{"mcpServers": {"github": {"command": "npx", "args": ["@modelcontextprotocol/server-github"]}}}',
    "src/a.py": "",
    "src/b.py": "",
    "src/nested/.git/HEAD": "",
    "src/nested/.coding-agent-rules.yaml": "file_patterns: {exclude: [locked/]}\n",
    "k.pem": "",
    "../other/.git/HEAD": "",
}


def say(home: Home, part: str, *, recipe: str = "Start", packages: tuple[Path, ...] = ()) -> list[dict[str, Any]]:
    """What a part says where Neovim starts with the block of the plugin's README under a heading."""
    program = find_neovim()
    assert program is not None
    home.write(FILES)
    shutil.copytree(PLUGIN, home.neovim_packages / "rules-lsp")
    for package in packages:
        shutil.copytree(package, home.neovim_packages / package.name)
    blocks = fenced_blocks(PLUGIN / "README.md", "lua", recipe)
    start = home.directory / "init.lua"
    # A machine that is busy starts the server late.
    start.write_text(f"vim.g.rules_lsp = {{ timeout = 60000 }}\n{blocks[0]}", encoding="utf-8")
    script = HERE / "plugin.lua"
    return home.run(program, "--headless", "-n", "-i", "NONE", "-u", start, "-c", f"luafile {script}", TEST_PART=part)


def allowed(code: str) -> dict[str, Any]:
    return {"allowed": True, "code": code}


def denied(code: str) -> dict[str, Any]:
    return {"allowed": False, "code": code}


def test_agents_ask_without_an_open_file(home: Home) -> None:
    assert say(home, "questions") == [
        {"src/a.py": allowed("included")},
        {"k.pem": denied("excluded")},
        {"rename": denied("excluded")},
        {"below": denied("excluded")},
        {"below too": allowed("unrestricted")},
        {"moved below": allowed("unrestricted")},
        {"moved to what is locked": denied("excluded")},
        {"other project": denied("outside-root")},
        {"github/x": denied("denied-tool")},
        {"Write": denied("excluded")},
        {"Read": allowed("unrestricted")},
        {"nonsense": denied("invalid-request")},
        {"servers": ["app", "nested"]},
    ]


def test_no_server_is_a_denial(home: Home) -> None:
    assert say(home, "no_server") == [
        {"/nowhere/rules-lsp": denied("no-answer")},
        {"false": denied("no-answer")},
        {"sleep": denied("no-answer")},
        {"tool": denied("no-answer")},
        {"explained": "no-answer"},
    ]


def test_explanations_and_pages_are_shown(home: Home) -> None:
    assert say(home, "explanation") == [
        {"answer": {"code": "excluded", "steps": 1}},
        {"float": "**denied**: write `k.pem`"},
        {"policy": [f"# Policy of `{home.project}`", "markdown", False]},
        {"windows": 1},
        {"prompt": "# What the agent reads"},
        {"completion": ["activity", "explain", "policy", "prompt", "tool"]},
    ]


def test_the_lens_of_a_persona_shows_what_a_model_is_told(home: Home) -> None:
    told = say(home, "persona")
    assert told[0] == {"lenses": ["0 show what a model is told"]}
    assert "It is 0 files." in told[1]["page"]


def test_lenses_follow_the_files_and_list_them(home: Home) -> None:
    assert say(home, "lenses") == [
        {
            "lenses": [
                "0 policy: 3 of 6 files writable · tools allowed",
                "0 tools",
                "3 3 of 6 files",
                "4 3 files · net +3",
                "5 1 of 6 files",
                "6 1 file · net ±0 · read −1",
            ]
        },
        {"list": ["4 files · net +4", ["src/a.py", "src/b.py", "src/nested/.coding-agent-rules.yaml", "src/new.py"]]},
        {"quickfix": "1 file · net ±0 · read −1"},
        {"tools": "denied  github/add_issue_comment"},
    ]


def test_an_agent_waits_for_the_user_and_what_it_did_is_listed(home: Home) -> None:
    home.write({".auto-prompter.yaml": PROMPTER})
    question = "Confirm deletions: may this run once? Bash: rm %s: "
    assert say(home, "approvals") == [
        {"nothing": "rules-lsp: no rule of Auto Prompter has done anything yet"},
        {"claimed": 1},
        {"asked": [question % "a", "Approve once", "Deny"]},
        {"decided": ["approved", "allow"]},
        {"consumed": [True, False]},
        {"asked": [question % "b", "Approve once", "Deny"]},
        {"decided": ["denied", "deny"]},
        {"asked": [question % "c", "Approve once", "Deny"]},
        {"decided": ["denied", "deny"]},
        {
            "activity": [
                "Confirm deletions: denied · Bash, deletes",
                "Confirm deletions: asked for approval · Bash, deletes",
                "Confirm deletions: denied · Bash, deletes",
                "Confirm deletions: asked for approval · Bash, deletes",
                "Confirm deletions: approved once · Bash, deletes",
                "Confirm deletions: asked for approval · Bash, deletes",
            ]
        },
        {"rule": [".auto-prompter.yaml", "  - id: ask"]},
    ]


def test_a_code_action_is_applied(home: Home) -> None:
    assert say(home, "action") == [{"repaired": True}]


def test_the_help_is_found_and_files_have_the_types_that_the_server_takes(home: Home) -> None:
    assert say(home, "help") == [{"help": "rules-lsp.txt"}, {"types": ["yaml", "markdown", "json", "toml"]}]


def test_the_health_check_is_content(home: Home) -> None:
    (said,) = say(home, "health")
    assert [line.partition(" OK ")[2] for line in said["health"]] == [
        "Neovim 0.11.4+v0.11.4",
        f"rules-lsp 0.1.0 ({home.commands / 'rules-lsp'})",
        f"{home.project}: `.coding-agent-rules.yaml` is in force",
    ]


def test_an_agent_asks_before_it_writes(home: Home) -> None:
    reason = "denied by the rules of this project: `k2.pem` is excluded by `*.pem`"
    package = HERE / "codecompanion"
    assert say(home, "codecompanion", recipe="An agent that asks before it writes", packages=(package,)) == [
        {"guarded": ["create_file"]},
        {"denied": {"status": "error", "data": reason}},
        {"written": 0},
        {"allowed": {"status": "success", "data": "created src/new.py!"}},
        {"written": 1},
        {"nameless": "error"},
    ]


def test_the_help_gives_the_lines_of_the_readme() -> None:
    headings = ("Start", "Ask", "An agent that asks before it writes", "Older Neovim")
    lines = [block for heading in headings for block in fenced_blocks(PLUGIN / "README.md", "lua", heading)]
    told = help_blocks(PLUGIN / "doc" / "rules-lsp.txt", "lua")
    assert [block for block in told if not block.startswith("vim.g.rules_lsp")] == lines
