"""The policy in force for a project: which file governs it, what it says, and what could not be read.

`load_policy` reads the files, `Policy` is what every decision is made from. It is immutable; a change of a file makes
a new one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from rules_lsp.policy.config import DEFAULT_RULE_FILES, Config, read_config
from rules_lsp.policy.files import FileContent, read_file
from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.model import Entry, RuleList, Rules
from rules_lsp.policy.patterns import ExcludeList, IncludeList
from rules_lsp.policy.read_yaml import YamlRules, read_yaml
from rules_lsp.policy.roots import Root
from rules_lsp.policy.tools import AllowingList, DenyingList, known_servers
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text
from rules_lsp.source.uri import to_uri

if TYPE_CHECKING:
    from rules_lsp.policy.read_markdown import MarkdownRules

CONFIG_NAME = "config.yaml"
GOVERNING_NAMES = (CONFIG_NAME, ".auto-prompter.yaml")


@dataclass(frozen=True, slots=True)
class Document:
    """A rule file or a configuration as it was read. `path` is absolute."""

    path: str
    text: Text

    @property
    def uri(self) -> str:
        """The `file:` URI of the document."""
        return to_uri(self.path)


@dataclass(frozen=True, slots=True)
class PolicyError:
    """Something that could not be read, where, and what that means for the answers."""

    code: str
    message: str
    document: Document
    span: Span


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The rule file in force: the first of the order that exists, read or not."""

    name: str
    document: Document
    reading: YamlRules | MarkdownRules | None
    unreadable: str | None = None

    @property
    def rules(self) -> Rules | None:
        """What it says, or None where it does not parse."""
        return self.reading.rules if self.reading is not None else None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What reading it found."""
        return self.reading.problems if self.reading is not None else ()


@dataclass(frozen=True)
class Policy:
    """What decides for one project.

    `rules` are those in force, of the document `source` (None where nothing restricts). `refusal` is the reason why
    everything is denied, or None. `degraded` says that the rule file does not parse. `known_servers` are the names
    of the configured MCP servers. `version` changes with everything that a decision may depend on, except the
    project's other files.
    """

    root: Root
    config: Config
    rule_file: RuleFile | None
    source: Document | None
    rules: Rules
    refusal: str | None
    degraded: bool
    errors: tuple[PolicyError, ...]
    version: str
    known_servers: frozenset[str] = frozenset()
    fold_case: bool = False
    protected: frozenset[str] = field(default_factory=frozenset)

    @property
    def enabled(self) -> bool:
        """Whether the rules are switched on."""
        return self.config.enabled

    @property
    def parsed(self) -> bool:
        """Whether there is a rule file and it parses: only such a policy is one to keep for `last-good`."""
        return self.rule_file is not None and self.rule_file.rules is not None

    @cached_property
    def denying(self) -> DenyingList:
        """The denying tool lists, united."""
        return DenyingList([entry for rules in self.rules.denied_tools for entry in rules.entries])

    @cached_property
    def allowing(self) -> tuple[AllowingList, ...]:
        """Each allowing tool list; a tool must pass all."""
        lists = (*self.rules.allowed_tools, *self.rules.denied_tools)
        servers = known_servers(self.known_servers, (entry for rules in lists for entry in rules.entries))
        return tuple(AllowingList(rules.entries, servers) for rules in self.rules.allowed_tools)

    @cached_property
    def excludes(self) -> ExcludeList:
        """The denying patterns: every exclude, and what an include negates."""
        entries = [entry for rules in self.rules.exclude for entry in rules.entries]
        negated = [entry for rules in self.rules.include for entry in rules.entries if entry.text.startswith("!")]
        return ExcludeList([*entries, *negated], self.root.given, self.root.real)

    @cached_property
    def includes(self) -> tuple[IncludeList, ...]:
        """Each allowing pattern list; a path must pass all."""
        return tuple(IncludeList(rules.entries) for rules in self.rules.include)

    @cached_property
    def broken_exclude(self) -> Broken | None:
        """What makes every file denied: the first denying pattern or list that cannot be read.

        What an include negates is a denying pattern too.
        """
        found = _first_broken(self.rules.exclude)
        negated = (e for rules in self.rules.include for e in rules.entries if e.text.startswith("!"))
        broken = ((entry, entry.broken) for entry in negated if entry.broken is not None)
        return found or next(broken, None)

    @cached_property
    def broken_denied(self) -> Broken | None:
        """What makes every tool denied: the first denying entry or list that cannot be read."""
        return _first_broken(self.rules.denied_tools)

    @cached_property
    def protected_folded(self) -> frozenset[str]:
        """The protected names with their case folded."""
        return frozenset(name.casefold() for name in self.protected)

    @cached_property
    def unprotected(self) -> frozenset[str]:
        """The names whose protection the rules lift: those that `include` or `x-unprotected` names literally."""
        entries = [entry for rules in self.rules.include for entry in rules.entries if entry.broken is None]
        texts = [*(entry.text for entry in entries if not entry.text.startswith("!")), *self.rules.unprotected]
        globs = [parse_glob(text) for text in texts]
        paths = (glob.literal_path for glob in globs if isinstance(glob, Glob))
        return frozenset(path for path in paths if path is not None)


Broken = tuple[Entry | RuleList, str]


def _first_broken(lists: tuple[RuleList, ...]) -> Broken | None:
    for rules in lists:
        if rules.broken is not None:
            return rules, rules.broken
        for entry in rules.entries:
            if entry.broken is not None:
                return entry, entry.broken
    return None


RuleKind = Literal["yaml", "markdown"]


def kind_of_rule_file(name: str) -> RuleKind:
    """The format of a rule file, by its name."""
    return "markdown" if name.casefold().endswith((".md", ".markdown")) else "yaml"


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that a policy is made from, as bytes: two equal inputs make the same policy."""

    root: Root
    config_path: str
    config: FileContent
    operator: bool
    rule_file: tuple[str, FileContent] | None
    known_servers: frozenset[str]
    fold_case: bool
    linked: tuple[str, ...]
    parsed_config: Config = field(compare=False)
    skipped: tuple[Problem, ...] = field(compare=False, default=())


