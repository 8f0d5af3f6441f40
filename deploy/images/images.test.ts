import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { debianIn, integritiesOf, nodeIn, npmIn } from './contents.js';
import { readOptions } from './options.js';
import { provenanceOf, whyNotAttested } from './provenance.js';
import { sbomOf, whyInvalid } from './sbom.js';
import { whyNot } from './tools.js';

const root = join(import.meta.dirname, '../..');
const digest = `sha256:${'a1'.repeat(32)}`;

const status = `Package: libc6
Status: install ok installed
Source: glibc
Architecture: amd64
Version: 2.36-9+deb12u14
Description: GNU C Library
 of several lines

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1

Package: adduser
Status: install ok installed
Architecture: all
Version: 3.134
`;

/** The files of an image, as far as they are looked at. */
function imageWith(packages: Readonly<Record<string, object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, manifest] of Object.entries(packages))
    write(`${path}/package.json`, JSON.stringify(manifest));
  write('usr/local/bin/node', 'a program');
  write('app/packages.json', JSON.stringify([{ name: 'zod', version: '4.4.3' }]));
  return folder;
}

const lmdb = { name: 'lmdb', version: '3.5.6' };
const nested = { name: '@scope/inside', version: '1.0.0' };

function billOf(): string {
  const image = imageWith({
    'app/node_modules/lmdb': lmdb,
    'app/node_modules/lmdb/node_modules/@scope/inside': nested,
    'usr/local/lib/node_modules/npm': { name: 'npm', version: '10.9.9' },
  });
  return sbomOf({
    image: 'countersign',
    version: '0.1.0',
    digest,
    epoch: 1_790_000_000,
    debian: debianIn(status),
    npm: npmIn(image),
    node: nodeIn(image, '22.23.3'),
    integrities: new Map([['lmdb@3.5.6', `sha512-${Buffer.alloc(64, 7).toString('base64')}`]]),
  });
}

test('the bill of materials names what lies in the image: of Debian, of npm, bundled and nested, and Node.js [system.images.bill]', () => {
  const { components, metadata } = JSON.parse(billOf());
  const purls = components.map(({ purl }: { purl: string }) => purl);
  expect(purls.toSorted()).toEqual([
    'pkg:deb/debian/adduser@3.134?arch=all&distro=debian-12',
    'pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64&distro=debian-12',
    'pkg:generic/node@22.23.3',
    'pkg:npm/%40scope/inside@1.0.0',
    'pkg:npm/lmdb@3.5.6',
    'pkg:npm/npm@10.9.9',
    'pkg:npm/zod@4.4.3',
  ]);
  const about = components.find(({ name }: { name: string }) => name === 'lmdb');
  expect(about.hashes).toEqual([{ alg: 'SHA-512', content: '07'.repeat(64) }]);
  const node = components.find(({ name }: { name: string }) => name === 'node');
  expect(node.hashes[0].content).toBe(createHash('sha256').update('a program').digest('hex'));
  expect(metadata.component).toMatchObject({ type: 'container', hashes: [{ content: digest.slice(7) }] });
});

test('the bill holds by CycloneDX’s own schema, which turns down what is none, and is the same each time [system.images.bill]', async () => {
  const bill = billOf();
  expect(await whyInvalid(bill)).toBeNull();
  expect(billOf()).toBe(bill);
  const wrong = { ...JSON.parse(bill), serialNumber: 'urn:uuid:none' };
  expect(await whyInvalid(JSON.stringify(wrong))).not.toBeNull();
  const typo = { ...JSON.parse(bill), componets: [] };
  expect(await whyInvalid(JSON.stringify(typo))).not.toBeNull();
});

test('digests of packages are those of our lockfile [system.images.bill]', () => {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const known = integritiesOf(lockfile);
  const { version, integrity } = lockfile.packages['node_modules/zod'];
  expect(known.get(`zod@${version}`)).toBe(integrity);
  expect(known.size).toBeGreaterThan(500);
});

test('the provenance is an in-toto statement of SLSA 1 about the image’s digest: commit, base and what is pinned [system.images.provenance]', () => {
  const statement = provenanceOf({
    images: [['countersign', digest]],
    commit: 'c0'.repeat(20),
    epoch: 1_790_000_000,
    isLocal: true,
    base: { name: 'localhost/countersign-node:22.23.3', digest: `sha256:${'b2'.repeat(32)}` },
    materials: [
      ['npm', { version: '10.9.9', integrity: `sha512-${Buffer.alloc(64, 9).toString('base64')}` }],
    ],
    tools: { buildah: '1.28' },
  });
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'countersign', digest: { sha256: digest.slice(7) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: { runDetails: { builder: { id: expect.stringMatching(/^urn:/) } } },
  });
  const { resolvedDependencies, externalParameters } = statement.predicate.buildDefinition;
  expect(externalParameters).toMatchObject({ commit: 'c0'.repeat(20), base: 'local' });
  expect(resolvedDependencies.map((one) => one.digest)).toEqual([
    { gitCommit: 'c0'.repeat(20) },
    { sha256: 'b2'.repeat(32) },
    { sha512: '09'.repeat(64) },
  ]);
});

