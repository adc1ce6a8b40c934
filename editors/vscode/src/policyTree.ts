/** The view "Agent policy": what agents may do in each folder, as a tree. */
import * as vscode from 'vscode';
import type { Activity } from './activity';
import type { Place } from './decisions';
import { amountOfFiles } from './lists';
import { rangeOf } from './places';
import type { PolicyChange, RulesServer } from './server';

interface Entry extends Place {
  readonly pattern: string;
  readonly broken: string | null;
  readonly files?: number | null;
  readonly tools?: number | null;
}

interface EntryList extends Place {
  readonly list: string;
  readonly broken: string | null;
  readonly entries: readonly Entry[];
}

interface Problem extends Place {
  readonly code: string;
  readonly message: string;
  readonly severity: string;
}

/** What `rulesLsp.overview` tells of a folder. */
interface Overview {
  readonly folder: string;
  readonly source: string;
  readonly refusal: string | null;
  readonly files: { readonly writable: number; readonly total: number; readonly complete: boolean } | null;
  readonly tools: readonly { readonly name: string; readonly allowed: boolean }[];
  readonly lists: readonly EntryList[];
  readonly problems: readonly Problem[];
}

/** A row, with those below it. */
export interface Row {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  readonly icon?: string;
  readonly command?: vscode.Command;
  readonly rows?: Row[];
}

export const VIEW = 'rulesLsp.policy';
const ICONS: Readonly<Record<string, string>> = { error: 'error', warning: 'warning', information: 'info', hint: 'info' };

