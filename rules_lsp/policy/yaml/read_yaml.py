"""A YAML tree as rules: the keys, the slips that are read as keys, and everything else reported."""

from __future__ import annotations

from collections.abc import Callable

from rules_lsp.policy.keys import EXTENSIONS, PATTERNS, TOP_LEVEL, meant_key
from rules_lsp.policy.markdown.headings import near_miss
from rules_lsp.policy.model import ListName, RuleList, Rules
from rules_lsp.policy.tools.argument_paths import argument_path_problem
from rules_lsp.policy.yaml.lists import kind_of, read_list, read_texts, report_ambiguity
from rules_lsp.policy.yaml.markdown_in_yaml import markdown_in_yaml
from rules_lsp.policy.yaml.slips import block_slip, line_slips
from rules_lsp.source.problem import Problem, Related
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence, YamlDocument, key_text, parse_yaml, resolve

_SYNONYMS_OF_SIDES = {
    **dict.fromkeys(("ignore", "ignored", "deny", "denied", "block", "blocked", "forbid", "forbidden"), "exclude"),
    **dict.fromkeys(("disallow", "disallowed", "blacklist", "denylist", "blocklist", "except"), "exclude"),
    **dict.fromkeys(("allow", "allowed", "permit", "permitted", "whitelist", "allowlist"), "include"),
}
_HINTS = {
    "permissions": "`permissions` belongs to another tool: write `allowed_tools`, `denied_tools` and `file_patterns`",
    "allow": "write `allowed_tools` for tools and `file_patterns` with `include` for files",
    "deny": "write `denied_tools` for tools and `file_patterns` with `exclude` for files",
}


@dataclass(frozen=True, slots=True)
class YamlRules:
    """What a YAML text says.

    `rules` is None where the text does not parse, and `error` says why. `shown` is what an editor can still show:
    the rules, or those of the sections that are whole.
    """

    rules: Rules | None
    error: Problem | None
    shown: Rules
    problems: tuple[Problem, ...]
    document: YamlDocument


def read_yaml(text: Text) -> YamlRules:
    """Read the text of a `.coding-agent-rules.yaml`."""
    document = parse_yaml(text)
    problems = list(document.problems)
    if document.error is not None:
        # Where a fault was passed over, a key may only seem to have no value.
        found: list[Problem] = []
        shown = _Reader(text, found.append).rules(document.partial)
        told = {(problem.code, problem.span) for problem in problems}
        problems += [each for each in found if each.code != "null-value" and (each.code, each.span) not in told]
        markdown = markdown_in_yaml(text, "syntax-error")
        if markdown is not None:
            return YamlRules(None, markdown, shown, (markdown,), document)
        return YamlRules(None, document.error, shown, tuple(_in_order(problems)), document)
    unusable = _unusable(text, document.root)
    markdown = markdown_in_yaml(text, "wrong-type") if unusable else None
    if markdown is not None:
        return YamlRules(None, markdown, Rules(), (markdown,), document)
    problems += unusable
    error = unusable[0] if unusable else None
    shown = _Reader(text, problems.append).rules(document.root)
    return YamlRules(None if error else shown, error, shown, tuple(_in_order(problems)), document)


def read_rules_node(text: Text, node: Node, report: Callable[[Problem], None]) -> Rules | None:
    """The rules of a mapping inside another document (`default_rules`), or None where it is no usable mapping."""
    value = resolve(node)
    unusable = _no_mapping_of_keys(text, value)
    for problem in unusable:
        report(problem)
    if unusable:
        return None
    return _Reader(text, report).rules(value)


