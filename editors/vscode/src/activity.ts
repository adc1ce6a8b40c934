/** What the rules of Auto Prompter did: the notices of the server, the newest first, as rows of the view. */
import * as vscode from 'vscode';
import { reveal } from './places';
import type { Row } from './policyTree';
import type { RulesServer } from './server';

/** What `rulesLsp/policyAction` tells. */
export interface PolicyAction {
  readonly eventId: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly outcome: string;
  readonly targetLabel: string;
  readonly createdAt: string;
}

const OPEN_RULE = 'rulesLsp.openAutoPrompterRule';
const FILE = '.auto-prompter.yaml';
const MOST = 100;
const ICONS: Readonly<Record<string, string>> = {
  denied: 'circle-slash',
  completion_not_accepted: 'circle-slash',
  tool_not_executed: 'comment',
  waiting_for_approval: 'watch',
  approved_once: 'check',
};

export class Activity implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Row | undefined>();
  private readonly actions: PolicyAction[] = [];
  private readonly parts: vscode.Disposable[];
  /** One object as long as the editor runs, so that the view can ask for it alone. */
  private readonly top: Row = {
    id: '#activity',
    label: vscode.l10n.t('Activity'),
    icon: 'history',
    rows: [],
  };

  /** The row whose list is another, or undefined where the row is new. */
  readonly onDidChange = this.changed.event;

  constructor(server: RulesServer) {
    this.parts = [
      this.changed,
      server.onPolicyAction((action) => this.take(action)),
      vscode.commands.registerCommand(OPEN_RULE, openRule),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** The row of the list; none as long as nothing happened. */
  get rows(): Row[] {
    return this.actions.length === 0 ? [] : [this.top];
  }

  private take(action: PolicyAction): void {
    // A server that was started anew may tell again what another has told.
    if (this.actions.some(({ eventId }) => eventId === action.eventId)) {
      return;
    }
    this.actions.unshift(action);
    this.actions.length = Math.min(this.actions.length, MOST);
    this.top.rows?.splice(0, Infinity, ...this.actions.map(rowOf));
    this.changed.fire(this.actions.length === 1 ? undefined : this.top);
  }
}

function rowOf({ eventId, ruleId, ruleName, outcome, targetLabel, createdAt }: PolicyAction): Row {
  const happened = new Date(createdAt);
  const [date, time] = [happened.toLocaleString(vscode.env.language), happened.toLocaleTimeString(vscode.env.language)];
  const words = wordsOf(outcome);
  return {
    id: `#activity/${eventId}`,
    label: ruleName,
    description: `${words} · ${targetLabel} · ${time}`,
    tooltip: [ruleName, words, targetLabel, date].join('\n'),
    icon: ICONS[outcome] ?? 'info',
    command: { command: OPEN_RULE, title: ruleName, arguments: [ruleId] },
  };
}

function wordsOf(outcome: string): string {
  switch (outcome) {
    case 'denied':
      return vscode.l10n.t('denied');
    case 'tool_not_executed':
      return vscode.l10n.t('not run: an instruction goes first');
    case 'waiting_for_approval':
      return vscode.l10n.t('asked for approval');
    case 'approved_once':
      return vscode.l10n.t('approved once');
    case 'completion_not_accepted':
      return vscode.l10n.t('completion not accepted');
    default:
      return outcome;
  }
}

/** Shows a rule where it stands: in the first folder whose file has one of that name. */
async function openRule(ruleId: string): Promise<void> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const file = vscode.Uri.joinPath(uri, FILE);
    const lines = (await textOf(file))?.split(/\r?\n/) ?? [];
    const line = lines.findIndex((each) => idIn(each) === ruleId);
    if (line >= 0) {
      const start = lines[line]?.search(ID) ?? 0;
      const place = { start: { line, character: start }, end: { line, character: lines[line]?.length ?? start } };
      await reveal({ uri: file.toString(), range: place });
      return;
    }
  }
  void vscode.window.showInformationMessage(vscode.l10n.t('This rule is there no more.'));
}

const ID = /(?<![\w-])id["']?\s*:\s*["']?([a-z0-9-]+)/;

function idIn(line: string): string | undefined {
  return ID.exec(line)?.[1];
}

async function textOf(file: vscode.Uri): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(file)).getText();
  } catch {
    return undefined;
  }
}
