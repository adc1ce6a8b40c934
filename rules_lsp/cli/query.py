"""`rules-lsp query`: JSON lines in, JSON lines out."""

from __future__ import annotations

import argparse
import json
import sys

from rules_lsp.cli.options import add_project_options, add_volume_option, project_of
from rules_lsp.policy.query import refusal
from rules_lsp.workspace.project import Project

DESCRIPTION = "Answer questions from standard input, one JSON object a line, with one JSON answer a line, in order."
EXAMPLE = """echo '{"path": "src/app.py", "operation": "write"}' | rules-lsp query"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    add_project_options(parser)
    add_volume_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer until the end of standard input; a line that is no JSON is answered like any other."""
    project = project_of(arguments)
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(_answer(project, line) + "\n")
            sys.stdout.flush()
    return 0


def _answer(project: Project, line: bytes) -> str:
    try:
        query = json.loads(line)
    except (ValueError, RecursionError):
        answer = refusal(project.policy(), {}, "the line is no JSON: write one JSON object a line").as_json()
    else:
        answer = project.answer(query)
    return json.dumps(answer)
