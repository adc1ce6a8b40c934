"""The section of a `config.yaml`: each key, its strictest value where it cannot be read, and whose file it is."""

from __future__ import annotations

from typing import Any

import pytest

from rules_lsp.policy.config import DEFAULT_RULE_FILES, Config, read_config
from rules_lsp.policy.files import FileContent

PATH = "/w/app/config.yaml"


def read(content: str | bytes, *, operator: bool = False, problem: str | None = None) -> Config:
    data = content if isinstance(content, bytes) else content.encode()
    return read_config(FileContent(True, data, problem), PATH, operator=operator)


def section(body: str, *, operator: bool = True) -> Config:
    """The configuration of a section whose keys are written in the body, one a line."""
    return read("project_agent_rules:\n" + "".join(f"  {line}\n" for line in body.splitlines()), operator=operator)


def codes(config: Config) -> list[tuple[str, str]]:
    return [(problem.code, problem.severity) for problem in config.problems]


ERROR = [("config-value", "error")]


@pytest.mark.parametrize("content", ["", "# nothing\n", "other: 1\n", "- a\n", "other: [", "a: &a {}\nb: {<<: *a}\n"])
def test_a_file_that_does_not_mention_the_section_is_none_of_ours(content: str) -> None:
    assert read(content) == Config()


@pytest.mark.parametrize(
    "content",
    ["# project_agent_rules\n", "other: project_agent_rules\n", "a: {project_agent_rules: {enabled: false}}\n"],
)
def test_a_file_that_mentions_the_section_and_has_none_configures_nothing(content: str) -> None:
    assert read(content) == Config()


def test_what_does_not_exist_configures_nothing() -> None:
    assert read_config(FileContent(False), PATH, operator=False) == Config()


def test_the_values_that_hold_without_a_configuration() -> None:
    config = Config()
    assert (config.enabled, config.on_error, config.protect_rule_files) == (True, "default", True)
    assert (config.default_rules, config.refusal, config.path_map, config.read_roots) == (None, None, (), ())
    assert tuple(name.name for name in config.rule_files) == DEFAULT_RULE_FILES
    assert DEFAULT_RULE_FILES == (".coding-agent-rules.yaml", ".coding-agent-rules.md", ".github/AGENTS.md")


def test_every_key() -> None:
    config = section(
        "enabled: false\nrule_files: [a.yaml, docs/b.md]\non_error: last-good\nprotect_rule_files: no\n"
        "default_rules: {denied_tools: [Bash]}\npath_map: [{from: /box/, to: /w/app/}]\nread_roots: [/lib/./x/]"
    )
    assert config.problems == ()
    assert (config.enabled, config.on_error, config.protect_rule_files) == (False, "last-good", False)
    assert [name.name for name in config.rule_files] == ["a.yaml", "docs/b.md"]
    assert config.default_rules is not None
    assert [entry.text for entry in config.default_rules.denied_tools[0].entries] == ["Bash"]
    assert (config.path_map, config.read_roots, config.refusal) == ((("/box", "/w/app"),), ("/lib/x",), None)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("enabled: 'false'", {"enabled": True}),
        ("enabled: 0", {"enabled": True}),
        ("enabled: []", {"enabled": True}),
        ("enabled: !!bool false", {"enabled": True}),
        ("enabled: fAlse", {"enabled": True}),
        ("protect_rule_files: 'no'", {"protect_rule_files": True}),
        ("protect_rule_files: {a: b}", {"protect_rule_files": True}),
        ("on_error: ignore", {"on_error": "deny"}),
        ("on_error: [default]", {"on_error": "deny"}),
        ("on_error: Default", {"on_error": "deny"}),
        ("rule_files: a.yaml", {"rule_files": Config().rule_files}),
        ("rule_files: [a, [b]]", {"rule_files": Config().rule_files}),
        ("rule_files: [a, ~]", {"rule_files": Config().rule_files}),
        ("path_map: text", {"path_map": ()}),
        ("path_map: [{from: /a}]", {"path_map": ()}),
        ("path_map: [{from: a, to: /b}]", {"path_map": ()}),
        ("path_map: [{from: /a, to: b}]", {"path_map": ()}),
        ("path_map: [{from: /a, to: /b, more: c}]", {"path_map": ()}),
        ("read_roots: [relative]", {"read_roots": ()}),
        ("prompter_retention_days: 0", {"prompter_retention_days": 90}),
        ("prompter_retention_days: '7'", {"prompter_retention_days": 90}),
        ("prompter_retention_days: 1000000", {"prompter_retention_days": 90}),
        ("prompter_retention_days: [7]", {"prompter_retention_days": 90}),
        ("read_roots: /lib", {"read_roots": ()}),
        ("read_roots: [[/lib]]", {"read_roots": ()}),
    ],
)
def test_a_value_of_the_wrong_type_is_the_strictest(line: str, expected: dict[str, Any]) -> None:
    config = section(line)
    assert codes(config) == ERROR
    assert {key: getattr(config, key) for key in expected} == expected
    assert (config.refusal, config.default_rules) == (None, None)


