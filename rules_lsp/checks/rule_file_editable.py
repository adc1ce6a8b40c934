"""A rule file that the agent may write.

## What it finds
`protect_rule_files: false` in the configuration, and an entry of `include` or `x-unprotected` that names literally a
rule file that is in force or would come to be, or a `config.yaml` that governs the project.

## Why it matters
An agent that may write the rules that govern it can lift any of them. Rule files are protected as long as nobody says
otherwise.

## Example
```yaml config.yaml
project_agent_rules:
  protect_rule_files: false
```

## Instead
```yaml config.yaml
project_agent_rules:
  protect_rule_files: true
```
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rules_lsp.checks.common.base import Check, Diagnostic, Stage
from rules_lsp.checks.common.kinds import SERVER_KINDS
from rules_lsp.checks.common.other_files import order_of, relative_name
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.config import DEFAULT_RULE_FILES, SECTION, Config
from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.policy import CONFIG_NAME, Policy
from rules_lsp.policy.query import answer
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Scalar, Sequence, key_text, resolve

_KEY = "protect_rule_files"
_UNPROTECTED = "x-unprotected"


def _find(subject: Subject) -> Iterator[Diagnostic]:
    config = subject.reading if isinstance(subject.reading, Config) else None
    if config is not None and config.enabled and not config.protect_rule_files:
        place = _key_of(subject)
        if place is not None:
            message = f"the agent may write the rules that govern it: set `{_KEY}` to `true`, or remove it"
            yield Diagnostic("rule-file-editable", "warning", message, place)
        return
    policy = subject.policy
    if subject.kind in SERVER_KINDS or (policy is not None and not _protects(policy)):
        return
    governing = _governing(subject)
    for text, place in _lifting(subject):
        name = _literal_path(text)
        if name in governing and (config is not None or not _is_denied(subject, name)):
            message = f"the agent may write `{name}`, which governs it: remove this entry"
            yield Diagnostic("rule-file-editable", "warning", message, place)


def _protects(policy: Policy) -> bool:
    return policy.enabled and policy.config.protect_rule_files


def _governing(subject: Subject) -> set[str]:
    """The names that decide what holds: of the order those down to the file itself, and the configuration."""
    policy = subject.policy
    order = list(order_of(policy) if policy is not None else DEFAULT_RULE_FILES)
    name = relative_name(subject)
    names = set(order[: order.index(name) + 1] if name in order else order)
    elsewhere = policy is not None and policy.config.path == policy.root.absolute(CONFIG_NAME)
    governs = elsewhere or (subject.kind == "config" and name == CONFIG_NAME)
    return names | {CONFIG_NAME} if governs else names


def _lifting(subject: Subject) -> Iterator[tuple[str, Span]]:
    """The entries that lift the protection of the paths that they name."""
    for rules in subject.shown.include:
        for entry in rules.entries:
            if entry.broken is None:
                yield entry.text, entry.span
    root = subject.tree
    section = root.get(SECTION) if isinstance(root, Mapping) and subject.kind == "config" else root
    mapping = section.get("default_rules") if isinstance(section, Mapping) and subject.kind == "config" else section
    for key, value in mapping.pairs if isinstance(mapping, Mapping) else ():
        name = key_text(key)
        if name is not None and name.value == _UNPROTECTED:
            items = resolve(value)
            for item in items.items if isinstance(items, Sequence) else (value,):
                scalar = resolve(item)
                if isinstance(scalar, Scalar):
                    yield scalar.value, item.span if not isinstance(item, Scalar) else scalar.span


@lru_cache(maxsize=8192)
def _literal_path(text: str) -> str | None:
    glob = None if text.startswith("!") else parse_glob(text)
    return glob.literal_path if isinstance(glob, Glob) else None


def _is_denied(subject: Subject, name: str) -> bool:
    """Whether the rules deny the file all the same."""
    policy = subject.effective
    return policy is not None and answer(policy, {"path": name, "operation": "write"})["allowed"] is False


def _key_of(subject: Subject) -> Span | None:
    root = subject.nodes.root
    section = root.get(SECTION) if isinstance(root, Mapping) else None
    for key, _ in section.pairs if isinstance(section, Mapping) else ():
        name = key_text(key)
        if name is not None and name.value == _KEY:
            return name.span
    return None


CHECK = Check.documented("rule-file-editable", "warning", _find, __doc__, Stage.BESIDE, "none")
