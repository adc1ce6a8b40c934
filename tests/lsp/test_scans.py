from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types

from rules_lsp.features.counting import FileCounts
from rules_lsp.lsp import scans as scans_module
from rules_lsp.lsp.completion import complete
from rules_lsp.lsp.counts import code_lens
from rules_lsp.lsp.language import hover
from rules_lsp.lsp.registration import create_server
from rules_lsp.lsp.scans import Scans
from rules_lsp.policy.glob import Glob
from rules_lsp.source.text import Text
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.path_index import PathIndex


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("a", "b", "c.py"):
        (tmp_path / name).touch()
    return tmp_path


def scanned(directory: Path, scans: Scans) -> None:
    async def wait() -> None:
        scans.want(str(directory), watched=True)
        await scans.settled()

    asyncio.run(wait())


def test_what_is_prepared_is_prepared_in_the_thread_before_the_files_arrive(project: Path) -> None:
    happened: list[tuple[str, str, tuple[str, ...]]] = []

    def note(what: str, files: FileInventory) -> None:
        happened.append((what, threading.current_thread().name, files.files))

    scans = Scans(
        lambda directory, files: note("arrived", files),
        lambda name: None,
        lambda directory: lambda files: note("prepared", files),
    )
    scanned(project, scans)
    here, files = threading.current_thread().name, ("a", "b", "c.py")
    assert happened == [("prepared", "rules-lsp-scan", files), ("arrived", here, files)]


@pytest.mark.parametrize(("limit", "files", "capped"), [(2, ("a", "b"), True), (3, ("a", "b", "c.py"), False)])
def test_a_scan_is_cut_off_at_its_limit(project: Path, limit: int, files: tuple[str, ...], capped: bool) -> None:
    arrived: list[FileInventory] = []
    scanned(project, Scans(lambda directory, found: arrived.append(found), lambda name: None, limit=limit))
    assert [(each.files, each.capped, each.complete) for each in arrived] == [(files, capped, not capped)]


def test_the_log_says_that_there_are_more_files(project: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = create_server()
    server.scans = Scans(server._files_arrived, lambda name: None, limit=2)
    with caplog.at_level(logging.WARNING, "rules_lsp"):
        scanned(project, server.scans)
    assert caplog.messages == [f"{project} has more than 2 files: no more of them are known"]


def test_the_loop_finds_every_pattern_counted(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = create_server()
    server.state.folders.open(str(project))
    name = ".coding-agent-rules.yaml"
    text = "file_patterns:\n  include: ['*.py', a]\n  exclude: [b]\n"
    document = server.state.put((project / name).as_uri(), 1, Text(text))
    looked_up: list[tuple[str, str]] = []
    positions = PathIndex.positions

    def noted(index: PathIndex, glob: Glob, *, fold_case: bool = False) -> object:
        looked_up.append((glob.text, threading.current_thread().name))
        return positions(index, glob, fold_case=fold_case)

    monkeypatch.setattr(PathIndex, "positions", noted)

    async def work() -> int:
        server.view(document)
        await server.scans.settled()
        view = server.state.view(document)
        assert view is not None and view.file_counts is not None
        return view.file_counts.writable.files

    assert asyncio.run(work()) == 2
    assert {text for text, thread in looked_up if thread == "rules-lsp-scan"} == {"*.py", "a", "b"}
    assert threading.current_thread().name not in {thread for _, thread in looked_up}


@pytest.mark.parametrize(
    "asking",
    [
        lambda server, identity: hover(server, types.HoverParams(identity, types.Position(0, 2))),
        lambda server, identity: code_lens(server, types.CodeLensParams(identity)),
        lambda server, identity: complete(server, types.CompletionParams(identity, types.Position(0, 0))),
    ],
)
def test_whatever_is_asked_notices_new_files_where_nobody_watches(
    project: Path, monkeypatch: pytest.MonkeyPatch, asking: Callable[..., object]
) -> None:
    monkeypatch.setattr(scans_module, "REST_SECONDS", 0.0)
    monkeypatch.setattr(scans_module, "REST_FACTOR", 0)
    server = create_server()
    server.state.folders.open(str(project))
    uri = (project / ".coding-agent-rules.yaml").as_uri()
    document = server.state.put(uri, 1, Text("denied_tools: []\n"))

    async def work() -> tuple[int, int]:
        numbers = []
        for name in ("d", "e"):
            (project / name).touch()
            asking(server, types.TextDocumentIdentifier(uri))
            await server.scans.settled()
            view = server.state.view(document)
            assert view is not None and view.file_counts is not None
            numbers.append(view.file_counts.total)
        return numbers[0], numbers[1]

    assert asyncio.run(work()) == (4, 5)


def test_the_counts_say_that_they_are_capped() -> None:
    policy = create_server().state.folders.project_at("/").policy()
    assert FileCounts(policy, FileInventory(("a",), (), False, capped=True)).capped
    assert not FileCounts(policy, FileInventory(("a",), (), False)).capped
