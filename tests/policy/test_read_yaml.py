"""YAML rules: what each key and entry comes to, what is reported, and that no text makes the reader fail."""

from __future__ import annotations

import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules_lsp.policy.keys import TOP_LEVEL, meant_key
from rules_lsp.policy.model import Entry, Rules
from rules_lsp.policy.yaml.read_yaml import YamlRules, read_yaml
from rules_lsp.source.text import Text


def read(content: str) -> YamlRules:
    return read_yaml(Text(content))


def rules_in(content: str) -> Rules:
    found = read(content).rules
    assert found is not None
    return found


def lists(content: str) -> dict[str, list[list[str] | str]]:
    """The sound entries of each list by name; `broken` for a list that cannot be read as a whole."""
    found: dict[str, list[list[str] | str]] = {}
    for rules in rules_in(content).lists():
        texts = [entry.text for entry in rules.entries if entry.broken is None]
        found.setdefault(rules.name, []).append("broken" if rules.broken else texts)
    return found


def broken(content: str) -> list[str]:
    """The texts of broken entries."""
    return [entry.text for rules in rules_in(content).lists() for entry in rules.entries if entry.broken is not None]


def problems(content: str) -> list[tuple[str, str]]:
    """Each problem's code and the text at its place."""
    return [(problem.code, content[problem.span.start : problem.span.end]) for problem in read(content).problems]


WHOLE = """\
system_prompt_extension: |
  Be kind.
allowed_tools:
  - github/get_issue
  - "text/editor"   # a comment
denied_tools: ['Bash', mcp__x__y]
file_patterns:
  include:
  - src/**
  exclude:
    - '*.pem'
    - "a\\x20b"
    - >-
      folded
x-note: anything
x-unprotected: [config.yaml]
x-tool-paths:
  my/tool: ["files[].path", dir]
"""


def test_every_key_with_its_places() -> None:
    found = read(WHOLE)
    assert (found.error, found.problems) == (None, ())
    rules = found.rules
    assert rules is not None
    assert rules is found.shown
    assert rules.system_prompt_extension == "Be kind.\n"
    assert rules.unprotected == ("config.yaml",)
    assert dict(rules.tool_paths) == {"my/tool": ("files[].path", "dir")}
    named = [(r.name, WHOLE[r.span.start : r.span.end], [e.text for e in r.entries]) for r in rules.lists()]
    assert named == [
        ("allowed_tools", "allowed_tools", ["github/get_issue", "text/editor"]),
        ("denied_tools", "denied_tools", ["Bash", "mcp__x__y"]),
        ("file_patterns.include", "include", ["src/**"]),
        ("file_patterns.exclude", "exclude", ["*.pem", "a b", "folded"]),
    ]
    places = [WHOLE[e.span.start : e.span.end] for r in rules.lists() for e in r.entries]
    assert places == [
        "github/get_issue",
        "text/editor",
        "Bash",
        "mcp__x__y",
        "src/**",
        "*.pem",
        "a\\x20b",
        ">-\n      folded",
    ]


@pytest.mark.parametrize("content", ["", "\n", "# only a comment\n", "---\n", "--- ~\n", "null\n", "\ufeff"])
def test_an_empty_document_is_a_policy_without_rules(content: str) -> None:
    assert rules_in(content) == Rules()
    assert problems(content) == []


@pytest.mark.parametrize(
    ("content", "code", "at"),
    [
        ("denied_tools: [Bash\n", "syntax-error", "["),
        ("denied_tools: 'Bash\n", "syntax-error", "'"),
        ("denied_tools:\n\t- Bash\n", "tab-indentation", "\t"),
        ("denied_tools: [a]\n---\ndenied_tools: [b]\n", "multiple-documents", "---"),
        ("denied_tools: [a]\n...\ndenied_tools: [b]\n", "multiple-documents", "denied_tools: [b]"),
        ("- a\n- b\n", "wrong-type", "- a"),
        ("just a text\n", "wrong-type", "just a text"),
        ("allowed_tools\uff1a - a\n", "fullwidth-punctuation", "\uff1a"),
        ("x-b: &b {a: 1}\n<<: *b\n", "wrong-type", "<<"),
        ("x-b: &b {a: 1}\nfile_patterns:\n  <<: *b\n", "wrong-type", "<<"),
        ("x-b: &b {a: 1}\nfile_patterns: {exclude: {<<: *b}}\n", "wrong-type", "<<"),
        ("x-b: &b {a: 1}\nsomething: {deep: {<<: *b}}\n", "wrong-type", "<<"),
        ("x-b: &b {my/tool: [p]}\nx-tool-paths:\n  <<: *b\n", "wrong-type", "<<"),
        ("x-b: &b {a: 1}\nx-f: &f {<<: *b}\nfile_patterns: *f\n", "wrong-type", "<<"),
        ('x-b: &b {a: 1}\n!!merge "<<": *b\n', "wrong-type", "<<"),
        ("x-m: &m <<\nx-b: &b {a: 1}\n*m : *b\n", "wrong-type", "*m"),
        ("allowed_tools: *nowhere\n", "unquoted-glob", "*nowhere"),
        ("allowed_tools: [a\x00]\n", "syntax-error", "\x00"),
    ],
)
def test_what_does_not_parse(content: str, code: str, at: str) -> None:
    found = read(content)
    assert found.rules is None
    assert found.error is not None
    assert found.error in found.problems
    assert (found.error.code, content[found.error.span.start : found.error.span.end]) == (code, at)


