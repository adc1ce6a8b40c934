"""Parts of the system prompt: the host's own, what the rules in force add, and the tools of the servers."""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.policy.config import SECTION
from rules_lsp.policy.keys import TOP_LEVEL, meant_key
from rules_lsp.policy.policy import Policy, kind_of_rule_file
from rules_lsp.policy.roots import Root
from rules_lsp.prompt.told_files import LeftOut, Overlay, is_secret, read_told
from rules_lsp.prompt.view import Part, Section
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, key_text, parse_yaml
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.server_files import ConfiguredServer, ServerFile

Told = Part | LeftOut
BASE_NAME = "the system prompt of the host"
_EXTENSION: Section = "system_prompt_extension"


def base_part(path: str | None, root: Root, overlay: Overlay | None) -> Iterator[Told]:
    """The host's own system prompt: the text of a file, else a part without text that says whose it is."""
    why = "the host has words of its own here, which are not known"
    if path is not None:
        name = root.relative(os.path.normpath(path)) or path
        found = read_told(path, root, overlay)
        if found is not None and found.cause is None:
            yield whole_file("base", name, path, found.text, "given as the host's own")
            return
        if found is None or found.cause is None:
            yield LeftOut(name, path, "unreadable", "there is no such file")
        else:
            yield LeftOut(name, path, found.cause, found.why)
    yield Part("base", BASE_NAME, None, None, None, "", "", why)


def whole_file(section: Section, name: str, path: str, text: Text, why: str, before: str = "") -> Part:
    """A part that is all of a file."""
    return Part(section, name, path, text, Span(0, len(text.content)), before, text.content, why)


def extension_parts(policy: Policy) -> Iterator[Told]:
    """What the rules in force add to the system prompt, and the rule files that add nothing."""
    yield from _superseded(policy)
    rule_file, source = policy.rule_file, policy.source
    if policy.degraded and rule_file is not None:
        cause = rule_file.unreadable or next((each.message for each in policy.errors), "it does not parse")
        yield LeftOut(rule_file.name, rule_file.document.path, "broken", f"it cannot be read: {cause}")
    text = policy.rules.system_prompt_extension
    if source is None or not text:
        return
    name = policy.root.relative(source.path) or source.path
    if not policy.enabled:
        by = policy.config.path and (policy.root.relative(policy.config.path) or policy.config.path)
        yield LeftOut(name, source.path, "disabled", "`enabled: false` of the configuration switches the rules off", by)
    elif is_secret(os.path.realpath(source.path), policy.root):
        yield LeftOut(name, source.path, "secret", "it holds secrets")
    else:
        span = _place_of_extension(policy, source.text)
        yield Part(_EXTENSION, name, source.path, source.text, span, "", text, "the rules in force add it")


def _superseded(policy: Policy) -> Iterator[LeftOut]:
    if policy.rule_file is None:
        return
    names = [entry.name for entry in policy.config.rule_files]
    in_force = policy.rule_file.name
    for name in names[names.index(in_force) + 1 :] if in_force in names else ():
        path = policy.root.absolute(name)
        if os.path.lexists(path):
            yield LeftOut(name, path, "superseded", f"`{in_force}` is in force in its place", in_force)


def _place_of_extension(policy: Policy, text: Text) -> Span:
    """From the first to the last value of the key, the whole text where the file is Markdown."""
    whole = Span(0, len(text.content))
    source = policy.source
    rule_file = policy.rule_file
    from_rules = source is not None and rule_file is not None and source.path == rule_file.document.path
    if from_rules and rule_file is not None and kind_of_rule_file(rule_file.name) == "markdown":
        return whole
    node: Node | None = parse_yaml(text).root
    for key in () if from_rules else (SECTION, "default_rules"):
        node = node.get(key) if isinstance(node, Mapping) else None
    spans = [value.token for name, value in _pairs(node) if name == _EXTENSION]
    return Span(spans[0].start, spans[-1].end) if spans else whole


def _pairs(node: Node | None) -> Iterator[tuple[str, Node]]:
    for key, value in node.pairs if isinstance(node, Mapping) else ():
        name = key_text(key)
        if name is not None:
            yield name.value if name.value in TOP_LEVEL else meant_key(name.value, TOP_LEVEL) or "", value


def tool_parts(root: Root, files: tuple[ServerFile, ...], catalogue: Catalogue) -> Iterator[Told]:
    """The known tools of each configured server; how a host describes them in full is its own affair."""
    for file in files:
        path = root.absolute(file.name)
        yield from (_server(file, server, path, catalogue) for server in file.servers)


def _server(file: ServerFile, server: ConfiguredServer, path: str, catalogue: Catalogue) -> Told:
    if server.disabled:
        return LeftOut(file.name, path, "disabled", f"the server `{server.name}` is switched off")
    known = catalogue.known(server.name)
    if known is None or not known.tools:
        why = f"the tools of `{server.name}` are not known: `rules-lsp tools refresh` asks the server"
        return LeftOut(file.name, path, "unknown", why)
    lines = [
        f"{server.name}/{tool.name}" + (f": {tool.description}" if tool.description else "") for tool in known.tools
    ]
    more = "" if known.whole else ", and perhaps others"
    told = f"as {'the server said' if known.asked else f'{known.title} has them'}{more}; the host words it its own way"
    why = f"the tools of `{server.name}`, {told}"
    return Part("mcp_tools", file.name, path, file.text, server.span, "", "\n".join(lines), why)
