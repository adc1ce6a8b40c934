/** A page of the server beside the editors: rendered, with links that lead to rules and files, and current. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { RulesServer } from './server';

/** The description of a page, as `rulesLsp.preview` takes it. */
export type Page = Readonly<Record<string, unknown>>;

/** The Markdown of the editor leaves links to files out: they are numbered, and followed by us. */
const FILE_LINK = /\]\((file:[^)\s]+)\)/g;
const STYLE = `
  body { padding: 0 2em 2em; max-width: 60em; line-height: 1.5; }
  table { border-collapse: collapse; }
  th, td { padding: 0.3em 1em 0.3em 0; text-align: left; vertical-align: top;
           border-bottom: 1px solid var(--vscode-widget-border, #8884); }
  h1 code, h2 code { font-size: inherit; }`;

/** Shows a page until its tab is closed; when other rules are in force it is made anew. */
export async function showPage(server: RulesServer, title: string, page: Page): Promise<void> {
  const first = await read(server, page);
  const panel = vscode.window.createWebviewPanel('rulesLsp.page', title, vscode.ViewColumn.Active, {
    enableScripts: true,
    enableFindWidget: true,
  });
  let links: readonly string[] = [];
  const show = async (markdown: string) => {
    links = [...markdown.matchAll(FILE_LINK)].map((found) => found[1] ?? '');
    panel.webview.html = await rendered(markdown);
  };
  const again = async () => {
    // A page that cannot be made any more stays as it was last.
    await read(server, page).then(show, (error: unknown) => server.log.warn(String(error)));
  };
  const listening = vscode.Disposable.from(
    server.onDidChangePolicy(() => void again()),
    panel.webview.onDidReceiveMessage((index: number) => void follow(links[index])),
  );
  panel.onDidDispose(() => listening.dispose());
  await show(first);
}

async function read(server: RulesServer, page: Page): Promise<string> {
  return (await server.ask<{ markdown: string }>('rulesLsp.preview', page)).markdown;
}

async function rendered(markdown: string): Promise<string> {
  let number = 0;
  const numbered = markdown.replace(FILE_LINK, () => `](#link-${number++})`);
  const body = await vscode.commands.executeCommand<string>('markdown.api.render', numbered);
  const nonce = randomBytes(16).toString('base64url');
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<style nonce="${nonce}">${STYLE}</style></head>
<body>${body}<script nonce="${nonce}">
const editor = acquireVsCodeApi();
addEventListener('click', (event) => {
  const found = /^#link-(\\d+)$/.exec(event.target.closest?.('a')?.getAttribute('href') ?? '');
  if (found) { event.preventDefault(); editor.postMessage(Number(found[1])); }
});
</script></body></html>`;
}

/** Opens the file of a link, at the line that it names. */
async function follow(link: string | undefined): Promise<void> {
  if (link === undefined) {
    return;
  }
  const uri = vscode.Uri.parse(link);
  const line = Number(/^L(\d+)$/.exec(uri.fragment)?.[1] ?? 1) - 1;
  const selection = new vscode.Range(line, 0, line, 0);
  await vscode.commands.executeCommand('vscode.open', uri.with({ fragment: '' }), { selection });
}
