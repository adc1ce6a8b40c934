"""The command `rules-lsp`: finds the verb, and imports nothing that the verb does not need."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import NamedTuple, Protocol, TextIO, cast

from rules_lsp import __version__

OK, FOUND, FAILED = 0, 1, 2
# As a shell tells of a program that the signal has ended.
INTERRUPTED, NOBODY_READS = 130, 141


class Verb(Protocol):
    """A module of this package that is a verb of the command."""

    DESCRIPTION: str
    EXAMPLE: str

    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


class VerbEntry(NamedTuple):
    """Where a verb lives, and what it does in a line."""

    module: str
    summary: str


VERBS = {
    "check": VerbEntry("rules_lsp.cli.check", "find what is wrong in rule files"),
    "completion": VerbEntry("rules_lsp.cli.completion", "print the completion of this command for a shell"),
    "context": VerbEntry("rules_lsp.cli.context", "list the files that a prompt takes in, and what they cost"),
    "doctor": VerbEntry("rules_lsp.cli.doctor", "say which agents obey the rules here, and which would not"),
    "edits": VerbEntry("rules_lsp.cli.edits", "check a batch of edits, or make all of them or none"),
    "explain": VerbEntry("rules_lsp.cli.explain", "say whether a file or a tool is allowed, and by which rule"),
    "export": VerbEntry("rules_lsp.cli.export", "write the rules into a host's own permission settings"),
    "files": VerbEntry("rules_lsp.cli.files", "list the files that a glob, or the rules, take"),
    "hook": VerbEntry("rules_lsp.cli.hook", "make an agent obey: install its hook, or answer a call"),
    "init": VerbEntry("rules_lsp.cli.init", "write a commented rule file to start from"),
    "instructions": VerbEntry("rules_lsp.cli.instructions", "say which AGENTS.md hold for a file, and which do not"),
    "mcp": VerbEntry("rules_lsp.cli.mcp", "run the MCP server"),
    "persona": VerbEntry("rules_lsp.cli.persona", "show what a model is told by a persona, or list the personas"),
    "policy": VerbEntry("rules_lsp.cli.policy", "show the rules in force, and what each of them contributes"),
    "prompt": VerbEntry("rules_lsp.cli.prompt", "show all that an agent is told, and where each line comes from"),
    "prompter": VerbEntry("rules_lsp.cli.prompter", "ask the gate of Auto Prompter, approve, and read its audit"),
    "query": VerbEntry("rules_lsp.cli.query", "answer questions as JSON, one a line"),
    "rule": VerbEntry("rules_lsp.cli.rule", "show what a check finds, or all checks"),
    "serve": VerbEntry("rules_lsp.cli.serve", "run the language server"),
    "tools": VerbEntry("rules_lsp.cli.tools", "list the known tools of the servers, or ask the servers for them"),
}


def main(argv: list[str] | None = None) -> int:
    """Run the command; the answer is its exit code: 0 fine, 1 findings or denied, 2 usage or failure.

    An interrupted command ends with 130, one whose reader has gone with 141, both without a word.
    """
    arguments = sys.argv[1:] if argv is None else argv
    if arguments and arguments[0] in ("--stdio", "--tcp"):
        arguments = ["serve", *arguments]
    if not _streams_are_open():
        return FAILED
    try:
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()
    except UsageError as error:
        return _failed(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_what_is_left()
        return NOBODY_READS
    except OSError as error:
        _drop_what_is_left()
        where = f": {error.filename}" if error.filename is not None else ""
        return _failed(f"{(error.strerror or str(error)).lower()}{where}")


def _failed(message: str) -> int:
    from rules_lsp.cli.printable import printable

    try:
        print(f"rules-lsp: {printable(message)}", file=sys.stderr, flush=True)
    except OSError:
        # Nobody hears of it: the exit code says it alone.
        _drop_what_is_left()
    return FAILED


def _drop_what_is_left() -> None:
    """What could not be written waits in the buffers; the interpreter must not try to flush it once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _streams_are_open() -> bool:
    """Whether there is an output to write to; where there is no input, it is an empty one.

    A character that the output's encoding lacks is escaped: a file may have any name.
    """
    if cast(TextIO | None, sys.stderr) is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if cast(TextIO | None, sys.stdin) is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if cast(TextIO | None, sys.stdout) is None:
        print("rules-lsp: standard output is closed", file=sys.stderr)
        return False
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return True


class UsageError(Exception):
    """The command cannot be carried out as it was given; the message says what to do."""


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in VERBS:
        return _without_verb(arguments)
    name = arguments[0]
    verb = verb_named(name)
    return verb.run(parser_of(name, verb).parse_args(arguments[1:]))


def verb_named(name: str) -> Verb:
    """The module of a verb of the table, imported."""
    return cast(Verb, importlib.import_module(VERBS[name].module))


def parser_of(name: str, verb: Verb) -> argparse.ArgumentParser:
    """The parser of a verb's arguments."""
    parser = argparse.ArgumentParser(
        prog=f"rules-lsp {name}",
        description=verb.DESCRIPTION,
        epilog=f"example:\n  {verb.EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verb.add_arguments(parser)
    return parser


def _without_verb(arguments: list[str]) -> int:
    width = max(len(name) for name in VERBS)
    verbs = "\n".join(f"  {name:{width}}  {entry.summary}" for name, entry in VERBS.items())
    parser = argparse.ArgumentParser(
        prog="rules-lsp",
        usage="rules-lsp [--version] VERB …",
        description="Decide what a coding agent may do in a repository.",
        epilog=f"verbs:\n{verbs}\n\nexample:\n  rules-lsp explain file src/app.py\n\n"
        "`rules-lsp VERB --help` says more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rules-lsp {__version__}")
    parser.add_argument("verb", nargs="?", help=argparse.SUPPRESS)
    parsed, _ = parser.parse_known_args(arguments)
    if parsed.verb is not None:
        raise UsageError(f"there is no verb `{parsed.verb}`: use one of {', '.join(VERBS)}")
    parser.print_help(sys.stderr)
    return FAILED