def read_inputs(
    root: Root,
    *,
    operator_config: str | None = None,
    known_servers: frozenset[str] = frozenset(),
    fold_case: bool = False,
    before: Inputs | None = None,
    overlay: Mapping[str, str] | None = None,
) -> Inputs:
    """Read what a policy depends on. `overlay` maps absolute paths to texts that stand in for files (open buffers)."""
    config_path = operator_config or os.path.join(root.real, CONFIG_NAME)
    own = os.path.join(root.real, CONFIG_NAME)
    operator = operator_config is not None and os.path.realpath(operator_config) != os.path.realpath(own)
    within = None if operator_config is not None else root.real
    content = _read(config_path, within, overlay)
    if before is not None and (before.config_path, before.config, before.operator) == (config_path, content, operator):
        config = before.parsed_config
    else:
        config = read_config(content, config_path, operator=operator)
    found, skipped = _find(root, config, overlay)
    linked = tuple(sorted(_linked_names(root, config, operator_config)))
    return Inputs(root, config_path, content, operator, found, known_servers, fold_case, linked, config, tuple(skipped))


def _read(path: str, within: str | None, overlay: Mapping[str, str] | None) -> FileContent:
    if overlay and path in overlay:
        return FileContent(True, overlay[path].encode("utf-8", "surrogatepass"))
    return read_file(path, within)


def _find(
    root: Root, config: Config, overlay: Mapping[str, str] | None
) -> tuple[tuple[str, FileContent] | None, list[Problem]]:
    """The first rule file of the order that exists, and the names that were passed over."""
    skipped: list[Problem] = []
    for entry in config.rule_files:
        path = os.path.normpath(os.path.join(root.real, entry.name))
        relative = root.relative(path)
        if relative is None or not relative or "\0" in entry.name:
            message = f"`{entry.name}` is no file inside the project: it is skipped"
            skipped.append(Problem("unknown-rule-file", message, entry.span or Span(0, 0)))
            continue
        content = _read(path, root.real, overlay)
        if content.exists:
            return (relative, content), skipped
    return None, skipped


def _linked_names(root: Root, config: Config, operator_config: str | None) -> set[str]:
    """The root-relative names that govern the agent: the order, the default order, the configurations, link targets."""
    names = {*DEFAULT_RULE_FILES, *GOVERNING_NAMES}
    for entry in config.rule_files:
        relative = root.relative(os.path.normpath(os.path.join(root.real, entry.name)))
        if relative:
            names.add(relative)
    paths = [root.absolute(name) for name in names if "\0" not in name]
    if operator_config is not None:
        paths.append(os.path.abspath(operator_config))
    for path in paths:
        for form in (path, os.path.realpath(path)):
            relative = root.relative(form)
            if relative:
                names.add(relative)
    return names


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
        version=_version(inputs, last_good if degraded and config.on_error == "last-good" else None),
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
        from rules_lsp.policy.read_markdown import read_markdown

        return RuleFile(name, document, read_markdown(document.text, inputs.known_servers))
    return RuleFile(name, document, read_yaml(document.text))


def _why_unread(rule_file: RuleFile) -> PolicyError:
    effect = "the rules of this file, its deny list included, are not in force"
    error = rule_file.reading.error if isinstance(rule_file.reading, YamlRules) else None
    if error is not None:
        return PolicyError(error.code, f"{error.message}; {effect}", rule_file.document, error.span)
    message = f"`{rule_file.name}` cannot be read: {rule_file.unreadable}; {effect}"
    return PolicyError("unreadable-file", message, rule_file.document, Span(0, 0))


def _version(inputs: Inputs, last_good: Policy | None) -> str:
    digest = hashlib.sha256()
    name, content = inputs.rule_file or ("", FileContent(False))
    parts = (
        inputs.config_path if inputs.operator else CONFIG_NAME,
        inputs.config.data,
        inputs.config.problem or "",
        name,
        content.data,
        content.problem or "",
        last_good.version if last_good else "",
        "fold" if inputs.fold_case else "",
        *sorted(inputs.known_servers),
        *inputs.linked,
    )
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return f"sha256:{digest.hexdigest()}"


def with_rules(policy: Policy, rules: Rules, source: Document) -> Policy:
    """The policy with other rules in force: what an editor shows for an unsaved buffer."""
    return replace(policy, rules=rules, source=source, refusal=None, degraded=False)