@pytest.mark.parametrize("value", ["[a]", "text", "{<<: {}}", "1"])
def test_default_rules_that_cannot_be_read_refuse_where_they_would_apply(value: str) -> None:
    config = section(f"default_rules: {value}")
    assert config.default_rules is None
    assert config.refusal is not None
    assert config.refusal.startswith("`default_rules` must be a mapping with the keys of a rule file and is ")
    assert codes(config)[0][1] == "error"


def test_a_broken_entry_of_the_default_rules_is_told_and_kept() -> None:
    config = section("default_rules: {file_patterns: {exclude: ['a[']}, denied_tool: [Bash]}")
    assert [problem.code for problem in config.problems] == ["invalid-glob", "unknown-key"]
    assert config.default_rules is not None
    assert config.default_rules.exclude[0].entries[0].broken is not None
    assert [entry.text for entry in config.default_rules.denied_tools[0].entries] == ["Bash"]


@pytest.mark.parametrize("key", ["enabled", "on_error", "rule_files", "default_rules", "path_map", "read_roots"])
@pytest.mark.parametrize("value", ["", " ~", " null"])
def test_a_key_without_a_value_is_not_written(key: str, value: str) -> None:
    config = section(f"{key}:{value}")
    assert config.problems == ()
    assert (config.enabled, config.on_error, config.rule_files) == (True, "default", Config().rule_files)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("enabled: false\nenabled: false", {"enabled": True}),
        ("protect_rule_files: false\nprotect_rule_files: false", {"protect_rule_files": True}),
        ("on_error: default\non_error: default", {"on_error": "deny"}),
        ("rule_files: [a]\nrule_files: [b]", {"rule_files": Config().rule_files}),
        ("read_roots: [/a]\nread_roots: [/b]", {"read_roots": ()}),
        ("prompter_retention_days: 7\nprompter_retention_days: 7", {"prompter_retention_days": 90}),
        ("path_map: [{from: /a, to: /b}]\npath_map: []", {"path_map": ()}),
    ],
)
def test_a_key_that_stands_twice_is_the_strictest(lines: str, expected: dict[str, Any]) -> None:
    config = section(lines)
    assert codes(config) == ERROR
    assert {key: getattr(config, key) for key in expected} == expected


def test_default_rules_that_stand_twice_refuse() -> None:
    config = section("default_rules: {}\ndefault_rules: {denied_tools: [Bash]}")
    assert config.refusal == "the key `default_rules` stands twice: its strictest value holds until one is removed"


def test_keys_of_the_operator_are_a_warning_elsewhere() -> None:
    lines = "path_map: [{from: /a, to: /b}]\nread_roots: [/c]\nprompter_retention_days: 7"
    config = section(lines, operator=False)
    assert (config.path_map, config.read_roots, config.prompter_retention_days) == ((), (), 90)
    assert codes(config) == [("config-value", "warning")] * 3
    assert section(lines).prompter_retention_days == 7


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("enable", "did you mean `enabled`?"),
        ("protect_rule_file", "did you mean `protect_rule_files`?"),
        (
            "rules",
            "the known keys are `enabled`, `rule_files`, `default_rules`, `on_error`, `protect_rule_files`, "
            "`path_map`, `read_roots`, `prompter_retention_days`",
        ),
    ],
)
def test_an_unknown_key_is_an_error_and_says_nothing(key: str, hint: str) -> None:
    config = section(f"{key}: false")
    assert [problem.message for problem in config.problems] == [f"unknown key `{key}`: {hint}"]
    assert config.enabled


