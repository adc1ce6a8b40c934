/** The commands of the palette and of the menus. */
import * as vscode from 'vscode';
import { type CodeAction, CodeActionRequest } from 'vscode-languageclient/node';
import { showFiles, showTools } from './lists';
import { showPage } from './page';
import { pickFolder } from './places';
import { NoServer, type RulesServer } from './server';

/** The command of the server that starts the configured MCP servers to ask them for their tools. */
export const REFRESH_TOOLS = 'rulesLsp.refreshTools';
/** The command of the server that renders a persona; a lens names it. */
const PREVIEW_PERSONA = 'rulesLsp.previewPersona';
const CONVERT = 'refactor.rewrite.convert';
const FORMATS = [
  { label: 'YAML', description: '.coding-agent-rules.yaml', format: 'yaml' },
  { label: 'Markdown', description: '.coding-agent-rules.md', format: 'md' },
] as const;

export function registerCommands(server: RulesServer): vscode.Disposable {
  const commands: Readonly<Record<string, (...given: never[]) => Promise<unknown> | void>> = {
    'rulesLsp.restart': () => server.restart(),
    'rulesLsp.showOutput': () => server.log.show(),
    'rulesLsp.showFiles': (asked?: unknown) => showFiles(server, asked),
    'rulesLsp.showTools': (asked?: unknown) => showTools(server, asked),
    'rulesLsp.showPolicy': () => showPolicy(server),
    'rulesLsp.showPrompt': (uri?: vscode.Uri) => showPrompt(server, uri),
    [PREVIEW_PERSONA]: (asked: Asked) => previewPersona(server, asked),
    'rulesLsp.explainActiveFile': (uri?: vscode.Uri) => explainFile(server, uri),
    'rulesLsp.explainToolNamed': (tool?: string, folder?: string) => explainTool(server, tool, folder),
    'rulesLsp.createRuleFile': (format?: string) => createRuleFile(server, format),
    'rulesLsp.convert': () => convert(server),
    'rulesLsp.refreshToolCatalogue': () => refreshTools(server),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(name, async (...given: never[]) => {
        try {
          return await run(...given);
        } catch (error) {
          const sentence = error instanceof Error ? error.message : String(error);
          server.log.error(`${name}: ${sentence}`);
          if (error instanceof NoServer) {
            server.tell(sentence, true);
          } else {
            void vscode.window.showErrorMessage(sentence);
          }
          return undefined;
        }
      }),
    ),
  );
}

async function showPolicy(server: RulesServer): Promise<void> {
  const folder = await pickFolder();
  if (folder !== undefined) {
    await showPage(server, vscode.l10n.t('Policy of {0}', folder.name), { kind: 'policy', folder: folder.uri.toString() });
  }
}

/** All that an agent is told that works on a file, the active one if none is given. */
async function showPrompt(server: RulesServer, given?: vscode.Uri): Promise<void> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const uri = given ?? (active?.scheme === 'file' ? active : undefined);
  const target = uri === undefined ? {} : { for: uri.toString() };
  await showPage(server, vscode.l10n.t('What the agent reads'), { kind: 'prompt', ...target });
}

/** What a lens asks about: a persona. */
interface Asked {
  readonly uri: string;
}

/** Shows what a model is told by a persona, for the file that is seen beside it. */
async function previewPersona(server: RulesServer, { uri }: Asked): Promise<void> {
  const persona = vscode.Uri.parse(uri).toString();
  const beside = vscode.window.visibleTextEditors
    .map(({ document }) => document.uri)
    .find((each) => each.scheme === 'file' && each.toString() !== persona);
  const target = beside === undefined ? {} : { target: beside.toString() };
  const { text, problems } = await server.ask<Preview>(PREVIEW_PERSONA, { uri, ...target });
  if (text === null) {
    void vscode.window.showWarningMessage(problems.map(({ message }) => message).join('; '));
    return;
  }
  const content = await vscode.workspace.openTextDocument({ content: text, language: 'markdown' });
  await vscode.window.showTextDocument(content, vscode.ViewColumn.Beside);
}

