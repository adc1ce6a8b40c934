// Uses the packaged extension in the page of VS Code as a person does, and says what stands there. Pictures are kept.
import path from 'node:path';
import { say, withPage } from './browser.mjs';

const RULES = '.coding-agent-rules.yaml';
const WIDTH = 1200;

await withPage(async (page) => {
  await page.goto(process.env.PAGE_ADDRESS, { waitUntil: 'domcontentloaded' });
  await open(page, RULES);
  await page.locator('.squiggly-error').first().waitFor();
  const lens = page.locator('.codelens-decoration a', { hasText: 'writable' });
  await lens.waitFor();
  await page.waitForFunction((count) => document.querySelectorAll('.codelens-decoration a').length === count, 9);
  say({ lenses: await texts(page.locator('.codelens-decoration a')) });
  say({ problems: (await page.locator('#status\\.problems').innerText()).trim().split(/\s+/) });

  const fault = page.locator('.view-line span', { hasText: 'deny_tools' }).last();
  await fault.hover();
  const hover = page.locator('.monaco-hover', { hasText: 'unknown key' });
  await hover.waitFor();
  say({ hover: (await hover.innerText()).split('\n')[0] });
  await picture(page, 'diagnostic', { height: 500 });

  await page.keyboard.press('Escape');
  await page.locator('.view-line', { hasText: 'src/' }).locator('span', { hasText: /^src$/ }).last().hover();
  const pattern = page.locator('.monaco-hover', { hasText: 'src/cart.py' });
  await pattern.waitFor();
  say({ pattern: (await pattern.innerText()).split('\n')[0] });
  await picture(page, 'hover', { height: 640 });
  await page.keyboard.press('Escape');

  await lens.click();
  await row(page, 'cart.py').waitFor();
  say({ files: await texts(page.locator('.quick-input-list .label-name')) });
  await picture(page, 'files', { height: 400 });
  await page.keyboard.press('Escape');
  await page.locator('.codelens-decoration a', { hasText: '1 of 14 tools' }).click();
  await row(page, 'move_file').waitFor();
  say({ tools: await texts(page.locator('.quick-input-list .label-name, .quick-input-list .label-description')) });
  await page.keyboard.press('Escape');

  // Repaired by the preferred fix, as Ctrl+. offers it.
  await fault.click();
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget', { hasText: 'rename it to `denied_tools`' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.view-line', { hasText: /^denied_tools/ }).waitFor();
  await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
  await page.keyboard.press('Control+s');

  await page.locator('.view-line', { hasText: 'secrets/' }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('- sr');
  const suggestion = page.locator('.suggest-widget .monaco-list-row', { hasText: 'src/' });
  await suggestion.first().waitFor();
  say({ completion: (await page.locator('.suggest-widget .monaco-list-row .label-name').first().innerText()).trim() });
  await page.waitForFunction(marked);
  await picture(page, 'completion', { height: 640 });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+K');
  await page.keyboard.press('Control+s');

  await open(page, 'README.md');
  const status = page.locator('.statusbar-item', { hasText: /denied ·|writable ·/ });
  // That of the file before may stand there for a moment.
  await status.filter({ hasText: 'file_patterns.include' }).waitFor();
  say({ denied: (await status.innerText()).trim() });
  await expand(page, 'src');
  await open(page, 'cart.py');
  await status.filter({ hasText: 'writable' }).waitFor();
  say({ writable: (await status.innerText()).trim() });
  await picture(page, 'status', { height: 720 });
  await status.locator('a').click();
  await page.locator('.tab.active', { hasText: RULES }).waitFor();
  await open(page, 'cart.py');
  await page.waitForFunction(marked);
  say({ marked: await page.evaluate(marked) });

  await page.keyboard.press('F1');
  await page.keyboard.type('Rules LSP: Show effective policy');
  await row(page, 'Show effective policy').click();
  const policy = page.frameLocator('iframe.webview').frameLocator('iframe').locator('body');
  await policy.locator('h2', { hasText: 'file_patterns.exclude' }).waitFor();
  say({ policy: (await texts(policy.locator('h1, h2'))).map((title) => title.split(' /')[0]) });

  // The view has the side bar for itself.
  await page.locator('.pane-header', { hasText: 'shop' }).first().click();
  await page.locator('.pane-header', { hasText: 'Agent policy' }).click();
  const tree = page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'Agent policy' }) });
  for (const name of ['Rules', 'file_patterns.exclude', 'Files']) {
    const label = page.locator('.label-name', { hasText: new RegExp(`^${name}$`) });
    await tree.locator('.monaco-list-row', { has: label }).click();
    await tree.locator('.monaco-list-row[aria-expanded="true"]', { has: label }).waitFor();
  }
  await tree.locator('.monaco-list-row', { hasText: 'denied4' }).waitFor();
  const rows = tree.locator('.monaco-list-row .monaco-icon-label-container');
  say({ tree: (await texts(rows)).map((text) => text.replace(/\s+/g, ' ')) });
  await picture(page, 'policy', { height: 720 });

  await policy.locator('tr', { hasText: 'tests/**' }).locator('a').click();
  await page.locator('.tab.active', { hasText: RULES }).waitFor();
  say({ line: await page.locator('.editor-instance .line-numbers.active-line-number').innerText() });
});

/** Opens a file of the Explorer as a person does. */
async function open(page, name) {
  const item = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  await item.dblclick();
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await page.locator('.editor-instance .view-lines').first().waitFor();
}

/** Opens a directory of the Explorer, once. */
async function expand(page, name) {
  const label = page.locator('.label-name', { hasText: new RegExp(`^${name}$`) });
  const rows = page.locator('.explorer-folders-view .monaco-list-row');
  await rows.filter({ has: label }).click();
  await page.locator('.explorer-folders-view .monaco-list-row[aria-expanded="true"]', { has: label }).waitFor();
}

/** The names in the Explorer that bear the mark of what agents may not write; undefined where there is none. */
function marked() {
  const labels = [...document.querySelectorAll('.explorer-folders-view .monaco-icon-label')];
  const bear = labels.filter((label) => getComputedStyle(label, '::after').content.includes('⊘'));
  return bear.length > 0 ? bear.map((label) => label.querySelector('.label-name').textContent) : undefined;
}

function row(page, text) {
  return page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
}

async function texts(locator) {
  return (await locator.allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' ').trim());
}

/** What fades in is there at once. */
async function picture(page, name, { height }) {
  const file = path.join(process.env.PICTURES, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled', clip: { x: 0, y: 0, width: WIDTH, height } });
}
