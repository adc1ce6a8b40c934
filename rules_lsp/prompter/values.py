"""YAML nodes as plain values, with a problem for each that is not what a key takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rules_lsp.policy.keys import meant_key
from rules_lsp.policy.yaml.lists import first_line, kind_of
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem, Related
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence, key_text, resolve

Report = Callable[[Problem], None]

_INTEGER = expression(r"(?:0|[1-9][0-9]{0,8})\Z")
_SHARE = expression(r"(?:0|1|0?\.[0-9]{1,9}|1\.0{1,9})\Z")
_SWITCHES = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


class Wrong(Exception):
    """A value that cannot be read; what is wrong was reported."""


class Reader:
    """Reads values and reports; every `read_*` raises `Wrong` behind its report."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def refuse(self, code: str, message: str, span: Span, meant: str | None = None) -> Wrong:
        """Report an error; what comes back is to be raised. `meant` is the known word that is near to it."""
        self._report(Problem(code, message, span, data={} if meant is None else {"meant": meant}))
        return Wrong(message)

    def pairs(self, node: Node, what: str, known: Iterable[str]) -> Iterator[tuple[Scalar, Node]]:
        """The pairs of a mapping with known keys; others are reported, with the nearest."""
        value = resolve(node)
        if not isinstance(value, Mapping):
            raise self.refuse("wrong-type", f"{what} must be a mapping and is {_told(value)}", node.token)
        seen: dict[str, Scalar] = {}
        faults: list[Wrong] = []
        names = tuple(known)
        for name, child in value.pairs:
            key = key_text(name)
            if key is None or key.is_merge:
                faults.append(self.refuse("wrong-type", f"{what} must have plain keys: write them out", name.token))
            elif key.value in seen:
                message = f"the key `{first_line(key.value)}` stands twice: remove one of them"
                self._report(
                    Problem("duplicate-key", message, key.span, related=(Related(seen[key.value].span, "first here"),))
                )
                faults.append(Wrong(message))
            elif key.value in names:
                seen[key.value] = key
                yield key, child
            elif not key.value.startswith("x-"):
                faults.append(self._unknown(key, names))
        if faults:
            raise faults[0]

    def _unknown(self, key: Scalar, known: tuple[str, ...]) -> Wrong:
        meant = meant_key(key.value, known)
        hint = f"did you mean `{meant}`?" if meant else "the known keys are " + ", ".join(f"`{k}`" for k in known)
        message = f"unknown key `{first_line(key.value)}`: {hint}"
        self._report(Problem("unknown-key", message, key.span, data={"rename": meant} if meant else {}))
        return Wrong(message)

    def text(self, node: Node, what: str) -> str:
        """A text that is not empty."""
        value = resolve(node)
        if not isinstance(value, Scalar) or not value.value.strip() or value.says_nothing:
            raise self.refuse("wrong-type", f"{what} must be a text and is {_told(value)}", node.token)
        return value.value

    def texts(self, node: Node, what: str) -> list[str]:
        """A list with at least one text."""
        return [text for text, _ in self.placed_texts(node, what)]

    def placed_texts(self, node: Node, what: str) -> list[tuple[str, Span]]:
        """A list with at least one text, each with where it stands; those behind an alias stand where that does."""
        value = resolve(node)
        if not isinstance(value, Sequence) or not value.items:
            raise self.refuse("wrong-type", f"{what} must be a list of texts and is {_told(value)}", node.token)
        entry = f"an entry of {what}"
        return [(self.text(item, entry), place_of(item) if value is node else node.token) for item in value.items]

    def switch(self, node: Node, what: str) -> bool:
        """A plain `true` or `false`."""
        value = resolve(node)
        plain = value.value if isinstance(value, Scalar) and not value.style and value.tag is None else ""
        if plain not in _SWITCHES:
            raise self.refuse(
                "wrong-type", f"{what} must be `true` or `false` without quotes and is {_told(value)}", node.token
            )
        return _SWITCHES[plain]

    def integer(self, node: Node, what: str, least: int) -> int:
        """A whole number of at least `least`."""
        value = resolve(node)
        plain = value.value if isinstance(value, Scalar) and not value.style and value.tag is None else ""
        if not _INTEGER.match(plain) or int(plain) < least:
            message = f"{what} must be a whole number of at least {least} and is {_told(value)}"
            raise self.refuse("wrong-type", message, node.token)
        return int(plain)

    def share(self, node: Node, what: str) -> float:
        """A number from 0 to 1."""
        value = resolve(node)
        plain = value.value if isinstance(value, Scalar) and not value.style and value.tag is None else ""
        if not _SHARE.match(plain):
            raise self.refuse("wrong-type", f"{what} must be a number from 0 to 1 and is {_told(value)}", node.token)
        return float(plain)

    def unknown(self, what: str, text: str, span: Span, known: tuple[str, ...]) -> Wrong:
        """Report a text that is none of some words, with the nearest of them; what comes back is to be raised."""
        meant = meant_key(text, known)
        hint = f"did you mean `{meant}`?" if meant else "use one of " + ", ".join(f"`{name}`" for name in known)
        return self.refuse("unknown-value", f"{what}: {hint}", span, meant)

    def choice(self, node: Node, what: str, known: Iterable[str]) -> str:
        """One of some words."""
        text = self.text(node, what)
        names = tuple(known)
        if text not in names:
            raise self.unknown(f"{what} cannot be `{first_line(text)}`", text, place_of(node), names)
        return text


def place_of(node: Node) -> Span:
    """Where a value stands: of a text what is in its quotes."""
    return node.span if isinstance(node, Scalar) and len(node.span) else node.token


def first_key_of(node: Node) -> Span:
    """Where what is missing in a mapping is told: its first key, or all of it where it has none."""
    value = resolve(node)
    return value.pairs[0][0].token if value is node and isinstance(value, Mapping) and value.pairs else node.token


def _told(value: Node | None) -> str:
    if isinstance(value, Scalar):
        return f"`{first_line(value.value)}`" if value.value else "empty"
    return "an empty list" if isinstance(value, Sequence) and not value.items else kind_of(value)
