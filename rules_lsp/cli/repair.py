"""`check --fix` and `check --diff`: making the fixes in the files, or showing what they would change."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial

from rules_lsp.cli.checking import Change, Renaming, changes_of
from rules_lsp.cli.names import shortened
from rules_lsp.cli.parallel import mapped
from rules_lsp.cli.patch import change_as_patch, renaming_as_patch
from rules_lsp.cli.printable import printable
from rules_lsp.cli.progress import ProgressBar
from rules_lsp.cli.render import Style
from rules_lsp.cli.selection import Selection
from rules_lsp.cli.targets import Target
from rules_lsp.cli.ticking import TickingBar
from rules_lsp.cli.write_file import ChangedMeanwhile, rename_file, replace_content
from rules_lsp.source.records import dataclass, field

MAX_PASSES = 5
_COLOURS = {"-": "error", "+": "fix", "@": "information"}


@dataclass(slots=True)
class Repaired:
    """What was done, a line a fix; what could not be done; and what was left, since another came first."""

    done: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    files: set[str] = field(default_factory=set)


def repair(targets: Sequence[Target], selection: Selection, *, unsafe: bool, spread: bool) -> Repaired:
    """Make the fixes in the rule files of the targets until there is none left to make.

    A file is replaced as a whole or left as it is. With `unsafe` files are renamed too.
    """
    repaired = Repaired()
    left = list(targets)
    given_up: set[str] = set()
    for _ in range(MAX_PASSES):
        again: list[Target] = []
        for target, found in zip(left, _changes(left, selection, unsafe=unsafe, spread=spread), strict=True):
            made = [_make(change, repaired, given_up) for change in found if change.path not in given_up]
            if any(made):
                again.append(target)
        if not again:
            break
        left = again
    return repaired


def _changes(
    targets: Sequence[Target], selection: Selection, *, unsafe: bool, spread: bool
) -> Iterator[tuple[Change | Renaming, ...]]:
    """What the fixes would change in each of the targets, told of on a terminal while it is looked for."""
    if len(targets) == 1:
        with TickingBar("fixes found") as progress:
            found = changes_of(targets[0], selection, unsafe, progress)
        yield found
        return
    with ProgressBar("projects looked at for fixes", len(targets)) as progress:
        changes = mapped(partial(changes_of, selection=selection, unsafe=unsafe), targets, spread=spread)
        for number, found in enumerate(changes, 1):
            progress(number)
            # The line makes room for what is said of the changes.
            progress.clear()
            yield found


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
        if isinstance(change, Renaming) and isinstance(error, FileExistsError):
            taken = printable(shortened(change.new_path))
            repaired.left.append(f"{printable(change.name)}: it keeps its name, since there is a `{taken}` by now")
            return False
        if isinstance(change, Renaming) and change.path in repaired.files and not os.path.lexists(change.path):
            return True
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
    """What the fixes would change, each file as a patch with its final line breaks; nothing is written.

    The names count from the nearest directory that holds the working directory and all targets. Of two files that
    would get the same name the first is shown with it.
    """
    shown: set[str] = set()
    top = os.path.commonpath([os.getcwd(), *(target.root for target in targets)])
    for found in _changes(targets, selection, unsafe=unsafe, spread=spread):
        for change in found:
            paths = {change.path, change.new_path} if isinstance(change, Renaming) else {change.path}
            if not shown.isdisjoint(paths):
                continue
            shown |= paths
            name = os.path.relpath(change.path, top)
            if isinstance(change, Renaming):
                yield renaming_as_patch(name, os.path.relpath(change.new_path, top))
            else:
                yield change_as_patch(name, change.before.decode("utf-8"), change.after.decode("utf-8"))


def coloured(difference: str, style: Style) -> str:
    """A difference as a terminal shows it: what is removed in red, what is added in green, nothing invisible."""
    shown = []
    for line in difference.removesuffix("\n").split("\n"):
        colour = _COLOURS.get(line[:1]) if not line.startswith(("---", "+++")) else "place"
        text = printable(line)
        shown.append(style.paint(text, colour) if colour is not None else text)
    return "\n".join(shown) + "\n"
