"""Diagnostics for clients that ask for them."""

from __future__ import annotations

from functools import partial

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rules_lsp.checks import Subject, run_checks, subjects_of_project
from rules_lsp.checks.common.base import Diagnostic
from rules_lsp.lsp.convert import diagnostic_of
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.lsp.settings import FolderSettings
from rules_lsp.lsp.state import OpenDocument
from rules_lsp.policy.policy import Policy
from rules_lsp.source.uri import to_uri
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.project import Project

PULL_METHODS = (types.TEXT_DOCUMENT_DIAGNOSTIC, types.WORKSPACE_DIAGNOSTIC)
_SERVER_CANCELLED = types.LSPErrorCodes.ServerCancelled.value
_NOT_OPEN = "not-open"
"""The id of the report of every document that is not open: it tells nothing."""
_Checked = list[tuple[Subject, list[Diagnostic]]]


async def document_diagnostic(
    server: RulesLanguageServer, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    """What is wrong in a document, or that it is what was told under the client's last id."""
    uri = params.text_document.uri
    result_id, shown = await _result(server, uri)
    if params.previous_result_id == result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id)
    return types.RelatedFullDocumentDiagnosticReport(shown, result_id=result_id)


async def workspace_diagnostic(
    server: RulesLanguageServer, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    """What is wrong in the open documents and in the saved files of the open folders, where its user wants that.

    The method is announced to every client that pulls, since the settings may change: without them it tells nothing,
    and takes back what it told before.
    """
    state = server.state
    wanted = [project for project in state.folders.projects if state.settings_of(project.root).workspace_diagnostics]
    previous = {each.uri: each.value for each in params.previous_result_ids}
    reports: list[types.WorkspaceDocumentDiagnosticReport] = []
    done: set[str] = set()

    def report(uri: str, version: int | None, shown: list[types.Diagnostic]) -> None:
        result_id = server.diagnoser.result_id(uri, shown)
        done.add(uri)
        if previous.get(uri) == result_id:
            reports.append(types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result_id=result_id, version=version))
        else:
            full = types.WorkspaceFullDocumentDiagnosticReport(uri, shown, version=version, result_id=result_id)
            reports.append(full)

    for document in state.documents if wanted else ():
        view = server.view(document)
        found = await server.diagnoser.found(document, view)
        if view is not None and state.document(document.uri) is document:
            report(document.uri, document.version, found)
    for project in wanted:
        for subject, diagnostics in await server.worker.submit(partial(_checked, *_asked(server, project))):
            uri = to_uri(subject.path or "")
            if subject.path is not None and uri not in done and state.document(uri) is None:
                document = OpenDocument(uri, subject.path, 0, subject.text)
                report(
                    uri,
                    None,
                    [diagnostic_of(document, subject.text, each, state.encoding, state.flags) for each in diagnostics],
                )
    for uri in previous.keys() - done:
        if wanted or state.document(uri) is None:
            report(uri, None, [])
    return types.WorkspaceDiagnosticReport(reports)


async def _result(server: RulesLanguageServer, uri: str) -> tuple[str, list[types.Diagnostic]]:
    document = server.state.document(uri)
    if document is None:
        return _NOT_OPEN, []
    shown = await server.diagnoser.found(document, server.view(document))
    if server.state.document(uri) is not document:
        data = types.DiagnosticServerCancellationData(retrigger_request=True)
        raise JsonRpcException("the document has changed meanwhile", _SERVER_CANCELLED, data)
    return server.diagnoser.result_id(uri, shown), shown


def _asked(
    server: RulesLanguageServer, project: Project
) -> tuple[Policy, FileInventory | None, Catalogue, FolderSettings]:
    server.scans.want(project.root.real, watched=server.watched)
    known, root = server.state.knowledge, project.root
    return project.policy(), known.files(root), known.catalogue(root), server.state.settings_of(root)


def _checked(policy: Policy, files: FileInventory | None, catalogue: Catalogue, settings: FolderSettings) -> _Checked:
    """In the worker."""
    subjects = (each.surrounded(policy, files, catalogue) for each in subjects_of_project(policy, files))
    return [(subject, run_checks(subject, settings=settings.checks)) for subject in subjects]
