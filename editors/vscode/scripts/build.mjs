// Makes `dist/`: the extension as one file, and the licences of the packages in it.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  minify: true,
  metafile: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  legalComments: 'none',
});

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const inside = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
const packages = [...new Set(inside.flatMap((file) => PACKAGE.exec(file) ?? []))].sort();
writeFileSync(path.join(here, 'dist', 'licenses.txt'), packages.map(notice).join(`\n${'-'.repeat(78)}\n\n`));

/** The name, the version and the licence of a package. Throws where it comes without a licence. */
function notice(directory) {
  const place = path.join(here, directory);
  const { name, version } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'));
  const file = readdirSync(place).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) {
    throw new Error(`${directory} has no licence`);
  }
  return `${name} ${version}\n\n${readFileSync(path.join(place, file), 'utf8').trim()}\n`;
}
