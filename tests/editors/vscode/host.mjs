// Opens the page whose extension host runs a test module, and waits for its end.
import { withPage } from './browser.mjs';

await withPage(async (page) => {
  let end;
  const ended = new Promise((resolve) => (end = resolve));
  await page.exposeFunction('codeAutomationLog', (kind, texts) => console.error(kind, ...texts));
  await page.exposeFunction('codeAutomationExit', (code) => end(code));
  await page.goto(process.env.PAGE_ADDRESS);
  const code = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 150_000, 'too long').unref())]);
  if (code !== 0) {
    throw new Error(`the test module ended with ${code}`);
  }
});
