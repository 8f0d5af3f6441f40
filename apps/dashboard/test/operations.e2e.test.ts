import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@countersign/service/logger';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { readConsole } from '../src/console.ts';
import { startDashboard } from '../src/start.ts';
import { main as importMain } from '../src/compliance/import-main.ts';
import { readConfig } from '../src/config.ts';
import { main } from '../src/main.ts';
import {
  newDatabase,
  newWallet,
  openDashboard,
  openDashboardForTest,
  paymentOf,
  type TestDashboard,
} from './dashboard.ts';
import { demoFile } from './sanctions.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

const databaseOf = ({ config }: TestDashboard) => (config.storage.kind === 'given' ? config.storage.url : '');

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const log = createLogger('dashboard', 'silent');

async function startWith(env: Record<string, string>) {
  const config = readConfig({ LOG_LEVEL: 'silent', ...env });
  if (!config.ok) throw new Error(config.error.join());
  const service = await startDashboard(config.value, { log });
  onTestFinished(service.stop);
  return service;
}

test('it listens where it is told, on loopback by default [dashboard.listen.address]', async () => {
  const DATABASE_URL = await newDatabase();
  const service = await startWith({ DATABASE_URL, DASHBOARD_PORT: '0', DASHBOARD_HOST: '127.0.0.1' });
  expect(await (await fetch(`${service.url}/health`)).json()).toMatchObject({ code: 80000000 });
  expect(readConfig({})).toMatchObject({ value: { host: '127.0.0.1', port: 4021 } });
});

test('a port that is taken is one clear sentence', async () => {
  const { port } = new URL(dashboard.url);
  await expect(startWith({ DATABASE_URL: await newDatabase(), DASHBOARD_PORT: port })).rejects.toThrow(
    `port ${port} on 127.0.0.1 is taken by another process`,
  );
});

test('a database that is not there is one clear sentence, and leaves no port open', async () => {
  await expect(
    startWith({ DATABASE_URL: 'postgres://127.0.0.1:1/none', DASHBOARD_PORT: '0' }),
  ).rejects.toThrow(/^the dashboard cannot start: .*ECONNREFUSED/);
});

test('health and readiness are told, with the providers in use; without a list to screen by it is not ready [dashboard.listen.health] [dashboard.listen.ready] [dashboard.listen.ready.screening]', async () => {
  expect(await dashboard.request('GET', '/health')).toMatchObject({ status: 200, data: { status: 'up' } });
  expect(await dashboard.request('GET', '/ready')).toMatchObject({
    status: 503,
    data: {
      ready: false,
      database: 'up',
      kyc: { provider: 'review-queue' },
      kyt: { provider: 'ofac-sdn', fresh: false },
    },
  });
});

test('without its database it is not ready, says so without internals, and comes back by itself', async () => {
  const lost = await openDashboardForTest();
  const name = new URL(databaseOf(lost)).pathname.slice(1);
  const admin = await connect(inject('databaseUrl'));
  await admin.query(`alter database ${name} with allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  expect(await lost.request('GET', '/ready')).toMatchObject({
    status: 503,
    code: 80000001,
    data: { ready: false, database: 'down' },
  });
  expect(await lost.request('GET', '/health')).toMatchObject({ status: 200 });
  expect(await lost.post('/api/auth/nonce', {})).toMatchObject({
    status: 500,
    code: 80000001,
    msg: 'system error',
    data: null,
  });
  await admin.query(`alter database ${name} with allow_connections true`);
  expect(await lost.request('GET', '/ready')).toMatchObject({ data: { database: 'up' } });
});

/** A comment, or a sample with its labels (Prometheus text format 0.0.4). */
const prometheusLine =
  /^(# (HELP|TYPE) [a-z_:][\w:]* .+|[a-z_:][\w:]*(\{.*\})? (NaN|[+-]?(Inf|[\d.e+-]+)))$/i;

test('metrics are Prometheus text, and count requests by route pattern, never by path [dashboard.listen.metrics]', async () => {
  await dashboard.request('DELETE', '/api/keys/key_secret');
  const answer = await fetch(`${dashboard.url}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  for (const line of text.split('\n').filter((each) => each !== '')) expect(line).toMatch(prometheusLine);
  const counted = text
    .split('\n')
    .find((line) => line.includes('_count') && line.includes('route="/api/keys/:id"'));
  expect(counted).toMatch(/method="DELETE".*status="401"\} 1$/);
  expect(text).not.toContain('key_secret');
});

