/** Rules LSP for VS Code: puts the parts together. */
import * as vscode from 'vscode';
import { Activity } from './activity';
import { createApi, registerModelTools, registerQuestions, type RulesApi } from './api';
import { REFRESH_TOOLS, registerCommands } from './commands';
import { DeniedFiles } from './decorations';
import { offerMcpServer } from './mcp';
import { PolicyTree } from './policyTree';
import { RulesServer } from './server';
import { FileStatus } from './status';
import { startWhenWanted } from './wanted';

let running: RulesServer | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<RulesApi> {
  const log = vscode.window.createOutputChannel('Rules LSP', { log: true });
  const version = String(context.extension.packageJSON.version);
  const bundle = { extension: context.extensionPath, storage: context.globalStorageUri.fsPath, version };
  const server = new RulesServer(bundle, log);
  running = server;
  const activity = new Activity(server);
  const restart = () => void server.restart().catch(() => undefined);
  context.subscriptions.push(
    log,
    server,
    registerQuestions(server),
    registerModelTools(server),
    registerCommands(server),
    offerMcpServer(server),
    new FileStatus(server),
    new DeniedFiles(server),
    activity,
    new PolicyTree(server, activity),
    server.onDidChangeRunning((runs) => {
      setContext('rulesLsp.running', runs);
      setContext('rulesLsp.refreshesCatalogue', runs && server.commands.includes(REFRESH_TOOLS));
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (server.isWanted && event.affectsConfiguration('rulesLsp.server.command')) {
        restart();
      }
    }),
    startWhenWanted(server),
  );
  return createApi(server);
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
