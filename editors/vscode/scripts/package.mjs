// Makes the .vsix of a platform, with the server in it:
//
//   npm run package [-- --target darwin-arm64] [--out FILE] [--python PROGRAM]
//
// Without a target it is for this machine.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { target, out, python } = parseArgs({
  options: {
    target: { type: 'string', default: `${process.platform}-${process.arch}` },
    out: { type: 'string' },
    python: { type: 'string' },
  },
}).values;
const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');
const plain = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];

run(path.join(here, 'scripts', 'wheels.mjs'), '--platform', target, ...option('--python', python));
run(vsce, 'package', '--target', target, ...plain, ...option('--out', out));

function option(name, value) {
  return value === undefined ? [] : [name, value];
}

/** Runs a program of Node; where it fails, this one does. */
function run(program, ...given) {
  try {
    execFileSync(process.execPath, [program, ...given], { cwd: here, stdio: 'inherit' });
  } catch (error) {
    process.exit(error.status ?? 1);
  }
}
