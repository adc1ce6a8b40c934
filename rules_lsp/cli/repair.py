"""`check --fix` and `check --diff`: making the fixes in the files, or showing what they would change."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Sequence
from functools import partial

from rules_lsp.cli.checking import Change, Renaming, changes_of
from rules_lsp.cli.names import shortened
from rules_lsp.cli.parallel import mapped
from rules_lsp.cli.render import Style, printable
from rules_lsp.cli.selection import Selection
from rules_lsp.cli.targets import Target
from rules_lsp.cli.write_file import ChangedMeanwhile, rename_file, replace_content
from rules_lsp.source.records import dataclass, field

MAX_PASSES = 5
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_COLOURS = {"-": "error", "+": "fix", "@": "information"}
_NO_LINE_END = "\\ No newline at end of file\n"


@dataclass(slots=True)
class Repaired:
    """What was done, a line a fix, and what could not be done."""

    done: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    files: set[str] = field(default_factory=set)


def repair(targets: Sequence[Target], selection: Selection, *, unsafe: bool, spread: bool) -> Repaired:
    """Make the fixes in the rule files of the targets until there is none left to make.

    A file is replaced as a whole or left as it is. With `unsafe` files are renamed too.
    """
    repaired = Repaired()
    left = list(targets)
    given_up: set[str] = set()
    for _ in range(MAX_PASSES):
        changes = mapped(partial(changes_of, selection=selection, unsafe=unsafe), left, spread=spread)
        again: list[Target] = []
        for target, found in zip(left, changes, strict=True):
            made = [_make(change, repaired, given_up) for change in found if change.path not in given_up]
            if any(made):
                again.append(target)
        if not again:
            break
        left = again
    return repaired


def _make(change: Change | Renaming, repaired: Repaired, given_up: set[str]) -> bool:
    try:
        if isinstance(change, Renaming):
            rename_file(change.path, change.new_path)
        else:
            replace_content(change.path, change.before, change.after)
    except ChangedMeanwhile:
        # Another name of the same file was written in this round: the next round reads it anew.
        return True
    except OSError as error:
        given_up.add(change.path)
        cause = (error.strerror or "unknown cause").lower()
        repaired.failures.append(f"{change.name}: it cannot be changed ({cause}), and is as it was")
        return False
    repaired.done += _lines(change)
    repaired.files.add(change.path)
    return True


def _lines(change: Change | Renaming) -> Iterator[str]:
    if isinstance(change, Renaming):
        yield f"{printable(change.name)}: fixed[{change.code}] {printable(change.title)}"
        return
    for repair in change.repairs:
        place = f"{printable(change.name)}:{repair.place.line + 1}:{repair.place.character + 1}"
        yield f"{place}: fixed[{repair.code}] {printable(repair.fix.title)}"


def differences(targets: Sequence[Target], selection: Selection, *, unsafe: bool, spread: bool) -> Iterator[str]:
    """What the fixes would change, each file as a unified diff with its final line breaks; nothing is written."""
    shown: set[str] = set()
    for found in mapped(partial(changes_of, selection=selection, unsafe=unsafe), targets, spread=spread):
        for change in found:
            if change.path in shown:
                continue
            shown.add(change.path)
            if isinstance(change, Renaming):
                yield f"rename from {change.name}\nrename to {shortened(change.new_path)}\n"
            else:
                yield _difference(change)


def _difference(change: Change) -> str:
    before, after = (_LINE.findall(data.decode("utf-8")) for data in (change.before, change.after))
    name = change.name.replace(os.sep, "/")
    lines = difflib.unified_diff(before, after, f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n{_NO_LINE_END}" for line in lines)


def coloured(difference: str, style: Style) -> str:
    """A difference as a terminal shows it: what is removed in red, what is added in green, nothing invisible."""
    shown = []
    for line in difference.removesuffix("\n").split("\n"):
        colour = _COLOURS.get(line[:1]) if not line.startswith(("---", "+++")) else "place"
        text = printable(line)
        shown.append(style.paint(text, colour) if colour is not None else text)
    return "\n".join(shown) + "\n"
