/** The language server as the rest of the extension sees it: started when it is needed, asked, started anew. */
import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient, State } from 'vscode-languageclient/node';
import type { PolicyAction } from './activity';
import { createClient, type RulesClient } from './client';
import { type Bundle, workingDirectory } from './server/bundled';
import { findServer, type Found } from './server/find';

/** The version of the commands and notifications that begin with `rulesLsp`. */
const API_VERSION = 1;
/** How long a server may take until it speaks. */
const START_SECONDS = 60;
/** How long a running server may take to answer a question. */
const ANSWER_SECONDS = 10;

/** Other rules are in force in a folder. */
export interface PolicyChange {
  readonly folder: vscode.Uri;
  /** A hash of what governs the folder. */
  readonly version: string;
}

interface ServerState {
  readonly folders: readonly { readonly uri: string; readonly policyVersion: string }[];
}

/** There is no server that could be started; the message is a sentence for the user. */
export class NoServer extends Error {}

export class RulesServer implements vscode.Disposable {
  private readonly policyChanged = new vscode.EventEmitter<PolicyChange>();
  private readonly policyActed = new vscode.EventEmitter<PolicyAction>();
  private readonly runningChanged = new vscode.EventEmitter<boolean>();
  private client: LanguageClient | undefined;
  private beginning: RulesClient | undefined;
  private starting: Promise<LanguageClient> | undefined;
  private wanted = false;
  private command: Found | undefined;
  private told = false;
  private telling = false;
  private readonly versions = new Map<string, string>();

  readonly onDidChangePolicy = this.policyChanged.event;
  /** A rule of Auto Prompter did something. */
  readonly onPolicyAction = this.policyActed.event;
  /** The server runs from now on, or does no more. */
  readonly onDidChangeRunning = this.runningChanged.event;

  constructor(
    private readonly bundle: Bundle,
    readonly log: vscode.LogOutputChannel,
  ) {}

  get running(): boolean {
    return this.client?.state === State.Running;
  }

  /** Whether anybody has wanted a server so far, be there one or not. */
  get isWanted(): boolean {
    return this.wanted;
  }

  /** What runs as the server, and the version that it tells; undefined where none runs. */
  get program(): { readonly argv: readonly string[]; readonly version: string } | undefined {
    const version = this.client?.initializeResult?.serverInfo?.version ?? '';
    return this.running && this.command !== undefined ? { argv: this.command.argv, version } : undefined;
  }

  /** The commands that the running server has. */
  get commands(): readonly string[] {
    return this.client?.initializeResult?.capabilities.executeCommandProvider?.commands ?? [];
  }

  /** Starts the server unless that is done. Throws where there is none; the user is told so once. */
  async start(): Promise<LanguageClient> {
    this.wanted = true;
    this.starting ??= this.launch();
    try {
      return await this.starting;
    } catch (error) {
      this.starting = undefined;
      throw error;
    }
  }

  async restart(): Promise<void> {
    this.told = false;
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    this.beginning?.giveUp();
    const client = await this.starting?.catch(() => undefined);
    this.starting = undefined;
    this.client = undefined;
    await client?.dispose().catch((error: unknown) => this.log.warn(String(error)));
    // Another start may be through by now.
    this.runningChanged.fire(this.running);
  }

  /** The answer of a command of the server. Throws where it does not run or fails. */
  async ask<T>(command: string, ...argumentsOfCommand: unknown[]): Promise<T> {
    const client = await this.start();
    return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: argumentsOfCommand });
  }

  /** The same where somebody waits for a decision: a server that runs and says nothing is not waited for. */
  async askInTime<T>(command: string, ...argumentsOfCommand: unknown[]): Promise<T> {
    await this.start();
    let late: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Error(vscode.l10n.t('the server does not answer'))), ANSWER_SECONDS * 1000);
    });
    try {
      return await Promise.race([this.ask<T>(command, ...argumentsOfCommand), silence]);
    } finally {
      clearTimeout(late);
    }
  }

  dispose(): void {
    void this.stop();
    this.policyChanged.dispose();
    this.policyActed.dispose();
    this.runningChanged.dispose();
  }

  /** Where its programs run. */
  workingDirectory(): Promise<string> {
    return workingDirectory(this.bundle);
  }

  private async launch(): Promise<LanguageClient> {
    const found = await findServer(this.bundle, this.log);
    if (typeof found === 'string') {
      this.log.error(found);
      this.tell(found);
      throw new NoServer(found);
    }
    this.log.info(`starting the server of ${found.origin}: ${found.argv.join(' ')}`);
    const client = createClient(found.argv, await this.workingDirectory(), this.log);
    client.onNotification('rulesLsp/policyChanged', ({ uri, version }: { uri: string; version: string }) =>
      this.learn(uri, version),
    );
    client.onNotification('rulesLsp/policyAction', (action: PolicyAction) => this.policyActed.fire(action));
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        void this.compare(client);
      }
      if (newState !== State.Starting && this.client === client) {
        this.runningChanged.fire(newState === State.Running);
      }
    });
    this.beginning = client;
    try {
      await client.begin(START_SECONDS);
    } finally {
      this.beginning = undefined;
    }
    const version: unknown = client.initializeResult?.capabilities.experimental?.rulesLsp?.apiVersion;
    if (version !== API_VERSION) {
      await client.dispose();
      const sentence = vscode.l10n.t('Rules LSP cannot speak with the server of {0}: update it', found.origin);
      this.log.error(sentence);
      this.tell(sentence);
      throw new NoServer(sentence);
    }
    this.client = client;
    this.command = found;
    this.runningChanged.fire(true);
    return client;
  }

  /** Rules may have changed while no server ran, or none of this one. */
  private async compare(client: LanguageClient): Promise<void> {
    try {
      const asked = { command: 'rulesLsp.serverState', arguments: [] };
      const { folders } = (await client.sendRequest(ExecuteCommandRequest.type, asked)) as ServerState;
      folders.forEach(({ uri, policyVersion }) => this.learn(uri, policyVersion, this.versions.has(uri)));
    } catch (error) {
      this.log.warn(String(error));
    }
  }

  private learn(uri: string, version: string, isNews = true): void {
    const before = this.versions.get(uri);
    this.versions.set(uri, version);
    if (isNews && before !== version) {
      this.policyChanged.fire({ folder: vscode.Uri.parse(uri), version });
    }
  }

  /** Tells the user why there is no server: once by itself, and again where the user `asked` and sees it no more. */
  tell(sentence: string, asked = false): void {
    if (this.telling || (this.told && !asked)) {
      return;
    }
    this.told = true;
    this.telling = true;
    const settings = vscode.l10n.t('Open settings');
    void vscode.window.showErrorMessage(sentence, settings).then((chosen) => {
      this.telling = false;
      if (chosen === settings) {
        void vscode.commands.executeCommand('workbench.action.openSettings', 'rulesLsp.server.command');
      }
    });
  }
}