@pytest.mark.parametrize(
    "content",
    [
        'x-b: &b {a: 1}\nx-c: {<<: *b}\n"<<": {}\n',
        "x-a: &a [Bash]\ndenied_tools: *a\n",
        "x-a: &a Bash\ndenied_tools: [*a]\n",
    ],
)
def test_the_neighbours_of_what_does_not_parse(content: str) -> None:
    assert read(content).error is None


def test_a_merge_key_below_an_unknown_extension_is_none_of_ours() -> None:
    assert lists("x-b: &b {a: 1}\nx-c: {<<: *b}\ndenied_tools: [Bash]\n") == {"denied_tools": [["Bash"]]}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("x-k: &k denied_tools\n*k : [Bash]\n", {"denied_tools": [["Bash"]]}),
        ("x-k: &k exclude\nfile_patterns:\n  *k : [a]\n", {"file_patterns.exclude": [["a"]]}),
        ("x-k: &k deny_tools\n*k : [Bash]\n", {"denied_tools": [["Bash"]]}),
        ("? denied_tools\n: [Bash]\n", {"denied_tools": [["Bash"]]}),
        ('"denied\\x5ftools": [Bash]\n', {"denied_tools": [["Bash"]]}),
        ("!!str denied_tools: [Bash]\n", {"denied_tools": [["Bash"]]}),
    ],
)
def test_a_key_counts_however_it_is_written(content: str, expected: dict[str, list[list[str]]]) -> None:
    assert lists(content) == expected


def test_a_key_that_is_no_text_is_reported() -> None:
    assert problems("[a, b]: c\ndenied_tools: [Bash]\n") == [("wrong-type", "[a, b]")]
    assert problems("? {a: b}\n: c\n") == [("wrong-type", "{a: b}")]


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("no", "no"),
        ("010", "010"),
        ("1.0", "1.0"),
        ("2024-01-01", "2024-01-01"),
        ("1:30", "1:30"),
        (".nan", ".nan"),
        ("0x1F", "0x1F"),
        ("TRUE", "TRUE"),
        ("null", "null"),
        ("1_000", "1_000"),
        ("y", "y"),
    ],
)
def test_an_entry_is_the_text_that_was_written(entry: str, text: str) -> None:
    content = f"file_patterns:\n  exclude:\n    - {entry}\n"
    assert lists(content) == {"file_patterns.exclude": [[text]]}
    assert problems(content) == [("ambiguous-scalar", entry)]
    quoted = f"file_patterns:\n  exclude:\n    - '{entry}'\n"
    assert lists(quoted) == {"file_patterns.exclude": [[text]]}
    assert problems(quoted) == []


@pytest.mark.parametrize("entry", ["none", "1.0.0", "v1", "2024-01", "nope", "0o9", "1e", "10a", "127.0.0.1"])
def test_an_ordinary_text_is_not_ambiguous(entry: str) -> None:
    assert problems(f"file_patterns:\n  exclude:\n    - {entry}\n") == []


