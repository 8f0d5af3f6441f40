import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';

/** Who may import whom. Imports run one way: packages ← apps ← cli, local ← conformance, examples, bench. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'packages/protocol': [],
  'packages/service': ['packages/protocol'],
  'packages/audit-log': ['packages/protocol'],
  'packages/attestation': ['packages/protocol', 'packages/audit-log'],
  // Of `service` the SDK takes the typed client alone: see below.
  'packages/sdk': ['packages/protocol', 'packages/service', 'packages/audit-log', 'packages/attestation'],
  'apps/gateway': ['packages/protocol', 'packages/service'],
  'apps/dashboard': ['packages/protocol', 'packages/service'],
  'apps/console': ['packages/protocol'],
  'apps/enclave': ['packages/protocol', 'packages/service', 'packages/audit-log'],
  'apps/control-plane': ['packages/protocol', 'packages/service', 'packages/audit-log'],
  'apps/vault': ['packages/protocol', 'packages/service', 'packages/audit-log'],
  contracts: [],
  local: ['packages/protocol', 'packages/service', 'packages/sdk', 'contracts'],
  cli: [
    'packages/protocol',
    'packages/service',
    'packages/audit-log',
    'packages/attestation',
    'apps/gateway',
    'apps/dashboard',
    'apps/enclave',
    'apps/vault',
    'apps/control-plane',
    'local',
  ],
  conformance: [
    'packages/protocol',
    'packages/service',
    'packages/audit-log',
    'packages/attestation',
    'packages/sdk',
    'local',
    'contracts',
  ],
  examples: ['packages/sdk'],
  // Of the enclave the review alone, which is pure and has a corpus.
  bench: [
    'packages/protocol',
    'packages/service',
    'packages/audit-log',
    'apps/enclave',
    'local',
    'contracts',
  ],
};

/** Folders of pure rules: data in, verdict out. No I/O, no clock of their own. */
const pureFolders = [
  'packages/protocol/src',
  'apps/gateway/src/rules',
  'apps/enclave/src/review',
  'apps/enclave/src/masking',
];
const impure = /^node:|^undici$|^pg$|^hono|^lmdb$|^@modelcontextprotocol\//;

const root = import.meta.dirname;
const skipped = new Set(['node_modules', 'dist', 'results', 'peers']);

function* sourcesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    if (skipped.has(name)) continue;
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* sourcesBelow(path);
    else if (/\.tsx?$/.test(name)) yield relative(root, path);
  }
}

const importsOf = (source: string): string[] =>
  [
    ...source.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? '');

const areas = Object.keys(mayImport);
const areaOf = (path: string): string | undefined => areas.find((area) => path.startsWith(`${area}/`));
const areaOfPackage = (name: string): string | undefined =>
  areas.find((area) => area.split('/').at(-1) === name);

const sources = areas.flatMap((area) => [...sourcesBelow(join(root, area))]);
const edges = sources.flatMap((from) =>
  importsOf(readFileSync(join(root, from), 'utf8')).map((to) => ({ from, to })),
);

/** The area that an import reaches; undefined for a library. */
function target({ from, to }: { from: string; to: string }): string | undefined {
  if (to.startsWith('.')) return areaOf(normalize(join(from, '..', to))) ?? 'outside';
  return /^@countersign\/([^/]+)/.test(to) ? areaOfPackage(to.split('/')[1] ?? '') : undefined;
}

test('the table names every workspace, and sees their imports', () => {
  const workspaces = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  expect(areas).toEqual(expect.arrayContaining(workspaces));
  expect(edges.length).toBeGreaterThan(200);
});

test('no module imports what its place does not allow [system.repository.imports-one-way] [system.repository.apps-apart]', () => {
  const forbidden = edges.filter((edge) => {
    const [own, reached] = [areaOf(edge.from), target(edge)];
    return reached !== undefined && reached !== own && !mayImport[own ?? '']?.includes(reached);
  });
  expect(forbidden).toEqual([]);
});

test('who uses the SDK loads no server: no database, no HTTP framework, no logger', () => {
  const valueImports = (path: string): string[] =>
    importsOf(readFileSync(join(root, path), 'utf8').replace(/\bimport type [^;]*;/g, ''));
  const reached = new Set(sources.filter((path) => /^packages\/sdk\/src\/(?!.*\.test)/.test(path)));
  const libraries = new Set<string>();
  for (const path of reached) {
    for (const to of valueImports(path)) {
      const [, name, file] = /^@countersign\/([^/]+)\/(.+)$/.exec(to) ?? [];
      if (to.startsWith('.')) reached.add(normalize(join(path, '..', to)));
      else if (name !== undefined) reached.add(`packages/${name}/src/${file}.ts`);
      else if (!to.startsWith('node:')) libraries.add(to);
    }
  }
  expect([...libraries].sort()).toEqual([
    '@hpke/core',
    '@modelcontextprotocol/client',
    '@noble/hashes/sha3.js',
    '@noble/hashes/utils.js',
    '@phala/dcap-qvl',
    'canonicalize',
    'cbor-x',
    'undici',
    'zod',
  ]);
});

test('rules and the protocol are pure: no I/O and no clock [system.repository.protocol-pure]', () => {
  const pure = sources.filter(
    (path) => pureFolders.some((folder) => path.startsWith(folder)) && !path.endsWith('test.ts'),
  );
  const reaching = edges.filter(({ from, to }) => pure.includes(from) && impure.test(to));
  const ticking = pure.filter((path) =>
    /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\./.test(readFileSync(path, 'utf8')),
  );
  expect({ reaching, ticking }).toEqual({ reaching: [], ticking: [] });
});

test('records, chain, tree and proofs of the audit log hash and sign, and reach for nothing else', () => {
  const isCore = (path: string) =>
    /^packages\/audit-log\/src\/[^/]+\.ts$/.test(path) && !path.endsWith('.test.ts');
  expect(edges.filter(({ from, to }) => isCore(from) && to !== 'node:crypto' && impure.test(to))).toEqual([]);
});

test('an import that is not allowed would be seen', () => {
  const from = 'packages/protocol/src/amount.ts';
  expect(target({ from, to: '@countersign/gateway/app' })).toBe('apps/gateway');
  expect(target({ from, to: '../../../apps/dashboard/src/app.ts' })).toBe('apps/dashboard');
  expect(
    importsOf(`import {\n  a,\n} from '@countersign/gateway/app';\nconst b = await import('undici');`),
  ).toEqual(['@countersign/gateway/app', 'undici']);
});
