"""Whether each host that is found would run our hook and obey it. Reads files; runs nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping

from rules_lsp.agents.doctor_hosts import Finding, left_open, sign_of, switches, trust
from rules_lsp.agents.doctor_sources import PLACES, Source, hook_sources, setting_sources
from rules_lsp.agents.hook import DEADLINE
from rules_lsp.agents.hook_command import host_of, is_guarded, is_program, words_in
from rules_lsp.agents.hook_scripts import mark_of, words_in_file
from rules_lsp.agents.hosts import HOSTS
from rules_lsp.agents.installing import COMMAND_KEYS, Found, handlers_of, items_of, our_hooks
from rules_lsp.agents.loader import ProjectAgentRulesLoader
from rules_lsp.policy.files import is_below
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SECONDS_KEYS = {"copilot": ("timeoutSec", "timeout")}
_MILLISECONDS_FROM = 1000
"""A number from which on Qwen takes a time limit for milliseconds."""
_BAD_FILE = {"gemini": "gemini does not start", "codex": "codex does not start, or runs none of its hooks"}


@dataclass(frozen=True, slots=True)
class InstalledHook:
    """One of our hooks as a host has it: its file, the command line for a shell, and its words."""

    path: str
    command: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HostReport:
    """What was seen of one host. `found_by` is the path by which it is known to be used."""

    host: str
    found_by: str
    hooks: tuple[InstalledHook, ...]
    findings: tuple[Finding, ...]

    @property
    def problems(self) -> tuple[Finding, ...]:
        """The findings that keep the hook from being obeyed."""
        return tuple(each for each in self.findings if each.level == "problem")


def examine(root: str) -> list[HostReport]:
    """A report on every host that is found in a project, at the user's home or among the programs."""
    return [_examine(host, found_by, root) for host in HOSTS if (found_by := sign_of(host, root)) is not None]


def _examine(host: str, found_by: str, root: str) -> HostReport:
    sources = hook_sources(host, root)
    settings = setting_sources(host, root)
    findings = [*_unreadable(host, sources, settings), *switches(host, _distinct(sources, settings))]
    hooks: list[InstalledHook] = []
    with_ours: list[Source] = []
    for source in sources:
        seen = list(_hooks_of(host, source))
        if seen:
            hooks += [hook for hook, _ in seen]
            with_ours.append(source)
            findings += [finding for _, of_hook in seen for finding in of_hook]
    if not hooks:
        message = f"it has no hook: {host} does not ask before it acts"
        findings.append(Finding("problem", "no-hook", message, f"rules-lsp hook install {host}"))
    else:
        findings += [*trust(host, root, with_ours), *_in_reach(host, root, hooks), *left_open(host)]
    return HostReport(host, found_by, tuple(dict.fromkeys(hooks)), tuple(findings))


def _in_reach(host: str, root: str, hooks: list[InstalledHook]) -> Iterator[Finding]:
    """Files of the project that hold the hook or can switch it off, and that the rules let the agent write."""
    rules = ProjectAgentRulesLoader(root)
    paths = (hook.path for hook in hooks if is_below(hook.path, root))
    settings = (os.path.join(root, *name.split("/")) for name in PLACES[host].settings)
    written = [path for path in dict.fromkeys((*paths, *settings)) if rules.explain_file(path).allowed]
    if written and any(rules.load_rules().lists()):
        names = ", ".join(f"`/{os.path.relpath(path, root).replace(os.sep, '/')}`" for path in written)
        message = "the agent may write what holds its hook or switches it off"
        yield Finding("open", "in-reach", message, f"exclude {names} in the rules")


def _distinct(*lists: list[Source]) -> list[Source]:
    return list({source.path: source for sources in lists for source in sources}.values())


def _unreadable(host: str, *lists: list[Source]) -> Iterator[Finding]:
    for source in _distinct(*lists):
        if source.problem is not None:
            effect = _BAD_FILE.get(host, f"{host} runs no hooks of it, without a word")
            yield Finding("problem", "invalid-file", f"{source.problem}: {effect}", "repair it", source.path)


def _hooks_of(host: str, source: Source) -> Iterator[tuple[InstalledHook, list[Finding]]]:
    """Our hooks of one file, each with what is wrong with it."""
    if not PLACES[host].events:
        yield from _hook_file(host, source)
        return
    for found in our_hooks(source.data, PLACES[host].events):
        item = items_of(source.data, found.event)[found.index]
        handler = dict(handlers_of(item))[found.handler]
        command = next(str(handler[key]) for key in COMMAND_KEYS if isinstance(handler.get(key), str))
        hook = InstalledHook(source.path, command, found.words)
        wrong = [*_command(host, hook), *_entry(host, source, found, item, handler)]
        yield hook, wrong


