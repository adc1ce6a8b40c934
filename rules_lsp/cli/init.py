"""`rules-lsp init`: a commented rule file to start from."""

from __future__ import annotations

import argparse
import os

from rules_lsp.cli.main import OK, UsageError
from rules_lsp.cli.names import shortened
from rules_lsp.cli.options import add_project_options, project_of
from rules_lsp.cli.write_file import create
from rules_lsp.features.starter import STARTERS, notes_of

DESCRIPTION = """Write a commented rule file to start from; a file that exists is left alone.

It restricts one thing: files that usually hold secrets. The rest are examples to keep or to delete."""
EXAMPLE = "rules-lsp init\n  rules-lsp init --format md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("--format", choices=tuple(STARTERS), default="yaml", help="the format of the file")
    add_project_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the file and say how it stands to other rule files."""
    name, content = STARTERS[arguments.format]
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
    for note in notes_of(policy, name):
        print(note)
    return OK
