"""Findings as SARIF 2.1.0, the standard form of static analysis results.

Columns count UTF-16 code units from 1, an end column is the one behind the last. Files below the base are named by
relative URIs under the base `ROOT`, which an upload resolves to the top of the repository; others by absolute ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules_lsp import __version__
from rules_lsp.checks import CHECKS, Check, Diagnostic, Fix
from rules_lsp.cli.checking import CheckedFile
from rules_lsp.cli.names import Base
from rules_lsp.features.check_page import page_in_markdown
from rules_lsp.source.text import Span, Text
from rules_lsp.source.uri import to_uri

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE_ID = "ROOT"
_LEVELS = {"error": "error", "warning": "warning", "information": "note"}
Json = dict[str, Any]


def sarif_log(files: Sequence[CheckedFile], base: Base, notes: Sequence[str] = ()) -> Json:
    """One run with every file as an artifact, the rules that found something, and a result for each finding."""
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [_Run(files, base).as_json(notes)]}


class _Run:
    def __init__(self, files: Sequence[CheckedFile], base: Base) -> None:
        self._files = files
        self._base = base
        checks = {check.code: check for check in CHECKS}
        codes = sorted({found.code for file in files for found in file.diagnostics})
        self._rules = [_rule(code, checks.get(code)) for code in codes]
        self._rule_index = {code: index for index, code in enumerate(codes)}

    def as_json(self, notes: Sequence[str]) -> Json:
        invocation: Json = {"executionSuccessful": True}
        if notes:
            invocation["toolExecutionNotifications"] = [
                {"level": "note", "message": {"text": _message(note)}} for note in notes
            ]
        return {
            "tool": {"driver": {"name": "rules-lsp", "semanticVersion": __version__, "rules": self._rules}},
            "invocations": [invocation],
            "columnKind": "utf16CodeUnits",
            "newlineSequences": ["\r\n", "\n", "\r"],
            "originalUriBaseIds": {BASE_ID: {"uri": self._base.uri}},
            "artifacts": [
                {"location": self._place(file.path, file.name), "roles": ["analysisTarget"]} for file in self._files
            ],
            "results": [
                self._result(index, file, diagnostic)
                for index, file in enumerate(self._files)
                for diagnostic in file.diagnostics
            ],
        }

    def _result(self, index: int, file: CheckedFile, diagnostic: Diagnostic) -> Json:
        artifact = {**self._place(file.path, file.name), "index": index}
        result: Json = {
            "ruleId": diagnostic.code,
            "ruleIndex": self._rule_index[diagnostic.code],
            "level": _LEVELS[diagnostic.severity],
            "message": {"text": _message(diagnostic.message)},
            "locations": [_location(artifact, file.text, diagnostic.span, snippet=True)],
        }
        if diagnostic.related:
            result["relatedLocations"] = []
        for number, place in enumerate(diagnostic.related, start=1):
            other = place.document
            where = artifact if other is None else self._place(other.path, other.path)
            text = file.text if other is None else other.text
            related = _location(where, text, place.span)
            result["relatedLocations"].append({"id": number, **related, "message": {"text": _message(place.message)}})
        fixes = [_fix(artifact, file.text, fix) for fix in diagnostic.fixes if fix.edits]
        if fixes:
            result["fixes"] = fixes
        return result

    def _place(self, path: str | None, name: str) -> Json:
        if path is None:
            return {"uri": to_uri("/" + name).removeprefix("file:///")}
        relative = self._base.relative_uri(path)
        return {"uri": to_uri(path)} if relative is None else {"uri": relative, "uriBaseId": BASE_ID}


def _rule(code: str, check: Check | None) -> Json:
    rule: Json = {"id": code, "name": "".join(word.capitalize() for word in code.split("-"))}
    if check is not None:
        documentation = check.documentation
        rule |= {
            "shortDescription": {"text": documentation.summary},
            "fullDescription": {"text": documentation.finds},
            "help": {"text": page_in_markdown(check), "markdown": page_in_markdown(check)},
            "defaultConfiguration": {"level": _LEVELS[check.severity]},
        }
    return rule


def _location(artifact: Json, text: Text, span: Span, *, snippet: bool = False) -> Json:
    region = _region(text, span)
    if snippet and len(span):
        region["snippet"] = {"text": text.slice(span)}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _region(text: Text, span: Span) -> Json:
    start, end = text.position(span.start, "utf-16"), text.position(span.end, "utf-16")
    return {
        "startLine": start.line + 1,
        "startColumn": start.character + 1,
        "endLine": end.line + 1,
        "endColumn": end.character + 1,
    }


def _fix(artifact: Json, text: Text, fix: Fix) -> Json:
    replacements = [
        {"deletedRegion": _region(text, edit.span), "insertedContent": {"text": edit.replacement}} for edit in fix.edits
    ]
    return {
        "description": {"text": _message(fix.title)},
        "artifactChanges": [{"artifactLocation": artifact, "replacements": replacements}],
        "properties": {"safe": fix.safe},
    }


def _message(text: str) -> str:
    """A text as a SARIF message, in which `[text](target)` would be a link."""
    return text.replace("[", "\\[").replace("]", "\\]") if "](" in text else text
