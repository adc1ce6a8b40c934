"""Jinja2 as personas have it: sandboxed, without files, and with offsets in place of line numbers.

Nodes and errors of Jinja2 know only their line. Its tokens are numbered by their offsets here instead, so that what it
calls the line of a node or an error is the offset of the token.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

from jinja2 import FunctionLoader, StrictUndefined, TemplateSyntaxError
from jinja2.lexer import TokenStream
from jinja2.sandbox import ImmutableSandboxedEnvironment

from rules_lsp.prompt.personas.known import FILTERS, HIDDEN_GLOBALS
from rules_lsp.source.expressions import expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jinja2.lexer import Token

    RawToken = tuple[int, str, str]

_PACKAGED = expression(r"[a-z][a-z-]*\.jinja")


class PersonaEnvironment(ImmutableSandboxedEnvironment):
    """Renders templates that may come from anywhere; only packaged texts can be included."""

    def __init__(self, relative_path: Callable[[str], str] = str) -> None:
        super().__init__(undefined=StrictUndefined, loader=FunctionLoader(packaged_text), autoescape=False)
        self.filters.update(dict.fromkeys(FILTERS, relative_path))
        for name in HIDDEN_GLOBALS:
            self.globals.pop(name, None)

    def _tokenize(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        return TokenStream(self._tokens(str(source), name, filename, state), name, filename)

    def _tokens(self, source: str, name: str | None, filename: str | None, state: str | None) -> Iterator[Token]:
        position = 0

        def raw() -> Iterator[RawToken]:
            nonlocal position
            for token in self.raw_tokens(source, name, filename, state):
                position = token[0]
                yield token

        try:
            yield from self.lexer.wrap(raw(), name, filename)
        except ValueError:
            # Python reads no number of so many digits.
            raise TemplateSyntaxError("the number has too many digits", position, name, filename) from None

    def raw_tokens(
        self, source: str, name: str | None = None, filename: str | None = None, state: str | None = None
    ) -> Iterator[RawToken]:
        """Every token with its offset. Raises TemplateSyntaxError with the offset of what is no token as its line."""
        position = 0
        tokens = self.lexer.tokeniter(source, name, filename, state)
        while True:
            try:
                _, kind, value = next(tokens)
            except StopIteration:
                return
            except TemplateSyntaxError as error:
                while position < len(source) and source[position].isspace():
                    position += 1
                raise TemplateSyntaxError(error.message or "", position, name, filename) from None
            # White space that a `-` takes away is in no token.
            start = source.find(value, position)
            start = position if start < 0 else start
            position = start + len(value)
            yield start, kind, value


def packaged_text(name: str) -> str | None:
    """A text of the package that templates may include or import; None where there is none of that name."""
    if not _PACKAGED.fullmatch(name):
        return None
    file = resources.files("rules_lsp.prompt.personas").joinpath("data", name)
    return file.read_text(encoding="utf-8") if file.is_file() else None


def packaged_names() -> tuple[str, ...]:
    """The names of the texts that templates may include or import."""
    folder = resources.files("rules_lsp.prompt.personas").joinpath("data")
    return tuple(sorted(each.name for each in folder.iterdir() if each.name.endswith(".jinja")))


def tokens_of(environment: PersonaEnvironment, source: str) -> list[Any]:
    """The tokens of a template with their offsets, as far as it can be read."""
    found: list[Any] = []
    try:
        for token in environment.raw_tokens(source):
            found.append(token)
    except TemplateSyntaxError:
        pass
    return found
