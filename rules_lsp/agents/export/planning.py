"""What exporting a policy to a host changes on the disk; nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rules_lsp.agents.export.claude import LIST, claude
from rules_lsp.agents.export.codex import codex
from rules_lsp.agents.export.ignore_files import aider, cursor, gemini
from rules_lsp.agents.export.losses import Loss
from rules_lsp.agents.export.marked import Refused
from rules_lsp.agents.export.opencode import TOP, opencode
from rules_lsp.agents.export.owned import NOTE, note_text, noted, parsed_object, with_items, with_members
from rules_lsp.agents.export.vscode import vscode
from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.json_edits import CannotEdit, replace_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.workspace.catalogue import Catalogue

    Entries = list[list[str]]
    Written = tuple[str | None, Entries | None, Iterable[Loss]]


@dataclass(frozen=True, slots=True)
class FileChange:
    """What becomes of a file: its content before and after, None where there is none. `path` is absolute."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def is_current(self) -> bool:
        """Whether nothing changes."""
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class Plan:
    """An export: the host's file, the note of what is ours in it (JSON files alone), and what is lost."""

    host: str
    file: FileChange
    note: FileChange | None
    losses: tuple[Loss, ...]

    @property
    def is_current(self) -> bool:
        """Whether the host's file already says what the policy does."""
        return self.file.is_current and (self.note is None or self.note.is_current)


HOST_FILES: dict[str, str] = {
    "claude": ".claude/settings.json",
    "cursor": ".cursorignore",
    "gemini": ".geminiignore",
    "codex": ".codex/config.toml",
    "opencode": "opencode.json",
    "vscode": ".vscode/settings.json",
    "aider": ".aiderignore",
}
"""The file of each host that can be exported to, relative to the project's directory."""


def plan_export(host: str, policy: Policy, catalogue: Catalogue) -> Plan:
    """The export of a policy to a host of `HOST_FILES`.

    Raises `Refused` where the host's file must be left alone and OSError where it cannot be read.
    """
    path = policy.root.absolute(HOST_FILES[host])
    before = _content(path)
    note_path = policy.root.absolute(NOTE)
    note = _content(note_path)
    every = noted(_text(note) if note is not None else None)
    text = _text(before) if before is not None else None
    written, ours, losses = _WRITERS[host](policy, catalogue, text, every.get(host, []))
    if written is not None and not written and before is None:
        written = None
    change = FileChange(path, before, None if written is None else written.encode("utf-8"))
    kept = FileChange(note_path, note, _note_after(note, {**every, host: ours})) if ours is not None else None
    return Plan(host, change, kept, tuple(losses))


def _note_after(before: bytes | None, entries: dict[str, Entries]) -> bytes | None:
    if before is None and not any(entries.values()):
        return None
    return note_text(entries).encode("utf-8")


def _cursor(policy: Policy, catalogue: Catalogue, text: str | None, ours: Entries) -> Written:
    return _without_entries(cursor(policy, text))


def _gemini(policy: Policy, catalogue: Catalogue, text: str | None, ours: Entries) -> Written:
    return _without_entries(gemini(policy, text))


def _aider(policy: Policy, catalogue: Catalogue, text: str | None, ours: Entries) -> Written:
    return _without_entries(aider(policy, text))


def _codex(policy: Policy, catalogue: Catalogue, text: str | None, ours: Entries) -> Written:
    return _without_entries(codex(policy, text))


def _claude(policy: Policy, catalogue: Catalogue, text: str | None, ours: Entries) -> Written:
    rules, losses = claude(policy, catalogue)
    return *with_items(text, LIST, rules, ours), losses


def _vscode(policy: Policy, catalogue: Catalogue, text: str | None, ours: Entries) -> Written:
    members, losses = vscode(policy)
    return *with_members(text, members, ours, last=True), losses


def _opencode(policy: Policy, catalogue: Catalogue, text: str | None, ours: Entries) -> Written:
    members, losses = opencode(policy, catalogue, parsed_object(text))
    if text is not None and members:
        text = _with_objects(text, {path[:-1] for path in members})
    return *with_members(text, members, ours, last=True), losses


def _with_objects(text: str, parents: Iterable[tuple[str, ...]]) -> str:
    """The text with each permission at a path that is one word as the object that it stands for: `{"*": word}`."""
    ways = {parent[:length] for parent in parents for length in range(1, len(parent) + 1)}
    for parent in sorted(ways, key=lambda way: (len(way), way)):
        value: object = parsed_object(text)
        for key in parent:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, str):
            try:
                text = replace_value(text, parent, {"*": value})
            except CannotEdit as error:
                raise Refused(f"`{'.'.join(parent) or TOP}`: {error}") from None
    return text


def _without_entries(found: tuple[str, Iterable[Loss]]) -> Written:
    return found[0], None, found[1]


_WRITERS: dict[str, Callable[[Policy, Catalogue, str | None, Entries], Written]] = {
    "claude": _claude,
    "cursor": _cursor,
    "gemini": _gemini,
    "codex": _codex,
    "opencode": _opencode,
    "vscode": _vscode,
    "aider": _aider,
}


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("it is no text of UTF-8") from None
