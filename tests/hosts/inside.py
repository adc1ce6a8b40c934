"""Inside a network of its own: runs a host against the model, and prints what became of it as JSON.

Standard input holds the job: `command`, `environment`, `directory`, `limit` in seconds, and the `script`.
"""

from __future__ import annotations

import fcntl
import json
import socket
import struct
import subprocess
import sys
from typing import Any

from tests.hosts.model.script import Script
from tests.hosts.model.server import Model

_GET_FLAGS, _SET_FLAGS = 0x8913, 0x8914
_UP = 1
_REQUEST = "16sh14x"


def raise_loopback() -> None:
    """Switch on the one interface that a new network has."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        asked = fcntl.ioctl(any_socket, _GET_FLAGS, struct.pack(_REQUEST, b"lo", 0))
        flags = struct.unpack(_REQUEST, asked)[1]
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack(_REQUEST, b"lo", flags | _UP))


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Run the host to its end, or to the limit: then `code` is None."""
    model = Model(Script.from_json(job["script"]))
    with model.serving():
        process = subprocess.Popen(
            job["command"],
            cwd=job["directory"],
            env=job["environment"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        try:
            stdout, stderr = process.communicate(timeout=job["limit"])
        except subprocess.TimeoutExpired:
            process.kill()
            stdout, stderr = process.communicate()
            process.returncode = None
    return {
        "code": process.returncode,
        "stdout": stdout,
        "stderr": stderr,
        "results": model.results,
        "requests": model.requests,
        "faults": model.faults,
    }


if __name__ == "__main__":
    raise_loopback()
    print(json.dumps(run(json.load(sys.stdin))))
