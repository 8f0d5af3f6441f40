import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { httpsTarget, newAuthority, tlsDatabase, wrongTarget } from './fixtures/tls-targets.ts';

const dir = mkdtempSync(join(tmpdir(), 'tls-targets-'));
const [ours, others] = [newAuthority(join(dir, 'ours')), newAuthority(join(dir, 'others'))];
const past = newAuthority(join(dir, 'past'), new Date('2020-01-01'));
const secret = `sk_${randomUUID()}`;
let control: TestControlPlane;
let target: Awaited<ReturnType<typeof httpsTarget>>;
let elsewhere: Awaited<ReturnType<typeof httpsTarget>>;
let database: Awaited<ReturnType<typeof tlsDatabase>>;
let strange: Awaited<ReturnType<typeof tlsDatabase>>;
let policyId = '';
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const CONNECTOR_CA = join(dir, 'believed.pem');
  writeFileSync(CONNECTOR_CA, `${readFileSync(ours.ca, 'utf8')}${readFileSync(past.ca, 'utf8')}`);
  elsewhere = await httpsTarget(ours, (_request, response) => void response.end('here'));
  [control, target, database, strange] = await Promise.all([
    startControlPlane({ CONNECTOR_CA }),
    httpsTarget(ours, answer),
    tlsDatabase(join(dir, 'database'), ours),
    tlsDatabase(join(dir, 'strange'), others),
  ]);
  const policy = { name: 'all', cedar: 'permit(principal, action, resource);' };
  policyId = (await control.admin('POST', '/v1/policies', policy)).data.policy_id;
});
afterAll(async () => {
  await control?.stop();
  const all = [target, elsewhere, database, strange].map((one) => one?.stop());
  await Promise.all([...all, ...stops.map((stop) => stop())]);
  rmSync(dir, { recursive: true, force: true });
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  if (path === '/mcp') return void answerMcp(request, response);
  request.resume();
  if (path === '/moved') response.writeHead(307, { location: `${elsewhere.url}/stolen` }).end('{"moved":1}');
  else if (path === '/nothing') response.writeHead(204).end();
  else if (path === '/head') response.writeHead(200, { 'content-length': '9999' }).end();
  else if (path === '/kept') {
    response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=600', 'content-length': '2' });
    response.end('{}');
  } else {
    response.setHeader('content-type', 'application/json');
    for (const piece of ['{"pie', 'ces":', '3}']) response.write(piece);
    response.end();
  }
}

async function answerMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const mcp = new McpServer({ name: 'shop', version: '1' });
  mcp.registerTool('hello', {}, () => ({ content: [{ type: 'text', text: 'over TLS' }] }));
  const transport = new StreamableHTTPServerTransport({});
  response.on('close', () => void transport.close());
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
}

async function newCredential(value: string): Promise<string> {
  const body = { namespace: 'tls', label: randomUUID(), type: 'secret', sensitivity: 3, value };
  return (await control.admin('POST', '/v1/vault/credentials', body)).data.credential_id;
}

/** One execution of a connector of its own. */
async function run(type: string, definition: object, action: string, credential = secret) {
  const service = randomUUID();
  const credential_id = await newCredential(credential);
  const made = await control.admin('POST', '/v1/connectors', { service, type, credential_id, definition });
  expect(made.status).toBe(201);
  const body = { policy_id: policyId, user_id: 'ann', service, action, params: {} };
  const headers = { 'idempotency-key': service };
  return (await control.ask('POST', '/v1/executions', { key: control.keys.service, headers, body })).data;
}

