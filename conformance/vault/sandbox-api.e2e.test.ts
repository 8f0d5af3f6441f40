import { countersign } from '../fixtures/countersign.ts';
import { processesOf } from '@countersign/local/started-command';
import { freePort } from '@countersign/service/free-port';
import { type OwnedProcesses, ownedProcesses } from '@countersign/service/owned-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSocket } from '../../packages/service/test/web-socket.ts';
import { coreOf } from './fixtures/processes.ts';
import { type ShopWithLogin, startShop } from './fixtures/shop-with-login.ts';
import { askVault, type Json, refused, startVault, type TestVault } from './fixtures/vault.ts';

const customer = { username: 'ada@shop.example', password: 'correct-Horse&battery 7' };
let vault: TestVault;
let shop: ShopWithLogin;
let owner: string;
let agent: string;
let credential: string;
let processes: OwnedProcesses;
/** Everything that the agent's side was told. */
const told: string[] = [];
beforeAll(async () => {
  [vault, shop, processes] = await Promise.all([startVault(), startShop(customer), ownedProcesses()]);
  owner = (await vault.newUser('olga', '--tenant', 'acme', '--admin')).token;
  const about = { service_id: 'shop', credential_type: 'username_password', plaintext_data: customer };
  credential = (await vault.newCredential(owner, { ...about, allowed_urls: [shop.url] })).id;
  const limits = { credential_ids: [credential], agent_did: 'did:key:zAgent' };
  agent = await vault.newToken(owner, ['credential:use', 'audit:read'], limits);
});
afterAll(async () => {
  await processes?.stopAll();
  shop?.stop();
  await vault?.stop();
});

async function ask(method: string, path: string, body?: object, token = agent): Promise<Json> {
  const reply = await vault.ask(method, `/api/v1${path}`, { token, ...(body !== undefined && { body }) });
  told.push(reply.text);
  return reply;
}

/** A session of the agent at the shop: its path, and how it operates. */
async function openSession(more: object = {}) {
  const body = {
    credential_ids: [credential],
    task: 'Sign in and export the orders',
    allowed_urls: [shop.url],
    start_url: `${shop.url}/login`,
    ...more,
  };
  const { status, data } = await ask('POST', '/sandbox/sessions', body);
  expect({ status, data }).toMatchObject({
    status: 201,
    data: { status: 'active', agent_did: 'did:key:zAgent' },
  });
  const path = `/sandbox/sessions/${data.id}`;
  const execute = async (operation_type: string, selector: string | null, value: string | null = null) =>
    (await ask('POST', `${path}/execute`, { operation_type, selector, value })).data;
  return { id: data.id as string, path, execute };
}

const watch = (id: string, query = '') =>
  openSocket(`${vault.url}/api/v1/sandbox/sessions/${id}/events${query}`, { protocol: `bearer.${agent}` });

test('an agent signs in, reads and exports with a password that no answer and no event ever shows, and the log tells it all [vault.sandbox.execute] [vault.sandbox.screenshot] [vault.sandbox.export] [vault.sandbox.events.masked] [vault.sandbox.events.channel]', async () => {
  const { id, path, execute } = await openSession();
  const socket = watch(id, '?frames=1');
  expect(await socket.next()).toMatchObject({ type: 'session.state', status: 'active' });
  for (const field of ['username', 'password'])
    expect(await execute('fill', `#${field}`, `{{CREDENTIAL.${field}}}`)).toMatchObject({
      status: 'executed',
    });
  expect(await execute('click', '#sign-in')).toMatchObject({
    status: 'executed',
    audit_id: expect.any(String),
  });
  expect(await execute('extract', 'h1')).toMatchObject({ status: 'executed', result: 'Orders' });
  await execute('extract', '#echo');
  expect(shop.logins.map((body) => Object.fromEntries(new URLSearchParams(body)))).toEqual([customer]);
  const picture = await ask('POST', `${path}/screenshot`, { full_page: true });
  const png = Buffer.from(picture.data.image, 'base64');
  expect({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }).toEqual({
    width: picture.data.width,
    height: picture.data.height,
  });
  const csv = await ask('POST', `${path}/export`, { format: 'csv', selector: 'table' });
  expect(csv.data.data).toBe('Order,Price\r\n"Tea, green",4.20\r\n');
  expect((await ask('POST', `${path}/export`, { format: 'json' })).data.data).toMatchObject({
    title: 'Orders of ███',
  });
  expect(await ask('GET', path)).toMatchObject({ data: { current_url: `${shop.url}/orders` } });
  const did = (await ask('GET', `${path}/operations`)).data.items as Json[];
  const ofPage = new Set(['export', 'screenshot', 'watch']);
  expect(did.filter(({ operation_type }) => !ofPage.has(operation_type))).toMatchObject([
    {},
    { result: 'Orders' },
    {},
    { value: '{{CREDENTIAL.password}}', status: 'executed' },
    {},
  ]);
  expect(await ask('DELETE', path)).toMatchObject({
    status: 200,
    data: { status: 'closed', closed_reason: 'asked' },
  });
  expect(await socket.closed).toMatchObject({ code: 1000 });
  const events = socket.all();
  told.push(JSON.stringify(events));
  const types = events.map(({ type }) => type);
  expect(types).toEqual(
    expect.arrayContaining(['operation.started', 'operation.reviewed', 'operation.finished', 'frame']),
  );
  const { data: log } = await ask('GET', `/audit/logs?sessionId=${id}`);
  const kinds = new Set(log.items.map(({ eventType }: Json) => eventType));
  for (const kind of ['session_initiated', 'credential_access', 'sandbox_operation', 'session_closed'])
    expect(kinds).toContain(kind);
  for (const form of formsOf(customer.password)) expect(told.join('\n')).not.toContain(form);
});

