// Runs inside the real extension host as the loop of an agent: it asks the gate, and the page's person decides.
const fs = require('node:fs');
const vscode = require('vscode');

const said = {};

exports.run = async function run() {
  const opening = opened();
  try {
    await vscode.extensions.getExtension('rules-lsp.rules-lsp').activate();
    const claimed = await gate('claimJob', { task: 't', piece: 'p', movement: 'm', job: 'j' });
    said.claimed = [claimed.enabled, claimed.activeRules];
    for (const [command, state] of [['rm a', 'approved'], ['rm b', 'denied'], ['rm c', 'denied']]) {
      const call = { id: command, tool: 'Bash', arguments: { command } };
      const held = await gate('beforeTools', { job: 'j', calls: [call] });
      const found = await decided(held.approval.requestId);
      const then = await gate('beforeTools', { job: 'j', calls: [call] });
      said[command] = [held.batch, found, then.calls[0].effect];
      for (const approval of then.calls[0].consume ?? []) {
        said.consumed = [await consumed(approval), await consumed(approval)];
      }
    }
    const read = { id: 'read', tool: 'Read', arguments: { file_path: 'a' } };
    said.read = (await gate('beforeTools', { job: 'j', calls: [read] })).batch;
    said.opened = await opening;
  } catch (error) {
    said.failure = error.stack;
  }
  fs.writeFileSync(process.env.TEST_REPORT, JSON.stringify(said));
};

function gate(name, argument) {
  return vscode.commands.executeCommand(`rulesLsp.gate.${name}`, argument);
}

async function consumed(approval) {
  return (await gate('consume', approval)).consumed;
}

/** What became of a request, once it waits no more. */
async function decided(requestId) {
  const until = Date.now() + 60_000;
  while (Date.now() < until) {
    const found = (await gate('approvals', {})).find((each) => each.requestId === requestId);
    if (found.state !== 'pending') {
      return found.state;
    }
  }
  throw new Error('nobody decided');
}

/** What is selected in the file of rules, once the person has opened it from the list. */
function opened() {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('nobody opened the rule')), 120_000);
    vscode.window.onDidChangeTextEditorSelection(({ textEditor: { document, selection } }) => {
      if (document.uri.path.endsWith('/.auto-prompter.yaml') && !selection.isEmpty) {
        clearTimeout(late);
        resolve([vscode.workspace.asRelativePath(document.uri), document.getText(selection), selection.start.line]);
      }
    });
  });
}
