/** What agents inside the editor ask: by the exported API, by commands, and as tools of a language model. */
import * as vscode from 'vscode';
import { allows, type Decision, type Operation, refused } from './decisions';
import type { PolicyChange, RulesServer } from './server';

/** What `vscode.extensions.getExtension('rules-lsp.rules-lsp').exports` holds. Whoever cannot be asked has denied. */
export interface RulesApi {
  readonly apiVersion: 1;
  /** Whether agents may do something with a file; `write` where nothing else is said. */
  isFileAllowed(uri: vscode.Uri | string, operation?: Operation): Promise<boolean>;
  /** Whether agents may call a tool, `server/tool` or a built-in one; with `args` also the files that it touches. */
  isToolAllowed(name: string, args?: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** The same with the reason and the rule that decided. */
  explainFile(uri: vscode.Uri | string, operation?: Operation): Promise<Decision>;
  explainTool(name: string, args?: Readonly<Record<string, unknown>>): Promise<Decision>;
  /** Other rules are in force in a folder: answers from before count no longer. */
  readonly onDidChangePolicy: vscode.Event<PolicyChange>;
}

export function createApi(server: RulesServer): RulesApi {
  const explainFile = (uri: vscode.Uri | string, operation: Operation = 'write') =>
    decided(server, 'rulesLsp.isFileAllowed', { uri: String(uri), operation });
  const explainTool = (tool: string, args?: Readonly<Record<string, unknown>>) =>
    decided(server, 'rulesLsp.isToolAllowed', args === undefined ? { tool } : { tool, arguments: args });
  return {
    apiVersion: 1,
    isFileAllowed: async (uri, operation) => allows(await explainFile(uri, operation)),
    isToolAllowed: async (name, args) => allows(await explainTool(name, args)),
    explainFile,
    explainTool,
    onDidChangePolicy: server.onDidChangePolicy,
  };
}

/** The server's answer to a question, or a denial that says why there is none. */
export async function decided<T extends Decision = Decision>(
  server: RulesServer,
  command: string,
  ...question: unknown[]
): Promise<T> {
  try {
    return await server.askInTime<T>(command, ...plain(question));
  } catch (error) {
    server.log.warn(`${command}: ${String(error)}`);
    // Every front reads of a refusal no more than this.
    return refused(vscode.l10n.t('the rules cannot be asked: {0}', String(error))) as Decision as T;
  }
}

/** The commands of the server that programs run by their own names: questions, of which each has an answer. */
const QUESTIONS = ['rulesLsp.isFileAllowed', 'rulesLsp.isToolAllowed', 'rulesLsp.explainFile', 'rulesLsp.explainTool'];

/** Those that fail where there is no server. The gate's `decide` is none of them: what runs commands here may be an agent. */
const OTHERS = [
  'rulesLsp.overview',
  'rulesLsp.preview',
  'rulesLsp.serverState',
  'rulesLsp.gate.claimJob',
  'rulesLsp.gate.beforeTools',
  'rulesLsp.gate.beforeCompletion',
  'rulesLsp.gate.consume',
  'rulesLsp.gate.release',
  'rulesLsp.gate.approvals',
  'rulesLsp.gate.status',
];

export function registerQuestions(server: RulesServer): vscode.Disposable {
  return vscode.Disposable.from(
    ...OTHERS.map((command) =>
      vscode.commands.registerCommand(command, (...question: unknown[]) => server.ask(command, ...plain(question))),
    ),
    ...QUESTIONS.map((command) =>
      vscode.commands.registerCommand(command, (...question: unknown[]) => decided(server, command, ...question)),
    ),
  );
}

/** A query of JSON values: what programs hand over may hold the editor's own addresses. */
function plain(question: readonly unknown[]): unknown[] {
  const [first, operation] = question;
  if (first instanceof vscode.Uri) {
    return [{ uri: first.toString(), ...(operation === undefined ? {} : { operation }) }];
  }
  if (typeof first === 'object' && first !== null && 'uri' in first && first.uri instanceof vscode.Uri) {
    return [{ ...first, uri: first.uri.toString() }];
  }
  return [...question];
}

interface FileQuestion {
  readonly path: string;
  readonly operation?: Operation;
}

interface ToolQuestion {
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export function registerModelTools(server: RulesServer): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.lm.registerTool<FileQuestion>('rules-lsp_isFileAllowed', {
      invoke: async ({ input }) => told(await decided(server, 'rulesLsp.isFileAllowed', input)),
    }),
    vscode.lm.registerTool<ToolQuestion>('rules-lsp_isToolAllowed', {
      invoke: async ({ input }) => told(await decided(server, 'rulesLsp.isToolAllowed', input)),
    }),
  );
}

function told({ allowed, code, reason, rule }: Decision): vscode.LanguageModelToolResult {
  const answer = JSON.stringify({ allowed, code, reason, pattern: rule?.pattern ?? null });
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(answer)]);
}
