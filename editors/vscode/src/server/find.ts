/** Which server is started: the user's, the workspace's, the one on PATH, else the one that comes with the extension. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { type Bundle, bundledServer } from './bundled';
import { inEnvironments, onPath, programIn } from './places';
import { chosenInterpreter, NEWEST_MINOR, OLDEST_MINOR } from './python';
import { run } from './run';

const PROGRAM = 'rules-lsp';
/** The oldest server that speaks with this extension. */
const OLDEST = [0, 1, 0] as const;

export interface Found {
  /** The program and its first arguments; `serve` comes behind them. */
  readonly argv: readonly string[];
  readonly origin: string;
}

/** The server to start, or one sentence for the user why there is none. In an untrusted workspace nothing of it runs. */
export async function findServer(bundle: Bundle, log: vscode.LogOutputChannel): Promise<Found | string> {
  // Of an untrusted workspace the editor leaves out the value: the setting is restricted in package.json.
  const configured = vscode.workspace.getConfiguration('rulesLsp').get<unknown>('server.command') ?? [];
  if (!isCommand(configured)) {
    return vscode.l10n.t('`rulesLsp.server.command` must be a list of texts, such as ["rules-lsp"]');
  }
  if (configured.length > 0) {
    return { argv: configured, origin: 'rulesLsp.server.command' };
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? uri.fsPath : []));
  const trusted = vscode.workspace.isTrusted;
  for (const program of trusted ? await programsOfWorkspace(folders) : []) {
    if (await fits(program, bundle, log)) {
      return { argv: [program], origin: 'workspace' };
    }
  }
  for (const program of onPath(PROGRAM, trusted ? [] : folders)) {
    if (await fits(program, bundle, log)) {
      return { argv: [program], origin: 'PATH' };
    }
  }
  const bundled = await bundledServer(bundle, trusted ? [] : folders);
  if (Array.isArray(bundled)) {
    return { argv: bundled, origin: 'extension' };
  }
  if (bundled.kind === 'no-wheels') {
    return vscode.l10n.t(
      'Rules LSP comes without a server for this platform: install rules-lsp with pip, or name it in `rulesLsp.server.command`',
    );
  }
  if (bundled.kind === 'no-storage') {
    return vscode.l10n.t(
      'Rules LSP has no place for its server: make it writable, or name a server in `rulesLsp.server.command` ({0})',
      bundled.cause,
    );
  }
  bundled.causes.forEach((cause) => log.error(cause));
  if (bundled.causes.length > 0) {
    return vscode.l10n.t(
      'Rules LSP cannot set up its server with the Python that it finds: install another one, or name a server in `rulesLsp.server.command` ({0})',
      bundled.causes.join('; '),
    );
  }
  return vscode.l10n.t(
    'Rules LSP needs Python 3.{0} to 3.{1} and finds none: install one, or name a server in `rulesLsp.server.command`',
    OLDEST_MINOR,
    NEWEST_MINOR,
  );
}

/** Whether a setting names a program and its arguments, or nothing. */
function isCommand(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string') && value[0] !== '';
}

async function programsOfWorkspace(folders: readonly string[]): Promise<string[]> {
  const interpreter = await chosenInterpreter();
  const beside = interpreter === undefined ? undefined : programIn(path.dirname(interpreter), PROGRAM);
  return [...inEnvironments(folders, PROGRAM), ...(beside === undefined ? [] : [beside])];
}

async function fits(program: string, bundle: Bundle, log: vscode.LogOutputChannel): Promise<boolean> {
  const answer = await run([program, '--version'], { cwd: bundle.extension, seconds: 20 });
  const fitting = answer.ok && isNewEnough(answer.output);
  if (!fitting) {
    log.warn(`${program} is passed over: ${answer.ok ? `its version is ${answer.output}` : answer.error}`);
  }
  return fitting;
}

/** Whether what `rules-lsp --version` prints names a version that speaks with this extension. */
export function isNewEnough(printed: string): boolean {
  const numbers = /(\d+)\.(\d+)\.(\d+)/.exec(printed)?.slice(1).map(Number);
  if (numbers === undefined) {
    return false;
  }
  const at = OLDEST.findIndex((least, index) => numbers[index] !== least);
  return at === -1 || numbers[at]! > OLDEST[at]!;
}
