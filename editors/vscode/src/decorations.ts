/** Marks in the Explorer on what agents may not write; off unless the user turns them on. */
import * as vscode from 'vscode';
import { allows, type Decision } from './decisions';
import type { RulesServer } from './server';

const SETTING = 'explorer.decorations';
/** As many paths as the server takes at once. */
const MOST_AT_ONCE = 1000;

type Answer = Pick<Decision, 'allowed' | 'code'> | undefined;

interface Waiting {
  readonly uri: vscode.Uri;
  readonly resolve: (answer: Answer) => void;
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
    const answer = await this.answerAbout(uri);
    // A directory is marked for a rule about itself: what no include names may still hold files that one does.
    if (answer === undefined || allows(answer) || (answer.code === 'not-included' && (await isDirectory(uri)))) {
      return undefined;
    }
    const tooltip = vscode.l10n.t('Agents may not write this');
    return new vscode.FileDecoration('⊘', tooltip, new vscode.ThemeColor('disabledForeground'));
  }

  /** The answer comes together with those of all that is asked in the same moment; undefined where there is none. */
  private answerAbout(uri: vscode.Uri): Promise<Answer> {
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
    let answers: readonly Answer[];
    try {
      const query = { paths: waiting.map(({ uri }) => uri.fsPath), operation: 'write' };
      answers = (await this.server.ask<{ answers: Answer[] }>('rulesLsp.isFileAllowed', query)).answers;
    } catch (error) {
      this.server.log.warn(`decorations: ${String(error)}`);
      // A mark tells of a rule; that nobody could be asked is said elsewhere.
      waiting.forEach(({ resolve }) => resolve(undefined));
      return;
    }
    waiting.forEach(({ resolve }, index) => resolve(answers[index]));
  }
}

async function isDirectory(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    return false;
  }
}
