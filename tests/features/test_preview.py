"""The pages, word for word, where the project is known and where it is not."""

from __future__ import annotations

from pathlib import Path

from rules_lsp.features.preview import MOST_FILES, files_page, policy_page, view_in_force
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.inventory import FileInventory
from tests.support.projects import RULES, project

TEXT = """\
allowed_tools: [github/*, 'a b']
file_patterns:
  include: ["src/**"]
  exclude:
    - '*.pem'
"""
FILES = FileInventory(("README.md", "src/a.py", "src/k.pem"), ("src",))
TOOLS = Catalogue(())


def test_a_policy(tmp_path: Path) -> None:
    policy = project(tmp_path, {RULES: TEXT}).policy()
    page = policy_page(view_in_force(policy, FILES, TOOLS))
    uri = (tmp_path.resolve() / "app" / RULES).as_uri()
    head, _, entries = page.partition("## `allowed_tools`\n\n")
    assert head.startswith(
        f"# Policy of `{policy.root.given}`\n\nrules: .coding-agent-rules.yaml\n\n"
        "**effective policy**: 1 of 3 files writable"
    )
    assert entries == (
        "| entry | line | takes now |\n| --- | --- | --- |\n"
        f"| `github/*` | [1]({uri}#L1) |  |\n"
        f"| `a b` | [1]({uri}#L1) | cannot be read: `a b` is no tool name: write `server/tool`,"
        " or a built-in tool's name of letters, digits and `_.:-` (`*` and `?` are wildcards) |\n\n"
        "## `file_patterns.include`\n\n| entry | line | takes now |\n| --- | --- | --- |\n"
        f"| `src/**` | [3]({uri}#L3) | 2 files · net +1 |\n\n"
        "## `file_patterns.exclude`\n\n| entry | line | takes now |\n| --- | --- | --- |\n"
        f"| `*.pem` | [5]({uri}#L5) | 1 file · net \N{MINUS SIGN}1 |\n"
    )


def test_nothing_is_said_of_what_is_not_known(tmp_path: Path) -> None:
    policy = project(tmp_path, {RULES: "denied_tools: [x/y]\nfile_patterns: {exclude: []}\n"}).policy()
    page = policy_page(view_in_force(policy, None, None))
    uri = (tmp_path.resolve() / "app" / RULES).as_uri()
    assert "writable" not in page
    assert page.endswith(
        "## `denied_tools`\n\n| entry | line | takes now |\n| --- | --- | --- |\n"
        f"| `x/y` | [1]({uri}#L1) |  |\n\n## `file_patterns.exclude`\n\nempty\n"
    )


def test_no_rules(tmp_path: Path) -> None:
    policy = project(tmp_path).policy()
    page = policy_page(view_in_force(policy, FILES, None))
    assert "\n\nrules: none: the project has no rule file\n\n**effective policy**: 3 of 3 files writable\n" in page
    assert "## " not in page


def test_default_rules_where_the_rule_file_cannot_be_read(tmp_path: Path) -> None:
    config = "project_agent_rules:\n  default_rules:\n    denied_tools: [a/b]\n"
    policy = project(tmp_path, {RULES: "denied_tools: [c/d\n", "config.yaml": config}).policy()
    page = policy_page(view_in_force(policy, None, None))
    assert "rules: config.yaml\n" in page
    assert "| `a/b` | [3](" in page
    assert "c/d" not in page
    assert "| error | this `[` is never closed" in page


def test_what_is_not_in_force_is_not_shown(tmp_path: Path) -> None:
    policy = project(tmp_path, {RULES: "allowed_tools: [a/b]\ndenied_tools: [c/d\n"}).policy()
    page = policy_page(view_in_force(policy, FILES, None))
    assert "3 of 3 files writable" in page
    assert "a/b" not in page


def test_everything_is_denied(tmp_path: Path) -> None:
    config = "project_agent_rules: {on_error: deny}\n"
    policy = project(tmp_path, {RULES: "denied_tools: [c/d\n", "config.yaml": config}).policy()
    view = view_in_force(policy, FILES, None)
    assert policy_page(view) == (
        f"# Policy of `{policy.root.given}`\n\nrules: .coding-agent-rules.yaml\n\neverything is denied:"
        " the rule file `.coding-agent-rules.yaml` cannot be read and `on_error` is `deny`\n"
    )
    assert "1 of 3 files, 0 of them writable" in files_page(view, "*.py")


def test_the_files_of_a_pattern(tmp_path: Path) -> None:
    policy = project(tmp_path, {RULES: TEXT}).policy()
    view = view_in_force(policy, FILES, None)
    root = (tmp_path.resolve() / "app").as_uri()
    assert files_page(view, "src/") == (
        "# Files of `src/`\n\n2 of 3 files, 1 of them writable\n\n| file | may be written |\n| --- | --- |\n"
        f"| [`src/a.py`]({root}/src/a.py) | yes |\n| [`src/k.pem`]({root}/src/k.pem) | no |\n"
    )
    assert files_page(view, "*.rs") == "# Files of `*.rs`\n\n0 of 3 files, 0 of them writable\n"
    assert files_page(view, "[a") == "# Files of `[a`\n\n`[a` has a `[` that is never closed\n"
    assert files_page(view, "src\\**").startswith(
        "# Files of `src\\**`\n\nas written it matches no path of the project: write `src/**`\n\n"
    )
    unknown = view_in_force(policy, None, None)
    assert files_page(unknown, "src/") == "# Files of `src/`\n\nthe files of the project are not listed yet\n"


def test_many_files(tmp_path: Path) -> None:
    policy = project(tmp_path).policy()
    files = FileInventory(tuple(f"{number:04}.py" for number in range(MOST_FILES + 7)), (), False)
    page = files_page(view_in_force(policy, files, None), "*.py")
    assert page.startswith("# Files of `*.py`\n\nat least 1,007 files, 1,007 of them writable\n")
    assert page.count(".py`](") == MOST_FILES
    assert page.endswith("\n\nand 7 more\n")
