/** The server that comes with the extension: a folder of wheels, unpacked at the first start and never fetched. */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { programIn, programsOf } from './places';
import { type Python, pythons } from './python';
import { run } from './run';

const INSTALLED = 'installed';

export interface Bundle {
  /** The extension's own directory. */
  readonly extension: string;
  /** Where the extension may keep what it makes. */
  readonly storage: string;
  readonly version: string;
}

/** Why there is no server from the wheels; the causes are those of each Python that was tried. */
export type Lack =
  | { readonly kind: 'no-wheels' }
  | { readonly kind: 'no-storage'; readonly cause: string }
  | { readonly kind: 'no-python'; readonly causes: readonly string[] };

/** Where servers run: a directory of ours, in which nothing of a workspace is taken for a part of the server. */
export async function workingDirectory({ storage, extension }: Bundle): Promise<string> {
  return fs.mkdir(storage, { recursive: true }).then(
    () => storage,
    () => extension,
  );
}

/** The command that starts the server of the wheels; what it needs is set up where that is still to be done. */
export async function bundledServer(bundle: Bundle, without: readonly string[]): Promise<string[] | Lack> {
  const wheels = path.join(bundle.extension, 'wheels');
  if (!(await list(wheels)).some((name) => name.endsWith('.whl'))) {
    return { kind: 'no-wheels' };
  }
  const servers = path.join(bundle.storage, 'server');
  try {
    await fs.mkdir(servers, { recursive: true });
    await fs.access(servers, fs.constants.W_OK);
  } catch (error) {
    return { kind: 'no-storage', cause: String(error) };
  }
  const edition = `${bundle.version}-${await digest(wheels)}`;
  for (const name of await list(servers)) {
    const command = name.startsWith(`${edition}-`) ? await startable(path.join(servers, name)) : undefined;
    if (command !== undefined) {
      return command;
    }
  }
  return install(bundle, wheels, path.join(servers, edition), without);
}

async function install(
  bundle: Bundle,
  wheels: string,
  edition: string,
  without: readonly string[],
): Promise<string[] | Lack> {
  const causes: string[] = [];
  const servers = path.dirname(edition);
  for await (const python of pythons(servers, without)) {
    const target = `${edition}-${python.tag}`;
    const title = vscode.l10n.t('Rules LSP: setting up the language server');
    const answer = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
      unpack(bundle, python, wheels, target),
    );
    const command = answer === undefined ? await startable(target) : undefined;
    if (command !== undefined) {
      await removeOthers(servers, path.basename(target));
      return command;
    }
    causes.push(`${python.program}: ${lastLine(answer ?? 'the server does not start')}`);
  }
  return { kind: 'no-python', causes };
}

/** What a program that failed says in the end: of a traceback that is the error. */
function lastLine(said: string): string {
  return said.slice(said.lastIndexOf('\n') + 1);
}

/** Makes the environment beside its place and moves it there whole; the answer is what went wrong. */
async function unpack(bundle: Bundle, python: Python, wheels: string, target: string): Promise<string | undefined> {
  const made = `${target}.${process.pid}`;
  const script = path.join(bundle.extension, 'python', 'install_wheels.py');
  try {
    await fs.rm(made, { recursive: true, force: true });
    const answer = await run([python.program, '-I', script, wheels, made], { cwd: bundle.storage, seconds: 300 });
    if (!answer.ok) {
      return answer.error;
    }
    await fs.writeFile(path.join(made, INSTALLED), `${bundle.version}\n`);
    if ((await startable(target)) === undefined) {
      await fs.rm(target, { recursive: true, force: true });
      await fs.rename(made, target);
    }
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    await fs.rm(made, { recursive: true, force: true });
  }
}

/** The command of an environment that is whole and whose Python still runs. */
async function startable(environment: string): Promise<string[] | undefined> {
  const python = programIn(programsOf(environment), 'python');
  if (python === undefined || !(await list(environment)).includes(INSTALLED)) {
    return undefined;
  }
  // Isolated, so that no module of the workspace and no variable of the environment takes the place of the server's.
  const command = [python, '-I', '-m', 'rules_lsp'];
  const answer = await run([...command, '--version'], { cwd: environment, seconds: 20 });
  return answer.ok ? command : undefined;
}

async function removeOthers(servers: string, kept: string): Promise<void> {
  for (const name of await list(servers)) {
    if (name !== kept && !name.startsWith(`${kept}.`)) {
      // One that another window still runs may refuse; it goes the next time.
      await fs.rm(path.join(servers, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/** Tells wheels apart that have one version: whoever builds them gets what they have built. */
async function digest(wheels: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await list(wheels)).sort()) {
    hash.update(name).update(await fs.readFile(path.join(wheels, name)));
  }
  return hash.digest('hex').slice(0, 12);
}

async function list(directory: string): Promise<string[]> {
  return fs.readdir(directory).catch(() => []);
}
