import { once } from 'node:events';
import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from './browser-sessions.ts';
import { openSocket, type Shown } from '../../../packages/service/test/web-socket.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
  await sandbox.vault.addUser('bob', 'acme', ['admin']);
});
afterAll(() => sandbox?.stop());

const at = '2026-11-21T12:00:00.000Z';
const pathOf = (id: string, query = '') => `/api/v1/sandbox/sessions/${id}/events${query}`;
const watch = (id: string, shown: Shown = { token: sandbox.owner }, query = '') =>
  openSocket(sandbox.vault.url + pathOf(id, query), shown);
const now = { type: 'session.state', status: 'active', current_url: null };
const page = (url: string): SessionEvent => ({
  type: 'session.state',
  at,
  status: 'active',
  current_url: url,
});

/** What a server answers to a request that is written by hand. */
async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(sandbox.vault.url);
  const socket = connect(Number(port), hostname);
  socket.write(text.replaceAll('\n', '\r\n'));
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  socket.destroy();
  return answer;
}

const handshake = (path: string, headers = '') =>
  raw(
    `GET ${path} HTTP/1.1\nhost: localhost\nconnection: upgrade\nupgrade: websocket\nsec-websocket-version: 13\n` +
      `sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\n${headers}\n`,
  );

test('it tells how the session is, then what happens, and closes with it [vault.sandbox.events.channel] [vault.sandbox.events.state-first]', async () => {
  const { id } = await sandbox.newSession();
  const other = (await sandbox.newSession()).id;
  const [one, two] = [watch(id), watch(id)];
  for (const each of [one, two]) expect(await each.next()).toMatchObject(now);
  const operation_id = crypto.randomUUID();
  const review = { verdict: 'ask' as const, rules: [], duration_ms: 1 };
  const events: SessionEvent[] = [
    { type: 'operation.started', at, operation_id, operation_type: 'click' },
    { type: 'operation.reviewed', at, operation_id, review },
    { type: 'approval.requested', at, operation_id, review },
    { type: 'approval.received', at, operation_id, decision: 'approve' },
    { type: 'operation.finished', at, operation_id, status: 'executed', audit_id: 'a', duration_ms: 3 },
    page('https://shop.example/'),
    { type: 'session.state', at, status: 'closed', current_url: null, closed_reason: 'asked' },
  ];
  sandbox.enclave.tell(other, page('https://elsewhere.example/'));
  for (const event of events) sandbox.enclave.tell(id, event);
  for (const each of [one, two]) {
    for (const event of events) expect(await each.next()).toEqual(event);
    expect(await each.closed).toEqual({ code: 1000, reason: 'the session is over' });
  }
  // One that is over is told as such.
  const late = watch(id);
  expect(await late.next()).toMatchObject({ status: 'closed', closed_reason: 'asked' });
  expect(await late.closed).toMatchObject({ code: 1000 });
});

test('a token is shown as header or as subprotocol, and the subprotocol is answered [vault.sandbox.events.authentication]', async () => {
  const reader = await sandbox.newToken(['credential:use']);
  const { id } = await sandbox.newSession({}, reader);
  const socket = watch(id, { protocol: `bearer.${reader}` });
  expect(await socket.next()).toMatchObject(now);
  expect(socket.protocol()).toBe(`bearer.${reader}`);
  socket.close();
  const auditor = await sandbox.newToken(['audit:read']);
  const refusals: readonly (readonly [string, string, number, string])[] = [
    [pathOf(id), '', 401, 'unauthorized'],
    [pathOf(id), 'authorization: Bearer v4.local.bad\n', 401, 'unauthorized'],
    [pathOf(id), 'sec-websocket-protocol: chat\n', 401, 'unauthorized'],
    [pathOf(id), `sec-websocket-protocol: bearer.${auditor}\n`, 403, 'insufficient_scope'],
    [pathOf(crypto.randomUUID()), `authorization: Bearer ${reader}\n`, 404, 'not_found'],
    // Another’s.
    [pathOf(id), `authorization: Bearer ${await sandbox.newToken(['admin'])}\n`, 404, 'not_found'],
    [pathOf(id, '?frames=2'), `authorization: Bearer ${reader}\n`, 400, 'invalid_request'],
    ['/api/v1/nowhere', `authorization: Bearer ${reader}\n`, 404, 'not_found'],
  ];
  for (const [path, headers, status, code] of refusals) {
    const answer = await handshake(path, headers);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(`"code":"${code}"`);
    expect(answer).toMatch(/x-request-id: /);
  }
  expect(await watch(id, {}).opened).toBe(false);
});

