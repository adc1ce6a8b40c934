from __future__ import annotations

import itertools
import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules_lsp.policy.model import Entry, ListName
from rules_lsp.policy.tools.lists import (
    AllowingList,
    DenyingList,
    argument_form,
    entry_problem,
    invalid_name,
    known_servers,
    readings_for_allowing,
    readings_for_denying,
    split_name,
)
from rules_lsp.policy.tools.names import fold
from rules_lsp.policy.tools.patterns import Wildcard
from rules_lsp.source.text import Span


def entries(name: ListName, *texts: str) -> list[Entry]:
    return [Entry(text, Span(0, len(text)), name, index) for index, text in enumerate(texts)]


def denies(texts: list[str], name: str) -> bool:
    return DenyingList(entries("denied_tools", *texts)).first(name) is not None


def allows(texts: list[str], name: str, servers: tuple[str, ...] = ()) -> bool:
    listed = entries("allowed_tools", *texts)
    return AllowingList(listed, known_servers(servers, listed)).first(name) is not None


@pytest.mark.parametrize(
    "name",
    [
        "Bash",
        "mcp__github__get_issue",
        "mcp:jira:get",
        "a.b",
        "github/get_issue",
        "Azure MCP/documentation",
        "a/b/c",
        "サーバ/get_issue",
        "gіthub/get_issue",
        "🛡️ guard/scan",
        "srv/" + "t" * 128,
        "t" * 256,
        "s" * 510 + "/t",
        "srv/" + ".-_",
    ],
)
def test_names_of_tools(name: str) -> None:
    assert invalid_name(name) is None


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("", "empty"),
        (None, "text"),
        (7, "text"),
        (b"Bash", "text"),
        (["Bash"], "text"),
        ("github/get issue", "after the last `/`"),
        ("github/get_issue\n", "control character (U+000A)"),
        ("Bash\x00", "control character (U+0000)"),
        ("github/get\u200b_issue", "invisible character (U+200B)"),
        ("g\u200bithub/get_issue", "invisible character (U+200B)"),
        ("g\u202eithub/get_issue", "invisible character (U+202E)"),
        ("g\u3164ithub/get_issue", "invisible character (U+3164)"),
        ("g\u034fithub/get_issue", "invisible character (U+034F)"),
        ("Azure\u00a0MCP/list", "unusual white space (U+00A0)"),
        ("Azure\u2028MCP/list", "unusual white space (U+2028)"),
        ("g\ud800ithub/get_issue", "half of a surrogate pair (U+D800)"),
        ("Bash\udfff", "half of a surrogate pair (U+DFFF)"),
        ("github/getіssue", "after the last `/`"),
        ("srv/geté", "after the last `/`"),
        ("srv/a:b", "after the last `/`"),
        ("srv/" + "t" * 129, "after the last `/`"),
        ("Bash(ls)", "built-in"),
        ("café", "built-in"),
        ("a b", "built-in"),
        ("github/", "after the last `/`"),
        ("/get_issue", "must not be empty"),
        ("github//get_issue", "begin or end with `/`"),
        ("/srv/get_issue", "begin or end with `/`"),
        (" github/get_issue", "white space"),
        ("Bash ", "white space"),
        ("github /get_issue", "white space"),
        ("a" * 257, "longer than 256"),
        ("a" * 511 + "/b", "longer than 512"),
    ],
)
def test_names_of_no_tools(name: object, part: str) -> None:
    problem = invalid_name(name)
    assert problem is not None
    assert part in problem


def test_split_at_the_last_slash() -> None:
    assert split_name("Bash") == (None, "Bash")
    assert split_name("a/b") == ("a", "b")
    assert split_name("a/b/c") == ("a/b", "c")


def test_readings_for_denying() -> None:
    assert readings_for_denying("a/b_c") == (("a", "b_c"),)
    assert readings_for_denying("Bash") == ((None, "Bash"),)
    assert set(readings_for_denying("a_b.c")) == {(None, "a_b.c"), ("a", "b.c"), ("a_b", "c")}
    assert set(readings_for_denying("mcp:a:b")) == {(None, "mcp:a:b"), ("mcp", "a:b"), ("mcp:a", "b"), ("a", "b")}
    assert ("db", "query") in readings_for_denying("mcp__plugin_my-plugin_db__query")
    assert ("b_c", "d__e") in readings_for_denying("mcp__plugin_a_b_c__d__e")
    assert ("c__d", "e") in readings_for_denying("mcp__plugin_a_b_c__d__e")
    assert ("A", "B") in readings_for_denying("MCP__A__B")
    assert readings_for_denying("_a_") == ((None, "_a_"),)


