import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listFindings, releaseFindings } from '@countersign/local/doctor/reach';
import { expect, onTestFinished, test, vi } from 'vitest';
import { configurationFindings, servicesOf } from './configurations.ts';
import { isolationFindings } from './isolation.ts';
import { keyFindings } from './keys.ts';
import { main } from './main.ts';

const key = () => `0x${randomBytes(32).toString('hex')}`;
const sealing = () => randomBytes(32).toString('base64');

test('good keys and tokens are told as good, without their text [system.doctor.keys]', () => {
  const env = {
    EVM_PRIVATE_KEY: key(),
    EVIDENCE_KEY: sealing(),
    WEBHOOK_SECRET: `whsec_${sealing()} whsec_${sealing()}`,
    GATEWAY_AUTH_TOKENS: `a:${key().slice(2)},b:${randomBytes(24).toString('base64url')}`,
    DATABASE_URL: 'postgres://countersign:dA7jq0pWn2@db.example/countersign',
  };
  expect(keyFindings(env)).toEqual([
    { outcome: 'ok', what: 'keys and tokens are random, and each serves once' },
  ]);
  expect(keyFindings({})).toEqual([]);
});

const ofAnvil = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

test.each([
  [
    'a key that everybody knows',
    { EVM_PRIVATE_KEY: ofAnvil },
    'EVM_PRIVATE_KEY is a test key that everybody knows',
  ],
  ['a key of one digit', { EVM_PRIVATE_KEY: `0x${'01'.repeat(32)}` }, 'EVM_PRIVATE_KEY is not random'],
  ['a key of zeros', { EVIDENCE_KEY: Buffer.alloc(32).toString('base64') }, 'EVIDENCE_KEY is not random'],
  [
    'a short token',
    { GATEWAY_AUTH_TOKENS: 'demo:letmein' },
    'GATEWAY_AUTH_TOKENS (demo) is shorter than 16 bytes',
  ],
  [
    'a password of an example',
    { DATABASE_URL: 'postgres://countersign:postgres@db.example/x' },
    'DATABASE_URL has a password that everybody tries first',
  ],
])('%s is bad, and the line says what to do [system.doctor.keys]', (_, weak, what) => {
  const all = keyFindings({ EVM_PRIVATE_KEY: key(), EVIDENCE_KEY: sealing(), ...weak });
  expect(all).toEqual([{ outcome: 'bad', what: expect.stringContaining(what) }]);
  expect(all[0]?.what).toMatch(/: (make one|give the role)/);
  for (const secret of Object.values(weak)) expect(all[0]?.what).not.toContain(secret);
});

test('one key for two purposes is bad, in whatever spelling it stands [system.doctor.keys]', () => {
  const bytes = randomBytes(32);
  const env = {
    EVM_PRIVATE_KEY: `0x${bytes.toString('hex').toUpperCase()}`,
    EVIDENCE_KEY: bytes.toString('base64'),
    GATEWAY_AUTH_TOKENS: `agent:${bytes.toString('hex')}`,
  };
  expect(keyFindings(env).map(({ what }) => what)).toEqual([
    'EVIDENCE_KEY is the same key as EVM_PRIVATE_KEY, so whoever has one has both: make a new one',
    'GATEWAY_AUTH_TOKENS (agent) is the same key as EVM_PRIVATE_KEY, so whoever has one has both: make a new one',
  ]);
});

test('each service tells what is wrong with its variables; those of others are not looked at [system.doctor.services]', async () => {
  expect(servicesOf({})).toEqual([]);
  const env = { EVM_PRIVATE_KEY: '0x12', DOWNSTREAM_MCP_URLS: 'https://quotes.example/mcp' };
  expect(servicesOf(env)).toEqual(['gateway']);
  expect(await configurationFindings('gateway', env)).toEqual([
    {
      outcome: 'bad',
      what: 'gateway: EVM_PRIVATE_KEY must be 0x and 64 hex digits ("npx countersign gateway --variables" lists them)',
    },
  ]);
  const good = await configurationFindings('gateway', { ...env, EVM_PRIVATE_KEY: key() });
  expect(good.map(({ outcome }) => outcome)).toEqual(['ok', 'note']);
  expect(good[1]?.what).toContain('COMPLIANCE_API_KEY');
  expect((await configurationFindings('enclave', { AUDIT_ORIGIN: 'a.example/b' }))[1]?.what).toContain(
    'simulated',
  );
});

test('what sandboxes need of the machine is tried; it is bad where the enclave takes nothing weaker [system.doctor.isolation]', async () => {
  for (const [env, runsHere, otherwise] of [
    [{}, true, 'bad'],
    [{ SANDBOX_ISOLATION: 'best' }, true, 'note'],
    [{}, false, 'note'],
  ] as const) {
    const path = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    const without = await isolationFindings(env, runsHere);
    process.env['PATH'] = path;
    expect(without[0]).toEqual({
      outcome: otherwise,
      what: 'sandboxes: setpriv or unshare is missing: install util-linux',
    });
  }
  const subjects = (await isolationFindings({}, true)).map(({ what }) => what);
  expect(subjects).toEqual([
    expect.stringMatching(/namespaces/),
    expect.stringMatching(/system calls/),
    expect.stringMatching(/cgroup/),
  ]);
});

