from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rules_lsp.policy.config import KEYS as CONFIG_KEYS
from rules_lsp.policy.keys import EXTENSIONS, PATTERNS, TOP_LEVEL
from rules_lsp.policy.query import DETAILS, SOURCES
from rules_lsp.policy.requests import OPERATIONS
from rules_lsp.policy.shell.kinds import KINDS
from rules_lsp.prompt import a0_keys
from rules_lsp.prompt.edits import model as edits
from rules_lsp.prompt.edits.foldings import FOLDINGS
from rules_lsp.prompt.edits.recovering import OUTCOMES
from rules_lsp.prompt.told_files import CAUSES
from rules_lsp.prompt.view import SECTIONS
from rules_lsp.prompter import keys as prompter
from rules_lsp.schemas import (
    SCHEMA_NAMES,
    SchemaName,
    Violation,
    choices,
    describe,
    keys,
    load_schema,
    schema_path,
    violations,
)

ROOT = Path(__file__).resolve().parent.parent
KEYWORDS = {
    *("$schema", "$id", "$ref", "$defs", "title", "description", "markdownDescription", "default", "examples"),
    *("type", "const", "enum", "properties", "patternProperties", "additionalProperties", "required", "items"),
    *(
        "minimum",
        "maximum",
        "minLength",
        "minItems",
        "pattern",
        "format",
        "oneOf",
        "anyOf",
        "allOf",
        "if",
        "then",
        "else",
        "dependentRequired",
    ),
}