@pytest.mark.parametrize(
    ("name", "known", "readings"),
    [
        ("a/b__c", (), [("a", "b__c")]),
        ("Bash", (), []),
        ("a.b", (), []),
        ("a.b", ("a",), [("a", "b")]),
        ("A.b", ("a",), [("A", "b")]),
        ("mcp__a__b__c", ("a", "a__b"), [("a", "b__c"), ("a__b", "c")]),
        ("mcp__a__b__c", ("a__b",), [("a__b", "c")]),
        ("mcp__a__b__c", (), [("a", "b__c"), ("a__b", "c")]),
        ("mcp__a_b", ("a",), []),
        ("mcp__a__b", ("mcp",), [("mcp", "a__b")]),
        ("mcp_a_b", ("a",), [("a", "b")]),
        ("mcp:a:b", ("a",), [("a", "b")]),
        ("mcp:a_b", ("a",), []),
        ("a___b", ("a", "a_"), []),
        ("a__b", ("a",), [("a", "b")]),
        ("mcp__a___b", (), []),
        ("mcp__a___b__c", (), []),
        ("mcp__plugin_acme_db__query", ("db",), [("plugin_acme_db", "query")]),
        ("a:b:c", ("a",), []),
    ],
)
def test_readings_for_allowing(name: str, known: tuple[str, ...], readings: list[tuple[str, str]]) -> None:
    assert sorted(readings_for_allowing(name, frozenset(known))) == sorted(readings)


@pytest.mark.parametrize(
    "text",
    [
        "*",
        "*/*",
        "Bash",
        "Bash*",
        "github/*",
        "github/get_?",
        "*/delete_*",
        "Azure MCP/documentation",
        "github/github-mcp-server/*",
        "mcp__github__delete_file",
        "mcp__github__*",
        "a.b",
        "mcp:a:b",
        "Bash(git push:*)",
        "Read(/etc/**)",
        "Edit()",
        "github/get_issue(owner:x)",
        "サーバ/get",
        "srv (beta)/get",
    ],
)
def test_entries_that_can_be_read(text: str) -> None:
    assert entry_problem(text, denying=True) is None
    assert entry_problem(text, denying=False) is None


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "must not be empty"),
        ("  ", "must not be empty"),
        ("Write files", "is no tool name: write `server/tool`"),
        ("a, b", "is no tool name"),
        ("!Bash", "is no tool name"),
        ("~/x y", "the tool `x y` may hold"),
        ("github/get issue", "the tool `get issue` may hold"),
        ("github/getіssue", "the tool `getіssue` may hold"),
        ("github/", "write `github/*`"),
        ("/get_issue", "there is no server"),
        ("github//get", "begins or ends with white space or `/`"),
        (" github/get", "write `github/get`"),
        ("github/get ", "write `github/get`"),
        ("Bash(ls", "is no tool name"),
        ("(ls)", "is no tool name"),
        ("git\u200bhub/get", "invisible character (U+200B)"),
        ("a\nb", "control character (U+000A)"),
        ("a\ud800", "half of a surrogate pair"),
        ("srv/" + "t" * 129, "longer than 128"),
        ("t" * 257, "longer than 256"),
        ("s" * 511 + "/t", "longer than 512"),
    ],
)
def test_entries_that_cannot_be_read(text: str, part: str) -> None:
    for denying in (True, False):
        problem = entry_problem(text, denying)
        assert problem is not None
        assert part in problem


def test_full_width_letters_are_read_in_denying_entries_alone() -> None:
    assert entry_problem("Ｂash", denying=True) is None
    assert entry_problem("Ｂash", denying=False) is not None
    assert entry_problem("srv/ｇet", denying=True) is None
    assert entry_problem("srv/ｇet", denying=False) is not None


def test_argument_form() -> None:
    assert argument_form("Bash(git push:*)") == "Bash"
    assert argument_form("Edit()") == "Edit"
    assert argument_form("Bash (x)") == "Bash"
    assert argument_form("Bash(echo (x))") == "Bash"
    assert argument_form("Read(/etc/a b)") == "Read"
    assert argument_form("srv(beta)/get it") is None
    assert argument_form("Bash") is None
    assert argument_form("srv (beta)/get") is None
    assert argument_form("Bash(ls") is None
    assert argument_form("(ls)") is None