interface Preview {
  readonly text: string | null;
  readonly problems: readonly { readonly message: string }[];
}

async function explainFile(server: RulesServer, given?: vscode.Uri): Promise<void> {
  const uri = given ?? vscode.window.activeTextEditor?.document.uri;
  if (uri !== undefined) {
    await showPage(server, vscode.l10n.t('Decision'), { kind: 'decision', query: { uri: uri.toString(), operation: 'write' } });
  }
}

async function explainTool(server: RulesServer, given?: string, folder?: string): Promise<void> {
  const prompt = vscode.l10n.t('The tool, such as github/get_issue or Bash');
  const tool = given ?? (await vscode.window.showInputBox({ title: vscode.l10n.t('Explain tool'), prompt }));
  if (tool) {
    await showPage(server, vscode.l10n.t('Decision'), { kind: 'decision', query: { tool, ...(folder === undefined ? {} : { root: folder }) } });
  }
}

/** The progress is the server's to show. Its servers are programs that the workspace names: only where it is trusted. */
async function refreshTools(server: RulesServer): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('The servers that a workspace names are started only where the workspace is trusted.'),
    );
    return;
  }
  const asked = await server.ask<AskedServer[]>(REFRESH_TOOLS);
  await vscode.commands.executeCommand('rulesLsp.refreshPolicy');
  const silent = asked.filter(({ tools }) => tools === null).map(({ server: name, message }) => `${name}: ${message}`);
  if (silent.length > 0) {
    void vscode.window.showWarningMessage(silent.join('; '));
  }
}

/** How it went with an MCP server; `tools` is null where it told none. */
interface AskedServer {
  readonly server: string;
  readonly message: string;
  readonly tools: number | null;
}

interface Starter {
  readonly uri: string;
  readonly text: string;
  readonly exists: boolean;
  readonly notes: readonly string[];
}

async function createRuleFile(server: RulesServer, given?: string): Promise<void> {
  const folder = await pickFolder();
  const title = vscode.l10n.t('Create rule file');
  const format = given ?? (folder && (await vscode.window.showQuickPick(FORMATS, { title }))?.format);
  if (folder === undefined || format === undefined) {
    return;
  }
  const asked = { folder: folder.uri.toString(), format };
  const { uri, text, exists, notes } = await server.ask<Starter>('rulesLsp.starter', asked);
  const file = vscode.Uri.parse(uri);
  if (!exists) {
    await vscode.workspace.fs.writeFile(file, Buffer.from(text, 'utf8'));
  }
  await vscode.window.showTextDocument(file);
  if (exists) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This rule file is there already.'));
  } else if (notes.length > 0) {
    void vscode.window.showWarningMessage(notes.join('; '));
  }
}

/** Writes the rules of the active file into a new one of the other format. */
async function convert(server: RulesServer): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) {
    return;
  }
  // The server alone is asked: what other extensions offer for the file may come and go meanwhile.
  const client = await server.start();
  const textDocument = { uri: document.uri.toString() };
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const context = { diagnostics: [], only: [CONVERT] };
  const actions = await client.sendRequest(CodeActionRequest.type, { textDocument, range, context });
  const offered = actions?.find((action): action is CodeAction => 'kind' in action && action.kind === CONVERT);
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(offered?.edit);
  if (edit === undefined) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('This file cannot be converted: it has faults, says what the other format cannot, or is converted already.'),
    );
    return;
  }
  const [created] = edit.entries().map(([uri]) => uri);
  await vscode.workspace.applyEdit(edit);
  if (created !== undefined) {
    const made = await vscode.workspace.openTextDocument(created);
    await made.save();
    await vscode.window.showTextDocument(made);
  }
}
