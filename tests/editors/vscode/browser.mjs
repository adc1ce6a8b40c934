// A browser for the page of VS Code that reaches nothing but this machine.
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const { chromium } = createRequire(path.join(process.env.EDITOR_PACKAGES, 'package.json'))('playwright-core');
const PATIENCE = 30_000;

/** Runs a function with a page; whatever happens, the browser is closed and a failure is pictured. */
export async function withPage(run) {
  const context = await chromium.launchPersistentContext(mkdtempSync(path.join(tmpdir(), 'browser-')), {
    executablePath: process.env.BROWSER_PROGRAM,
    headless: true,
    viewport: { width: 1200, height: 720 },
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    ],
  });
  context.setDefaultTimeout(PATIENCE);
  const page = context.pages()[0] ?? (await context.newPage());
  try {
    await run(page);
  } catch (error) {
    console.error(error);
    await page.screenshot({ path: process.env.FAILURE_PICTURE }).catch(() => undefined);
    process.exitCode = 1;
  } finally {
    await context.close();
  }
}

export function say(value) {
  console.log(JSON.stringify(value));
}
