// Runs inside the extension host of a VS Code whose agents take MCP servers from extensions. Says what an agent gets.
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const SERVER = 'rules-lsp.rules-lsp/Rules LSP';
const said = {};

exports.run = async function run() {
  const [folder] = vscode.workspace.workspaceFolders;
  try {
    const api = await vscode.extensions.getExtension('rules-lsp.rules-lsp').activate();
    said.asked = await api.isFileAllowed(vscode.Uri.joinPath(folder.uri, 'src/app.py'));
    said.tools = await toolsOnce((amount) => amount > 0);
    said.denied = await check('secrets/key.pem');
    said.allowed = await check('src/app.py');

    // Without the extra there is no MCP server to offer, and the language server runs on.
    const settings = vscode.workspace.getConfiguration('rulesLsp');
    await settings.update('server.command', JSON.parse(process.env.TEST_WITHOUT_MCP), vscode.ConfigurationTarget.Workspace);
    await vscode.commands.executeCommand('rulesLsp.restart');
    said.without = [await toolsOnce((amount) => amount === 0), await api.isFileAllowed(vscode.Uri.joinPath(folder.uri, 'src/app.py'))];
  } catch (error) {
    said.failure = error.stack;
  }
  fs.writeFileSync(process.env.TEST_REPORT, JSON.stringify(said));
};

function names() {
  return vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_')).sort();
}

/** Starts the server, as an agent's turn does, until the editor has the tools that are wanted; how many there are. */
async function toolsOnce(wanted) {
  const until = Date.now() + 60_000;
  while (Date.now() < until) {
    await vscode.commands.executeCommand('workbench.mcp.startServer', SERVER, { waitForLiveTools: true });
    if (wanted(names().length)) {
      return names();
    }
  }
  throw new Error(`waited in vain: the editor has ${JSON.stringify(vscode.lm.tools.map(({ name }) => name))}`);
}

async function check(file) {
  const tool = names().find((name) => name.endsWith('check_file'));
  const input = { path: path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, file) };
  const { content } = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined });
  const { allowed, reason } = JSON.parse(content[0].value);
  return [allowed, reason];
}
