"""On `PYTHONPATH`, kills a hook that has read its message, and its parent too where that asks for it."""

from __future__ import annotations

import os
import signal
import sys

if "hook" in sys.orig_argv and "install" not in sys.orig_argv:
    message = b""
    while data := os.read(0, 65536):
        message += data
    if b"all-die" in message:
        os.kill(os.getppid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
