"""A file that looks like a rule file and is never read.

## What it finds
A slip in the name of a rule file: `.coding-agent-rules.yml`, `.coding-agents-rules.yaml`, another case. A rule file in
a directory such as `.github` or `.config`, where nobody looks for it. A rule file with an ordinary name that
`rule_files` in `config.yaml` leaves out. Sections of rules in an `AGENTS.md` that is not the one in `.github`.

## Why it matters
Nothing that it says is in force, its deny list included.

## Example
```yaml .coding-agent-rules.yml
denied_tools:
  - Bash
```

## Instead
```yaml .coding-agent-rules.yaml
denied_tools:
  - Bash
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, RelatedPlace, Stage
from rules_lsp.checks.common.kinds import RULE_KINDS
from rules_lsp.checks.common.other_files import canonical_name, left_out_of_order, order_of, relative_name
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.unread_rules import is_instructions, rules_in
from rules_lsp.policy.config import DEFAULT_RULE_FILES
from rules_lsp.policy.policy import Document, Policy
from rules_lsp.source.text import Span, Text

_CODE = "unread-rule-file"


def _find(subject: Subject) -> Iterator[Diagnostic]:
    name, policy = relative_name(subject), subject.policy
    if name is None:
        return
    place = subject.text.line_span(0)
    entry = left_out_of_order(policy, name, order_of(policy)) if policy is not None else None
    if policy is not None and entry is not None and entry.span is not None and policy.config.path is not None:
        document = Document(policy.config.path, policy.config.text or Text(""))
        related = RelatedPlace(entry.span, "the order is given here", document)
        message = "this file is never read: `rule_files` of the configuration leaves it out"
        yield Diagnostic(_CODE, "warning", message, place, (related,))
        return
    if is_instructions(name):
        yield from _rules_among_instructions(subject, name, place)
        return
    right = canonical_name(name)
    if right is None or (policy is not None and _is_read(policy, name, right)):
        return
    message = f"this file is never read: the name of a rule file is `{right}`"
    fixes = (Fix(f"rename it to `{right}`", (), safe=False, rename=(name, right)),) if _may_be(policy, right) else ()
    yield Diagnostic(_CODE, "warning", message, place, (), fixes)


def _rules_among_instructions(subject: Subject, name: str, place: Span) -> Iterator[Diagnostic]:
    found, policy = rules_in(subject.text.content), subject.policy
    if found is None or (policy is not None and _leads_to_rules(policy, name)):
        return
    section, heading = found
    governing = policy.rule_file if policy is not None else None
    right = " or ".join(f"`{each}`" for each in DEFAULT_RULE_FILES[1:])
    advice = f"`{governing.name}`, which is in force" if governing is not None else right
    message = f"this file is never read as rules, so its section `{section}` restricts nothing: move it to {advice}"
    yield Diagnostic(_CODE, "warning", message, place, (RelatedPlace(heading, "these rules are not in force"),))


def _leads_to_rules(policy: Policy, name: str) -> bool:
    """Whether a file is a rule file of the order, itself or by a link."""
    real = os.path.realpath(policy.root.absolute(name))
    return any(os.path.realpath(policy.root.absolute(each)) == real for each in order_of(policy))


def _is_read(policy: Policy, name: str, right: str) -> bool:
    """Whether the configuration names the file, or the volume takes both names for the same."""
    return name in order_of(policy) or (policy.fold_case and name.casefold() == right.casefold())


def _may_be(policy: Policy | None, name: str) -> bool:
    """Whether a file with the name would neither replace another nor switch one off."""
    if policy is None:
        return False
    directory = policy.root.absolute(name.removesuffix(DEFAULT_RULE_FILES[-1]).rpartition("/")[0])
    if directory == policy.root.real and policy.rule_file is not None:
        return False
    return not any(os.path.lexists(os.path.join(directory, *each.split("/"))) for each in DEFAULT_RULE_FILES)


CHECK = Check.documented(
    _CODE, "warning", _find, __doc__, Stage.BESIDE, "unsafe", about_the_file=True, kinds=RULE_KINDS | {"instructions"}
)
