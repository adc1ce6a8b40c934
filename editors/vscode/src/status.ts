/** Whether agents may write the active file, in the status bar. */
import * as vscode from 'vscode';
import { decided } from './api';
import type { Explanation, Rule } from './decisions';
import { showPage } from './page';
import { reveal } from './places';
import type { RulesServer } from './server';

export const OPEN_RULE = 'rulesLsp.openDecidingRule';
const ABSENT = new Set(['outside-root', 'invalid-request']);

export class FileStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('policy', vscode.StatusBarAlignment.Right, 101);
  private readonly parts: vscode.Disposable[];
  private shown: { readonly uri: string; readonly rule: Rule | null } | undefined;
  private asked = 0;

  constructor(private readonly server: RulesServer) {
    this.item.name = vscode.l10n.t('Agent policy of the active file');
    this.item.command = OPEN_RULE;
    const refresh = () => void this.refresh();
    this.parts = [
      this.item,
      vscode.window.onDidChangeActiveTextEditor(refresh),
      vscode.workspace.onDidRenameFiles(refresh),
      server.onDidChangePolicy(refresh),
      server.onDidChangeRunning(refresh),
      vscode.commands.registerCommand(OPEN_RULE, () => this.openRule()),
    ];
    refresh();
  }

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }

  private async refresh(): Promise<void> {
    const turn = ++this.asked;
    const uri = vscode.window.activeTextEditor?.document.uri;
    const concerned = this.server.running && uri?.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri);
    const answer = concerned ? await decided<Explanation>(this.server, 'rulesLsp.explainFile', { uri }) : undefined;
    if (turn !== this.asked) {
      return;
    }
    if (answer === undefined || uri === undefined || ABSENT.has(answer.code)) {
      this.shown = undefined;
      this.item.hide();
      return;
    }
    this.shown = { uri: uri.toString(), rule: answer.rule };
    this.item.text = statusText(answer);
    this.item.tooltip = new vscode.MarkdownString(answer.markdown);
    this.item.accessibilityInformation = { label: answer.reason };
    this.item.show();
  }

  private async openRule(): Promise<void> {
    await this.refresh();
    if (this.shown?.rule) {
      await reveal(this.shown.rule);
    } else if (this.shown !== undefined) {
      await showPage(this.server, vscode.l10n.t('Decision'), { kind: 'decision', query: { uri: this.shown.uri } });
    }
  }
}

function statusText({ allowed, code, rule }: Explanation): string {
  const verdict = allowed ? vscode.l10n.t('writable') : vscode.l10n.t('denied');
  // Where no entry decided, a list has: nothing that it includes takes the file.
  const cause = rule?.pattern ?? rule?.list ?? (code === 'unrestricted' ? undefined : code);
  return `$(${allowed ? 'edit' : 'lock'}) ${cause === undefined ? verdict : `${verdict} · ${cause}`}`;
}