test('a page of another origin gets none [vault.sandbox.events.origin]', async () => {
  const { id } = await sandbox.newSession();
  const bearer = `authorization: Bearer ${sandbox.owner}\n`;
  for (const origin of ['https://evil.example', 'null', sandbox.vault.url])
    expect(await handshake(pathOf(id), `${bearer}origin: ${origin}\n`)).toMatch(
      /^HTTP\/1.1 403 [^]*VAULT_CONSOLE_ORIGIN/,
    );
  const ours = watch(id, { token: sandbox.owner, origin: 'https://console.example' });
  expect(await ours.next()).toMatchObject(now);
  ours.close();
});

test('it closes when the token ends, within seconds [vault.sandbox.events.token-ends]', async () => {
  const token = await sandbox.newToken(['credential:use']);
  const short = await sandbox.newToken(['credential:use'], { expires_in: 60 });
  const { id } = await sandbox.newSession({}, token);
  const other = await sandbox.newSession({}, short);
  const [revoked, expired, good] = [watch(id, { token }), watch(other.id, { token: short }), watch(id)];
  for (const each of [revoked, expired, good]) expect(await each.next()).toMatchObject(now);
  await sandbox.ask('POST', '/auth/logout', { token });
  expect(await revoked.closed).toEqual({ code: 1008, reason: 'token_revoked' });
  sandbox.vault.advance(60);
  expect(await expired.closed).toEqual({ code: 1008, reason: 'token_expired' });
  sandbox.enclave.tell(id, page('https://shop.example/still'));
  expect(await good.next()).toMatchObject({ current_url: 'https://shop.example/still' });
  good.close();
});

test('pictures are taken while somebody wants to see them, once for all [vault.sandbox.events.frames]', async () => {
  const { id } = await sandbox.newSession();
  const { script, asked } = sandbox.enclave;
  const png = Buffer.from('89504e47', 'hex');
  const digests = { sha256: 'ab'.repeat(32), salt: 'cd'.repeat(32) };
  script['session.frame'] = () => ({ reply: { width: 4, height: 3, ...digests }, body: png });
  const plain = watch(id);
  expect(await plain.next()).toMatchObject(now);
  expect(asked('session.frame')).toHaveLength(0);
  const admin = await sandbox.login('bob');
  const [one, two] = [watch(id, undefined, '?frames=1'), watch(id, { token: admin }, '?frames=1')];
  const size = { width: 4, height: 3 };
  const frame = { type: 'frame', at: expect.any(String), image: png.toString('base64'), ...size, ...digests };
  for (const each of [one, two]) {
    const texts = [await each.next(), await each.next(), await each.next()];
    expect(texts.filter(({ type }) => type === 'frame').at(-1)).toEqual(frame);
  }
  expect(asked('session.frame').length).toBeLessThan(8);
  // Each who watches is told to the enclave, which has it on record: in the order of their coming, which is open here.
  const watchers = new Set([{ actor: 'user:alice' }, { actor: 'user:bob' }]);
  expect(asked('session.frame').at(-1)).toEqual({
    tenantId: 'acme',
    sessionId: id,
    watchers: expect.toSatisfy((told) => isDeepStrictEqual(new Set(told), watchers)),
  });
  for (const each of [plain, one, two]) each.close();
});

test('only so many watch one session [vault.sandbox.events.caps]', async () => {
  const { id } = await sandbox.newSession();
  const sockets = Array.from({ length: 32 }, () => watch(id));
  for (const each of sockets) await each.next();
  expect(await handshake(pathOf(id), `authorization: Bearer ${sandbox.owner}\n`)).toMatch(/^HTTP\/1.1 429 /);
  sockets[0]?.close();
  await sockets[0]?.closed;
  for (const each of sockets) each.close();
});

test('asked for without an upgrade it says what it is; an upgrade to something else is answered as if it were not offered', async () => {
  const { id } = await sandbox.newSession();
  expect(await sandbox.vault.ask('GET', pathOf(id), { token: sandbox.owner })).toMatchObject({
    status: 400,
    data: { error: { message: 'this is a WebSocket: ask with Upgrade: websocket' } },
  });
  const body = JSON.stringify({ username: 'alice', password: 'a good password' });
  const answer = await raw(
    `POST /api/v1/auth/login HTTP/1.1\nhost: localhost\nconnection: Upgrade, HTTP2-Settings\nupgrade: h2c\n` +
      `http2-settings: AAMAAABkAAQAAP__\ncontent-type: application/json\ncontent-length: ${body.length}\n\n${body}` +
      'GET /health HTTP/1.1\nhost: localhost\nconnection: close\n\n',
  );
  expect(answer).toMatch(
    /^HTTP\/1.1 200 OK[^]*"access_token":"v4\.local\.[^]*HTTP\/1.1 200 OK[^]*"status":"up"/,
  );
});
