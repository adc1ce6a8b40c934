"""One hook call: a host's message in, and either nothing (the call goes on) or a denial in the host's own form.

A denial is said three ways at once, since each host listens to another: the host's JSON on standard output, the reason
on standard error, and exit code 2. What is allowed is never said: `allow` would skip the host's own prompts. Whatever
goes wrong in here is a denial too, a deadline among it.
"""

from __future__ import annotations

import json
import os
import sys
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable, Mapping, Sequence

from rules_lsp.agents.hosts import HOSTS, Call, Unreadable
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.finding import operator_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rules_lsp.policy.decision import Decision

    Decide = Callable[[Mapping[str, Any]], Decision]

DEADLINE = 5.0
MOST_SECONDS = 3600
"""Seconds that an answer may take; every host waits longer."""
MOST_BYTES = 64 * 1024 * 1024
"""The longest message that is read."""
_FAILED = "policy engine failed"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a hook's command line says. `root` takes the place of the project's directory that the host names."""

    host: str
    root: str | None = None
    config: str | None = None
    deadline: float = DEADLINE
    look_into_shell: bool = True


class Failure(Exception):
    """The question cannot be put; the text says why."""


def call(host: str, options: Sequence[str]) -> int:
    """Answer one call as a command line says: the host, and the options of `rules-lsp hook`."""
    try:
        settings = settings_of(host, options)
    except Failure as error:
        answering = _Answering(host)
        return answering.deny(failed(error))
    return run(settings)


def settings_of(host: str, options: Sequence[str]) -> Settings:
    """The settings of a command line; raises `Failure` where one makes no sense."""
    if host not in HOSTS:
        raise Failure(f"there is no host `{host}`: use one of {', '.join(HOSTS)}")
    found: dict[str, Any] = {"host": host}
    waiting = list(options)
    while waiting:
        option, equals, value = waiting.pop(0).partition("=")
        if option == "--no-shell-look":
            found["look_into_shell"] = False
            continue
        if option not in ("--root", "--config", "--deadline"):
            raise Failure(f"there is no option `{option}`: use --root, --config, --deadline or --no-shell-look")
        if not equals and not waiting:
            raise Failure(f"the option {option} needs a value")
        found[option[2:]] = value if equals else waiting.pop(0)
    try:
        found["deadline"] = float(found.get("deadline", DEADLINE))
    except ValueError:
        raise Failure(f"--deadline {found['deadline']}: write a number of seconds") from None
    if not 0 < found["deadline"] <= MOST_SECONDS:
        raise Failure(f"--deadline {found['deadline']:g}: write a number of seconds up to {MOST_SECONDS}")
    return Settings(**found)


def run(settings: Settings) -> int:
    """Answer the message on standard input. Returns the exit code, or ends the process at the deadline."""
    answering = _Answering(settings.host)
    answering.watch(settings.deadline)
    try:
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise Failure(f"the message is longer than {MOST_BYTES // 1024 // 1024} MiB")
        answering.message = message_of(data)
        reason = reason_to_deny(settings, answering.message)
    except Exception as error:
        reason = failed(error)
    except BaseException as error:
        answering.deny(failed(error))
        raise
    return answering.allow() if reason is None else answering.deny(reason)


def message_of(data: bytes) -> Mapping[str, Any]:
    """The JSON object of a message; raises `Failure` where it is none."""
    try:
        message = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Failure(f"the host's message is no JSON: {error}") from None
    if not isinstance(message, dict):
        raise Failure("the host's message is no JSON object")
    return message


def reason_to_deny(settings: Settings, message: Mapping[str, Any]) -> str | None:
    """Why the call of a message is denied, or None. Raises `Failure` or `Unreadable` where that cannot be told."""
    call = HOSTS[settings.host].read(message)
    config = operator_config(settings.config)
    roots = (settings.root,) if settings.root is not None else call.roots
    decide = _engine(roots, config, look_above=settings.root is None)
    for cwd in _starts_of_paths(call, roots):
        decision = decide({"tool": call.tool, "arguments": call.arguments, "cwd": cwd})
        if not decision.allowed:
            return decision.reason
        if call.server_unknown:
            from rules_lsp.agents.unknown_server import reason_to_deny as by_any_server

            reason = by_any_server(call, decision.policy, cwd, decide)
            if reason is not None:
                return reason
    return _shell_reason(call, roots, decide) if settings.look_into_shell else None


def failed(error: BaseException) -> str:
    """The reason of a denial that no rule asked for."""
    known = isinstance(error, (Failure, Unreadable))
    return f"{_FAILED}: {error if known else f'{type(error).__name__}: {error}'}"


def _engine(roots: Sequence[str], config: str | None, *, look_above: bool) -> Decide:
    """A function from a query about one tool or path to its decision, by all roots that it concerns.

    `look_above` is whether a root without rules has those of the repository around it.
    """
    if not roots:
        raise Failure("the host does not say where the project is: pass --root")
    for root in roots:
        if not os.path.isabs(root) or not os.path.isdir(root):
            raise Failure(f"the project's directory `{root}` is no directory")
    if config is not None and not os.path.isfile(config):
        raise Failure(f"the operator's configuration `{config}` is no file")
    if len(roots) == 1:
        return _of_project(roots[0], config, look_above)
    from rules_lsp.agents.surroundings import narrowed
    from rules_lsp.workspace.folders import Folders

    folders = Folders(config)
    for root in roots:
        folders.open(root)

    def decide(query: Mapping[str, Any]) -> Decision:
        decision = folders.decide(query)
        if decision is None:
            raise Failure("no directory of the project is open")
        return decision

    return narrowed(decide, folders.projects)


def _of_project(root: str, config: str | None, look_above: bool) -> Decide:
    from rules_lsp.policy.query import decide_by
    from rules_lsp.workspace.project import Project

    project = Project(root, config)
    policy = project.policy()

    def own(query: Mapping[str, Any]) -> Decision:
        return decide_by(lambda question: ((policy, question),), policy, query)

    if policy.rule_file is not None or not look_above:
        return own
    from rules_lsp.agents.surroundings import narrowed

    return narrowed(own, (project,))


def _starts_of_paths(call: Call, roots: Sequence[str]) -> tuple[str | None, ...]:
    """From where relative paths of a call count; all have their say.

    A server of MCP was started in the root, and knows nothing of where the host's shell has gone since.
    """
    elsewhere = call.cwd is not None and call.cwd not in roots
    return (call.cwd, None) if elsewhere and call.tool[:3].casefold() == "mcp" else (call.cwd,)


def _shell_reason(call: Call, roots: Sequence[str], decide: Decide) -> str | None:
    from rules_lsp.agents.shell_tools import commands_of, directories_of

    commands = commands_of(call)
    if not commands:
        return None
    from rules_lsp.agents.shell_look import reason_to_deny as look

    reasons = (look(commands, cwd, decide) for cwd in directories_of(call, roots))
    return next((reason for reason in reasons if reason is not None), None)


class _Answering:
    """The one answer of a process: whoever comes first gives it, the question or the deadline."""

    def __init__(self, host: str) -> None:
        self.message: Mapping[str, Any] = {}
        self._host = host
        self._turn = allocate_lock()

    def watch(self, seconds: float) -> None:
        """Deny when the deadline passes before an answer."""
        ends = allocate_lock()
        ends.acquire()

        def wait() -> None:
            ends.acquire(timeout=seconds)
            if self._turn.acquire(blocking=False):
                self._say(f"{_FAILED}: no answer within {seconds:g} seconds")
                os._exit(2)

        start_new_thread(wait, ())

    def allow(self) -> int:
        """Say nothing."""
        self._turn.acquire()
        return 0

    def deny(self, reason: str) -> int:
        """Say why, to whoever listens."""
        self._turn.acquire()
        self._say(reason)
        return 2

    def _say(self, reason: str) -> None:
        # Written past Python's own buffers: at the deadline another thread may hold them.
        host = HOSTS.get(self._host)
        if host is not None:
            _write(1, (json.dumps(host.deny(self.message, reason)) + "\n").encode("ascii"))
        _write(2, (reason + "\n").encode("utf-8", "backslashreplace"))


def _write(descriptor: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:
        # Nobody reads there; the exit code still tells.
        return
