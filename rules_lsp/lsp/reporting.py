"""The state of the server for whoever reports a fault of it."""

from __future__ import annotations

import platform
import sys
from typing import Any

from rules_lsp import __version__
from rules_lsp.lsp.protocol import API_VERSION
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.lsp.state import State
from rules_lsp.source.uri import to_uri
from rules_lsp.workspace.project import Project

_PACKAGES = ("pygls", "lsprotocol", "PyYAML", "markdown-it-py", "pathspec")


def described(server: RulesLanguageServer) -> dict[str, Any]:
    """What the server knows and does. It names paths; texts of documents and values of settings are left out."""
    state = server.state
    return {
        "version": __version__,
        "apiVersion": API_VERSION,
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "packages": {name: found for name in _PACKAGES if (found := _version(name)) is not None},
        "positionEncoding": state.encoding,
        "client": {name: getattr(state.flags, name) for name in state.flags.__match_args__},
        "watched": server.watched,
        "folders": [_folder(state, project) for project in state.projects()],
        "scans": server.scans.describe(),
        "documents": [
            {"uri": each.uri, "version": each.version, "characters": len(each.text.content)} for each in state.documents
        ],
    }


def _folder(state: State, project: Project) -> dict[str, Any]:
    policy, root = project.policy(), project.root
    files, settings = state.knowledge.files(root), state.settings_of(root)
    return {
        "uri": to_uri(root.given),
        "real": root.real,
        "ruleFile": policy.rule_file.name if policy.rule_file is not None else None,
        "policyVersion": policy.version,
        "degraded": policy.degraded,
        "errors": [error.code for error in policy.errors],
        "operatorConfig": project.operator_config is not None,
        "foldsCase": policy.fold_case,
        "severities": len(settings.checks.severity),
        "servers": len(state.knowledge.catalogue(root).names()),
        "files": None if files is None else len(files.files),
        "filesComplete": None if files is None else files.complete,
        "filesCapped": None if files is None else files.capped,
    }


def _version(package: str) -> str | None:
    # It reads mail headers, and brings along what that takes.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None
