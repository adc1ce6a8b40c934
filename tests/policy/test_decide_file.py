"""Decisions about files: each step of the order, with links, spellings and directories, and what stays allowed."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules_lsp.policy import decide_file
from rules_lsp.workspace.project import Project
from tests.support.projects import MARKDOWN, RULES, code, project

SECRETS = "file_patterns: {exclude: ['*.pem', secrets/]}\n"


def verdicts(found: Project, *paths: str, operation: str = "write") -> dict[str, str]:
    return {path: code(found, path=path, operation=operation) for path in paths}


def test_lists_decide_together(tmp_path: Path) -> None:
    found = project(
        tmp_path, {RULES: "file_patterns:\n  include: [src/**, '*.md']\n  exclude: ['*.key', '!src/a.key']\n"}
    )
    assert verdicts(found, "src/a.py", "README.md", "a.py", "src/a.key", "src", "x/y.md") == {
        "src/a.py": "included",
        "README.md": "included",
        "a.py": "not-included",
        "src/a.key": "excluded",
        "src": "not-included",
        "x/y.md": "included",
    }
    assert verdicts(found, "a.py", "src/a.key", "src/a.py", operation="read") == {
        "a.py": "unrestricted",
        "src/a.key": "excluded",
        "src/a.py": "unrestricted",
    }


def test_every_include_list_must_allow(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "file_patterns: {include: [src/**]}\nfile_patterns: {include: ['*.py']}\n"})
    assert verdicts(found, "src/a.py", "src/a.md", "a.py") == {
        "src/a.py": "included",
        "src/a.md": "not-included",
        "a.py": "not-included",
    }


def test_the_answer_names_what_decided(tmp_path: Path) -> None:
    text = (
        "file_patterns:\n  include: ['**', a]\n  exclude:\n    - '*.md'\n    - a\n"
        '    - "\U0001f600\\u0061"  # \U0001f600\n'
    )
    found = project(tmp_path, {RULES: text})
    answer = found.answer({"path": "a", "operation": "create"})
    uri = f"file://{found.root.real}/{RULES}"
    place = {"start": {"line": 4, "character": 6}, "end": {"line": 4, "character": 7}}
    assert {key: answer[key] for key in ("code", "reason", "path", "resolvedPath", "operation")} == {
        "code": "excluded",
        "reason": "`a` is excluded by `a`",
        "path": "a",
        "resolvedPath": "a",
        "operation": "create",
    }
    assert answer["rule"] == {"uri": uri, "range": place, "list": "file_patterns.exclude", "index": 1, "pattern": "a"}
    assert [(rule["index"], rule["pattern"]) for rule in answer["overruled"]] == [(0, "**")]
    smile = found.answer({"path": "\U0001f600a"})["rule"]
    # Columns count in UTF-16: the character before the escape is two units wide.
    assert smile["range"] == {"start": {"line": 5, "character": 7}, "end": {"line": 5, "character": 15}}
    assert smile["pattern"] == "\U0001f600a"


def test_a_list_that_misses_is_named_as_a_list(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "file_patterns:\n  include: [a]\n"})
    rule = found.answer({"path": "b"})["rule"]
    assert rule == {
        "uri": f"file://{found.root.real}/{RULES}",
        "range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 9}},
        "list": "file_patterns.include",
    }


@pytest.mark.parametrize(
    "query",
    [
        {"path": "a", "operation": "execute"},
        {"path": "a", "operation": ""},
        {"path": "a", "operation": 3},
        {"path": "a", "operation": ["read"]},
        {"path": "a", "operation": "READ"},
        {"path": "a", "operation": "rename"},
        {"path": "a", "operation": "rename", "newPath": ""},
        {"path": "a", "operation": "rename", "newPath": 3},
        {"path": "a", "operation": "read", "newPath": "b"},
        {"path": "a", "newPath": "b"},
        {"path": "a", "cwd": "sub"},
        {"path": ""},
        {"path": None},
        {"uri": "http://x/a"},
        {"uri": "a"},
        {"path": "loop"},
    ],
)
def test_what_is_no_request(tmp_path: Path, query: dict[str, Any]) -> None:
    for config in ({}, {"config.yaml": "project_agent_rules: {enabled: false}\n"}):
        found = project(tmp_path, config, links={} if (tmp_path / "app").exists() else {"loop": "loop"})
        assert code(found, **query) == "invalid-request"


def test_a_link_to_the_outside_is_outside(tmp_path: Path) -> None:
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "f").write_text("")
    (tmp_path / "app-evil").mkdir()
    found = project(
        tmp_path,
        {"in": ""},
        links={
            "out": "../evil/f",
            "dir": "../evil",
            "new": "../evil/none",
            "beside": "../app-evil",
            "fine": "in",
            "back": "../evil/home",
        },
    )
    (tmp_path / "evil" / "home").symlink_to("../app")
    expected = {"out": "outside-root", "dir/f": "outside-root", "dir/new": "outside-root", "new": "outside-root",
                "beside/x": "outside-root", "../app-evil/x": "outside-root", "..": "outside-root",
                "dir/../in": "outside-root",
                "back/in": "outside-root", "/etc/passwd": "outside-root", "fine": "unrestricted", ".": "unrestricted",
                "../app/in": "unrestricted", f"{found.root.real}/in": "unrestricted",
                "x/../in": "unrestricted"}  # fmt: skip
    for operation in ("read", "write", "create", "delete"):
        assert verdicts(found, *(set(expected) - {"."}), operation=operation) == {
            path: verdict for path, verdict in expected.items() if path != "."
        }
    assert code(found, path=".") == "unrestricted"
    assert found.answer({"path": "out"})["resolvedPath"] == f"{tmp_path.resolve()}/evil/f"
    assert found.answer({"path": "fine"})["resolvedPath"] == "in"


def test_a_link_out_of_a_project_that_is_switched_off_is_still_outside(tmp_path: Path) -> None:
    found = project(tmp_path, {"config.yaml": "project_agent_rules: {enabled: false}\n"}, links={"out": "/etc"})
    assert verdicts(found, "out/x", "a", "../x", RULES) == {
        "out/x": "outside-root",
        "a": "disabled",
        "../x": "outside-root",
        RULES: "disabled",
    }


def test_an_exclude_follows_links(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {RULES: SECRETS, "secrets/k": "", "a/key.pem": "", "plain": ""},
        links={"s": "secrets", "innocent": "a/key.pem", "named.pem": "plain", "hop": "via", "via": "secrets/k"},
    )
    assert verdicts(found, "s", "s/k", "s/new", "innocent", "named.pem", "hop", "plain", "a/other", "secret") == {
        "s": "excluded",
        "s/k": "excluded",
        "s/new": "excluded",
        "innocent": "excluded",
        "named.pem": "excluded",
        "hop": "excluded",
        "plain": "unrestricted",
        "a/other": "unrestricted",
        "secret": "unrestricted",
    }
    answer = found.answer({"path": "hop"})
    assert answer["reason"] == "`hop` leads to or can be read as `secrets/k`, which is excluded by `secrets/`"
    assert answer["resolvedPath"] == "secrets/k"


def test_a_link_must_be_included_under_each_of_its_names(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {RULES: "file_patterns: {include: [src/**]}\n", "src/a": "", "b": ""},
        links={"src/l": "../b", "l": "src/a"},
    )
    assert verdicts(found, "src/a", "src/l", "l", "b") == {
        "src/a": "included",
        "src/l": "not-included",
        "l": "not-included",
        "b": "not-included",
    }


@pytest.mark.parametrize(
    "path",
    ["secrets", "secrets/", "secrets/k", "secrets/a/b", "./secrets/k", "a/../secrets/k", "a/./../secrets",
     "%73ecrets/k",
     "secrets%2Fk", "%73ecrets/%FF", "sec\u200brets/k", "sec\u202erets/k", "secrets\ufeff/k", "secrets\\k",
     "a\\..\\secrets\\k",
     "a/%2e%2e/secrets/k", "%73ecrets%5Ck", "x.pem", "x.p%65m", "x\u200b.pem", "a/x.pem/b", "x.pem\\b"],
)  # fmt: skip
def test_an_exclude_covers_every_spelling(tmp_path: Path, path: str) -> None:
    assert code(project(tmp_path, {RULES: SECRETS}), path=path) == "excluded"


@pytest.mark.parametrize(
    "path",
    [
        "secret",
        "secretsx/k",
        "xsecrets/k",
        "a/b",
        "%2573ecrets/k",
        "x.pemx",
        "x.pe",
        "SECRETS/k",
        "%73ecret",
        "se crets",
    ],
)
def test_the_neighbours_of_an_excluded_path_are_allowed(tmp_path: Path, path: str) -> None:
    assert code(project(tmp_path, {RULES: SECRETS}), path=path) == "unrestricted"


@pytest.mark.parametrize(
    "path", ["%2e%2e/x", "..%2fx", "a%2f..%2f..%2fx", "..\\x", "%2Fetc/passwd", "\\etc", "a\\..\\..\\x", ".\u200b./x"]
)
def test_a_spelling_that_leaves_the_root_is_outside(tmp_path: Path, path: str) -> None:
    assert code(project(tmp_path, {RULES: SECRETS}), path=path) == "outside-root"


def test_a_spelling_is_followed_through_links(tmp_path: Path) -> None:
    (tmp_path / "evil").mkdir()
    found = project(
        tmp_path,
        {RULES: SECRETS, "deep/sub/x": "", "secrets/k": ""},
        links={"out": "../evil", "s": "secrets", "l": "deep/sub"},
    )
    assert verdicts(found, "%6fut/x", "%73/k", "l/%2e%2e/x.pem", "l/%2e%2e/x", "%6fther/x") == {
        "%6fut/x": "outside-root",
        "%73/k": "excluded",
        "l/%2e%2e/x.pem": "excluded",
        "l/%2e%2e/x": "unrestricted",
        "%6fther/x": "unrestricted",
    }


def test_a_decoded_parent_is_taken_physically_too(tmp_path: Path) -> None:
    found = project(
        tmp_path, {RULES: "file_patterns: {exclude: [/deep/key]}\n", "deep/sub/x": ""}, links={"l": "deep/sub"}
    )
    assert verdicts(found, "l/../key", "l/%2e%2e/key", "l\\..\\key", "key") == {
        "l/../key": "excluded",
        "l/%2e%2e/key": "excluded",
        "l\\..\\key": "excluded",
        "key": "unrestricted",
    }


def test_a_parent_that_decoding_brings_to_light_meets_one_that_is_written(tmp_path: Path) -> None:
    """Taking away `x/..` first would hide where the decoded path leads."""
    found = project(tmp_path, {RULES: "file_patterns: {exclude: [/conf/key]}\n", "a/b/x": ""}, links={"l": "a/b"})
    expected = {
        "a/b/%2e%2e/../conf/key": "excluded",
        "a/b/..%2F../conf/key": "excluded",
        "a/b/..\u200b/../conf/key": "excluded",
        "a/b/..\\../conf/key": "excluded",
        f"a/b/%2e%2e/../{RULES}": "protected",
        "a/%2e%2e/../x": "outside-root",
        "l/%2e%2e/../%2e%2e/x": "outside-root",
        "a/b/%2e%2e/../conf/other": "unrestricted",
        "a/b%20c/../conf/key": "unrestricted",
        "../app/a%20b": "unrestricted",
        "../app/x%2F..%2Fa": "unrestricted",
    }
    assert verdicts(found, *expected) == expected
    assert code(found, path="../b/%2e%2e/../conf/key", cwd=f"{found.root.real}/a") == "outside-root"
    assert code(found, path="b/%2e%2e/../conf/key", cwd=f"{found.root.real}/a") == "excluded"


def test_both_readings_of_a_parent_are_judged_by_what_stands_there(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {RULES: SECRETS, "a/secrets": "", "a/b/x": "", "%73ecrets": ""},
        links={"l": "a/b"},
        directories=["secrets"],
    )
    # `secrets` is a directory in the root and a file in `a`.
    assert verdicts(found, "a/secrets", "l/../secrets", "%73ecrets", "secrets") == {
        "a/secrets": "unrestricted",
        "l/../secrets": "excluded",
        "%73ecrets": "excluded",
        "secrets": "excluded",
    }


def test_a_batch_does_not_mistake_a_directory_behind_a_file(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: SECRETS, "f": "", "secrets/a/b": ""})
    answers = found.answer({"paths": ["secrets/a/b", "f/../secrets"]})["answers"]
    assert [answer["code"] for answer in answers] == ["excluded", "excluded"]


def test_case_counts_unless_the_volume_folds_it(tmp_path: Path) -> None:
    rules = {RULES: "file_patterns: {include: [src/**, Config.yaml], exclude: [Secrets/]}\n"}
    found = project(tmp_path, rules)
    assert verdicts(found, "src/a", "SRC/a", "src/SECRETS/a", "CONFIG.YAML") == {
        "src/a": "included",
        "SRC/a": "not-included",
        "src/SECRETS/a": "included",
        "CONFIG.YAML": "not-included",
    }
    folded = project(tmp_path, rules, fold_case=True)
    assert verdicts(folded, "src/a", "SRC/a", "src/SECRETS/a", "CONFIG.YAML", RULES.upper(), ".GitHub/agents.MD") == {
        "src/a": "included",
        "SRC/a": "not-included",
        "src/SECRETS/a": "excluded",
        "CONFIG.YAML": "protected",
        RULES.upper(): "protected",
        ".GitHub/agents.MD": "protected",
    }


def test_composed_and_decomposed_names_are_the_same(tmp_path: Path) -> None:
    found = project(
        tmp_path, {RULES: "file_patterns: {include: [caf\u00e9/**, ' \u3042/*'], exclude: ['ke\u0301y']}\n"}
    )
    assert verdicts(found, "caf\u00e9/a", "cafe\u0301/a", "cafe/a", "caf\u00e9/k\u00e9y", "caf\u00e9/ke\u0301y") == {
        "caf\u00e9/a": "included",
        "cafe\u0301/a": "included",
        "cafe/a": "not-included",
        "caf\u00e9/k\u00e9y": "excluded",
        "caf\u00e9/ke\u0301y": "excluded",
    }


def test_an_include_is_never_widened_by_a_spelling(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "file_patterns: {include: [src/**]}\n"})
    for path in ("%73rc/a", "src%2Fa", "src\\a", "s\u200brc/a", "SRC/a", "src%2fa"):
        assert code(found, path=path) == "not-included"


GOVERNING = [RULES, MARKDOWN, ".github/AGENTS.md", "config.yaml", ".auto-prompter.yaml"]


@pytest.mark.parametrize("operation", ["write", "create", "delete", "read"])
def test_what_governs_is_protected(tmp_path: Path, operation: str) -> None:
    found = project(tmp_path, {RULES: ""})
    expected = "unrestricted" if operation == "read" else "protected"
    assert verdicts(found, *GOVERNING, operation=operation) == dict.fromkeys(GOVERNING, expected)
    neighbours = [f"sub/{RULES}", "config.yml", "AGENTS.md", ".github/x", "sub/config.yaml", f"{RULES}.bak"]
    assert verdicts(found, *neighbours, operation=operation) == dict.fromkeys(neighbours, "unrestricted")


@pytest.mark.parametrize(
    "path",
    [f"./{RULES}", f"a/../{RULES}", f"{RULES}/", ".coding-agent-rules%2Eyaml", f"{RULES}\u200b", f"%2E{RULES[1:]}",
     "x\\..\\config.yaml",
     ".github\\AGENTS.md", "link", "dir/AGENTS.md", "conf%69g.yaml", "l/../config.yaml"],
)  # fmt: skip
def test_what_governs_is_protected_under_every_name(tmp_path: Path, path: str) -> None:
    found = project(
        tmp_path, {RULES: "", "s/t/x": ""}, links={"link": RULES, "dir": ".github", "l": "s/t"}, directories=[".github"]
    )
    assert code(found, path=path) == "protected"


def test_nothing_is_put_in_the_place_of_what_governs(tmp_path: Path) -> None:
    """A directory of the name of a rule file would stand before the rule file that is in force."""
    found = project(tmp_path, {MARKDOWN: "## Denied Tools\n- Bash\n"})
    paths = [f"{RULES}/x", f"{RULES}/a/b", "config.yaml/x", ".github/AGENTS.md/x", f"%2E{RULES[1:]}/x"]
    assert verdicts(found, *paths, operation="create") == dict.fromkeys(paths, "protected")
    assert code(found, path="a", operation="rename", newPath=f"{RULES}/x") == "protected"
    assert code(found, path=f"{RULES}x/y") == "unrestricted"
    folded = project(tmp_path, fold_case=True)
    assert code(folded, path=f"{RULES.upper()}/x") == "protected"


def test_the_target_of_a_linked_rule_file_is_protected(tmp_path: Path) -> None:
    found = project(tmp_path, {"conf/real.yaml": "", "conf/other": ""}, links={RULES: "hop", "hop": "conf/real.yaml"})
    assert verdicts(found, RULES, "hop", "conf/real.yaml", "conf/other") == {
        RULES: "protected",
        "hop": "protected",
        "conf/real.yaml": "protected",
        "conf/other": "unrestricted",
    }
    assert code(found, path="conf", operation="delete") == "protected"
    assert code(found, path="conf", operation="rename", newPath="c") == "protected"


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("x-unprotected: [config.yaml]\n", "unrestricted"),
        ("x-unprotected: [/config.yaml]\n", "unrestricted"),
        ("x-unprotected: ['*.yaml', conf*]\n", "protected"),
        ("x-unprotected: ['!config.yaml']\n", "protected"),
        ("x-unprotected: ['config.yaml/']\n", "protected"),
        ("x-unprotected: ['a/config.yaml']\n", "protected"),
        ("x-unprotected: ['config.{yaml,yml}']\n", "protected"),
        ("file_patterns: {include: [config.yaml]}\n", "included"),
        ("file_patterns: {include: ['**', '*.yaml']}\n", "protected"),
        ("file_patterns: {include: ['**', '!config.yaml']}\n", "protected"),
        ("file_patterns: {exclude: [config.yaml]}\n", "protected"),
        ("x-unprotected: [config.yaml]\nfile_patterns: {exclude: [config.yaml]}\n", "excluded"),
        ("x-unprotected: [config.yaml]\nfile_patterns: {include: [src]}\n", "not-included"),
    ],
)
def test_protection_is_lifted_by_the_very_name_alone(tmp_path: Path, rules: str, expected: str) -> None:
    found = project(tmp_path, {RULES: rules})
    assert code(found, path="config.yaml") == expected
    assert code(found, path=RULES) == "protected"


def test_protection_holds_while_a_policy_is_in_force(tmp_path: Path) -> None:
    found = project(tmp_path)
    assert code(found, path=RULES) == "unrestricted"
    config = Path(found.root.real) / "config.yaml"
    for section, expected in {
        "{default_rules: {}}": "protected",
        "{protect_rule_files: false, default_rules: {}}": "unrestricted",
        "{protect_rule_files: 'false', default_rules: {}}": "protected",
        "{rule_files: [mine.yaml]}": "unrestricted",
    }.items():
        config.write_text(f"project_agent_rules: {section}\n")
        assert code(found, path=RULES) == expected
    (Path(found.root.real) / "mine.yaml").write_text("")
    # The default names are protected beside those that replace them.
    assert verdicts(found, "mine.yaml", *GOVERNING) == dict.fromkeys(["mine.yaml", *GOVERNING], "protected")


def test_an_operators_configuration_inside_the_root_is_protected(tmp_path: Path) -> None:
    found = project(
        tmp_path, {RULES: "", "ops/rules.yaml": ""}, config=tmp_path.resolve() / "app" / "ops" / "rules.yaml"
    )
    assert verdicts(found, "ops/rules.yaml", "ops/x") == {"ops/rules.yaml": "protected", "ops/x": "unrestricted"}


@pytest.mark.parametrize(
    "rules",
    [
        "file_patterns: {exclude: ['a[']}\n",
        "file_patterns: {exclude: [[a]]}\n",
        "file_patterns: {exclude: {a: b}}\n",
        "file_patterns: [a]\n",
        "file_patterns: {include: ['**', '!secrets/[']}\n",
        "file_patterns: {exclude: ['a\\']}\n",
        "file_patterns: {exclude: ['{a,b']}\n",
        "file_patterns: {exclude: ['[z-a]']}\n",
        "file_patterns: {exclude: ['[[:nope:]]']}\n",
    ],
)
def test_what_denies_and_cannot_be_read_denies_all(tmp_path: Path, rules: str) -> None:
    found = project(tmp_path, {RULES: rules})
    for operation in ("read", "write"):
        answer = found.answer({"path": "x", "operation": operation})
        assert (answer["code"], answer["policy"]["degraded"]) == ("policy-error", False)
        assert answer["rule"] is not None


def test_what_allows_and_cannot_be_read_allows_nothing(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "file_patterns: {include: ['a[', b]}\n"})
    assert verdicts(found, "a[", "ab", "b") == {"a[": "not-included", "ab": "not-included", "b": "included"}


def test_reading_outside_needs_the_operators_word(tmp_path: Path) -> None:
    top = tmp_path.resolve()
    (top / "lib" / "sub").mkdir(parents=True)
    (top / "lib" / "sub" / "f").write_text("")
    (top / "lib-evil").mkdir()
    (top / "lib" / "out").symlink_to("/etc")
    (top / "lib" / "in").symlink_to("sub/f")
    (top / "lib" / "home").symlink_to("../app/x")
    operator = top / "operator.yaml"
    operator.write_text(f"project_agent_rules: {{read_roots: ['{top}/lib']}}\n")
    found = project(
        tmp_path, {RULES: "file_patterns: {include: [src], exclude: [x]}\n"}, links={"l": "../lib"}, config=operator
    )
    lib = f"{top}/lib"
    reading = {f"{lib}/sub/f": "unrestricted", lib: "unrestricted", f"{lib}/none": "unrestricted",
               f"{lib}/in": "unrestricted",
               f"{lib}/out/passwd": "outside-root", f"{lib}-evil/f": "outside-root", f"{lib}/../x": "outside-root",
               f"{lib}/sub/../../x": "outside-root", f"{lib}/%2e%2e/x": "outside-root",
               f"{lib}/%6fut/passwd": "outside-root",
               f"{lib}/..\\x": "outside-root", f"{lib}/sub/%2e%2e/../../x": "outside-root",
               f"{lib}/a%20b": "unrestricted", f"{lib}/home": "excluded",
               "../lib/sub/f": "unrestricted", "l/sub/f": "unrestricted", "x": "excluded"}  # fmt: skip
    assert verdicts(found, *reading, operation="read") == reading
    for operation in ("write", "create", "delete"):
        assert code(found, path=f"{lib}/sub/f", operation=operation) == "outside-root"


def test_a_directory_goes_only_if_all_that_it_holds_may(tmp_path: Path) -> None:
    found = project(
        tmp_path, {RULES: SECRETS, "a/b/key.pem": "", "c/d/f": "", "e/l": ""}, directories=["empty", "f/secrets"]
    )
    expected = {"a": "excluded", "a/b": "excluded", "c": "unrestricted", "c/d/f": "unrestricted",
                "empty": "unrestricted",
                "f": "excluded", "none": "unrestricted", "a/b/key.pem": "excluded", "a/": "excluded",
                ".": "protected"}  # fmt: skip
    assert verdicts(found, *expected, operation="delete") == expected
    assert {path: code(found, path=path, operation="rename", newPath="new") for path in expected if path != "."} == {
        path: verdict for path, verdict in expected.items() if path != "."
    }
    answer = found.answer({"path": "a", "operation": "delete"})
    assert answer["reason"] == "`a` holds what is denied: `a/b/key.pem` is excluded by `*.pem`"
    assert (answer["path"], answer["rule"]["pattern"]) == ("a", "*.pem")
    # Writing beside it is another matter.
    assert code(found, path="a") == "unrestricted"


def test_a_directory_is_walked_under_every_reading_of_its_name(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {RULES: SECRETS, "a/b/x": "", "a/data/k.pem": "", "data": "", "c/k.pem": "", "s/d/k.pem": "", "ok/f": ""},
        links={"l": "a/b", "ld": "a/data"},
    )
    expected = {"l/../data": "excluded", "%63": "excluded", "s\\d": "excluded", "ld": "excluded",
                "l/../b": "unrestricted",
                "%6fk": "unrestricted", "data": "unrestricted", "l": "unrestricted"}  # fmt: skip
    assert verdicts(found, *expected, operation="delete") == expected


def test_a_directory_moves_only_where_all_that_it_holds_may_be(tmp_path: Path) -> None:
    rules = "file_patterns: {exclude: [/dist/x/**, /vault/key, /a/sub/hidden]}\n"
    found = project(
        tmp_path,
        {RULES: rules, "src/x/f": "", "src/key": "", "plain/f": "", "full/f": "", "vault/key": "", "h/hidden": ""},
        links={"l": "a/q"},
        directories=["a/q"],
    )

    def rename(path: str, new: str) -> str:
        return code(found, path=path, operation="rename", newPath=new)

    assert rename("src", "other") == "unrestricted"
    # The name itself is free, and `dist/x/f` is not.
    assert rename("src", "dist") == "excluded"
    assert rename("plain", "dist") == "unrestricted"
    assert rename("src/x", "dist/x") == "excluded"
    assert rename("src/key", "vault/key") == "excluded"
    # What stands there already would be replaced.
    assert rename("plain", "vault") == "excluded"
    assert rename("plain", "full") == "unrestricted"
    # Through a link the new place is another one than the text says.
    assert rename("h", "l/../sub") == "excluded"
    assert rename("h", "a/sub2") == "unrestricted"
    assert rename("src", "../dist") == "outside-root"
    assert rename("plain/f", RULES) == "protected"
    (tmp_path / "app" / "g").mkdir()
    (tmp_path / "app" / "g" / "AGENTS.md").write_text("")
    assert rename("g", ".github") == "protected"
    assert rename("g", ".gitlab") == "unrestricted"


def test_a_rename_is_told_with_both_names(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: SECRETS, "a": ""}, links={"l": "a"})
    answer = found.answer({"path": "l", "operation": "rename", "newPath": "./b/../c.pem"})
    assert {key: answer[key] for key in ("code", "path", "resolvedPath", "newPath", "operation")} == {
        "code": "excluded",
        "path": "l",
        "resolvedPath": "a",
        "newPath": "c.pem",
        "operation": "rename",
    }
    uri = found.answer({"path": "a", "operation": "rename", "newPath": f"file://{found.root.real}/c%2Epem"})
    assert (uri["code"], uri["newPath"]) == ("excluded", "c.pem")


def test_includes_hold_for_all_that_a_directory_holds(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {
            RULES: "file_patterns: {include: [/src, '*.md']}\n",
            "src/a/b": "",
            "docs/a.md": "",
            "docs/b": "",
            "md/x.md/y": "",
        },
    )
    assert verdicts(found, "src", "src/a", "docs", "md/x.md", operation="delete") == {
        "src": "included",
        "src/a": "included",
        "docs": "not-included",
        "md/x.md": "included",
    }


def test_too_much_to_look_at_is_denied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = project(tmp_path, {f"d/{n}": "" for n in range(5)})
    monkeypatch.setattr(decide_file, "MAX_BELOW", 5)
    assert code(found, path="d", operation="delete") == "unrestricted"
    monkeypatch.setattr(decide_file, "MAX_BELOW", 4)
    answer = found.answer({"path": "d", "operation": "delete"})
    assert answer["code"] == "policy-error"
    assert answer["reason"] == "`d` holds more than 4 files, too many to check each of them"
    assert code(found, path="d") == "unrestricted"


def test_a_directory_that_cannot_be_looked_into_is_not_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = project(tmp_path, {"d/e/f": ""})
    really = os.scandir

    def refuse(path: str) -> Any:
        if path.endswith("/e"):
            raise PermissionError(13, "Permission denied", path)
        return really(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert code(found, path="d", operation="delete") == "invalid-request"


def test_names_on_disk_that_are_no_text_can_be_walked(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: SECRETS, "d/f": ""})
    odd = os.fsencode(found.root.real) + b"/d/caf\xe9 %41\xff"
    Path(os.fsdecode(odd)).write_text("")
    assert code(found, path="d", operation="delete") == "unrestricted"
    Path(os.fsdecode(odd + b".pem")).write_text("")
    assert code(found, path="d", operation="delete") == "excluded"


def test_nothing_that_allowed_is_remembered(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: SECRETS, "f": ""}, directories=["secrets"])
    assert code(found, path="f") == "unrestricted"
    target = Path(found.root.real) / "f"
    target.unlink()
    target.symlink_to("/etc/hostname")
    assert code(found, path="f") == "outside-root"
    target.unlink()
    target.symlink_to("secrets/x")
    assert code(found, path="f") == "excluded"
    target.unlink()
    assert code(found, path="f") == "unrestricted"


def respelled(path: str, random: Random) -> str:
    """Another spelling that a program may take for the same path."""
    at = random.randrange(len(path))
    match random.randrange(9):
        case 0 if "%" not in path:
            return path[:at] + "".join(f"%{byte:02x}" for byte in path[at].encode()) + path[at + 1 :]
        case 1:
            return path[:at] + random.choice("\u200b\u202e\ufeff\u00ad") + path[at:]
        case 2:
            return path.replace("/", "\\")
        case 3:
            return unicodedata.normalize("NFD", path)
        case 4:
            return random.choice(["d/../", "zz/../", "m/../../", "./"]) + path
        case 5:
            return path.replace("/", "//")
        case 6:
            return path.replace("/", "/./")
        case _:
            return path + "/"


def test_no_spelling_of_a_denied_path_is_allowed(tmp_path: Path) -> None:
    rules = "file_patterns: {exclude: [secrets/, '*.pem', /a/key, 'caf\u00e9', '[id]/x']}\n"
    found = project(
        tmp_path,
        {RULES: rules, "secrets/k": "", "a/key": "", "d/e/x.pem": "", "caf\u00e9/f": "", "[id]/x": ""},
        links={"l": "secrets", "m": "d/e", "out": "/etc", "n": "m"},
    )
    denied = ["secrets/k", "a/key", "caf\u00e9/f", "[id]/x", "l/k", "m/x.pem", "n/x.pem", "out/passwd", "../x", RULES]
    random = Random(7)
    wider = []
    for path in denied:
        for _ in range(150):
            spelling = path
            for _ in range(random.randint(1, 3)):
                spelling = respelled(spelling, random)
            if found.answer({"path": spelling})["allowed"]:
                wider.append(spelling)
    assert wider == []
