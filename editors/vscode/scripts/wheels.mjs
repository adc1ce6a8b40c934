// Fills `wheels/` with the language server and all that it needs, for one platform and every Python that it runs on:
//
//   npm run wheels -- --platform linux-x64
//
// The platform is a target of vsce. Our own wheel is built from the checkout; the others come from the package index that
// pip is set up with, in the versions of `wheels.txt`. The package of the extension takes in what lies there.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const PYTHONS = ['3.11', '3.12', '3.13', '3.14'];
/** The tags of wheels that run there, the widest first. */
const PLATFORMS = {
  'linux-x64': ['manylinux_2_17_x86_64', 'manylinux2014_x86_64', 'manylinux_2_28_x86_64'],
  'linux-arm64': ['manylinux_2_17_aarch64', 'manylinux2014_aarch64', 'manylinux_2_28_aarch64'],
  'alpine-x64': ['musllinux_1_1_x86_64', 'musllinux_1_2_x86_64'],
  'alpine-arm64': ['musllinux_1_1_aarch64', 'musllinux_1_2_aarch64'],
  'darwin-x64': ['macosx_10_9_x86_64', 'macosx_10_12_x86_64', 'macosx_10_13_x86_64'],
  'darwin-arm64': ['macosx_11_0_arm64'],
  'win32-x64': ['win_amd64'],
  'win32-arm64': ['win_arm64'],
};

const { platform, python } = parseArgs({
  options: { platform: { type: 'string' }, python: { type: 'string', default: 'python3' } },
}).values;
const tags = PLATFORMS[platform];
if (tags === undefined) {
  console.error(`--platform is one of ${Object.keys(PLATFORMS).join(', ')}`);
  process.exit(2);
}
const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const checkout = path.dirname(path.dirname(here));
const wheels = path.join(here, 'wheels');
const constraints = path.join(here, 'wheels.txt');
const stamp = path.join(wheels, 'made-from');
const madeFrom = [platform, ...[constraints, path.join(checkout, 'pyproject.toml')].map(read)].join('\n');

const fresh = read(stamp) !== madeFrom;
if (fresh) {
  rmSync(wheels, { recursive: true, force: true });
  mkdirSync(wheels);
}
list().filter(isOurs).forEach((name) => rmSync(path.join(wheels, name)));
// What builds our wheel is taken from the environment of the Python where it is there.
const builder = spawnSync(python, ['-c', 'import hatchling']).status === 0 ? ['--no-build-isolation'] : [];
pip('wheel', '--no-deps', ...builder, '--wheel-dir', wheels, checkout);
const ours = path.join(wheels, list().find(isOurs));
for (const version of fresh ? PYTHONS : []) {
  const abi = `cp${version.replace('.', '')}`;
  const chosen = [...tags.flatMap((tag) => ['--platform', tag]), '--python-version', version, '--implementation', 'cp'];
  const kinds = [abi, 'abi3', 'none'].flatMap((kind) => ['--abi', kind]);
  pip('download', '--dest', wheels, ...chosen, ...kinds, '--only-binary', ':all:', '--constraint', constraints, ours);
}
writeFileSync(stamp, madeFrom);
console.log(`${list().filter((name) => name.endsWith('.whl')).length} wheels for ${platform}`);

function list() {
  return readdirSync(wheels);
}

function isOurs(name) {
  return name.startsWith('rules_lsp-');
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function pip(...given) {
  const common = ['--quiet', '--disable-pip-version-check'];
  execFileSync(python, ['-m', 'pip', given[0], ...common, ...given.slice(1)], { stdio: 'inherit' });
}
