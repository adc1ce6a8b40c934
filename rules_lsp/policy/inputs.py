"""Everything that a policy is made from, read as it is now: bytes of files, and what the disk says of names."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping

from rules_lsp.policy.config import DEFAULT_RULE_FILES, Config, read_config
from rules_lsp.policy.files import FileContent, read_file
from rules_lsp.policy.policy import CONFIG_NAME
from rules_lsp.policy.roots import Root
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass, field
from rules_lsp.source.text import Span

GOVERNING_NAMES = (CONFIG_NAME, ".auto-prompter.yaml")


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that a policy is made from, as bytes: two equal inputs make the same policy.

    `is_directory` is False where there is no project at the root at all.
    """

    root: Root
    is_directory: bool
    config_path: str
    config: FileContent
    operator: bool
    rule_file: tuple[str, FileContent] | None
    known_servers: frozenset[str]
    fold_case: bool
    linked: tuple[str, ...]
    parsed_config: Config = field(compare=False)
    skipped: tuple[Problem, ...] = field(compare=False, default=())


def read_inputs(
    root: Root,
    *,
    operator_config: str | None = None,
    known_servers: frozenset[str] = frozenset(),
    fold_case: bool = False,
    before: Inputs | None = None,
    overlay: Mapping[str, str] | None = None,
) -> Inputs:
    """Read what a policy depends on. `overlay` maps absolute paths to texts that stand in for files (open buffers)."""
    config_path = operator_config or os.path.join(root.real, CONFIG_NAME)
    own = os.path.join(root.real, CONFIG_NAME)
    operator = operator_config is not None and os.path.realpath(operator_config) != os.path.realpath(own)
    within = None if operator_config is not None else root.real
    content = _read(config_path, within, overlay)
    if before is not None and (before.config_path, before.config, before.operator) == (config_path, content, operator):
        config = before.parsed_config
    else:
        config = read_config(content, config_path, operator=operator)
    found, skipped = _find(root, config, overlay)
    linked = tuple(sorted(_linked_names(root, config, operator_config)))
    return Inputs(
        root=root,
        is_directory=os.path.isdir(root.real),
        config_path=config_path,
        config=content,
        operator=operator,
        rule_file=found,
        known_servers=known_servers,
        fold_case=fold_case,
        linked=linked,
        parsed_config=config,
        skipped=tuple(skipped),
    )


def _read(path: str, within: str | None, overlay: Mapping[str, str] | None) -> FileContent:
    if overlay and path in overlay:
        return FileContent(True, overlay[path].encode("utf-8", "surrogatepass"))
    return read_file(path, within)


def _find(
    root: Root, config: Config, overlay: Mapping[str, str] | None
) -> tuple[tuple[str, FileContent] | None, list[Problem]]:
    """The first rule file of the order that exists, and the names that were passed over."""
    skipped: list[Problem] = []
    for entry in config.rule_files:
        path = os.path.normpath(os.path.join(root.real, entry.name))
        relative = root.relative(path)
        if relative is None or not relative or "\0" in entry.name:
            message = f"`{entry.name}` is no file inside the project: it is skipped"
            skipped.append(Problem("unknown-rule-file", message, entry.span or Span(0, 0)))
            continue
        content = _read(path, root.real, overlay)
        if content.exists:
            return (relative, content), skipped
    return None, skipped


def _linked_names(root: Root, config: Config, operator_config: str | None) -> set[str]:
    """The root-relative names that govern the agent: the order, the default order, the configurations, link targets."""
    names = {*DEFAULT_RULE_FILES, *GOVERNING_NAMES}
    for entry in config.rule_files:
        relative = root.relative(os.path.normpath(os.path.join(root.real, entry.name)))
        if relative:
            names.add(relative)
    names.update([linked for name in names if (linked := _linked_to(root, name))])
    if operator_config is not None:
        path = os.path.abspath(operator_config)
        names.update(filter(None, map(root.relative, (path, os.path.realpath(path)))))
    return names


def _linked_to(root: Root, name: str) -> str | None:
    """What a root-relative name leads to by links, root-relative too; None where there are none, or it lies outside.

    The real root has no link in it, so that only what is below it is looked at.
    """
    path = root.real
    for part in name.split("/"):
        path = os.path.join(path, part)
        try:
            mode = os.lstat(path).st_mode
        except (OSError, ValueError):
            return None
        # The junctions of Windows lead elsewhere and are no links.
        if stat.S_ISLNK(mode) or os.name == "nt":
            return root.relative(os.path.realpath(root.absolute(name)))
    return None
