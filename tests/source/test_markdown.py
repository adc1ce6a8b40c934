"""Markdown's structure: every place must be the exact token in the document, whatever encloses it."""

from __future__ import annotations

import time
from random import Random
from typing import TypeVar

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rules_lsp.source.markdown import (
    Code,
    Content,
    Heading,
    Html,
    ItemList,
    ListItem,
    MarkdownDocument,
    Paragraph,
    Quote,
    Rule,
    Table,
    parse_markdown,
)
from rules_lsp.source.text import Span, Text

Kind = TypeVar("Kind")


def parse(content: str) -> MarkdownDocument:
    return parse_markdown(Text(content))


def only(document: MarkdownDocument, kind: type[Kind]) -> Kind:
    found = [block for block in document.walk() if isinstance(block, kind)]
    assert len(found) == 1
    return found[0]


def pieces(content: str, block: Heading | Paragraph | ListItem | Content) -> list[tuple[str, str, str]]:
    inline = block if isinstance(block, Content) else block.content
    assert inline is not None
    return [(piece.kind, piece.text, content[piece.span.start : piece.span.end]) for piece in inline.pieces]


def codes(content: str) -> list[tuple[str, int]]:
    found = []
    for block in parse(content).walk():
        inline = block.content if isinstance(block, Heading | Paragraph | ListItem) else None
        for piece in inline.pieces if inline is not None else ():
            if piece.kind == "code":
                found.append((content[piece.span.start : piece.span.end], piece.span.start))
    return found


def headings(content: str) -> list[tuple[int, str]]:
    return [
        (block.level, content[block.span.start : block.span.end])
        for block in parse(content).walk()
        if isinstance(block, Heading)
    ]


@pytest.mark.parametrize(
    ("content", "level", "text", "start"),
    [
        ("# One", 1, "One", 2),
        ("###### Six ##", 6, "Six", 7),
        ("   ##   wide   ##   ", 2, "wide", 8),
        ("## a #b#", 2, "a #b#", 3),
        ("## C#", 2, "C#", 3),
        ("#\ttab", 1, "tab", 2),
        ("Setext\n===", 1, "Setext", 0),
        ("Setext\n---", 2, "Setext", 0),
        ("two\r\nlines\r\n---\r\n", 2, "two\r\nlines", 0),
        ("\ufeff## Mark", 2, "Mark", 4),
        ("\ufeff\r\n# 𝄞 é", 1, "𝄞 é", 5),
        ("a\u2028b\n# x", 1, "x", 6),
        ("a\0b\r# x\r", 1, "x", 6),
    ],
)
def test_a_heading_has_level_and_place(content: str, level: int, text: str, start: int) -> None:
    heading = only(parse(content), Heading)
    assert (heading.level, heading.span) == (level, Span(start, start + len(text)))
    assert content[heading.span.start : heading.span.end] == text


@pytest.mark.parametrize(
    "content",
    [
        "#no space",
        "####### seven",
        "    # indented",
        "```\n# fenced\n```",
        "<!--\n# comment\n-->",
        "\\# escaped",
        "text\n    # lazy",
        "---\ntitle: x\n# comment\n---\n",
    ],
)
def test_what_only_looks_like_a_heading_is_none(content: str) -> None:
    assert headings(content) == []


def test_an_empty_heading_has_an_empty_place() -> None:
    assert headings("##") == [(2, "")]
    assert headings("## ##") == [(2, "")]


