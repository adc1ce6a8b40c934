"""Whatever happens while a file is written, it holds the old content or the new one, and nothing is left beside it."""

from __future__ import annotations

import errno
import os
import signal
import stat
from pathlib import Path

import pytest

from rules_lsp.cli.write_file import (
    ChangedMeanwhile,
    create,
    create_whole,
    remove_content,
    rename_file,
    replace_content,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rules.yaml"
    path.write_bytes(b"old")
    return path


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_the_content_is_replaced_and_the_mode_kept(file: Path) -> None:
    file.chmod(0o640)
    replace_content(str(file), b"old", b"new")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert names(file.parent) == ["rules.yaml"]


def test_a_link_stays_one_and_its_target_is_written(file: Path) -> None:
    link = file.parent / "link"
    link.symlink_to("rules.yaml")
    replace_content(str(link), b"old", b"new")
    assert os.readlink(link) == "rules.yaml"
    assert file.read_bytes() == b"new"


def test_what_changed_meanwhile_is_left_alone(file: Path) -> None:
    for before in (b"older", b"ol", b""):
        with pytest.raises(ChangedMeanwhile):
            replace_content(str(file), before, b"new")
    assert (file.read_bytes(), names(file.parent)) == (b"old", ["rules.yaml"])


def test_a_full_disk_loses_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        replace_content(str(file), b"old", b"new")
    assert (file.read_bytes(), names(file.parent)) == (b"old", ["rules.yaml"])


@pytest.mark.parametrize(("number", "raised"), [("SIGTERM", SystemExit), ("SIGINT", KeyboardInterrupt)])
def test_a_signal_loses_nothing(
    file: Path, monkeypatch: pytest.MonkeyPatch, number: str, raised: type[BaseException]
) -> None:
    monkeypatch.setattr(os, "fsync", lambda descriptor: signal.raise_signal(getattr(signal, number)))
    with pytest.raises(raised):
        replace_content(str(file), b"old", b"new")
    assert (file.read_bytes(), names(file.parent)) == (b"old", ["rules.yaml"])
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_file_that_may_not_be_written_is_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(PermissionError):
        replace_content(str(file), b"old", b"new")
    assert (file.read_bytes(), names(file.parent)) == (b"old", ["rules.yaml"])


def test_a_file_is_created_only_where_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "new"
    create(str(path), b"one")
    with pytest.raises(FileExistsError):
        create(str(path), b"two")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        create(str(tmp_path / "link"), b"two")
    assert path.read_bytes() == b"one"
    assert names(tmp_path) == ["link", "new"]


def test_a_file_is_renamed_only_to_a_free_name(file: Path) -> None:
    new = file.parent / "docs" / "new.yaml"
    rename_file(str(file), str(new))
    assert new.read_bytes() == b"old"
    file.write_bytes(b"other")
    with pytest.raises(FileExistsError):
        rename_file(str(file), str(new))
    assert (file.read_bytes(), new.read_bytes()) == (b"other", b"old")


def test_a_new_file_appears_whole_and_replaces_none(tmp_path: Path) -> None:
    path = tmp_path / "new"
    create_whole(str(path), b"content", 0o777)
    mask = os.umask(0o022)
    os.umask(mask)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"content", 0o777 & ~mask)
    with pytest.raises(FileExistsError):
        create_whole(str(path), b"other")
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"content", ["new"])


def test_only_the_known_content_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"content")
    for other in (b"", b"conten", b"content2"):
        with pytest.raises(ChangedMeanwhile):
            remove_content(str(path), other)
    remove_content(str(path), b"content")
    assert os.listdir(tmp_path) == []
