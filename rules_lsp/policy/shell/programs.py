"""Well-known programs, and which of their arguments are files that they read, change or remove.

A value of an option is a file only where the table says so: `grep -A 3 key.pem x` reads `x` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from rules_lsp.policy.shell.arguments import Arguments, read_arguments
from rules_lsp.policy.shell.cmdlets import CMDLETS
from rules_lsp.policy.shell.git_files import git_uses
from rules_lsp.source.expressions import expression
from rules_lsp.source.shell import Word

Use = tuple[Word, str]
"""A word that names a file, and the operation: `read`, `write`, `create` or `delete`."""
Program = Callable[[Sequence[Word]], Iterator[Use]]

_ELSEWHERE = expression(r"[\w.@-]+:")
_NO_FILES: Mapping[str, str] = {}


def operands(words: Sequence[Word]) -> Iterator[Word]:
    """The words that are no options; behind `--` all are none."""
    return iter(read_arguments(words).operands)


def _options(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _on(operation: str, values: str = "", files: Mapping[str, str] = _NO_FILES) -> Program:
    """All operands are files. `values` are options with a value that is none, `files` those whose value is one."""
    return _behind(0, operation, values, files)


def _behind(
    first: int, operation: str, values: str = "", files: Mapping[str, str] = _NO_FILES, instead: Collection[str] = ()
) -> Program:
    """Files are the operands behind the first ones, a pattern or a mode, unless an option `instead` holds these."""
    with_value = _options(values) | frozenset(files)

    def uses(words: Sequence[Word]) -> Iterator[Use]:
        arguments = read_arguments(words, with_value)
        skipped = 0 if arguments.has(*instead) else first
        yield from ((word, operation) for word in arguments.operands[skipped:])
        yield from _named_by(arguments, files)

    return uses


def _named_by(arguments: Arguments, files: Mapping[str, str]) -> Iterator[Use]:
    for name, operation in files.items():
        yield from ((word, operation) for word in arguments.values(name))


def _to_last(source: str, target: str, values: str = "", *, remote: bool = False) -> Program:
    """Sources, and the target: the last operand, or that of `-t`. `remote` programs know files of other machines."""
    with_value = _options(values) | ({"target-directory"} if remote else {"t", "target-directory"})

    def uses(words: Sequence[Word]) -> Iterator[Use]:
        arguments = read_arguments(words, with_value)
        found = list(arguments.operands)
        targets = list(arguments.values("t", "target-directory"))
        if not targets and len(found) > 1:
            targets = [found.pop()]
        yield from ((word, source) for word in found if not (remote and _is_elsewhere(word)))
        for place in targets:
            if remote and _is_elsewhere(place):
                continue
            yield place, target
            # A file keeps its name in a directory.
            for word in found:
                name = (word.text or "").rstrip("/").rpartition("/")[2]
                if place.text and name:
                    yield Word(f"{place.text.rstrip('/')}/{name}", word.wild), target

    return uses


def _is_elsewhere(word: Word) -> bool:
    return _ELSEWHERE.match(word.text or "") is not None


def _editing(values: str, script: Collection[str], in_place: Collection[str], files: Mapping[str, str]) -> Program:
    """A stream editor: its script comes first unless an option holds it, and its files are changed in place or read."""
    with_value = (_options(values) | frozenset(script) | frozenset(files)) - {"i"}

    def uses(words: Sequence[Word]) -> Iterator[Use]:
        arguments = read_arguments(words, with_value, attached="i")
        found = arguments.operands
        if arguments.has("i") and found[:1] == (Word(""),):
            # The suffix of BSD's `-i`.
            found = found[1:]
        operation = "write" if arguments.has(*in_place) else "read"
        yield from ((word, operation) for word in (found if arguments.has(*script, *files) else found[1:]))
        yield from _named_by(arguments, files)

    return uses


def _awk(words: Sequence[Word]) -> Iterator[Use]:
    arguments = read_arguments(words, _options("F v field-separator assign i include f file l load"))
    scripts = tuple(arguments.values("f", "file"))
    in_place = any(word.text == "inplace" for word in arguments.values("i", "include"))
    operation = "write" if in_place else "read"
    yield from ((word, operation) for word in arguments.operands[0 if scripts else 1 :])
    yield from ((word, "read") for word in scripts)


def _jq(words: Sequence[Word]) -> Iterator[Use]:
    """The filter comes first, and some options take a name and a value."""
    rest: list[Word] = []
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word.text in ("--arg", "--argjson", "--slurpfile", "--rawfile"):
            yield from ((file, "read") for file in waiting[1:2] if "file" in word.text)
            del waiting[:2]
        elif word.text in ("--args", "--jsonargs"):
            break
        else:
            rest.append(word)
    yield from _behind(1, "read", "indent", {"f": "read", "from-file": "read"}, ("f", "from-file"))(rest)


def _dd(words: Sequence[Word]) -> Iterator[Use]:
    for word in words:
        key, equals, value = (word.text or "").partition("=")
        if equals and key in ("if", "of"):
            yield Word(value), "read" if key == "if" else "write"


_CURL_VALUES = (
    "A H X u e m w x b c E user-agent header request user referer max-time write-out proxy cookie cookie-jar cert key"
    " cacert retry retry-delay connect-timeout url range resolve limit-rate max-redirs form-string data-raw json"
)
_SENT = ("d", "data", "data-ascii", "data-binary", "data-urlencode", "F", "form")


def _curl(words: Sequence[Word]) -> Iterator[Use]:
    """Where the output goes, and what is sent: `-T file`, `-d @file`, `-F name=@file`."""
    files = {"o": "write", "output": "write", "T": "read", "upload-file": "read", "K": "read", "config": "read"}
    arguments = read_arguments(words, _options(_CURL_VALUES) | frozenset(files) | frozenset(_SENT))
    yield from ((word, operation) for word, operation in _named_by(arguments, files) if word.text != "-")
    for value in arguments.values(*_SENT):
        before, mark, path = (value.text or "").partition("@")
        if mark and (not before or before.endswith("=")):
            yield Word(path.partition(";")[0]), "read"
    for word in arguments.operands:
        if (word.text or "").startswith("file://"):
            yield Word((word.text or "").removeprefix("file://")), "read"


def _named_only(files: Mapping[str, str], values: str = "") -> Program:
    """Operands are no files, only the values of some options are."""
    with_value = _options(values) | frozenset(files)
    return lambda words: _named_by(read_arguments(words, with_value), files)


def _tar(words: Sequence[Word]) -> Iterator[Use]:
    """What goes into an archive is read; what comes out of it is written, below `-C` if that is given."""
    given = list(words)
    if given and (given[0].text or "-")[0] != "-":
        given[0] = Word(f"-{given[0].text}")
    values = _options("f file C directory T files-from X exclude-from I use-compress-program exclude transform")
    arguments = read_arguments(given, values)
    out = arguments.has("x", "extract", "get")
    lists = arguments.has("t", "list")
    yield from ((word, "read" if out or lists else "write") for word in arguments.values("f", "file"))
    places = [word.text for word in arguments.values("C", "directory") if word.text]
    if out:
        yield from ((Word(place), "write") for place in places)
    if not lists:
        for word in arguments.operands:
            below = f"{places[-1]}/{word.text}" if places and word.text and word.text[0] != "/" else word.text
            yield Word(below, word.wild), "write" if out else "read"


def _zip(words: Sequence[Word]) -> Iterator[Use]:
    """The archive, and what goes into it; names behind `-x` and `-i` are patterns."""
    end = next((at for at, word in enumerate(words) if word.text in ("-x", "-i", "--exclude", "--include")), len(words))
    found = list(read_arguments(words[:end]).operands)
    yield from ((word, "write") for word in found[:1])
    yield from ((word, "read") for word in found[1:])


_FIND_OPTIONS = ("-H", "-L", "-P", "-E", "-X", "-x", "-s")


def _find(words: Sequence[Word]) -> Iterator[Use]:
    """The places where a search starts are read; what is found by its whole name is read by `-exec` or removed."""
    starts: list[Word] = []
    rest = list(words)
    while rest and ((rest[0].text or "x")[0] not in "-(!" or rest[0].text in _FIND_OPTIONS):
        word = rest.pop(0)
        starts.extend([word] if word.text not in _FIND_OPTIONS else [])
    yield from ((word, "read") for word in starts)
    deletes = any(word.text == "-delete" for word in rest)
    if deletes and all((word.text or "x")[0] == "-" for word in rest):
        yield from ((word, "delete") for word in starts)
    if not deletes and not any((word.text or "").startswith(("-exec", "-ok")) for word in rest):
        return
    for test, name in zip(rest, rest[1:], strict=False):
        if test.text == "-name" and name.text and not set(name.text) & set("*?["):
            for start in starts or [Word(".")]:
                if start.text:
                    yield Word(f"{start.text}/{name.text}"), "delete" if deletes else "read"


_GREP_VALUES = (
    "A B C m D d e regexp after-context before-context context max-count include exclude exclude-dir color colour label"
    " devices directories binary-files"
)
_RG_VALUES = (
    _GREP_VALUES + " g glob iglob t type T type-not type-add type-clear r replace M max-columns max-depth E encoding"
    " sort sortr engine j threads pre colors max-filesize ignore ignore-dir G file-search-regex"
)
_READING: dict[str, str] = {
    **dict.fromkeys(
        (".", "b2sum", "cat", "cksum", "cmp", "comm", "file", "less", "md5sum", "more", "most", "nl", "paste",
         "readlink", "rev", "sha1sum", "sha256sum", "sha512sum", "source", "tac", "view"),
        "",
    ),
    **dict.fromkeys(("base32", "base64", "fmt", "fold", "expand", "wc"), "w width wrap t tabs"),
    **dict.fromkeys(("bat", "batcat"), "l language r line-range H highlight-line theme style color paging tabs"),
    **dict.fromkeys(("head", "tail"), "n c lines bytes s pid"),
    "column": "s t o separator table output-separator N H",
    "cut": "b c d f bytes characters delimiter fields output-delimiter",
    "diff": "x exclude I F L U C W label ignore-matching-lines unified context width",
    "hexdump": "e f n s",
    "iconv": "f t from-code to-code",
    "ls": "I ignore w T hide block-size time-style sort color format",
    "od": "A j N t w S",
    "strings": "n t e bytes",
    "tree": "I P L",
    "uniq": "f s w skip-fields skip-chars",
    "xxd": "c g l o s",
}  # fmt: skip
_OUTPUT = {"o": "write", "output": "write"}

_RULES = {"f": "read", "file": "read"}

PROGRAMS: dict[str, Program] = {
    **{name: _on("read", values) for name, values in _READING.items()},
    "iconv": _on("read", _READING["iconv"], _OUTPUT),
    "sort": _on("read", "k t S T key field-separator buffer-size temporary-directory parallel", _OUTPUT),
    "split": _on("read", "a b C l n suffix-length bytes lines number"),
    **dict.fromkeys(
        ("egrep", "fgrep", "grep", "zgrep"), _behind(1, "read", _GREP_VALUES, _RULES, ("e", "f", "regexp", "file"))
    ),
    **dict.fromkeys(("ack", "ag", "rg"), _behind(1, "read", _RG_VALUES, _RULES, ("e", "f", "regexp", "file", "files"))),
    "jq": _jq,
    "yq": _behind(1, "read", "e expression I indent o output-format p input-format", {"from-file": "read"}, ("e",)),
    **dict.fromkeys(("rm", "rmdir", "unlink", "shred", "trash", "srm"), _on("delete", "n s iterations size")),
    **dict.fromkeys(("tee", "sponge", "vi", "vim", "nvim", "nano", "emacs", "ed", "ex"), _on("write", "c cmd")),
    "truncate": _on("write", "s r size reference"),
    "touch": _on("create", "d t r date time reference"),
    **dict.fromkeys(("mkdir", "mkfifo"), _on("create", "m mode")),
    **dict.fromkeys(("chmod", "chown", "chgrp"), _behind(1, "write", "from reference", instead=("reference",))),
    "setfacl": _on("write", "m x M X modify remove"),
    "cp": _to_last("read", "write", "S suffix"),
    "install": _to_last("read", "write", "g m o S group mode owner suffix"),
    "rsync": _to_last(
        "read", "write", "e f rsh exclude include filter exclude-from include-from max-size bwlimit", remote=True
    ),
    "scp": _to_last("read", "write", "c F i J l o P S", remote=True),
    "mv": _to_last("delete", "write", "S suffix"),
    **dict.fromkeys(("ln", "link"), _to_last("read", "create", "S suffix")),
    **dict.fromkeys(
        ("sed", "gsed"),
        _editing("l line-length", ("e", "expression"), ("i", "in-place"), {"f": "read", "file": "read"}),
    ),
    **dict.fromkeys(("perl", "ruby"), _editing("I M m r", ("e", "E"), ("i",), {})),
    **dict.fromkeys(("awk", "gawk", "mawk"), _awk),
    "dd": _dd,
    "curl": _curl,
    "wget": _named_only(
        {"O": "write", "output-document": "write", "post-file": "read", "body-file": "read", "i": "read"},
        "P U directory-prefix header user-agent user password timeout tries",
    ),
    "tar": _tar,
    "zip": _zip,
    "unzip": _named_only({"d": "write"}),
    **dict.fromkeys(("gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd"), _on("write", "S suffix o")),
    **dict.fromkeys(("gpg", "gpg2"), _on("read", "r u recipient local-user", _OUTPUT)),
    "find": _find,
    "git": git_uses,
    "patch": _on("write", "p strip d directory", {"o": "write", "i": "read", "output": "write", "input": "read"}),
    **CMDLETS,
}
"""The uses of files by a program's name."""