def test_the_outer_span_of_a_heading_holds_its_underline() -> None:
    heading = only(parse("Title\n=====\n\ntext"), Heading)
    assert heading.outer == Span(0, 11)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("- `a`\n", [("a", 3)]),
        ("\ufeff- `a`\r\n  and `b`\r\n", [("a", 4), ("b", 15)]),
        ("-\t`a`\n", [("a", 3)]),
        ("- x\n  - y\n    1. `a`\n", [("a", 18)]),
        ("> - `a`\n>   `b`\n", [("a", 5), ("b", 13)]),
        ("- `` a`b ``\n", [("a`b", 5)]),
        ("- ` `` `\n", [("``", 4)]),
        ("- `  `\n", [("  ", 3)]),
        ("- \\`a\\`\n", []),
        ("- `a\\`\n", [("a\\", 3)]),
        ("- `` `a` ``\n", [("`a`", 5)]),
        ("- `a ``b`\n", [("a ``b", 3)]),
        ("- `open\n", []),
        ("- ![`a`](x) [`b`](<y z> 'title')\n", [("a", 5), ("b", 14)]),
        ("- *`a`* **`b`** _`c`_\n", [("a", 4), ("b", 11), ("c", 18)]),
        ("- <a title='`x`'> `a`\n", [("a", 19)]),
        ("- y <!-- `x` --> `a`\n", [("a", 18)]),
        ("- y <!-- `x`\n", [("x", 10)]),
    ],
)
def test_code_spans_have_the_place_of_their_content(content: str, expected: list[tuple[str, int]]) -> None:
    assert codes(content) == expected


def test_a_code_span_over_a_line_break_keeps_it() -> None:
    content = "- `a\r\n  b`\n"
    item = only(parse(content), ListItem)
    assert pieces(content, item) == [("code", "a\nb", "a\r\n  b")]


def test_escapes_and_entities_are_resolved_and_keep_their_place() -> None:
    content = "a\\*b &amp; c"
    paragraph = only(parse(content), Paragraph)
    assert pieces(content, paragraph) == [
        ("text", "a", "a"),
        ("text", "*", "\\*"),
        ("text", "b ", "b "),
        ("text", "&", "&amp;"),
        ("text", " c", " c"),
    ]


def test_emphasis_gives_marks() -> None:
    content = "**a** _b_ c*d"
    paragraph = only(parse(content), Paragraph)
    assert pieces(content, paragraph) == [
        ("mark", "**", "**"),
        ("text", "a", "a"),
        ("mark", "**", "**"),
        ("text", " ", " "),
        ("mark", "_", "_"),
        ("text", "b", "b"),
        ("mark", "_", "_"),
        ("text", " c", " c"),
        ("text", "*", "*"),
        ("text", "d", "d"),
    ]


@pytest.mark.parametrize(
    ("content", "plain"),
    [
        ("snake_case_name", "snake_case_name"),
        ("**/*.ts", "**/*.ts"),
        ("*.pem, *.key", "*.pem, *.key"),
        ("***both***", "both"),
        ("*a **b** c*", "a b c"),
        ("[a](b) ![c](d)", "a c"),
        ("[a [b](c)](d)", "[a b](d)"),
        ("[a](b", "[a](b"),
        ("[a]", "[a]"),
        ("[a][r] [r] [r][]\n\n[r]: /u", "a r r"),
        ("app/[id]/page", "app/[id]/page"),
        ("<https://x.example/a_b_>", "https://x.example/a_b_"),
        ("~/.ssh, ~/.aws", "~/.ssh, ~/.aws"),
        ("~~gone~~ ~too~", "gone too"),
    ],
)
def test_the_plain_text_is_what_a_reader_sees(content: str, plain: str) -> None:
    assert only(parse(content), Paragraph).content.plain == plain


@pytest.mark.parametrize(
    ("content", "struck"),
    [
        ("~~`a`~~", True),
        ("~`a`~", True),
        ("<del>`a`</del>", True),
        ("<s>`a`</s>", True),
        ("~~~`a`~~~x", None),
        ("`a` ~~b~~", False),
        ("<span>`a`</span>", False),
    ],
)
def test_struck_out_code_is_known(content: str, struck: bool | None) -> None:
    found = [
        piece.struck
        for block in parse("x " + content).walk()
        if isinstance(block, Paragraph)
        for piece in block.content.pieces
        if piece.kind == "code"
    ]
    assert found == [bool(struck)]


