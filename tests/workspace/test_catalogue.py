from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rules_lsp.source.text import Span
from rules_lsp.workspace.catalogue import Catalogue, KnownTool
from rules_lsp.workspace.server_files import ConfiguredServer
from rules_lsp.workspace.server_identity import identities
from rules_lsp.workspace.server_launch import read_launch
from tests.support.learnt import ASKED, learnt_by_name

FACTS = Path(__file__).with_name("known_tools.tsv")
"""A line for each tool: the software, the tool's name, and what the software states of it."""

COUNTS = {
    "filesystem": 14,
    "memory": 9,
    "sequential-thinking": 1,
    "everything": 13,
    "github-archived": 26,
    "gitlab": 9,
    "gitlab-zereight": 201,
    "slack": 8,
    "postgres": 1,
    "puppeteer": 7,
    "brave-search": 2,
    "playwright": 25,
    "playwright --caps": 71,
    "context7": 2,
    "chrome-devtools": 32,
    "fetch": 1,
    "git": 12,
    "time": 2,
    "github": 117,
    "sqlite": 6,
    "atlassian": 34,
}


def npx(*arguments: str, **more: object) -> dict[str, object]:
    return {"command": "npx", "args": ["-y", *arguments], **more}


def docker(*arguments: str) -> dict[str, object]:
    return {"command": "docker", "args": ["run", "-i", "--rm", *arguments]}


def run(*words: str) -> dict[str, object]:
    return {"command": words[0], "args": list(words[1:])}


LAUNCHES: dict[str, dict[str, object]] = {
    "filesystem": npx("@modelcontextprotocol/server-filesystem", "."),
    "memory": npx("@modelcontextprotocol/server-memory"),
    "sequential-thinking": npx("@modelcontextprotocol/server-sequential-thinking"),
    "everything": npx("@modelcontextprotocol/server-everything"),
    "github-archived": npx("@modelcontextprotocol/server-github"),
    "gitlab": npx("@modelcontextprotocol/server-gitlab"),
    "gitlab-zereight": npx("@zereight/mcp-gitlab"),
    "slack": npx("@modelcontextprotocol/server-slack"),
    "postgres": npx("@modelcontextprotocol/server-postgres", "postgresql://localhost/db"),
    "puppeteer": npx("@modelcontextprotocol/server-puppeteer"),
    "brave-search": npx("@modelcontextprotocol/server-brave-search"),
    "playwright": npx("@playwright/mcp@latest"),
    "playwright --caps": npx("@playwright/mcp@latest", "--caps=vision,pdf"),
    "context7": npx("@upstash/context7-mcp"),
    "chrome-devtools": npx("chrome-devtools-mcp@latest"),
    "fetch": run("uvx", "mcp-server-fetch"),
    "git": run("uvx", "mcp-server-git", "--repository", "."),
    "time": run("uvx", "mcp-server-time"),
    "github": docker("-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"),
    "sqlite": run("uvx", "mcp-server-sqlite", "--db-path", "x.db"),
    "atlassian": run("uvx", "mcp-atlassian"),
}


def server(name: str, entry: object, file: str = ".mcp.json") -> ConfiguredServer:
    return ConfiguredServer(name, file, Span(0, 1), read_launch(entry))


def catalogue(**entries: object) -> Catalogue:
    return Catalogue.of(server(name, entry) for name, entry in entries.items())


def facts(software: str) -> list[KnownTool]:
    rows = [line.split("\t") for line in FACTS.read_text(encoding="utf-8").splitlines()]
    return sorted(
        KnownTool(name, flag == "readOnly", flag == "destructive") for owner, name, flag in rows if owner == software
    )


def test_the_facts_are_all_there() -> None:
    owners = Counter(line.split("\t")[0] for line in FACTS.read_text(encoding="utf-8").splitlines())
    assert owners == COUNTS
    assert LAUNCHES.keys() == COUNTS.keys()
    assert sum(owners.values()) == 593


