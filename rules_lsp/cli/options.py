"""Options that several verbs share."""

from __future__ import annotations

import argparse
import os

from rules_lsp.cli.main import UsageError
from rules_lsp.workspace.finding import CONFIG_VARIABLE, find_root, operator_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.workspace.project import Project


def add_project_options(parser: argparse.ArgumentParser) -> None:
    """`--root` and `--config`."""
    parser.add_argument("--root", metavar="DIR", help="the project's directory (default: the git work tree's top)")
    parser.add_argument("--config", metavar="FILE", help="the operator's config.yaml (default: $RULES_LSP_CONFIG)")


def add_volume_option(parser: argparse.ArgumentParser) -> None:
    """`--case-insensitive`."""
    parser.add_argument(
        "--case-insensitive", action="store_true", help="treat the volume as one that does not tell cases apart"
    )


def root_of(arguments: argparse.Namespace) -> str:
    """The project's directory as the options say."""
    if arguments.root is None:
        return find_root(os.getcwd())
    if not os.path.isdir(arguments.root):
        there = os.path.lexists(arguments.root)
        raise UsageError(f"--root {arguments.root}: {'it is no directory' if there else 'there is no such directory'}")
    return os.path.abspath(str(arguments.root))


def operator_config_of(arguments: argparse.Namespace) -> str | None:
    """The operator's configuration as the options or the environment name it, an absolute path to a file."""
    config = operator_config(arguments.config)
    if config is not None and not os.path.isfile(config):
        source = "--config" if arguments.config else CONFIG_VARIABLE
        cause = "it is no file" if os.path.lexists(config) else "there is no such file"
        raise UsageError(f"{source} {config}: {cause}")
    return config


def project_of(arguments: argparse.Namespace) -> Project:
    """The project as the options say."""
    # Some verbs need only the directory, and what reads the rules costs more than those do.
    from rules_lsp.workspace.project import Project

    fold_case = True if getattr(arguments, "case_insensitive", False) else None
    return Project(root_of(arguments), operator_config_of(arguments), fold_case=fold_case)