@pytest.mark.parametrize(
    ("content", "checked", "text"),
    [
        ("- [x] a", True, "a"),
        ("1. [X] a", True, "a"),
        ("- [ ] a", False, "a"),
        ("- [-] a", False, "a"),
        ("- [x]a", None, "[x]a"),
        ("- [x](y) a", None, "x a"),
        ("- [ ]", None, "[ ]"),
        ("- a [x] b", None, "a [x] b"),
    ],
)
def test_task_items(content: str, checked: bool | None, text: str) -> None:
    item = only(parse(content), ListItem)
    assert item.content is not None
    assert (item.checked, item.content.plain) == (checked, text)


def test_items_nest_and_keep_their_lines() -> None:
    content = "- a\n  - b\n\n    more\n2. c\n"
    document = parse(content)
    items = [block for block in document.walk() if isinstance(block, ListItem)]
    assert [content[item.span.start : item.span.end] for item in items] == [
        "- a\n  - b\n\n    more",
        "  - b\n\n    more",
        "2. c",
    ]
    assert [item.ordered for item in items] == [False, False, True]
    assert [type(block) for block in items[1].blocks] == [Paragraph]


def test_an_item_that_begins_with_something_else_has_no_content() -> None:
    items = [block for block in parse("- ```\n  x\n  ```\n-\n- > q\n").walk() if isinstance(block, ListItem)]
    assert [item.content for item in items] == [None, None, None]
    assert [len(item.blocks) for item in items] == [1, 0, 1]


def test_a_table_has_cells_with_places() -> None:
    content = "> | a | `b` |\r\n> |---|:-:|\r\n> | `x\\|y` |  no  |\r\n> only\r\n> | | é | more |\r\n"
    table = only(parse(content), Table)
    rows = [[content[cell.span.start : cell.span.end] for cell in row.cells] for row in (table.header, *table.rows)]
    assert rows == [["a", "`b`"], ["`x\\|y`", "no"], ["only"], ["", "é", "more"]]
    assert pieces(content, table.rows[0].cells[0]) == [("code", "x|y", "x\\|y")]
    assert content[table.rows[2].span.start : table.rows[2].span.end] == "| | é | more |"


def test_no_table_without_its_delimiter_row() -> None:
    assert [type(block) for block in parse("| a | b |\n| c | d |\n").blocks] == [Paragraph]


@pytest.mark.parametrize(
    ("content", "info", "lines", "closed"),
    [
        ("```yaml\n- a\n```\n", "yaml", ["- a"], True),
        ("~~~ x `y`\na\n\n~~~~\n", "x `y`", ["a", ""], True),
        ("```\na", "", ["a"], False),
        ("```", "", [], False),
        ("```\n", "", [], False),
        ("````\n```\n````", "", ["```"], True),
        ("```\n    ```\n", "", ["    ```"], False),
        ("1. x\n\n   ```yaml\n   - a\n     - b\n   ```\n", "yaml", ["- a", "  - b"], True),
        ("> ```\n> a\n> ```\n", "", ["a"], True),
        ("  ```\r\n  a\r\n b\r\n  ```\r\n", "", ["a", "b"], True),
        ("- ```\n  a\n\nout", "", ["a"], False),
    ],
)
def test_a_fence_has_its_content_without_indentation(content: str, info: str, lines: list[str], closed: bool) -> None:
    code = only(parse(content), Code)
    found = [content[line.start : line.end] for line in code.lines]
    while found and not found[-1] and len(found) > len(lines):
        found.pop()
    assert (code.info, found, code.closed) == (info, lines, closed)


def test_indented_code_has_no_info() -> None:
    assert only(parse("    a\n"), Code).info is None


@pytest.mark.parametrize(
    ("content", "comment"),
    [
        ("<!-- a -->", True),
        ("<!-- a --> <!-- b -->", True),
        ("<!--\n\n# a\n", True),
        ("<!-- a --> text", False),
        ("<div>\n</div>", False),
    ],
)
def test_html_blocks_tell_comments(content: str, comment: bool) -> None:
    assert only(parse(content), Html).comment is comment