DENIED = [
    (["github/delete_file"], "github/delete_file", True),
    (["github/delete_file"], "github/delete_files", False),
    (["github/delete_file"], "github/delete", False),
    (["github/delete_file"], "gitlab/delete_file", False),
    (["github/delete_file"], "delete_file", False),
    (["github/delete_file"], "GitHub/Delete_File", True),
    (["github/delete_file"], "ｇithub/delete_file", True),
    (["github/delete_file"], "gіthub/delete_file", False),
    (["github/delete_file"], "mcp__github__delete_file", True),
    (["github/delete_file"], "MCP__GitHub__delete_file", True),
    (["github/delete_file"], "mcp__github__get_issue", False),
    (["github/delete_file"], "mcp__gitlab__delete_file", False),
    (["ｇithub/delete_file"], "github/delete_file", True),
    (["ｇithub/delete_file"], "github/get_issue", False),
    (["github／delete_file"], "github/delete_file", True),
    (["🛡\ufe0f guard/scan"], "🛡 guard/scan", True),
    (["github/*", "*/delete_*"], "github/get_issue", True),
    (["github/*", "*/delete_*"], "gitlab/delete_issue", True),
    (["github/*", "*/delete_*"], "gitlab/get_issue", False),
    (["github/*", "*/delete_*"], "gitlab/undelete_issue", False),
    (["github/*", "*/delete_*"], "gh/x", False),
    (["*/*"], "Bash", False),
    (["*/B?sh"], "Bash", False),
    (["*/*"], "github/x", True),
    (["*"], "Bash", True),
    (["*"], "a/b/c", True),
    (["*/delete_repo"], "org/team/srv/delete_repo", True),
    (["org/*"], "org/team/get", False),
    (["org/*/get"], "org/team/srv/get", True),
    (["github"], "github/get_issue", True),
    (["github"], "github", True),
    (["github"], "mcp__github__get_issue", True),
    (["github"], "github2/get_issue", False),
    (["github"], "gith/x", False),
    (["github"], "github/github-mcp-server/get", False),
    (["delete_file"], "delete_file", True),
    (["delete_file"], "github/delete_file", True),
    (["delete_file"], "a/b/delete_file", True),
    (["delete_file"], "mcp__files__delete_file", True),
    (["delete_file"], "Delete_File", True),
    (["delete_file"], "github/delete_files", False),
    (["delete_file"], "github/get_file", False),
    (["delete_*"], "github/delete_x", True),
    (["delete_*"], "delete_x", True),
    (["delete_*"], "github/undelete_x", False),
    (["db/query"], "mcp__plugin_my-plugin_db__query", True),
    (["db/query"], "mcp__plugin_my-plugin_db__list", False),
    (["db/query"], "mcp__plugin_my-plugin_web__query", False),
    (["mcp__plugin_my-plugin_db__query"], "db/query", True),
    (["jira/delete_issue"], "jira.delete_issue", True),
    (["jira/delete_issue"], "mcp:jira:delete_issue", True),
    (["jira/delete_issue"], "jira:delete_issue", True),
    (["jira/delete_issue"], "mcp_jira_delete_issue", True),
    (["jira/delete_issue"], "jira__delete_issue", True),
    (["jira/delete_issue"], "Jira_Delete_Issue", True),
    (["jira/delete_issue"], "jira-delete_issue", True),
    (["jira/delete_issue"], "jira_get_issue", False),
    (["jira/delete_issue"], "jira.get_issue", False),
    (["*/delete_issue"], "mcp:other:delete_issue", True),
    (["*/delete_issue"], "x.delete_issue", True),
    (["*/delete_issue"], "undelete_issue", False),
    (["*/delete_issue"], "jira-get_issue", False),
    (["mcp__github__delete_file"], "github/delete_file", True),
    (["mcp__github__delete_file"], "github-delete_file", True),
    (["mcp__github__delete_file"], "github/get_issue", False),
    (["mcp__github__*"], "github/get_issue", True),
    (["mcp__github__*"], "gitlab/get_issue", False),
    (["mcp__git*"], "github/get_issue", True),
    (["mcp__git*"], "jira/get_issue", False),
    (["mcp__*"], "jira/get_issue", True),
    (["mcp__*"], "Bash", False),
    (["mcp__*__delete_*"], "jira/delete_issue", True),
    (["mcp__*__delete_*"], "jira/get_issue", False),
    (["mcp?github?delete_file"], "github/delete_file", True),
    (["mcp?github?delete_file"], "github/get_file", False),
    (["mcp*delete_file"], "github/delete_file", True),
    (["Bash(git push:*)"], "Bash", True),
    (["Bash(git push:*)"], "Write", False),
    (["mcp__github__get_me(x)"], "github/get_me", True),
    (["srv (beta)/get(x)"], "srv (beta)/get", True),
    (["srv (beta)/get(x)"], "srv (beta)/put", False),
    (["Bash (cat a/b (c))"], "Bash", True),
    (["Azure MCP/storage"], "mcp__Azure_MCP__storage", True),
    (["Azure MCP/storage"], "Azure_MCP/storage", False),
    (["Azure MCP/storage"], "mcp__Azure_MCP__list", False),
    (["github/github-mcp-server/get_issue"], "mcp__github_github-mcp-server__get_issue", True),
    (["サーバ/get"], "mcp_______get", True),
    (["github/get_me, github/get_file"], "github/get_me", True),
    (["github/get_me, github/get_file"], "github/get_file", True),
    (["github/get_me, github/get_file"], "github/get_issue", False),
]