def _in_order(problems: list[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: problem.span)


def _unusable(text: Text, root: Node | None) -> list[Problem]:
    """Why a text that is YAML is no rule file all the same, the decisive problem first; empty where it is one."""
    value = resolve(root) if root is not None else None
    if root is None or (isinstance(value, Scalar) and value.is_null):
        return []
    return _no_mapping_of_keys(text, value)


def _no_mapping_of_keys(text: Text, value: Node | None) -> list[Problem]:
    if isinstance(value, Mapping):
        merge_key = _merge_key(text, value)
        return [] if merge_key is None else [merge_key]
    slips = line_slips(text, value)
    if slips:
        return slips
    span = value.token if value is not None else Span(0, 0)
    first_line = text.line_span(text.line_of(span.start))
    message = f"a rule file must hold keys such as `denied_tools:` and this is {kind_of(value)}"
    return [Problem("wrong-type", message, Span(span.start, max(span.start, min(span.end, first_line.end))))]


def _merge_key(text: Text, root: Mapping) -> Problem | None:
    for node, value in root.pairs:
        key = key_text(node)
        if key is not None:
            if key.is_merge:
                message = "merge keys (`<<`) are not read here: write the entries out"
                return Problem("wrong-type", message, key.span)
            below = resolve(value)
            says_something = key.value in EXTENSIONS or not key.value.startswith("x-")
            if says_something and isinstance(below, Mapping) and below is not root:
                found = _merge_key(text, below) if len(below.span) < len(root.span) else None
                if found is not None:
                    return found
    return None


def _synonym_of_key(key: str, known: tuple[str, ...]) -> str | None:
    """The known key that is meant by another word for it, or None: `blocked_tools` means `denied_tools`."""
    if known is PATTERNS:
        return _SYNONYMS_OF_SIDES.get(key.casefold())
    near = near_miss(key)
    return None if near is None else near.section.casefold().replace(" ", "_")


class _Reader:
    """Collects the lists of one mapping; a key that stands twice contributes twice."""

    def __init__(self, text: Text, report: Callable[[Problem], None]) -> None:
        self._text = text
        self._report = report
        self._lists: dict[ListName, list[RuleList]] = {
            "allowed_tools": [],
            "denied_tools": [],
            "file_patterns.include": [],
            "file_patterns.exclude": [],
        }
        self._extensions: list[str] = []
        self._unprotected: list[list[str]] = []
        self._tool_paths: dict[str, tuple[str, ...]] = {}

    def rules(self, root: Node | None) -> Rules:
        if isinstance(root, Mapping):
            self._mapping(root, self._top_level)
        return Rules(
            "\n\n".join(self._extensions),
            tuple(self._lists["allowed_tools"]),
            tuple(self._lists["denied_tools"]),
            tuple(self._lists["file_patterns.include"]),
            tuple(self._lists["file_patterns.exclude"]),
            self._unprotected_by_all(),
            dict(self._tool_paths),
        )

    def _unprotected_by_all(self) -> tuple[str, ...]:
        """What every list of unprotected files names: it allows, so where the key stands twice both must."""
        first, *others = self._unprotected or [[]]
        return tuple(text for text in first if all(text in other for other in others))

    def _mapping(self, mapping: Mapping, read: Callable[[str, Scalar, Node], None]) -> None:
        seen: dict[str, Span] = {}
        for node, value in mapping.pairs:
            key = key_text(node)
            if key is None:
                message = f"a key must be a text and is {kind_of(resolve(node))}: remove it"
                self._report(Problem("wrong-type", message, node.token))
                continue
            if key.is_merge:
                continue
            first = seen.setdefault(key.value, key.span)
            if first is not key.span:
                related = (Related(first, f"`{key.value}` stands here first"),)
                message = f"the key `{key.value}` stands twice: put its entries in one place"
                self._report(Problem("duplicate-key", message, key.span, related=related))
            read(key.value, key, value)

    def _top_level(self, name: str, key: Scalar, value: Node) -> None:
        known = name
        if name not in TOP_LEVEL and name not in EXTENSIONS:
            if name.startswith("x-"):
                return
            pattern = next((known for known in PATTERNS if known == name.casefold()), None)
            meant = f"file_patterns.{pattern}" if pattern else meant_key(name, TOP_LEVEL)
            self._unknown_key(key, meant, TOP_LEVEL)
            if meant is None:
                return
            known = meant
        if known == "system_prompt_extension":
            self._prompt(key, value)
        elif known == "file_patterns":
            self._file_patterns(key, value)
        elif known == "x-unprotected":
            texts = read_texts(self._text, value, key.span, self._report)
            self._unprotected.append([scalar.value for scalar in texts])
        elif known == "x-tool-paths":
            self._read_tool_paths(key, value)
        else:
            self._list(_LIST_NAMES[known], key, value)

    def _file_patterns(self, key: Scalar, value: Node) -> None:
        node = resolve(value)
        if isinstance(node, Scalar) and node.is_null:
            message = f"`{key.value}` has no value and counts as not written: give it a value or remove it"
            self._report(Problem("null-value", message, key.span, "warning"))
        elif isinstance(node, Mapping):
            self._mapping(node, self._pattern_key)
        else:
            kind = kind_of(node)
            message = f"`{key.value}` must hold `include:` and `exclude:` and is {kind}: no file is allowed until then"
            for problem in line_slips(self._text, node) or [Problem("wrong-type", message, key.span)]:
                self._report(problem)
            self._lists["file_patterns.exclude"].append(RuleList("file_patterns.exclude", key.span, (), message))

    def _pattern_key(self, name: str, key: Scalar, value: Node) -> None:
        known: str | None = name
        if name not in PATTERNS:
            if name.startswith("x-"):
                return
            known = meant_key(name, PATTERNS)
            self._unknown_key(key, known, PATTERNS)
        if known is not None:
            self._list(_LIST_NAMES[f"file_patterns.{known}"], key, value)

    def _list(self, name: ListName, key: Scalar, value: Node) -> None:
        found = read_list(self._text, value, name, key.span, self._report)
        if found is not None:
            self._lists[name].append(found)

    def _prompt(self, key: Scalar, value: Node) -> None:
        node = resolve(value)
        if not isinstance(node, Scalar):
            message = (
                f"`{key.value}` must be a text and is {kind_of(node)}: write `{key.value}: |` and the text below it"
            )
            self._report(Problem("wrong-type", message, key.span))
        elif node.is_null:
            message = f"`{key.value}` has no value and counts as not written: give it a value or remove it"
            self._report(Problem("null-value", message, key.span, "warning"))
        else:
            slip = block_slip(self._text, node)
            if slip is not None:
                self._report(slip)
            report_ambiguity(node, self._report)
            self._extensions.append(node.value)

    def _read_tool_paths(self, key: Scalar, value: Node) -> None:
        node = resolve(value)
        if isinstance(node, Scalar) and node.is_null:
            return
        if not isinstance(node, Mapping):
            message = f"`{key.value}` must hold tool names with lists of arguments and is {kind_of(node)}"
            self._report(Problem("wrong-type", message, key.span))
            # The table restricts: while it cannot be read no call can be said to pass it.
            self._lists["denied_tools"].append(RuleList("denied_tools", key.span, (), message))
            return
        self._mapping(node, self._tool_path)

    def _tool_path(self, name: str, key: Scalar, value: Node) -> None:
        paths = []
        for scalar in read_texts(self._text, value, key.span, self._report):
            problem = argument_path_problem(scalar.value)
            if problem is not None:
                self._report(Problem("wrong-type", problem, scalar.span))
            paths.append(scalar.value)
        node = resolve(value)
        if not paths or (isinstance(node, Sequence) and len(paths) < len(node.items)):
            paths.append("")
        self._tool_paths[name] = (*self._tool_paths.get(name, ()), *paths)

    def _unknown_key(self, key: Scalar, meant: str | None, known: tuple[str, ...]) -> None:
        slips = line_slips(self._text, key)
        for slip in slips:
            self._report(slip)
        if slips:
            return
        synonym = _synonym_of_key(key.value, known)
        if meant is not None and meant.startswith("file_patterns."):
            message = f"`{key.value}` belongs under `file_patterns`; it is read as `{meant}` meanwhile: move it there"
            data = {"meant": meant}
        elif meant is not None and synonym in (None, meant):
            message = f"unknown key `{key.value}`; it is read as `{meant}` meanwhile: rename it"
            data = {"rename": meant}
        elif synonym is not None:
            reading = f"; it is read as `{meant}` meanwhile" if meant is not None else ""
            message = f"unknown key `{key.value}`{reading}: did you mean `{synonym}`?"
            data = {"synonym": synonym, "certain": "" if reading or known is PATTERNS else "yes"}
        else:
            names = ", ".join(f"`{name}`" for name in known)
            message = f"unknown key `{key.value}`: {_HINTS.get(key.value.casefold(), f'the known keys are {names}')}"
            data = {}
        self._report(Problem("unknown-key", message, key.span, data=data))


_LIST_NAMES: dict[str, ListName] = {
    "allowed_tools": "allowed_tools",
    "denied_tools": "denied_tools",
    "file_patterns.include": "file_patterns.include",
    "file_patterns.exclude": "file_patterns.exclude",
}
