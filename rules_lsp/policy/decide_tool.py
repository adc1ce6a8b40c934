"""May this tool be called, and with these arguments?"""

from __future__ import annotations

from rules_lsp.policy.decide_file import FileRequest, decide_file
from rules_lsp.policy.decision import Code, Effect, FileDecision, ToolDecision, Weighed, refer_to
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.requests import asked_path, shown
from rules_lsp.policy.resolve import Resolver
from rules_lsp.policy.tools.lists import canonical_name, invalid_name
from rules_lsp.source.records import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.policy.tools.paths import Touched


def decide_tool(
    policy: Policy,
    name: object,
    arguments: object,
    resolver: Resolver,
    *,
    cwd: object = None,
    full: bool = True,
    touched: Touched | None = None,
) -> ToolDecision:
    """Decide about a tool; where `arguments` is not None, about every path that the call touches as well.

    Relative paths start from `cwd`, an absolute directory, or without it from the root. `touched` is what
    `touched_paths` found of this very call, where the caller has it already.
    """
    tool = name if isinstance(name, str) else None
    problem = invalid_name(name)
    if problem is not None:
        told = f"`{shown(tool)}` is no tool name" if tool else "this is no tool name"
        return _answer(policy, tool, "invalid-request", f"{told}: {problem}")
    assert tool is not None
    decision = _by_lists(policy, tool)
    if not decision.allowed or arguments is None:
        return decision
    if touched is None:
        from rules_lsp.policy.tools.paths import touched_paths

        touched = touched_paths(tool, arguments, policy.rules.tool_paths)
    if touched.problem is not None:
        return replace(
            decision,
            allowed=False,
            code="invalid-request",
            reason=touched.problem,
            rule=None,
            weighed=(*decision.weighed, Weighed("denies", touched.problem)),
        )
    answers: list[FileDecision] = []
    for path in touched.paths:
        request = FileRequest(
            asked_path(path.path, cwd, policy.root, policy.config),
            path.operation,
            None if path.new_path is None else asked_path(path.new_path, cwd, policy.root, policy.config),
        )
        answers.append(decide_file(policy, request, resolver, full=full))
    denied = next((answer for answer in answers if not answer.allowed), None)
    decision = replace(decision, paths=tuple(answers), paths_checked=touched.checked)
    if denied is None:
        return decision
    return replace(
        decision,
        allowed=False,
        code=denied.code,
        reason=f"`{shown(tool)}` may be called, but not here: {denied.reason}",
        rule=denied.rule,
        overruled=denied.overruled,
        weighed=(*decision.weighed, *denied.weighed),
    )


def _by_lists(policy: Policy, tool: str) -> ToolDecision:
    told = shown(tool)
    if not policy.enabled:
        return _answer(policy, tool, "disabled", "the rules of this project are switched off")
    if policy.refusal is not None:
        return _answer(policy, tool, "policy-error", policy.refusal)
    broken = policy.broken_denied
    if broken is not None:
        rule, cause = broken
        what = f"the entry `{shown(rule.text)}`" if isinstance(rule, Entry) else f"the list `{rule.name}`"
        reason = f"{what} cannot be read, so no tool is allowed until it is repaired: {cause}"
        return _answer(policy, tool, "policy-error", reason, rule)
    denying = policy.denying.all(tool)
    allowing = [
        (rules, found.first(tool)) for rules, found in zip(policy.rules.allowed_tools, policy.allowing, strict=True)
    ]
    allowed_by = [entry for _, entry in allowing if entry is not None]
    if denying:
        steps = [_step(policy, "denies", f"`{shown(entry.text)}` denies it", entry) for entry in denying]
        steps += [_step(policy, "passes", f"`{shown(e.text)}` allows it and is overruled", e) for e in allowed_by]
        reason = f"`{told}` is denied by `{shown(denying[0].text)}`"
        return _answer(policy, tool, "denied-tool", reason, denying[0], tuple(allowed_by), steps)
    steps = [Weighed("passes", "no denying entry matches")] if policy.rules.denied_tools else []
    missed = next((rules for rules, entry in allowing if entry is None), None)
    if missed is not None:
        reason = f"`{told}` is in no entry of `{missed.name}`"
        steps.append(_step(policy, "denies", reason, missed))
        return _answer(policy, tool, "not-allowed-tool", reason, missed, (), steps)
    if allowed_by:
        reason = f"`{told}` is allowed by `{shown(allowed_by[0].text)}`"
        steps += [_step(policy, "allows", f"`{shown(entry.text)}` allows it", entry) for entry in allowed_by]
        return _answer(policy, tool, "allowed-tool", reason, allowed_by[0], (), steps)
    reason = f"`{told}` is restricted by no rule"
    return _answer(policy, tool, "unrestricted", reason, None, (), [*steps, Weighed("allows", reason)])


def _step(policy: Policy, effect: Effect, sentence: str, rule: Entry | RuleList) -> Weighed:
    return Weighed(effect, sentence, refer_to(policy, rule))


def _answer(
    policy: Policy,
    tool: str | None,
    code: Code,
    reason: str,
    rule: Entry | RuleList | None = None,
    overruled: tuple[Entry, ...] = (),
    steps: list[Weighed] | None = None,
) -> ToolDecision:
    server, name = canonical_name(tool) if tool and code != "invalid-request" else (None, None)
    allowed = code in ("unrestricted", "allowed-tool", "disabled")
    reference = refer_to(policy, rule) if rule is not None else None
    return ToolDecision(
        allowed=allowed,
        code=code,
        reason=reason,
        policy=policy,
        tool=tool,
        server=server,
        name=name,
        rule=reference,
        overruled=tuple(found for entry in overruled if (found := refer_to(policy, entry)) is not None),
        weighed=tuple(steps) if steps else (Weighed("allows" if allowed else "denies", reason, reference),),
    )
