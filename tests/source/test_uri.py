"""`file:` URIs and paths: nothing is lost on the way, and only this machine's files have a path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_lsp.source.uri import from_uri, leniently_decoded, percent_decoded, to_uri


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/", "file:///"),
        ("/w/app/a.py", "file:///w/app/a.py"),
        ("/w/a b", "file:///w/a%20b"),
        ("/w/[id]/$x", "file:///w/%5Bid%5D/%24x"),
        ("/w/100%", "file:///w/100%25"),
        ("/w/a?b#c", "file:///w/a%3Fb%23c"),
        ("/w/\u3042", "file:///w/%E3%81%82"),
        ("/w/\U0001f600", "file:///w/%F0%9F%98%80"),
        ("/w/a:b@c;d", "file:///w/a%3Ab%40c%3Bd"),
        ("/w/caf\udce9", "file:///w/caf%E9"),
        ("/w/a\\b", "file:///w/a%5Cb"),
    ],
)
def test_a_path_as_a_uri(path: str, uri: str) -> None:
    assert to_uri(path) == uri


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/app", "/w/app"),
        ("file:/w/app", "/w/app"),
        ("FILE:///w/app", "/w/app"),
        ("file://localhost/w/app", "/w/app"),
        ("file://LOCALHOST/w/app", "/w/app"),
        ("file:///w/a%20b", "/w/a b"),
        ("file:///w/a b", "/w/a b"),
        ("file:///w/%e3%81%82", "/w/\u3042"),
        ("file:///w/\u3042", "/w/\u3042"),
        ("file:///w/%2e%2e/x", "/w/../x"),
        ("file:///w/%252e", "/w/%2e"),
        ("file:///w/%zz%", "/w/%zz%"),
        ("file:////server/share", "//server/share"),
        ("file:///w/a%00b", "/w/a\0b"),
        ("file:///w/a\nb", "/w/a\nb"),
        ("file:///w/c%3A%5Cx", "/w/c:\\x"),
    ],
)
def test_a_uri_as_a_path(uri: str, path: str) -> None:
    assert from_uri(uri) == path


@pytest.mark.parametrize(
    "uri",
    ["", "file:", "file://", "file://host", "file://host/x", "file:x", "file:///x?q", "file:///x#f", "file:///x?",
     "file://user@localhost/x", "file://localhost:80/x", "http://localhost/x", "files:///x", " file:///x",
     "untitled:Untitled-1", "vscode-remote://wsl/x", "/w/app", "file:///%FF", "file:///%ED%A0%80", "file:///\ud800%41",
     "file:///%C0%AF"],
)  # fmt: skip
def test_no_file_of_this_machine(uri: str) -> None:
    assert from_uri(uri) is None


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_there_and_back(text: str) -> None:
    assert from_uri(to_uri("/" + text)) == "/" + text


@pytest.mark.parametrize(
    ("text", "strict", "lenient"),
    [
        ("a", "a", "a"),
        ("%41", "A", "A"),
        ("%2541", "%41", "%41"),
        ("%4", "%4", "%4"),
        ("a+b", "a+b", "a+b"),
        ("%E3%81%82", "\u3042", "\u3042"),
        ("%41%FF", None, "A\ufffd"),
        ("%41%E3%81", None, "A\ufffd"),
        ("%41\ud800", None, "A\ufffd\ufffd\ufffd"),
        ("\ud800", "\ud800", "\ud800"),
    ],
)
def test_decoding_once(text: str, strict: str | None, lenient: str) -> None:
    assert percent_decoded(text) == strict
    assert leniently_decoded(text) == lenient
