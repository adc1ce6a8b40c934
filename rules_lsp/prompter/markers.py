"""Marks beside the store: in which projects a job was ever claimed.

A project without a file is off and asks no database. Where a job was claimed, the file that is gone does not set that
job free: the mark says that the store is to be asked.
"""

from __future__ import annotations

import os

from rules_lsp.prompter.store import jobs
from rules_lsp.prompter.store.database import Database, StoreFailure


def mark_claimed(store: str, project: str) -> None:
    """Note that a job is claimed in a project. Raises `OSError`."""
    path = _mark_of(store, project)
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def may_have_open_jobs(database: Database, project: str) -> bool:
    """Whether a job of a project is not released yet; true where there was one and the store cannot tell."""
    if "\0" in database.path or not os.path.exists(_mark_of(database.path, project)):
        return False
    try:
        with database.look() as connection:
            return jobs.has_open(connection, project)
    except StoreFailure:
        return True


def _mark_of(store: str, project: str) -> str:
    return os.path.join(os.path.dirname(store), "claimed", project)
