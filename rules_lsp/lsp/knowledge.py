"""What is known of projects beside their rules: the tools of their servers, and their files once they are listed."""

from __future__ import annotations

from rules_lsp.policy.roots import Root
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.live.catalogued import learnt_for
from rules_lsp.workspace.live.learnt import mark_of
from rules_lsp.workspace.server_files import ServerFile, read_server_files

_Sources = tuple[tuple[ServerFile, ...], tuple[int, ...] | None]


class Knowledge:
    """The loop's own. Projects go by their real directories, so that two names of one share what is known."""

    def __init__(self) -> None:
        self._catalogues: dict[str, tuple[_Sources, Catalogue]] = {}
        self._files: dict[str, FileInventory] = {}

    def catalogue(self, root: Root) -> Catalogue:
        """The servers of the saved files: the same catalogue as long as these and the servers say the same."""
        files = read_server_files(root.real)
        sources = (files, mark_of(root.real) if files else None)
        known = self._catalogues.get(root.real)
        if known is None or known[0] != sources:
            known = (sources, Catalogue.of_files(files, learnt_for(root.real, files)))
            self._catalogues[root.real] = known
        return known[1]

    def files(self, root: Root) -> FileInventory | None:
        """The files of a project; None until they have been listed."""
        return self._files.get(root.real)

    def inventories(self) -> dict[str, FileInventory]:
        """The files of every project that were listed, by its real directory."""
        return dict(self._files)

    def learn(self, directory: str, files: FileInventory) -> bool:
        """Keep the files of a real directory; whether that is news."""
        news = self._files.get(directory) is not files
        self._files[directory] = files
        return news

    def forget(self, directory: str) -> None:
        """Forget a real directory: no project has it any more."""
        self._files.pop(directory, None)
        self._catalogues.pop(directory, None)