@pytest.mark.parametrize(
    ("entry", "at"),
    [("-", "-"), ("- ~", "~"), ("- ''", "''"), ('- ""', '""'), ("- '  '", "'  '"), ("- !!str", "!!str")],
)
def test_an_empty_entry_is_skipped_with_a_warning(entry: str, at: str) -> None:
    content = f"denied_tools:\n  {entry}\n  - Bash\n"
    assert lists(content) == {"denied_tools": [["Bash"]]}
    assert problems(content) == [("null-value", at)]
    # What stays keeps the place that it has in the document.
    assert [entry.index for entry in rules_in(content).denied_tools[0].entries] == [1]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("github/get_issue: yes", "wrong-type"),
        ("[a, b]", "wrong-type"),
        ("{a,b}", "wrong-type"),
        ("- nested", "wrong-type"),
        ('"a\\nb"', "wrong-type"),
        ("a\n    b", "wrong-type"),
        ("|\n    a\n    b", "wrong-type"),
        ("!secret", "unquoted-glob"),
        ("!!int 1", "wrong-type"),
        ("!!binary QmFzaA==", "wrong-type"),
        ("!!python/name:os.system ''", "wrong-type"),
    ],
)
@pytest.mark.parametrize("key", ["denied_tools", "allowed_tools"])
def test_a_wrong_entry_is_kept_as_broken(key: str, entry: str, code: str) -> None:
    content = f"{key}:\n  - {entry}\n  - Bash\n"
    assert lists(content) == {key: [["Bash"]]}
    assert len(broken(content)) == 1
    assert [found for found, _ in problems(content)] == [code]


def test_a_list_inside_itself_is_broken() -> None:
    content = "denied_tools: &a [*a, Bash]\n"
    assert lists(content) == {"denied_tools": [["Bash"]]}
    assert broken(content) == ["*a"]


@pytest.mark.parametrize(
    ("content", "expected", "codes"),
    [
        ("denied_tools: Bash\n", [["Bash"]], ["scalar-for-list"]),
        ("denied_tools: no\n", [["no"]], ["scalar-for-list"]),
        ("denied_tools: 'Bash'\n", [["Bash"]], ["scalar-for-list"]),
        ("denied_tools: {Bash: yes}\n", ["broken"], ["wrong-type"]),
        ("denied_tools: |\n  - Bash\n", ["broken"], ["wrong-type"]),
        ("denied_tools: >-\n  Bash\n", ["broken"], ["wrong-type"]),
        ("denied_tools: Bash\n  Grep\n", ["broken"], ["wrong-type"]),
        ("denied_tools: ''\n", ["broken"], ["wrong-type"]),
        ("denied_tools: !!set {Bash}\n", ["broken"], ["wrong-type"]),
        ("denied_tools: !mine [Bash]\n", ["broken"], ["wrong-type"]),
        ("denied_tools: []\n", [[]], []),
    ],
)
def test_a_value_that_is_no_list(content: str, expected: list[list[str] | str], codes: list[str]) -> None:
    assert lists(content) == {"denied_tools": expected}
    assert [code for code, _ in problems(content)] == codes


@pytest.mark.parametrize("value", ["", " ~", " null", " Null", " NULL"])
@pytest.mark.parametrize("key", ["denied_tools", "allowed_tools", "file_patterns", "system_prompt_extension"])
def test_a_key_without_a_value_is_not_specified(key: str, value: str) -> None:
    content = f"{key}:{value}\n"
    assert lists(content) == {}
    assert problems(content) == [("null-value", key)]


@pytest.mark.parametrize("value", ["'null'", "nul", "!!null ''"])
def test_the_neighbours_of_null_are_specified(value: str) -> None:
    assert list(lists(f"denied_tools: {value}\n")) == ["denied_tools"]


def test_an_empty_list_is_specified() -> None:
    assert lists("allowed_tools: []\n") == {"allowed_tools": [[]]}
    assert problems("allowed_tools: []\n") == [("empty-list", "allowed_tools")]
    assert problems("file_patterns: {include: []}\n") == [("empty-list", "include")]
    assert problems("file_patterns: {exclude: []}\n") == []
    assert lists("file_patterns: {}\n") == {}


@pytest.mark.parametrize("value", ["[a]", "text", "'*.pem'", "3", "- a"])
def test_file_patterns_that_hold_no_keys_deny_all_files(value: str) -> None:
    value = f"\n  {value}" if value.startswith("-") else f" {value}"
    assert lists(f"file_patterns:{value}\n") == {"file_patterns.exclude": ["broken"]}


