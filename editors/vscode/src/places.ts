/** Going to what the server names, and the folder that a command is about. */
import * as vscode from 'vscode';
import type { Place, Range } from './decisions';

/** The server counts as this editor does, in UTF-16. */
export function rangeOf({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Shows a document and selects a range of it. */
export async function reveal({ uri, range }: Place): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection: rangeOf(range) });
}

/** The folder that something is about: that of the active file, the only one, or the one that the user picks. */
export async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const active = vscode.window.activeTextEditor?.document.uri;
  const own = active === undefined ? undefined : vscode.workspace.getWorkspaceFolder(active);
  return own ?? (folders.length > 1 ? vscode.window.showWorkspaceFolderPick() : folders[0]);
}
