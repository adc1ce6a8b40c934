"""Well-known programs, and which of their arguments are files that they read, change or remove."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rules_lsp.source.shell import Word

Use = tuple[Word, str]
"""A word that names a file, and the operation: `read`, `write`, `create` or `delete`."""
Program = Callable[[Sequence[Word]], Iterator[Use]]


def operands(words: Sequence[Word]) -> Iterator[Word]:
    """The words that are no options; behind `--` all are none."""
    literal = False
    for word in words:
        if not literal and word.text == "--":
            literal = True
        elif literal or (word.text or "")[:1] != "-" or word.text == "-":
            yield word


def _all(operation: str) -> Program:
    return lambda words: ((word, operation) for word in operands(words))


def _behind_first(operation: str, *instead: str) -> Program:
    """All operands but the first, which is a pattern or a script unless one of the options `instead` holds it."""

    def uses(words: Sequence[Word]) -> Iterator[Use]:
        found = list(operands(words))
        given = any((word.text or "").startswith(instead) for word in words) if instead else False
        yield from ((word, operation) for word in (found if given else found[1:]))

    return uses


def _to_last(source: str, target: str) -> Program:
    """Sources, and the target: the last operand, or that of `-t`."""

    def uses(words: Sequence[Word]) -> Iterator[Use]:
        found = list(operands(words))
        targets = [words[at + 1] for at, word in enumerate(words[:-1]) if word.text in ("-t", "--target-directory")]
        for word in words:
            if (word.text or "").startswith("--target-directory="):
                targets.append(Word((word.text or "").partition("=")[2]))
        if not targets and len(found) > 1:
            targets = [found.pop()]
        yield from ((word, source) for word in found if word not in targets)
        yield from ((word, target) for word in targets)
        # A file keeps its name in a directory.
        for place in targets:
            for word in found:
                name = (word.text or "").rstrip("/").rpartition("/")[2]
                if place.text and name and word not in targets:
                    yield Word(f"{place.text.rstrip('/')}/{name}", word.wild), target

    return uses


def _sed(words: Sequence[Word]) -> Iterator[Use]:
    in_place = any((word.text or "").startswith(("-i", "--in-place", "-ni", "-Ei", "-ri")) for word in words)
    yield from _behind_first("write" if in_place else "read", "-e", "-f", "--expression", "--file")(words)


def _dd(words: Sequence[Word]) -> Iterator[Use]:
    for word in words:
        key, equals, value = (word.text or "").partition("=")
        if equals and key in ("if", "of"):
            yield Word(value), "read" if key == "if" else "write"


def _output_of(*options: str) -> Program:
    """The file behind an option that names where the output goes."""

    def uses(words: Sequence[Word]) -> Iterator[Use]:
        for at, word in enumerate(words):
            text = word.text or ""
            if text in options and at + 1 < len(words):
                yield words[at + 1], "write"
            for option in options:
                if option.startswith("--") and text.startswith(f"{option}="):
                    yield Word(text.partition("=")[2]), "write"

    return uses


def _find(words: Sequence[Word]) -> Iterator[Use]:
    if any(word.text == "-delete" for word in words):
        for word in words:
            if (word.text or "-")[0] in "-(!":
                return
            yield word, "delete"


def _git(words: Sequence[Word]) -> Iterator[Use]:
    rest = list(words)
    while rest and (rest[0].text or "")[:1] == "-":
        takes_value = rest.pop(0).text in ("-C", "-c", "--git-dir", "--work-tree")
        if takes_value and rest:
            rest.pop(0)
    verb, arguments = (rest[0].text or "", rest[1:]) if rest else ("", [])
    if verb in ("rm", "clean"):
        yield from ((word, "delete") for word in operands(arguments))
    elif verb == "mv":
        yield from _to_last("delete", "write")(arguments)
    elif verb in ("checkout", "restore"):
        yield from ((word, "write") for word in operands(arguments))
    elif verb in ("show", "cat-file", "diff", "log", "blame", "grep", "archive"):
        for word in operands(arguments):
            # `HEAD:secrets/key.pem` is the file of a commit.
            _, colon, path = (word.text or "").partition(":")
            yield (Word(path.removeprefix("./")) if colon else word), "read"


_READING = (
    ".", "b2sum", "base32", "base64", "bat", "batcat", "cat", "cksum", "cmp", "column", "comm", "cut", "diff",
    "expand", "file", "fmt", "fold", "head", "hexdump", "less", "md5sum", "more", "most", "nl", "od", "paste",
    "readlink", "rev", "sha1sum", "sha256sum", "sha512sum", "sort", "source", "strings", "tac", "tail", "uniq", "view",
    "wc", "xxd",
)  # fmt: skip
_SEARCHING = ("ack", "ag", "egrep", "fgrep", "grep", "jq", "rg", "yq", "zgrep")

PROGRAMS: dict[str, Program] = {
    **dict.fromkeys(_READING, _all("read")),
    **dict.fromkeys(_SEARCHING, _behind_first("read", "-e", "-f", "--regexp", "--file", "--files")),
    **dict.fromkeys(("rm", "rmdir", "unlink", "shred", "trash", "srm"), _all("delete")),
    **dict.fromkeys(("tee", "truncate", "vi", "vim", "nvim", "nano", "emacs", "ed", "ex"), _all("write")),
    **dict.fromkeys(("touch", "mkdir", "mkfifo"), _all("create")),
    **dict.fromkeys(("chmod", "chown", "chgrp", "setfacl"), _behind_first("write")),
    **dict.fromkeys(("cp", "install", "rsync", "scp"), _to_last("read", "write")),
    "mv": _to_last("delete", "write"),
    "ln": _to_last("read", "create"),
    "sed": _sed,
    "gsed": _sed,
    **dict.fromkeys(("awk", "gawk", "mawk"), _behind_first("read", "-f", "--file")),
    "dd": _dd,
    "curl": _output_of("-o", "--output"),
    "wget": _output_of("-O", "--output-document"),
    "find": _find,
    "git": _git,
    "patch": _all("write"),
}
"""The uses of files by a program's name."""
