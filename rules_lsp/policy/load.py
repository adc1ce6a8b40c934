"""Making a policy: the rule file in force is read, and what takes its place where it cannot be."""

from __future__ import annotations

from rules_lsp.policy.files import FileContent
from rules_lsp.policy.inputs import Inputs
from rules_lsp.policy.model import Rules
from rules_lsp.policy.policy import CONFIG_NAME, Document, Policy, PolicyError, RuleFile, kind_of_rule_file
from rules_lsp.policy.requests import shown
from rules_lsp.policy.yaml.read_yaml import YamlRules, read_yaml
from rules_lsp.source.records import replace
from rules_lsp.source.text import Span, Text

NOT_IN_FORCE = "the rules of this file, its deny list included, are not in force"


def load_policy(inputs: Inputs, last_good: Policy | None = None) -> Policy:
    """The policy that the inputs make. `last_good` is the last one of the same root, used if its rule file parsed."""
    root, config = inputs.root, inputs.parsed_config
    if last_good is not None and not last_good.parsed:
        last_good = None
    config_document = Document(inputs.config_path, config.text or Text(""))
    errors = [
        PolicyError(problem.code, problem.message, config_document, problem.span)
        for problem in (*config.problems, *inputs.skipped)
        if problem.severity == "error"
    ]
    rule_file = _read_rule_file(inputs)
    rules = config.default_rules
    source = config_document if rules is not None else None
    refusal = config.refusal
    degraded = False
    if rule_file is not None and rule_file.rules is not None:
        rules, source, refusal = rule_file.rules, rule_file.document, None
    elif rule_file is not None:
        degraded = True
        error = _why_unread(rule_file)
        errors.append(error)
        if config.on_error == "last-good" and last_good is not None:
            rules, source, refusal = last_good.rules, last_good.source, None
        elif config.on_error != "default":
            refusal = f"the rule file `{rule_file.name}` cannot be read and `on_error` is `{config.on_error}`"
    if not inputs.is_directory:
        refusal = f"`{shown(root.given)}` is no directory, so there is no project to ask about"
    in_force = rules is not None or rule_file is not None
    return Policy(
        root=root,
        config=config,
        rule_file=rule_file,
        source=source if source is not None or rule_file is None else rule_file.document,
        rules=rules if rules is not None else Rules(),
        refusal=refusal,
        degraded=degraded,
        errors=tuple(errors),
        seen=_seen(inputs, last_good if degraded and config.on_error == "last-good" else None),
        known_servers=inputs.known_servers,
        fold_case=inputs.fold_case,
        protected=frozenset(inputs.linked) if in_force and config.protect_rule_files else frozenset(),
    )


def _read_rule_file(inputs: Inputs) -> RuleFile | None:
    if inputs.rule_file is None:
        return None
    name, content = inputs.rule_file
    path = inputs.root.absolute(name)
    text, unreadable = content.text()
    if unreadable is not None:
        return RuleFile(name, Document(path, Text(text)), None, unreadable)
    document = Document(path, Text(text))
    if kind_of_rule_file(name) == "markdown":
        # The Markdown parser costs a start-up as much as the rest of the engine, and most projects write YAML.
        from rules_lsp.policy.markdown.read_markdown import read_markdown

        return RuleFile(name, document, read_markdown(document.text, inputs.known_servers))
    return RuleFile(name, document, read_yaml(document.text))


def _why_unread(rule_file: RuleFile) -> PolicyError:
    error = rule_file.reading.error if isinstance(rule_file.reading, YamlRules) else None
    if error is not None:
        return PolicyError(error.code, f"{error.message}; {NOT_IN_FORCE}", rule_file.document, error.span)
    message = f"`{rule_file.name}` cannot be read: {rule_file.unreadable}; {NOT_IN_FORCE}"
    return PolicyError("unreadable-file", message, rule_file.document, Span(0, 0))


def _seen(inputs: Inputs, last_good: Policy | None) -> tuple[str | bytes, ...]:
    name, content = inputs.rule_file or ("", FileContent(False))
    return (
        inputs.config_path if inputs.operator else CONFIG_NAME,
        inputs.config.data,
        inputs.config.problem or "",
        name,
        content.data,
        content.problem or "",
        last_good.version if last_good else "",
        "fold" if inputs.fold_case else "",
        "" if inputs.is_directory else "no directory",
        *sorted(inputs.known_servers),
        *inputs.linked,
    )


def with_rules(policy: Policy, rules: Rules, source: Document) -> Policy:
    """The policy with other rules in force: what an editor shows for an unsaved buffer."""
    return replace(policy, rules=rules, source=source, refusal=None, degraded=False)