@pytest.mark.parametrize("software", COUNTS)
def test_every_tool_is_known_with_its_flags(software: str) -> None:
    tools = catalogue(mine=LAUNCHES[software]).tools_of("mine")
    assert tools is not None
    assert list(tools) == facts(software)
    assert len({tool.name for tool in tools}) == COUNTS[software]


def test_flags() -> None:
    known = catalogue(fs=LAUNCHES["filesystem"], git=LAUNCHES["git"])
    assert known.tool("fs", "read_file") == KnownTool("read_file", read_only=True)
    assert known.tool("fs", "write_file") == KnownTool("write_file", destructive=True)
    assert known.tool("fs", "create_directory") == KnownTool("create_directory")
    assert known.tool("git", "read_file") is None
    assert known.tool("other", "read_file") is None


@pytest.mark.parametrize(
    ("entry", "old", "new"),
    [
        (LAUNCHES["github"], "get_issue", "issue_read"),
        (LAUNCHES["github"], "update_issue", "issue_write"),
        (LAUNCHES["context7"], "get-library-docs", "query-docs"),
        (LAUNCHES["github"], "issue_read", None),
        (LAUNCHES["github"], "no_such_tool", None),
        (LAUNCHES["github-archived"], "get_issue", None),
        (LAUNCHES["context7"], "query-docs", None),
        (npx("github"), "get_issue", None),
    ],
)
def test_renames(entry: object, old: str, new: str | None) -> None:
    assert catalogue(github=entry).renamed("github", old) == new


def test_a_new_name_is_a_tool_of_the_server() -> None:
    known = catalogue(github=LAUNCHES["github"], docs=LAUNCHES["context7"])
    for name, tool in (("github", "issue_read"), ("github", "issue_write"), ("docs", "query-docs")):
        assert known.tool(name, tool) is not None


