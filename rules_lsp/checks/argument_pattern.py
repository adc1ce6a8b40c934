"""Arguments in the name of a tool.

## What it finds
An entry like `Bash(git:*)`, as some hosts write their own permissions.

## Why it matters
Arguments are no part of a name here. In `allowed_tools` the entry allows nothing; in `denied_tools` it denies the
whole tool, whatever it is called with; in a target of `.auto-prompter.yaml` it means the whole tool.

## Example
```yaml
denied_tools:
  - Bash(rm:*)
```

## Instead
```yaml
denied_tools:
  - Bash
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.kinds import WITH_PROMPTER
from rules_lsp.checks.common.remembered import once_a_list
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import rewrite, with_fixes
from rules_lsp.checks.common.tool_names import tool_lists
from rules_lsp.policy.entries import DENYING_LISTS, shown
from rules_lsp.policy.model import RuleList
from rules_lsp.policy.tools.lists import argument_form


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    for holder in tool_lists(subject):
        if not _holds_arguments(holder):
            continue
        denying = holder.name in DENYING_LISTS
        for entry in holder.entries:
            name = argument_form(entry.text) if entry.broken is None else None
            if name is None:
                continue
            if denying:
                does = "means" if subject.kind == "prompter" else "denies"
                effect = (
                    f"this {does} `{shown(name)}` whatever it is called with: write `{shown(name)}` if that is meant"
                )
            else:
                effect = f"this allows nothing: write `{shown(name)}` to allow the tool whatever it is called with"
            message = f"arguments are no part of a tool's name, and {effect}"
            # Without its arguments an allowing entry would allow more than its author wrote.
            fix = rewrite(subject, entry, name if denying else None, safe=False)
            yield Diagnostic("argument-pattern", "error", message, entry.span), fix


@once_a_list
def _holds_arguments(holder: RuleList) -> bool:
    return any(argument_form(entry.text) is not None for entry in holder.entries)


CHECK = Check.documented(
    "argument-pattern",
    "error",
    lambda subject: with_fixes(_find(subject)),
    __doc__,
    Stage.ENTRY,
    "unsafe",
    kinds=WITH_PROMPTER,
)
