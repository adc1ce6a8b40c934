"""A composed view and a chain in the shapes of the schema `prompt-view`."""

from __future__ import annotations

from rules_lsp.prompt.chain import Chain, ChainPart
from rules_lsp.prompt.tokens import estimate_tokens
from rules_lsp.prompt.told_files import LeftOut
from rules_lsp.prompt.view import MESSAGE_SECTIONS, SYSTEM_SECTIONS, Part, PromptView, section_tokens
from rules_lsp.source.text import Encoding, Span
from rules_lsp.source.uri import to_uri

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def view_as_json(view: PromptView, encoding: Encoding = "utf-16") -> dict[str, Any]:
    """A composed view; columns of ranges count in an encoding."""
    return {
        "root": view.root.given,
        "target": view.target,
        "folder": view.folder,
        "parts": [_part(part, encoding) for part in view.parts],
        "leftOut": [_left_out(each) for each in view.left_out],
        "listed": [{"name": each.name, "files": list(each.files), "complete": each.complete} for each in view.listed],
        "overBudget": [
            {"section": each.section, "tokens": each.tokens, "budget": each.budget} for each in view.over_budget
        ],
        "totals": {
            "characters": view.characters,
            "tokens": view.tokens,
            "systemTokens": sum(section_tokens(view.parts, section) for section in SYSTEM_SECTIONS),
            "messageTokens": sum(section_tokens(view.parts, section) for section in MESSAGE_SECTIONS),
        },
    }


def chain_as_json(chain: Chain, encoding: Encoding = "utf-16") -> dict[str, Any]:
    """The instructions that hold for a target."""
    return {
        "root": chain.root.given,
        "target": chain.target,
        "folder": chain.folder,
        "own": None if chain.own is None else _chain_part(chain.own, encoding),
        "chain": [_chain_part(part, encoding) for part in chain.parts],
        "leftOut": [_left_out(each) for each in chain.left_out],
    }


def _part(part: Part, encoding: Encoding) -> dict[str, Any]:
    place = None if part.source is None or part.span is None else part.source.range(part.span, encoding).as_json()
    return {
        "section": part.section,
        "role": "system" if part.section in SYSTEM_SECTIONS else "message",
        "name": part.name,
        "uri": None if part.path is None else to_uri(part.path),
        "range": place,
        "characters": part.characters,
        "tokens": part.tokens,
        "why": part.why,
        "before": part.before,
        "text": part.text,
    }


def _chain_part(part: ChainPart, encoding: Encoding) -> dict[str, Any]:
    content = part.text.content
    return {
        "name": part.name,
        "uri": to_uri(part.path),
        "range": part.text.range(Span(0, len(content)), encoding).as_json(),
        "characters": len(content),
        "tokens": estimate_tokens(content),
        "why": part.why,
        "text": content,
    }


def _left_out(each: LeftOut) -> dict[str, Any]:
    return {
        "name": each.name,
        "uri": None if each.path is None else to_uri(each.path),
        "cause": each.cause,
        "why": each.why,
        "by": each.by,
    }
