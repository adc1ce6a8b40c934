"""Findings as JSON: `check --format json`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules_lsp.checks import Diagnostic, Fix, RelatedPlace
from rules_lsp.cli.checking import CheckedFile
from rules_lsp.cli.names import below
from rules_lsp.source.text import Span, Text
from rules_lsp.source.uri import to_uri


def findings_as_json(files: Iterable[CheckedFile]) -> list[dict[str, Any]]:
    """One object a finding, in the order of the files; ranges are those of the language server protocol, in UTF-16."""
    return [_finding(file, diagnostic) for file in files for diagnostic in file.diagnostics]


def _finding(file: CheckedFile, diagnostic: Diagnostic) -> dict[str, Any]:
    uri = to_uri(file.path) if file.path is not None else None
    return {
        "path": file.name if file.path is None else below(file.path),
        "uri": uri,
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "range": _range(file.text, diagnostic.span),
        "related": [_related(file.text, uri, place) for place in diagnostic.related],
        "fixes": [_fix(file.text, fix) for fix in diagnostic.fixes],
    }


def _related(text: Text, uri: str | None, place: RelatedPlace) -> dict[str, Any]:
    other = place.document
    return {
        "uri": uri if other is None else other.uri,
        "range": _range(text if other is None else other.text, place.span),
        "message": place.message,
    }


def _fix(text: Text, fix: Fix) -> dict[str, Any]:
    edits = [{"range": _range(text, edit.span), "newText": edit.replacement} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _range(text: Text, span: Span) -> dict[str, dict[str, int]]:
    return text.range(span, "utf-16").as_json()
