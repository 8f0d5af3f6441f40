import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { freePort } from '@countersign/service/free-port';
import { expect, onTestFinished, test } from 'vitest';
import { countersign } from '../fixtures/countersign.ts';
import { newDatabase } from '../fixtures/new-database.ts';

function emptyFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'init-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const bare = { PATH: process.env['PATH'] };

function begin(cwd: string, words: readonly string[], env: Record<string, string | undefined> = bare) {
  const { command, args } = countersign(...words);
  return spawn(command, args, { cwd, env, stdio: 'pipe' });
}

/** Runs a command to its end, with lines that come from a pipe. */
async function ran(cwd: string, words: readonly string[], lines: readonly string[] = []) {
  const child = begin(cwd, words);
  const [out, errors]: [string[], string[]] = [[], []];
  child.stdout.on('data', (text) => out.push(String(text)));
  child.stderr.on('data', (text) => errors.push(String(text)));
  child.stdin.on('error', () => undefined).end(lines.map((line) => `${line}\n`).join(''));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out: out.join(''), errors: errors.join('') };
}

/** A service that ends with the test. */
function running(cwd: string, ...words: readonly string[]): ChildProcess {
  const child = begin(cwd, ['--env', '.env', ...words]);
  child.stdout.resume();
  child.stderr.resume();
  const ended = new Promise((resolve) => child.on('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return child;
}

const variables = (dir: string) => parseEnv(readFileSync(join(dir, '.env'), 'utf8'));
const owner = `0x${'11'.repeat(20)}`;

test('what init writes from the answers of a pipe starts every service [system.init] [system.init.starts]', async () => {
  const dir = emptyFolder();
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const [dashboard, gateway, vault, control] = ports.map((port) => `http://127.0.0.1:${port}`);
  const controlUrl = (control ?? '').replace('http:', 'https:');
  const database = await newDatabase();
  const answers = [
    'gateway dashboard vault,control-plane',
    dashboard ?? '',
    gateway ?? '',
    vault ?? '',
    controlUrl,
    database,
    '84532',
    '',
    owner,
    owner,
    'quotes=http://127.0.0.1:1/mcp?a=b&c=$d',
    'audit.example/log',
  ];
  const { code, out } = await ran(dir, ['init'], answers);
  expect(code).toBe(0);
  expect(statSync(join(dir, '.env')).mode & 0o777).toBe(0o600);
  expect(variables(dir)).toMatchObject({
    DATABASE_URL: database,
    SETTLEMENT_CHAIN_ID: '84532',
    PAYMENT_NETWORKS: 'eip155:84532',
    COMPLIANCE_CHAIN: 'base-sepolia',
    DOWNSTREAM_MCP_URLS: 'quotes=http://127.0.0.1:1/mcp?a=b&c=$d',
    OWNER_ADDRESS: owner,
    AUDIT_ORIGIN: 'audit.example/log',
  });
  expect(out).toContain('\n  npx countersign --env .env gateway --http\n');
  for (const words of [['enclave'], ['dashboard'], ['vault'], ['control-plane'], ['gateway', '--http']])
    running(dir, ...words);
  for (const url of [dashboard, vault, gateway])
    await expect
      .poll(() =>
        fetch(`${url}/health`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  await expect.poll(() => statusOf(`${controlUrl}/health`, join(dir, '.countersign/tls/ca.pem'))).toBe(200);
});

/** By TLS that this authority vouches for; 0 while there is no answer. */
const statusOf = (url: string, authority: string): Promise<number> =>
  new Promise((resolve) => {
    get(url, { ca: readFileSync(authority), agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on('error', () => resolve(0));
  });

test('--defaults asks nothing; secrets are new each time, and none is shown [system.init]', async () => {
  const [one, other] = [emptyFolder(), emptyFolder()];
  const { code, out, errors } = await ran(one, ['init', '--defaults']);
  expect([code, errors]).toEqual([0, '']);
  await ran(other, ['init', '--defaults']);
  const [first, second] = [variables(one), variables(other)];
  const secrets = ['EVM_PRIVATE_KEY', 'EVIDENCE_KEY', 'GATEWAY_AUTH_TOKENS'];
  for (const name of secrets) {
    expect(first[name]).not.toBe(second[name]);
    expect(out).not.toContain(first[name]);
  }
  expect(Buffer.from(first['EVIDENCE_KEY'] ?? '', 'base64')).toHaveLength(32);
  expect(Object.keys(first).filter((name) => /VAULT|CONTROL|TEE/.test(name))).toEqual([]);
});

test('a shell reads of the file what Node does [system.init]', async () => {
  const dir = emptyFolder();
  await ran(dir, ['init'], ['gateway', '', '', '', 'https://node.example/v2?key=a&b=$HOME;c', '', '', '']);
  const shell = spawn('sh', ['-c', 'set -a; . ./.env; printf %s "$EVM_RPC_URL"'], { cwd: dir, env: bare });
  const told: string[] = [];
  shell.stdout.on('data', (text) => told.push(String(text)));
  await new Promise((resolve) => shell.on('close', resolve));
  expect(told.join('')).toBe('https://node.example/v2?key=a&b=$HOME;c');
  expect(variables(dir)['EVM_RPC_URL']).toBe(told.join(''));
});

test('a file that exists is not touched, and nobody is asked [system.init.left-alone]', async () => {
  const dir = emptyFolder();
  writeFileSync(join(dir, '.env'), 'PRECIOUS=1');
  const { code, out, errors } = await ran(dir, ['init', '--defaults']);
  expect([code, out]).toEqual([1, '']);
  expect(errors).toMatch(/^init: \.env exists and stays as it is, .* --out FILE\n$/);
  expect(readFileSync(join(dir, '.env'), 'utf8')).toBe('PRECIOUS=1');
});

test.each([
  ['answers that end too soon', ['gateway', ''], 'the answers ended at'],
  ['a service that is none', ['gateway, shop'], 'wants name one or more of'],
  ['an address with a path', ['dashboard', 'https://dash.example/console'], 'without a path'],
  ['a quote', ['dashboard', '', "postgres://a:'b@c/d"], 'without quotes'],
  ['a chain that nobody knows', ['dashboard', '', '', '31337'], 'the id of a chain that is known here'],
  ['a wallet that is none', ['dashboard', '', '', '', '', '0x12'], '40 hex digits'],
])('of %s nothing is written, and one line says why [system.init.left-alone]', async (_, lines, why) => {
  const dir = emptyFolder();
  const { code, out, errors } = await ran(dir, ['init'], lines);
  expect([code, out]).toEqual([1, '']);
  expect(errors).toContain(why);
  expect(errors).toMatch(/Nothing was written\.\n$/);
  expect(existsSync(join(dir, '.env'))).toBe(false);
});

test('where the authority cannot be made no file stands in the way of a second try [system.init.left-alone]', async () => {
  const dir = emptyFolder();
  writeFileSync(join(dir, '.countersign'), '');
  const lines = ['gateway control-plane', ...Array<string>(12).fill('')];
  expect(await ran(dir, ['init'], lines)).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      /init: \.countersign\/tls cannot be written \((EEXIST|ENOTDIR)\): run init in a writable folder\n$/,
    ),
  });
  expect(existsSync(join(dir, '.env'))).toBe(false);
  expect(await ran(dir, ['init', '--defaults', '--out', '.'])).toMatchObject({
    code: 1,
    errors: 'init: . is not a file: name a new one with --out FILE\n',
  });
});

test('where the file cannot be written, or read, one sentence says what to do [system.init.left-alone]', async () => {
  const dir = emptyFolder();
  expect(await ran(dir, ['init', '--defaults', '--out', 'not/there/.env'])).toMatchObject({
    code: 1,
    errors:
      'init: not/there/.env cannot be written (ENOENT): name a file in a writable folder with --out FILE\n',
  });
  expect(await ran(dir, ['--env', 'none', 'doctor'])).toMatchObject({
    code: 2,
    errors: 'countersign: --env none cannot be read (ENOENT): "countersign init" writes such a file.\n',
  });
});
