"""Everything that an agent is told, part by part."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.cli.main import main
from rules_lsp.prompt.as_json import chain_as_json, view_as_json
from rules_lsp.prompt.chain import chain_of
from rules_lsp.prompt.compose import compose
from rules_lsp.prompt.instructions import instructions_for
from rules_lsp.prompt.view import OverBudget, PromptView
from rules_lsp.schemas import validate
from rules_lsp.workspace.project import Project

RULES = "denied_tools: [Bash]\nsystem_prompt_extension: |\n  Prices are cents.\n  日本語\n"
PROMPTER = """version: 1
rules:
  - {id: plain, name: Plain words, when: always, action: inject_instruction, instruction: Use plain words.}
  - {id: off, enabled: false, when: always, action: inject_instruction, instruction: No.}
  - {id: bad, when: always, action: inject_instruction}
  - {id: ask, when: tool.before, action: request_approval}
  - {id: last, when: always, action: inject_instruction, instruction: Be brief.}
"""
SERVERS = '{"mcpServers": {"files": {"command": "npx", "args": ["x"]}, "gone": {"command": "y", "disabled": true}}}'
SETTINGS = '{"title": "Shop", "instructions": "Ask first.", "git_url": "https://me:hidden@h/x",}'
FILES: dict[str, str] = {
    ".coding-agent-rules.yaml": RULES,
    ".github/AGENTS.md": "# superseded",
    ".auto-prompter.yaml": PROMPTER,
    ".mcp.json": SERVERS,
    ".a0proj/project.json": SETTINGS,
    ".a0proj/instructions/b.md": "two",
    ".a0proj/instructions/a.md": "one",
    ".a0proj/instructions/data.json": "{}",
    ".a0proj/instructions/empty.md": " ",
    ".a0proj/knowledge/deep/prices.md": "known",
    ".a0proj/skills/sell.md": "skilled",
    ".a0proj/variables.env": "NAME=hidden",
    ".a0proj/secrets.env": "KEY=hidden",
    "AGENTS.md": "# Own\r\n- 規則\r\n",
    "src/AGENTS.md": "---\ntitle: src\n---\nSource rules.\n",
    "src/api/AGENTS.override.md": "",
    "src/api/AGENTS.md": "never told",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("RULES_LSP_CONFIG", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    directory = tmp_path.resolve() / "shop"
    directory.mkdir()
    monkeypatch.chdir(directory)
    return directory


def write(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8"))


def view(root: Path, target: str | None = None, **options: Any) -> PromptView:
    found = compose(Project(str(root)), target, **options)
    assert validate("prompt-view", view_as_json(found)) == []
    return found


def parts(found: PromptView) -> list[tuple[str, str, str]]:
    return [(part.section, part.name, part.text) for part in found.parts]


def left_out(found: PromptView) -> list[tuple[str, str, str | None]]:
    return [(each.name, each.cause, each.by) for each in found.left_out]


def test_every_part_in_its_order(root: Path) -> None:
    write(root, FILES)
    found = view(root, "src/api/app.py")
    told = parts(found)
    assert told[1][2].startswith(f"## Your project\n- folder: {root}\n- title: Shop\n- repository: https://h/x\n")
    assert [(section, name) for section, name, _ in told] == [
        ("base", "the system prompt of the host"),
        ("active_project", ".a0proj/project.json"),
        ("system_prompt_extension", ".coding-agent-rules.yaml"),
        ("always", ".auto-prompter.yaml"),
        ("always", ".auto-prompter.yaml"),
        ("agents_md_instructions", "src/AGENTS.md"),
        ("project_instructions", ".a0proj/project.json"),
        ("project_instructions", "AGENTS.md"),
        ("project_instructions", ".a0proj/instructions/a.md"),
        ("project_instructions", ".a0proj/instructions/b.md"),
    ]
    assert [text for _, _, text in told[2:]] == [
        "Prices are cents.\n日本語\n",
        "Use plain words.",
        "Be brief.",
        "---\ntitle: src\n---\nSource rules.\n",
        "Ask first.",
        "# Own\r\n- 規則\r\n",
        "one",
        "two",
    ]
    assert [part.why for part in found.parts[2:6]] == [
        "the rules in force add it",
        "`Plain words` holds always",
        "`last` holds always",
        "holds for what lies in `src`",
    ]


def test_what_is_left_out_and_why(root: Path) -> None:
    write(root, FILES)
    found = view(root, "src/api/app.py")
    assert left_out(found) == [
        (".github/AGENTS.md", "superseded", ".coding-agent-rules.yaml"),
        (".auto-prompter.yaml", "disabled", None),
        (".auto-prompter.yaml", "broken", None),
        (".mcp.json", "unknown", None),
        (".mcp.json", "disabled", None),
        ("src/api/AGENTS.override.md", "empty", None),
        ("src/api/AGENTS.md", "masked", "src/api/AGENTS.override.md"),
        (".a0proj/instructions/data.json", "not-text", None),
        (".a0proj/instructions/empty.md", "empty", None),
    ]
    assert [each.why for each in found.left_out[:5]] == [
        "`.coding-agent-rules.yaml` is in force in its place",
        "the rule `off` is switched off",
        "the rule `bad` cannot be read: `inject_instruction` needs an `instruction`",
        "the tools of `files` are not known: `rules-lsp tools refresh` asks the server",
        "the server `gone` is switched off",
    ]
    assert [(each.name, each.files, each.complete) for each in found.listed] == [
        (".a0proj/knowledge", (".a0proj/knowledge/deep/prices.md",), True),
        (".a0proj/skills", (".a0proj/skills/sell.md",), True),
    ]


def test_the_text_is_that_of_the_parts(root: Path) -> None:
    write(root, FILES)
    base = root / "base.md"
    base.write_text("You are an agent.", encoding="utf-8")
    found = view(root, "src/api/app.py", base=str(base))
    assert found.system == (
        "You are an agent.\n\n"
        "You may be working in a project; what follows says whether you are.\n\n"
        f"{found.parts[1].text}\n\nPrices are cents.\n日本語\n\n\nUse plain words.\n\nBe brief."
    )
    chain, project = found.messages
    assert chain.endswith("concern it.\n\n### src/AGENTS.md\n\n---\ntitle: src\n---\nSource rules.\n")
    assert project == (
        "## Instructions of the project\n"
        "These come from the project in which you work. Follow them as long as you work there.\n\n"
        "Ask first.\n\n### AGENTS.md\n\n# Own\r\n- 規則\r\n\n\n"
        "### .a0proj/instructions/a.md\n\none\n\n### .a0proj/instructions/b.md\n\ntwo"
    )
    assert found.characters == len(found.system) + sum(map(len, found.messages))
    assert (found.parts[2].characters, found.parts[2].tokens) == (2 + 22, 3 + 6)


def test_the_places_of_the_parts(root: Path) -> None:
    write(root, FILES)
    told = view_as_json(view(root, "src/api/app.py"))["parts"]
    ranges = {each["name"]: each["range"] for each in told if each["section"] != "always"}
    assert ranges[".coding-agent-rules.yaml"]["start"] == {"line": 1, "character": 25}
    assert [each["range"]["start"] for each in told if each["section"] == "always"] == [
        {"line": 2, "character": 4},
        {"line": 6, "character": 4},
    ]
    assert ranges["AGENTS.md"] == {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
    assert ranges["the system prompt of the host"] is None
    assert {each["uri"] for each in told if each["name"] == "src/AGENTS.md"} == {f"file://{root}/src/AGENTS.md"}
    instructions = next(each for each in told if each["text"] == "Ask first.")
    assert instructions["range"] == {"start": {"line": 0, "character": 35}, "end": {"line": 0, "character": 45}}


def test_secrets_are_in_no_output(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, FILES)
    (root / ".a0proj/instructions/link.md").symlink_to("../secrets.env")
    os.link(root / ".a0proj/variables.env", root / ".a0proj/instructions/twin.md")
    assert [name for name, cause, _ in left_out(view(root)) if cause == "secret"] == [
        ".a0proj/instructions/link.md",
        ".a0proj/instructions/twin.md",
    ]
    for form in ("text", "json"):
        assert main(["prompt", "--root", str(root), "--format", form, "--for", "src/api/x.py"]) == 0
        assert main(["prompt", "--root", str(root), "--format", form, "--base", ".a0proj/secrets.env"]) == 0
        assert main(["instructions", "--root", str(root), "--format", form, "src/api/x.py"]) == 0
    out = capsys.readouterr().out
    assert "Ask first." in out
    assert "hidden" not in out


WATCHED = """
import os, sys
opened = []
sys.addaudithook(lambda event, arguments: opened.append(str(arguments[0])) if event == "open" else None)
from rules_lsp.cli.main import main
codes = [main(["prompt", "--for", "src/api/x.py"]), main(["instructions", "src/api/x.py"])]
names = [os.path.basename(path) for path in opened]
print(codes, sorted(name for name in set(names) if name.endswith(".env") or name in ("prices.md", "sell.md", "a.md")),
      file=sys.stderr)
