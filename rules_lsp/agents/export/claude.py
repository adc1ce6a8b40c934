"""Claude Code: `permissions.deny` of `.claude/settings.json`. A rule that denies wins over every other there.

`Edit` covers all built-in tools that write, `Write(…)` is never matched. A path that begins with `/` starts from the
project's directory, one without from the working directory.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules_lsp.agents.export.denied import denied_files, literal_parts, wider_characters
from rules_lsp.agents.export.git_dialect import WIDEST, anchored, git_lines
from rules_lsp.agents.export.losses import Loss, allow_lists, common_losses, loss
from rules_lsp.agents.export.tools import DeniedTools, denied_tools, host_name
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.tools.patterns import is_wild

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.workspace.catalogue import Catalogue

LIST = ("permissions", "deny")
_IN_RULES = "()"


def claude(policy: Policy, catalogue: Catalogue) -> tuple[list[str], Iterable[Loss]]:
    """The denying rules, and what is lost."""
    files = denied_files(policy)
    excluded = [anchored(line) for line in git_lines(files.patterns, fold_case=files.fold_case, unsafe=_IN_RULES)]
    protected = [anchored(line) for line in git_lines(map(literal_parts, files.protected), unsafe=_IN_RULES)]
    tools = denied_tools(policy, catalogue)
    rules, lost = _tool_rules(tools)
    shell = "commands of the shell (Claude looks at the paths in some of them), and the arguments of MCP tools"
    return [
        *(f"Edit({path})" for path in (*excluded, *protected)),
        *(f"Read({path})" for path in excluded),
        *rules,
    ], [
        *allow_lists(policy),
        *files.losses,
        *wider_characters(files, WIDEST),
        *tools.losses,
        *lost,
        *common_losses(follows_links=False, shell=shell),
    ]


def _tool_rules(tools: DeniedTools) -> tuple[list[str], list[Loss]]:
    rules: dict[str, None] = {}
    lost: list[str] = []
    for each in tools.denied:
        if each.server is None:
            if is_wild(each.tool):
                lost.append(each.entry)
            else:
                rules[each.tool] = None
        elif is_wild(each.server) or (is_wild(each.tool) and each.tool != "*"):
            lost.append(each.entry)
            if each.tool == "*":
                servers = {server for server in tools.servers if each.server == "*"} | {
                    server for server, _ in tools.known_like(each)
                }
                rules.update(dict.fromkeys(f"mcp__{host_name(server)}" for server in sorted(servers)))
            else:
                rules.update(dict.fromkeys(f"mcp__{host_name(s)}__{host_name(t)}" for s, t in tools.known_like(each)))
        elif each.tool == "*":
            rules[f"mcp__{host_name(each.server)}"] = None
        else:
            rules[f"mcp__{host_name(each.server)}__{host_name(each.tool)}"] = None
    message = "Claude's rules know no wildcard in a name: written out for the tools that are known now, no others"
    return list(rules), [loss("tool-wildcards", "lets-through", message, lost)] if lost else []
