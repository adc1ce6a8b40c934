"""Where a block stands, what is written, and what is most like a block that stands nowhere."""

from __future__ import annotations

import time

import pytest

from rules_lsp.prompt.edits.matching import Matcher
from rules_lsp.prompt.edits.nearest import Budget, NearestFinder
from rules_lsp.source.text import Span, Text


def replaced(content: str, block: str, by: str) -> str:
    matcher = Matcher(content)
    (place,) = matcher.places(block)
    return matcher.replaced([matcher.replacement(place, block, by)])


@pytest.mark.parametrize(
    ("content", "block", "spans"),
    [
        ("abc", "b", [Span(1, 2)]),
        ("aaaa", "aa", [Span(0, 2), Span(1, 3), Span(2, 4)]),
        ("abab", "ab", [Span(0, 2), Span(2, 4)]),
        ("abc", "B", []),
        ("a\r\nb\r\nc", "b", [Span(3, 4)]),
        ("a\r\nb\r\nc", "a\nb\n", [Span(0, 6)]),
        ("a\r\nb\r\nc", "\nc", [Span(4, 7)]),
        ("a\nb\r\nc", "a\r\nb\r\nc", [Span(0, 6)]),
        ("a\rb", "a\nb", []),
        ("😀é\r\nz", "\nz", [Span(2, 5)]),
        ("a" * 30, "a", [Span(at, at + 1) for at in range(21)]),
    ],
)
def test_places(content: str, block: str, spans: list[Span]) -> None:
    assert Matcher(content).places(block) == spans


@pytest.mark.parametrize(
    ("content", "block", "by", "made"),
    [
        ("a\nb\nc\n", "b\n", "x\ny\n", "a\nx\ny\nc\n"),
        ("a\r\nb\r\nc\r\n", "b\n", "x\ny\n", "a\r\nx\r\ny\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", "b", "x\ny", "a\r\nx\r\ny\r\nc\r\n"),
        ("a\r\nb", "b", "x\ny", "a\r\nx\r\ny"),
        ("a\nb\nc\n", "b", "x\r\ny", "a\nx\ny\nc\n"),
        # Of a mixed file, what stays is left as it is, and what comes has the line end of its place.
        ("a\nb\r\nc\nd\n", "a\nb\nc", "a\nB\nc", "a\nB\r\nc\nd\n"),
        ("a\r\nb\nc\n", "a", "a\nx", "a\r\nx\r\nb\nc\n"),
        ("a\r\nb\nc\n", "c", "c\nx", "a\r\nb\nc\nx\n"),
        # A final line end is kept, and none comes where there was none.
        ("a\nb\n", "b\n", "x", "a\nx\n"),
        ("a\r\nb\r\n", "b\n", "x", "a\r\nx\r\n"),
        ("a\nb\n", "\nb\n", "", "a\n"),
        ("a\nb", "b", "x", "a\nx"),
        ("a\nb", "b", "x\n", "a\nx\n"),
        ("a\n", "a\n", "", ""),
        ("aXbXb", "aXb", "aXbXb", "aXbXbXb"),
        ("one", "one", "one", "one"),
    ],
)
def test_replaced(content: str, block: str, by: str, made: str) -> None:
    assert replaced(content, block, by) == made


def test_only_what_differs_is_replaced() -> None:
    matcher = Matcher("a\r\nbcd\r\ne")
    (place,) = matcher.places("a\nbcd\ne")
    assert matcher.replacement(place, "a\nbcd\ne", "a\nbXd\ne").span == Span(4, 5)


def test_several_replacements_are_all_of_the_original_text() -> None:
    matcher = Matcher("one two three")
    pairs = (("three", "one"), ("one", "two"), ("two", "three"))
    made = [matcher.replacement(matcher.places(old)[0], old, new) for old, new in pairs]
    assert matcher.replaced(made) == "two three one"


CODE = "def f():\n\tif x:  \n        return “a b”\n\nclass A:\n    pass\n"


@pytest.mark.parametrize(
    ("block", "differs", "sentence", "text"),
    [
        ("def F():", ("case",), "line 1 is the same but for case", "def f():"),
        ("def f( ):", ("white space within lines",), None, "def f():"),
        ("def f():\r\tif", ("line ends",), None, "def f():\n\tif x:  "),
        ("\tif x:\n        return “a b”", ("white space at line ends",), None, "\tif x:  \n        return “a b”"),
        ("class A:\n\tpass", ("indentation",), "line 5 is the same but for indentation", "class A:\n    pass"),
        ('return "a b"', ("look-alike characters",), None, "        return “a b”"),
        ("clаss A", ("look-alike characters",), None, "class A:"),
        ("class\u00a0A", ("look-alike characters",), None, "class A:"),
        ("return “a b”\nclass A", ("line breaks",), None, "        return “a b”\n\nclass A:"),
        (
            '    if x:\n        RETURN "a b"',
            ("look-alike characters", "case", "white space at line ends", "indentation"),
            "line 2 is the same but for look-alike characters, case, white space at line ends and indentation",
            "\tif x:  \n        return “a b”",
        ),
        ("class B:\n    pass", ("text",), "line 5 has `class A:` where the block has `class B:`", "class A:\n    pass"),
        ("def g():", ("text",), "line 1 has `def f():` where the block has `def g():`", "def f():"),
        ("    pass\nmore", ("text",), "line 7 has an empty line where the block has `more`", "    pass\n"),
        ("pass\n\nmore", ("text",), "line 6 is alike, but the block goes on where the file does not", "    pass\n"),
    ],
)
def test_nearest(block: str, differs: tuple[str, ...], sentence: str | None, text: str) -> None:
    assert Matcher(CODE).places(block) == []
    found = NearestFinder("/a", Text(CODE)).nearest(block, Budget())
    assert found is not None
    assert (found.differs, found.place.text.slice(found.place.span)) == (differs, text)
    if sentence is not None:
        assert found.sentence == sentence


@pytest.mark.parametrize("block", ["nothing like it", " \t\n  ", "zzz\nyyy"])
def test_nothing_is_near(block: str) -> None:
    assert NearestFinder("/a", Text(CODE)).nearest(block, Budget()) is None


def test_what_a_line_says_to_a_terminal_is_not_told() -> None:
    found = NearestFinder("/a", Text("keep\nred \x1b[31m\nend\n")).nearest("keep\nblue\nend", Budget())
    assert found is not None
    assert found.sentence == "line 2 has `red �[31m` where the block has `blue`"


def test_looking_is_bounded() -> None:
    many = "\n".join(f"    value_{number} = compute({number}, 'é')" for number in range(120_000))
    hostile = " \t" * 1_000_000 + "x\n" + "a" * 1_000_000
    began = time.process_time()
    finder = NearestFinder("/a", Text(many))
    found = finder.nearest("value_77777  = compute", Budget())
    assert found is not None
    assert found.sentence == "line 77,778 is the same but for white space within lines"
    for block in ("nothing of the kind", "q" * 500_000, "\n".join(f"x{n}" for n in range(100_000)), "\t " * 500_000):
        finder.nearest(block, Budget())
        NearestFinder("/b", Text(hostile)).nearest(block + "A", Budget())
    assert time.process_time() - began < 10
    assert finder.nearest("value_77777  = compute", Budget(1_000)) is None
