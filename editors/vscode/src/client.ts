/** The connection to the language server: what it tells the server about this editor, and what the two share. */
import * as vscode from 'vscode';
import {
  type ClientCapabilities,
  CloseAction,
  type DynamicFeature,
  type Executable,
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
export class RulesClient extends LanguageClient {
  private abandon: (cause: Error) => void = () => undefined;
  private readonly abandoned = new Promise<never>((_, reject) => (this.abandon = reject));
  private isGivenUp = false;

  constructor(executable: Executable, options: LanguageClientOptions) {
    super('rulesLsp', 'Rules LSP', executable, options);
    // Whoever waits for the start hears of it; where nobody does, it is no fault.
    this.abandoned.catch(() => undefined);
    const usual = this.createDefaultErrorHandler();
    this.clientOptions.errorHandler = {
      error: (...given) => usual.error(...given),
      closed: () => (this.isGivenUp ? { action: CloseAction.DoNotRestart, handled: true } : usual.closed()),
    };
  }

  /** Starts the server. Throws where it cannot be started, does not answer in time or is given up meanwhile. */
  async begin(seconds: number): Promise<void> {
    const late = setTimeout(() => this.giveUp(), seconds * 1000);
    try {
      await Promise.race([this.start(), this.abandoned]);
    } finally {
      clearTimeout(late);
    }
  }

  /** Ends a server that is not begun yet: the protocol has no way to stop one that does not answer. */
  giveUp(): void {
    this.isGivenUp = true;
    this.serverProcess?.kill('SIGKILL');
    this.abandon(new Error(vscode.l10n.t('the server does not answer')));
  }

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
export function createClient(argv: readonly string[], cwd: string, log: vscode.LogOutputChannel): RulesClient {
  const [command = '', ...args] = argv;
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: 'file', pattern: DOCUMENTS }],
    diagnosticCollectionName: 'rules-lsp',
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    // What is read once, at the start; everything else the server asks for, folder by folder.
    initializationOptions: vscode.workspace.getConfiguration('rulesLsp'),
  };
  const executable: Executable = { command, args: [...args, 'serve'], transport: TransportKind.stdio, options: { cwd } };
  const client = new RulesClient(executable, options);
  client.registerFeature(new EditorCommands());
  return client;
}
