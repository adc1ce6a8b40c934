"""The hooks that are files of their own: a script for Cline, a plugin for opencode. Both deny whatever fails."""

from __future__ import annotations

import json
import shlex

from rules_lsp.agents.host_files import TIMEOUT

_SCRIPT = """\
#!/bin/sh
# {mark}
answer=$({command})
case $?:$answer in
0:) ;;
2:?*) printf '%s\\n' "$answer" ;;
*) printf '%s\\n' '{{"cancel":true,"errorMessage":"policy engine failed: the hook of rules-lsp gave no answer"}}' ;;
esac
"""
_PLUGIN = """\
// {mark}
import {{ spawnSync }} from "node:child_process"

const COMMAND = {command}

export const RulesLsp = async ({{ directory }}) => ({{
  "tool.execute.before": async (input, output) => {{
    const done = spawnSync(COMMAND[0], COMMAND.slice(1), {{
      input: JSON.stringify({{ ...input, args: output.args, directory }}),
      encoding: "utf8",
      timeout: {milliseconds},
      killSignal: "SIGKILL",
    }})
    if (!done.error && done.status === 0 && done.stdout === "") return
    let reason
    try {{
      reason = JSON.parse(done.stdout).reason
    }} catch {{}}
    throw new Error(reason || "policy engine failed: the hook of rules-lsp gave no answer")
  }},
}})
"""


def mark_of(host: str) -> str:
    """The line by which a file is known as ours."""
    return (
        f"Written by `rules-lsp hook install {host}`, which replaces it; `rules-lsp hook uninstall {host}` removes it."
    )


def script(words: tuple[str, ...]) -> str:
    """The script that Cline runs: it obeys JSON alone, so that the script says it when the command does not."""
    return _SCRIPT.format(mark=mark_of("cline"), command=shlex.join(words))


def plugin(words: tuple[str, ...]) -> str:
    """The plugin of opencode: it throws the reason of a denial, and throws where there is no answer in time."""
    command = json.dumps(words, ensure_ascii=False)
    return _PLUGIN.format(mark=mark_of("opencode"), command=command, milliseconds=TIMEOUT * 1000)


def words_in_file(host: str, text: str) -> tuple[str, ...] | None:
    """The words of the hook in a script or a plugin of ours; None where the file is another's or was changed."""
    for line in text.splitlines():
        try:
            if host == "cline" and line.startswith("answer=$(") and line.endswith(")"):
                return tuple(shlex.split(line.removeprefix("answer=$(")[:-1]))
            if host == "opencode" and line.startswith("const COMMAND = "):
                return tuple(map(str, json.loads(line.removeprefix("const COMMAND = "))))
        except ValueError:
            return None
    return None