RECOGNISED = [
    (npx("@playwright/mcp"), "npm:@playwright/mcp"),
    (npx("@playwright/mcp@0.0.41"), "npm:@playwright/mcp"),
    (run("npx", "--package=@playwright/mcp", "mcp-server-playwright"), "npm:@playwright/mcp"),
    (run("npx", "-p", "@playwright/mcp@latest", "mcp-server-playwright"), "npm:@playwright/mcp"),
    (run("npx.cmd", "@playwright/mcp"), "npm:@playwright/mcp"),
    (run("C:\\Program Files\\nodejs\\npx.cmd", "-y", "@playwright/mcp"), "npm:@playwright/mcp"),
    (run("/usr/bin/npx", "--yes", "--", "@playwright/mcp"), "npm:@playwright/mcp"),
    ({"command": "npx -y @playwright/mcp@latest"}, "npm:@playwright/mcp"),
    ({"command": ["npx", "-y", "@playwright/mcp"]}, "npm:@playwright/mcp"),
    (run("cmd", "/c", "npx", "-y", "@playwright/mcp"), "npm:@playwright/mcp"),
    (run("cmd.exe", "/C", "npx -y @playwright/mcp"), "npm:@playwright/mcp"),
    (run("bash", "-lc", "DEBUG=1 exec npx -y @playwright/mcp"), "npm:@playwright/mcp"),
    (run("sh", "-c", "exec npx -y @playwright/mcp"), "npm:@playwright/mcp"),
    (run("env", "-u", "X", "DEBUG=1", "npx", "@playwright/mcp"), "npm:@playwright/mcp"),
    (run("npm", "exec", "--yes", "@playwright/mcp"), "npm:@playwright/mcp"),
    (run("pnpm", "dlx", "@playwright/mcp"), "npm:@playwright/mcp"),
    (run("yarn", "dlx", "@playwright/mcp"), "npm:@playwright/mcp"),
    (run("bunx", "--bun", "@playwright/mcp"), "npm:@playwright/mcp"),
    (run("bun", "x", "@playwright/mcp"), "npm:@playwright/mcp"),
    (run("deno", "run", "-A", "npm:@playwright/mcp@1"), "npm:@playwright/mcp"),
    (run("node", "./node_modules/@playwright/mcp/cli.js"), "npm:@playwright/mcp"),
    (run("node", "C:\\x\\node_modules\\@playwright\\mcp\\cli.js"), "npm:@playwright/mcp"),
    (run("node", "/x/node_modules/chrome-devtools-mcp/build/src/index.js"), "npm:chrome-devtools-mcp"),
    (run("node_modules/.bin/mcp-server-playwright"), "binary:mcp-server-playwright"),
    (run("uvx", "mcp-server-git@latest"), "pypi:mcp-server-git"),
    (run("uvx", "mcp-server-git==2025.1.1"), "pypi:mcp-server-git"),
    (run("uvx", "mcp_server_git"), "pypi:mcp-server-git"),
    (run("uvx", "--python", "3.12", "--from", "mcp-atlassian[x]>=0.1", "mcp-atlassian"), "pypi:mcp-atlassian"),
    (run("uv", "tool", "run", "mcp-server-git"), "pypi:mcp-server-git"),
    (run("uv", "--directory", "/srv/git", "run", "mcp-server-git"), "binary:mcp-server-git"),
    (run("uv", "run", "--with", "x", "python", "-m", "mcp_server_git"), "pypi:mcp-server-git"),
    (run("uv", "run", "-m", "mcp_server_git"), "pypi:mcp-server-git"),
    (run("pipx", "run", "mcp-server-git"), "pypi:mcp-server-git"),
    (run("pipx", "run", "--spec", "mcp-server-git", "x"), "pypi:mcp-server-git"),
    (run("/opt/venv/bin/python3.12", "-m", "mcp_server_git"), "pypi:mcp-server-git"),
    (run("/opt/venv/bin/mcp-server-git"), "binary:mcp-server-git"),
    (run("~/bin/github-mcp-server", "stdio"), "binary:github-mcp-server"),
    (run("C:\\Tools\\GitHub-MCP-Server.exe", "stdio"), "binary:github-mcp-server"),
    (docker("ghcr.io/github/github-mcp-server:v1.0", "stdio"), "image:ghcr.io/github/github-mcp-server"),
    (docker("ghcr.io/github/github-mcp-server@sha256:0a"), "image:ghcr.io/github/github-mcp-server"),
    (docker("-e", "A=b", "-eC=d", "--name", "x", "--pull=always", "docker.io/mcp/git"), "image:mcp/git"),
    (run("podman", "container", "run", "-it", "--mount", "type=bind,src=/a,dst=/b", "mcp/git:1"), "image:mcp/git"),
    (
        run("go", "run", "github.com/github/github-mcp-server/cmd/github-mcp-server@latest", "stdio"),
        "go:github.com/github/github-mcp-server/cmd/github-mcp-server",
    ),
    ({"url": "https://api.githubcopilot.com/mcp/"}, "url:api.githubcopilot.com/mcp"),
    ({"url": "https://API.githubcopilot.com:443/mcp?x=1"}, "url:api.githubcopilot.com/mcp"),
]


@pytest.mark.parametrize(("entry", "identity"), RECOGNISED)
def test_a_launch_is_recognised(entry: object, identity: str) -> None:
    assert identities(read_launch(entry)) == (identity,)
    assert catalogue(mine=entry).known("mine") is not None


