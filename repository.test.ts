import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = import.meta.dirname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

type Manifest = {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};
const manifests = tracked
  .filter((path) => path.endsWith('package.json'))
  .map((path) => [path, JSON.parse(read(path)) as Manifest] as const);

test('CI runs what a newcomer runs: npm ci, then npm test [system.test.everything]', () => {
  const commands = read('.ci/run')
    .split('\n')
    .filter((line) => /\bnpm\b/.test(line) && !line.startsWith('#'));
  expect(commands).toEqual(['npm ci', 'exec npm test']);
  expect(manifests.find(([path]) => path === 'package.json')?.[1].scripts).toMatchObject({
    test: 'node scripts/test.js',
  });
});

test('every dependency is pinned exactly, and no install script runs', () => {
  const loose = manifests.flatMap(([path, { dependencies, devDependencies }]) =>
    Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${path}: ${name} ${version}`),
  );
  expect(loose).toEqual([]);
  expect(read('.npmrc')).toContain('ignore-scripts=true');
});

test('of one package alone the lockfile says another Node than its makers: npm install has put theirs back [system.packages.node]', () => {
  type Locked = { engines?: Record<string, string> };
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
  const corrected = Object.entries(packages)
    .filter(([path]) => path.startsWith('node_modules/') && existsSync(join(root, path, 'package.json')))
    .filter(([path, { engines }]) => {
      const own = JSON.parse(read(`${path}/package.json`)) as Locked;
      return engines?.['node'] !== undefined && engines['node'] !== own.engines?.['node'];
    })
    .map(([path, { engines }]) => [path, engines?.['node']]);
  // docs/decisions/0046: tried on 20.19 by the whole test suite.
  expect(corrected).toEqual([['node_modules/pg-boss', '>=20.19.0']]);
});

test('every dependency has its line in docs/decisions/0002, and every line is of one', () => {
  const used = manifests
    .filter(([path]) => !path.startsWith('bench/peers'))
    .flatMap(([, { dependencies, devDependencies }]) => Object.keys({ ...dependencies, ...devDependencies }))
    .filter((name) => !/^@(types|countersign)\//.test(name));
  const rows = read('docs/decisions/0002-dependencies.md').matchAll(/^\| ([^|]+) \|/gm);
  const told = [...rows].flatMap(([, names = '']) => names.split(', ')).filter((name) => name !== 'package');
  expect(told.toSorted()).toEqual([...new Set(used)].toSorted());
});

test('every file that a page links to or names by its path is there', () => {
  const pages = tracked.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  const there = new Set(
    tracked.flatMap((path) => path.split('/').map((_, end, parts) => parts.slice(0, end + 1).join('/'))),
  );
  const named = pages.flatMap((page) =>
    [
      ...[...read(page).matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)].map(([, to = '']) => join(dirname(page), to)),
      ...[
        ...read(page).matchAll(
          /`((?:apps|packages|conformance|local|cli|docs|scripts|bench|deploy|contracts|examples)\/[\w./-]+)`/g,
        ),
      ].map(([, path = '']) => path),
    ].map((path) => [page, path.replace(/\/$/, '')] as const),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(([, path]) => !there.has(path))).toEqual([]);
});

test('lockfiles name no host to download from', () => {
  const locks = tracked.filter((path) => path.endsWith('package-lock.json'));
  for (const path of locks) expect(read(path)).not.toMatch(/"resolved": "https?:/);
  expect(locks).toContain('package-lock.json');
});

test('the benchmark’s newest results show ours and the peers of one run side by side [system.repository.bench-side-by-side]', () => {
  const newest =
    tracked
      .filter((path) => /^bench\/results\/gateway-.*\.md$/.test(path))
      .toSorted()
      .at(-1) ?? '';
  const rows = [
    'direct',
    'countersign gateway',
    'mcp-hub',
    'mcp-proxy',
    'supergateway',
    'FastMCP',
    'bare @x402/core',
  ];
  const table = read(newest);
  for (const row of rows) expect(table).toContain(`| ${row}`);
  expect(table).toMatch(/load average/);
});