@pytest.mark.parametrize(("texts", "name", "denied"), DENIED)
def test_denying(texts: list[str], name: str, denied: bool) -> None:
    assert invalid_name(name) is None
    assert denies(texts, name) is denied


ALLOWED: list[tuple[list[str], tuple[str, ...], str, bool]] = [
    (["github/get_issue", "Bash"], (), "github/get_issue", True),
    (["github/get_issue", "Bash"], (), "GITHUB/get_issue", False),
    (["github/get_issue", "Bash"], (), "bash", False),
    (["github/get_issue", "Bash"], (), "Bash/x", False),
    (["github/get_issue", "Bash"], (), "x/Bash", False),
    (["github/get_issue", "Bash"], (), "x_Bash", False),
    (["github/get_issue", "Bash"], (), "Bash", True),
    (["github/get_issue"], (), "mcp__github__get_issue", True),
    (["github/get_issue"], (), "mcp__github__delete_file", False),
    (["a/*"], ("a", "a__b"), "mcp__a__b__c", False),
    (["a/*"], ("a", "a__b"), "a/b__c", True),
    (["a/*"], ("a", "a__b"), "a__b/c", False),
    (["a/*"], ("a", "a__b"), "mcp__a__x", True),
    (["a/*"], (), "a/b/c", False),
    (["a/*"], (), "a/bc", True),
    (["*/*"], (), "github/get_issue", True),
    (["*/*"], (), "mcp__foo__bar", True),
    (["*/*"], (), "foo.bar", False),
    (["*/*"], (), "Bash", False),
    (["*"], (), "Bash", True),
    (["*"], (), "a/b/get_issue", True),
    (["*"], (), "mcp__github__get_issue", True),
    (["*"], (), "foo.bar", True),
    (["github/github-mcp-server/*", "Azure MCP/documentation"], (), "github/github-mcp-server/get_issue", True),
    (["github/github-mcp-server/*", "Azure MCP/documentation"], (), "Azure MCP/documentation", True),
    (["github/github-mcp-server/*", "Azure MCP/documentation"], (), "Azure MCP/storage", False),
    (["github/github-mcp-server/*", "Azure MCP/documentation"], (), "github/get_issue", False),
    (["github/github-mcp-server/*", "Azure MCP/documentation"], (), "Azure/documentation", False),
    (["jira/get_issue"], ("jira",), "jira.get_issue", True),
    (["jira/get_issue"], ("jira",), "mcp:jira:get_issue", True),
    (["jira/get_issue"], ("jira",), "jira_get_issue", True),
    (["jira/get_issue"], ("jira",), "jira-get_issue", True),
    (["jira/get_issue"], ("jira",), "jira__get_issue", True),
    (["jira/get_issue"], ("jira",), "jira.del_issue", False),
    (["jira/get_issue"], ("jira",), "jyra.get_issue", False),
    (["jira/get_issue"], ("jira",), "get_issue", False),
    (["jira/get_issue"], ("jira",), "JIRA.get_issue", False),
    (["jira/get_issue"], ("jira", "jira_get"), "jira_get_issue", False),
    (["*/c"], (), "mcp__a___b__c", False),
    (["mcp__github__get_issue", "db/query", "plugin_acme_web/get"], (), "mcp__github__get_issue", True),
    (["mcp__github__get_issue", "db/query", "plugin_acme_web/get"], (), "github/get_issue", False),
    (["mcp__github__get_issue", "db/query", "plugin_acme_web/get"], (), "mcp__github__get_issues", False),
    (["mcp__github__get_issue", "db/query", "plugin_acme_web/get"], (), "github.get_issue", False),
    (["mcp__github__get_issue", "db/query", "plugin_acme_web/get"], (), "mcp__plugin_acme_db__query", False),
    (["mcp__github__get_issue", "db/query", "plugin_acme_web/get"], (), "mcp__db__query", True),
    (["mcp__github__get_issue", "db/query", "plugin_acme_web/get"], (), "db.query", True),
    (["mcp__github__get_issue", "db/query", "plugin_acme_web/get"], (), "mcp__plugin_acme_web__get", True),
    (["mcp__github__*"], ("github",), "mcp__github__get_issue", True),
    (["mcp__a__*"], ("a", "a__b"), "mcp__a__b__c", False),
    (["mcp__a__*"], (), "mcp__a__b__c", False),
    (["*_file"], (), "read_file", True),
    (["*_file"], ("evil",), "evil_delete_file", False),
    (["jira_*"], ("jira",), "jira_get_issue", True),
    (["Read*"], (), "ReadNotebook", True),
    (["Read*"], (), "srv/ReadNotebook", False),
    (["m*"], (), "mcp__a__b", False),
    (["WebFetch(domain:example.org)", "Edit()"], (), "WebFetch", False),
    (["WebFetch(domain:example.org)", "Edit()"], (), "Edit", False),
    (["Ｂash"], (), "Bash", False),
    (["mcp__a__x/*", "a/*"], (), "mcp__a__x-t", True),
    (["mcp__a__x/u", "a/*"], (), "mcp__a__x-t", False),
]