@pytest.mark.parametrize(
    "entry",
    [
        {},
        None,
        run("github"),
        run("./github-mcp-server", "stdio"),
        run("bin/github-mcp-server", "stdio"),
        run("${workspaceFolder}/github-mcp-server", "stdio"),
        run("node", "dist/index.js"),
        run("node", "node_modules/.bin/playwright-mcp"),
        run("python", "server.py", "-m", "mcp_server_git"),
        run("uv", "run", "server.py"),
        run("uv", "run", "mcp-server-git.py"),
        run("uv", "sync"),
        run("npx"),
        run("npx", "-y"),
        run("npx", "playwright-mcp"),
        run("npx", "-y", "@someone/playwright-mcp"),
        run("npx", "-y", "@playwright/mcp-fork"),
        run("npx", "-y", "./node_modules/@playwright/mcp"),
        run("npx", "-y", "github:microsoft/playwright-mcp"),
        run("npx", "-p", "@playwright/mcp", "-p", "@upstash/context7-mcp", "x"),
        run("npx", "-y", "@smithery/cli", "run", "@modelcontextprotocol/server-github"),
        run("npm", "run", "mcp-server-git"),
        run("yarn", "mcp-server-git"),
        run("bash", "-c", "npx -y @playwright/mcp && other"),
        run("bash", "start.sh"),
        run("docker", "compose", "run", "mcp/git"),
        run("docker", "exec", "-i", "mcp/git"),
        run("docker", "mcp", "gateway", "run"),
        docker("--entrypoint", "node", "mcp/git", "x.js"),
        docker("ghcr.io/someone/github-mcp-server"),
        docker("node:20", "npx", "@playwright/mcp"),
        run("go", "run", "./cmd/github-mcp-server"),
        {"url": "https://api.githubcopilot.com/mcp2"},
        {"url": "https://api.githubcopilot.com/"},
        {"url": "https://example.com/api.githubcopilot.com/mcp"},
        {"url": "https://api.githubcopilot.com.example.com/mcp"},
        {"url": "http://localhost:8931/mcp"},
        {"url": "ftp://api.githubcopilot.com/mcp"},
        {"url": "http://["},
        {"command": "npx", "args": ["-y", "@playwright/mcp"], "url": "https://mcp.context7.com/mcp"},
        {"source": "extension", "settings": {}},
    ],
)
def test_what_is_not_recognised_is_not_known(entry: object) -> None:
    known = catalogue(github=entry)
    assert known.tools_of("github") is None
    assert known.renamed("github", "get_issue") is None
    assert list(known.all_known()) == []
    assert known.names() == ("github",)


def test_a_bridge_is_the_server_behind_it() -> None:
    known = catalogue(docs=npx("mcp-remote", "https://mcp.context7.com/mcp"), other=npx("mcp-remote", "https://h/mcp"))
    tools = known.tools_of("docs")
    assert tools is not None
    assert [tool.name for tool in tools] == ["query-docs", "resolve-library-id"]
    assert known.tools_of("other") is None


@pytest.mark.parametrize(
    ("entry", "count"),
    [
        (npx("@playwright/mcp", "--headless"), 25),
        (npx("@playwright/mcp", "--headless", env={"DEBUG": "1"}), 25),
        (npx("@playwright/mcp", "--caps", "pdf"), 71),
        (npx("@playwright/mcp", "--config", "x.json"), 71),
        (npx("@playwright/mcp", env={"PLAYWRIGHT_MCP_CAPS": "pdf"}), 71),
        (docker("-e", "PLAYWRIGHT_MCP_CAPS=pdf", "mcr.microsoft.com/playwright/mcp"), 71),
        ({"url": "https://api.githubcopilot.com/mcp/"}, 127),
        ({"url": "https://api.githubcopilot.com/mcp/x/issues/readonly"}, 127),
        ({"url": "https://api.githubcopilot.com/mcp/insiders"}, None),
        ({"url": "https://api.githubcopilot.com/mcp/x/experiments"}, None),
        (run("github-mcp-server", "stdio", "--toolsets", "all"), 117),
        (run("github-mcp-server", "stdio", "--dynamic-toolsets"), None),
        (run("github-mcp-server", "stdio", "--features=x"), None),
        (npx("chrome-devtools-mcp", "--headless=true"), 32),
        (npx("chrome-devtools-mcp", "--categoryExtensions"), None),
        (npx("chrome-devtools-mcp", "--experimental-vision"), None),
        (npx("chrome-devtools-mcp", "--slim"), None),
    ],
)
def test_options_decide_which_tools_there_are(entry: object, count: int | None) -> None:
    tools = catalogue(mine=entry).tools_of("mine")
    assert (None if tools is None else len(tools)) == count


