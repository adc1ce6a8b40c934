"""Which of the file patterns of rules cover something that a call mentions: a path, what lies below it, a wildcard."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

from rules_lsp.policy.config import Config
from rules_lsp.policy.decide_file import excluding_entries
from rules_lsp.policy.files import is_below
from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.model import Entry, RuleList, Rules
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.requests import AskedPath, asked_path
from rules_lsp.policy.resolve import Resolver
from rules_lsp.policy.shell.mentions import Mention
from rules_lsp.source.text import Span

_MOST_FOUND = 200
_MOST_BELOW = 1_000
_INSIDE = "x"
"""A name for any file of a directory that is gone into."""


class Covering:
    """The patterns of all rules of a job together, under one policy and one batch's resolver."""

    def __init__(self, own: Policy, patterns: tuple[str, ...], resolver: Resolver) -> None:
        self._patterns = patterns
        self._resolver = resolver
        self._policy = _excluding(own.root.given, own.root.real, patterns, own.fold_case, own.config.path_map)
        self._every = frozenset(patterns)

    def of(self, mentions: Iterable[Mention], cwd: str | None) -> frozenset[str]:
        """The patterns that cover a mention. A working directory that is not absolute is taken from the root."""
        if self._policy.broken_exclude is not None:
            return self._every
        found: set[str] = set()
        root = self._policy.root.given
        start = root if cwd is None else os.path.join(root, cwd)
        for mention in mentions:
            base = start if mention.base is None else os.path.join(start, mention.base)
            if mention.wild:
                found |= self._wild(mention.path, base)
            elif mention.place:
                found |= self._path(os.path.join(mention.path, _INSIDE), base)
            else:
                found |= self._path(mention.path, base, with_all_below=True)
            if len(found) == len(self._every):
                break
        return frozenset(found)

    def _path(self, path: str, base: str, *, with_all_below: bool = False) -> frozenset[str]:
        asked = asked_path(path, base, self._policy.root, self._policy.config)
        if not isinstance(asked, AskedPath):
            return frozenset()
        found = frozenset(entry.text for entry in excluding_entries(self._policy, asked, self._resolver))
        return found | self._below(path, asked) if with_all_below else found

    def _below(self, path: str, asked: AskedPath) -> frozenset[str]:
        """The patterns that may cover a file below a path, if that is a directory or may become one."""
        root = self._policy.root
        resolved = self._resolver.resolve(asked.absolute)
        if resolved.kind == "file" and resolved.refusal is None:
            return frozenset()
        # What lies above the root holds all of it; a link to it is followed only where the path says so.
        above = resolved.candidates if path.endswith("/") else (os.path.normpath(asked.absolute),)
        names = [""] if any(map(self._is_above, above)) else []
        names += [name for each in resolved.candidates if (name := root.relative(each)) is not None]
        if not names:
            return frozenset()
        found = {
            text for name in dict.fromkeys(names) for text in _reaching(name, self._patterns, self._policy.fold_case)
        }
        if resolved.kind == "directory":
            floating = _floating(self._patterns)
            top = root.real if "" in names else resolved.real
            if floating - found and root.relative(top) is not None:
                found |= self._walked(top, floating - found)
        return frozenset(found)

    def _is_above(self, directory: str) -> bool:
        root = self._policy.root
        return is_below(root.given, directory) or is_below(root.real, directory)

    def _walked(self, top: str, patterns: frozenset[str]) -> frozenset[str]:
        """Those of the patterns that cover a file that stands below a directory; all, where there are too many."""
        found: set[str] = set()
        count = 0
        for directory, directories, files in os.walk(top):
            for name in (*directories, *files):
                count += 1
                if count > _MOST_BELOW:
                    return patterns
                relative = self._policy.root.relative(os.path.join(directory, name)) or ""
                found.update(self._policy.excludes.entries[at].text for at in self._covering(relative))
        return patterns & found

    def _covering(self, relative: str) -> list[int]:
        return self._policy.excludes.all_covering(relative, None, fold_case=self._policy.fold_case)

    def _wild(self, path: str, base: str) -> frozenset[str]:
        """The patterns that may cover what the shell puts in the place of a path with wildcards."""
        absolute = os.path.join(base, path)
        if "\\" in path or ".." in path or "(" in path or self._policy.fold_case:
            return self._every
        found = set(self._path(path, base))
        matches = list(islice(glob.iglob(absolute), _MOST_FOUND + 1))
        if len(matches) > _MOST_FOUND:
            return self._every
        for match in matches:
            found |= self._path(match, base, with_all_below=True)
        relative = self._policy.root.relative(os.path.normpath(absolute))
        if relative is None:
            # Wildcards before the root may lead into it.
            head = absolute[: min(absolute.index(letter) for letter in "*?[{" if letter in absolute)]
            return self._every if self._policy.root.given.startswith(head) else frozenset(found)
        return frozenset(found) | _meeting(relative, self._patterns)


@lru_cache(maxsize=1024)
def _globs(patterns: tuple[str, ...]) -> tuple[tuple[str, Glob | None], ...]:
    return tuple((text, read if isinstance(read := parse_glob(text), Glob) else None) for text in patterns)


@lru_cache(maxsize=64)
def _prefixes(patterns: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The patterns that are tried from the root only, each with the directory that its matches lie below."""
    return tuple(
        (text, read.literal_path or read.literal_prefix)
        for text, read in _globs(patterns)
        if read is not None and read.anchored and (read.literal_path or read.literal_prefix)
    )


@lru_cache(maxsize=64)
def _floating(patterns: tuple[str, ...]) -> frozenset[str]:
    """The patterns that may cover a file of any directory."""
    return frozenset(patterns) - {text for text, _ in _prefixes(patterns)}


@lru_cache(maxsize=4096)
def _reaching(name: str, patterns: tuple[str, ...], fold_case: bool) -> frozenset[str]:
    """The patterns whose matches all lie below a directory."""
    below = f"{name}/" if name else ""
    if fold_case:
        return frozenset(text for text, top in _prefixes(patterns) if f"{top}/".casefold().startswith(below.casefold()))
    return frozenset(text for text, top in _prefixes(patterns) if f"{top}/".startswith(below))


@lru_cache(maxsize=1024)
def _meeting(wild: str, patterns: tuple[str, ...]) -> frozenset[str]:
    """The patterns that have a file in common with a path with wildcards, or with what lies below it."""
    from rules_lsp.policy.glob.inclusion import disjoint

    shell = parse_glob(f"/{wild}")
    if not isinstance(shell, Glob):
        return frozenset(patterns)
    return frozenset(
        text
        for text, read in _globs(patterns)
        if read is None or disjoint((shell,), (read,), budget=2_000).verdict is not True
    )


@lru_cache(maxsize=64)
def _excluding(
    given: str, real: str, patterns: tuple[str, ...], fold_case: bool, path_map: tuple[tuple[str, str], ...]
) -> Policy:
    """A policy that excludes what the patterns cover, and knows nothing else."""
    from rules_lsp.policy.roots import Root

    place = Span(0, 0)
    entries = tuple(Entry(text, place, "file_patterns.exclude", at) for at, text in enumerate(patterns))
    rules = Rules("", (), (), (), (RuleList("file_patterns.exclude", place, entries),))
    root = Root(given, real)
    config = Config(path_map=path_map)
    return Policy(root, config, None, None, rules, None, False, (), (), frozenset(), fold_case)
