"""Where the command begins: a hook is answered at once, everything else goes through the table of verbs."""

from __future__ import annotations

import sys

_NO_HOSTS = ("install", "uninstall", "-h", "--help")


def main(argv: list[str] | None = None) -> int:
    """Run the command. A hook call ends the process by itself, without an orderly end of the interpreter."""
    arguments = sys.argv[1:] if argv is None else argv
    if argv is None and len(arguments) > 1 and arguments[0] == "hook" and arguments[1] not in _NO_HOSTS:
        # It runs before every call of every tool, and nothing that it leaves open outlives it.
        import gc
        import os

        gc.disable()
        from rules_lsp.agents.hook import call

        os._exit(call(arguments[1], arguments[2:]))
    from rules_lsp.cli.main import main as run

    return run(arguments)
