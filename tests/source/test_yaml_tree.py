"""The YAML tree: every node at its exact place, faults where their author made them, bounds that hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_lsp.source.text import Position, Span, Text
from rules_lsp.source.yaml_compose import MAX_ALIASED_NODES, MAX_DEPTH
from rules_lsp.source.yaml_nodes import Alias, Mapping, Node, Scalar, Sequence, key_text, resolve
from rules_lsp.source.yaml_tree import YamlDocument, parse_yaml


def parse(content: str) -> YamlDocument:
    return parse_yaml(Text(content))


def root_of(content: str) -> Node:
    document = parse(content)
    assert document.error is None
    assert document.problems == ()
    assert document.root is not None
    assert document.partial is document.root
    return document.root


def nodes(node: Node | None) -> Iterator[Node]:
    """A node and all below it, aliases not followed."""
    if node is None:
        return
    yield node
    children = node.items if isinstance(node, Sequence) else ()
    if isinstance(node, Mapping):
        children = tuple(child for pair in node.pairs for child in pair)
    for child in children:
        yield from nodes(child)


def scalars(content: str) -> list[tuple[str, str, str, str]]:
    """Value, style, the text inside the quotes, the whole token: of each scalar of a sound document."""
    return [
        (
            node.value,
            node.style,
            content[node.span.start : node.span.end],
            content[node.token.start : node.token.end],
        )
        for node in nodes(root_of(content))
        if isinstance(node, Scalar)
    ]


@pytest.mark.parametrize(
    ("written", "value", "style", "inside"),
    [
        ("a", "a", "", "a"),
        ("a b # no", "a b", "", "a b"),
        ("a#b", "a#b", "", "a#b"),
        ("'a'", "a", "'", "a"),
        ("'it''s'", "it's", "'", "it''s"),
        ('"a\\tb"', "a\tb", '"', "a\\tb"),
        ('"\\U0001f600"', "\U0001f600", '"', "\\U0001f600"),
        ("''", "", "'", ""),
        ("no", "no", "", "no"),
        ("!!str a", "a", "", "a"),
        ("!!str 'a'", "a", "'", "a"),
        ("&x a", "a", "", "a"),
        ('&x !!str "a"', "a", '"', "a"),
        ("!<tag:yaml.org,2002:str> a", "a", "", "a"),
        ("\U0001f600\u0301", "\U0001f600\u0301", "", "\U0001f600\u0301"),
        ("'a\u2028b'", "a\u2028b", "'", "a\u2028b"),
        ("a\u00a0b", "a\u00a0b", "", "a\u00a0b"),
    ],
)
def test_a_scalar_at_its_place(written: str, value: str, style: str, inside: str) -> None:
    whole = written.removesuffix(" # no")
    assert scalars(f"- {written}\n") == [(value, style, inside, whole)]
    assert scalars(f"[x, {written.removesuffix(' # no')}, y]")[1] == (value, style, inside, whole)


@pytest.mark.parametrize(
    ("written", "value", "token"),
    [
        ("|\n  a\n  b\n", "a\nb\n", "|\n  a\n  b"),
        ("|-\n  a\n\n# comment\n", "a", "|-\n  a"),
        (">\n  a\n  b\n\n\n", "a b\n", ">\n  a\n  b"),
        ("|2-\n   a\n", " a", "|2-\n   a"),
        ("!!str |\n  a\n", "a\n", "!!str |\n  a"),
    ],
)
def test_a_block_of_text_ends_with_its_text(written: str, value: str, token: str) -> None:
    content = f"k: {written}n: x\n"
    found = scalars(content)[1]
    assert (found[0], found[3]) == (value, token)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("&a: b\n", [("", ""), ("b", "b")]),
        ("&a::\n", [(":", ":"), ("", "")]),
        ("k: !!str # why\n  v\n", [("k", "k"), ("v", "v")]),
        ("k: &a # why\n  'v'\n", [("k", "k"), ("v", "v")]),
        ("k: &a !!str v\n", [("k", "k"), ("v", "v")]),
    ],
)
def test_what_stands_before_a_scalar_is_no_part_of_its_place(content: str, found: list[tuple[str, str]]) -> None:
    assert [(value, inside) for value, _, inside, _ in scalars(content)] == found


def test_collections_end_where_their_last_child_does() -> None:
    content = "a:\n  - x\n  - y   # comment\n\n# more\nb: {c: d, e: [f, g ]}\n\n"
    found = [
        content[node.span.start : node.span.end] for node in nodes(root_of(content)) if not isinstance(node, Scalar)
    ]
    assert found == [
        "a:\n  - x\n  - y   # comment\n\n# more\nb: {c: d, e: [f, g ]}",
        "- x\n  - y",
        "{c: d, e: [f, g ]}",
        "[f, g ]",
    ]


def test_a_key_without_a_value_has_an_empty_one() -> None:
    root = root_of("a:\nb:\n  -\n")
    assert isinstance(root, Mapping)
    (_, first), (_, second) = root.pairs
    assert isinstance(first, Scalar)
    assert (first.value, len(first.span), first.says_nothing, first.is_null) == ("", 0, True, True)
    assert isinstance(second, Sequence)
    assert [item.value for item in second.items if isinstance(item, Scalar)] == [""]


@pytest.mark.parametrize(
    ("written", "says_nothing", "is_null"),
    [
        ("~", True, True),
        ("null", False, True),
        ("Null", False, True),
        ("NULL", False, True),
        ("nULL", False, False),
        ("'~'", False, False),
        ("''", False, False),
        ("!!null ~", False, False),
        ("!!str", False, False),
        ("none", False, False),
    ],
)
def test_what_says_nothing(written: str, says_nothing: bool, is_null: bool) -> None:
    root = root_of(f"a: {written}\n")
    assert isinstance(root, Mapping)
    value = root.get("a")
    assert isinstance(value, Scalar)
    assert (value.says_nothing, value.is_null) == (says_nothing, is_null)


def test_tags_build_nothing() -> None:
    content = "a: !!python/object/apply:os.system ['exit 1']\nb: !!python/name:os.system ''\nc: !mine {d: e}\n"
    root = root_of(content)
    assert isinstance(root, Mapping)
    tags = [node.tag for node in map(resolve, (value for _, value in root.pairs)) if node is not None]
    assert tags == [
        "tag:yaml.org,2002:python/object/apply:os.system",
        "tag:yaml.org,2002:python/name:os.system",
        "!mine",
    ]


def test_an_alias_points_to_its_node() -> None:
    content = "a: &x [b]\nc: *x\nd: &x e\nf: *x\n"
    root = root_of(content)
    assert isinstance(root, Mapping)
    (_, first), (_, alias), (_, again), (_, other) = root.pairs
    assert isinstance(alias, Alias)
    assert isinstance(other, Alias)
    assert alias.target is first
    assert (alias.name, content[alias.span.start : alias.span.end]) == ("x", "*x")
    # An anchor may be used again; what follows means the new one.
    assert other.target is again
    assert resolve(other) is again
    assert root.get("c") is first


def test_a_node_inside_itself_has_no_target() -> None:
    root = root_of("a: &x [*x]\n")
    assert isinstance(root, Mapping)
    inner = root.get("a")
    assert isinstance(inner, Sequence)
    assert resolve(inner.items[0]) is None


def test_a_key_is_its_text_at_its_own_place() -> None:
    content = "a: &k denied\n*k : b\n? [c]\n: d\n!!str e: f\n"
    root = root_of(content)
    assert isinstance(root, Mapping)
    keys = [key_text(key) for key, _ in root.pairs]
    assert [key.value if key else None for key in keys] == ["a", "denied", None, "e"]
    assert keys[1] is not None
    assert content[keys[1].span.start : keys[1].span.end] == "*k"
    assert root.get("denied") == root.pairs[1][1]


@pytest.mark.parametrize(
    ("key", "merges"),
    [("<<", True), ("'<<'", False), ('"<<"', False), ("!!merge x", True), ('!!merge "<<"', True), ("<", False)],
)
def test_which_key_merges(key: str, merges: bool) -> None:
    root = root_of(f"{key}: a\n")
    assert isinstance(root, Mapping)
    found = key_text(root.pairs[0][0])
    assert found is not None
    assert found.is_merge is merges


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_every_line_break_leaves_places_alone(line_break: str) -> None:
    content = line_break.join(["a:", "  - '\U0001f600'", "  - c", "d: [e]", ""])
    assert [(value, token) for value, _, _, token in scalars(content)] == [
        ("a", "a"),
        ("\U0001f600", "'\U0001f600'"),
        ("c", "c"),
        ("d", "d"),
        ("e", "e"),
    ]


@pytest.mark.parametrize("character", ["\u0085", "\u2028", "\u2029"])
def test_what_is_no_line_break_to_an_editor_moves_no_place(character: str) -> None:
    content = f'a: "x{character}y"\nb: [c]\n'
    assert scalars(content)[2:] == [("b", "", "b", "b"), ("c", "", "c", "c")]
    text = Text(content)
    root = root_of(content)
    assert isinstance(root, Mapping)
    assert text.position(root.pairs[1][0].span.start) == Position(1, 0)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_byte_order_marks_are_passed_over(count: int) -> None:
    content = "\ufeff" * count + "a: b\n"
    assert [token for *_, token in scalars(content)] == ["a", "b"]
    assert root_of(content).span == Span(count, count + 4)


def test_a_part_of_a_text_is_parsed_in_place() -> None:
    content = "# head\n```yaml\na: [b, 'c']\n```\n"
    start = content.index("a:")
    document = parse_yaml(Text(content), Span(start, content.index("```\n", start)))
    assert document.error is None
    found = [content[node.span.start : node.span.end] for node in nodes(document.root) if isinstance(node, Scalar)]
    assert found == ["a", "b", "c"]
    faulty = parse_yaml(Text("xx[a"), Span(2, 4))
    assert faulty.error is not None
    assert faulty.error.span == Span(2, 3)


@pytest.mark.parametrize("content", ["", "\n", "# a\n", "---\n", "--- # a\n"])
def test_a_text_that_says_nothing(content: str) -> None:
    document = parse(content)
    assert (document.error, document.problems) == (None, ())
    assert document.root is None or (isinstance(document.root, Scalar) and document.root.is_null)


@pytest.mark.parametrize(
    ("content", "code", "at", "kind"),
    [
        ("a: [b\n", "syntax-error", "[", "unclosed-bracket"),
        ("a: {b: c\n", "syntax-error", "{", "unclosed-bracket"),
        ("a: 'b\nc: d\n", "syntax-error", "'", "unclosed-quote"),
        ('a: "b\n', "syntax-error", '"', "unclosed-quote"),
        ('a: "\\q"\n', "syntax-error", "\\q", "bad-escape"),
        ('a: "\\ud83d"\n', "syntax-error", "\\ud83d", "bad-escape"),
        ("a: b\nword\nc: d\n", "syntax-error", "word", "missing-colon"),
        ("a: b: c\n", "syntax-error", ":", "stray-colon"),
        ("a:\n\t- b\n", "tab-indentation", "\t", None),
        ("- *.py\n", "unquoted-glob", "*.py", None),
        ("- @scope/x\n", "unquoted-glob", "@scope/x", None),
        ("- `code`\n", "unquoted-glob", "`code`", None),
        ("- [a]*.py\n", "unquoted-glob", "[a]*.py", None),
        ("- {a,b}/c # no\n", "unquoted-glob", "{a,b}/c", None),
        ("a: [*.py, b]\n", "unquoted-glob", "*.py", None),
        ("```yaml\na: b\n```\n", "syntax-error", "```yaml", "fence"),
        ("a: b\n--- \nc: d\n", "multiple-documents", "---", None),
        ("a: b\n...\nc: d\n", "multiple-documents", "c: d", None),
        ("a: b\x07\n", "syntax-error", "\x07", "forbidden-character"),
        ("a: b\ud800\n", "syntax-error", "\ud800", "forbidden-character"),
        ("a: b\ufffe\n", "syntax-error", "\ufffe", "forbidden-character"),
        ("\0a\0:\0", "unreadable-file", "\0", None),
        ("a\0:\0 \0", "unreadable-file", "\0", None),
    ],
)
def test_a_fault_is_where_its_author_made_it(content: str, code: str, at: str, kind: str | None) -> None:
    document = parse(content)
    assert document.root is None
    error = document.error
    assert error is not None
    assert document.problems[0] is error
    assert (error.code, content[error.span.start : error.span.end]) == (code, at)
    assert kind is None or error.data["kind"] == kind


def test_sections_that_are_whole_are_kept() -> None:
    content = "a: [b]\nc: [d\ne: 'f\ng:\n  - *.h\ni: j\n"
    document = parse(content)
    assert isinstance(document.partial, Mapping)
    keys = [key.value for key, _ in document.partial.pairs if isinstance(key, Scalar)]
    assert keys == ["a", "g", "i"]
    glob = document.partial.get("g")
    assert isinstance(glob, Sequence)
    assert [
        (item.value, content[item.span.start : item.span.end]) for item in glob.items if isinstance(item, Scalar)
    ] == [("*.h", "*.h")]
    assert [problem.code for problem in document.problems] == ["syntax-error", "syntax-error", "unquoted-glob"]


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}")])
def test_the_depth_has_a_limit(opening: str, closing: str) -> None:
    assert parse(opening * MAX_DEPTH + "x" + closing * MAX_DEPTH).error is None
    error = parse(opening * (MAX_DEPTH + 1) + "x" + closing * (MAX_DEPTH + 1)).error
    assert error is not None
    assert (error.code, error.span.start) == ("alias-bomb", MAX_DEPTH * len(opening))
    for content in (opening * 10_000 + "x" + closing * 10_000, opening * 50_000):
        error = parse(content).error
        assert error is not None
        assert error.code == "alias-bomb"


def test_aliases_have_a_budget() -> None:
    items = MAX_ALIASED_NODES // 10 - 1
    ten = "a: &x [" + ",".join("y" * items) + "]\nb: [" + ",".join(["*x"] * 10) + "]\n"
    assert parse(ten).error is None
    error = parse(ten + "c: *x\n").error
    assert error is not None
    assert error.code == "alias-bomb"
    # A scalar costs one, however often it is meant.
    cheap = "a: &x y\nb: [" + ",".join(["*x"] * MAX_ALIASED_NODES) + "]\n"
    assert parse(cheap).error is None


def test_a_tower_of_aliases_costs_nothing() -> None:
    tower = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 90))
    error = parse(tower).error
    assert error is not None
    assert error.code == "alias-bomb"


@settings(max_examples=300, deadline=None)
@given(st.text("a:-[]{}'\"\\ \n\t#&*!|>%@`?,.~<=\r\ufeff\u2028\U0001f600\ud800\0", max_size=60))
def test_whatever_is_written_every_place_lies_in_the_text(content: str) -> None:
    document = parse(content)
    assert (document.root is None) or document.error is None
    for problem in document.problems:
        assert problem.span.end <= len(content)
    for tree in (document.root, document.partial):
        if tree is None:
            continue
        for node in nodes(tree):
            assert node.span.end <= len(content)
            assert node.token.start <= node.span.start <= node.span.end <= node.token.end
            written = content[node.span.start : node.span.end]
            # What was mended for an editor's eyes may differ from what is written.
            sound = tree is document.root
            if sound and isinstance(node, Scalar) and node.style == "" and not {"\n", "\r", "\u2028"} & set(written):
                assert node.value == written


@pytest.mark.parametrize("character", ["\x85", "\u2028", "\u2029"])
def test_what_ends_no_line_in_an_editor_ends_none_here(character: str) -> None:
    text = Text(f'# remark{character}hidden: [x]{character}\nshown: "a{character}b"\n')
    root = parse_yaml(text).root
    assert isinstance(root, Mapping)
    ((key, value),) = root.pairs
    assert isinstance(key, Scalar)
    assert isinstance(value, Scalar)
    assert (key.value, value.value, text.slice(value.span)) == ("shown", f"a{character}b", f"a{character}b")


def test_a_document_of_too_many_values_is_refused() -> None:
    assert parse_yaml(Text("- a\n" * 240_000)).error is None
    error = parse_yaml(Text("a:\n" * 340_000)).error
    assert error is not None
    assert (error.code, error.message) == (
        "alias-bomb",
        "the document holds more than 250,000 values: a rule file needs far fewer",
    )


def test_what_ends_no_line_is_part_of_a_value_behind_a_tag() -> None:
    text = Text("! \u2028")
    root = parse_yaml(text).root
    assert isinstance(root, Scalar)
    assert (root.value, text.slice(root.span), text.slice(root.token)) == ("\u2028", "\u2028", "! \u2028")