def test_a_list_that_is_not_whole_still_suggests_and_renames() -> None:
    known = catalogue(gh={"url": "https://api.githubcopilot.com/mcp/insiders"})
    assert known.tools_of("gh") is None
    assert known.renamed("gh", "get_issue") == "issue_read"
    assert ("gh/issue_read", KnownTool("issue_read", read_only=True)) in list(known.all_known())


def test_every_known_tool_has_its_canonical_name() -> None:
    known = catalogue(**{"my time": LAUNCHES["time"], "none": {}, "a/b": LAUNCHES["fetch"]})
    assert list(known.all_known()) == [
        ("my time/convert_time", KnownTool("convert_time", read_only=True)),
        ("my time/get_current_time", KnownTool("get_current_time", read_only=True)),
        ("a/b/fetch", KnownTool("fetch", read_only=True)),
    ]


def test_one_name_in_two_files_has_the_tools_of_both() -> None:
    both = [server("x", LAUNCHES["time"]), server("x", LAUNCHES["fetch"], "opencode.json")]
    known = Catalogue.of(both)
    tools = known.tools_of("x")
    assert tools is not None
    assert [tool.name for tool in tools] == ["convert_time", "fetch", "get_current_time"]
    assert known.servers() == tuple(both)
    assert known.server("x") == both[0]
    assert known.names() == ("x",)


def test_one_name_with_an_unknown_server_beside_it_is_not_all_known() -> None:
    known = Catalogue.of([server("x", LAUNCHES["time"]), server("x", run("./mine"), "opencode.json")])
    assert known.tools_of("x") is None
    assert known.tool("x", "convert_time") == KnownTool("convert_time", read_only=True)


def test_a_disabled_server_is_known() -> None:
    assert catalogue(x={**LAUNCHES["time"], "disabled": True}).tools_of("x") is not None


def test_names_are_exact() -> None:
    known = catalogue(GitHub=LAUNCHES["github"])
    assert known.server("github") is None
    assert known.tools_of("github") is None
    assert known.server("GitHub") is not None


def test_tools_that_were_learnt_count_before_the_table() -> None:
    learnt = learnt_by_name({"gh": [KnownTool("b"), KnownTool("a", read_only=True)], "own": [KnownTool("c")]})
    servers = [server("gh", LAUNCHES["github"]), server("own", run("./own"))]
    known = Catalogue.of(servers, learnt(servers))
    assert known.tools_of("gh") == (KnownTool("a", read_only=True), KnownTool("b"))
    assert known.tools_of("own") == (KnownTool("c"),)
    assert known.renamed("gh", "get_issue") is None
    told = known.known("own")
    assert told is not None
    assert (told.title, told.asked) == ("own", ASKED)


def test_a_list_that_was_cut_off_proves_no_absence() -> None:
    servers = [server("own", run("./own"))]
    known = Catalogue.of(servers, learnt_by_name({"own": [KnownTool("c")]}, whole=False)(servers))
    assert (known.tools_of("own"), known.tool("own", "c")) == (None, KnownTool("c"))


def test_what_another_command_said_counts_for_nothing_and_is_told() -> None:
    learnt = learnt_by_name({"own": [KnownTool("c")], "time": [KnownTool("c")]})
    asked = learnt([server("own", run("./own", "--a")), server("time", run("./time"))])
    known = Catalogue.of([server("own", run("./own", "--b")), server("time", LAUNCHES["time"])], asked)
    assert (known.known("own"), known.is_stale("own")) == (None, True)
    assert (len(known.tools_of("time") or ()), known.is_stale("time")) == (COUNTS["time"], True)
    assert (known.is_stale("other"), Catalogue.of(known.servers()).is_stale("own")) == (False, False)


def test_a_server_of_two_files_is_whole_only_if_both_are() -> None:
    first, second = server("own", run("./own")), server("own", run("./other"), "mcp.json")
    learnt = learnt_by_name({"own": [KnownTool("c")]})
    assert Catalogue.of([first, second], learnt([first])).tools_of("own") is None
    assert Catalogue.of([first, second], learnt([first, second])).tools_of("own") == (KnownTool("c"),)
