"""The policy in force for a project: which file governs it, what it says, and what could not be read.

`inputs.read_inputs` reads the files and `load.load_policy` makes a `Policy` of them: what every decision is made from.
It is immutable; a change of a file makes a new one.
"""

from __future__ import annotations

from functools import cached_property

from rules_lsp.policy.config import Config
from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.model import Entry, RuleList, Rules
from rules_lsp.policy.patterns import ExcludeList, IncludeList
from rules_lsp.policy.roots import Root
from rules_lsp.policy.tools.lists import AllowingList, DenyingList, known_servers
from rules_lsp.policy.yaml.read_yaml import YamlRules
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass, field
from rules_lsp.source.text import Span, Text
from rules_lsp.source.uri import to_uri

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from rules_lsp.policy.markdown.read_markdown import MarkdownRules

CONFIG_NAME = "config.yaml"


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
    of the configured MCP servers. `seen` is everything that a decision may depend on, except the project's other files.
    """

    root: Root
    config: Config
    rule_file: RuleFile | None
    source: Document | None
    rules: Rules
    refusal: str | None
    degraded: bool
    errors: tuple[PolicyError, ...]
    seen: tuple[str | bytes, ...]
    known_servers: frozenset[str] = frozenset()
    fold_case: bool = False
    protected: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def version(self) -> str:
        """A digest that changes with everything that a decision may depend on, except the project's other files."""
        import hashlib

        digest = hashlib.sha256()
        for part in self.seen:
            data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
            digest.update(len(data).to_bytes(8, "big"))
            digest.update(data)
        return f"sha256:{digest.hexdigest()}"

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


RuleKind: TypeAlias = "Literal['yaml', 'markdown']"


def kind_of_rule_file(name: str) -> RuleKind:
    """The format of a rule file, by its name."""
    return "markdown" if name.casefold().endswith((".md", ".markdown")) else "yaml"
