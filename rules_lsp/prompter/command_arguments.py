"""The command lines and the paths among the arguments of any tool, by the usual names of their keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from rules_lsp.policy.shell.mentions import Mention
from rules_lsp.source.expressions import expression

_PUNCTUATION = expression(r"[^a-z]+")
_DEEPEST = 8
_MOST = 2_000
_LINES = frozenset({
    "action", "actions", "arg", "args", "argument", "arguments", "argv", "chars", "cmd", "cmdline", "cmds",
    "code", "command", "commandline", "commands", "executable", "input", "line", "lines", "program",
    "script", "scripts", "shellcommand", "stdin", "steps", "text",
})  # fmt: skip
_PROGRAMS = ("program", "executable", "command", "cmd")
_WORDS = ("args", "argv", "arguments", "arg", "argument")
_PLACES = frozenset({
    "cwd", "dir", "dirpath", "directory", "directorypath", "folder", "pwd", "workdir", "workingdir",
    "workingdirectory",
})  # fmt: skip
_PATHS = frozenset({
    "absolutepath", "destination", "destinationpath", "destpath", "file", "filename", "filepath",
    "filepaths", "files", "from", "fromfile", "glob", "include", "includes", "newfile", "newpath",
    "notebookpath", "oldpath", "output", "outputfile", "outputpath", "path", "paths", "previouspath",
    "relativepath", "relativeworkspacepath", "root", "source", "sourcepath", "target", "targetdirectory",
    "targetfile", "targetnotebook", "targetpath", "to", "uri", "uris",
})  # fmt: skip
_GLOBBING = frozenset({"glob", "globtool", "globfiles", "filesearch", "searchfiles", "findfiles"})


def lines_of(arguments: Mapping[str, object]) -> list[str]:
    """Every text at a key that is called as a command line is, at every depth."""
    return list(dict.fromkeys(_lines(arguments, 0)))


def _lines(value: object, depth: int) -> Iterator[str]:
    if depth > _DEEPEST or not isinstance(value, Mapping):
        return
    given = {_folded(key): each for key, each in value.items()}
    program = next((each for name in _PROGRAMS if isinstance(each := given.get(name), str)), None)
    words = next((each for name in _WORDS if isinstance(each := given.get(name), list)), None)
    if program is not None and words is not None:
        yield _joined([program, *words])
        # The words of a program are no program.
        given = {key: each for key, each in given.items() if each is not words}
    for key, each in given.items():
        if key in _LINES:
            yield from _of_key(key, each, depth)


def _of_key(key: str, value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _lines(value, depth + 1)
    elif isinstance(value, (list, tuple)) and value:
        words = [each for each in value[:_MOST] if isinstance(each, (str, int, float))]
        # The first word of a command has no blank in it: such a list is one of lines.
        if words and (key.endswith("s") and key not in _WORDS or " " in str(words[0])):
            yield from map(str, words)
        if words:
            yield _joined(words)
        for each in value[:_MOST]:
            yield from _lines(each, depth + 1)


def _joined(words: Iterable[object]) -> str:
    import shlex

    return shlex.join(str(word) for word in words if isinstance(word, (str, int, float)))


def places_of(arguments: Mapping[str, object]) -> list[str]:
    """The directories in which a command is told to run."""
    return [each for key, each in arguments.items() if isinstance(each, str) and each and _folded(key) in _PLACES]


def paths_of(tool: str, arguments: Mapping[str, object]) -> tuple[Mention, ...]:
    """Every text at a key that is called as a path is, at every depth; the pattern of a tool that looks for files."""
    found: dict[Mention, None] = {}
    globbing = _folded(tool.replace(":", "/").rpartition("/")[2].rpartition("__")[2]) in _GLOBBING
    bases: list[str | None] = [
        each for each in (arguments.get("path"), *places_of(arguments)) if isinstance(each, str) and each
    ]
    for key, text in _texts(arguments, "", 0):
        if key in _PATHS or key in _PLACES:
            found[Mention(text.removeprefix("file://"), wild=any(letter in text for letter in "*?[{"))] = None
        elif globbing and key in ("pattern", "query"):
            found.update((Mention(text, base, wild=True), None) for base in bases or [None])
    return tuple(found)


def _texts(value: object, key: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if value:
            yield key, value
    elif depth <= _DEEPEST and isinstance(value, Mapping):
        for name, each in value.items():
            yield from _texts(each, _folded(name), depth + 1)
    elif depth <= _DEEPEST and isinstance(value, (list, tuple)):
        for each in value[:_MOST]:
            yield from _texts(each, key, depth + 1)


def _folded(key: object) -> str:
    return _folded_text(key) if isinstance(key, str) else ""


@lru_cache(maxsize=1024)
def _folded_text(key: str) -> str:
    return _PUNCTUATION.sub("", key.casefold())
