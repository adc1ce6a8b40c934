/** The connection to the language server: what it tells the server about this editor, and what the two share. */
import * as vscode from 'vscode';
import {
  type ClientCapabilities,
  type DynamicFeature,
  ExecuteCommandRequest,
  type FeatureState,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  type StaticFeature,
  TransportKind,
} from 'vscode-languageclient/node';

/** What rules, configurations and server files are called; the server says of each whether it is one. */
const DOCUMENTS = '**/*.{yaml,yml,md,markdown,json,jsonc,toml}';

/** The commands of this editor that the server may name in what it sends. */
const EDITOR_COMMANDS = ['editor.action.triggerSuggest'];

/** Registers no command by itself: each that the server has stands in this extension's own table or is not for users. */
class RulesClient extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if (!('registrationType' in feature) || feature.registrationType.method !== ExecuteCommandRequest.method) {
      super.registerFeature(feature);
    }
  }
}

class EditorCommands implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...capabilities.experimental, commands: { commands: EDITOR_COMMANDS } };
  }
  initialize(): void {}
  getState(): FeatureState {
    return { kind: 'static' };
  }
  clear(): void {}
}

/** A client for a server; it is not started. */
export function createClient(argv: readonly string[], cwd: string, log: vscode.LogOutputChannel): LanguageClient {
  const [command = '', ...args] = argv;
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: 'file', pattern: DOCUMENTS }],
    diagnosticCollectionName: 'rules-lsp',
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    // What is read once, at the start; everything else the server asks for, folder by folder.
    initializationOptions: vscode.workspace.getConfiguration('rulesLsp'),
  };
  const executable = { command, args: [...args, 'serve'], transport: TransportKind.stdio, options: { cwd } };
  const client = new RulesClient('rulesLsp', 'Rules LSP', executable, options);
  client.registerFeature(new EditorCommands());
  return client;
}
