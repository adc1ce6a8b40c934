"""What the first line of instructions shows: the way that leads to them, and what they cost."""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.features.hover import Hover
from rules_lsp.features.hover_instructions import binding_in_words
from rules_lsp.features.markup import code, sentence
from rules_lsp.features.neighbours import Outside
from rules_lsp.features.numbers import amount
from rules_lsp.features.view import View
from rules_lsp.prompt.a0_keys import INSTRUCTIONS_FOLDER
from rules_lsp.prompt.chain import Chain, ChainPart
from rules_lsp.prompt.instructions import instructions_for
from rules_lsp.prompt.tokens import estimate_tokens
from rules_lsp.source.uri import to_uri


def hover(view: View, offset: int, outside: Outside) -> Hover | None:
    """The chain down to the folder of the file, on its first line; nothing in the prose below."""
    first = view.subject.text.line_span(0)
    if offset not in first:
        return None
    paragraphs = ["\n".join(_about(view)), "\n".join(_chain(view))]
    return Hover("\n\n".join(filter(None, paragraphs)), first)


def _about(view: View) -> Iterator[str]:
    subject = view.subject
    told = binding_in_words(subject)
    yield f"{code(subject.name)}: {size_in_words(subject.text.content)}"
    if told is not None:
        yield f"\n{told}"


def size_in_words(text: str) -> str:
    """`1,203 characters, about 310 tokens`."""
    return f"{amount(len(text), 'character')}, about {amount(estimate_tokens(text), 'token')}"


def _chain(view: View) -> Iterator[str]:
    subject = view.subject
    folder = subject.name.rpartition("/")[0]
    if subject.path is None or folder == INSTRUCTIONS_FOLDER:
        return
    chain = instructions_for(view.saved.root, os.path.join(folder, ""), {_real(view): subject.text.content})
    parts = _parts(chain)
    if not parts and not chain.left_out:
        return
    yield f"what an agent is told that works in {code(folder or '.')}:"
    yield ""
    for number, part in enumerate(parts, 1):
        here = ", this file" if part.name == subject.name else ""
        name = f"[{code(part.name)}]({to_uri(part.path)})" if not here else code(part.name)
        yield f"{number}. {name}{here}: {size_in_words(part.text.content)}"
    tokens = sum(estimate_tokens(part.text.content) for part in parts)
    yield f"\nin all about {amount(tokens, 'token')}"
    if chain.left_out:
        yield "\nleft out:\n"
        yield from (f"- {code(each.name)}: {sentence(each.why)}" for each in chain.left_out)


def _real(view: View) -> str:
    """Where the document stands below the real root, as a chain calls it."""
    return view.saved.root.absolute(view.subject.name)


def _parts(chain: Chain) -> tuple[ChainPart, ...]:
    return (*([chain.own] if chain.own is not None else []), *chain.parts)