def test_front_matter_is_content_of_nothing() -> None:
    document = parse("---\ntitle: x\n# no heading\n---\n\n# yes\n")
    assert document.front_matter == Span(0, 29)
    assert [type(block) for block in document.blocks] == [Heading]
    assert parse("\ufeff---\r\na: b\r\n...\r\n").front_matter == Span(0, 15)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("---\n\n# a\n\n---\n", [(1, "a")]),
        ("---\n# a\n---\n", [(1, "a")]),
        ("---\n- a\n\n# b\n\n---\n", [(1, "b")]),
        ("---\na: b\n\n# open\n", [(1, "open")]),
        ("\n---\na: b\n---\n", [(2, "a: b")]),
        ("--- \n", []),
    ],
)
def test_a_thematic_break_is_no_front_matter(content: str, expected: list[tuple[int, str]]) -> None:
    assert parse(content).front_matter is None
    assert headings(content) == expected


def test_blocks_stand_in_order() -> None:
    content = "# h\n\np\n\n- i\n\n> q\n\n***\n\n<!-- c -->\n\n    code\n"
    assert [type(block) for block in parse(content).blocks] == [
        Heading,
        Paragraph,
        ItemList,
        Quote,
        Rule,
        Html,
        Code,
    ]


def test_what_is_nested_too_deeply_is_known_to_be_left_out() -> None:
    assert parse("- " * 40 + "a").truncated
    assert parse(">" * 40 + "a").truncated
    assert not parse("- " * 12 + "a").truncated


HOSTILE = {
    "quotes": ">" * 10_000 + " a",
    "lists": "- " * 10_000 + "a",
    "backticks": "a " + "`" * (1 << 20),
    "backtick runs": "a " + " ".join("`" * length for length in range(1, 1400)),
    "brackets": "[" * 100_000,
    "closed brackets": "a " + "[]" * 50_000,
    "link targets": "a " + "[](a" * 25_000,
    "images": "a " + "![" * 20_000 + "[a](b)" * 2_000,
    "stars": "a " + "*a" * 50_000,
    "mixed stars": "a " + "**a *b_ " * 12_000,
    "tags": "a " + "<a b='" * 20_000,
    "comments": "a " + "<!-- " * 20_000,
    "unclosed fences": "```a\n" * 20_000,
    "cells": "|a" * 2_000 + "\n" + "|-" * 2_000 + "\n|a",
    "references": "[a\n" * 20_000,
    "hashes": "# " + "# " * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_linear_time(name: str) -> None:
    started = time.perf_counter()
    for block in parse(HOSTILE[name]).walk():
        if isinstance(block, Heading | Paragraph):
            assert block.content.pieces is not None
    assert time.perf_counter() - started < 20


def seen(tokens: list[Token]) -> list[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []
    for token in tokens:
        if token.type in ("text", "code_inline"):
            found += [(char, token.type == "code_inline") for char in token.content]
        elif token.type == "image":
            found += seen(token.children or [])
    return [pair for pair in found if pair[0] != " "]


def test_inline_content_is_what_another_parser_sees() -> None:
    """Against markdown-it's own inline rules, which know no offsets."""
    parser = MarkdownIt("commonmark")
    random = Random(7)
    parts = ["`", "``", "*", "**", "***", "_", "__", "[", "]", "(", ")", "](b)", "<", ">", "a", "b.c", "\\", "&amp;"]
    parts += ["&copy;", ".", "!", "<b>", "</b>", "<http://x>", "é", ",", '"', "'", "$", "/"]
    for _ in range(3_000):
        content = "x" + "".join(random.choice([*parts, " "]) for _ in range(random.randint(1, 14)))
        if "<!" in content:
            continue
        expected = seen(parser.parse(content)[1].children or [])
        paragraph = parse(content).blocks[0]
        assert isinstance(paragraph, Paragraph)
        found = [
            (char, piece.kind == "code")
            for piece in paragraph.content.pieces
            if piece.kind != "mark"
            for char in piece.text
            if char != " "
        ]
        assert (content, found) == (content, expected)
        for piece in paragraph.content.pieces:
            if len(piece.text) == len(piece.span):
                assert content[piece.span.start : piece.span.end] == piece.text
