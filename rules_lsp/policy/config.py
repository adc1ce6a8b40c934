"""The section `project_agent_rules` of a `config.yaml`; the strictest value where one cannot be read."""

from __future__ import annotations

import os
from collections.abc import Callable

from rules_lsp.policy.file_names import DEFAULT_RULE_FILES as DEFAULT_RULE_FILES
from rules_lsp.policy.files import FileContent
from rules_lsp.policy.keys import meant_key
from rules_lsp.policy.model import Rules
from rules_lsp.policy.yaml.lists import first_line, kind_of
from rules_lsp.policy.yaml.read_yaml import read_rules_node
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem, Related
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence, YamlDocument, key_text, parse_yaml, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

SECTION = "project_agent_rules"
KEYS = (
    "enabled",
    "rule_files",
    "default_rules",
    "on_error",
    "protect_rule_files",
    "path_map",
    "read_roots",
    "prompter_retention_days",
)
OPERATOR_KEYS = ("path_map", "read_roots", "prompter_retention_days")
RETENTION_DAYS, MOST_RETENTION_DAYS = 90, 99_999
_DAYS = expression(r"[1-9][0-9]{0,4}\Z")

OnError: TypeAlias = "Literal['default', 'deny', 'last-good']"
_ON_ERROR: tuple[OnError, ...] = ("default", "deny", "last-good")
_TRUE = expression(r"(?:true|True|TRUE|yes|Yes|YES|on|On|ON)\Z")
_FALSE = expression(r"(?:false|False|FALSE|no|No|NO|off|Off|OFF)\Z")


@dataclass(frozen=True, slots=True)
class RuleFileName:
    """A name of the order and its place in the configuration (None for the built-in order)."""

    name: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """What holds for a project.

    `default_rules` is None where none are given. `refusal` says why nothing may be allowed where `default_rules`
    would apply, or is None. `path_map` pairs an absolute directory as the agent sees it with one of this machine;
    `read_roots` are absolute directories that may be read. `prompter_retention_days` is how long the audit of Auto
    Prompter is kept. `text` is the file's text where there is such a section.
    """

    path: str | None = None
    text: Text | None = None
    document: YamlDocument | None = None
    enabled: bool = True
    rule_files: tuple[RuleFileName, ...] = tuple(RuleFileName(name) for name in DEFAULT_RULE_FILES)
    default_rules: Rules | None = None
    refusal: str | None = None
    on_error: OnError = "default"
    protect_rule_files: bool = True
    path_map: tuple[tuple[str, str], ...] = ()
    read_roots: tuple[str, ...] = ()
    prompter_retention_days: int = RETENTION_DAYS
    problems: tuple[Problem, ...] = ()


def read_config(content: FileContent, path: str, *, operator: bool) -> Config:
    """Read a configuration. An operator's is ours whatever it holds; a project's only where it mentions the section."""
    text_content, unreadable = content.text()
    ours = operator or _mentions(content)
    if not content.exists and not operator:
        return Config()
    if unreadable is not None or not content.exists:
        return _unreadable(path, Text(""), unreadable or "it does not exist") if ours else Config()
    if not ours:
        return Config()
    text = Text(text_content)
    document = parse_yaml(text)
    if document.error is not None:
        config = _unreadable(path, text, document.error.message, document.error)
        return replace(config, document=document)
    root = resolve(document.root) if document.root is not None else None
    if root is None and not operator:
        return Config()
    if not isinstance(root, Mapping):
        if root is None or (isinstance(root, Scalar) and root.is_null):
            return Config(path, text, document)
        return replace(_unreadable(path, text, f"it is {kind_of(root)} and no mapping"), document=document)
    keys = [(key, value) for node, value in root.pairs if (key := key_text(node)) is not None]
    sections = [(key, value) for key, value in keys if key.value == SECTION]
    merged = any(key.is_merge for key, _ in keys)
    if len(sections) > 1 or (merged and not sections):
        span = sections[-1][0].span if sections else Span(0, 0)
        cause = f"`{SECTION}` stands twice" if sections else f"a merge key may hide `{SECTION}`"
        problem = Problem("config-value", f"{cause}: write the section once", span)
        return replace(_unreadable(path, text, problem.message, problem), document=document)
    if not sections:
        return Config(path, text, document) if operator else Config()
    reader = _Reader(text, path, operator)
    return replace(reader.section(*sections[0]), document=document)


