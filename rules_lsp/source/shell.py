"""A shell's command line as simple commands: words that are literal, redirections and here-documents.

Read by the grammar of Bash (tree-sitter). Expansions are not carried out: a word that holds one is no literal. Commands
inside pipes, lists, loops, functions, substitutions and subshells are found wherever they stand. Nothing raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass, field, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Language, Node

MOST_CHARACTERS = 256 * 1024
"""A longer text is not read."""
MOST_SHELLS = 64
"""Subshells within one another that are told apart."""

_ESCAPED = expression(r"\\(\n|.)", re.DOTALL)
_BACKTICK = expression(r"(?<!\\)`")
_QUOTE = expression(r"[\\'\"]")
_ESCAPED_IN_QUOTES = expression(r'\\([$`"\\\n])')
_SUBSHELLS = frozenset({"subshell", "command_substitution", "process_substitution"})
_WITHOUT_COMMANDS = frozenset({"heredoc_body", "word", "raw_string", "number", "comment", "variable_name"})
"""What no command stands in, and is none."""
_WILD = expression(r"(?<!\\)[*?\[{]|\A~")


@dataclass(frozen=True, slots=True)
class Word:
    """One word. `text` is what it says once quotes are taken away, or None where only the shell can tell.

    `wild` says that the shell may put other words in its place (`*`, `?`, `[`, `{`, `~` outside of quotes).
    """

    text: str | None
    wild: bool = False


@dataclass(frozen=True, slots=True)
class Redirection:
    """One redirection to or from a file: its operator without the descriptor (`>`, `>>`, `<`, `&>`, `>|`)."""

    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """One command with its words (the first is its name), redirections and the texts of its here-documents.

    A literal text behind `<<<` counts as a here-document. `shells` are the subshells in which it runs, the outermost
    first, each by where it begins and not deeper than `MOST_SHELLS`: what changes a shell (`cd`) does not change those
    around it.
    """

    words: tuple[Word, ...]
    redirections: tuple[Redirection, ...] = ()
    documents: tuple[str, ...] = ()
    shells: tuple[int, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class ShellText:
    """The simple commands of a text in its order; `whole` says that all of the text was understood.

    `assignments` are the variables that it sets (`A=1 x`, `export A=1`) with their values.
    """

    commands: tuple[SimpleCommand, ...]
    whole: bool
    assignments: tuple[tuple[str, Word], ...] = field(default=(), compare=False)


@lru_cache(maxsize=32)
def read_shell(text: str) -> ShellText:
    """The commands of a text. What the grammar does not understand is passed over, and `whole` is false."""
    if len(text) > MOST_CHARACTERS:
        return ShellText((), False)
    import tree_sitter

    data = text.encode("utf-8", "replace")
    tree = tree_sitter.Parser(_language()).parse(data)
    assignments: list[tuple[str, Word]] = []
    found = tuple(_commands(tree.root_node, assignments))
    return ShellText(found, not tree.root_node.has_error, tuple(assignments))


@cache
def _language() -> Language:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Language(tree_sitter_bash.language())


def _commands(root: Node, assignments: list[tuple[str, Word]]) -> Iterator[SimpleCommand]:
    # A stack, since a text may nest as deep as it is long.
    waiting = [_Waiting(root)]
    while waiting:
        each = waiting.pop()
        node, kind = each.node, each.node.type
        shells = _shells_of(node, kind in _SUBSHELLS, each.shells)
        if kind == "redirected_statement":
            waiting.extend(replace(part, shells=shells) for part in reversed(_redirected(node)))
            continue
        if kind in ("list", "pipeline") and each.is_redirected:
            *others, last = node.named_children
            waiting.append(replace(each, node=last, shells=_shells_of(last, kind == "pipeline", shells)))
            waiting.extend(
                _Waiting(child, shells=_shells_of(child, kind == "pipeline", shells)) for child in reversed(others)
            )
            continue
        inner = node.named_children
        if kind == "variable_assignment":
            assignments.extend(_assignment(node))
        if kind == "command":
            texts = tuple(_here_strings(node))
            own = (_redirection(child) for child in inner if child.type == "file_redirect")
            words = (Word(None),) if _is_joined(node) else tuple(_words(node))
            yield SimpleCommand(words, (*each.redirections, *own), (*each.documents, *texts), shells)
        elif kind == "declaration_command":
            words = (Word(_text(node.children[0])), *(_word(child) for child in inner))
            yield SimpleCommand(words, each.redirections, shells=shells)
        elif kind == "heredoc_body" and _BACKTICK.search(_text(node)):
            yield SimpleCommand((Word(None),), shells=shells)
        elif each.is_redirected:
            yield SimpleCommand((), each.redirections, each.documents, shells)
        elif kind == "file_redirect" and not each.seen:
            yield SimpleCommand((), (_redirection(node),), shells=shells)
        seen = kind == "command"
        waiting.extend(
            _Waiting(child, seen=seen, shells=_shells_of(child, kind == "pipeline", shells))
            for child in reversed(inner)
            if child.type not in _WITHOUT_COMMANDS
        )


def _assignment(node: Node) -> Iterator[tuple[str, Word]]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is not None and value is not None:
        yield _text(name), _word(value)


def _here_strings(command: Node) -> Iterator[str]:
    """The texts behind `<<<` of a command, as far as they are literal."""
    for child in command.named_children:
        if child.type == "herestring_redirect" and child.named_children:
            text = _word(child.named_children[-1]).text
            if text is not None:
                yield text


def _shells_of(node: Node, has_its_own: bool, shells: tuple[int, ...]) -> tuple[int, ...]:
    """The shells in which a node runs, from those around it: parts of a pipeline have their own, as subshells have."""
    return (*shells, node.start_byte) if has_its_own and len(shells) < MOST_SHELLS else shells


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A node that is still to be looked into, and what is redirected for it; `seen` is a redirection already told."""

    node: Node
    redirections: tuple[Redirection, ...] = ()
    documents: tuple[str, ...] = ()
    seen: bool = False
    shells: tuple[int, ...] = ()

    @property
    def is_redirected(self) -> bool:
        return bool(self.redirections or self.documents)


