/** Marks in the Explorer on what agents may not write; off unless the user turns them on. */
import * as vscode from 'vscode';
import { allows } from './decisions';
import type { RulesServer } from './server';

const SETTING = 'explorer.decorations';
/** As many paths as the server takes at once. */
const MOST_AT_ONCE = 1000;

interface Waiting {
  readonly uri: vscode.Uri;
  readonly resolve: (allowed: boolean) => void;
}

export class DeniedFiles implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly parts: vscode.Disposable[];
  private waiting: Waiting[] = [];

  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(private readonly server: RulesServer) {
    const all = () => this.changed.fire(undefined);
    this.parts = [
      this.changed,
      server.onDidChangePolicy(all),
      server.onDidChangeRunning(all),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(`rulesLsp.${SETTING}`) && all()),
      vscode.window.registerFileDecorationProvider(this),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }

  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const on = vscode.workspace.getConfiguration('rulesLsp', uri).get<boolean>(SETTING) === true;
    if (!on || !this.server.running || uri.scheme !== 'file' || folder === undefined || folder.uri.path === uri.path) {
      return undefined;
    }
    if (await this.isWritable(uri)) {
      return undefined;
    }
    const tooltip = vscode.l10n.t('Agents may not write this');
    return new vscode.FileDecoration('⊘', tooltip, new vscode.ThemeColor('disabledForeground'));
  }

  /** The answer comes together with those of all that is asked in the same moment. */
  private isWritable(uri: vscode.Uri): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiting.push({ uri, resolve });
      if (this.waiting.length === 1) {
        setTimeout(() => void this.askAll(), 20);
      }
    });
  }

  private async askAll(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = [];
    for (let at = 0; at < waiting.length; at += MOST_AT_ONCE) {
      await this.askSome(waiting.slice(at, at + MOST_AT_ONCE));
    }
  }

  private async askSome(waiting: readonly Waiting[]): Promise<void> {
    let answers: readonly unknown[];
    try {
      const query = { paths: waiting.map(({ uri }) => uri.fsPath), operation: 'write' };
      answers = (await this.server.ask<{ answers: unknown[] }>('rulesLsp.isFileAllowed', query)).answers;
    } catch (error) {
      this.server.log.warn(`decorations: ${String(error)}`);
      // A mark tells of a rule; that nobody could be asked is said elsewhere.
      waiting.forEach(({ resolve }) => resolve(true));
      return;
    }
    waiting.forEach(({ resolve }, index) => resolve(allows(answers[index])));
  }
}
