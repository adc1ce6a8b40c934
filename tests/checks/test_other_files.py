"""The files beside those in force: which of them are looked at, and what is said of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks import Diagnostic, Subject, run_checks, subjects_of_project
from rules_lsp.checks.common.other_files import canonical_name
from rules_lsp.source.text import Span
from rules_lsp.workspace.inventory import scan
from rules_lsp.workspace.project import Project

YAML, MARKDOWN, GITHUB = ".coding-agent-rules.yaml", ".coding-agent-rules.md", ".github/AGENTS.md"
DENIES = "denied_tools: [Bash]\n"
SUPERSEDED = "superseded-rule-file"
UNREAD = "unread-rule-file"


def write(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def found_in(root: Path, *, with_files: bool = True, fold_case: bool = False) -> dict[str, list[Diagnostic]]:
    """The findings of a project by the names of the files that are checked."""
    policy = Project(str(root), fold_case=fold_case).policy()
    subjects = subjects_of_project(policy, scan(str(root)) if with_files else None)
    return {each.name: run_checks(each.surrounded(policy)) for each in subjects}


def codes_in(root: Path) -> dict[str, list[str]]:
    return {name: [each.code for each in found] for name, found in found_in(root).items()}


def test_what_stands_below_the_file_in_force_is_superseded(tmp_path: Path) -> None:
    write(tmp_path, {YAML: DENIES, MARKDOWN: "# Rules\n## Denied Tol\n", GITHUB: ""})
    found = found_in(tmp_path)
    assert list(found) == [YAML, MARKDOWN, GITHUB]
    assert found[YAML] == []
    (below,) = found[MARKDOWN]
    assert (below.code, below.severity, below.span, below.fixes) == (SUPERSEDED, "warning", Span(0, 7), ())
    assert (
        below.message == f"`{YAML}` is in force and switches this file off: move the rules there and remove this file"
    )
    document = Project(str(tmp_path)).policy().rule_file.document  # type: ignore[union-attr]
    ((span, message, path),) = [(each.span, each.message, each.document) for each in below.related]
    assert (span, message, path and path.path) == (Span(0, 20), "this file is in force", document.path)
    assert [each.code for each in found[GITHUB]] == [SUPERSEDED]


def test_a_file_alone_is_not_superseded(tmp_path: Path) -> None:
    write(tmp_path, {GITHUB: "Be kind.\n", "AGENTS.md": "Be kind.\n"})
    assert codes_in(tmp_path) == {GITHUB: [], "AGENTS.md": []}


def test_the_order_of_the_configuration_decides(tmp_path: Path) -> None:
    order = f"project_agent_rules:\n  rule_files: [{MARKDOWN}, {YAML}]\n"
    write(tmp_path, {YAML: DENIES, MARKDOWN: "", GITHUB: "", "config.yaml": order})
    assert codes_in(tmp_path) == {MARKDOWN: [], "config.yaml": [], YAML: [SUPERSEDED], GITHUB: []}


def test_odd_names_in_the_order_do_no_harm(tmp_path: Path) -> None:
    order = f'project_agent_rules:\n  rule_files: ["a\\0b", ../x.yaml, ., ./rules.yaml, {MARKDOWN}]\n'
    write(tmp_path, {"rules.yaml": DENIES, MARKDOWN: "", "config.yaml": order})
    (tmp_path.parent / "x.yaml").write_text(DENIES, encoding="utf-8")
    found = codes_in(tmp_path)
    assert found["rules.yaml"] == []
    assert found[MARKDOWN] == [SUPERSEDED]
    assert set(found) == {"rules.yaml", MARKDOWN, "config.yaml"}
    assert set(found["config.yaml"]) == {"unknown-rule-file"}


def test_another_name_of_the_file_in_force_is_not_superseded(tmp_path: Path) -> None:
    write(tmp_path, {"rules.txt": DENIES})
    (tmp_path / YAML).symlink_to("rules.txt")
    (tmp_path / MARKDOWN).symlink_to("rules.txt")
    assert codes_in(tmp_path) == {YAML: []}


def test_an_unsaved_file_that_will_stand_above_is_not_superseded(tmp_path: Path) -> None:
    write(tmp_path, {MARKDOWN: ""})
    project = Project(str(tmp_path))
    subject = Subject.of_text(YAML, DENIES, path=str(tmp_path / YAML), root=project.root)
    assert run_checks(subject.surrounded(project.policy())) == []


def test_an_open_file_that_is_superseded_is_checked_in_depth_too(tmp_path: Path) -> None:
    write(tmp_path, {MARKDOWN: "", YAML: DENIES})
    project = Project(str(tmp_path))
    content = "## File Patterns\n### Include\n- `[a`\n"
    subject = Subject.of_text(MARKDOWN, content, path=str(tmp_path / MARKDOWN), root=project.root)
    assert [each.code for each in run_checks(subject.surrounded(project.policy()))] == [SUPERSEDED, "invalid-glob"]


def test_what_cannot_be_read_is_superseded_all_the_same(tmp_path: Path) -> None:
    write(tmp_path, {YAML: DENIES})
    (tmp_path / MARKDOWN).mkdir()
    (found,) = found_in(tmp_path)[MARKDOWN]
    assert (found.code, found.span) == (SUPERSEDED, Span(0, 0))


@pytest.mark.parametrize(
    ("name", "right"),
    [
        (".coding-agent-rules.yml", YAML),
        (".coding-agents-rules.yaml", YAML),
        (".coding-agent-rule.yaml", YAML),
        (".Coding-Agent-Rules.YAML", YAML),
        (".coding_agent_rules.yaml", YAML),
        ("coding-agent-rules.yaml", YAML),
        (".coding-agent-rules.markdown", MARKDOWN),
        (".CODING-AGENT-RULES.md", MARKDOWN),
        (".github/.coding-agent-rules.yaml", YAML),
        (".config/.coding-agent-rules.yml", YAML),
        (".github/agents.md", GITHUB),
        ("web/.coding-agent-rules.yml", f"web/{YAML}"),
    ],
)
def test_a_slip_in_a_name_is_never_read(tmp_path: Path, name: str, right: str) -> None:
    write(tmp_path, {name: DENIES})
    found = found_in(tmp_path)
    assert list(found) == [name]
    (unread,) = found[name]
    assert (unread.code, unread.severity, unread.span) == (UNREAD, "warning", Span(0, len(DENIES) - 1))
    assert unread.message == f"this file is never read: the name of a rule file is `{right}`"
    (fix,) = unread.fixes
    assert (fix.title, fix.edits, fix.safe, fix.rename) == (f"rename it to `{right}`", (), False, (name, right))


@pytest.mark.parametrize(
    "name",
    [
        YAML,
        MARKDOWN,
        GITHUB,
        "AGENTS.md",
        "docs/AGENTS.md",
        "coding-agent-rules.md",
        "docs/coding-agent-rules.md",
        f"web/{YAML}",
        f"web/{MARKDOWN}",
        "node_modules/x/.coding-agent-rules.yml",
        f"{YAML}.bak",
        ".coding-agent-rules.json",
        "my.coding-agent-rules.yml",
        "config.yaml",
    ],
)
def test_other_names_are_no_slips(name: str) -> None:
    assert canonical_name(name) is None


def test_a_nested_slip_is_only_found_where_the_files_are_known(tmp_path: Path) -> None:
    write(tmp_path, {"web/.coding-agent-rules.yml": DENIES, ".github/.coding-agent-rules.yml": DENIES})
    assert list(found_in(tmp_path, with_files=False)) == [".github/.coding-agent-rules.yml"]


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        (".coding-agent-rules.yml", YAML),
        (".coding-agent-rules.yml", MARKDOWN),
        (".coding-agent-rules.yml", GITHUB),
        ("web/.coding-agent-rules.yml", f"web/{MARKDOWN}"),
    ],
)
def test_no_renaming_replaces_a_rule_file_or_switches_one_off(tmp_path: Path, name: str, beside: str) -> None:
    write(tmp_path, {name: DENIES, beside: ""})
    (unread,) = found_in(tmp_path)[name]
    assert (unread.code, unread.fixes) == (UNREAD, ())


def test_a_name_that_the_configuration_gives_is_read(tmp_path: Path) -> None:
    name = ".coding-agent-rules.yml"
    write(tmp_path, {name: DENIES, "config.yaml": f"project_agent_rules:\n  rule_files: [{name}]\n"})
    assert codes_in(tmp_path) == {name: [], "config.yaml": []}


def test_an_ordinary_name_that_the_configuration_leaves_out_is_never_read(tmp_path: Path) -> None:
    order = "project_agent_rules:\n  rule_files: [rules.yaml]\n"
    write(tmp_path, {YAML: DENIES, GITHUB: "", "rules.yaml": DENIES, "config.yaml": order})
    found = found_in(tmp_path)
    assert list(found) == ["rules.yaml", "config.yaml", YAML, GITHUB]
    assert found[GITHUB] == []
    (unread,) = found[YAML]
    assert unread.code == UNREAD
    assert unread.message == "this file is never read: `rule_files` of the configuration leaves it out"
    ((place, path),) = [(each.span, each.document and each.document.path) for each in unread.related]
    assert (order[place.start : place.end], path) == ("rules.yaml", str(tmp_path.resolve() / "config.yaml"))


def test_another_case_is_no_slip_on_a_volume_that_folds_case(tmp_path: Path) -> None:
    write(tmp_path, {".Coding-Agent-Rules.yaml": DENIES})
    assert found_in(tmp_path, fold_case=True) == {}
    assert list(found_in(tmp_path)) == [".Coding-Agent-Rules.yaml"]


def test_a_server_file_with_a_fault(tmp_path: Path) -> None:
    write(tmp_path, {YAML: DENIES, ".mcp.json": '{"mcpServers": {"a": {"command": "x"}\n', "opencode.json": "{}"})
    found = found_in(tmp_path)
    assert list(found) == [YAML, ".mcp.json"]
    (fault,) = found[".mcp.json"]
    assert (fault.code, fault.severity, fault.related) == ("server-file", "error", ())
    assert fault.message.endswith("no server of this file is known until it is repaired")


def test_a_server_file_that_is_named_is_checked_as_one(tmp_path: Path) -> None:
    path = tmp_path / ".vscode" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{"servers": 1}', encoding="utf-8")
    (fault,) = run_checks(Subject.of_file(str(path)))
    assert (fault.code, fault.span, fault.message) == (
        "server-file",
        Span(2, 9),
        "`servers` must be a mapping of servers by name",
    )
    path.write_bytes(b"\xff")
    (fault,) = run_checks(Subject.of_file(str(path)))
    assert (fault.code, fault.span) == ("server-file", Span(0, 0))
    path.write_text('{"servers": {}}', encoding="utf-8")
    assert run_checks(Subject.of_file(str(path))) == []


def test_the_servers_of_a_configuration_are_told_with_it(tmp_path: Path) -> None:
    servers = "".join(f"  s{number}: {{}}\n" for number in range(1001))
    content = f"project_agent_rules:\n  enabld: true\nmcp_servers:\n{servers}"
    write(tmp_path, {"config.yaml": content})
    places = [(each.code, content[each.span.start : each.span.end]) for each in found_in(tmp_path)["config.yaml"]]
    assert places == [("config-value", "enabld"), ("server-file", "s1000")]


def test_a_configuration_of_servers_alone_is_a_server_file(tmp_path: Path) -> None:
    write(tmp_path, {"config.yaml": "mcp_servers: [\n"})
    assert codes_in(tmp_path) == {"config.yaml": ["server-file"]}


CONFIG = "project_agent_rules:\n  enabled: true\n"
LIFTED: list[tuple[dict[str, str], str, list[str]]] = [
    ({YAML: f"file_patterns:\n  include: [src/**, {YAML}]\n"}, YAML, [YAML]),
    ({YAML: f"file_patterns:\n  include: [src/**, /{YAML}]\n"}, YAML, [f"/{YAML}"]),
    ({YAML: f"x-unprotected: [{YAML}, notes.md]\n"}, YAML, [YAML]),
    ({YAML: f"x-unprotected: {YAML}\n"}, YAML, [YAML]),
    ({YAML: "x-unprotected: [config.yaml]\n", "config.yaml": CONFIG}, YAML, ["config.yaml"]),
    ({MARKDOWN: f"x\n## File Patterns\n### Include\n- `{MARKDOWN}`\n"}, MARKDOWN, [MARKDOWN]),
    ({MARKDOWN: f"x\n## File Patterns\n### Include\n- `{YAML}`\n"}, MARKDOWN, [YAML]),
    ({"config.yaml": CONFIG.replace("enabled", "protect_rule_files").replace("true", "no")}, "config.yaml", ["key"]),
    ({"config.yaml": f"{CONFIG}  default_rules: {{x-unprotected: [{YAML}]}}\n"}, "config.yaml", [YAML]),
    ({YAML: "x-unprotected: [config.yaml]\n"}, YAML, []),
    ({YAML: "x-unprotected: [config.yaml]\n", "config.yaml": "server: {}\n"}, YAML, []),
    ({YAML: f"x-unprotected: [{GITHUB}]\n"}, YAML, []),
    ({YAML: f"x-unprotected: [web/{YAML}]\n"}, YAML, []),
    ({YAML: f"file_patterns:\n  include: ['*.yaml', '!{YAML}']\n"}, YAML, []),
    ({YAML: f"file_patterns:\n  include: [src/**]\n  exclude: [{YAML}]\n"}, YAML, []),
    ({YAML: f"x-unprotected: [{YAML}]\nfile_patterns:\n  exclude: ['.coding*']\n"}, YAML, []),
    ({YAML: f"x-unprotected: [{YAML}]\nfile_patterns:\n  include: [src/**]\n"}, YAML, []),
    ({YAML: f"x-unprotected: [{YAML}]\n", "config.yaml": CONFIG.replace("true", "false")}, YAML, []),
    ({"config.yaml": CONFIG.replace("enabled", "protect_rule_files")}, "config.yaml", []),
]


@pytest.mark.parametrize(("files", "name", "places"), LIFTED)
def test_a_rule_file_that_the_agent_may_write(
    tmp_path: Path, files: dict[str, str], name: str, places: list[str]
) -> None:
    write(tmp_path, files)
    found = [each for each in found_in(tmp_path)[name] if each.code == "rule-file-editable"]
    shown = [files[name][each.span.start : each.span.end] for each in found]
    assert shown == ["protect_rule_files" if place == "key" else place for place in places]
    assert all(each.severity == "warning" and each.fixes == () for each in found)


def test_protection_that_is_off_is_told_once(tmp_path: Path) -> None:
    write(tmp_path, {YAML: f"x-unprotected: [{YAML}]\n", "config.yaml": CONFIG + "  protect_rule_files: false\n"})
    assert codes_in(tmp_path) == {YAML: [], "config.yaml": ["rule-file-editable"]}


SECTIONS = "# Guide\n\n## Denied Tools\n\n- `Bash`\n"
AMONG_INSTRUCTIONS = "this file is never read as rules, so its section `Denied Tools` restricts nothing: move it to "


@pytest.mark.parametrize(
    ("content", "section"),
    [
        (SECTIONS, "Denied Tools"),
        ("## Allowed Tools\n\n- `Read`\n", "Allowed Tools"),
        ("## File Patterns\n\n### Exclude\n\n- `secrets/`\n", "File Patterns"),
        ("## File Patterns\n\n- `*.tsx` for components\n\n## Denied Tools\n\n- `Bash`\n", "Denied Tools"),
    ],
)
def test_rules_in_the_agents_file_of_the_root_are_never_read(tmp_path: Path, content: str, section: str) -> None:
    write(tmp_path, {"AGENTS.md": content})
    (unread,) = found_in(tmp_path)["AGENTS.md"]
    assert (unread.code, unread.severity, unread.span.start, unread.fixes) == (UNREAD, "warning", 0, ())
    assert unread.message == (
        f"this file is never read as rules, so its section `{section}` restricts nothing: "
        f"move it to `{MARKDOWN}` or `{GITHUB}`"
    )
    (related,) = unread.related
    assert content[related.span.start : related.span.end].endswith(section)


def test_rules_in_an_agents_file_belong_into_the_file_in_force(tmp_path: Path) -> None:
    write(tmp_path, {"AGENTS.md": SECTIONS, ".cursor/AGENTS.md": SECTIONS, YAML: DENIES})
    found = found_in(tmp_path)
    assert list(found) == [YAML, ".cursor/AGENTS.md", "AGENTS.md"]
    assert [each.message for each in found["AGENTS.md"]] == [f"{AMONG_INSTRUCTIONS}`{YAML}`, which is in force"]
    assert [each.code for each in found[".cursor/AGENTS.md"]] == [UNREAD]


@pytest.mark.parametrize(
    "content",
    [
        "# Guide\n\nBe kind.\n",
        "# Guide\n\nThe allowed tools are in the README.\n",
        "## Allowed Tools\n\nNone yet.\n",
        "## Denied Tools\n",
        "## Allowed Tools\n\n- Run the tests first\n",
        "## File Patterns\n\n- `*.tsx` for components\n- `*.test.ts` for tests\n",
        "An example:\n\n```markdown\n## Denied Tools\n\n- `Bash`\n```\n",
    ],
)
def test_an_agents_file_without_rules_is_left_alone(tmp_path: Path, content: str) -> None:
    write(tmp_path, {"AGENTS.md": content})
    assert found_in(tmp_path) == {"AGENTS.md": []}


def test_an_agents_file_that_is_read_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path, {"AGENTS.md": SECTIONS, "config.yaml": "project_agent_rules:\n  rule_files: [AGENTS.md]\n"})
    assert codes_in(tmp_path) == {"AGENTS.md": [], "config.yaml": []}
    (tmp_path / "config.yaml").unlink()
    (tmp_path / ".github").mkdir()
    (tmp_path / GITHUB).symlink_to("../AGENTS.md")
    assert all(each == [] for each in codes_in(tmp_path).values())
