import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';

/** Who may import whom. Imports run one way: packages ← apps ← cli, local ← conformance, examples, bench, simulation. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'packages/protocol': [],
  'packages/service': ['packages/protocol'],
  // Of the review its rules, by which a verifier makes verdicts again.
  'packages/audit-log': ['packages/protocol', 'packages/review'],
  'packages/attestation': ['packages/protocol', 'packages/audit-log'],
  'packages/review': ['packages/protocol'],
  // Of `service` the SDK takes the typed client alone: see below.
  'packages/sdk': ['packages/protocol', 'packages/service', 'packages/audit-log', 'packages/attestation'],
  'apps/gateway': ['packages/protocol', 'packages/service'],
  'apps/dashboard': ['packages/protocol', 'packages/service'],
  // Of the log its checks, which run in the browser.
  'apps/console': ['packages/protocol', 'packages/audit-log'],
  'apps/enclave': ['packages/protocol', 'packages/service', 'packages/audit-log', 'packages/review'],
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
  // The gateway's rules, by which a verifier makes verdicts again. Of the service what is replaced: see scripts/release/verify.js.
  verify: ['packages/protocol', 'packages/service', 'packages/sdk', 'apps/gateway'],
  conformance: [
    'packages/protocol',
    'packages/service',
    'packages/audit-log',
    'packages/attestation',
    'packages/sdk',
    'local',
    'contracts',
    'verify',
  ],
  examples: ['packages/sdk'],
  // Of the enclave how it finds its Chromium.
  site: ['packages/protocol', 'packages/service', 'packages/sdk', 'apps/enclave'],
  // The gateway's code, run as a whole; of the dashboard what is pure, and the model that its tests hold it against.
  simulation: ['packages/protocol', 'packages/service', 'apps/gateway', 'apps/dashboard'],
  // Of the enclave how it finds its Chromium; of gateway and dashboard what their builds without guarantees stand in for.
  bench: [
    'packages/protocol',
    'packages/service',
    'packages/audit-log',
    'packages/review',
    'apps/enclave',
    'apps/gateway',
    'apps/dashboard',
    'local',
    'contracts',
  ],
};

/** Folders of one area that do not know each other: what both need is in a third, and whoever wires them is above both. */
const apart = [['apps/dashboard/src/adapters', 'apps/dashboard/src/compliance']] as const;

/** Folders of one area of which the first knows nothing of the second, which uses it. */
const below = [['apps/control-plane/src/schemas', 'apps/control-plane/src/connectors']] as const;

/** Areas whose modules import each other one way, types too; each with at least so many imports that are seen. */
const withoutCircles = {
  'apps/console/src': 500,
  'apps/control-plane/src': 400,
  'apps/dashboard/src': 400,
  'apps/enclave/src': 800,
  'apps/gateway/src': 300,
  'apps/vault/src': 100,
  'packages/protocol/src': 100,
  'packages/audit-log/src': 40,
  'packages/attestation/src': 50,
  'packages/review/src': 200,
  'packages/sdk/src': 10,
  'packages/service/src': 100,
};

/** Folders of pure rules: data in, verdict out. No I/O, no clock of their own. */
const pureFolders = [
  'packages/protocol/src',
  'apps/gateway/src/rules',
  'packages/review/src',
  'apps/enclave/src/core/masking',
];

/**
 * The enclave is five programs: a room each, and what two of them need. `main.ts` starts the program that it is told to be. Tests may
 * start several.
 */
const enclave = 'apps/enclave/src';
const roomsReached: Readonly<Record<string, readonly string[]>> = {
  core: ['channel', 'os'],
  launcher: ['channel', 'os'],
  egress: ['channel', 'os'],
  jailed: ['channel', 'os'],
  connector: ['channel', 'os'],
  /** Messages between them. */
  channel: ['os'],
  /** What they ask of the operating system. */
  os: [],
};
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

const across = ({ from, to }: { from: string; to: string }, one: string, other: string): boolean =>
  from.startsWith(`${one}/`) && normalize(join(from, '..', to)).startsWith(`${other}/`);

