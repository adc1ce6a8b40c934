"""A project with some files and one server, and a file of rules open in it."""

from __future__ import annotations

from pathlib import Path

from rules_lsp.features.view import View
from tests.features.known import known_view

NAME = ".auto-prompter.yaml"
FILES = ("README.md", "infra/main.tf", "infra/net/vpc.tf", "src/a.py")
TOOLS = {"github": ["delete_file", "get_me"], "mail": ["send"]}
RULES = """\
version: 1
enabled: true
rules:
  - id: confirm
    name: Confirm terraform
    when: tool.before
    target: {categories: [command_execution], tools: ["github/*"]}
    condition:
      command: {kinds: [deletes], matches: '\\bterraform\\b'}
      files: ["infra/**"]
      pieces: [deploy]
    action: request_approval
    limit: {fires: 3, per: task, cooldown_seconds: 60}
  - id: japanese
    enabled: false
    when: completion.before_accept
    condition: {language: {expect: ja, below: 0.5}}
    action: inject_instruction
    instruction: "\u65e5\u672c\u8a9e"
"""


def rules_view(root: Path, text: str) -> View:
    (root / ".mcp.json").write_text('{"mcpServers": {"github": {"command": "g"}, "mail": {"command": "m"}}}')
    return known_view(root, text, NAME, files=FILES, tools=TOOLS)
