/** The MCP server of the found `rules-lsp`, told to the editor's agents: VS Code 1.101 and newer ask for it. */
import * as vscode from 'vscode';
import type { RulesServer } from './server';
import { run } from './server/run';

/** As `contributes.mcpServerDefinitionProviders` names it. */
const PROVIDER = 'rules-lsp.mcp';
/** What decides otherwise than the rule files; the MCP server reads no settings and is told by its options. */
const OF_THE_OPERATOR = ['rulesLsp.config', 'rulesLsp.caseInsensitive'];
/** How long the MCP server may take to start and to see that nobody speaks. */
const PROBE_SECONDS = 60;

interface StdioServer {
  cwd?: vscode.Uri;
}

interface Provider {
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): Promise<StdioServer[]>;
}

/** What newer editors have and the oldest one that this extension runs in has not. */
interface NewerEditor {
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => StdioServer;
  readonly lm: { registerMcpServerDefinitionProvider?(id: string, provider: Provider): vscode.Disposable };
}

/** Offers the MCP server while a server runs whose environment has the extra `mcp`; an older editor is left alone. */
export function offerMcpServer(server: RulesServer): vscode.Disposable {
  const { McpStdioServerDefinition: Definition, lm } = vscode as unknown as NewerEditor;
  if (Definition === undefined || lm.registerMcpServerDefinitionProvider === undefined) {
    return vscode.Disposable.from();
  }
  const changed = new vscode.EventEmitter<void>();
  const able = new Map<string, Promise<boolean>>();
  const provideMcpServerDefinitions = async () => {
    const { program } = server;
    const [command = '', ...first] = program?.argv ?? [];
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri;
    if (program === undefined || folder === undefined) {
      return [];
    }
    const key = JSON.stringify(program.argv);
    able.set(key, able.get(key) ?? hasMcp(server, program.argv));
    if (!(await able.get(key))) {
      able.delete(key);
      return [];
    }
    const definition = new Definition('Rules LSP', command, [...first, ...verb()], {}, program.version);
    // Which folders are open the editor itself tells, as roots.
    definition.cwd = folder;
    return [definition];
  };
  const again = () => changed.fire();
  const parts = [
    changed,
    server.onDidChangeRunning(again),
    vscode.workspace.onDidChangeWorkspaceFolders(again),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (OF_THE_OPERATOR.some((name) => event.affectsConfiguration(name))) {
        again();
      }
    }),
  ];
  try {
    const provider = { onDidChangeMcpServerDefinitions: changed.event, provideMcpServerDefinitions };
    parts.push(lm.registerMcpServerDefinitionProvider(PROVIDER, provider));
  } catch (error) {
    // Version 1.100 has the function and refuses it: there it was a proposal, contributed under another name.
    server.log.info(`this editor takes no MCP server of an extension: ${String(error)}`);
  }
  return vscode.Disposable.from(...parts);
}

function verb(): string[] {
  const settings = vscode.workspace.getConfiguration('rulesLsp');
  const config = settings.get<unknown>('config');
  return [
    'mcp',
    ...(typeof config === 'string' && config !== '' ? ['--config', config] : []),
    ...(settings.get<unknown>('caseInsensitive') === true ? ['--case-insensitive'] : []),
  ];
}

/** Whether a program can serve MCP: it then ends well as soon as nobody speaks to it. */
async function hasMcp(server: RulesServer, argv: readonly string[]): Promise<boolean> {
  const cwd = await server.workingDirectory();
  const answer = await run([...argv, 'mcp', '--root', cwd], { cwd, seconds: PROBE_SECONDS });
  if (!answer.ok) {
    server.log.info(`agents of the editor get no MCP server: ${answer.error}`);
  }
  return answer.ok;
}
