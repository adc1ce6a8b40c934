"""A selection as the schema `context-files` has it."""

from __future__ import annotations

from rules_lsp.policy.decision import policy_as_json
from rules_lsp.prompt.context.density import count_by_directory
from rules_lsp.prompt.context.model import ContextFile, ContextSelection, Source
from rules_lsp.source.text import Encoding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def selection_as_json(
    selection: ContextSelection, encoding: Encoding = "utf-16", *, by_directory: bool = False
) -> dict[str, Any]:
    """The files without their texts, what the rules refuse with their answers, and what is wrong."""
    files = selection.files
    answer: dict[str, Any] = {
        "complete": selection.complete,
        "cwd": selection.cwd,
        "files": [_file(file) for file in files],
        "refused": [
            {
                "path": refused.shown,
                "absolutePath": refused.absolute,
                "role": refused.role,
                "source": _source(refused.source),
                "answer": refused.decision.as_json(encoding, with_policy=False),
            }
            for refused in selection.refused
        ],
        "findings": [
            {"code": each.code, "message": each.message, "source": _source(each.source)} for each in selection.findings
        ],
        "leftOut": [{"path": each.shown, "reason": each.reason} for each in selection.left_out],
        "totals": {
            "files": len(files),
            "size": sum(file.size for file in files),
            "tokens": sum(file.tokens for file in files),
        },
        "policy": policy_as_json(selection.policy, encoding),
    }
    if by_directory:
        answer["byDirectory"] = [
            {"directory": each.directory, "files": each.files, "size": each.size, "tokens": each.tokens}
            for each in count_by_directory(selection)
        ]
    return answer


def _file(file: ContextFile) -> dict[str, Any]:
    return {
        "path": file.shown,
        "absolutePath": file.absolute,
        "role": file.role,
        "reason": file.reason,
        "also": list(file.also),
        "source": _source(file.source),
        "link": file.link,
        "size": file.size,
        "characters": len(file.text),
        "tokens": file.tokens,
    }


def _source(source: Source) -> dict[str, Any]:
    return {"given": source.given, "list": source.list, "line": source.line}