def test_a_key_that_stands_twice_counts_twice() -> None:
    content = "denied_tools: [a/b]\nallowed_tools: [c/d]\ndenied_tools: [e/f]\nallowed_tools: [g/h]\n"
    assert lists(content) == {"denied_tools": [["a/b"], ["e/f"]], "allowed_tools": [["c/d"], ["g/h"]]}
    assert problems(content) == [("duplicate-key", "denied_tools"), ("duplicate-key", "allowed_tools")]
    related = [(r.span.start, r.message) for problem in read(content).problems for r in problem.related]
    assert related == [(0, "`denied_tools` stands here first"), (20, "`allowed_tools` stands here first")]
    twice = "file_patterns: {exclude: [a]}\nfile_patterns: {exclude: [b], include: [c]}\n"
    assert lists(twice) == {"file_patterns.exclude": [["a"], ["b"]], "file_patterns.include": [["c"]]}


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("deny_tools", "denied_tools"),
        ("allow_tools", "allowed_tools"),
        ("DENIED-TOOLS", "denied_tools"),
        ("deniedTools", "denied_tools"),
        ("denied_tool", "denied_tools"),
        ("allowed-tools", "allowed_tools"),
        ("Allowed_Toolz", "allowed_tools"),
        ("exclude", "file_patterns.exclude"),
        ("Include", "file_patterns.include"),
    ],
)
def test_a_slip_is_reported_and_read_as_the_key_that_is_meant(key: str, meant: str) -> None:
    content = f"{key}: [Bash]\n"
    assert lists(content) == {meant: [["Bash"]]}
    assert problems(content) == [("unknown-key", key)]


@pytest.mark.parametrize("key", ["tools", "permissions", "deny", "allow", "patterns", "x", "", "<", "hooks"])
def test_another_key_is_reported_and_says_nothing(key: str) -> None:
    content = f"'{key}': [Bash]\n"
    assert lists(content) == {}
    assert problems(content) == [("unknown-key", key)]


@pytest.mark.parametrize(("key", "meant"), [("excludes", "exclude"), ("EXCLUDE", "exclude"), ("inlude", "include")])
def test_a_slip_below_file_patterns(key: str, meant: str) -> None:
    content = f"file_patterns:\n  {key}: [a]\n"
    assert lists(content) == {f"file_patterns.{meant}": [["a"]]}
    assert problems(content) == [("unknown-key", key)]


def test_protection_is_lifted_only_by_what_can_be_read() -> None:
    assert rules_in("x-unprotected: config.yaml\n").unprotected == ("config.yaml",)
    assert rules_in("x-unprotected: [config.yaml, ~]\n").unprotected == ("config.yaml",)
    for value in ("[!mine config.yaml]", "{config.yaml: yes}", "[[config.yaml]]", '["config.yaml\\n"]', "~"):
        assert rules_in(f"x-unprotected: {value}\n").unprotected == ()
    # It allows, so where it stands twice both must name the file.
    twice = "x-unprotected: [config.yaml, a]\nx-unprotected: [b, config.yaml]\n"
    assert rules_in(twice).unprotected == ("config.yaml",)
    assert problems(twice) == [("duplicate-key", "x-unprotected")]
    assert rules_in("x-unprotected: [a]\nx-unprotected: []\n").unprotected == ()


def test_tool_paths_that_cannot_be_read_are_never_dropped() -> None:
    assert lists("x-tool-paths: [my/tool]\n") == {"denied_tools": ["broken"]}
    assert lists("x-tool-paths: text\n") == {"denied_tools": ["broken"]}
    assert dict(rules_in("x-tool-paths: {a/b: p}\n").tool_paths) == {"a/b": ("p",)}
    # An empty argument path can be found in no call, so each call is refused.
    for value in ("[]", "~", "{p: q}", "[!mine p]"):
        assert dict(rules_in(f"x-tool-paths: {{a/b: {value}}}\n").tool_paths) == {"a/b": ("",)}
    assert dict(rules_in("x-tool-paths: {a/b: [p, [q]]}\n").tool_paths) == {"a/b": ("p", "")}
    assert dict(rules_in("x-tool-paths: {a/b: [p]}\nx-tool-paths: {a/b: [q]}\n").tool_paths) == {"a/b": ("p", "q")}


def test_sections_that_are_whole_stay_understood_beside_a_broken_one() -> None:
    content = "allowed_tools: [a/b]\nfile_patterns: {exclude: [x\ndenied_tools:\n  - Bash\n"
    found = read(content)
    assert found.rules is None
    assert [(r.name, [e.text for e in r.entries]) for r in found.shown.lists()] == [
        ("allowed_tools", ["a/b"]),
        ("denied_tools", ["Bash"]),
    ]


def test_aliases_are_followed_within_a_budget() -> None:
    few = "x-a: &a [a/b, c/d]\ndenied_tools: *a\nallowed_tools: *a\n"
    assert lists(few) == {"denied_tools": [["a/b", "c/d"]], "allowed_tools": [["a/b", "c/d"]]}
    bomb = "x-a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"x-{new}: &{new} [{','.join([f'*{old}'] * 10)}]\n"
        for old, new in zip(string.ascii_lowercase, string.ascii_lowercase[1:9], strict=False)
    )
    found = read(bomb + "denied_tools: *i\n")
    assert found.rules is None
    assert [problem.code for problem in found.problems] == ["alias-bomb"]


