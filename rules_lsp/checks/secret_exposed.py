"""A file that looks like a secret and may be written.

## What it finds
Files with the names that secrets have, such as `.env`, `*.pem`, `id_rsa` or `credentials.json`, that exist in the
project and that the rules let an agent change. Templates such as `.env.example` are none, and files of tests,
examples and installed packages are left out. Each kind is reported once.

## Why it matters
What is not excluded may also be read: an agent that reads a secret can pass it on without meaning to.

## Example
```yaml
file_patterns:
  include:
    - "**"
```
```text .env
TOKEN=abc
```
```text app.py
print()
```

## Instead
```yaml
file_patterns:
  include:
    - "**"
  exclude:
    - .env
```
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.exclude_edits import NewEntry, added_to_exclude
from rules_lsp.checks.common.glob_entries import escaped, in_force, known_files, may_write
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Scalar, resolve
from rules_lsp.workspace.inventory import FileInventory

_TABLE = os.path.join(os.path.dirname(__file__), "data", "secret_names.json")
_MOST_LOOKED_AT = 1000
_MOST_NAMED = 5
_DIRECTORIES_OF_SECRETS = frozenset({"credentials", "keys", "private", "secret", "secrets", ".secrets"})


@dataclass(frozen=True, slots=True, eq=False)
class _Kind:
    """Files of one kind by the patterns of their names; the `innocent` ones among them are no secrets."""

    one: str
    several: str
    names: tuple[Glob, ...]
    innocent: tuple[Glob, ...]


def _find(subject: Subject) -> Iterator[Diagnostic]:
    files, policy = known_files(subject), in_force(subject)
    if files is None or policy is None or not _restricts(subject):
        return
    place = _place(subject)
    for kind in _kinds():
        found = _exposed(kind, files, policy)
        if not found:
            continue
        paths = sorted({path for paths in found.values() for path in paths})
        if len(paths) == 1:
            message = f"`{shown(paths[0])}` looks like {kind.one} and may be written: add it to `exclude`"
        else:
            what = f"`{shown(paths[0])}` and {len(paths) - 1} more look like {kind.several}"
            message = f"{what} and may be written: add them to `exclude`"
        yield Diagnostic(CHECK.code, CHECK.severity, message, place, (), _fixes(subject, found))


def _restricts(subject: Subject) -> bool:
    """Whether the text is meant to restrict: a Markdown file without a section is a guide and no policy."""
    return subject.kind != "markdown" or any(True for _ in subject.shown.lists())


def exposed_files(subject: Subject) -> tuple[str, ...]:
    """The files that look like secrets and may be written, sorted; none where not all files are known."""
    files, policy = known_files(subject), in_force(subject)
    if files is None or policy is None:
        return ()
    return tuple(
        sorted({path for kind in _kinds() for paths in _exposed(kind, files, policy).values() for path in paths})
    )


@lru_cache(maxsize=32768)
def names_a_secret(pattern: str) -> bool:
    """Whether one of the names of a pattern is one that secrets have, or the directories that hold them."""
    names = [name for name in pattern.split("/") if name]
    if any(name.casefold() in _DIRECTORIES_OF_SECRETS for name in names):
        return True
    return any(glob.matches(name, False) for name in names for kind in _kinds() for glob in kind.names)


def _exposed(kind: _Kind, files: FileInventory, policy: Policy) -> dict[Glob, list[str]]:
    """The files of a kind that may be written, by the pattern of their names."""
    found: dict[Glob, list[str]] = {}
    for glob, path in _of_kind(kind, files):
        if may_write(policy, path):
            found.setdefault(glob, []).append(path)
    return found


@lru_cache(maxsize=12)
def _of_kind(kind: _Kind, files: FileInventory) -> tuple[tuple[Glob, str], ...]:
    """The files of a kind, each with the first pattern of their names; kept as long as the files are asked about."""
    found: dict[str, Glob] = {}
    for glob in kind.names:
        for path in islice(files.file_index.covered(glob), _MOST_LOOKED_AT):
            # A directory of the name of a secret holds ordinary files.
            if path not in found and glob.matches(path, False) and not _is_innocent(kind, path):
                found[path] = glob
    return tuple((glob, path) for path, glob in found.items())


def _is_innocent(kind: _Kind, path: str) -> bool:
    if any(glob.matches(path, False) for glob in kind.innocent):
        return True
    return not _directories_of_others().isdisjoint(path.split("/")[:-1])


def _fixes(subject: Subject, found: dict[Glob, list[str]]) -> tuple[Fix, ...]:
    texts: list[str] = []
    for glob, paths in found.items():
        names = sorted({path.rpartition("/")[2] for path in paths})
        # An ending says enough of a file; `.env.*` would take the templates along.
        named = not glob.text.startswith("*.") and len(names) <= _MOST_NAMED
        texts += [escaped(name) for name in names] if named else [glob.text]
    edits = added_to_exclude(subject, [NewEntry(text) for text in dict.fromkeys(texts)])
    listed = ", ".join(f"`{shown(text)}`" for text in dict.fromkeys(texts))
    return () if edits is None else (Fix(f"add {listed} to `exclude`", edits),)


def _place(subject: Subject) -> Span:
    """The key of `include`, else that of the patterns, else the first line."""
    if subject.shown.include:
        return subject.shown.include[0].span
    if isinstance(subject.reading, MarkdownRules):
        headings = (section.heading for section in subject.reading.sections if section.name == "File Patterns")
        return next(headings, subject.text.line_span(0))
    root = resolve(subject.nodes.root) if subject.nodes.root is not None else None
    keys = [key for key, _ in root.pairs if isinstance(key, Scalar)] if isinstance(root, Mapping) else []
    return next((key.span for key in keys if key.value == "file_patterns"), subject.text.line_span(0))


@cache
def _table() -> dict[str, list[dict[str, object]]]:
    with open(_TABLE, encoding="utf-8") as file:
        table: dict[str, list[dict[str, object]]] = json.load(file)
    return table


@cache
def _kinds() -> tuple[_Kind, ...]:
    return tuple(
        _Kind(str(kind["one"]), str(kind["several"]), _globs(kind["names"]), _globs(kind["innocent"]))
        for kind in _table()["kinds"]
    )


@cache
def _directories_of_others() -> frozenset[str]:
    return frozenset(str(name) for name in _table()["directoriesOfOthers"])


def _globs(texts: object) -> tuple[Glob, ...]:
    assert isinstance(texts, list)
    return tuple(glob for text in texts if isinstance(glob := parse_glob(str(text)), Glob))


CHECK = Check.documented("secret-exposed", "warning", _find, __doc__, Stage.BESIDE, "safe")
