/** The files and the tools behind a number: a list in which the user types to find one. */
import * as vscode from 'vscode';
import type { Place } from './decisions';
import { showPage } from './page';
import type { RulesServer } from './server';

interface FileItem extends vscode.QuickPickItem {
  readonly uri: vscode.Uri;
}

/** `rulesLsp.showFiles`: of a lens, of `{folder, writable}`, or without an argument of what stands at the cursor. */
export async function showFiles(server: RulesServer, asked?: unknown): Promise<void> {
  const question = asked ?? atCursor();
  if (question === undefined) {
    return;
  }
  const places = await server.ask<Place[]>('rulesLsp.showFiles', question);
  if (places.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No file of the project.'));
    return;
  }
  const title = amountOfFiles(places.length);
  const placeHolder = vscode.l10n.t('Type to find a file, choose one to open it');
  const chosen = await vscode.window.showQuickPick(places.map(itemOf), { title, placeHolder, matchOnDescription: true });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand('vscode.open', chosen.uri);
  }
}

interface Tool {
  readonly tool: string;
  readonly allowed: boolean;
}

/** `rulesLsp.showTools`: of a lens, or without an argument of what stands at the cursor; one that is chosen is explained. */
export async function showTools(server: RulesServer, asked?: unknown): Promise<void> {
  const question = asked ?? atCursor();
  if (question === undefined) {
    return;
  }
  const tools = await server.ask<Tool[]>('rulesLsp.showTools', question);
  if (tools.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No known tool.'));
    return;
  }
  const items = tools.map(({ tool, allowed }) => ({
    label: tool,
    description: allowed ? vscode.l10n.t('allowed') : vscode.l10n.t('denied'),
    iconPath: new vscode.ThemeIcon(allowed ? 'check' : 'circle-slash'),
  }));
  const title = vscode.l10n.t('known tools: {0}', tools.length);
  const placeHolder = vscode.l10n.t('Type to find a tool, choose one to see why');
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  if (chosen !== undefined) {
    await showPage(server, vscode.l10n.t('Decision'), { kind: 'decision', query: { tool: chosen.label } });
  }
}

export function amountOfFiles(amount: number): string {
  return amount === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', amount);
}

function itemOf(place: Place): FileItem {
  const uri = vscode.Uri.parse(place.uri);
  const path = vscode.workspace.asRelativePath(uri);
  const at = path.lastIndexOf('/');
  return { uri, label: path.slice(at + 1), description: path.slice(0, Math.max(0, at)), iconPath: vscode.ThemeIcon.File };
}

function atCursor(): unknown {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return undefined;
  }
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}
