"""By which names the software of a configured server is known: packages, images, binaries and addresses.

An *identity* is `kind:name`: `npm:@playwright/mcp`, `pypi:mcp-server-git`, `image:ghcr.io/github/github-mcp-server`,
`binary:github-mcp-server`, `go:github.com/…`, `url:api.githubcopilot.com/mcp`; versions and tags are no part of it.
A launch that is not understood has no identity. The program of a runner (`npx`, `uvx`, `docker run` …) is what it
runs; a script or a binary below the project itself may be anybody's work and has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlsplit

from rules_lsp.workspace.server_launch import Launch, program_of

_MAX_NESTING = 5
_BRIDGES = frozenset({"npm:mcp-remote"})
"""Packages that only pass on to the address among their arguments."""

_NPM_VALUES = frozenset({"-p", "--package", "--registry", "--prefix", "--cache", "-w", "--workspace", "--userconfig"})
_UV_VALUES = frozenset(
    {
        "--from",
        "--with",
        "--with-editable",
        "--with-requirements",
        "--python",
        "-p",
        "--directory",
        "--project",
        "--index",
        "--default-index",
        "--index-url",
        "-i",
        "--extra-index-url",
        "--find-links",
        "-f",
        "--env-file",
        "--cache-dir",
        "--config-file",
        "--extra",
        "--group",
        "--spec",
        "--pip-args",
        "--constraints",
        "-c",
        "--refresh-package",
        "--allow-insecure-host",
        "--python-preference",
        "--index-strategy",
    }
)
_DOCKER_FLAGS = frozenset(
    {
        "-i",
        "-t",
        "-d",
        "-P",
        "--rm",
        "--init",
        "--interactive",
        "--tty",
        "--detach",
        "--privileged",
        "--read-only",
        "--no-healthcheck",
        "--publish-all",
        "--sig-proxy",
        "--disable-content-trust",
        "--oom-kill-disable",
        "--quiet",
        "-q",
        "--help",
        "--tls",
        "--tlsverify",
        "--debug",
        "-D",
    }
)
_GO_VALUES = frozenset({"-C", "-modfile", "-tags", "-ldflags", "-gcflags", "-mod", "-overlay", "-exec", "-p"})
_SHORT_FLAGS = re.compile(r"-[itdPqD]+")
_NPM_NAME = re.compile(r"(?:npm:)?(?P<name>(?:@[\w.~-]+/)?[\w.~-]+)(?:@[^\s/]*)?", re.I)
_PYPI_NAME = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*?)(?:\[[\w,\s-]*\])?(?:(?:@|[=<>!~]=?|===)[^/]*)?")
_IN_NODE_MODULES = re.compile(r".*(?:^|[/\\])node_modules[/\\](?P<name>(?:@[^/\\]+[/\\])?[^/\\.@][^/\\]*)[/\\]")
_IN_BIN = re.compile(r".*node_modules[/\\]\.bin[/\\]")
_PYTHON = re.compile(r"(?:python[\d.]*|py)\Z")
_LOCAL = re.compile(r"(?![a-z]:[/\\]|~[/\\])[^/\\$]+[/\\]|.*\$\{?(?:workspace|project|cwd|pwd)", re.I)


def identities(launch: Launch) -> tuple[str, ...]:
    """The names of the software that a launch starts or reaches; mostly none or one."""
    found = list(_of_words(launch.words, 0))
    if launch.url is not None:
        found += _of_url(launch.url)
    return tuple(dict.fromkeys(found))


def _of_words(words: Sequence[str], depth: int) -> Iterator[str]:
    if not words or depth > _MAX_NESTING:
        return
    program, rest = program_of(words[0]), words[1:]
    reader = _PROGRAMS.get(program)
    if reader is not None:
        yield from reader(rest, depth)
    elif _PYTHON.match(program):
        yield from _python(rest, depth)
    elif _IN_BIN.match(words[0]) or not _LOCAL.match(words[0]):
        yield f"binary:{program}"


def _of_url(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port not in (None, 80, 443) else ""
    except ValueError:
        return
    if parts.scheme in ("http", "https") and parts.hostname:
        yield f"url:{parts.hostname}{port}{parts.path.rstrip('/')}"


def _split_options(words: Sequence[str], with_values: frozenset[str]) -> tuple[list[tuple[str, str]], Sequence[str]]:
    """The options in front, with their values where they have one, and the words behind them."""
    options: list[tuple[str, str]] = []
    position = 0
    while position < len(words) and words[position].startswith("-"):
        name, equals, value = words[position].partition("=")
        position += 1
        if name == "--":
            break
        if not equals and name in with_values and position < len(words):
            value = words[position]
            position += 1
        options.append((name, value))
    return options, words[position:]


def _npm(words: Sequence[str], depth: int) -> Iterator[str]:
    options, rest = _split_options(words, _NPM_VALUES)
    named = [value for name, value in options if name in ("-p", "--package")]
    if len(named) > 1 or not (named or rest):
        return
    match = _NPM_NAME.fullmatch(named[0] if named else rest[0])
    if match is None:
        return
    identity = f"npm:{match['name'].lower()}"
    yield identity
    if identity in _BRIDGES:
        for word in rest:
            yield from _of_url(word)


def _npm_behind(*verbs: str) -> Callable[[Sequence[str], int], Iterator[str]]:
    def read(words: Sequence[str], depth: int) -> Iterator[str]:
        _, rest = _split_options(words, _NPM_VALUES)
        if rest and rest[0] in verbs:
            yield from _npm(rest[1:], depth)

    return read


def _pypi(words: Sequence[str], depth: int) -> Iterator[str]:
    options, rest = _split_options(words, _UV_VALUES)
    named = next((value for name, value in options if name in ("--from", "--spec")), None)
    yield from _pypi_name(named or (rest[0] if rest else ""))


def _pypi_name(text: str) -> Iterator[str]:
    match = _PYPI_NAME.fullmatch(text.strip())
    if match is not None:
        yield "pypi:" + re.sub(r"[-_.]+", "-", match["name"]).lower()


def _uv(words: Sequence[str], depth: int) -> Iterator[str]:
    _, rest = _split_options(words, _UV_VALUES)
    if list(rest[:2]) == ["tool", "run"]:
        yield from _pypi(rest[2:], depth)
    elif rest[:1] and rest[0] == "run":
        options, command = _split_options(rest[1:], _UV_VALUES)
        if any(name in ("-m", "--module") for name, _ in options):
            yield from _pypi_name(command[0] if command else "")
        elif command and not _is_script(command[0]):
            yield from _of_words(command, depth + 1)


def _pipx(words: Sequence[str], depth: int) -> Iterator[str]:
    _, rest = _split_options(words, _UV_VALUES)
    if rest and rest[0] == "run":
        yield from _pypi(rest[1:], depth)


def _python(words: Sequence[str], depth: int) -> Iterator[str]:
    for position, word in enumerate(words):
        if word == "-m":
            yield from _pypi_name(words[position + 1].partition(".")[0] if position + 1 < len(words) else "")
            return
        if not word.startswith("-"):
            return


def _docker(words: Sequence[str], depth: int) -> Iterator[str]:
    before = [word for word in words[: words.index("run")] if not word.startswith("-")] if "run" in words else None
    if before not in ([], ["container"]):
        return
    rest = list(words[words.index("run") + 1 :])
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        is_flag = option in _DOCKER_FLAGS or "=" in option or _SHORT_FLAGS.fullmatch(option)
        if option.split("=")[0] == "--entrypoint":
            return
        if not is_flag and rest and not (len(option) > 2 and option[1] != "-"):
            rest.pop(0)
    if rest:
        image = rest[0].partition("@")[0]
        head, slash, tail = image.rpartition("/")
        image = f"{head}{slash}{tail.partition(':')[0]}".lower()
        yield "image:" + image.removeprefix("docker.io/").removeprefix("library/")


def _node(words: Sequence[str], depth: int) -> Iterator[str]:
    _, rest = _split_options(words, frozenset({"-r", "--require", "--import", "--env-file", "--loader"}))
    if rest and rest[0] in ("run", "x"):
        yield from _npm(rest[1:], depth) if rest[0] == "x" else _node(rest[1:], depth)
        return
    script = rest[0] if rest else ""
    match = _IN_NODE_MODULES.match(script)
    if match is not None:
        yield "npm:" + match["name"].replace("\\", "/").lower()
    elif script.startswith("npm:"):
        yield from _npm([script], depth)


def _go(words: Sequence[str], depth: int) -> Iterator[str]:
    if words and words[0] == "run":
        _, rest = _split_options(words[1:], _GO_VALUES)
        if rest and not _is_script(rest[0]) and not rest[0].startswith("."):
            yield f"go:{rest[0].partition('@')[0]}"


def _env(words: Sequence[str], depth: int) -> Iterator[str]:
    _, rest = _split_options(words, frozenset({"-u", "--unset", "-C", "--chdir"}))
    behind = next((index for index, word in enumerate(rest) if not re.match(r"[A-Za-z_]\w*=", word)), len(rest))
    yield from _of_words(rest[behind:], depth + 1)


def _shell(words: Sequence[str], depth: int) -> Iterator[str]:
    behind = next((index + 1 for index, word in enumerate(words) if re.fullmatch(r"-[a-z]*c", word)), len(words))
    command = list(words[behind:])
    if any(word in ("&&", "||", ";", "|") or word.endswith(";") for word in command):
        return
    yield from _env(command, depth)


def _cmd(words: Sequence[str], depth: int) -> Iterator[str]:
    behind = next((index for index, word in enumerate(words) if not word.startswith("/")), len(words))
    yield from _of_words(words[behind:], depth + 1)


def _is_script(word: str) -> bool:
    return word.lower().endswith((".py", ".js", ".mjs", ".cjs", ".ts", ".go", ".sh"))


_PROGRAMS: dict[str, Callable[[Sequence[str], int], Iterator[str]]] = {
    "npx": _npm,
    "bunx": _npm,
    "pnpx": _npm,
    "npm": _npm_behind("exec", "x"),
    "pnpm": _npm_behind("dlx", "exec"),
    "yarn": _npm_behind("dlx"),
    "bun": _node,
    "deno": _node,
    "node": _node,
    "tsx": _node,
    "uvx": _pypi,
    "uv": _uv,
    "pipx": _pipx,
    "docker": _docker,
    "podman": _docker,
    "nerdctl": _docker,
    "go": _go,
    "env": _env,
    "exec": _env,
    "cmd": _cmd,
    "sh": _shell,
    "bash": _shell,
    "dash": _shell,
    "zsh": _shell,
}
