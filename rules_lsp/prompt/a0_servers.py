"""The names of `.a0proj/mcp_servers.json` as Agent Zero calls them, and what is wrong with them.

The servers themselves are read by `workspace.server_files`; what is wrong with the file as such is told there.
"""

from __future__ import annotations

from rules_lsp.policy.yaml.lists import first_line
from rules_lsp.prompt.a0_keys import SERVERS_FILE
from rules_lsp.prompt.relaxed_json import read_relaxed_json
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem, Related
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import YamlDocument
from rules_lsp.workspace.located_json import read_json
from rules_lsp.workspace.server_entries import named_servers

MAX_SERVERS = 1_000
_NO_WORD = expression(r"[^\w]")
_LETTER = expression(r"[^\W_]")
# These change what stands on which side of the dot of `server.tool`, or end the name.
_BREAKING = expression(r"[^\w-]")


@dataclass(frozen=True, slots=True)
class A0ServerName:
    """A server's name as written, and as an agent calls it in `server.tool`."""

    name: str
    called: str
    span: Span


@dataclass(frozen=True, slots=True)
class A0ServersReading:
    """The names of a text in its order, those of the first `MAX_SERVERS`."""

    names: tuple[A0ServerName, ...]
    document: YamlDocument
    problems: tuple[Problem, ...]

    @property
    def error(self) -> Problem | None:
        """Why the text does not parse, or None."""
        return self.document.error


def called_name(name: str) -> str:
    """A server's name as Agent Zero calls it: in lower case, with `_` for all that is no letter, digit or `_`."""
    return _NO_WORD.sub("_", name.strip().lower())


def read_a0_servers(text: Text) -> A0ServersReading:
    """Read the text of a file; never raises. `problems` are those of its names, and that the text does not parse."""
    document = read_relaxed_json(text)
    if document.error is not None:
        return A0ServersReading((), document, document.problems)
    located = read_json(text.content)
    names: list[A0ServerName] = []
    problems = list(document.problems)
    first: dict[str, A0ServerName] = {}
    for found in named_servers(SERVERS_FILE, located.value):
        if len(names) == MAX_SERVERS:
            break
        each = A0ServerName(found.name, called_name(found.name), located.span(found.path))
        names.append(each)
        before = first.setdefault(each.called, each)
        if before is not each:
            problems.append(_clash(each, before))
        elif not _LETTER.search(each.called) or _BREAKING.search(each.name):
            problems.append(_unusable(each))
    return A0ServersReading(tuple(names), document, tuple(sorted(problems, key=lambda problem: problem.span)))


def _clash(server: A0ServerName, before: A0ServerName) -> Problem:
    message = (
        f"`{first_line(server.name)}` and `{first_line(before.name)}` are both called `{server.called}`: "
        "only one of them can be reached, so give it another name"
    )
    related = (Related(before.span, "called the same"),)
    return Problem("clashing-server-names", message, server.span, "error", {"called": server.called}, related)


def _unusable(server: A0ServerName) -> Problem:
    name = first_line(server.name)
    if not _LETTER.search(server.called):
        message = f"`{name}` has no letter and no digit, so nobody can call its tools: give it another name"
        return Problem("unusable-server-name", message, server.span, "error")
    message = f"`{name}` cannot be written in `server.tool`: its tools are called `{server.called}.…`, so name it that"
    return Problem("unusable-server-name", message, server.span, "warning", {"called": server.called})
