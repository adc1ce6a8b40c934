"""One session of a real host: its own home, a network with loopback only, and a model that follows a script."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.hosts.model.script import Script

CHECKOUT = Path(__file__).resolve().parents[2]
LIMIT = 300
"""Seconds after which a host hangs: ten times what it takes on a busy machine."""
# The process space is new too: whatever the host leaves running ends with the session.
ISOLATED = ("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")


@dataclass(frozen=True)
class Session:
    """What became of a session. `results` are what the model was told of its calls, by the name of the call."""

    code: int | None
    stdout: str
    stderr: str
    results: Mapping[str, str]
    requests: Sequence[str]
    faults: Sequence[str]


def run(command: Sequence[str], directory: Path, environment: Mapping[str, str], script: Script) -> Session:
    """Run a host's command in a directory; raises AssertionError with its output where it did not come to its end."""
    job = {
        "command": list(command),
        "directory": str(directory),
        "environment": dict(environment),
        "limit": LIMIT,
        "script": script.as_json(),
    }
    done = subprocess.run(
        [*ISOLATED, sys.executable, "-m", "tests.hosts.inside"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        cwd=CHECKOUT,
        timeout=LIMIT + 60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    session = Session(**json.loads(done.stdout))
    assert session.code == 0 and not session.faults, session
    return session


def environment(home: Path, *modules: Path, **more: str) -> dict[str, str]:
    """The variables of a host: a home of its own, and the interpreter of the tests, with directories of modules."""
    return {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": os.pathsep.join(map(str, (*modules, CHECKOUT))),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        **more,
    }
