// A machine on which the server cannot run: what the person is told.
import { say, withPage } from './browser.mjs';

await withPage(async (page) => {
  await page.goto(process.env.PAGE_ADDRESS, { waitUntil: 'domcontentloaded' });
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: '.coding-agent-rules.yaml' }).dblclick();
  await page.locator('.notification-toast', { hasText: process.env.TOLD }).waitFor();
  // Whoever asks while the message is there gets no second one.
  await command(page, 'Rules LSP: Explain tool');
  await page.locator('.quick-input-title', { hasText: 'Explain tool' }).waitFor();
  await page.keyboard.type('Bash');
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await command(page, 'Notifications: Show Notifications');
  const messages = page.locator('.notifications-center .notification-list-item-message');
  await messages.first().waitFor();
  // The progress of setting up is a message as long as it lasts.
  await messages.filter({ hasText: 'setting up the language server' }).waitFor({ state: 'hidden' });
  say({ messages: await messages.allInnerTexts() });
});

async function command(page, name) {
  await page.keyboard.press('F1');
  await page.keyboard.type(name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name.split(': ')[1] }).first().click();
}
