"""The files of one batch: each read once, with the edits that go into it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from rules_lsp.policy.decision import FileDecision
from rules_lsp.policy.requests import shown
from rules_lsp.policy.roots import Root
from rules_lsp.prompt.edits.encoded import EncodedFile, read_encoded
from rules_lsp.prompt.edits.matching import MAX_PLACES, Matcher, Replacement
from rules_lsp.prompt.edits.model import GOOD, EditAnswer, FileChange, Place, Status
from rules_lsp.prompt.edits.nearest import Budget, NearestFinder
from rules_lsp.prompt.edits.outcomes import Asked, Stopped, refused
from rules_lsp.prompt.edits.overlaps import overlapping
from rules_lsp.prompt.told_files import HOLDS_SECRETS, is_secret
from rules_lsp.source.text import Span, Text

Decide = Callable[[str, str], FileDecision]


class EditedFile:
    """One file and what the batch does to it. `path` is absolute and real."""

    def __init__(self, path: str, buffer: str | None, root: Root) -> None:
        self.path = path
        self.source: EncodedFile | str | None
        if is_secret(path, root):
            self.source = HOLDS_SECRETS
        else:
            self.source = read_encoded(path) if buffer is None else EncodedFile(b"", buffer)
        self.asked: dict[int, Asked] = {}
        self.spans: dict[int, Span] = {}
        self.replacements: dict[int, Replacement] = {}
        self.created: str | None = None

    @cached_property
    def matcher(self) -> Matcher:
        """The text in which blocks are looked for."""
        assert isinstance(self.source, EncodedFile)
        return Matcher(self.source.content)

    @cached_property
    def text(self) -> Text:
        """The text with its lines."""
        return Text(self.matcher.content)

    @cached_property
    def finder(self) -> NearestFinder:
        """What looks for the nearest place."""
        return NearestFinder(self.path, self.text)

    @cached_property
    def content(self) -> str:
        """The text after all edits; asked for once all of them are placed."""
        if self.created is not None:
            return self.created
        return self.matcher.replaced(list(self.replacements.values()))

    @property
    def is_deleted(self) -> bool:
        """Whether the edits leave nothing of a file that held something."""
        return self.created is None and bool(self.matcher.content) and not self.content

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know before the edits are made."""
        status = self.source.status if isinstance(self.source, EncodedFile) else None
        if status is None or status.st_nlink < 2:
            return ()
        return (f"the file has {status.st_nlink:,} names (hard links): the others keep the old text",)

    def place_of(self, span: Span) -> Place:
        """A place in the text."""
        return Place(self.path, self.text, span)


class EditedFiles:
    """All files of a batch, by their real paths."""

    def __init__(self, overlay: Mapping[str, str], decide: Decide, allow_delete: bool) -> None:
        self._overlay = {os.path.realpath(path): text for path, text in overlay.items()}
        self._decide = decide
        self._allow_delete = allow_delete
        self._files: dict[str, EditedFile] = {}
        self._budget = Budget()

    def place(self, asked: Asked) -> EditAnswer:
        """The answer to one edit by itself."""
        path = asked.real_path
        file = self._files.get(path)
        if file is None:
            file = self._files[path] = EditedFile(path, self._overlay.get(path), asked.decision.policy.root)
        stopped = self._create(file, asked) if not asked.edit.search_block else self._replace(file, asked)
        if stopped is not None:
            return refused(asked, stopped)
        file.asked[asked.edit.index] = asked
        span = file.spans.get(asked.edit.index)
        place = None if span is None else file.place_of(span)
        return EditAnswer(asked.edit.index, "ready", asked.decision, place, notes=file.notes)

    def together(self, answers: list[EditAnswer]) -> list[EditAnswer]:
        """The answers once the edits of a file are looked at together."""
        found = list(answers)
        for file, clashes in overlapping(self._files):
            for index, stopped in clashes.items():
                found[index] = refused(file.asked[index], stopped)
        for file in self._files.values():
            if file.asked and file.created is None and file.is_deleted:
                for index, asked in file.asked.items():
                    if found[index].status in GOOD:
                        found[index] = self._deletion(asked, found[index])
        return found

    def changes(self) -> Iterator[FileChange]:
        """What the batch makes of each file; only for a batch in which every edit is a good one."""
        for file in self._files.values():
            source = file.source if isinstance(file.source, EncodedFile) else EncodedFile(b"", "")
            before = None if file.created is not None else source.data
            after = None if file.is_deleted else source.encoded(file.content)
            if before != after:
                yield FileChange(file.path, before, after, source.status, tuple(file.asked))

    def _create(self, file: EditedFile, asked: Asked) -> Stopped | None:
        if file.source is not None:
            if isinstance(file.source, str) and not os.path.lexists(file.path):
                return Stopped("not-editable", f"`{asked.told}` cannot be created: {file.source}")
            return Stopped("exists", f"`{asked.told}` exists, and an empty `search_block` is for a new file")
        fault = _fault_of_parent(file.path)
        if fault is not None:
            return Stopped("not-editable", f"`{asked.told}` cannot be created: {fault}")
        # A file that is created twice is refused when the edits are looked at together.
        file.created = asked.edit.replace_block
        return None

    def _replace(self, file: EditedFile, asked: Asked) -> Stopped | None:
        if file.source is None:
            return Stopped("no-file", f"there is no `{asked.told}`: leave `search_block` empty to create it")
        if isinstance(file.source, str):
            return Stopped("not-editable", f"`{asked.told}` cannot be edited: {file.source}")
        fault = _fault_of_parent(file.path)
        if fault is not None:
            return Stopped("not-editable", f"`{asked.told}` cannot be edited: {fault}")
        block = asked.edit.search_block
        spans = file.matcher.places(block)
        if len(spans) == 1:
            file.spans[asked.edit.index] = spans[0]
            file.replacements[asked.edit.index] = file.matcher.replacement(spans[0], block, asked.edit.replace_block)
            return None
        if spans:
            shown_spans = spans[:MAX_PLACES]
            lines = ", ".join(f"{file.text.line_of(span.start) + 1:,}" for span in shown_spans)
            more = " and more" if len(spans) > MAX_PLACES else ""
            where = f"the block stands several times in `{asked.told}`, at lines {lines}{more}"
            return Stopped("ambiguous", f"{where}: give more lines around it", tuple(map(file.place_of, shown_spans)))
        nearest = file.finder.nearest(block, self._budget)
        told = "nothing near it was found" if nearest is None else nearest.sentence
        return Stopped("not-found", f"the block is not in `{asked.told}`: {told}", nearest=nearest)

    def _deletion(self, asked: Asked, answer: EditAnswer) -> EditAnswer:
        if not self._allow_delete:
            reason = f"to leave nothing of `{asked.told}` deletes it, and deletions are not allowed here"
            return refused(asked, Stopped("deletion-not-allowed", reason))
        decision = self._decide(asked.edit.file_path, "delete")
        status: Status = "ready" if decision.allowed else "denied"
        return EditAnswer(answer.edit, status, decision, answer.place, notes=answer.notes)


def _fault_of_parent(path: str) -> str | None:
    """Why nothing can be written beside a path, whose directory need not exist yet."""
    directory = os.path.dirname(path)
    while not os.path.lexists(directory):
        directory = os.path.dirname(directory)
    if not os.path.isdir(directory):
        return f"`{shown(os.path.basename(directory))}` is no directory"
    if not os.access(directory, os.W_OK | os.X_OK):
        return f"the directory `{shown(os.path.basename(directory))}` is write-protected"
    return None