test('a program that is missing is told in one sentence, with the package that has it [system.images.build]', () => {
  expect(whyNot(['buildah', 'git'], () => true)).toBeNull();
  expect(whyNot(['buildah', 'git'], (name) => name === 'git')).toBe(
    'buildah is missing: apt-get install buildah',
  );
  expect(whyNot(['buildah', 'mmdebstrap'], () => false)).toBe(
    'buildah and mmdebstrap are missing: apt-get install buildah mmdebstrap',
  );
});

test('an option that is none, or a tag that no registry takes, is an error [system.images.build]', () => {
  expect(readOptions([])).toMatchObject({ commit: 'HEAD', base: 'auto', twice: false });
  expect(readOptions(['--twice', '--tag', '0.1.0-rc.1'])).toMatchObject({ twice: true, tag: '0.1.0-rc.1' });
  expect(readOptions(['--tag', 'a b']).error).toContain('--tag');
  expect(readOptions(['--nothing']).error).toContain('--nothing');
});

type Line = { readonly word: string; readonly rest: string };

/** The stages of the Dockerfile by name, each with its instructions. */
function stages(): ReadonlyMap<string, readonly Line[]> {
  const text = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ word: line.split(' ')[0] ?? '', rest: line.replace(/^\S+ /, '') }));
  const found = new Map<string, Line[]>();
  for (const line of lines) {
    const name = line.word === 'FROM' ? / AS (\w+)$/.exec(line.rest)?.[1] : undefined;
    if (name !== undefined) found.set(name, []);
    [...found.values()].at(-1)?.push(line);
  }
  return found;
}

test('each stage begins with the one base or an earlier stage, and the Dockerfile names no host to load from [system.images.build]', () => {
  const names = [...stages().keys()];
  const bases = [...stages().values()].map(([from]) => from?.rest.split(' ')[0]);
  expect(bases.map((base) => (names.includes(base ?? '') ? base : '$'))).toEqual([
    '$',
    '$',
    'runtime',
    'runtime',
  ]);
  expect(bases.slice(0, 2)).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}']);
  expect(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')).not.toMatch(/https?:\/\/|:latest|^ADD /m);
});

test('what runs is nobody’s root by number, starts without a shell, and leaves nothing behind that differs each time [system.images.build]', () => {
  const all = [...stages().values()];
  const final = all.filter(([from]) => from?.rest.startsWith('runtime'));
  const users = final.map((lines) => lines.findLast(({ word }) => word === 'USER')?.rest);
  expect(users).toEqual(['10001:10001', '10002:10001']);
  const rests = (...words: readonly string[]) =>
    all.flat().flatMap(({ word, rest }) => (words.includes(word) ? [rest] : []));
  for (const rest of rests('ENTRYPOINT', 'CMD')) expect(JSON.parse(rest)).toBeInstanceOf(Array);
  const withNpm = rests('RUN').filter((rest) => /(^|\s)npm [a-z]/.test(rest));
  expect(withNpm.filter((rest) => !rest.includes('npm ci --ignore-scripts'))).toEqual([]);
  const [installs = '', ...others] = rests('RUN').filter((rest) => rest.includes('apt-get install'));
  expect(others).toEqual([]);
  expect(installs).toContain('--no-install-recommends');
  for (const left of [
    '/var/lib/apt/lists',
    '/var/log/apt',
    '/var/cache/ldconfig',
    '/var/cache/fontconfig',
    'machine-id',
  ])
    expect(installs).toContain(left);
});

test('images of another commit than the checkout’s, or of a clone with changes, are not signed [system.images.provenance]', () => {
  const here = { id: 'c0'.repeat(20), epoch: 1_790_000_000, isClean: true };
  expect(whyNotAttested(here.id, here)).toBeNull();
  expect(whyNotAttested('d1'.repeat(20), here)).toContain('check that commit out, and sign there');
  for (const other of [{ ...here, isClean: false }, null])
    expect(whyNotAttested(here.id, other)).toContain('sign in a fresh clone');
});