@pytest.mark.parametrize(("texts", "servers", "name", "allowed"), ALLOWED)
def test_allowing(texts: list[str], servers: tuple[str, ...], name: str, allowed: bool) -> None:
    assert invalid_name(name) is None
    assert allows(texts, name, servers) is allowed


def test_servers_of_other_lists_are_known() -> None:
    denied = entries("denied_tools", "jira/delete_issue")
    allowing = AllowingList(entries("allowed_tools", "*/get_issue"), known_servers((), denied))
    assert allowing.first("jira.get_issue") is not None
    assert allowing.first("jyra.get_issue") is None


def test_known_servers() -> None:
    listed = entries("denied_tools", "Jira/get", "*/x", "Bash", "a/b/c", "broken/get it", "x(y)")
    assert known_servers(["GitHub"], listed) == {"github", "jira", "a/b"}


def test_first_and_all_in_the_order_of_the_list() -> None:
    listed = entries("denied_tools", "*/delete_*", "github/get_me", "delete_file", "github/*")
    denying = DenyingList(listed)
    assert denying.all("github/delete_file") == (listed[0], listed[2], listed[3])
    assert denying.first("github/delete_file") is listed[0]
    assert denying.all("gitlab/get_me") == ()
    allowed = entries("allowed_tools", "github/*", "github/get_me", "*")
    allowing = AllowingList(allowed, frozenset({"github"}))
    assert allowing.first("mcp__github__get_me") is allowed[0]
    assert allowing.first("Bash") is allowed[2]


def test_broken_entries_are_passed_over() -> None:
    broken = Entry("Bash", Span(0, 4), "denied_tools", 0, "some reason")
    assert DenyingList([broken]).first("Bash") is None
    assert AllowingList([broken], frozenset()).first("Bash") is None


