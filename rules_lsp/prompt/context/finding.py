"""The files that a given path names: itself, what lies in a folder, or what a pattern takes."""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.requests import shown
from rules_lsp.prompt.context.model import Finding, LeftOut, Source
from rules_lsp.prompt.context.paths import displayed, expand, of_windows, unknown_home
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.glob_files import GlobFiles, start_of
from rules_lsp.workspace.walk import every_file, walk_chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.workspace.walk import Choose

_WILD = frozenset("*?[{")


@dataclass(frozen=True, slots=True)
class Found:
    """A file that a given path names. `named` says that it was named itself, so that it must be readable."""

    absolute: str
    reason: str
    named: bool


Outcome = Found | LeftOut | Finding


def files_of(source: Source, cwd: str) -> Iterator[Outcome]:
    """What a given path brings, in the order of the paths; what exists by a name is that, whatever the name holds."""
    given = source.given
    if not given.strip() or "\0" in given:
        yield Finding("empty-path", f"an empty path names nothing{source.words}", source)
        return
    if not is_name(given):
        yield Finding(
            "missing", f"`{shown(given)}` holds half of a character, so it names no file{source.words}", source
        )
        return
    expanded = expand(given, cwd)
    absolute = expanded.absolute
    if os.path.lexists(absolute):
        yield from _existing(absolute, source, cwd)
        return
    foreign = of_windows(given, cwd)
    if foreign is not None:
        yield Finding("foreign-path", foreign + source.words, source)
    elif unknown_home(given):
        name = given.split("/")[0]
        yield Finding("unknown-home", f"`{shown(name)}` is the home of nobody here{source.words}", source)
    elif expanded.unset:
        names = ", ".join(f"`{shown(name)}`" for name in expanded.unset)
        what = "variable is" if len(expanded.unset) == 1 else "variables are"
        message = f"`{shown(given)}` stays as it is, and there is no such file: the {what} not set: {names}"
        yield Finding("unset-variable", message + source.words, source)
    elif _WILD.isdisjoint(absolute):
        yield Finding("missing", f"there is no `{shown(given)}`{source.words}", source)
    else:
        yield from _of_pattern(absolute, source, cwd)


def folder_of(absolute: str) -> str | None:
    """The folder in which a path looks for files: itself, or where its pattern starts; None for anything else."""
    if os.path.isdir(absolute):
        return absolute
    if _WILD.isdisjoint(absolute) or os.path.lexists(absolute):
        return None
    return _split(absolute)[0]


def is_name(given: str) -> bool:
    """Whether the system can be asked for a path."""
    try:
        return b"\0" not in os.fsencode(given)
    except UnicodeEncodeError:
        return False


def _existing(absolute: str, source: Source, cwd: str) -> Iterator[Outcome]:
    if not os.path.isdir(absolute):
        yield Found(absolute, f"named as `{shown(source.given)}`{source.words}", True)
        return
    found = False
    for outcome in _walked(absolute, every_file, "", f"in the folder `{shown(source.given)}`{source.words}", cwd):
        found = found or isinstance(outcome, Found)
        yield outcome
    if not found:
        yield Finding("no-match", f"the folder `{shown(source.given)}` holds no file{source.words}", source)


def _of_pattern(absolute: str, source: Source, cwd: str) -> Iterator[Outcome]:
    directory, pattern = _split(absolute)
    glob = parse_glob("/" + pattern)
    if not isinstance(glob, Glob):
        message = f"`{shown(source.given)}` is no pattern: {glob.message}{source.words}"
        yield Finding("invalid-glob", message, source)
        return
    found = False
    reason = f"matches `{shown(source.given)}`{source.words}"
    for outcome in _walked(directory, GlobFiles(glob), start_of(glob), reason, cwd):
        found = found or isinstance(outcome, Found)
        yield outcome
    if not found:
        yield Finding("no-match", f"`{shown(source.given)}` matches no file{source.words}", source)


def _split(absolute: str) -> tuple[str, str]:
    """The directory before the first part with a sign of a pattern, and the rest with `/` between its parts."""
    parts = absolute.split(os.sep)
    first = next(number for number, part in enumerate(parts) if not _WILD.isdisjoint(part))
    return os.sep.join(parts[:first]) or os.sep, "/".join(parts[first:])


def _walked(directory: str, choose: Choose, below: str, reason: str, cwd: str) -> Iterator[Outcome]:
    unreadable: list[str] = []
    for paths in walk_chosen(directory, choose, below, unreadable.append):
        for path in paths:
            absolute = os.path.join(directory, *path.split("/"))
            # Only a link can be a directory here; what lies in it may be all that lies around it.
            if os.path.isdir(absolute):
                yield LeftOut(displayed(absolute, cwd), "a link to a folder, which is followed only where it is named")
            else:
                yield Found(absolute, reason, False)
    for path in unreadable:
        yield LeftOut(displayed(os.path.normpath(os.path.join(directory, path)), cwd), "it cannot be looked into")