const openapi = (url: string) => ({
  openapi: '3.1.0',
  servers: [{ url }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  paths: {
    ...Object.fromEntries(
      ['pieces', 'moved', 'nothing', 'kept'].map((name) => [`/${name}`, { post: { operationId: name } }]),
    ),
    '/head': { head: { operationId: 'head' } },
  },
});

describe('a service whose certificate is of CONNECTOR_CA [control-plane.connector.tls]', () => {
  test.each([
    ['pieces', { pieces: 3 }],
    ['kept', {}],
    ['nothing', null],
    ['head', null],
  ])('is asked, and answers in HTTP as it likes: %s', async (action, data) => {
    const done = await run('http', openapi(target.url), action);
    expect(done).toMatchObject({ status: 'completed', error: null });
    expect(done.data).toEqual(data);
    expect(target.heard.at(-1)).toMatchObject({
      url: `/${action}`,
      headers: { authorization: `Bearer ${secret}`, host: new URL(target.url).host },
    });
  });

  test('that sends elsewhere is not followed: nobody goes there, and the credential neither', async () => {
    expect(await run('http', openapi(target.url), 'moved')).toMatchObject({
      status: 'failed',
      target_status: 307,
      error: { code: 'not_followed' },
      data: { moved: 1 },
    });
    expect(elsewhere.heard).toEqual([]);
  });

  test('is an MCP server', async () => {
    const done = await run('mcp-tool', { url: `${target.url}/mcp` }, 'hello');
    expect(done).toMatchObject({ status: 'completed', data: [{ type: 'text', text: 'over TLS' }] });
    expect(target.heard.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${secret}` });
  });
});

const unknownIssuer = /vouches for the certificate .* CONNECTOR_CA/;
const otherName = /for another name/;

test.each([
  ['whose certificate is of nobody known', unknownIssuer, () => wrongTarget(others)],
  ['whose certificate is for another name', otherName, () => wrongTarget(ours, {}, '127.0.0.2')],
  ['whose certificate has expired', /not valid at this time/, () => wrongTarget(past)],
  ['that speaks TLS 1.1', /TLS 1\.2 or newer/, () => wrongTarget(ours, tls11)],
])('a service %s is told nothing [control-plane.connector.tls]', async (_what, message, start) => {
  const { url, met, stop } = await start();
  stops.push(stop);
  for (const [type, definition] of [
    ['http', openapi(url)],
    ['mcp-tool', { url: `${url}/mcp` }],
  ] as const) {
    const refused = await run(type, definition, 'pieces');
    expect(refused).toMatchObject({
      status: 'failed',
      error: { code: 'target_unreachable', message: expect.stringMatching(message) },
    });
  }
  expect(met).toEqual({ connections: 2, bytes: 0 });
});
const tls11 = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

describe('a database', () => {
  const definition = {
    actions: {
      look: {
        sql: 'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()',
        read_only: true,
      },
    },
  };
  const look = (url: string) => run('postgres', definition, 'look', url);
  const at = (url: string, hostname: string, sslmode = 'require') => {
    const changed = Object.assign(new URL(url), { hostname });
    changed.searchParams.set('sslmode', sslmode);
    return changed.href;
  };

  test.each(['localhost', '127.0.0.1'])(
    'is spoken to over TLS where it proves to be %s [control-plane.connector.tls]',
    async (hostname) => {
      expect(await look(at(database.url, hostname))).toMatchObject({
        status: 'completed',
        data: { rows: [{ ssl: true, version: expect.stringMatching(/^TLSv1\.[23]$/) }] },
      });
    },
  );

  test('that does not prove who it is gets no password, whatever sslmode says [control-plane.connector.tls]', async () => {
    for (const [url, message] of [
      [at(strange.url, 'localhost'), unknownIssuer],
      [at(strange.url, 'localhost', 'prefer'), unknownIssuer],
      [at(database.url, '127.0.0.2'), otherName],
    ] as const)
      expect(await look(url)).toMatchObject({
        status: 'failed',
        error: { code: 'target_unreachable', message: expect.stringMatching(message) },
      });
    const plain = control.environment.DATABASE_URL;
    expect(await look(at(plain, '127.0.0.1'))).toMatchObject({
      status: 'failed',
      error: { code: 'target_unreachable', message: expect.stringContaining('sslmode=disable') },
    });
  });
});
