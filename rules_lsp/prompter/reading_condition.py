"""The condition of a rule: the parts that must all hold."""

from __future__ import annotations

from rules_lsp.policy.entries import checked_entry
from rules_lsp.policy.shell.kinds import KINDS
from rules_lsp.policy.yaml.lists import first_line
from rules_lsp.prompter import keys
from rules_lsp.prompter.language import SCRIPTS
from rules_lsp.prompter.values import Reader, Wrong, place_of
from rules_lsp.source.linear_expressions import parse_linear
from rules_lsp.source.yaml_tree import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_condition(node: Node, reader: Reader) -> dict[str, Any]:
    """The parts of a condition as plain data. Raises `Wrong` behind a report."""
    found: dict[str, Any] = {}
    faults: list[Wrong] = []
    for key, value in reader.pairs(node, "`condition`", keys.CONDITION):
        try:
            found[key.value] = _part(key.value, value, reader)
        except Wrong as wrong:
            faults.append(wrong)
    if faults:
        raise faults[0]
    if not found:
        raise reader.refuse("wrong-type", "`condition` names nothing: remove the key", node.token)
    if "text" in found and "judge" not in found:
        message = "`text` is accepted with `judge: shadow` only: what a judge says never changes a decision"
        raise reader.refuse("missing-key", message, node.token)
    if "judge" in found and "text" not in found:
        raise reader.refuse("missing-key", "`judge` needs the `text` that it judges by", node.token)
    return found


def _part(key: str, value: Node, reader: Reader) -> object:
    if key == "command":
        return _command(value, reader)
    if key == "files":
        return _files(value, reader)
    if key in ("pieces", "movements", "role"):
        return reader.texts(value, f"`{key}`")
    if key in ("external", "approved"):
        return reader.switch(value, f"`{key}`")
    if key == "language":
        return _language(value, reader)
    if key == "fired":
        parts = {k.value: reader.integer(v, f"`{k.value}`", 1) for k, v in reader.pairs(value, "`fired`", keys.FIRED)}
        return _not_empty(parts, "fired", keys.FIRED, value, reader)
    if key == "judge":
        return reader.choice(value, "`judge`", keys.JUDGES)
    return reader.text(value, "`text`")


def _command(node: Node, reader: Reader) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in reader.pairs(node, "`command`", keys.COMMAND):
        if key.value == "kinds":
            placed = reader.placed_texts(value, "`kinds`")
            unknown = next((each for each in placed if each[0] not in KINDS), None)
            if unknown is not None:
                text, span = unknown
                raise reader.unknown(f"there is no kind `{first_line(text)}`", text, span, KINDS)
            found["kinds"] = [text for text, _ in placed]
        else:
            text = reader.text(value, "`matches`")
            problem = parse_linear(text)
            if isinstance(problem, str):
                raise reader.refuse("invalid-expression", f"`{first_line(text)}` {problem}", place_of(value))
            found["matches"] = text
    if not found:
        raise reader.refuse("wrong-type", "`command` names nothing: write `kinds` or `matches`", node.token)
    return found


def _files(node: Node, reader: Reader) -> list[str]:
    placed = reader.placed_texts(node, "`files`")
    for index, (text, span) in enumerate(placed):
        _, problem = checked_entry(text, span, "file_patterns.include", index)
        if problem is not None:
            raise reader.refuse(problem.code, problem.message, span)
        if text.startswith("!"):
            message = f"`{first_line(text)}` takes nothing out here: remove it and name what is meant"
            raise reader.refuse("negated-pattern", message, span)
    return [text for text, _ in placed]


def _language(node: Node, reader: Reader) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in reader.pairs(node, "`language`", keys.LANGUAGE):
        if key.value == "expect":
            found["expect"] = reader.choice(value, "`expect`", SCRIPTS)
        else:
            found["below"] = reader.share(value, "`below`")
    return _not_empty(found, "language", keys.LANGUAGE, node, reader)


def _not_empty(found: dict[str, Any], name: str, needed: tuple[str, ...], node: Node, reader: Reader) -> dict[str, Any]:
    missing = next((key for key in needed if key not in found), None)
    if missing is not None:
        raise reader.refuse("missing-key", f"`{missing}` is missing in `{name}`", node.token)
    return found
