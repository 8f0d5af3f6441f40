import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countersign } from '@countersign/local/countersign';
import { startGatewayProcess } from '@countersign/local/gateway-process';
import { newPrivateKey } from '@countersign/local/market';
import { freePort } from '@countersign/service/free-port';
import { expect, test } from 'vitest';
import { ask } from './fixtures/http.ts';

const key = newPrivateKey();
const good = { EVM_PRIVATE_KEY: key, DOWNSTREAM_MCP_URLS: 'http://127.0.0.1:1/mcp' };

/** Runs the command with this environment alone, to its end. */
async function run(env: Record<string, string>, ...args: readonly string[]) {
  const { command, args: program } = countersign('gateway', ...args);
  const cwd = await mkdtemp(join(tmpdir(), 'countersign-config-'));
  const child = spawn(command, program, { cwd, env: { PATH: process.env['PATH'], ...env } });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  await rm(cwd, { recursive: true });
  return { code, ...written };
}

test('without any variable the two that are needed are named, and nothing else [gateway.config.evm-private-key] [gateway.config.downstream-mcp-urls] [system.service.configuration-errors]', async () => {
  const { code, stdout, stderr } = await run({});
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr.split('\n')).toEqual([
    'gateway: the configuration has 2 error(s)',
    '  EVM_PRIVATE_KEY is required: the gateway wallet, 0x and 64 hex digits',
    '  DOWNSTREAM_MCP_URLS is required: comma-separated URLs, or id=url',
    'Run "countersign gateway --variables" for all variables.',
    '',
  ]);
});

test('all errors are told at once, each with what the variable may be, and no value is echoed [system.service.configuration-errors] [gateway.config.evm-private-key] [gateway.config.downstream-connect-retries] [gateway.config.downstream-mcp-transport] [gateway.config.cart-mandate-missing-policy] [gateway.config.cart-policy] [gateway.config.discovery-urls]', async () => {
  const bad = {
    EVM_PRIVATE_KEY: 'hunter2-private-key',
    DOWNSTREAM_MCP_URLS: 'ftp://hunter2.example',
    DOWNSTREAM_MCP_TRANSPORT: 'hunter2',
    DOWNSTREAM_CONNECT_RETRIES: '11',
    DOWNSTREAM_MCP_HEADERS: '{"hunter2":',
    HTTP_SERVICES: '{"hunter2": 1',
    DISCOVERY_URLS: 'hunter2',
    DOWNSTREAM_TIMEOUT_MS: 'hunter2',
    PAYMENT_TIMEOUT_MS: '0',
    COMPLIANCE_BASE_URL: 'hunter2',
    COMPLIANCE_TIMEOUT_MS: '-1',
    PAYMENT_NETWORKS: 'hunter2',
    PAYMENT_ASSETS: 'hunter2',
    PAYMENT_MAX_AMOUNT: '1e9',
    PAYMENT_UNMANDATED_MAX_AMOUNT: 'NaN',
    PAYMENT_UNMANDATED_DAILY: 'NaN',
    CART_POLICY: 'hunter2',
    OFFER_SIGNERS: 'hunter2',
    OFFER_ORIGINS: 'hunter2',
    PAYMENT_SCHEMES: 'hunter2',
    PAYMENT_MAX_VALIDITY_SECONDS: '9',
    CART_MANDATE_MISSING_POLICY: 'hunter2',
    APPROVER_ADDRESSES: 'hunter2',
    EVM_RPC_URL: 'ws://hunter2',
    GATEWAY_PORT: '65536',
    GATEWAY_AUTH_TOKENS: 'hunter2',
    LOG_LEVEL: 'hunter2',
  };
  const { code, stderr } = await run(bad, '--http');
  expect(code).toBe(2);
  const lines = stderr.split('\n').slice(1, -2);
  expect(new Set(lines.map((line) => line.trim().split(' ')[0]))).toEqual(new Set(Object.keys(bad)));
  expect(lines).toHaveLength(Object.keys(bad).length);
  for (const line of lines) expect(line).toMatch(/must|has an id/);
  expect(stderr).not.toContain('hunter2');
});