test('an unforeseen error is 500 without internals, and its request id stands in the log [dashboard.error.system-error]', async () => {
  const broken = await openDashboardForTest();
  const client = await connect(databaseOf(broken));
  await client.query('alter table dashboard.login_nonce rename to gone');
  const error = vi.spyOn(log, 'error');
  const other = await startDashboard({ ...broken.config }, { log });
  onTestFinished(other.stop);
  const response = await fetch(`${other.url}/api/auth/nonce`, { method: 'POST' });
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ code: 80000001, msg: 'system error', data: null });
  const requestId = response.headers.get('x-request-id');
  expect(error.mock.calls).toContainEqual([expect.objectContaining({ requestId }), 'unforeseen']);
});

test('the log has a line a request with its trace, and no secret', async () => {
  const info = vi.spyOn(log, 'info');
  const noisy = await startDashboard((await openDashboardForTest()).config, { log });
  onTestFinished(noisy.stop);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await fetch(`${noisy.url}/api/auth/me?token=secret-in-query`, {
    headers: { authorization: 'Bearer secret-token', traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  });
  const body = JSON.stringify({ apiKey: 'csk_secret', walletAddress: newWallet().address });
  await fetch(`${noisy.url}/api/kyc/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const lines = info.mock.calls.filter(([, message]) => message === 'request').map(([facts]) => facts);
  expect(lines).toContainEqual(expect.objectContaining({ route: '/api/auth/me', status: 401, traceId }));
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a request in flight is finished before it stops', async () => {
  const stopping = await openDashboard();
  const owner = await stopping.newAccount();
  const client = await connect(databaseOf(stopping));
  await client.query('begin; lock table dashboard.transaction_log in access exclusive mode');
  const report = stopping.post('/api/transactions', { apiKey: owner.apiKey, ...paymentOf(owner.address) });
  const waiting = `select 1 from pg_locks where not granted and relation = 'dashboard.transaction_log'::regclass`;
  await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
  const stopped = stopping.stop();
  await client.query('commit');
  expect(await report).toMatchObject({ status: 201 });
  await stopped;
  await stopping.stop();
  await expect(fetch(`${stopping.url}/health`)).rejects.toThrow('fetch failed');
});

async function printedBy(work: () => Promise<void>): Promise<string> {
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  await work().finally(() => write.mockRestore());
  return printed;
}

test('both commands explain themselves', async () => {
  expect(await printedBy(() => main(['--help'], {}))).toContain('OPERATOR_ADDRESSES');
  expect(await printedBy(() => importMain(['--help'], {}))).toContain('SDN.XML');
});

test('alone on a machine it runs its own database, and an import finds it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'dashboard-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const service = await startWith({ DASHBOARD_DATA_DIR: directory, DASHBOARD_PORT: '0' });
  const printed = await printedBy(() => importMain([demoFile, '--demo'], { DASHBOARD_DATA_DIR: directory }));
  expect(printed).toMatch(/^imported 1 addresses \(demonstration, \d{4}-\d\d-\d\d\)\n$/);
  expect(await (await fetch(`${service.url}/ready`)).json()).toMatchObject({
    data: { ready: true, kyt: { source: 'demonstration', fresh: true } },
  });
});

test('without a built console the API is served all the same, and says so once [dashboard.console.paths]', async () => {
  const dashboard = await openDashboardForTest();
  expect(await dashboard.request('GET', '/health')).toMatchObject({ status: 200 });
  const warnings: string[] = [];
  const quiet = { ...log, warn: (text: unknown) => warnings.push(String(text)) } as unknown as typeof log;
  expect(readConsole(quiet, join(tmpdir(), 'no-console-here'))).toBeNull();
  expect(warnings).toEqual(['the console is not built: only the API is served']);
});
