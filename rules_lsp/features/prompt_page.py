"""Pages about what an agent is told: every part in its order with its place, its cost and its reason, and the texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rules_lsp.features.markup import code, row, sentence
from rules_lsp.features.numbers import amount
from rules_lsp.prompt.chain import Chain
from rules_lsp.prompt.tokens import estimate_tokens
from rules_lsp.prompt.told_files import LeftOut
from rules_lsp.prompt.view import MESSAGE_SECTIONS, SYSTEM_SECTIONS, Part, PromptView, section_tokens
from rules_lsp.source.text import Text
from rules_lsp.source.uri import to_uri

_FENCES = re.compile(r"`{3,}")
_RULE = row("---", "---", "---:", "---:", "---")


def prompt_page(view: PromptView) -> str:
    """Everything that an agent is told before the history, and what it is not told."""
    system, messages = (
        sum(section_tokens(view.parts, section) for section in sections)
        for sections in (SYSTEM_SECTIONS, MESSAGE_SECTIONS)
    )
    lines = ["# What the agent reads", "", _where(view.root.given, view.target, view.folder), ""]
    lines += [
        f"about **{amount(view.tokens, 'token')}**: {system:,} in the system prompt, {messages:,} as messages",
        "",
        row("part", "file", "characters", "tokens", "why"),
        _RULE,
        *(_row(part) for part in view.parts),
        "",
    ]
    if view.over_budget:
        lines += ["## Over budget", ""]
        for over in view.over_budget:
            lines.append(f"- `{over.section}`: about {amount(over.tokens, 'token')}, and may have {over.budget:,}")
        lines.append("")
    lines += _left_out(view.left_out)
    if view.listed:
        lines += ["## There, and not told", ""]
        for folder in view.listed:
            lines.append(f"- {code(folder.name)}: {amount(len(folder.files), 'file', complete=folder.complete)}")
        lines.append("")
    for part in view.parts:
        if part.told:
            lines += [f"## `{part.section}`: {code(part.name)}", "", *_fenced(part.told), ""]
    return "\n".join(lines)


def instructions_page(chain: Chain) -> str:
    """The instructions that hold for a file, the outermost first, and those that do not."""
    parts = (*(() if chain.own is None else (chain.own,)), *chain.parts)
    lines = ["# Instructions", "", _where(chain.root.given, chain.target, chain.folder), ""]
    if parts:
        lines += [row("number", "file", "characters", "tokens", "why"), row("---:", "---", "---:", "---:", "---")]
    else:
        lines.append("no instructions hold here")
    for number, part in enumerate(parts, 1):
        content = part.text.content
        place = f"[{code(part.name)}]({to_uri(part.path)})"
        cost = (f"{len(content):,}", f"{estimate_tokens(content):,}")
        lines.append(row(f"{number}", place, *cost, sentence(part.why)))
    lines += ["", *_left_out(chain.left_out)]
    for part in parts:
        lines += [f"## {code(part.name)}", "", *_fenced(part.text.content), ""]
    return "\n".join(lines)


def _where(root: str, target: str, folder: str | None) -> str:
    outside = ", which lies outside of it: only the instructions of its root hold" if folder is None else ""
    return f"for {code(target)} in {code(root)}{outside}"


def _row(part: Part) -> str:
    return row(f"`{part.section}`", _place(part), f"{part.characters:,}", f"{part.tokens:,}", sentence(part.why))


def _place(part: Part) -> str:
    if part.path is None:
        return code(part.name)
    if part.source is None or part.span is None:
        return f"[{code(part.name)}]({to_uri(part.path)})"
    first, last = _lines_of(part.source, part.span.start, part.span.end)
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    return f"[{code(part.name)}]({to_uri(part.path)}#L{first}), {lines}"


def _lines_of(source: Text, start: int, end: int) -> tuple[int, int]:
    return source.line_of(start) + 1, source.line_of(max(start, end - 1)) + 1


def _left_out(left_out: Iterable[LeftOut]) -> Iterator[str]:
    each = [f"- {_linked(found)}: {sentence(found.why)}" for found in left_out]
    if each:
        yield from ("## Left out", "", *each, "")


def _linked(found: LeftOut) -> str:
    return code(found.name) if found.path is None else f"[{code(found.name)}]({to_uri(found.path)})"


def _fenced(text: str) -> tuple[str, ...]:
    """A text that stands as it is, whatever fences it holds itself."""
    fence = "`" * max(3, *(len(run) + 1 for run in _FENCES.findall(text)), 0)
    return (f"{fence}text", *text.strip("\r\n").splitlines(), fence)