test('beyond loopback the gateway does not listen without tokens [gateway.auth.open-only-on-loopback]', async () => {
  for (const host of ['0.0.0.0', '::', '10.1.2.3', 'gateway.example']) {
    const { code, stderr } = await run({ ...good, GATEWAY_HOST: host }, '--http');
    expect(code).toBe(2);
    expect(stderr).toMatch(/GATEWAY_AUTH_TOKENS is required when GATEWAY_HOST is not loopback/);
  }
});

test('with tokens it listens where GATEWAY_HOST and GATEWAY_PORT say [gateway.http.host-and-port]', async () => {
  const port = await freePort();
  const gateway = await startGatewayProcess(
    {
      ...good,
      GATEWAY_HOST: '0.0.0.0',
      GATEWAY_PORT: String(port),
      GATEWAY_AUTH_TOKENS: 'me:secret-token',
      LOG_LEVEL: 'error',
    },
    { token: 'secret-token' },
  );
  const health = `http://127.0.0.1:${port}/health`;
  expect((await ask(health, { method: 'GET' })).status).toBe(200);
  // Here the token protects, so a name of one's own is fine; a page of somebody else is not.
  const own = { host: 'gateway.example', origin: 'http://gateway.example' };
  expect((await ask(health, { method: 'GET', headers: own })).status).toBe(200);
  const foreign = { host: 'gateway.example', origin: 'http://evil.example' };
  expect((await ask(health, { method: 'GET', headers: foreign })).status).toBe(403);
  await gateway.stop();
});

test('a port that is taken and a folder that cannot be written end in one line and code 1', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const port = String((taken.address() as AddressInfo).port);
  const full = await run({ ...good, GATEWAY_PORT: port, LOG_LEVEL: 'error' }, '--http');
  taken.close();
  const unwritable = await run({ ...good, GATEWAY_STATE_DIR: '/dev/null/state', LOG_LEVEL: 'error' });
  for (const { code, stdout, stderr } of [full, unwritable]) {
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toMatch(/\bat .*\.js:/);
  }
  expect(full.stderr).toContain(port);
  expect(unwritable.stderr).toContain('/dev/null/state');
});

test('--variables teaches every variable, --help both ways to listen; an unknown option points to it [system.cli.help]', async () => {
  const { code, stdout, stderr } = await run({}, '--variables');
  expect([code, stderr]).toEqual([0, '']);
  const { stdout: help } = await run({}, '--help');
  for (const word of ['--http', 'http://127.0.0.1:4020/mcp', '--variables', 'EVM_PRIVATE_KEY'])
    expect(help).toContain(word);
  for (const name of [
    'EVM_PRIVATE_KEY',
    'DOWNSTREAM_MCP_URLS',
    'HTTP_SERVICES',
    'COMPLIANCE_BASE_URL',
    'COMPLIANCE_API_KEY',
    'COMPLIANCE_CHAIN',
    'DOWNSTREAM_MCP_TRANSPORT',
    'DOWNSTREAM_CONNECT_RETRIES',
    'DOWNSTREAM_MCP_HEADERS',
    'DISCOVERY_URLS',
    'DOWNSTREAM_TIMEOUT_MS',
    'PAYMENT_TIMEOUT_MS',
    'COMPLIANCE_TIMEOUT_MS',
    'PAYMENT_NETWORKS',
    'PAYMENT_ASSETS',
    'PAYMENT_MAX_AMOUNT',
    'PAYMENT_MAX_VALIDITY_SECONDS',
    'CART_MANDATE_MISSING_POLICY',
    'PAYMENT_UNMANDATED_MAX_AMOUNT',
    'PAYMENT_UNMANDATED_DAILY',
    'CART_POLICY',
    'OFFER_SIGNERS',
    'OFFER_ORIGINS',
    'PAYMENT_SCHEMES',
    'EVM_RPC_URL',
    'GATEWAY_STATE_DIR',
    'GATEWAY_DATABASE_URL',
    'GATEWAY_HOST',
    'GATEWAY_PORT',
    'GATEWAY_AUTH_TOKENS',
    'APPROVER_ADDRESSES',
    'OWNER_ADDRESS',
  ])
    expect(stdout).toContain(name);
  const unknown = await run(good, '--htp');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('--help');
});
