"""The messages in front of the history: the instructions of the folders on the way, and those of the project."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from rules_lsp.policy.roots import Root
from rules_lsp.prompt.a0_keys import INSTRUCTIONS_FOLDER, LISTED_FOLDERS, PROJECT_FILE
from rules_lsp.prompt.a0_project import A0ProjectReading
from rules_lsp.prompt.active_project import Templates
from rules_lsp.prompt.chain import Chain, ChainPart
from rules_lsp.prompt.system_parts import Told, whole_file
from rules_lsp.prompt.template import render
from rules_lsp.prompt.told_files import LeftOut, Overlay, read_told
from rules_lsp.prompt.view import GAP, ListedFolder, Part, Section
from rules_lsp.prompt.wording import CHAIN, PROJECT, Wording
from rules_lsp.source.records import replace
from rules_lsp.source.text import Text

MAX_FILES = 1_000
"""Files of a folder that are read, or listed."""
_PLACE = "\0"
# Agent Zero takes files whose names tell of another kind for no text.
_NO_TEXT = (".json", ".sh", ".tex", ".latex", ".pdf", ".zip", ".tar", ".png", ".jpg", ".jpeg", ".gif", ".mp3", ".mp4")


def chain_message(chain: Chain, templates: Templates | None) -> Iterator[Told]:
    """The instructions of the folders below the root, each under its name."""
    parts = [_instructions("agents_md_instructions", part) for part in chain.parts]
    yield from _wrapped(CHAIN, "agents_md_instructions", parts, {}, templates)


def project_message(
    chain: Chain,
    a0: A0ProjectReading | None,
    a0_text: Text | None,
    values: Mapping[str, str],
    templates: Templates | None,
    overlay: Overlay | None,
) -> Iterator[Told]:
    """The instructions of the project: those of `project.json`, the root's AGENTS.md, and the files of its folder."""
    root, parts = chain.root, list[Part]()
    if a0 is not None and a0_text is not None and a0.project.instructions.strip():
        path, why = root.absolute(PROJECT_FILE), "the instructions of the project's own settings"
        span, text = a0.spans["instructions"], a0.project.instructions
        parts.append(Part("project_instructions", PROJECT_FILE, path, a0_text, span, "", text, why))
    if chain.own is not None:
        parts.append(_instructions("project_instructions", chain.own))
    for each in _instruction_files(root, overlay) if a0 is not None else ():
        if isinstance(each, Part):
            parts.append(each)
        else:
            yield each
    wrapped = {**values, "include_agents_md": str(a0 is None or a0.project.include_agents_md)}
    yield from _wrapped(PROJECT, "project_instructions", parts, wrapped, templates)


def listed_folders(root: Root) -> tuple[ListedFolder, ...]:
    """The folders whose files an agent has and is not told; none of them is opened, and no link followed."""
    found = (_listed(root, name) for name in LISTED_FOLDERS)
    return tuple(each for each in found if each is not None)


def _listed(root: Root, folder: str) -> ListedFolder | None:
    top = root.absolute(folder)
    if os.path.islink(top) or not os.path.isdir(top):
        return None
    files: list[str] = []
    for directory, folders, names in os.walk(top):
        folders.sort()
        relative = os.path.relpath(directory, top).replace(os.sep, "/")
        prefix = "" if relative == "." else f"{relative}/"
        files += [f"{folder}/{prefix}{name}" for name in names]
        if len(files) > MAX_FILES:
            return ListedFolder(folder, tuple(sorted(files)[:MAX_FILES]), False)
    return ListedFolder(folder, tuple(sorted(files)), True)


def _instruction_files(root: Root, overlay: Overlay | None) -> Iterator[Told]:
    directory = root.absolute(INSTRUCTIONS_FOLDER)
    try:
        names = sorted(name for name in os.listdir(directory) if not os.path.isdir(os.path.join(directory, name)))
    except OSError:
        return
    for number, base in enumerate(names):
        name, path = f"{INSTRUCTIONS_FOLDER}/{base}", os.path.join(directory, base)
        if number == MAX_FILES:
            yield LeftOut(INSTRUCTIONS_FOLDER, directory, "too-large", f"it holds more than {MAX_FILES:,} files")
            return
        if base.lower().endswith(_NO_TEXT):
            yield LeftOut(name, path, "not-text", "its name is that of no text")
            continue
        found = read_told(path, root, overlay)
        if found is None:
            continue
        if found.cause is not None:
            yield LeftOut(name, path, found.cause, found.why)
        elif not found.text.content.strip():
            yield LeftOut(name, path, "empty", "it is empty")
        else:
            why = "a file of the project's instructions, which are told in the order of their names"
            yield whole_file("project_instructions", name, path, found.text, why, f"### {name}{GAP}")


def _instructions(section: Section, part: ChainPart) -> Part:
    return whole_file(section, part.name, part.path, part.text, part.why, f"### {part.name}{GAP}")


def _wrapped(
    wording: Wording, section: Section, parts: list[Part], values: Mapping[str, str], templates: Templates | None
) -> Iterator[Told]:
    """The parts with the words of a template around them: in front of the first, between them, and behind the last."""
    if not parts:
        return
    content = (templates or {}).get(wording.file_name, wording.content)
    clean = {name: value.replace(_PLACE, "") for name, value in values.items()}
    pieces = render(content.replace(_PLACE, ""), {**clean, section: _PLACE}).split(_PLACE)
    waiting = pieces[0]
    for piece in pieces[1:]:
        for number, part in enumerate(parts):
            yield replace_before(part, (GAP if number else waiting) + part.before)
        waiting = piece
    if len(pieces) == 1:
        why = f"the template `{wording.file_name}` does not name `{section}`"
        yield from (LeftOut(part.name, part.path, "broken", why, wording.file_name) for part in parts)
    if waiting.strip():
        yield Part(section, wording.file_name, None, None, None, waiting, "", "the end of a template")


def replace_before(part: Part, before: str) -> Part:
    """The part with other words in front of it."""
    return replace(part, before=before)
