// Runs inside the real extension host: `vscode` is the real API. Each step says one value; they go to a file as JSON.
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const EXTENSION = 'rules-lsp.rules-lsp';
const RULES = '.coding-agent-rules.yaml';
const said = {};

exports.run = async function run() {
  const folders = Object.fromEntries(vscode.workspace.workspaceFolders.map((folder) => [folder.name, folder.uri]));
  const shop = (name) => vscode.Uri.joinPath(folders.shop, name);
  const docs = (name) => vscode.Uri.joinPath(folders.docs, name);
  const rules = shop(RULES);
  try {
    const api = await vscode.extensions.getExtension(EXTENSION).activate();
    said.api = [api.apiVersion, ...Object.keys(api).sort()];
    said.commands = (await vscode.commands.getCommands(true)).filter((name) => name.startsWith('rulesLsp.')).sort();

    const document = await show(rules);
    said.diagnostics = (await diagnosticsOf(rules, (found) => found.length > 0)).map(plainDiagnostic);
    // An answer says that the server has begun, and that everything that it offers is registered.
    await api.explainFile(shop('a.pem'));
    await settled();
    const [hover] = await ask('vscode.executeHoverProvider', rules, new vscode.Position(6, 9));
    said.hover = hover.contents[0].value.split('\n')[0];
    const lenses = await ask('vscode.executeCodeLensProvider', rules, 20);
    said.lenses = lenses.map((lens) => [lens.range.start.line, lens.command.title, lens.command.command]);
    const page = await ask('rulesLsp.explainFile', { uri: shop('secrets/k.pem') });
    said.page = page.markdown.split('\n')[0];
    const list = await ask('vscode.executeCompletionItemProvider', rules, new vscode.Position(7, 0));
    const labels = list.items.map(({ label }) => label.label ?? label);
    said.completion = ['allowed_tools', 'denied_tools', 'system_prompt_extension'].filter((key) => labels.includes(key));

    said.fixed = await fix(document);
    said.cleared = (await diagnosticsOf(rules, (found) => found.length === 0)).length;

    const brief = ({ allowed, code, rule }) => [allowed, code, rule?.pattern ?? null];
    const file = async (...question) => brief(await ask('rulesLsp.isFileAllowed', ...question));
    said.files = {
      excluded: await file(shop('src/k.pem').toString()),
      included: await file(shop('src/a.py')),
      read: await file({ uri: shop('README.md'), operation: 'read' }),
      write: await file(shop('README.md').toString(), 'write'),
      other: await file(docs('k.pem')),
      spaces: await file(shop('src/見積 (1) #2%41.py')),
      spacesDenied: await file(shop('src/鍵 (1) #2%41.pem')),
      untitled: await file(vscode.Uri.parse('untitled:Untitled-1')),
      git: await file(shop('src/a.py').with({ scheme: 'git', query: '{}' })),
      cell: await file(shop('src/a.ipynb').with({ scheme: 'vscode-notebook-cell', fragment: 'W0' })),
      remote: await file(shop('src/a.py').with({ scheme: 'vscode-remote', authority: 'ssh-remote+host' })),
      nothing: await file(),
    };
    said.tools = {
      denied: brief(await ask('rulesLsp.isToolAllowed', 'github/delete_file')),
      free: brief(await ask('rulesLsp.isToolAllowed', { tool: 'github/get_file' })),
      otherFolder: brief(await ask('rulesLsp.isToolAllowed', 'Bash')),
    };
    said.exported = {
      denied: await api.isFileAllowed(shop('src/k.pem')),
      allowed: await api.isFileAllowed(shop('src/a.py').toString(), 'create'),
      deniedTool: await api.isToolAllowed('github/delete_file'),
      allowedTool: await api.isToolAllowed('github/get_file', { path: 'src/a.py' }),
      deniedByArguments: await api.isToolAllowed('Write', { file_path: shop('src/k.pem').fsPath }),
      reason: (await api.explainFile(shop('src/k.pem'))).reason,
    };
    said.modelTools = {
      names: vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('rules-lsp')).sort(),
      file: await invoke('rules-lsp_isFileAllowed', { path: shop('src/k.pem').fsPath }),
      tool: await invoke('rules-lsp_isToolAllowed', { tool: 'github/get_file' }),
    };

    const changed = next(api.onDidChangePolicy, ({ folder }) => folder.path === folders.shop.path);
    fs.writeFileSync(rules.fsPath, 'file_patterns:\n  exclude: ["*.py"]\n');
    said.changed = [path.basename((await changed).folder.path), await file(shop('src/a.py')), await file(shop('k.pem'))];

    await show(docs('.coding-agent-rules.md'));
    await ask('rulesLsp.convert');
    said.converted = fs.readFileSync(docs(RULES).fsPath, 'utf8');
    await show(vscode.Uri.joinPath(folders.empty, 'a.txt'));
    await ask('rulesLsp.createRuleFile', 'md');
    const created = vscode.window.activeTextEditor.document;
    said.created = [vscode.workspace.asRelativePath(created.uri), created.getText().split('\n')[0], created.isDirty];

    await show(shop('src/a.py'));
    await ask('rulesLsp.openDecidingRule');
    const { document: decided, selection } = vscode.window.activeTextEditor;
    said.deciding = [vscode.workspace.asRelativePath(decided.uri), decided.getText(selection)];
    const before = (await ask('rulesLsp.serverState')).folders.length;
    await ask('rulesLsp.restart');
    said.restarted = [before, await file(shop('src/a.py'))];

    // A server that ends is started anew; one that is stopped in its tracks is not waited for.
    const program = serverProcess();
    process.kill(program, 'SIGKILL');
    said.killed = [await answered(() => file(shop('src/a.py'))), serverProcess() !== program];
    process.kill(serverProcess(), 'SIGSTOP');
    said.frozen = [await api.isFileAllowed(shop('README.md')), (await api.explainTool('Read')).reason];
    process.kill(serverProcess(), 'SIGCONT');
    said.thawed = await answered(() => file(shop('README.md')));

    const settings = vscode.workspace.getConfiguration('rulesLsp');
    const told = async () => [await api.isFileAllowed(shop('README.md')), (await api.explainTool('Read')).reason];
    await settings.update('server.command', 'rules-lsp', vscode.ConfigurationTarget.Workspace);
    said.nonsense = await told();
    // One that never answers keeps nobody from starting another, which happens by itself.
    await settings.update('server.command', ['sh', '-c', 'exec sleep 1000'], vscode.ConfigurationTarget.Workspace);
    await settings.update('server.command', undefined, vscode.ConfigurationTarget.Workspace);
    said.repaired = await answered(() => file(shop('README.md')));

    await settings.update('server.command', ['/no/such/server'], vscode.ConfigurationTarget.Workspace);
    await ask('rulesLsp.restart');
    said.without = [await api.isFileAllowed(shop('README.md')), (await api.explainTool('Read')).code];
    fs.writeFileSync(rules.fsPath, 'file_patterns:\n  exclude: ["*.md"]\n');
    const missed = next(api.onDidChangePolicy, ({ folder }) => folder.path === folders.shop.path);
    await settings.update('server.command', undefined, vscode.ConfigurationTarget.Workspace);
    await ask('rulesLsp.restart');
    said.missed = [path.basename((await missed).folder.path), await api.isFileAllowed(shop('README.md'))];
  } catch (error) {
    said.failure = error.stack;
  }
  fs.writeFileSync(process.env.TEST_REPORT, JSON.stringify(said));
};

