import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentOf } from '@countersign/local/agent';
import { countersign } from '@countersign/local/countersign';
import { newPrivateKey } from '@countersign/local/market';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { anyTool, type RawService, startRawService } from './fixtures/raw-service.ts';
import { until } from './fixtures/until.ts';

let desk: RawService;
let stateDir: string;
const open: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  desk = await startRawService({
    tools: () => ({ tools: [anyTool('echo'), anyTool('hang')] }),
    call: ({ params }, reply) => {
      if (params?.name === 'echo') reply.text('hello');
    },
  });
});
beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'countersign-stdio-'));
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(async () => {
  await desk?.stop();
  await rm(stateDir, { recursive: true });
});

const { command, args } = countersign('gateway');
const env = (more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  EVM_PRIVATE_KEY: newPrivateKey(),
  DOWNSTREAM_MCP_URLS: `desk=${desk.url}`,
  GATEWAY_STATE_DIR: stateDir,
  ...more,
});
const parameters = () => ({ command, args: [...args], env: env(), stderr: 'ignore' as const });
const echo = { serviceId: 'desk', toolName: 'echo' };

async function connected(client = new Client({ name: 'test', version: '1' })) {
  await client.connect(new StdioClientTransport(parameters()));
  open.push(() => client.close());
  return agentOf(client);
}

/** The bare process, and what it writes. */
function run(more: Record<string, string> = {}) {
  const child: ChildProcessWithoutNullStreams = spawn(command, args, { env: env(more) });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  open.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const lines = () => written.stdout.split('\n').filter((line) => line !== '');
  const answered = (id: number) =>
    until(
      async () => lines(),
      (all) => all.some((line) => line.includes(`"id":${id}`)),
    );
  return { child, written, ended, send, lines, answered, hello };
}

test('the official 2.x client lists and calls over stdio [gateway.stdio.speaks-mcp]', async () => {
  const agent = await connected();
  expect((await agent.list()).map(({ serviceId }) => serviceId)).toEqual(['desk']);
  expect(await agent.call(echo)).toMatchObject({ ok: true, code: 'SUCCESS' });
});

test('a client that may choose speaks 2026-07-28 over stdio [gateway.stdio.speaks-mcp]', async () => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const agent = await connected(client);
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect(await agent.call(echo)).toMatchObject({ code: 'SUCCESS' });
});

test('the official 1.x client lists and calls over stdio [gateway.stdio.speaks-mcp]', async () => {
  const client = new OldClient({ name: 'test', version: '1' });
  await client.connect(new OldTransport(parameters()));
  open.push(() => client.close());
  expect((await client.listTools()).tools).toHaveLength(2);
  const result = await client.callTool({ name: 'call_service_tool', arguments: echo });
  expect(result.structuredContent).toMatchObject({ code: 'SUCCESS' });
});

test('stdout carries JSON-RPC only, whatever comes in and whatever services are like; logs are JSON on stderr [gateway.stdio.clean-stdout] [system.service.logs]', async () => {
  const toolless = await startRawService({ name: 'toolless', capabilities: {} });
  open.push(toolless.stop);
  const urls = `desk=${desk.url},toolless=${toolless.url},dead=http://127.0.0.1:1/mcp`;
  const more = { LOG_LEVEL: 'debug', DOWNSTREAM_MCP_URLS: urls, DOWNSTREAM_CONNECT_RETRIES: '1' };
  const { child, written, send, lines, answered, hello } = run(more);
  child.stdin.write('this is not JSON\n{"half":\n[]\n');
  send({ id: 1, method: 'initialize', params: hello });
  await answered(1);
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'list_gateway_services', arguments: {} } });
  send({ id: 3, method: 'tools/call', params: { name: 'call_service_tool', arguments: echo } });
  send({ id: 4, method: 'no/such' });
  for (const id of [2, 3, 4]) await answered(id);
  for (const line of lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  const logged = written.stderr.split('\n').filter((line) => line !== '');
  expect(logged.length).toBeGreaterThan(0);
  for (const line of logged) expect(JSON.parse(line)).toMatchObject({ service: 'gateway' });
});

test('the process ends with code 0 when stdin closes, also with a call in flight [gateway.stdio.ends-with-stdin]', async () => {
  const idle = run();
  idle.send({ id: 1, method: 'initialize', params: idle.hello });
  await idle.answered(1);
  idle.child.stdin.end();
  expect(await idle.ended).toBe(0);

  const busy = run();
  busy.send({ id: 1, method: 'initialize', params: busy.hello });
  await busy.answered(1);
  const input = { serviceId: 'desk', toolName: 'hang' };
  busy.send({ id: 2, method: 'tools/call', params: { name: 'call_service_tool', arguments: input } });
  await until(
    async () => desk.calls,
    (calls) => calls.some(({ params }) => params?.name === 'hang'),
  );
  busy.child.stdin.end();
  expect(await busy.ended).toBe(0);
});

test('the process ends when stdin was closed before it began, and when nobody reads stdout any more [gateway.stdio.ends-with-stdin]', async () => {
  const orphan = run();
  orphan.child.stdin.end();
  expect(await orphan.ended).toBe(0);

  const unread = run();
  unread.send({ id: 1, method: 'initialize', params: unread.hello });
  await unread.answered(1);
  unread.child.stdout.destroy();
  unread.send({ id: 2, method: 'tools/list' });
  expect(await unread.ended).toBe(0);
});

test('a message without end ends the process: nothing after it could be read', async () => {
  const flooded = run();
  flooded.child.stdin.on('error', () => {});
  flooded.send({ id: 1, method: 'initialize', params: flooded.hello });
  await flooded.answered(1);
  flooded.child.stdin.write('x'.repeat(20 * 1024 * 1024));
  expect(await flooded.ended).toBe(0);
  expect(flooded.lines()).toHaveLength(1);
});

test('two gateways on stdio share one GATEWAY_STATE_DIR [system.storage.gateway-lmdb]', async () => {
  const agents = await Promise.all([connected(), connected()]);
  const calls = Array.from({ length: 20 }, (_, n) =>
    (agents[n % 2] as (typeof agents)[0]).call({ ...echo, idempotencyKey: `key-number-${n}` }),
  );
  expect(new Set((await Promise.all(calls)).map(({ code }) => code))).toEqual(new Set(['SUCCESS']));
});