/** A server that answers these texts at these paths; JSON-RPC is asked at `/`. */
async function serve(pages: Readonly<Record<string, unknown>>): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      const method = body === '' ? '' : (JSON.parse(body) as { method: string }).method;
      const page = pages[method === '' ? (request.url ?? '') : method];
      if (page === undefined) return void response.writeHead(404).end('{}');
      response.end(JSON.stringify(method === '' ? page : { jsonrpc: '2.0', id: 1, result: page }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const reach = { fetch, now: () => new Date('2026-11-26T12:00:00Z') };

test('a service of another release is named, and one that does not tell is not [system.doctor.versions]', async () => {
  const of = async (version: unknown) =>
    releaseFindings([['VAULT_URL', await serve({ '/openapi.json': { info: { version } } })]], reach);
  expect(await of('0.0.9')).toEqual([
    {
      outcome: 'note',
      what: expect.stringMatching(/^VAULT_URL is of release 0\.0\.9, and this program of /),
    },
  ]);
  for (const version of ['0.1.0', undefined, '\u001b[31m1.0.0', `1.0.${'9'.repeat(99)}`])
    expect(await of(version)).toEqual([]);
});

test.each([
  ['2026-11-25T00:00:00.000Z', 'up', 'ok', 'is 1 day old'],
  ['2026-11-22T00:00:00.000Z', 'up', 'note', 'is 4 days old, and at 7 every payment is refused'],
  ['2026-11-18T00:00:00.000Z', 'stale', 'bad', 'is 8 days old, so every payment is refused'],
  ['2099-01-01T00:00:00.000Z', 'up', 'bad', 'days ahead, so its age is not known'],
  [null, 'down', 'bad', 'screens by nothing, so every payment is refused'],
])('a list of %s that is %s is %s [system.doctor.lists]', async (listDate, state, outcome, what) => {
  const url = await serve({ '/ready': { data: { kyt: { state, listDate } } } });
  expect(await listFindings(url, reach)).toEqual([{ outcome, what: expect.stringContaining(what) }]);
});

/** What doctor prints as JSON, and its exit code. */
async function findings(env: Record<string, string>) {
  const texts: string[] = [];
  const before = process.exitCode;
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => texts.push(String(text)) > 0);
  const dir = mkdtempSync(join(tmpdir(), 'doctor-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  try {
    await main(['--json', '--data', dir, '--port-base', '0'], env);
    return { code: process.exitCode, text: texts.join('') };
  } finally {
    write.mockRestore();
    process.exitCode = before;
  }
}

test('--json has every finding in one document, and the exit code is that of the lines [system.doctor.json]', async () => {
  const good = await findings({ HTTPS_PROXY: 'http://proxy.example:3128' });
  const told = (JSON.parse(good.text) as { findings: { outcome: string; what: string }[] }).findings;
  expect(told.every(({ outcome, what }) => /^(ok|note|bad)$/.test(outcome) && !what.includes('\n'))).toBe(
    true,
  );
  expect(told).toContainEqual({ outcome: 'note', what: expect.stringContaining('HTTPS_PROXY is set') });
  expect(good.text).not.toContain('proxy.example');
  const bad = await findings({ EVM_PRIVATE_KEY: ofAnvil, DOWNSTREAM_MCP_URLS: 'https://quotes.example/mcp' });
  expect([good.code, bad.code]).toEqual([0, 1]);
  expect(bad.text).not.toContain(ofAnvil);
});

test('an empty wallet is a note, and so is one that has allowed Permit2 something; no coin for roots is bad [system.doctor.balances] [gateway.permit2.doctor]', async () => {
  const empty = await serve({ eth_chainId: '0x2105', eth_call: '0x0', eth_getBalance: '0x0' });
  const full = await serve({ eth_chainId: '0x2105', eth_call: '0xf4240', eth_getBalance: '0x1' });
  const of = async (url: string) =>
    (await findings({ EVM_PRIVATE_KEY: key(), ANCHOR_PRIVATE_KEY: key(), EVM_RPC_URL: url })).text;
  const [poor, rich] = [await of(empty), await of(full)];
  expect(poor).toMatch(
    /"note",\s+"what": "EVM_PRIVATE_KEY: 0x\w{40} holds 0 USDC on eip155:8453: send it some to pay with"/,
  );
  expect(poor).toMatch(
    /"bad",\s+"what": "ANCHOR_PRIVATE_KEY: 0x\w{40} holds 0 coin on eip155:8453: send it some to publish/,
  );
  expect(rich).toMatch(/"ok",\s+"what": "EVM_PRIVATE_KEY: 0x\w{40} holds 1 USDC on eip155:8453"/);
  // This node answers every question about USDC alike.
  expect(rich).toMatch(/"note",\s+"what": "EVM_PRIVATE_KEY: 0x\w{40} has allowed Permit2 to move 1 USDC, so/);
  expect(poor).not.toContain('Permit2');
});

test('a key’s file that others can read is bad [system.doctor.keys]', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'doctor-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'root.key');
  writeFileSync(file, randomBytes(32));
  for (const [mode, isTold] of [
    [0o644, true],
    [0o600, false],
  ] as const) {
    chmodSync(file, mode);
    const { text } = await findings({ ENCLAVE_ROOT_KEY_FILE: file });
    expect(text.includes('ENCLAVE_ROOT_KEY_FILE: others on this machine can read that file: chmod 600')).toBe(
      isTold,
    );
  }
});
