"""Trust in Codex: it runs a hook only where its user's configuration holds the hash of that very hook.

The hash and its name are those of Codex 0.171; nothing here writes them, since trust is the user's to give.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_EVENT = "pre_tool_use"
_TIMEOUT = 600
"""Seconds that Codex takes where a hook says none."""


def trust_key(path: str, group: int, handler: int) -> str:
    """The name of a hook in the configuration: its file, and its place in it.

    Codex follows the links of a directory that `CODEX_HOME` names, and a process those of the project in which it is
    started; the user's own directory keeps its name.
    """
    home = os.path.join(os.path.expanduser("~"), ".codex")
    own = os.path.dirname(path) == os.path.abspath(home) and not os.environ.get("CODEX_HOME")
    return f"{path if own else os.path.realpath(path)}:{_EVENT}:{group}:{handler}"


def trusted_hash(group: Mapping[str, Any], handler: Mapping[str, Any]) -> str:
    """The hash of one handler of a group of hooks."""
    given = handler.get("timeout", _TIMEOUT)
    normal: dict[str, Any] = {
        "async": bool(handler.get("async", False)),
        "command": handler.get("command"),
        "timeout": max(1, given) if isinstance(given, int) else given,
        "type": "command",
    }
    if handler.get("statusMessage") is not None:
        normal["statusMessage"] = handler["statusMessage"]
    identity: dict[str, Any] = {"event_name": _EVENT, "hooks": [normal]}
    if group.get("matcher") is not None:
        identity["matcher"] = group["matcher"]
    compact = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(compact.encode('utf-8', 'surrogatepass')).hexdigest()}"


def project_trust(root: str) -> str:
    """The lines that say in `config.toml` that a project is trusted."""
    return f'[projects.{json.dumps(os.path.realpath(root), ensure_ascii=False)}]\ntrust_level = "trusted"'


def trust_entry(key: str, digest: str) -> str:
    """The lines that say in `config.toml` that a hook is trusted."""
    return f"[hooks.state.{json.dumps(key, ensure_ascii=False)}]\ntrusted_hash = {json.dumps(digest)}"
