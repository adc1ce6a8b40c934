"""`rules-lsp completion`: a script that teaches a shell to complete this command."""

from __future__ import annotations

import argparse

from rules_lsp.cli import completion_bash, completion_fish, completion_zsh
from rules_lsp.cli.completion_model import model
from rules_lsp.cli.main import OK

DESCRIPTION = """Print a script that completes verbs, options, codes of checks and paths.

  bash  source <(rules-lsp completion bash)     in ~/.bashrc
  zsh   source <(rules-lsp completion zsh)      in ~/.zshrc, behind compinit
  fish  rules-lsp completion fish > ~/.config/fish/completions/rules-lsp.fish"""
EXAMPLE = "source <(rules-lsp completion bash)"
SHELLS = {
    "bash": completion_bash.script,
    "zsh": completion_zsh.script,
    "fish": completion_fish.script,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("shell", choices=tuple(SHELLS), help="the shell")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    print(SHELLS[arguments.shell](model()), end="")
    return OK
