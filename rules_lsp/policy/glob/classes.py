"""`[…]`: git's own rules, which are not quite those of POSIX."""

from __future__ import annotations

from rules_lsp.policy.glob.nodes import POSIX_CLASSES, CharacterClass, ClassRange, GlobError, PosixClass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.policy.glob.syntax import Line


def read_class(line: Line, start: int, end: int) -> tuple[CharacterClass, int] | GlobError:
    """The class that opens at `start`, and the index behind it; the line is read up to `end`.

    `]` is literal in the first place, `-` where no range can be, `[:` where no `:]` follows; a backslash escapes.
    """
    text = line.text
    unclosed = GlobError("has a `[` that is never closed", line.start(start), line.end(start + 1), "unclosed-class")
    index = start + 1
    negated = index < end and text[index] in "!^"
    if negated:
        index += 1
    first = index
    items: list[ClassRange | PosixClass] = []
    previous = ""
    while True:
        if index >= end:
            return unclosed
        character = text[index]
        if character == "]" and index > first:
            break
        if character == "\\":
            if index + 1 >= end:
                return unclosed
            previous = text[index + 1]
            items.append(ClassRange(previous, previous))
            index += 2
        elif character == "-" and previous and index + 1 < end and text[index + 1] != "]":
            range_start, index = index - 1, index + 1
            if text[index] == "\\":
                index += 1
                if index >= end:
                    return unclosed
            if text[index] < previous:
                message = f"has the range `{previous}-{text[index]}`, which is backwards"
                return GlobError(message, line.start(range_start), line.end(index + 1), "reversed-range")
            items[-1] = ClassRange(previous, text[index])
            previous = ""
            index += 1
        elif text.startswith("[:", index):
            close = text.find("]", index + 2, end)
            if close < 0:
                return unclosed
            if close == index + 2 or text[close - 1] != ":":
                items.append(ClassRange("[", "["))
                previous = "["
                index += 1
                continue
            name = text[index + 2 : close - 1]
            if name not in POSIX_CLASSES:
                message = f"has `[:{name}:]`, which is no character class"
                return GlobError(message, line.start(index), line.end(close + 1), "unknown-class")
            items.append(PosixClass(name))
            previous = ""
            index = close + 1
        else:
            items.append(ClassRange(character, character))
            previous = character
            index += 1
    index += 1
    source = text[start:index]
    return CharacterClass(tuple(items), negated, source, line.start(start), line.end(index)), index