def _redirected(statement: Node) -> list[_Waiting]:
    """What a statement redirects, and then what stands inside of its redirections."""
    redirects: list[Node] = []
    documents: list[str] = []
    inside: list[Node] = []
    for child in statement.named_children:
        if child.type == "heredoc_redirect":
            documents.extend(_text(part) for part in child.named_children if part.type == "heredoc_body")
            redirects.extend(part for part in child.named_children if part.type == "file_redirect")
            # Without a quote in its delimiter, a document is expanded like a text in double quotes.
            if not any(part.type == "heredoc_start" and _QUOTE.search(_text(part)) for part in child.named_children):
                inside.extend(part for part in child.named_children if part.type == "heredoc_body")
            # A pipe or a list may go on behind `<<EOF`.
            inside.extend(part for part in child.named_children if not part.type.startswith(("heredoc_", "file_")))
        elif child.type in ("file_redirect", "herestring_redirect"):
            redirects.extend([child] if child.type == "file_redirect" else [])
            inside.append(child)
    found = tuple(map(_redirection, redirects))
    body = statement.child_by_field_name("body")
    first = _Waiting(body, found, tuple(documents)) if body is not None else None
    if first is None:
        return [_Waiting(each) for each in inside]
    return [first, *(_Waiting(each, seen=each.type == "file_redirect") for each in inside)]


def _is_joined(command: Node) -> bool:
    """Whether the shell sees other words than the grammar: a line is continued in a word, or behind `\\` stands CR."""
    text, start = command.text or b"", command.start_byte
    children = command.children
    gaps = (text[one.end_byte - start : two.start_byte - start] for one, two in pairwise(children))
    return any(b"\\\r" in gap or (gap != b"" and not gap.replace(b"\\\n", b"")) for gap in gaps)


def _words(node: Node) -> Iterator[Word]:
    for child in node.named_children:
        if child.type not in ("file_redirect", "heredoc_redirect", "herestring_redirect", "variable_assignment"):
            yield _word(child)


def _redirection(node: Node) -> Redirection:
    operator = next((child.type for child in node.children if not child.is_named), ">")
    target = next((child for child in node.named_children if child.type != "file_descriptor"), None)
    return Redirection(operator, Word(None) if target is None else _word(target))


def _word(node: Node) -> Word:
    kind = node.type
    if kind == "command_name" and node.named_child_count == 1:
        return _word(node.named_children[0])
    if kind in ("word", "number"):
        text = _text(node)
        return Word(_ESCAPED.sub(lambda match: match[1].removesuffix("\n"), text), _WILD.search(text) is not None)
    if kind == "variable_assignment":
        value = node.child_by_field_name("value")
        given = Word("") if value is None else _word(value)
        name = _text(node)[: (value.start_byte - node.start_byte) if value is not None else None]
        return Word(None if given.text is None else f"{name}{given.text}", given.wild)
    if kind == "variable_name":
        return Word(_text(node))
    if kind == "raw_string":
        return Word(_text(node)[1:-1])
    if kind == "ansi_c_string":
        text = _text(node)[2:-1]
        return Word(None if "\\" in text else text)
    if kind == "string":
        if any(child.type not in ("string_content",) for child in node.named_children):
            return Word(None)
        return Word(_ESCAPED_IN_QUOTES.sub(lambda match: match[1].removesuffix("\n"), _text(node)[1:-1]))
    if kind == "concatenation":
        parts = [_word(child) for child in node.named_children]
        if any(part.text is None for part in parts):
            return Word(None)
        covered = sum(child.end_byte - child.start_byte for child in node.named_children)
        wild = any(part.wild for part in parts) or covered != node.end_byte - node.start_byte
        return Word("".join(part.text or "" for part in parts), wild)
    return Word(None)


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
