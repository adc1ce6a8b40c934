/** The Python that runs the server which comes with the extension. */
import * as vscode from 'vscode';
import { isInside, onPath } from './places';
import { run } from './run';

/** The versions for which there are wheels. */
export const OLDEST_MINOR = 11;
export const NEWEST_MINOR = 14;

const NAMES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python', 'py'];
const PROBE = [
  'import sys, sysconfig',
  'free = sysconfig.get_config_var("Py_GIL_DISABLED")',
  'print(sys.implementation.name, *sys.version_info[:2], "free" if free else "", sys.executable)',
].join('\n');

export interface Python {
  /** The interpreter itself, not a launcher of it. */
  readonly program: string;
  /** Such as `cp312`. */
  readonly tag: string;
}

interface PythonExtension {
  readonly environments?: { getActiveEnvironmentPath?(resource?: vscode.Uri): { path: string } };
}

/**
 * The Pythons that can run the server, best first: the one that is chosen in the Python extension, then those on
 * PATH. What lies in one of the folders `without` is not run.
 */
export async function* pythons(cwd: string, without: readonly string[]): AsyncGenerator<Python> {
  const seen = new Set<string>();
  const chosen = await chosenInterpreter();
  const candidates = [chosen, ...NAMES.flatMap((name) => onPath(name, without))];
  for (const candidate of candidates) {
    if (candidate === undefined || isInside(candidate, without)) {
      continue;
    }
    const found = await probe(candidate, cwd);
    if (found !== undefined && !seen.has(found.program) && !isInside(found.program, without)) {
      seen.add(found.program);
      yield found;
    }
  }
}

/** The interpreter that is chosen in the Python extension, if that is there. */
export async function chosenInterpreter(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>('ms-python.python');
  if (extension === undefined) {
    return undefined;
  }
  try {
    const api = await extension.activate();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    return api.environments?.getActiveEnvironmentPath?.(folder).path || undefined;
  } catch {
    return undefined;
  }
}

async function probe(program: string, cwd: string): Promise<Python | undefined> {
  const answer = await run([program, '-I', '-c', PROBE], { cwd, seconds: 20 });
  const found = /^cpython 3 (\d+)  (.+)$/.exec(answer.output);
  const minor = Number(found?.[1]);
  const fits = answer.ok && minor >= OLDEST_MINOR && minor <= NEWEST_MINOR;
  return fits && found?.[2] !== undefined ? { program: found[2], tag: `cp3${minor}` } : undefined;
}
