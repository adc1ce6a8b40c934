// Reads {vscode: [globs], ignore: [lines], paths} and prints which of the paths each of the two matches.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const modules = process.argv[2];
const glob = await import(pathToFileURL(join(modules, 'monaco-editor/esm/vs/base/common/glob.js')));
const ignore = createRequire(join(modules, 'x.js'))('ignore');
const { globs, lines, paths } = JSON.parse(readFileSync(0, 'utf8'));
const base = '/w';
const parsed = globs.map((pattern) => glob.parse({ base, pattern }));
const ignored = ignore().add(lines);
console.log(
  JSON.stringify({
    vscode: paths.filter((path) => parsed.some((matches) => matches(`${base}/${path}`))),
    ignore: paths.filter((path) => ignored.ignores(path)),
  }),
);
