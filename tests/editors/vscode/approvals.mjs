// The person before the page while an agent works: approves, denies, closes a question, and reads what was done.
import { say, withPage } from './browser.mjs';

await withPage(async (page) => {
  let end;
  const ended = new Promise((resolve) => (end = resolve));
  await page.exposeFunction('codeAutomationLog', (kind, texts) => console.error(kind, ...texts));
  await page.exposeFunction('codeAutomationExit', (code) => end(code));
  await page.goto(process.env.PAGE_ADDRESS);

  const toast = (command) => page.locator('.notification-toast', { hasText: command });
  await toast('rm a').waitFor();
  say({ question: (await toast('rm a').locator('.notification-list-item-message').innerText()).trim() });
  say({ buttons: await texts(toast('rm a').locator('.notification-list-item-buttons-container .monaco-button')) });
  await toast('rm a').getByText('Approve once').click();
  await toast('rm b').getByText('Deny').click();
  await toast('rm c').waitFor();
  await toast('rm c').hover();
  await toast('rm c').locator('.codicon-notifications-clear').click();
  await toast('rm c').waitFor({ state: 'detached' });

  await page.locator('.pane-header', { hasText: 'shop' }).first().click();
  await page.locator('.pane-header', { hasText: 'Agent policy' }).click();
  const tree = page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'Agent policy' }) });
  const row = tree.locator('.monaco-list-row', { hasText: 'Activity' });
  await row.click();
  await tree.locator('.monaco-list-row', { hasText: 'Read' }).waitFor();
  const rows = tree.locator('.monaco-list-row[aria-level="2"] .monaco-icon-label-container');
  await page.waitForFunction(
    (count) => document.querySelectorAll('.monaco-list-row[aria-level="2"] .monaco-icon-label-container').length === count,
    7,
  );
  say({ activity: (await texts(rows)).map((text) => text.replace(/ · [^·]*$/, '')) });
  say({ timed: (await texts(rows)).every((text) => / · \d{1,2}:\d\d:\d\d\s[AP]M$/.test(text)) });
  await tree.locator('.monaco-list-row', { hasText: 'approved once' }).click();

  const code = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 60_000, 'too long').unref())]);
  if (code !== 0) {
    throw new Error(`the agent ended with ${code}`);
  }
});

async function texts(locator) {
  return (await locator.allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' ').trim());
}
