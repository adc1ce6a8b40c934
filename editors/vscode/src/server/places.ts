/** Where programs stand: in virtual environments and on PATH. */
import * as fs from 'node:fs';
import * as path from 'node:path';

const WINDOWS = process.platform === 'win32';
const ENVIRONMENTS = ['.venv', 'venv'];

/** The directory of programs of a virtual environment. */
export function programsOf(environment: string): string {
  return path.join(environment, WINDOWS ? 'Scripts' : 'bin');
}

/** A program in a directory, under the name that this system gives it; undefined where it is not there. */
export function programIn(directory: string, name: string): string | undefined {
  const file = path.join(directory, WINDOWS ? `${name}.exe` : name);
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The programs of a name in the virtual environments of some folders. */
export function inEnvironments(folders: readonly string[], name: string): string[] {
  const directories = folders.flatMap((folder) => ENVIRONMENTS.map((each) => programsOf(path.join(folder, each))));
  return directories.flatMap((directory) => programIn(directory, name) ?? []);
}

/**
 * The programs of a name on PATH, first things first. What lies in one of the folders `without` is left out, and so
 * is a directory that is not absolute: where it is depends on who asks.
 */
export function onPath(name: string, without: readonly string[], searched = process.env['PATH'] ?? ''): string[] {
  const directories = searched.split(path.delimiter).filter((each) => path.isAbsolute(each));
  const found = directories.flatMap((directory) => programIn(directory, name) ?? []);
  return [...new Set(found)].filter((file) => !isInside(file, without));
}

/** Whether a file lies in one of some folders, as it is written or where its directory's links lead. */
export function isInside(file: string, folders: readonly string[]): boolean {
  const names = [file, path.join(real(path.dirname(file)), path.basename(file))];
  const tops = folders.flatMap((folder) => [folder, real(folder)]);
  return names.some((name) => tops.some((top) => !/^\.\.(?:[\\/]|$)/.test(relative(top, name))));
}

function relative(top: string, name: string): string {
  const found = path.relative(top, name);
  return path.isAbsolute(found) ? '..' : found;
}

function real(directory: string): string {
  try {
    return fs.realpathSync(directory);
  } catch {
    return directory;
  }
}