@pytest.mark.parametrize(
    "content",
    ["[" * 10_000 + "]" * 10_000, "[" * 50_000, "a: " + "{b: " * 10_000 + "}" * 10_000, "- " * 10_000 + "x"],
    ids=["flow", "unclosed", "mappings", "block"],
)
def test_deep_nesting_is_refused(content: str) -> None:
    found = read(content)
    assert found.rules is None
    assert found.error is not None
    assert found.error.code == "alias-bomb"


@pytest.mark.parametrize(
    "content",
    [
        "denied_tools:\n  - *" + " " * 200_000 + "x\n",
        "denied_tools:\n  - *x" + " #" * 100_000 + "\n",
        "- " * 200_000 + "*\n",
        "a: '" + "''" * 100_000 + "\n",
        'a: "' + "\\q" * 100_000 + '"\n',
        "`" * 200_000,
        "\t" * 200_000,
        "a: [" + "*," * 100_000,
        "a:\n" + " \t\n" * 60_000 + "*",
        "%" * 100_000 + "\n---\n---\n",
        "```" + " " * 200_000 + "```\n" * 100,
    ],
    ids=range(11),
)
def test_hostile_texts_are_read_in_linear_time(content: str) -> None:
    """A quadratic step would take minutes here, so the bound is generous and still tells the two apart."""
    import time

    started = time.process_time()
    read(content)
    assert time.process_time() - started < 20


def check(content: str) -> None:
    """What holds for every text: places inside it, an error with every refusal, sound plain entries as written."""
    found = read(content)
    assert (found.rules is None) == (found.error is not None)
    for problem in found.problems:
        assert problem.span.end <= len(content)
        assert all(related.span.end <= len(content) for related in problem.related)
        assert problem.message
        assert problem.message[-1] != "."
    entries: list[Entry] = []
    for rules in found.shown.lists():
        assert rules.span.end <= len(content)
        entries += rules.entries
    for entry in entries:
        assert entry.span.end <= len(content)
        written = content[entry.span.start : entry.span.end]
        around = content[max(0, entry.span.start - 1) : entry.span.end + 1]
        quoted = around[:1] in ("'", '"') and around[:1] == around[-1:]
        literal = not quoted or (around[0] == "'" and "'" not in written)
        # What was mended for an editor's eyes may differ from what is written.
        sound = found.rules is not None and entry.broken is None
        if sound and literal and written[:1] not in (">", "|"):
            assert written == entry.text
    assert found == read(content)


ALPHABET = "\t\n\r -:#[]{},'\"*&!|>%@`?~<.=/\\x0\ufeff\u00e9\u2028\u0085\U0001f600\ud800\x00"
PIECES = st.one_of(
    st.sampled_from(
        [
            "denied_tools",
            "file_patterns",
            "exclude",
            "include",
            "allowed_tools",
            "x-a",
            "<<",
            "- ",
            ": ",
            "\n  ",
            "&a ",
            "*a",
            "!t ",
            "---\n",
            "...",
            "'",
            '"',
            "```",
            "[",
            "]",
            "{",
            "}",
            "~",
            "null",
            "\r\n",
            "\\u",
            "# c",
        ]
    ),
    st.text(ALPHABET, max_size=3),
)
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), PIECES), min_size=1, max_size=6)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(EDITS)
def test_an_edited_rule_file_is_always_read(edits: list[tuple[float, int, str]]) -> None:
    content = WHOLE
    for place, removed, inserted in edits:
        at = int(place * len(content))
        content = content[:at] + inserted + content[at + removed :]
    check(content)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=30))
def test_any_text_is_read(pieces: list[str]) -> None:
    check("".join(pieces))


def test_a_rule_file_is_read_at_every_key_press() -> None:
    for length in range(len(WHOLE) + 1):
        check(WHOLE[:length])
        check(WHOLE[:length].replace("\n", "\r\n"))


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("disallowed_tools", "denied_tools"),
        ("DisallowedTools", "denied_tools"),
        ("unallowed_tools", "denied_tools"),
        ("not-allowed-tools", "denied_tools"),
        ("non_allow_tools", "denied_tools"),
        ("allow_tools", "allowed_tools"),
        ("nallowed_tools", "allowed_tools"),
        ("disabled_tools", None),
    ],
)
def test_a_key_that_negates_another_means_its_opposite(key: str, meant: str | None) -> None:
    assert meant_key(key, TOP_LEVEL) == meant