def test_many_exact_entries_are_found_without_trying_each(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = entries("denied_tools", *(f"server{index}/tool" for index in range(10_000)))
    denying = DenyingList(listed)
    tried: list[str] = []
    monkeypatch.setattr(Wildcard, "matches", lambda self, text: tried.append(text))
    assert denying.first("mcp__server9999__tool") is listed[9999]
    assert denying.first("mcp__server10000__tool") is None
    assert tried == []


def matches_slowly(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "*":
        return any(matches_slowly(pattern[1:], text[at:]) for at in range(len(text) + 1))
    return bool(text) and pattern[0] in ("?", text[0]) and matches_slowly(pattern[1:], text[1:])


@given(st.text("ab*?", max_size=7), st.text("ab", max_size=8))
def test_wildcards_match_as_defined(pattern: str, text: str) -> None:
    assert Wildcard(pattern).matches(text) is matches_slowly(pattern, text)


def test_hostile_wildcards_end() -> None:
    assert Wildcard("*a" * 200 + "*b").matches("a" * 512) is False
    assert Wildcard("*a" * 200 + "*b").matches("a" * 511 + "b") is True
    assert Wildcard("*?a" * 100 + "*b").matches("a" * 512) is False


SPELLINGS = [
    "mcp__{}__{}",
    "mcp__plugin_some-plugin_{}__{}",
    "mcp__plugin_a_b_{}__{}",
    "{}.{}",
    "mcp:{}:{}",
    "{}:{}",
    "mcp_{}_{}",
    "{}__{}",
    "{}-{}",
    "{}_{}",
]
LETTERS = string.ascii_letters + string.digits
servers_of_hosts = st.text(LETTERS + "_.:-", min_size=1, max_size=20)
tools_of_hosts = st.text(LETTERS + "_.-", min_size=1, max_size=20)
# Few letters and many separators, so that borders fall together.
knotted_servers = st.lists(st.sampled_from(["a", "b", "mcp", "_", "__", "-"]), min_size=1, max_size=5).map("".join)
knotted_tools = st.lists(st.sampled_from(["a", "b", "mcp", "_", "__", "-"]), min_size=1, max_size=5).map("".join)


@given(servers_of_hosts | knotted_servers, tools_of_hosts | knotted_tools, st.sampled_from(SPELLINGS))
def test_denying_a_tool_denies_every_spelling_of_it(server: str, tool: str, spelling: str) -> None:
    name = spelling.format(server, tool)
    for entry in (f"{server}/{tool}", f"{server}/*", f"*/{tool}", f"{server[:1]}*/{tool[:1]}*", tool):
        assert denies([entry], name)
        assert denies([entry.upper()], name)
        assert denies([entry], name.upper())


@given(knotted_servers, knotted_tools, st.sampled_from(SPELLINGS), st.sampled_from(SPELLINGS))
def test_denying_one_spelling_denies_every_other(server: str, tool: str, written: str, asked: str) -> None:
    entry = written.format(server, tool)
    assert denies([entry], f"{server}/{tool}")
    assert denies([entry], asked.format(server, tool))


clean = st.from_regex(r"[ab](?:[ab_-]{0,5}[ab])?", fullmatch=True)
exact_spellings = [spelling for spelling in SPELLINGS if "plugin" not in spelling]


@given(st.lists(st.tuples(clean, clean), min_size=1, max_size=4), clean, clean, st.sampled_from(exact_spellings))
def test_no_spelling_of_a_tool_that_is_not_allowed_is_allowed(
    allowed: list[tuple[str, str]], server: str, tool: str, spelling: str
) -> None:
    assume((server, tool) not in allowed)
    texts = [f"{one}/{other}" for one, other in allowed]
    name = spelling.format(server, tool)
    # Of two tools that share a spelling neither is allowed by it unless both are.
    configured = {server, *(one for one, _ in allowed)}
    assert not allows(texts, name, tuple(configured))
    assert not allows(texts, name.upper(), tuple(configured))


@given(st.lists(clean, min_size=1, max_size=3, unique=True), clean, clean, st.sampled_from(exact_spellings))
def test_no_server_vouches_for_another(vouching: list[str], server: str, tool: str, spelling: str) -> None:
    assume(server not in vouching)
    texts = [f"{name}/*" for name in vouching]
    assert not allows(texts, spelling.format(server, tool), (server, *vouching))


def test_servers_that_hold_separators_vouch_for_no_part_of_their_names() -> None:
    parts = ["a", "b", "mcp"]
    servers = [*parts, *("__".join(pair) for pair in itertools.product(parts, parts))]
    for vouching, asked in itertools.permutations(servers, 2):
        assert allows([f"{asked}/*"], f"{asked}/b", tuple(servers))
        assert not allows([f"{vouching}/*"], f"mcp__{asked}__b", tuple(servers))
        assert not allows([f"{vouching}/*"], f"{asked}__b", tuple(servers))


@given(st.text(max_size=20))
def test_any_text_is_answered(text: str) -> None:
    for denying in (True, False):
        problem = entry_problem(text, denying)
        assert problem is None or problem
    assert DenyingList(entries("denied_tools", text)).first("server/tool") in (None, *entries("denied_tools", text))
    if invalid_name(text) is None:
        assert denies([text], text)


@given(st.text(max_size=20))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
