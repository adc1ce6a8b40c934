"""A commented rule file to start from, in both formats."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.policy.policy import Policy

YAML_STARTER = """\
# What coding agents may do in this project. `rules-lsp check` says what is wrong in this file, `rules-lsp explain`
# what it decides. Every key is optional; remove the # in front of an example to use it.

# Text for every agent that works here, added to its system prompt.
# system_prompt_extension: |
#   Write a test for every change.

# The only tools that may be called: server/tool of an MCP server, or the name of a built-in tool. Without this key
# every tool is allowed that denied_tools does not name; an empty list allows none.
# allowed_tools:
#   - Read
#   - Edit
#   - github/get_*

# Tools that may never be called; this list wins over allowed_tools.
# denied_tools:
#   - Bash
#   - github/delete_*

# Which files may be changed. A pattern means what the same line means in .gitignore.
file_patterns:
  # With an include only these files may be changed. Reading is limited by exclude alone.
  # include:
  #   - /src/**
  #   - /tests/**

  # These files may be neither read nor changed; this list wins over include.
  exclude:
    - .env
    - .env.*
    - "*.pem"
    - "*.key"
"""
MARKDOWN_STARTER = """\
# Rules for coding agents

<!--
The whole of this file is added to the agent's system prompt, and three sections of it are enforced as well. Their
headings are Allowed Tools, Denied Tools and File Patterns, the last with Include and Exclude below it; each entry is a
list item in code marks. A section that is not there restricts nothing, one without entries allows nothing.
`rules-lsp check` says what is wrong in this file, `rules-lsp explain` what it decides.
-->

Write here what every agent that works in this project should know.

## File Patterns

### Exclude

These files may be neither read nor changed:

- `.env`
- `.env.*`
- `*.pem`
- `*.key`
"""
STARTERS = {
    "yaml": (".coding-agent-rules.yaml", YAML_STARTER),
    "md": (".coding-agent-rules.md", MARKDOWN_STARTER),
}
"""The name and the text of the file by its format."""


def notes_of(policy: Policy, name: str) -> Iterator[str]:
    """How a rule file of a name that is new in a project stands to the configuration and the other rule files."""
    order = [entry.name for entry in policy.config.rule_files]
    if name not in order:
        yield f"it is not read: `rule_files` of the configuration does not name `{name}`"
        return
    before = policy.rule_file.name if policy.rule_file is not None else None
    if before is None or before not in order:
        return
    if order.index(before) < order.index(name):
        yield f"it is not read: `{before}` stands above it and stays in force"
    else:
        yield f"it stands above `{before}`, whose rules are no longer in force: move them here"