"""


def test_files_of_secrets_and_knowledge_are_never_opened(root: Path) -> None:
    write(root, FILES)
    (root / "src/api/AGENTS.override.md").unlink()
    (root / "src/api/AGENTS.md").unlink()
    (root / "src/api/AGENTS.md").symlink_to("../../.a0proj/secrets.env")
    package = str(Path(__file__).parents[2])
    command = [sys.executable, "-c", WATCHED]
    answer = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=root, env={**os.environ, "PYTHONPATH": package}
    )
    assert answer.stderr == "[0, 0] ['a.md']\n"


def test_without_any_file(root: Path) -> None:
    found = view(root)
    assert parts(found) == [("base", "the system prompt of the host", "")]
    assert (found.parts[0].why, found.left_out, found.listed) == (
        "the host has words of its own here, which are not known",
        (),
        (),
    )
    assert (found.system, found.messages, found.tokens) == ("", (), 0)


def test_a_project_without_agent_zero(root: Path) -> None:
    write(root, {"AGENTS.md": "own", ".coding-agent-rules.md": "# Rules\n\n## Denied Tools\n\n- `Bash`\n"})
    found = view(root)
    assert parts(found)[1:] == [
        ("system_prompt_extension", ".coding-agent-rules.md", "# Rules\n\n## Denied Tools\n\n- `Bash`\n"),
        ("project_instructions", "AGENTS.md", "own"),
    ]
    extension = view_as_json(found)["parts"][1]
    assert extension["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 5, "character": 0}}


def test_a_project_that_is_not_active(root: Path) -> None:
    write(root, FILES)
    found = view(root, "src/x.py", active=False)
    assert [section for section, _, _ in parts(found)] == [
        *("base", "active_project", "system_prompt_extension", "always", "always")
    ]
    assert found.parts[1].told.endswith("\n\nYou are working in no project at the moment.")
    assert (".a0proj", "disabled", None) in left_out(found)


@pytest.mark.parametrize("switch", ['"off"', "false", '" No "'])
def test_the_switch_of_the_instructions(root: Path, switch: str) -> None:
    write(root, {**FILES, ".a0proj/project.json": f'{{"include_agents_md": {switch}}}'})
    found = view(root, "src/x.py")
    told = [name for section, name, _ in parts(found) if section.endswith("instructions")]
    assert told == [".a0proj/instructions/a.md", ".a0proj/instructions/b.md"]
    assert [each for each in left_out(found) if each[1] == "disabled" and each[2]] == [
        ("AGENTS.md", "disabled", ".a0proj/project.json"),
        ("src/AGENTS.md", "disabled", ".a0proj/project.json"),
    ]
    chain = instructions_for(str(root), "src/x.py")
    assert (chain.own, chain.parts, [each.cause for each in chain.left_out]) == (None, (), ["disabled", "disabled"])
    assert len(chain_of(str(root), "src/x.py").parts) == 1


def test_settings_that_do_not_parse(root: Path) -> None:
    write(root, {".a0proj/project.json": '{"title": "Shop", "instructions": "Ask", "git_url": "https://me:hidden@h'})
    found = view(root)
    assert left_out(found) == [(".a0proj/project.json", "broken", None)]
    assert (
        found.left_out[0].why
        == "it does not parse, so only what can be made out of it is told: this quote is never closed"
    )
    assert parts(found)[2] == ("project_instructions", ".a0proj/project.json", "Ask")
    assert "hidden" not in json.dumps(view_as_json(found)["leftOut"]) + found.system


def test_the_rules_are_switched_off_or_do_not_parse(root: Path) -> None:
    write(root, {**FILES, "config.yaml": "project_agent_rules:\n  enabled: false\n"})
    assert (".coding-agent-rules.yaml", "disabled", "config.yaml") in left_out(view(root))
    write(
        root,
        {
            ".coding-agent-rules.yaml": "a: [",
            "config.yaml": "project_agent_rules:\n  default_rules:\n    system_prompt_extension: By default.\n",
        },
    )
    found = view(root)
    assert [part for part in parts(found) if part[0] == "system_prompt_extension"] == [
        ("system_prompt_extension", "config.yaml", "By default.")
    ]
    place = next(each["range"] for each in view_as_json(found)["parts"] if each["name"] == "config.yaml")
    assert place == {"start": {"line": 2, "character": 29}, "end": {"line": 2, "character": 40}}
    assert (".coding-agent-rules.yaml", "broken", None) in left_out(found)


def test_auto_prompter_is_switched_off_or_cannot_be_read(root: Path) -> None:
    write(root, {".auto-prompter.yaml": PROMPTER + "enabled: false\n"})
    found = view(root)
    assert [each.why for each in found.left_out] == [
        f"the rule `{name}` is off, since the whole file is" for name in ("plain", "off", "bad", "last")
    ]
    write(root, {".auto-prompter.yaml": "version: 2\n"})
    assert [(each.cause, each.why) for each in view(root).left_out] == [
        ("broken", "the file cannot be read: `version` must be 1")
    ]


def test_the_tools_of_a_server_that_is_known(root: Path) -> None:
    server = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-sequential-thinking"]}
    write(root, {".mcp.json": json.dumps({"mcpServers": {"think": server}})})
    found = view(root)
    assert parts(found)[1:] == [("mcp_tools", ".mcp.json", "think/sequentialthinking")]
    assert found.parts[1].why.startswith("the tools of `think`, as ")


def test_budgets_are_told_and_nothing_is_cut(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, {"AGENTS.md": "x" * 400, "src/AGENTS.md": "規" * 100})
    whole = view(root, "src/x.py")
    found = view(root, "src/x.py", budgets={"project_instructions": 10, "total": 10_000, "agents_md_instructions": 99})
    assert found.over_budget == (
        OverBudget("agents_md_instructions", 100 + 96, 99),
        OverBudget("project_instructions", 100 + 34, 10),
    )
    assert parts(found) == parts(whole)
    assert main(["prompt", "--budget", "total=10"]) == 1
    assert "over budget: total costs about " in capsys.readouterr().out
    assert main(["prompt", "--budget", "total=100000"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--budget", "all=1"], "rules-lsp: --budget all=1: write SECTION=TOKENS, with one of base, "),
        (["--budget", "total=-1"], "rules-lsp: --budget total=-1: behind `=` stands a whole number of tokens"),
        (["--templates", "none"], "rules-lsp: --templates "),
        (["--root", "none"], "rules-lsp: --root none: there is no such directory"),
    ],
)
def test_a_wrong_call(root: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["prompt", *arguments]) == 2
    assert capsys.readouterr().err.startswith(message)


def test_templates_of_the_user(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, {**FILES, "prompts/agent.protocol.projects.instructions.md": "<i>{{project_instructions}}</i>"})
    assert main(["prompt", "--templates", "prompts", "--format", "json"]) == 0
    told = [each for each in json.loads(capsys.readouterr().out)["parts"] if each["section"] == "project_instructions"]
    text = "".join(each["before"] + each["text"] for each in told)
    assert text.startswith("<i>Ask first.\n\n### AGENTS.md\n\n# Own\r\n")
    assert text.endswith("\n\n### .a0proj/instructions/b.md\n\ntwo</i>")
    write(root, {"prompts/agent.protocol.projects.instructions.md": "nothing"})
    assert main(["prompt", "--templates", "prompts", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [each["before"] for each in answer["parts"] if each["section"] == "project_instructions"] == ["nothing"]
    assert {each["name"] for each in answer["leftOut"] if each["by"] == "agent.protocol.projects.instructions.md"} == {
        *(".a0proj/project.json", "AGENTS.md", ".a0proj/instructions/a.md", ".a0proj/instructions/b.md")
    }


def test_open_editors_count_before_their_files(root: Path) -> None:
    write(root, FILES)
    overlay = {
        str(root / ".auto-prompter.yaml"): "version: 1\n",
        str(root / "AGENTS.md"): "typed",
        str(root / ".a0proj/project.json"): '{"title": "Typed"}',
    }
    found = view(root, overlay=overlay)
    assert ("project_instructions", "AGENTS.md", "typed") in parts(found)
    assert "- title: Typed\n" in found.system
    assert "always" not in {part.section for part in found.parts}


def test_the_text_of_the_command(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, {"AGENTS.md": "own \x1b[31m\n", "src/AGENTS.md": "\tsrc\n", "src/agents.md": "lower"})
    assert main(["prompt", "--for", "src/new.py"]) == 0
    assert capsys.readouterr().out == (
        "base: the system prompt of the host\n"
        "  0 characters, about 0 tokens: the host has words of its own here, which are not known\n"
        "\n"
        "agents_md_instructions: src/AGENTS.md:1\n"
        "  387 characters, about 97 tokens: holds for what lies in `src`\n"
        "  ~ ## Instructions of the folders on the way to your files\n"
        "  ~ Each of these binds you for the files of its folder and below, the later one first where two disagree. "
        "Those of the\n"
        "  ~ project's root stand among the project's instructions. Before you change a file further down, read the "
        "`AGENTS.md` of\n"
        "  ~ each folder on the way to it; those of other folders do not concern it.\n"
        "  ~\n"
        "  ~ ### src/AGENTS.md\n"
        "  | \tsrc\n"
        "\n"
        "project_instructions: AGENTS.md:1\n"
        "  143 characters, about 36 tokens: holds for the whole project\n"
        "  ~ ## Instructions of the project\n"
        "  ~ These come from the project in which you work. Follow them as long as you work there.\n"
        "  ~\n"
        "  ~ ### AGENTS.md\n"
        "  | own <U+001B>[31m\n"
        "\n"
        "left out:\n"
        "  src/agents.md: `AGENTS.md` stands in its place\n"
        "in all 530 characters, about 133 tokens\n"
    )


def test_the_instructions_of_a_path(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, {"AGENTS.md": "own", "src/AGENTS.override.md": "over", "src/AGENTS.md": "under", "src/sub/x": ""})
    assert main(["instructions", "src/new.py"]) == 0
    assert capsys.readouterr().out == (
        "AGENTS.md: holds for the whole project (3 characters, about 1 token)\n"
        "src/AGENTS.override.md: holds for what lies in `src`, as an override (4 characters, about 1 token)\n"
        "left out:\n"
        "  src/AGENTS.md: `AGENTS.override.md` stands in its place\n"
    )
    assert main(["instructions", "../elsewhere.py"]) == 0
    assert capsys.readouterr().out == (
        "the path lies outside the project: only the instructions of the root hold\n"
        "AGENTS.md: holds for the whole project (3 characters, about 1 token)\n"
    )
    assert main(["instructions", "src/sub", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert validate("prompt-view", answer) == []
    assert answer == chain_as_json(instructions_for(str(root), str(root / "src/sub")))
    assert [(part["name"], part["text"]) for part in answer["chain"]] == [("src/AGENTS.override.md", "over")]
    (root / "AGENTS.md").unlink()
    assert main(["instructions", "README.md"]) == 0
    assert capsys.readouterr().out == "no instructions hold here\n"


STARTED = """
import sys
from rules_lsp.cli.main import main
main(["instructions", "src/x.py"])
heavy = {"jinja2", "jsonschema", "pygls", "lsprotocol", "yaml", "json", "markdown_it", "rules_lsp.policy.policy"}
print(sorted(heavy & sys.modules.keys()))
"""


def test_asking_for_instructions_imports_nothing_heavy(root: Path) -> None:
    package = str(Path(__file__).parents[2])
    answer = subprocess.run(
        [sys.executable, "-c", STARTED],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": package},
    )
    assert answer.stdout == "no instructions hold here\n[]\n"