test('a session does not begin at an address that changes something, and says how to go there [vault.sandbox.create.checked]', async () => {
  const body = { credential_ids: [], task: 'Read my orders', allowed_urls: [shop.url] };
  const asked = { ...body, start_url: `${shop.url}/orders/7/delete` };
  const reply = await ask('POST', '/sandbox/sessions', asked);
  expect(reply).toMatchObject(refused(400, 'invalid_request'));
  expect(reply.text).toContain('start_url: opening this address changes something');
});

test('a revoked token takes its sessions along, and those of tokens made with it; others go on [vault.tokens.revoked-sessions]', async () => {
  const tokenId = async (token: string) =>
    (await vault.ask('POST', '/api/v1/tokens/verify', { token: owner, body: { token } })).data.id as string;
  const open = async (token: string) => {
    const body = { credential_ids: [credential], task: 'Sign in', allowed_urls: [shop.url] };
    return `/sandbox/sessions/${(await ask('POST', '/sandbox/sessions', body, token)).data.id}`;
  };
  const statusOf = async (path: string) => (await ask('GET', path, undefined, owner)).data.status;
  const mother = await vault.newToken(owner, ['credential:use'], { credential_ids: [credential] });
  const child = await vault.newToken(mother, ['credential:use'], { expires_in: undefined });
  const paths = await Promise.all([open(mother), open(child), open(agent)]);
  const states = () => Promise.all(paths.map(statusOf));
  expect(await states()).toEqual(['active', 'active', 'active']);
  expect(await ask('POST', `/tokens/${await tokenId(mother)}/revoke`, undefined, owner)).toMatchObject({
    status: 200,
  });
  expect(await states()).toEqual(['closed', 'closed', 'active']);
  expect(await ask('DELETE', paths[2] ?? '')).toMatchObject({ status: 200 });
});

const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams([['', secret]]).toString().slice(1),
  ...(['base64', 'hex'] as const).map((as) => Buffer.from(secret).toString(as)),
];

test('what the agent may not do is a result, and what a person agrees to is done [vault.sandbox.execute.rejection-is-a-result] [vault.sandbox.approval.human] [vault.sandbox.approval.decide] [vault.sandbox.approval.who]', async () => {
  const { id, path, execute } = await openSession({ approval: 'human' });
  const socket = watch(id);
  await socket.next();
  expect(await execute('navigate', null, 'https://evil.example/')).toMatchObject({ status: 'rejected' });
  const waits = await execute('fill', '#username', '{{CREDENTIAL.username}}');
  expect(waits).toMatchObject({ status: 'pending_approval', review: { verdict: 'ask' } });
  expect((await ask('GET', path)).data.pending_approvals).toEqual([waits.operation_id]);
  const decide = (token: string) =>
    ask('POST', `${path}/approvals/${waits.operation_id}`, { decision: 'approve' }, token);
  // The agent, what it makes, and a token with every scope that the owner gave out.
  expect(await decide(agent)).toMatchObject(refused(403, 'insufficient_scope'));
  const child = await vault.newToken(agent, ['credential:use'], { expires_in: undefined });
  const mighty = await vault.newToken(owner, ['admin']);
  for (const other of [child, mighty]) {
    expect(await decide(other)).toMatchObject(refused(404, 'not_found'));
    expect(await ask('GET', path, undefined, other)).toMatchObject(refused(404, 'not_found'));
    expect(await openSocket(`${vault.url}/api/v1${path}/events`, { token: other }).opened).toBe(false);
  }
  expect(await decide(owner)).toMatchObject({ status: 200, data: { status: 'executed' } });
  expect(await decide(owner)).toMatchObject(refused(400, 'invalid_request'));
  expect((await ask('GET', `${path}/operations`)).data.items[0]).toMatchObject({
    status: 'executed',
    decided_by: 'user:olga',
  });
  await ask('POST', `${path}/pause`, {});
  expect(await ask('POST', `${path}/execute`, { operation_type: 'click', selector: 'a' })).toMatchObject(
    refused(400, 'invalid_request'),
  );
  expect(await ask('POST', `${path}/resume`, {})).toMatchObject({ data: { status: 'active' } });
  await ask('DELETE', path);
  await socket.closed;
  expect(socket.all()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'approval.requested', operation_id: waits.operation_id }),
      expect.objectContaining({ type: 'approval.received', decision: 'approve' }),
      expect.objectContaining({ type: 'session.state', status: 'paused' }),
    ]),
  );
});

