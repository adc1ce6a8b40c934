// Written by `rules-lsp hook install opencode`, which replaces it; `rules-lsp hook uninstall opencode` removes it.
import { spawnSync } from "node:child_process"

const COMMAND = ["/opt/rules lsp/bin/python", "-P", "-m", "rules_lsp", "hook", "opencode"]

export const RulesLsp = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const done = spawnSync(COMMAND[0], COMMAND.slice(1), {
      input: JSON.stringify({ ...input, args: output.args, directory }),
      encoding: "utf8",
      timeout: 30000,
      killSignal: "SIGKILL",
    })
    if (!done.error && done.status === 0 && done.stdout === "") return
    let reason
    try {
      reason = JSON.parse(done.stdout).reason
    } catch {}
    throw new Error(reason || "policy engine failed: the hook of rules-lsp gave no answer")
  },
})
