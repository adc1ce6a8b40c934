"""What is particular to a host: by what it is found, what switches its hooks off, whom it trusts, what goes around."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping

from rules_lsp.agents.codex_trust import project_trust, trust_entry, trust_key, trusted_hash
from rules_lsp.agents.doctor_sources import Source, read_source
from rules_lsp.agents.host_files import user_directory
from rules_lsp.agents.installing import handlers_of, items_of, our_hooks
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

Level: TypeAlias = "Literal['problem', 'open']"


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark: a `problem` keeps the hook from being obeyed, what is `open` goes around it all the same."""

    level: Level
    code: str
    message: str
    advice: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class _Signs:
    """By what a host is known to be used: names in the project, directories of the user, programs."""

    project: tuple[str, ...]
    home: tuple[str, ...]
    programs: tuple[str, ...]


_SIGNS: dict[str, _Signs] = {
    "claude": _Signs((".claude",), (), ("claude",)),
    "codex": _Signs((".codex",), (), ("codex",)),
    "gemini": _Signs((".gemini",), (), ("gemini",)),
    "copilot": _Signs((".github/hooks", ".github/copilot"), (), ("copilot",)),
    "qwen": _Signs((".qwen",), (), ("qwen",)),
    "cursor": _Signs((".cursor",), (), ("cursor", "cursor-agent")),
    "vscode": _Signs((".vscode",), (".vscode",), ("code", "code-insiders")),
    "cline": _Signs((".clinerules", ".cline"), (), ("cline",)),
    "opencode": _Signs((".opencode", "opencode.json"), (".config/opencode",), ("opencode",)),
}


def sign_of(host: str, root: str) -> str | None:
    """A path or a program by which a host is found, None where there is none."""
    signs = _SIGNS[host]
    own = () if signs.home else (user_directory(host),)
    home = tuple(os.path.join(os.path.expanduser("~"), each) for each in signs.home)
    places = (*(os.path.join(root, *each.split("/")) for each in signs.project), *own, *home)
    programs = (found for each in signs.programs if (found := shutil.which(each)) is not None)
    return next((place for place in places if os.path.exists(place)), None) or next(programs, None)


def switches(host: str, sources: list[Source]) -> Iterator[Finding]:
    """The settings of a host that switch its hooks off."""
    for source in sources:
        for path, is_off in _SWITCHES.get(host, ()):
            value = _at(source.data, path)
            if is_off(value):
                name = ".".join(path)
                yield Finding(
                    "problem",
                    "switched-off",
                    f"`{name}` switches hooks off",
                    f"take `{name}` out of the file",
                    source.path,
                )


def _at(data: object, path: tuple[str, ...]) -> Any:
    for key in path:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def _is_true(value: object) -> bool:
    return value is True


def _is_false(value: object) -> bool:
    return value is False


def _names_ours(value: object) -> bool:
    return isinstance(value, list) and any("rules-lsp" in str(each) or "rules_lsp" in str(each) for each in value)


def _leaves_folder(value: object) -> bool:
    return isinstance(value, Mapping) and value.get(".github/hooks") is False


_ALL_OFF = (("disableAllHooks",), _is_true)
_NOT_ENABLED = (("hooksConfig", "enabled"), _is_false)
_SWITCHES: dict[str, tuple[tuple[tuple[str, ...], Callable[[object], bool]], ...]] = {
    "claude": (_ALL_OFF,),
    "codex": ((("features", "hooks"), _is_false), (("features", "codex_hooks"), _is_false)),
    "gemini": (_NOT_ENABLED, (("hooksConfig", "disabled"), _names_ours)),
    "copilot": (_ALL_OFF,),
    "qwen": (_ALL_OFF, _NOT_ENABLED),
    "vscode": ((("chat.useHooks",), _is_false), (("chat.hookFilesLocations",), _leaves_folder)),
}


def trust(host: str, root: str, sources: list[Source]) -> Iterator[Finding]:
    """Why a host does not trust our hooks in some files, or the project that holds them."""
    check = {"codex": _trust_of_codex, "gemini": _trust_of_gemini, "copilot": _trust_of_copilot}.get(host)
    if check is not None:
        yield from check(root, sources)


def _trust_of_codex(root: str, sources: list[Source]) -> Iterator[Finding]:
    config = os.path.join(user_directory("codex"), "config.toml")
    settings = read_source(config, True)
    data = None if settings is None else settings.data
    for source in sources:
        for found in our_hooks(source.data, ("PreToolUse",)):
            group = items_of(source.data, found.event)[found.index]
            handler = dict(handlers_of(group))[found.handler]
            digest, number = trusted_hash(group, handler), found.handler or 0
            key = trust_key(source.path, found.index, number)
            names = {key, f"{source.path}:{key[len(os.path.realpath(source.path)) + 1 :]}"}
            known = [_at(data, ("hooks", "state", name, "trusted_hash")) for name in names]
            if digest not in known:
                was = "was changed after it was trusted" if any(known) else "is not trusted"
                advice = f"trust it with `/hooks` in codex, or write into {config}\n{trust_entry(key, digest)}"
                message = f"the hook {was}, and codex passes over it without a word"
                yield Finding("problem", "not-trusted", message, advice, source.path)
        if not source.of_user and not _codex_trusts(root, data):
            message = "codex does not trust this project, and reads no hooks of it"
            yield Finding(
                "problem", "project-not-trusted", message, f"write into {config}\n{project_trust(root)}", source.path
            )


