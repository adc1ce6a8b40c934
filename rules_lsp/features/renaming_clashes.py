"""What a rename would make one of two: another server, tool or key that has the name already."""

from __future__ import annotations

from collections.abc import Iterable

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.project_files import ProjectFiles
from rules_lsp.features.tool_occurrences import TOOL_PATHS, ToolName, named_parts
from rules_lsp.policy.entries import shown
from rules_lsp.policy.tools.names import fold
from rules_lsp.source.yaml_tree import Mapping, Scalar


def clash(files: ProjectFiles, subject: Subject, name: ToolName, new: str) -> str | None:
    """What has the name `new` already, as a sentence; None where nothing has. Names are compared without case.

    What is misspelt may become what was meant: a server that no file configures, a tool that its server lacks.
    """
    if name.tool is None:
        return _other_server(files, name.server or "", new)
    if name.server is not None and subject.catalogue is not None:
        known = subject.catalogue.known(name.server)
        tools = () if known is None else tuple(tool.name for tool in known.tools)
        other = _other(tools, name.tool, new) if name.tool in tools else None
        if other is not None:
            return f"`{shown(name.server)}` has a tool `{other}` already: two tools cannot have one name"
        if known is not None and known.whole:
            return None
    return _other_listed(files, name.server, name.tool, new)


def key_clash(subject: Subject, old: str, new: str) -> str | None:
    """That `x-tool-paths` of a rule file would have a key twice if one of its keys became `new`; else None."""
    root = subject.nodes.root
    for key, value in root.pairs if isinstance(root, Mapping) else ():
        if isinstance(key, Scalar) and key.value == TOOL_PATHS and isinstance(value, Mapping):
            for tool, _ in value.pairs:
                if isinstance(tool, Scalar) and tool.value == new != old:
                    line = subject.text.line_of(tool.span.start) + 1
                    return f"`{TOOL_PATHS}` has a key `{shown(new)}` already (line {line} of `{subject.name}`)"
    return None


def _other_server(files: ProjectFiles, old: str, new: str) -> str | None:
    other = _other(files.servers, old, new) if old in files.servers else None
    if other is None:
        return None
    return f"there is a server `{shown(other)}` already: two servers cannot have one name"


def _other_listed(files: ProjectFiles, server: str | None, old: str, new: str) -> str | None:
    """The first place where a tool of the new name is listed, which then is one of its own as far as anyone knows."""
    for subject in files.rule_files if fold(new) != fold(old) else ():
        for part in named_parts(subject, files.servers):
            own = part.name.server
            same = own is server if own is None or server is None else fold(own) == fold(server)
            if same and part.name.tool is not None and fold(part.name.tool) == fold(new):
                line = subject.text.line_of(part.span.start) + 1
                return (
                    f"`{shown(part.name.tool)}` is listed already (line {line} of `{subject.name}`):"
                    " two tools cannot have one name"
                )
    return None


def _other(names: Iterable[str], old: str, new: str) -> str | None:
    return next((name for name in names if name != old and fold(name) == fold(new)), None)