def subschemas(node: object, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema inside a schema with its JSON pointer."""
    if not isinstance(node, dict):
        return
    yield place, node
    for keyword in ("properties", "patternProperties", "$defs"):
        for key, value in node.get(keyword, {}).items():
            yield from subschemas(value, f"{place}/{keyword}/{key}")
    for keyword in ("items", "additionalProperties", "if", "then", "else"):
        yield from subschemas(node.get(keyword), f"{place}/{keyword}")
    for keyword in ("oneOf", "anyOf", "allOf"):
        for index, value in enumerate(node.get(keyword, ())):
            yield from subschemas(value, f"{place}/{keyword}/{index}")


def documented_places() -> Iterator[Any]:
    """Every key, list item and shape of every schema: name, pointer, the schema with its references followed."""
    for name in SCHEMA_NAMES:
        schema = load_schema(name)
        conditions = ("/if/", "/then/", "/else/")
        for place, node in subschemas(schema):
            parts = place.split("/")
            if len(parts) < 2 or any(condition in place for condition in conditions):
                continue
            if parts[-2] not in ("properties", "patternProperties") and parts[-1] not in (
                "items",
                "additionalProperties",
            ):
                continue
            while "$ref" in node:
                target = schema
                for part in node["$ref"].split("/")[1:]:
                    target = target[part]
                node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
            yield pytest.param(schema, node, id=f"{name}{place}")


@pytest.mark.parametrize("name", SCHEMA_NAMES)
def test_a_schema_is_valid_and_whole_in_itself(name: SchemaName) -> None:
    schema = load_schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"https://rules-lsp.dev/schemas/{name}.schema.json"
    for place, node in subschemas(schema):
        assert {keyword for keyword in node if not keyword.startswith("x-")} <= KEYWORDS, place
        assert node.get("$ref", "#/").startswith("#/"), place


def test_every_schema_of_the_checkout_is_known_and_found_there() -> None:
    assert (
        *("coding-agent-rules", "config", "query", "decision", "auto-prompter"),
        *("edits", "edit-answers"),
        *("persona-template", "context-files"),
        *("a0-project", "a0-mcp-servers", "prompt-view"),
    ) == SCHEMA_NAMES
    files = sorted(path.name for path in (ROOT / "schemas").glob("*.json"))
    assert files == [f"{name}.schema.json" for name in sorted(SCHEMA_NAMES)]
    assert [schema_path(name) for name in SCHEMA_NAMES] == [
        ROOT / "schemas" / f"{name}.schema.json" for name in SCHEMA_NAMES
    ]


@pytest.mark.parametrize(("schema", "node"), list(documented_places()))
def test_every_key_has_a_description_and_examples_that_fit(schema: dict[str, Any], node: dict[str, Any]) -> None:
    assert node["description"].endswith(".")
    assert node["examples"]
    validator = Draft202012Validator({**node, "$defs": schema["$defs"]})
    for example in node["examples"]:
        assert [error.message for error in validator.iter_errors(example)] == []


def test_every_choice_has_a_description() -> None:
    for name in SCHEMA_NAMES:
        for place, node in subschemas(load_schema(name)):
            if "const" in node and place.split("/")[-2] == "oneOf":
                assert node["description"].endswith("."), f"{name}{place}"


def test_the_copies_of_shared_definitions_are_current() -> None:
    command = [sys.executable, str(ROOT / "schemas" / "bundle.py"), "--check"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert load_schema("config")["$defs"]["rules"] == load_schema("coding-agent-rules")["$defs"]["rules"]
    assert load_schema("query")["$defs"]["operation"] == load_schema("decision")["$defs"]["operation"]


def test_hover_text_is_found_by_key() -> None:
    include = describe("coding-agent-rules", "file_patterns", "include")
    assert include is not None
    assert include.startswith("The only files that the agent may change.")
    assert "- `src/**`: everything below `src`\n" in include
    assert describe("config", "project_agent_rules", "default_rules", "file_patterns", "include") == include
    assert describe("config", "project_agent_rules", "path_map", "to") == "The absolute directory on this machine."
    assert describe("config", "project_agent_rules", "path_map", 0, "to") == "The absolute directory on this machine."
    assert describe("coding-agent-rules", "x-tool-paths", "a/b") == "The arguments of this tool that are paths."
    assert describe("decision", "code") == "What kind of rule decided: a stable name."
    title = "What a coding agent may do in this project: `.coding-agent-rules.yaml`."
    assert describe("coding-agent-rules") == title
    assert describe("coding-agent-rules", "x-ours") is not None
    assert describe("coding-agent-rules", "permissions") is None
    assert describe("coding-agent-rules", "permissions", "deny") is None
    assert describe("coding-agent-rules", "system_prompt_extension", 0) is None


def test_known_keys_and_choices_are_listed_in_order() -> None:
    assert keys("coding-agent-rules") == (
        *("system_prompt_extension", "allowed_tools", "denied_tools", "file_patterns"),
        *("x-unprotected", "x-tool-paths"),
    )
    assert keys("coding-agent-rules", "file_patterns") == ("include", "exclude")
    assert keys("coding-agent-rules", "allowed_tools") == ()
    assert keys("config", "project_agent_rules") == (
        *("enabled", "rule_files", "default_rules", "on_error", "protect_rule_files", "path_map", "read_roots"),
        "prompter_retention_days",
    )
    assert tuple(choices("config", "project_agent_rules", "on_error")) == ("default", "deny", "last-good")
    assert tuple(choices("query", "operation")) == ("read", "write", "create", "delete", "rename")
    assert choices("query", "path") == {}


def test_the_codes_of_an_answer() -> None:
    codes = [option["const"] for option in load_schema("decision")["$defs"]["code"]["oneOf"]]
    assert codes == [
        *("unrestricted", "included", "allowed-tool", "disabled"),
        *("excluded", "not-included", "denied-tool", "not-allowed-tool", "outside-root", "protected"),
        *("invalid-request", "policy-error"),
    ]


def test_what_the_reader_of_auto_prompter_lists_is_what_its_schema_says() -> None:
    assert keys("auto-prompter") == prompter.TOP_LEVEL
    assert keys("auto-prompter", "rules", 0) == prompter.RULE
    assert keys("auto-prompter", "rules", 0, "target") == prompter.TARGET
    assert keys("auto-prompter", "rules", 0, "condition") == prompter.CONDITION
    assert keys("auto-prompter", "rules", 0, "limit") == prompter.LIMIT
    assert tuple(choices("auto-prompter", "rules", 0, "when")) == tuple(prompter.ACTIONS)
    assert tuple(choices("auto-prompter", "rules", 0, "action")) == prompter.ACTIONS[prompter.BEFORE_TOOL]
    assert tuple(choices("auto-prompter", "rules", 0, "target", "categories", 0)) == prompter.CATEGORIES
    assert tuple(choices("auto-prompter", "rules", 0, "condition", "command", "kinds", 0)) == KINDS


def test_what_the_reader_of_edits_lists_is_what_its_schemas_say() -> None:
    assert keys("edits", 0) == edits.KEYS
    statuses = load_schema("edit-answers")["$defs"]["edit_answer"]["properties"]["status"]["oneOf"]
    assert tuple(option["const"] for option in statuses) == edits.STATUSES
    differs = load_schema("edit-answers")["$defs"]["nearest"]["properties"]["differs"]["items"]["enum"]
    assert differs == [*FOLDINGS, "text"]
    outcomes = load_schema("edit-answers")["$defs"]["recovery"]["properties"]["recovered"]["oneOf"]
    assert tuple(option["const"] for option in outcomes) == OUTCOMES


def test_what_the_readers_of_prompts_list_is_what_their_schemas_say() -> None:
    assert keys("a0-project") == a0_keys.PROJECT_KEYS
    assert keys("a0-project", "file_structure") == a0_keys.STRUCTURE_KEYS
    assert tuple(choices("prompt-view", "parts", 0, "section")) == SECTIONS
    assert tuple(choices("prompt-view", "leftOut", 0, "cause")) == CAUSES


def test_a_violation_carries_its_place_and_keyword() -> None:
    assert violations("coding-agent-rules", {"file_patterns": {"include": ["a", 1]}}) == [
        Violation(("file_patterns", "include", 1), "type", "must be text")
    ]


def test_a_schema_that_is_not_installed_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rules_lsp.schemas._DIRECTORIES", (tmp_path,))
    with pytest.raises(FileNotFoundError, match="no schema query in "):
        schema_path("query")


def test_schemas_are_stored_as_the_bundler_writes_them() -> None:
    for name in SCHEMA_NAMES:
        text = schema_path(name).read_text(encoding="utf-8")
        assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=2) + "\n"


def test_what_the_engine_lists_for_speed_is_what_the_schemas_say() -> None:
    assert set(keys("coding-agent-rules")) == {*TOP_LEVEL, *EXTENSIONS}
    assert set(keys("coding-agent-rules", "file_patterns")) == set(PATTERNS)
    assert set(keys("config", "project_agent_rules")) == set(CONFIG_KEYS)
    assert set(choices("config", "project_agent_rules", "on_error")) == {"default", "deny", "last-good"}
    assert set(choices("query", "operation")) == set(OPERATIONS)
    assert set(choices("query", "source")) == set(SOURCES)
    assert set(choices("query", "detail")) == set(DETAILS)
