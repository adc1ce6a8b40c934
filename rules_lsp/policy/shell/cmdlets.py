"""The files that cmdlets of PowerShell, and commands of Windows by their names, read, change or remove."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rules_lsp.source.shell import Word

_PATHS = frozenset({"path", "literalpath", "filepath", "pspath", "lp"})
_NO_PATHS = frozenset({
    "value", "encoding", "filter", "include", "exclude", "delimiter", "totalcount", "head", "first", "tail", "last",
    "readcount", "stream", "itemtype", "name", "newname", "pattern", "width", "inputobject", "erroraction",
})  # fmt: skip


def _cmdlet(operation: str, target: str | None = None) -> Callable[[Sequence[Word]], Iterator[tuple[Word, str]]]:
    """A cmdlet whose first operand, or `-Path`, is its file, and with `target` the second, or `-Destination`, too."""

    def uses(words: Sequence[Word]) -> Iterator[tuple[Word, str]]:
        positions = [operation, *([target] if target is not None else [])]
        rest = iter(words)
        for word in rest:
            text = word.text or ""
            parameter = text[1:].casefold() if text[:1] == "-" else None
            if parameter in _PATHS:
                yield from ((value, operation) for value in [next(rest, None)] if value is not None)
                positions = positions[1:]
            elif parameter == "destination" and target is not None:
                yield from ((value, target) for value in [next(rest, None)] if value is not None)
            elif parameter in _NO_PATHS:
                next(rest, None)
            elif parameter is None and positions:
                yield word, positions.pop(0)

    return uses


def _operands(operation: str) -> Callable[[Sequence[Word]], Iterator[tuple[Word, str]]]:
    """A command of Windows: what does not begin with `/` is a file."""
    return lambda words: ((word, operation) for word in words if (word.text or "/")[0] != "/")


CMDLETS = {
    **dict.fromkeys(("get-content", "import-csv"), _cmdlet("read")),
    **dict.fromkeys(("set-content", "add-content", "clear-content", "export-csv", "out-file"), _cmdlet("write")),
    "new-item": _cmdlet("create"),
    "remove-item": _cmdlet("delete"),
    "copy-item": _cmdlet("read", "write"),
    **dict.fromkeys(("move-item", "rename-item"), _cmdlet("delete", "write")),
    **dict.fromkeys(("del", "erase"), _operands("delete")),
    **dict.fromkeys(("copy", "type"), _operands("read")),
    **dict.fromkeys(("move", "ren"), _operands("delete")),
}
"""The uses of files by a command's name in small letters."""
