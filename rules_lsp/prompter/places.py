"""Where the store of a user is, and what a project is called in it."""

from __future__ import annotations

import hashlib
import os

from rules_lsp.policy.config import MOST_RETENTION_DAYS, Config

DATABASE_NAME = "prompter.db"


def default_store() -> str:
    """The database in the user's state folder."""
    from platformdirs import user_state_dir

    return os.path.join(user_state_dir("rules-lsp", appauthor=False), DATABASE_NAME)


def project_name(real_root: str) -> str:
    """The name of a project in the store: a digest of its real path."""
    return hashlib.sha256(os.fsencode(real_root)).hexdigest()[:32]


def audit_directory(store: str, project: str) -> str:
    """The directory of a project's audit, beside the database."""
    return os.path.join(os.path.dirname(store), "audit", project)


def kept_days(config: Config) -> int:
    """For how many days an audit is kept; as long as one can say where the configuration cannot be read."""
    return MOST_RETENTION_DAYS if config.refusal is not None else config.prompter_retention_days


def may_be_store(path: str) -> bool:
    """Whether something is at a store's path, or in the way of it: what fails is told then."""
    directory = os.path.dirname(path)
    return os.path.lexists(path) or (os.path.lexists(directory) and not os.path.isdir(directory))
