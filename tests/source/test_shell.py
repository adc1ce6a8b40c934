"""A command line as simple commands: words without their quotes, redirections, here-documents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_lsp.source.shell import MOST_CHARACTERS, Redirection, ShellText, SimpleCommand, Word, read_shell


def shown(text: str) -> list[str]:
    """One line a command: its words in brackets where only the shell knows them, `*` where it may replace them."""
    read = read_shell(text)
    assert read.whole
    return [_command(command) for command in read.commands]


def _command(command: SimpleCommand) -> str:
    redirections = [f"{each.operator}{_word(each.target)}" for each in command.redirections]
    documents = [f"<<{each!r}" for each in command.documents]
    return " | ".join([*map(_word, command.words), *redirections, *documents])


def _word(word: Word) -> str:
    return "[]" if word.text is None else f"{word.text}*" if word.wild else word.text


COMMANDS: list[tuple[str, list[str]]] = [
    ("", []),
    ("ls", ["ls"]),
    ("cd a && cat 'b c' d\\ e; rm f", ["cd | a", "cat | b c | d e", "rm | f"]),
    ("cat \"a\\\"b\" \"c $x\" $y ${z} a$b", ['cat | a"b | [] | [] | [] | []']),
    ("echo a\"b\"c'd'", ["echo | abcd"]),
    ("rm *.pem 'a*' x{1,2} ~/k [ab]", ["rm | *.pem* | a* | x{1,2}* | ~/k* | [ab]*"]),
    ("a | b > c", ["a", "b | >c"]),
    ("a && b > c 2>> d", ["a", "b | >c | >>d"]),
    ("> empty", ["| >empty".removeprefix("| ")]),
    ("cat < in > out", ["cat | <in | >out"]),
    ("a &> b", ["a | &>b"]),
    ("echo hi >&2", ["echo | hi | >&2"]),
    ("{ cat a; } > b", [">b", "cat | a"]),
    ("(cd x; rm y)", ["cd | x", "rm | y"]),
    ("echo $(cat s) `cat t` <(cat u)", ["echo | [] | [] | []", "cat | s", "cat | t", "cat | u"]),
    ("for f in *; do rm \"$f\" > x; done", ["rm | [] | >x"]),
    ("while read l; do tee y; done < z", ["<z", "read | l", "tee | y"]),
    ("if [ -f a ]; then rm a; else rm b; fi", ["rm | a", "rm | b"]),
    ("case x in a) rm q;; esac", ["rm | q"]),
    ("f() { rm z; }", ["rm | z"]),
    ("function g { cat k; } > l", ["cat | k", ">l"]),
    ("A=1 B=2 cmd x", ["cmd | x"]),
    ("cat <<EOF > f\nhi\nEOF\n", ["cat | >f | <<'hi\\n'"]),
    ("cat <<'EOF' | sh\nrm x\nEOF\n", ["cat | <<'rm x\\n'", "sh"]),
    ("cat <<< x > y", ["cat | >y | <<'x'"]),
    ("tee >(cat > q) < r", ["tee | [] | <r", "cat | >q"]),
    ("! rm x", ["rm | x"]),
    ("rm -- -x", ["rm | -- | -x"]),
    ("echo \\\n c", ["echo | c"]),
    ("rm $'a b' $'a\\nb'", ["rm | a b | []"]),
    ("cat 秘密/鍵.pem '🗝'", ["cat | 秘密/鍵.pem | 🗝"]),
    ("# rm x", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "commands"), COMMANDS)
def test_commands(text: str, commands: list[str]) -> None:
    assert shown(text) == commands


@pytest.mark.parametrize("text", ["a && (", "echo 'x", "if true; then", "cat <<EOF\nx"])
def test_what_does_not_parse_is_no_whole(text: str) -> None:
    assert not read_shell(text).whole


def test_a_text_that_is_too_long_is_not_read() -> None:
    assert read_shell("a" * (MOST_CHARACTERS + 1)) == ShellText((), False)


def test_depth_is_no_danger() -> None:
    deep = read_shell("( " * 20_000 + "rm x" + ")" * 20_000)
    assert deep == ShellText((SimpleCommand((Word("rm"), Word("x"))),), True)


@given(st.text(max_size=60))
def test_no_text_makes_it_raise(text: str) -> None:
    assert isinstance(read_shell(text), ShellText)


def test_a_redirection_of_several() -> None:
    (command,) = read_shell("cat a > b > c").commands
    assert command.redirections == (Redirection(">", Word("b")), Redirection(">", Word("c")))