test('what a person paused only a person resumes, and the agent is told so; what the agent paused it resumes itself [vault.sandbox.pause.person] [vault.sandbox.pause-and-resume]', async () => {
  const { id, path, execute } = await openSession();
  const socket = watch(id, '?frames=1');
  await socket.next();
  const pause = (token: string) => ask('POST', `${path}/pause`, {}, token);
  const resume = (token: string) => ask('POST', `${path}/resume`, {}, token);
  const paused = (paused_by: string) => ({ status: 200, data: { status: 'paused', paused_by } });
  const active = { status: 200, data: { status: 'active' } };
  expect(await pause(agent)).toMatchObject(paused('agent'));
  expect(await resume(agent)).toMatchObject(active);
  // Whoever of the two is first, the person's pause holds.
  for (const order of [[agent, owner], [owner, agent], [owner]]) {
    for (const token of order) await pause(token);
    expect(await ask('GET', path)).toMatchObject(paused('person'));
    expect(await resume(agent)).toMatchObject(refused(403, 'insufficient_scope'));
    expect((await resume(agent)).data.error.message).toContain('ask one to, or close it');
    expect(await ask('POST', `${path}/execute`, { operation_type: 'click', selector: 'a' })).toMatchObject(
      refused(400, 'invalid_request'),
    );
    expect(await ask('GET', path)).toMatchObject(paused('person'));
    expect(await resume(owner)).toMatchObject(active);
    expect(await execute('extract', '#sign-in')).toMatchObject({ status: 'executed' });
  }
  await pause(owner);
  const before = socket.all().length;
  const later = () => socket.all().slice(before);
  // Whoever watches sees the page all the same.
  await expect.poll(later).toContainEqual(expect.objectContaining({ type: 'frame' }));
  expect(socket.all()).toContainEqual(
    expect.objectContaining({ type: 'session.state', status: 'paused', paused_by: 'person' }),
  );
  expect(await ask('DELETE', path)).toMatchObject({ status: 200, data: { status: 'closed' } });
  await socket.closed;
});

test('sessions of a core that does not answer are gone, and the next ones open without a new start [vault.sandbox.enclave-gone] [vault.enclave.restarted]', async () => {
  const { path } = await openSession();
  process.kill(coreOf({ pid: pidOf('enclave') }), 'SIGSTOP');
  const gone = { status: 'closed', closed_reason: 'enclave_gone' };
  const state = async () => (await ask('GET', path)).data;
  await expect.poll(state).toMatchObject(gone);
  expect((await openSession()).path).not.toBe(path);
});

test('sessions go on when their vault ends, are told as expired, and are gone with the enclave [vault.sandbox.session.expires] [vault.sandbox.enclave-gone] [vault.sandbox.vault-restart]', async () => {
  const [lasting, short] = [await openSession(), await openSession({ ttl_seconds: 10 })];
  const url = `http://127.0.0.1:${await freePort()}`;
  const env = { ...vault.environment, VAULT_PORT: new URL(url).port };
  process.kill(pidOf('vault'), 'SIGKILL');
  processes.spawn({ name: 'next vault', ...countersign('vault'), env });
  const ready = () =>
    fetch(`${url}/ready`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(ready).toBe(200);
  const next = (method: string, path: string, body?: object) =>
    askVault(url, method, `/api/v1${path}`, { token: agent, ...(body !== undefined && { body }) });
  const click = { operation_type: 'extract', selector: '#sign-in' };
  expect(await next('POST', `${lasting.path}/execute`, click)).toMatchObject({ data: { result: 'Sign in' } });
  const statusOf = async ({ path }: { path: string }) => (await next('GET', path)).data;
  await expect.poll(() => statusOf(short)).toMatchObject({ status: 'expired' });
  process.kill(pidOf('enclave'), 'SIGKILL');
  const gone = { status: 'closed', closed_reason: 'enclave_gone' };
  await expect.poll(() => statusOf(lasting)).toMatchObject(gone);
  expect(await next('POST', `${lasting.path}/execute`, click)).toMatchObject(refused(400, 'invalid_request'));
});

const pidOf = (name: string): number => processesOf(vault.dir).find((each) => each.name === name)?.pid ?? 0;