def _hook_file(host: str, source: Source) -> Iterator[tuple[InstalledHook, list[Finding]]]:
    """A script or a plugin; another's tells nothing about ours."""
    if mark_of(host) not in source.text:
        return
    words = words_in_file(host, source.text)
    if words is None or host_of(words) != host:
        changed = Finding(
            "problem", "changed", "it was changed and calls no hook", f"rules-lsp hook install {host}", source.path
        )
        yield InstalledHook(source.path, source.path, ()), [changed]
        return
    hook = InstalledHook(source.path, source.path, words)
    wrong = list(_command(host, hook))
    if host == "cline" and not is_program(source.path):
        wrong.append(Finding("problem", "not-executable", "it may not be run", f"chmod +x {source.path}", source.path))
    yield hook, wrong


def _command(host: str, hook: InstalledHook) -> Iterator[Finding]:
    """What is wrong with the command itself."""
    again = f"rules-lsp hook install {host}"
    program = hook.words[0]
    if shutil.which(program) is None or (os.path.isabs(program) and not is_program(program)):
        what = "may not be run" if os.path.exists(program) else "is not there"
        yield Finding("problem", "no-program", f"its program `{program}` {what}", again, hook.path)
    elif not os.path.isabs(program):
        yield Finding("open", "relative", f"`{program}` is looked for where the host is started", again, hook.path)
    if hook.command != hook.path and not is_guarded(hook.command) and os.name != "nt":
        yield Finding("open", "unguarded", "where the hook dies the call may go on", again, hook.path)


def _entry(
    host: str, source: Source, found: Found, item: Mapping[str, Any], handler: Mapping[str, Any]
) -> Iterator[Finding]:
    """What is wrong with how the host's file names the command."""
    again = f"rules-lsp hook install {host}"

    def problem(code: str, message: str, advice: str = again) -> Finding:
        return Finding("problem", code, message, advice, source.path)

    answers = host_of(found.words)
    if answers not in PLACES[host].events[found.event]:
        yield problem(
            "other-host", f"it answers as for {answers} under `{found.event}`, which {host} does not understand"
        )
    if host != "cursor" and handler.get("type") != "command":
        yield problem("type", "its `type` is not `command`")
    matcher = item.get("matcher")
    star_is_nothing = host == "copilot" and found.event == "preToolUse"
    if host != "vscode" and matcher not in (None, "", ".*", *(() if star_is_nothing else ("*",))):
        yield problem("matcher", f"its matcher `{matcher}` does not take every tool", "take `matcher` out")
    yield from _time_limit(host, source, found, handler)
    if host == "qwen":
        rest = items_of(source.data, found.event)[found.index + 1 :]
        later = [*_behind(item, found.handler), *(each for other in rest for _, each in handlers_of(other))]
        others = [str(each.get("command")) for each in later if words_in(each.get("command")) is None]
        if others:
            message = f"the hook `{others[-1]}` stands behind it: if that says allow, qwen obeys it"
            yield problem("order", message, f"{again} puts ours last")
    if host == "claude" and handler.get("onFailure") != "block":
        yield Finding("open", "timeout", "a hook that is not done in time is passed over", again, source.path)
    if host == "cursor":
        if source.data.get("version") != 1:
            yield problem("version", "`version` is not 1", 'write `"version": 1` at the top of the file')
        if handler.get("failClosed") is not True:
            yield Finding(
                "open", "fail-open", "without `failClosed` a hook that dies is passed over", again, source.path
            )


def _behind(item: Mapping[str, Any], number: int | None) -> list[Mapping[str, Any]]:
    return [handler for place, handler in handlers_of(item) if number is not None and (place or 0) > number]


def _time_limit(host: str, source: Source, found: Found, handler: Mapping[str, Any]) -> Iterator[Finding]:
    key = next((key for key in _SECONDS_KEYS.get(host, ("timeout",)) if key in handler), None)
    if key is None:
        return
    given = handler[key]
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        yield Finding("problem", "timeout", f"`{key}` is no number", f"rules-lsp hook install {host}", source.path)
        return
    in_milliseconds = host == "gemini" or (host == "qwen" and given >= _MILLISECONDS_FROM)
    seconds = given / 1000 if in_milliseconds else given
    deadline = _deadline(found.words)
    if seconds <= deadline:
        unit = f" ({host} counts milliseconds)" if in_milliseconds else ""
        message = f"`{key}: {given}`{unit} ends before the hook's own {deadline:g} seconds, and the call goes on"
        yield Finding("problem", "timeout", message, f"rules-lsp hook install {host}", source.path)
    elif not in_milliseconds and given >= _MILLISECONDS_FROM and host != "codex":
        message = f"`{key}: {given}` is in seconds: a hook that hangs holds up the agent that long"
        yield Finding("open", "timeout-unit", message, f"rules-lsp hook install {host}", source.path)


def _deadline(words: tuple[str, ...]) -> float:
    for word, following in zip(words, (*words[1:], ""), strict=True):
        value = following if word == "--deadline" else word.removeprefix("--deadline=") if "=" in word else ""
        try:
            if word.startswith("--deadline"):
                return float(value)
        except ValueError:
            return DEADLINE
    return DEADLINE