export class PolicyTree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Row | undefined>();
  private readonly parts: vscode.Disposable[];

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly server: RulesServer,
    private readonly activity: Activity,
  ) {
    const refresh = () => this.changed.fire(undefined);
    this.parts = [
      this.changed,
      vscode.window.createTreeView<Row>(VIEW, { treeDataProvider: this, showCollapseAll: true }),
      vscode.commands.registerCommand('rulesLsp.refreshPolicy', refresh),
      vscode.workspace.onDidChangeWorkspaceFolders(refresh),
      vscode.workspace.onDidCreateFiles(refresh),
      vscode.workspace.onDidDeleteFiles(refresh),
      vscode.workspace.onDidRenameFiles(refresh),
      server.onDidChangePolicy((_: PolicyChange) => refresh()),
      activity.onDidChange((row) => this.changed.fire(row)),
      server.onDidChangeRunning(refresh),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const { None, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(row.label, row.rows === undefined ? None : Collapsed);
    item.id = row.id;
    if (row.description !== undefined) {
      item.description = row.description;
    }
    if (row.tooltip !== undefined) {
      item.tooltip = row.tooltip;
    }
    if (row.icon !== undefined) {
      item.iconPath = new vscode.ThemeIcon(row.icon);
    }
    if (row.command !== undefined) {
      item.command = row.command;
    }
    return item;
  }

  async getChildren(row?: Row): Promise<Row[]> {
    return row === undefined ? this.topRows() : (row.rows ?? []);
  }

  private async topRows(): Promise<Row[]> {
    if (!this.server.running) {
      return [];
    }
    const overviews = await this.overviews();
    if (overviews.length < 2) {
      return [...overviews.flatMap(rowsOf), ...this.activity.rows];
    }
    const folders = overviews.map((each) => {
      const uri = vscode.Uri.parse(each.folder);
      const label = vscode.workspace.getWorkspaceFolder(uri)?.name ?? uri.fsPath;
      return { id: each.folder, label, description: each.source, icon: 'root-folder', rows: rowsOf(each) };
    });
    return [...folders, ...this.activity.rows];
  }

  /** Once the files of the folders are listed, so that the numbers are whole. */
  private async overviews(): Promise<Overview[]> {
    try {
      const early = await this.server.ask<Overview[]>('rulesLsp.overview');
      if (early.every((each) => each.files !== null)) {
        return early;
      }
      await this.server.ask('rulesLsp.serverState', { settled: true });
      return await this.server.ask<Overview[]>('rulesLsp.overview');
    } catch (error) {
      this.server.log.warn(`overview: ${String(error)}`);
      return [];
    }
  }
}

function rowsOf(overview: Overview): Row[] {
  const { folder, files, tools, lists, problems } = overview;
  const allowed = tools.filter((tool) => tool.allowed).length;
  return [
    {
      id: `${folder}#files`,
      label: vscode.l10n.t('Files'),
      icon: 'files',
      ...(files === null ? {} : { description: vscode.l10n.t('{0} of {1} writable', files.writable, files.total) }),
      rows: files === null ? [] : fileRows(folder, files),
    },
    {
      id: `${folder}#tools`,
      label: vscode.l10n.t('Tools'),
      icon: 'tools',
      description:
        tools.length === 0 ? vscode.l10n.t('none known') : vscode.l10n.t('{0} of {1} allowed', allowed, tools.length),
      rows: tools.map((tool) => toolRow(folder, tool)),
    },
    {
      id: `${folder}#rules`,
      label: vscode.l10n.t('Rules'),
      icon: 'law',
      description: overview.source,
      ...(overview.refusal === null ? {} : { tooltip: overview.refusal }),
      rows: lists.map((each) => listRow(folder, each)),
    },
    {
      id: `${folder}#problems`,
      label: vscode.l10n.t('Problems'),
      icon: problems.length === 0 ? 'pass' : 'warning',
      description: String(problems.length),
      rows: problems.map((problem, index) => problemRow(`${folder}#problems/${index}`, problem)),
    },
  ];
}

function fileRows(folder: string, { writable, total }: { writable: number; total: number }): Row[] {
  const row = (name: string, label: string, amount: number, icon: string) => ({
    id: `${folder}#files/${name}`,
    label,
    description: String(amount),
    icon,
    command: command('rulesLsp.showFiles', label, { folder, writable: name === 'writable' }),
  });
  return [
    row('writable', vscode.l10n.t('writable'), writable, 'edit'),
    row('denied', vscode.l10n.t('denied'), total - writable, 'lock'),
  ];
}

function toolRow(folder: string, { name, allowed }: { name: string; allowed: boolean }): Row {
  return {
    id: `${folder}#tools/${name}`,
    label: name,
    description: allowed ? vscode.l10n.t('allowed') : vscode.l10n.t('denied'),
    icon: allowed ? 'check' : 'circle-slash',
    command: command('rulesLsp.explainToolNamed', name, name, folder),
  };
}

function listRow(folder: string, { list, broken, entries, ...place }: EntryList): Row {
  const id = `${folder}#rules/${list}/${place.range.start.line}`;
  return {
    id,
    label: list,
    description: String(entries.length),
    icon: broken === null ? 'list-unordered' : 'error',
    ...(broken === null ? {} : { tooltip: broken }),
    rows: entries.map((entry, index) => entryRow(`${id}/${index}`, entry)),
  };
}

function entryRow(id: string, { pattern, broken, files, tools, ...place }: Entry): Row {
  const known = typeof tools === 'number' ? vscode.l10n.t('known tools: {0}', tools) : undefined;
  const description = typeof files === 'number' ? amountOfFiles(files) : known;
  return {
    id,
    label: pattern,
    ...(description === undefined ? {} : { description }),
    ...(broken === null ? {} : { tooltip: broken, icon: 'error' }),
    command: open(place, pattern),
  };
}

function problemRow(id: string, { message, code, severity, ...place }: Problem): Row {
  return { id, label: message, description: code, icon: ICONS[severity] ?? 'info', command: open(place, message) };
}

function open({ uri, range }: Place, title: string): vscode.Command {
  return command('vscode.open', title, vscode.Uri.parse(uri), { selection: rangeOf(range) });
}

function command(name: string, title: string, ...argumentsOfCommand: unknown[]): vscode.Command {
  return { command: name, title, arguments: argumentsOfCommand };
}
