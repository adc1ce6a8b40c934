/** The files behind a number: a list in which the user types to find one. */
import * as vscode from 'vscode';
import type { Place } from './decisions';
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