test('folders that are apart do not import each other, and one that is below another does not import that [system.repository.rooms-apart]', () => {
  const oneWay = [
    ...apart.flatMap(
      ([one, other]) =>
        [
          [one, other],
          [other, one],
        ] as const,
    ),
    ...below,
  ];
  const forbidden = edges.filter((edge) => oneWay.some(([one, other]) => across(edge, one, other)));
  expect(forbidden).toEqual([]);
  const named = [...apart, ...below].flat();
  expect(named.filter((folder) => !sources.some((path) => path.startsWith(`${folder}/`)))).toEqual([]);
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

test('the console takes nothing of Node into the browser but what stands in for node:crypto', () => {
  const reached = new Set(sources.filter((path) => /^apps\/console\/src\/(?!.*\.test)/.test(path)));
  const ofNode: string[] = [];
  for (const path of reached)
    for (const to of importsOf(readFileSync(join(root, path), 'utf8').replace(/\bimport type [^;]*;/g, ''))) {
      const [, name, file] = /^@countersign\/([^/]+)\/(.+)$/.exec(to) ?? [];
      if (to.startsWith('.')) reached.add(normalize(join(path, '..', to)));
      else if (name !== undefined) reached.add(`packages/${name}/src/${file}.ts`);
      else if (to.startsWith('node:') && to !== 'node:crypto') ofNode.push(`${path}: ${to}`);
    }
  expect(reached).toContain('packages/audit-log/src/verify/proof-file.ts');
  expect(ofNode).toEqual([]);
});

test('modules of one program import each other one way, types too [system.repository.console-no-circles] [system.repository.no-circles]', () => {
  for (const [folder, minImports] of Object.entries(withoutCircles)) {
    const own = sources.filter((path) => path.startsWith(`${folder}/`));
    const inner = edges
      .filter(({ from, to }) => own.includes(from) && to.startsWith('.'))
      .map(({ from, to }) => ({ from, to: normalize(join(from, '..', to)) }));
    // Whoever imports nothing that is left, or is imported by nothing that is left, is in no circle.
    const left = new Set(own);
    for (let before = -1; before !== left.size; ) {
      before = left.size;
      const among = inner.filter(({ from, to }) => left.has(from) && left.has(to));
      for (const path of own)
        if (!among.some(({ from }) => from === path) || !among.some(({ to }) => to === path))
          left.delete(path);
    }
    expect([folder, inner.length > minImports, [...left]]).toEqual([folder, true, []]);
  }
  const programs = areas.filter((area) => /^(apps|packages)\//.test(area)).map((area) => `${area}/src`);
  expect(Object.keys(withoutCircles).sort()).toEqual(programs.sort());
});

test('no statement of SQL spells a column and its field by hand: the table of columns does', () => {
  const camel = (column: string) => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const spelled = (source: string) =>
    [...source.matchAll(/\b([a-z]+_[a-z_]+) as "(\w+)"/g)].filter(
      ([, column = '', field]) => camel(column) === field,
    );
  const product = sources.filter((path) => /^(apps|packages)\/[^/]+\/src\/(?!.*\.test)/.test(path));
  expect(product.filter((path) => spelled(readFileSync(path, 'utf8')).length > 0)).toEqual([]);
  expect(spelled('select a.id, a.closed_at as "closedAt", held_until as "expiresAt"').length).toBe(1);
});

test("the gateway's rules import rules and packages alone", () => {
  const rules = edges.filter(
    ({ from }) => from.startsWith('apps/gateway/src/rules/') && !from.endsWith('.test.ts'),
  );
  expect(rules.length).toBeGreaterThan(10);
  expect(rules.filter(({ to }) => to.startsWith('../'))).toEqual([]);
});

test('nobody asks URL.canParse, which is wrong of letters that are no ASCII once it is hot (packages/protocol/src/url.ts)', () => {
  // What runs in the pages of a session has their engine's.
  const product = sources.filter(
    (path) => /\/src\//.test(path) && !/browser\/in-page\/|\/url(\.test)?\.ts$/.test(path),
  );
  expect(product.filter((path) => readFileSync(path, 'utf8').includes('URL.canParse'))).toEqual([]);
});

test('records, chain, tree and proofs of the audit log hash and sign, and reach for nothing else', () => {
  const isCore = (path: string) =>
    /^packages\/audit-log\/src\/[^/]+\.ts$/.test(path) && !path.endsWith('.test.ts');
  expect(edges.filter(({ from, to }) => isCore(from) && to !== 'node:crypto' && impure.test(to))).toEqual([]);
});

const roomOf = (path: string): string | undefined =>
  path.startsWith(`${enclave}/`) ? path.slice(enclave.length + 1).split('/')[0] : undefined;

/** Whether an import leads from a room of the enclave into one that it may not reach. */
function leavesRoom({ from, to }: { from: string; to: string }): boolean {
  const [own, reached] = [
    roomOf(from),
    to.startsWith('.') ? roomOf(normalize(join(from, '..', to))) : undefined,
  ];
  if (own === undefined || own === 'main.ts' || reached === undefined) return false;
  return reached !== own && !roomsReached[own]?.includes(reached);
}

test('no program of the enclave loads anything of another: a room is a process', () => {
  const rooms = new Set(sources.flatMap((path) => roomOf(path) ?? []));
  expect([...rooms].filter((room) => !room.endsWith('.ts')).sort()).toEqual(Object.keys(roomsReached).sort());
  expect(edges.filter((edge) => !edge.from.endsWith('.test.ts') && leavesRoom(edge))).toEqual([]);
});

test('an import into another room of the enclave would be seen', () => {
  const from = `${enclave}/launcher/jail/walls.ts`;
  expect(leavesRoom({ from, to: '../../core/keys/hkdf.ts' })).toBe(true);
  expect(leavesRoom({ from, to: '../../channel/jail.ts' })).toBe(false);
  expect(leavesRoom({ from: `${enclave}/channel/core.ts`, to: '../core/serve.ts' })).toBe(true);
  expect(leavesRoom({ from: `${enclave}/os/libc.ts`, to: '../channel/core.ts' })).toBe(true);
  expect(leavesRoom({ from: `${enclave}/main.ts`, to: './core/process.ts' })).toBe(false);
});

test('an import that is not allowed would be seen', () => {
  const from = 'packages/protocol/src/amount.ts';
  expect(target({ from, to: '@countersign/gateway/app' })).toBe('apps/gateway');
  expect(target({ from, to: '../../../apps/dashboard/src/app.ts' })).toBe('apps/dashboard');
  expect(
    importsOf(`import {\n  a,\n} from '@countersign/gateway/app';\nconst b = await import('undici');`),
  ).toEqual(['@countersign/gateway/app', 'undici']);
});
