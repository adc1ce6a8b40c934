"""`rules-lsp init`: a commented rule file to start from."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from rules_lsp.cli.main import OK, UsageError
from rules_lsp.cli.names import shortened
from rules_lsp.cli.options import add_project_options, project_of
from rules_lsp.cli.write_file import create
from rules_lsp.policy.policy import Policy

DESCRIPTION = """Write a commented rule file to start from; a file that exists is left alone.

It restricts one thing: files that usually hold secrets. The rest are examples to keep or to delete."""
EXAMPLE = "rules-lsp init\n  rules-lsp init --format md"

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
FILES = {
    "yaml": (".coding-agent-rules.yaml", YAML_STARTER),
    "md": (".coding-agent-rules.md", MARKDOWN_STARTER),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("--format", choices=tuple(FILES), default="yaml", help="the format of the file")
    add_project_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the file and say how it stands to other rule files."""
    name, content = FILES[arguments.format]
    policy = project_of(arguments).policy()
    path = os.path.join(policy.root.given, name)
    try:
        create(path, content.encode("utf-8"))
    except FileExistsError:
        raise UsageError(f"{shortened(path)}: it exists, and is left as it is") from None
    except OSError as error:
        cause = (error.strerror or "unknown cause").lower()
        raise UsageError(f"{shortened(path)}: it cannot be written ({cause})") from None
    print(f"wrote {shortened(path)}")
    for note in _notes(policy, name):
        print(note)
    return OK


def _notes(policy: Policy, name: str) -> Iterator[str]:
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
