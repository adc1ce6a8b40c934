"""`rules-lsp instructions`: the AGENTS.md that hold for a file."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from rules_lsp.cli.costs import cost
from rules_lsp.cli.main import OK
from rules_lsp.cli.options import root_of
from rules_lsp.cli.printable import printable
from rules_lsp.prompt.chain import Chain, ChainPart
from rules_lsp.prompt.instructions import instructions_for
from rules_lsp.prompt.tokens import estimate_tokens

DESCRIPTION = """Say which instructions hold for a file or a folder: one AGENTS.md a folder, from the project's root on
the way to it, the first of AGENTS.override.md, AGENTS.Override.md, AGENTS.md, Agents.md and agents.md; and which of
them are not told, and why. The path need not exist."""
EXAMPLE = "rules-lsp instructions src/api/app.py\n  rules-lsp instructions services/ --format json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("path", metavar="PATH", help="a file, or a folder")
    parser.add_argument("--root", metavar="DIR", help="the project's directory (default: the git work tree's top)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print them")


def run(arguments: argparse.Namespace) -> int:
    """Print the instructions."""
    # A separator at the end says that a folder is meant, and must not be lost.
    chain = instructions_for(root_of(arguments), os.path.join(os.getcwd(), arguments.path))
    if arguments.format == "json":
        import json

        from rules_lsp.prompt.as_json import chain_as_json

        print(json.dumps(chain_as_json(chain), indent=2))
    else:
        for line in _lines(chain):
            print(printable(line))
    return OK


def _lines(chain: Chain) -> Iterator[str]:
    if chain.folder is None:
        yield "the path lies outside the project: only the instructions of the root hold"
    told = (*(() if chain.own is None else (chain.own,)), *chain.parts)
    if not told:
        yield "no instructions hold here"
    for part in told:
        yield _line(part)
    if chain.left_out:
        yield "left out:"
    for each in chain.left_out:
        yield f"  {each.name}: {each.why}"


def _line(part: ChainPart) -> str:
    content = part.text.content
    return f"{part.name}: {part.why} ({cost(len(content), estimate_tokens(content))})"
