"""What a YAML parser complains of, in words that a rule author reads, at the place where the mistake is."""

from __future__ import annotations

from rules_lsp.source.excerpt import bounded
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# libyaml takes these and nothing else; a lone surrogate cannot be given to it at all.
_FORBIDDEN = expression("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BEHIND_TEXT = expression(f"(?<=[!-~]){_FORBIDDEN.pattern}")
_BREAK = expression(r"[\r\n]")
_ESCAPE = expression(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)")
_OPENING_QUOTE = expression(r"""[ ]*(?:-[ ]+)*(?:[\w.-]+[ ]*:[ ]+)?["']""")
_KEY_BEFORE_COLON = expression(r"[{,][ ]*[A-Za-z_][\w.-]*\Z")
_CLOSING = {"[": "]", "{": "}"}
_COMMA_ALONE = expression(r",[ \t]*(?:\#|\Z)")
_MOST_SHOWN = 40


def character_problem(content: str) -> Problem | None:
    """The first character that may stand in no YAML text, as a problem; None where there is none."""
    match = _FORBIDDEN.search(content)
    if match is None:
        return None
    at = Span(match.start(), match.end())
    if "\0" in content[:2] or content[:4].count("\0") >= 2:
        return Problem("unreadable-file", "the file looks like UTF-16: save it as UTF-8", at)
    code = ord(match.group())
    message = f"the character U+{code:04X} may not stand in a YAML file: remove it"
    return Problem("syntax-error", message, at, data={"kind": "forbidden-character"})


def without_forbidden(content: str) -> str:
    """The content with a blank in place of each character that may not stand in YAML.

    Where a blank would indent what follows there is a replacement character.
    """
    return _FORBIDDEN.sub("\ufffd", _BEHIND_TEXT.sub(" ", content))


def syntax_problem(error: Any, content: str, documents: int) -> Problem:
    """The problem that a `yaml.YAMLError` means; its span counts from the start of `content`."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return Problem("syntax-error", "the file holds bytes that YAML cannot read", Span(0, min(1, len(content))))
    context_mark = getattr(error, "context_mark", None)
    return _explain(
        content,
        str(getattr(error, "context", None) or ""),
        str(getattr(error, "problem", None) or "it does not parse"),
        min(mark.index, len(content)),
        None if context_mark is None else min(context_mark.index, len(content)),
        documents,
    )


def _explain(content: str, context: str, problem: str, index: int, start: int | None, documents: int) -> Problem:
    if "nesting" in problem:
        return Problem(
            "alias-bomb", "the document is too deeply nested: a rule file needs three levels", _at(content, index)
        )
    if "end of stream" in problem and start is not None:
        return _syntax("this quote is never closed: add the closing quote", _at(content, start), "unclosed-quote")
    if ("escape" in problem and "URI" not in problem) or "hexdecimal" in problem:
        slash = index if content[index : index + 1] == "\\" else content.rfind("\\", 0, index + 1)
        match = _ESCAPE.match(content, slash)
        text = match.group() if match else content[slash : slash + 2]
        return _syntax(
            f"`{text}` stands for no character in double quotes: use single quotes",
            Span(slash, slash + len(text)),
            "bad-escape",
        )
    if "unexpected ':'" in problem and _KEY_BEFORE_COLON.search(content, _line_start(content, index), index):
        message = "a space is missing behind the `:`: write `: `"
        return Problem("missing-space", message, _at(content, index), data={"replacement": ": "})
    if "flow" in context or "flow" in problem:
        return _flow(content, index, start)
    if "simple key" in context and start is not None:
        end = _line_end(content, start)
        word = content[start:end].strip()
        return _syntax(
            f"`{bounded(word, _MOST_SHOWN)}` is no `key: value`: a colon is missing",
            Span(start, start + max(1, len(word))),
            "missing-colon",
        )
    if "mapping values are not allowed" in problem:
        message = "a colon cannot stand here: put the text around it in quotes"
        return _syntax(message, _at(content, index), "stray-colon")
    if "document start" in problem:
        return _document_start(content, index, documents)
    if content[index : index + 1] == "\t":
        return Problem("tab-indentation", "a tab cannot indent YAML: use spaces", _tabs(content, index))
    if "block" in context:
        return _block(content, index, problem)
    if "cannot start any token" in problem:
        return _syntax(
            f"`{content[index : index + 1]}` cannot begin a value: put the text in quotes", _at(content, index)
        )
    if "alias" in context or "anchor" in context or "tag" in context or "tag handle" in problem:
        at = index if start is None else start
        return _syntax(
            f"`{content[at : at + 1]}` has a meaning of its own in YAML: put the text in quotes", _at(content, at)
        )
    return _syntax(f"the YAML does not parse here: {problem}", _at(content, index))


def _flow(content: str, index: int, start: int | None) -> Problem:
    opening = start if start is not None and content[start : start + 1] in _CLOSING else _unclosed(content, index)
    if opening is None:
        return _syntax("a value or a closing bracket is missing here", _at(content, index))
    bracket = content[opening]
    return Problem(
        "syntax-error",
        f"this `{bracket}` is never closed, or a comma is missing behind an entry: add `{_CLOSING[bracket]}`",
        Span(opening, opening + 1),
        data={"kind": "unclosed-bracket", "until": str(max(1, index - opening))},
    )


def _unclosed(content: str, until: int) -> int | None:
    """The innermost bracket that is open at an offset, quotes and comments passed over."""
    opened: list[int] = []
    quote = ""
    for offset in range(until):
        char = content[offset]
        if quote:
            if char == quote and not (quote == '"' and content[offset - 1] == "\\"):
                quote = ""
        elif char in "[{":
            opened.append(offset)
        elif char in "]}":
            if opened:
                opened.pop()
        elif char in "'\"" and content[max(0, offset - 1) : offset] in ("", " ", "[", "{", ",", "\n"):
            quote = char
    return opened[-1] if opened else None


def _block(content: str, index: int, problem: str) -> Problem:
    line_start = _line_start(content, index)
    end = _line_end(content, index)
    at = Span(index, max(index + 1, end)) if index < len(content) else Span(index, index)
    if not content[line_start:index].strip():
        return _syntax("the indentation of this line fits none of the lines above: indent it like its neighbours", at)
    opening = _quote_left_open(content, line_start, index)
    if opening is not None:
        return _syntax("this quote is never closed: add the closing quote", _at(content, opening), "unclosed-quote")
    rest = bounded(content[index:end].strip(), _MOST_SHOWN)
    if _COMMA_ALONE.match(content, index, end):
        message = "a comma stands behind this entry, and entries that stand one a line need none: remove it"
        return _syntax(message, _at(content, index), "stray-comma")
    if rest.startswith(","):
        message = f"`{rest}` stands behind a value that has already ended: write the values as a list in brackets"
        return _syntax(message, at)
    return _syntax(f"`{rest}` stands behind a value that has already ended: put the whole value in quotes", at)


def _quote_left_open(content: str, line_start: int, index: int) -> int | None:
    """The quote of an earlier line that the parser took the opening quote before `index` for the end of."""
    if not _OPENING_QUOTE.fullmatch(content, line_start, index):
        return None
    end = line_start
    while end > 0:
        start = _line_start(content, end - 1)
        match = _OPENING_QUOTE.match(content, start, end)
        if match is not None:
            return match.end() - 1 if content[match.end() - 1] == content[index - 1] else None
        end = start
    return None


def _document_start(content: str, index: int, documents: int) -> Problem:
    offset = len(content[:index].rstrip())
    directive = _line_start(content, offset)
    if content[directive : directive + 1] == "%":
        return _syntax(
            "a line that begins with `%` is a YAML directive and cannot stand here: put the text in quotes",
            Span(directive, _line_end(content, directive)),
        )
    if documents:
        return Problem(
            "multiple-documents",
            "a second YAML document starts here and is never read: remove the `...` above or merge the two",
            Span(index, max(index, _line_end(content, index))),
        )
    return _syntax("a YAML document cannot start like this", _at(content, index))


def _syntax(message: str, span: Span, kind: str = "other") -> Problem:
    return Problem("syntax-error", message, span, data={"kind": kind})


def _at(content: str, index: int) -> Span:
    return Span(index, min(index + 1, len(content)))


def _tabs(content: str, index: int) -> Span:
    start = end = index
    while start and content[start - 1] in "\t ":
        start -= 1
    while content[end : end + 1] in ("\t", " "):
        end += 1
    return Span(content.find("\t", start, end), end)


def _line_start(content: str, index: int) -> int:
    return max(content.rfind("\n", 0, index), content.rfind("\r", 0, index)) + 1


def _line_end(content: str, index: int) -> int:
    match = _BREAK.search(content, index)
    return match.start() if match else len(content)
