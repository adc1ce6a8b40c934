/** When the server is started: as soon as something of the workspace has to do with rules. */
import * as vscode from 'vscode';
import type { RulesServer } from './server';

const RULE_FILES = ['.coding-agent-rules.yaml', '.coding-agent-rules.md', '.github/AGENTS.md', '.auto-prompter.yaml'];
const RULE_FILE = /(?:^|\/)(?:\.coding-agent-rules\.(?:yaml|md)|\.auto-prompter\.yaml)$/;
/** What an agent is told, and by what: an open one is of ours, a project that has some is not yet governed. */
const TOLD_FILE =
  /(?:^|\/)(?:AGENTS(?:\.[Oo]verride)?\.md|agent\.(?:system|protocol)\.projects\.\w+\.md|\.a0proj\/(?:project\.json|mcp_servers\.json|instructions\/[^/]+)|\.shaft\/(?:.*\/)?templates\/.*\.json)$/i;
const CONFIG = 'config.yaml';
const SECTION = /^project_agent_rules\s*:/m;

/** Starts the server when it is first needed; whoever asks it before that starts it too. */
export function startWhenWanted(server: RulesServer): vscode.Disposable {
  const start = () => void server.start().catch(() => undefined);
  const look = async () => {
    if (vscode.workspace.textDocuments.some(isOfRules) || (await isGoverned())) {
      start();
    }
  };
  void look();
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument((document) => isOfRules(document) && start()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void look()),
  );
}

function isOfRules(document: vscode.TextDocument): boolean {
  const { scheme, path } = document.uri;
  const configured = () => path.endsWith(`/${CONFIG}`) && SECTION.test(document.getText());
  return scheme === 'file' && (RULE_FILE.test(path) || TOLD_FILE.test(path) || configured());
}

async function isGoverned(): Promise<boolean> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    for (const name of RULE_FILES) {
      if ((await read(vscode.Uri.joinPath(uri, name))) !== undefined) {
        return true;
      }
    }
    if (SECTION.test((await read(vscode.Uri.joinPath(uri, CONFIG))) ?? '')) {
      return true;
    }
  }
  try {
    return (await vscode.workspace.findFiles(`**/{${RULE_FILES.join(',')}}`, '**/node_modules/**', 1)).length > 0;
  } catch {
    // Without a search the server starts with the first rule file that is opened.
    return false;
  }
}

async function read(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
  } catch {
    return undefined;
  }
}
