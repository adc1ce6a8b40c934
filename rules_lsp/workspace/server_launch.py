"""How a server is started or reached, without its secrets.

Values of environment variables and of headers are never taken in; what looks like a secret in arguments and addresses
is replaced by `…`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

Transport = Literal["stdio", "http", "sse"]

HIDDEN = "…"
MAX_WORDS = 200

_URL_KEYS = ("url", "httpUrl", "serverUrl")
_ENVIRONMENT_KEYS = ("env", "environment")
_TRANSPORTS: dict[str, Transport] = {
    "stdio": "stdio",
    "local": "stdio",
    "sse": "sse",
    "http": "http",
    "remote": "http",
    "streamable-http": "http",
    "streamable_http": "http",
    "streamablehttp": "http",
}
_SHELLS = frozenset({"sh", "bash", "dash", "zsh"})
_SHELL_COMMAND = re.compile(r"-[a-z]*c")
_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)=")
_ASSIGNED = re.compile(r"(?:-e|--env=)?(?P<name>[A-Za-z_]\w*)=")
_ATTACHED = re.compile(r"(?P<option>-[eH]|--?[\w-]+=)(?P<value>.+)", re.DOTALL)
_SECRET_OPTION = re.compile(r"-H$|--?[\w-]*(?:key|token|secret|passw|pwd|auth|credential|cookie|header|pat$)", re.I)
_HEADER = re.compile(r"[A-Za-z][\w-]*:(?!//|\\)\s*\S")
_KNOWN_SECRET = re.compile(
    r"(?<![A-Za-z0-9])(?:gh[opsur]_|github_pat_|glpat-|sk-|xox[abprs]-|AKIA|AIza|eyJ|hf_|npm_|pypi-|Bearer\s)\S{8,}"
)
_RANDOM_SEGMENT = re.compile(r"(?=[\w.~-]*\d)[\w.~-]{17,}")
_IDENTITY_KINDS_WITH_COLON = ("npm:", "docker:")


class Launch(NamedTuple):
    """`words` is the command and its arguments, empty for a server that is reached at `url`.

    `environment` holds names of variables only. Wrapped commands (`sh -c "…"`) are split into their words.
    """

    words: tuple[str, ...] = ()
    url: str | None = None
    transport: Transport | None = None
    environment: frozenset[str] = frozenset()
    disabled: bool = False


def read_launch(entry: object) -> Launch:
    """The launch in a server's entry as any host writes it; what is not understood is left out."""
    if not isinstance(entry, dict):
        return Launch()
    words = _words(entry)
    url = next((entry[key] for key in _URL_KEYS if isinstance(entry.get(key), str)), None)
    environment: set[str] = set()
    for key in _ENVIRONMENT_KEYS:
        variables = entry.get(key)
        environment.update(variables if isinstance(variables, dict) else ())
    environment.update(match["name"] for word in words if (match := _ASSIGNED.match(word)))
    shown = tuple(_without_secrets(words))
    named = next((entry[key] for key in ("type", "transport") if isinstance(entry.get(key), str)), "")
    transport = _TRANSPORTS.get(named.lower())
    if transport is None and words:
        transport = "stdio"
    elif transport is None and url:
        transport = "http"
    return Launch(
        words=shown,
        url=clean_url(url) if url else None,
        transport=transport,
        environment=frozenset(environment),
        disabled=entry.get("disabled") is True or entry.get("enabled") is False or entry.get("isActive") is False,
    )


def clean_url(url: str) -> str:
    """An address without user, query, fragment and such parts of its path as look like a secret."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        host = f"[{host}]" if ":" in host else host
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return HIDDEN
    if not parts.scheme or not host:
        return HIDDEN if "@" in url or "?" in url else _KNOWN_SECRET.sub(HIDDEN, url)
    path = "/".join(HIDDEN if _RANDOM_SEGMENT.fullmatch(segment) else segment for segment in parts.path.split("/"))
    return f"{parts.scheme}://{host}{port}{_KNOWN_SECRET.sub(HIDDEN, path)}"


def raw_words(entry: dict[str, object]) -> list[str]:
    """The command and its arguments as they are written, secrets included: not to be shown, and not to be kept."""
    command = entry.get("command", entry.get("cmd"))
    arguments = entry.get("args", entry.get("arguments"))
    if isinstance(command, dict):
        nested: dict[str, object] = command
        command, arguments = nested.get("path"), nested.get("args")
    first = [command] if isinstance(command, str) else command if isinstance(command, list) else []
    rest = [arguments] if isinstance(arguments, str) else arguments if isinstance(arguments, list) else []
    words = [word for word in (*first, *rest) if isinstance(word, str) and word][:MAX_WORDS]
    return _split(words[0]) if len(words) == 1 and not rest else words


def _words(entry: dict[str, object]) -> list[str]:
    return list(_unwrapped(raw_words(entry)))[:MAX_WORDS]


def _unwrapped(words: list[str]) -> Iterator[str]:
    """The words with a shell's command text split into words of its own."""
    program = program_of(words[0]) if words else ""
    takes_text = False
    for position, word in enumerate(words):
        if takes_text:
            yield from _split(word)
        else:
            yield word
        is_command = program in _SHELLS and position > 0 and _SHELL_COMMAND.fullmatch(word) is not None
        takes_text = is_command or (program == "cmd" and word.lower() in ("/c", "/k"))


def _split(text: str) -> list[str]:
    if not text or text.isspace() or not any(map(str.isspace, text)):
        return [text]
    try:
        # A Windows path is no escape.
        return shlex.split(text, posix="\\" not in text)
    except ValueError:
        return [HIDDEN]


def _without_secrets(words: list[str]) -> Iterator[str]:
    follows_secret = False
    for word in words:
        attached = _ATTACHED.fullmatch(word)
        is_option = word.startswith("-")
        if follows_secret and not is_option:
            yield HIDDEN
        elif attached is not None and _SECRET_OPTION.match(attached["option"].rstrip("=")):
            yield attached["option"] + HIDDEN
        elif attached is not None:
            yield attached["option"] + _without_secret(attached["value"])
        else:
            yield word if is_option else _without_secret(word)
        follows_secret = is_option and attached is None and _SECRET_OPTION.match(word) is not None


def _without_secret(word: str) -> str:
    assignment = _ASSIGNMENT.match(word)
    if assignment is not None:
        return assignment[0] + HIDDEN
    if "://" in word:
        return clean_url(word)
    if _HEADER.match(word) and not word.startswith(_IDENTITY_KINDS_WITH_COLON) and (" " in word or "$" in word):
        return word.partition(":")[0] + ":" + HIDDEN
    return _KNOWN_SECRET.sub(HIDDEN, word)


def program_of(word: str) -> str:
    """The name of a command without its directories and a Windows ending, in lower case."""
    name = re.split(r"[/\\]", word)[-1].lower()
    return re.sub(r"\.(?:exe|cmd|bat|ps1)\Z", "", name)
