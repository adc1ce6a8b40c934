"""The files that a command line of Git reads, changes or removes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules_lsp.policy.shell.arguments import Arguments, read_arguments
from rules_lsp.source.shell import Word

_BEFORE_VERB = frozenset({"C", "c", "git-dir", "work-tree", "namespace", "exec-path", "config-env", "super-prefix"})
_SEARCHING = frozenset({
    "author", "committer", "date", "diff-filter", "format", "grep", "inter-hunk-context", "l", "L", "max-count", "n",
    "O", "pretty", "since", "skip", "until", "after", "before", "G", "S", "U", "unified", "output", "src-prefix",
})  # fmt: skip
_WITH_VALUE: dict[str, frozenset[str]] = {
    "blame": frozenset({"L", "S", "contents", "ignore-rev", "ignore-revs-file"}),
    "checkout": frozenset({"b", "B", "orphan", "conflict"}),
    "clean": frozenset({"e", "exclude"}),
    "diff": _SEARCHING,
    "grep": frozenset({"A", "B", "C", "e", "f", "m", "O", "max-depth", "threads", "max-count"}),
    "hash-object": frozenset({"t", "path"}),
    "log": _SEARCHING,
    "restore": frozenset({"s", "source"}),
    "show": _SEARCHING,
    "archive": frozenset({"format", "o", "output", "prefix", "remote", "exec", "add-file"}),
    "worktree": frozenset({"b", "B", "reason"}),
    "clone": frozenset(
        {"b", "branch", "c", "config", "depth", "j", "o", "origin", "reference", "u", "separate-git-dir"}
    ),
}
_REMOVING = frozenset({"rm", "clean"})
_READING = frozenset({"add", "archive", "blame", "cat-file", "diff", "hash-object", "log", "show"})


def git_uses(words: Sequence[Word]) -> Iterator[tuple[Word, str]]:
    """The files behind `git`, each with the operation; those of a commit (`HEAD:a/b`) count as the files themselves."""
    directory, verb, rest = _verb(words)
    arguments = read_arguments(rest, _WITH_VALUE.get(verb, ()))
    for word, operation in _uses(verb, arguments):
        if word.text and directory is not None and word.text[0] != "/":
            yield Word(f"{directory}/{word.text}", word.wild), operation
        else:
            yield word, operation


def _verb(words: Sequence[Word]) -> tuple[str | None, str, Sequence[Word]]:
    """The directory in which Git is told to work, the verb, and what stands behind it."""
    directory: str | None = None
    rest = list(words)
    while rest and (rest[0].text or "")[:1] == "-":
        name = (rest.pop(0).text or "").lstrip("-")
        if name in _BEFORE_VERB and rest:
            value = rest.pop(0).text
            if name == "C" and value:
                directory = value if directory is None or value[0] == "/" else f"{directory}/{value}"
    return directory, (rest[0].text or "") if rest else "", rest[1:]


def _uses(verb: str, arguments: Arguments) -> Iterator[tuple[Word, str]]:
    operands = arguments.operands
    if verb in _REMOVING:
        yield from ((word, "delete") for word in operands)
    elif verb == "mv":
        yield from ((word, "delete") for word in operands[:-1])
        yield from ((word, "write") for word in operands[-1:])
    elif verb == "checkout":
        # A new branch may be called as a file is.
        if not arguments.has("b", "B", "orphan"):
            yield from ((word, "write") for word in operands)
    elif verb == "restore":
        yield from ((word, "write") for word in operands)
    elif verb == "grep":
        yield from ((word, "read") for word in operands[0 if arguments.has("e", "f") else 1 :])
        yield from ((word, "read") for word in arguments.values("f"))
    elif verb in _READING:
        yield from ((_of_commit(word), "read") for word in operands)
        yield from ((word, "write") for word in arguments.values("output", "o"))
    elif verb == "worktree" and operands[:1] == (Word("add"),) or verb == "clone":
        yield from ((word, "create") for word in operands[1:2])


def _of_commit(word: Word) -> Word:
    _, colon, path = (word.text or "").partition(":")
    # `:0:path` is the file of the index.
    return Word((path[2:] if path[1:2] == ":" else path).removeprefix("./")) if colon else word