def _mentions(content: FileContent) -> bool:
    if content.problem is not None and not content.data:
        # What cannot be opened may be ours; a directory or a dangling link holds no section.
        return "permission" in content.problem
    name = SECTION.encode()
    return any(form in content.data for form in (name, SECTION.encode("utf-16-le"), SECTION.encode("utf-16-be")))


def _unreadable(path: str, text: Text, cause: str, problem: Problem | None = None) -> Config:
    message = f"the configuration cannot be read: {cause}"
    found = problem or Problem("config-value", message, text.line_span(0))
    return Config(path, text, on_error="deny", refusal=message, problems=(found,))


class _Reader:
    """Reads the keys of the section one by one; what has the wrong type gets the strictest value."""

    def __init__(self, text: Text, path: str, operator: bool) -> None:
        self._text = text
        self._operator = operator
        self._problems: list[Problem] = []
        self._config = Config(path, text)

    def section(self, key: Scalar, node: Node) -> Config:
        value = resolve(node)
        if isinstance(value, Scalar) and value.is_null:
            return self._config
        if not isinstance(value, Mapping):
            problem = self._wrong(key, value, "a mapping")
            return _unreadable(self._config.path or "", self._text, problem.message, problem)
        seen: dict[str, Scalar] = {}
        for node, child in value.pairs:
            name = key_text(node)
            if name is None:
                self._report(self._wrong(key, resolve(node), "a mapping with plain keys"))
            elif name.is_merge:
                message = f"a merge key may hide keys of `{SECTION}`: write them out"
                problem = Problem("config-value", message, name.span)
                return _unreadable(self._config.path or "", self._text, message, problem)
            else:
                self._key(name, child, seen)
        return replace(self._config, problems=tuple(self._problems))

    def _key(self, key: Scalar, node: Node, seen: dict[str, Scalar]) -> None:
        name = key.value
        if name not in KEYS:
            self._unknown(key, seen)
            return
        value: Node | None = resolve(node)
        if name in seen:
            message = f"the key `{name}` stands twice: its strictest value holds until one is removed"
            self._report(Problem("config-value", message, key.span, related=(Related(seen[name].span, "first here"),)))
            self._config = _strictest(self._config, name, message)
            return
        seen[name] = key
        if isinstance(value, Scalar) and value.is_null:
            return
        if name in OPERATOR_KEYS and not self._operator:
            message = f"`{name}` counts only in the operator's configuration and not in the project's own: remove it"
            self._report(Problem("config-value", message, key.span, "warning"))
            return
        _READERS[name](self, key, value)

    def _unknown(self, key: Scalar, seen: dict[str, Scalar]) -> None:
        meant = meant_key(key.value, KEYS)
        hint = f"did you mean `{meant}`?" if meant else "the known keys are " + ", ".join(f"`{k}`" for k in KEYS)
        if meant in ("on_error", "default_rules") and meant not in seen:
            # Their default is lenient, so a slip of the pen must not bring it back.
            hint += " its strictest value holds meanwhile"
            self._config = _strictest(self._config, meant, f"`{key.value}` is an unknown key and may mean `{meant}`")
        data = {"rename": meant} if meant else {}
        self._report(Problem("config-value", f"unknown key `{key.value}`: {hint}", key.span, data=data))

    def _boolean(self, key: Scalar, value: Node | None) -> bool:
        """The value of a switch; the strictest value of each is true."""
        if isinstance(value, Scalar) and not value.style and value.tag is None:
            if _TRUE.match(value.value):
                return True
            if _FALSE.match(value.value):
                return False
        self._report(self._wrong(key, value, "`true` or `false` without quotes", "`true`"))
        return True

    def enabled(self, key: Scalar, value: Node | None) -> None:
        self._config = replace(self._config, enabled=self._boolean(key, value))

    def protect_rule_files(self, key: Scalar, value: Node | None) -> None:
        self._config = replace(self._config, protect_rule_files=self._boolean(key, value))

    def on_error(self, key: Scalar, value: Node | None) -> None:
        found = next((o for o in _ON_ERROR if isinstance(value, Scalar) and value.value == o), None)
        if found is None:
            self._report(self._wrong(key, value, "`default`, `deny` or `last-good`", "`deny`"))
        self._config = replace(self._config, on_error=found or "deny")

    def rule_files(self, key: Scalar, value: Node | None) -> None:
        names = self._texts(value)
        if names is None:
            self._report(self._wrong(key, value, "a list of paths", "the default order"))
            return
        order = tuple(RuleFileName(scalar.value, scalar.span) for scalar in names)
        self._config = replace(self._config, rule_files=order)

    def default_rules(self, key: Scalar, value: Node | None) -> None:
        found = read_rules_node(self._text, value, self._report) if isinstance(value, Mapping) else None
        if found is None:
            problem = self._wrong(key, value, "a mapping with the keys of a rule file", "a refusal of everything")
            if not isinstance(value, Mapping):
                self._report(problem)
            self._config = replace(self._config, refusal=problem.message)
            return
        self._config = replace(self._config, default_rules=found)

    def path_map(self, key: Scalar, value: Node | None) -> None:
        pairs: list[tuple[str, str]] = []
        for item in value.items if isinstance(value, Sequence) else (value,):
            node = resolve(item) if item is not None else None
            pair = _map_pair(node) if isinstance(node, Mapping) else None
            if pair is None:
                span = item.token if item is not None else key.span
                message = "an entry of `path_map` must be `{from: /absolute, to: /absolute}`: it is not used"
                self._report(Problem("config-value", message, span))
            else:
                pairs.append(pair)
        self._config = replace(self._config, path_map=tuple(pairs))

    def read_roots(self, key: Scalar, value: Node | None) -> None:
        roots: list[str] = []
        for scalar in self._texts(value) or ():
            if os.path.isabs(scalar.value):
                roots.append(os.path.normpath(scalar.value))
            else:
                message = f"`{first_line(scalar.value)}` is no absolute directory: it is not used"
                self._report(Problem("config-value", message, scalar.span))
        if self._texts(value) is None:
            self._report(self._wrong(key, value, "a list of absolute directories", "none"))
        self._config = replace(self._config, read_roots=tuple(roots))

    def prompter_retention_days(self, key: Scalar, value: Node | None) -> None:
        plain = value.value if isinstance(value, Scalar) and not value.style and value.tag is None else ""
        days = int(plain) if _DAYS.match(plain) else None
        if days is None:
            self._report(
                self._wrong(key, value, f"a whole number of days from 1 to {MOST_RETENTION_DAYS}", f"{RETENTION_DAYS}")
            )
        self._config = replace(self._config, prompter_retention_days=days or RETENTION_DAYS)

    def _texts(self, value: Node | None) -> list[Scalar] | None:
        if not isinstance(value, Sequence):
            return None
        scalars = [resolve(item) for item in value.items]
        texts = [scalar for scalar in scalars if isinstance(scalar, Scalar) and not scalar.says_nothing]
        return texts if len(texts) == len(scalars) else None

    def _wrong(self, key: Scalar, value: Node | None, expected: str, instead: str | None = None) -> Problem:
        until = f"; {instead} holds meanwhile" if instead else ""
        found = f"`{first_line(value.value)}`" if isinstance(value, Scalar) else kind_of(value)
        return Problem("config-value", f"`{key.value}` must be {expected} and is {found}{until}", key.span)

    def _report(self, problem: Problem) -> None:
        self._problems.append(problem)


def _strictest(config: Config, name: str, cause: str) -> Config:
    """The configuration with the value of one key that allows the least."""
    if name == "default_rules":
        return replace(config, refusal=cause)
    if name == "on_error":
        return replace(config, on_error="deny")
    return replace(config, **{name: getattr(Config(), name)})


def _map_pair(node: Mapping) -> tuple[str, str] | None:
    source, target = node.get("from"), node.get("to")
    if len(node.pairs) != 2 or not isinstance(source, Scalar) or not isinstance(target, Scalar):
        return None
    # The agent's side may be a container's path, so it is absolute by the rules of POSIX on every system.
    if not source.value.startswith("/") or not os.path.isabs(target.value):
        return None
    return source.value.rstrip("/") or "/", os.path.normpath(target.value)


_READERS: dict[str, Callable[[_Reader, Scalar, Node | None], None]] = {
    "enabled": _Reader.enabled,
    "rule_files": _Reader.rule_files,
    "default_rules": _Reader.default_rules,
    "on_error": _Reader.on_error,
    "protect_rule_files": _Reader.protect_rule_files,
    "path_map": _Reader.path_map,
    "read_roots": _Reader.read_roots,
    "prompter_retention_days": _Reader.prompter_retention_days,
}