def test_a_slip_in_a_key_with_a_lenient_default_does_not_bring_it_back() -> None:
    config = section("on_eror: deny")
    hint = "did you mean `on_error`? its strictest value holds meanwhile"
    assert (config.on_error, config.refusal) == ("deny", None)
    assert [problem.message for problem in config.problems] == [f"unknown key `on_eror`: {hint}"]
    config = section("default_rule: {denied_tools: [Bash]}")
    assert config.refusal == "`default_rule` is an unknown key and may mean `default_rules`"
    assert section("on_error: default\non_eror: x").on_error == "default"
    assert section("default_rules: {}\ndefault_rule: x").refusal is None


@pytest.mark.parametrize(
    "content",
    [
        "project_agent_rules: [",
        "project_agent_rules: {enabled: false}\n---\na: b\n",
        "project_agent_rules: text\n",
        "project_agent_rules: [a]\n",
        "project_agent_rules: {enabled: false}\nproject_agent_rules: {enabled: false}\n",
        "# project_agent_rules\n- a\n",
        "x: &x {project_agent_rules: {enabled: false}}\n<<: *x\n",
        "x: &x {on_error: deny}\nproject_agent_rules: {<<: *x, enabled: false}\n",
        "x: &x {on_error: deny}\nproject_agent_rules: {enabled: false, <<: *x}\n",
        b"project_agent_rules: {enabled: false} # \xff\n",
        "project_agent_rules: {enabled: false}\n".encode("utf-16"),
        "project_agent_rules: {enabled: false}\n".encode("utf-16-be"),
    ],
)
def test_an_unreadable_configuration_denies(content: str | bytes) -> None:
    config = read(content)
    assert (config.enabled, config.on_error, config.protect_rule_files) == (True, "deny", True)
    assert config.rule_files == Config().rule_files
    assert config.refusal is not None
    assert [problem.severity for problem in config.problems] == ["error"]


def test_a_file_over_the_limit_counts_if_what_was_read_mentions_the_section() -> None:
    large = "it is larger than 1 MiB"
    assert read("project_agent_rules: {}\n", problem=large).on_error == "deny"
    assert read("other: {}\n", problem=large) == Config()


def test_what_may_not_be_opened_may_be_ours() -> None:
    assert read(b"", problem="permission denied").on_error == "deny"
    for problem in ("it is a directory", "it is a link to a file that does not exist"):
        assert read(b"", problem=problem) == Config()


@pytest.mark.parametrize(
    "content", ["x: &x project_agent_rules\n*x : {enabled: false}\n", "? project_agent_rules\n: {enabled: false}\n"]
)
def test_the_section_counts_however_its_key_is_written(content: str) -> None:
    config = read(content)
    assert (config.enabled, config.problems) == (False, ())


def test_keys_of_the_section_count_however_they_are_written() -> None:
    config = read("x: &x on_error\nproject_agent_rules: {*x : deny}\n")
    assert (config.on_error, config.problems) == ("deny", ())
    assert codes(read("project_agent_rules: {[a]: b}\n")) == ERROR


def test_an_alias_stands_for_its_section() -> None:
    assert not read("x: &x {enabled: false}\nproject_agent_rules: *x\n").enabled


def test_an_operators_file_is_ours_whatever_it_holds() -> None:
    for content in ("", "other: 1\n", "# nothing\n"):
        config = read(content, operator=True)
        assert (config.path, config.on_error, config.refusal) == (PATH, "default", None)
    for content in ("- a\n", "text\n", "other: [", "\x00"):
        assert read(content, operator=True).on_error == "deny"
