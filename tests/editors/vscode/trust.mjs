// A folder that is not trusted: its rules are read, and none of its programs runs; until the person trusts it.
import { existsSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { say, withPage } from './browser.mjs';

await withPage(async (page) => {
  await page.goto(process.env.PAGE_ADDRESS, { waitUntil: 'domcontentloaded' });
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: '.coding-agent-rules.yaml' }).dblclick();
  await page.locator('.squiggly-error').first().waitFor();
  await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
  say({ untrusted: { fault: true, ran: existsSync(process.env.RAN) } });

  const ran = appearance(process.env.RAN);
  await page.keyboard.press('F1');
  await page.keyboard.type('Workspaces: Manage Workspace Trust');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Manage Workspace Trust' }).first().click();
  await page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).first().click();
  await ran;
  say({ trusted: { ran: readFileSync(process.env.RAN, 'utf8').split('\n')[0] } });
});

/** Once a file is there and has a line. */
function appearance(file) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${file} does not appear`)), 30_000);
    const watching = watch(path.dirname(file), () => {
      if (existsSync(file) && readFileSync(file, 'utf8').includes('\n')) {
        clearTimeout(late);
        watching.close();
        resolve();
      }
    });
  });
}