function ask(command, ...given) {
  return vscode.commands.executeCommand(command, ...given);
}

/** Once the server has listed the files of its folders. */
async function settled() {
  await ask('rulesLsp.serverState', { settled: true });
}

async function show(uri) {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

/** The process of the language server, a child of this one. */
function serverProcess() {
  const processes = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = processes.find((name) => {
    try {
      const parent = /^\d+ \(.*\) \S+ (\d+)/s.exec(fs.readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
      return Number(parent) === process.pid && fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('rules_lsp\0');
    } catch {
      return false;
    }
  });
  return Number(found);
}

/** The answer of a server, once there is one: until then everything is denied. */
async function answered(question) {
  const until = Date.now() + 60_000;
  while (Date.now() < until) {
    const answer = await question();
    if (answer[1] !== 'policy-error') {
      return answer;
    }
    if (answer[0] !== false) {
      throw new Error(`allowed by nobody: ${JSON.stringify(answer)}`);
    }
  }
  throw new Error('waited in vain for a server');
}

/** The first event that fits; an error where none comes. */
function next(event, fits) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('waited in vain for an event')), 30_000);
    const listening = event((value) => {
      if (fits(value)) {
        clearTimeout(late);
        listening.dispose();
        resolve(value);
      }
    });
  });
}

async function diagnosticsOf(uri, fits) {
  const now = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'rules-lsp');
  if (!fits(now())) {
    await next(vscode.languages.onDidChangeDiagnostics, () => fits(now()));
  }
  return now();
}

function plainDiagnostic({ code, range: { start, end }, severity, source }) {
  return [source, code.value ?? code, severity, start.line, start.character, end.character];
}

/** Applies the preferred quick fix of the first line and saves; the file as it is on the disk. */
async function fix(document) {
  const range = new vscode.Range(0, 0, 0, 10);
  const actions = await ask('vscode.executeCodeActionProvider', document.uri, range, 'quickfix');
  const preferred = actions.find((action) => action.isPreferred);
  await vscode.workspace.applyEdit(preferred.edit);
  await document.save();
  return [preferred.title, fs.readFileSync(document.uri.fsPath, 'utf8').split('\n')[0]];
}

async function invoke(name, input) {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return JSON.parse(content[0].value);
}
