"""Applies a batch in children that are killed at each step in turn, and tells what recovery makes of it: JSON lines.

killed.py DIRECTORY apply|recover|changed. A step is a call of the system that changes something on the disk; a killed
write leaves half of its bytes. With `recover` recovery itself is killed at each of its steps, and then runs once more;
with `changed` somebody has written into one of the files before it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rules_lsp.prompt.edits import applying, recovering
from rules_lsp.workspace.project import Project
from tests.prompt.edits.support import edit, tree

NAMES = ("open", "write", "fsync", "close", "mkdir", "rmdir", "link", "rename", "replace", "unlink", "fchmod", "fchown")
EDITS = [
    edit("src/a.py", "one\n", "1\n"),
    edit("src/link.txt", "three", "3"),
    edit("src/a.py", "two", "2"),
    edit("gone.txt", "all of it\n", ""),
    edit("new/deep/b.txt", "", "b\n"),
]
EVERY = 13
"""Where recovery is killed too, each thirteenth step of an apply is one at which that was killed."""
OTHERS = "data/c.txt"
FILES = {"src/a.py": "one\ntwo\n", "data/c.txt": "three\r\n", "gone.txt": "all of it\n", "other.txt": "other\n"}


def lay_out(root: Path) -> None:
    shutil.rmtree(root, ignore_errors=True)
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (root / "src" / "a.py").chmod(0o754)
    (root / "src" / "link.txt").symlink_to("../data/c.txt")


def apply(root: Path, state: Path) -> bool:
    return applying.apply_structured_edits(Project(str(root)), EDITS, allow_delete=True, state=str(state)).applied


def recover(root: Path, state: Path) -> Any:
    return recovering.recover_structured_edits(str(root), str(state)).as_json()["recovered"]


def die_at(step: int) -> None:
    """From here on the process is killed at the call of that number, base 1."""
    calls = 0

    def counted(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == step:
                if name == "write":
                    real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **options)

        return call

    for name in NAMES:
        setattr(os, name, counted(name))


def in_child(step: int, work: Callable[[Path, Path], Any], root: Path, state: Path) -> bool:
    """Run work in a child that dies at a step; whether it came to its end before."""
    child = os.fork()
    if not child:
        code = 1
        try:
            die_at(step)
            code = 0 if work(root, state) else 1
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return False
    assert os.WEXITSTATUS(status) == 0
    return True


def told(root: Path, state: Path, old: Any, new: Any) -> dict[str, Any]:
    """What recovery makes of the files, and what a second one and an apply after it do."""
    first = recover(root, state)
    now = tree(root)
    again = recover(root, state)
    left = sorted(path.name for path in state.rglob("*") if path.is_file())
    found = "old" if now == old else "new" if now == new else "neither"
    return {"first": first, "files": found, "again": again, "same": tree(root) == now, "left": left}


def main() -> None:
    where = Path(sys.argv[1]).resolve()
    root, state = where / "root", where / "state"
    lay_out(root)
    old = tree(root)
    assert apply(root, state)
    new = tree(root)
    mode = sys.argv[2]
    if mode == "changed":
        for expected in (old, new):
            expected[OTHERS] = (expected[OTHERS][0], b"others\n")
    step, ended = 0, False
    while not ended:
        step += 1
        ended = killed_apply(root, state, step)
        if mode == "apply":
            print(json.dumps({"step": step, "ended": ended, **told(root, state, old, new)}))
        elif step % EVERY == 0 and not ended:
            inner, inner_ended = 0, False
            while not inner_ended:
                inner += 1
                killed_apply(root, state, step)
                if mode == "changed":
                    (root / OTHERS).write_bytes(b"others\n")
                inner_ended = in_child(inner, recover, root, state)
                print(json.dumps({"step": [step, inner], "ended": inner_ended, **told(root, state, old, new)}))


def killed_apply(root: Path, state: Path, step: int) -> bool:
    lay_out(root)
    shutil.rmtree(state, ignore_errors=True)
    return in_child(step, apply, root, state)


if __name__ == "__main__":
    main()
