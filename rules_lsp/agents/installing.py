"""What installing a hook, or taking it away, changes in a host's file; nothing is written here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from rules_lsp.agents.codex_trust import project_trust, trust_entry, trust_key, trusted_hash
from rules_lsp.agents.hook_command import guarded, hook_words, host_of, words_in
from rules_lsp.agents.hook_scripts import mark_of, plugin, script
from rules_lsp.agents.host_files import HOOK_FILES, project_file, user_directory, user_file
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.json_edits import CannotEdit, append_to_list, remove_value, render, replace_value
from rules_lsp.workspace.located_json import read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BOM = "\ufeff"
COMMAND_KEYS = ("command", "bash")


class Refused(Exception):
    """The file is left alone; the message says why."""


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a host's file: its content before and after, None where there is none.

    `mode` are the permissions of a new file before the user's mask. `notes` say what is left to do.
    """

    path: str
    before: bytes | None
    after: bytes | None
    mode: int = 0o666
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """One of our hooks in a list of a host: its item, where in it the handler stands, and whether it is all of it."""

    event: str
    index: int
    handler: int | None
    words: tuple[str, ...]
    alone: bool


def plan_install(host: str, root: str | None, look_into_shell: bool = True) -> Change:
    """The change that installs the hook of a host: into a project, or for the user where `root` is None.

    Raises `Refused` where the file must be left alone and OSError where it cannot be read.
    """
    path = user_file(host) if root is None else project_file(host, root)
    words = hook_words(host, look_into_shell)
    before = _content(path)
    if HOOK_FILES[host].kind == "json":
        try:
            after = _installed(host, None if before is None else _text(before), guarded(words))
        except CannotEdit as error:
            raise Refused(str(error)) from None
        return Change(path, before, after.encode("utf-8"), notes=_notes(host, path, after, root))
    if before is not None and not _is_ours(host, _text(before)):
        raise Refused("it is not ours: move it away, or call `rules-lsp hook` in it")
    content = script(words) if HOOK_FILES[host].kind == "script" else plugin(words)
    return Change(path, before, content.encode("utf-8"), 0o777 if HOOK_FILES[host].kind == "script" else 0o666)


def plan_uninstall(host: str, root: str | None) -> Change:
    """The change that takes the hook of a host away again; raises as `plan_install` does."""
    path = user_file(host) if root is None else project_file(host, root)
    before = _content(path)
    if before is None:
        return Change(path, None, None)
    text = _text(before)
    if HOOK_FILES[host].kind != "json":
        return Change(path, before, None if _is_ours(host, text) else before)
    try:
        after = _uninstalled(host, text)
    except CannotEdit as error:
        raise Refused(str(error)) from None
    return Change(path, before, None if after is None else after.encode("utf-8"))


def hooks_in(host: str, data: object) -> Iterator[Found]:
    """Our hooks among the hooks of a host's parsed file, under the events that install writes there."""
    for found in our_hooks(data, HOOK_FILES[host].events):
        if host_of(found.words) == host:
            yield found


def our_hooks(data: object, events: Iterable[str]) -> Iterator[Found]:
    """Our hooks of whatever host among those of some events of a parsed file."""
    for event in events:
        for index, item in enumerate(items_of(data, event)):
            handlers = handlers_of(item)
            for number, handler in handlers:
                words = next((found for key in COMMAND_KEYS if (found := words_in(handler.get(key)))), None)
                if words is not None:
                    yield Found(event, index, number, words, len(handlers) == 1)


def items_of(data: object, event: str) -> list[Any]:
    """The list of hooks of an event; empty where there is none."""
    hooks = data.get("hooks") if isinstance(data, Mapping) else None
    items = hooks.get(event) if isinstance(hooks, Mapping) else None
    return items if isinstance(items, list) else []


def handlers_of(item: object) -> list[tuple[int | None, Mapping[str, Any]]]:
    """The handlers of an item: those of a group with their numbers, or the item itself."""
    if not isinstance(item, Mapping):
        return []
    if not isinstance(item.get("hooks"), list):
        return [(None, item)]
    return [(number, handler) for number, handler in enumerate(item["hooks"]) if isinstance(handler, Mapping)]


