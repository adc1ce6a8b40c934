"""A rule file that another one switches off.

## What it finds
A rule file beside one that stands above it in the order: `.coding-agent-rules.yaml`, `.coding-agent-rules.md`,
`.github/AGENTS.md`, or the order of `rule_files` in `config.yaml`.

## Why it matters
Only the first file of the order that exists is in force. The others are not merged with it: nothing that they deny is
denied.

## Example
```markdown
## Denied Tools
- `Bash`
```

```yaml
denied_tools:
  - github/delete_file
```

## Instead
```yaml
denied_tools:
  - github/delete_file
  - Bash
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, RelatedPlace, Stage
from rules_lsp.checks.common.other_files import order_of, relative_name, superseding
from rules_lsp.checks.common.subject import Subject


def _find(subject: Subject) -> Iterator[Diagnostic]:
    name, policy = relative_name(subject), subject.policy
    above = superseding(policy, name, order_of(policy)) if policy is not None and name is not None else None
    if above is None:
        return
    message = f"`{above.name}` is in force and switches this file off: move the rules there and remove this file"
    related = RelatedPlace(above.document.text.line_span(0), "this file is in force", above.document)
    yield Diagnostic("superseded-rule-file", "warning", message, subject.text.line_span(0), (related,))


CHECK = Check.documented("superseded-rule-file", "warning", _find, __doc__, Stage.BESIDE, "none", about_the_file=True)
