// The gateway as an MCPB bundle, which desktop clients install by a double click, with a form for its settings.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleOne } from '../../cli/bin/build.js';
import { licencesOf, packagesIn } from './licences.js';
import { keepContents, newStage, root, versionOf } from './stage.js';
import { evenModes } from './pack.js';
import { settings } from './settings.js';
import { withOneTime } from './zip.js';

const run = promisify(execFile);
const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { version, license, engines } = read('package.json');

/** Native code is loaded from packages of their own; the JavaScript that loads it comes along, and nothing else of theirs. */
const loader = [
  'lmdb',
  'msgpackr',
  'ordered-binary',
  'weak-lru-cache',
  'node-gyp-build-optional-packages',
  '@harperfast/extended-iterable',
  'detect-libc',
  // The curve as WebAssembly: four times slower than native code, and the same everywhere.
  'tiny-secp256k1',
  'uint8array-tools',
];
const machines = ['darwin-arm64', 'darwin-x64', 'linux-x64', 'win32-x64'];

/** Lays the bundle out; gives the folder. */
export async function stageBundle(stages) {
  const folder = newStage(stages, 'countersign-gateway');
  const modules = join(folder, 'server/node_modules');
  const [{ metafile }] = await Promise.all([
    bundleOne(join(root, 'scripts/release/mcpb-entry.js'), join(folder, 'server/countersign-gateway.js')),
    ...machines.map((machine) => copyNative(stages, machine, modules)),
  ]);
  for (const name of loader) copyLoader(name, modules);
  writeFileSync(join(folder, 'server/package.json'), '{"type": "module"}\n');
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  const bundled = [...packagesIn(metafile), ...loader.map((name) => `node_modules/${name}`)];
  writeFileSync(join(folder, 'THIRD_PARTY_LICENSES'), licencesOf(root, bundled));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  keepContents(folder, bundled);
  return folder;
}

/** Checks the manifest by the package's own schema and packs; gives what `pack` of npm packages gives. */
export async function packBundle(folder, into) {
  const file = `countersign-gateway-${version}.mcpb`;
  const mcpb = join(root, 'node_modules/.bin/mcpb');
  await run(mcpb, ['validate', join(folder, 'manifest.json')]).catch((error) => {
    throw new Error(`the bundle’s manifest is not valid:\n${error.stdout}${error.stderr}`);
  });
  evenModes(folder);
  // Its order is that of a language.
  const env = { ...process.env, LC_ALL: 'C' };
  await run(mcpb, ['pack', folder, join(into, file)], { maxBuffer: 2 ** 26, env });
  const packed = withOneTime(readFileSync(join(into, file)));
  writeFileSync(join(into, file), packed);
  const sha256 = createHash('sha256').update(packed).digest('hex');
  return { name: 'countersign-gateway', file, bytes: packed.length, sha256 };
}

const manifest = () => ({
  manifest_version: '0.3',
  name: 'countersign-gateway',
  display_name: 'Countersign gateway',
  version,
  description:
    'Lets the agent pay for tools within limits that you signed; the wallet stays out of its reach.',
  author: { name: 'Countersign' },
  license,
  keywords: ['payments', 'x402', 'mandate'],
  server: {
    type: 'node',
    entry_point: 'server/countersign-gateway.js',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/countersign-gateway.js'],
      env: Object.fromEntries([
        ...settings.map(({ key, variable }) => [variable, `\${user_config.${key}}`]),
        ['GATEWAY_STATE_DIR', '${user_config.state_dir}'],
      ]),
    },
  },
  tools: [
    { name: 'list_gateway_services', description: 'Lists the paid services and their tools, with prices' },
    { name: 'call_service_tool', description: 'Calls a tool, and pays for it where the mandate allows' },
  ],
  compatibility: {
    platforms: ['darwin', 'linux', 'win32'],
    runtimes: { node: engines.node },
  },
  user_config: {
    ...Object.fromEntries(settings.map((setting) => [setting.key, field(setting)])),
    state_dir: {
      type: 'directory',
      title: 'Folder of the gateway',
      description: 'Journal, reservations and receipts: keep it, and give no two gateways the same.',
      required: false,
      default: '${HOME}/.countersign/gateway',
    },
  },
});

const field = ({ title, description, required, secret, default: otherwise }) => ({
  type: 'string',
  title,
  description,
  required,
  ...(secret ? { sensitive: true } : {}),
  ...(otherwise === undefined ? {} : { default: otherwise }),
});

/** Sources in C, types, maps, pages, and what its makers left in the package. */
const unneeded =
  /\/(\.[^/]+|lmdb\/src|dependencies|tests?|dict|bin|assets|benchmark\w*|rollup\.config\.\w+|[^/]+\.(map|md|d\.\w*ts|gyp|min\.\w+))$/;

function copyLoader(name, modules) {
  const from = join(root, 'node_modules', name);
  const filter = (path) => path === from || !unneeded.test(path);
  cpSync(from, join(modules, name), { recursive: true, filter });
}

/** The binary of Node’s stable interface for a machine, from the package whose digest stands in package-lock.json. */
async function copyNative(stages, machine, modules) {
  const name = `@lmdb/lmdb-${machine}`;
  const folder = await fetched(stages, name);
  const to = join(modules, name);
  mkdirSync(to, { recursive: true });
  const files = readdirSync(folder).filter((file) =>
    /\.napi\.(glibc\.)?node$|^(index\.js|package\.json)$/.test(file),
  );
  if (!files.some((file) => file.endsWith('.node'))) throw new Error(`${name} has no binary for every Node`);
  for (const file of files) copyFileSync(join(folder, file), join(to, file));
}

async function fetched(stages, name) {
  const here = join(root, 'node_modules', name);
  if (existsSync(here)) return here;
  const { integrity } = read('package-lock.json').packages[`node_modules/${name}`];
  const into = newStage(stages, `fetched-${name.replace('@', '')}`);
  const { stdout } = await run('npm', [
    'pack',
    `${name}@${versionOf('lmdb')}`,
    '--pack-destination',
    into,
    '--json',
    '--prefer-offline',
  ]);
  const [{ filename }] = JSON.parse(stdout);
  const tarball = readFileSync(join(into, filename));
  const found = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  if (found !== integrity) throw new Error(`${name} is not what package-lock.json names`);
  await run('tar', ['-xzf', join(into, filename), '-C', into]);
  return join(into, 'package');
}