def _installed(host: str, text: str | None, command: str) -> str:
    file = HOOK_FILES[host]
    if text is None:
        return _fresh(host, command) + "\n"
    bom, text = (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
    if _is_blank(text):
        return bom + text + _fresh(host, command)
    for event in file.events:
        text = _with_item(host, text, event, file.item(command))
    return bom + text


def _with_item(host: str, text: str, event: str, wanted: dict[str, Any]) -> str:
    """The text with our item in one event's list: where it stands now, or at the end."""
    data = read_json(text).value
    found = [each for each in hooks_in(host, data) if each.event == event]
    items = items_of(data, event)
    moves = HOOK_FILES[host].last and any(each.index < len(items) - 1 for each in found)
    # Of several only one is brought up to date: an old one would go on answering.
    for each in reversed(found if moves else found[1:]):
        text = remove_value(text, _path(each))
    found = [] if moves else found
    if not found:
        return append_to_list(text, ("hooks", event), wanted, dict(HOOK_FILES[host].top))
    first = found[0]
    if first.alone:
        current, value = items[first.index], wanted
    else:
        current, value = items[first.index]["hooks"][first.handler], wanted["hooks"][0]
    return text if current == value else replace_value(text, _path(first), value)


def _uninstalled(host: str, text: str) -> str | None:
    bom, text = (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
    document = read_json(text)
    if document.problem is not None:
        raise Refused(document.problem.message)
    found = list(hooks_in(host, document.value))
    for command in {_command(document.value, each) for each in found}:
        fresh = _fresh(host, command)
        if bom + text == fresh + "\n":
            return None
        if text.endswith(fresh) and _is_blank(text.removesuffix(fresh)):
            return bom + text.removesuffix(fresh)
    for each in reversed(found):
        text = remove_value(text, _path(each), dict(HOOK_FILES[host].top))
    return bom + text


def _path(found: Found) -> tuple[str | int, ...]:
    item = ("hooks", found.event, found.index)
    return item if found.alone or found.handler is None else (*item, "hooks", found.handler)


def _command(data: Any, found: Found) -> str:
    item = data["hooks"][found.event][found.index]
    handler = item if found.handler is None else item["hooks"][found.handler]
    return next(str(handler[key]) for key in COMMAND_KEYS if words_in(handler.get(key)))


def _fresh(host: str, command: str) -> str:
    file = HOOK_FILES[host]
    return render({**file.top, "hooks": {event: [file.item(command)] for event in file.events}})


def _is_blank(text: str) -> bool:
    document = read_json(text)
    return document.problem is None and document.value is None and not text.strip().endswith("null")


def _is_ours(host: str, text: str) -> bool:
    return mark_of(host) in text


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _text(content: bytes | None) -> str:
    try:
        return (content or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("it is no text of UTF-8") from None


def _notes(host: str, path: str, text: str, root: str | None) -> tuple[str, ...]:
    """What a host still wants of its user before it runs the hook."""
    if host == "codex":
        return _notes_for_codex(path, text, root)
    if host == "gemini" and root is not None:
        return ("gemini runs the hooks of a project that is trusted: answer its question with `trust`",)
    if host == "copilot" and root is not None:
        return ("copilot runs the hooks of a folder that is trusted: answer its question with `trust`",)
    return ()


def _notes_for_codex(path: str, text: str, root: str | None) -> tuple[str, ...]:
    data = read_json(text.removeprefix(_BOM)).value
    found = next(hooks_in("codex", data))
    group = items_of(data, found.event)[found.index]
    number = found.handler or 0
    digest = trusted_hash(group, group["hooks"][number])
    config = os.path.join(user_directory("codex"), "config.toml")
    notes = [
        "codex passes over a hook that is not trusted, without a word: trust it with `/hooks` in codex, or write into"
        f" {config}\n{trust_entry(trust_key(path, found.index, number), digest)}"
    ]
    if root is not None:
        notes.append(f"codex reads the hooks of a project that is trusted: {config} must hold\n{project_trust(root)}")
    return tuple(notes)