def _codex_trusts(root: str, data: object) -> bool:
    names = (root, os.path.realpath(root))
    return any(_at(data, ("projects", name, "trust_level")) == "trusted" for name in names)


def _trust_of_gemini(root: str, sources: list[Source]) -> Iterator[Finding]:
    of_project = [source for source in sources if not source.of_user]
    home = user_directory("gemini")
    settings = read_source(os.path.join(home, "settings.json"), True)
    switched_off = settings is not None and _at(settings.data, ("security", "folderTrust", "enabled")) is False
    if not of_project or len(of_project) < len(sources) or switched_off:
        return
    if os.environ.get("GEMINI_CLI_TRUST_WORKSPACE") == "true":
        return
    file = os.path.join(home, "trustedFolders.json")
    folders = read_source(file, True)
    rules = folders.data if folders is not None and isinstance(folders.data, dict) else {}
    trusted = [path for path, rule in rules.items() if rule == "TRUST_FOLDER"]
    trusted += [os.path.dirname(path.rstrip("/")) for path, rule in rules.items() if rule == "TRUST_PARENT"]
    if rules.get(root) == "DO_NOT_TRUST" or not any(_holds(path, root) for path in trusted):
        message = "gemini does not trust this project, and loads no hooks of it"
        advice = f"start gemini here and trust the folder ({file}), or install with `--user`"
        yield Finding("problem", "project-not-trusted", message, advice, of_project[0].path)


def _trust_of_copilot(root: str, sources: list[Source]) -> Iterator[Finding]:
    file = os.path.join(user_directory("copilot"), "config.json")
    config = read_source(file, True)
    data = None if config is None else config.data
    folders = [each for key in ("trustedFolders", "trusted_folders") for each in _at(data, (key,)) or ()]
    if sources and not any(_holds(str(each), root) for each in folders):
        message = "copilot does not trust this folder, and runs no hooks here, while tools run"
        advice = f"start copilot here and trust the folder ({file}), or start it with `--trust-folder`"
        yield Finding("problem", "project-not-trusted", message, advice, sources[0].path)


def _holds(directory: str, root: str) -> bool:
    return any(f"{each}/".startswith(f"{directory.rstrip('/')}/") for each in (root, os.path.realpath(root)))


def left_open(host: str) -> Iterator[Finding]:
    """What goes around a hook that runs."""
    for code, message, advice in _OPEN.get(host, ()):
        yield Finding("open", code, message, advice)


_FLAGS = "do not start it so where the rules must hold"
_FOR_USER = "install with `--user` too: it finds the rules of the repository"
_DOCUMENTS = (
    "documents",
    "what is said of it comes from its documents: no run of it was seen",
    "try a denied call once",
)
_OPEN: dict[str, tuple[tuple[str, str, str], ...]] = {
    "claude": (
        ("flags", "`--bare` and `--safe-mode` run no hooks, `--setting-sources user` none of the project", _FLAGS),
        ("worktree", "in a worktree (`EnterWorktree`, `isolation`) patterns like `secrets/**` deny nothing",
         "begin them with `**/`"),
        ("below", "started in a directory below, claude reads no hooks of the project", _FOR_USER),
    ),
    "codex": (
        ("write-stdin", "what is typed into a shell that is open (`write_stdin`) is shown to no hook",
         "deny `Bash`, or keep the sandbox of codex read-only"),
        ("flags", "`--disable hooks` runs none", _FLAGS),
    ),
    "gemini": (
        ("acp", "over ACP (`gemini --acp`, as editors start it) no hook runs",
         "let such an editor ask by itself, or use gemini in a terminal"),
        ("flags", "`--skip-trust` loads no hooks of the project", "install with `--user` too"),
        ("below", "started in a directory below, gemini reads no hooks of the project", _FOR_USER),
        ("search", "a search of the whole project (`grep_search` without `dir_path`) reads excluded files too",
         "deny `grep_search`: `.geminiignore` keeps it out only until the model says `no_ignore`"),
    ),
    "copilot": (
        ("flags", "`copilot -p` runs no hooks in a folder that is not trusted", "start it with `--trust-folder`"),
        ("timeout", "a hook that is not done in time is passed over", "leave `timeoutSec` above `--deadline`"),
    ),
    "qwen": (
        ("flags", "`--bare` and `--safe-mode` run no hooks", _FLAGS),
        ("last-wins", "of several hooks the last one is obeyed", "keep this one the last"),
    ),
    "cursor": (_DOCUMENTS,),
    "vscode": (_DOCUMENTS,),
    "opencode": (("flags", "`--pure` loads no plugins", _FLAGS),),
}  # fmt: skip
