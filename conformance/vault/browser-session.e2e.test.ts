import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CommandReply, CommandRequest, EnclaveCommand } from '@countersign/protocol/enclave/commands';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EnclaveProcess, Enclaves } from './fixtures/enclave-process.ts';
import { childrenOf } from './fixtures/processes.ts';
import { type ShopWithLogin, startShop } from './fixtures/shop-with-login.ts';

const login = { username: 'ada "the" \\ first', password: 'correct-Horse&battery 7' };
const enclaves = new Enclaves();
const dir = enclaves.newDir();
let enclave: EnclaveProcess;
let client: EnclaveClient;
let shop: ShopWithLogin;
let elsewhere: ShopWithLogin;
let model: Server;
/** Everything that the enclave answered. */
const heard: unknown[] = [];

/** Objects to tasks that are about the moon. */
const opinionated = () =>
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const verdict = Buffer.concat(chunks).toString().includes('moon') ? 'deny' : 'allow';
      const content = JSON.stringify({ verdict, reason: 'because' });
      response.end(JSON.stringify({ choices: [{ message: { content } }] }));
    });
  });

beforeAll(async () => {
  [shop, elsewhere] = await Promise.all([startShop(login), startShop(login)]);
  model = opinionated();
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  enclave = await enclaves.start(dir, {
    SANDBOX_ALLOW_PRIVATE: '127.0.0.0/8',
    REVIEW_MODEL_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    REVIEW_MODEL: 'judge-1',
  });
  client = await enclaves.connect(enclave);
});
afterAll(async () => {
  await enclaves.end();
  shop.stop();
  elsewhere.stop();
  model.close();
});

async function ask<C extends EnclaveCommand>(
  command: C,
  request: CommandRequest<C>,
  body?: Uint8Array,
): Promise<{ reply: CommandReply<C>; body: Buffer }> {
  const answer = await client.call(command, request, body);
  if (!answer.ok) throw new Error(`${command}: ${JSON.stringify(answer.error)}`);
  heard.push(answer.value.reply, answer.value.body.toString('latin1'));
  return answer.value;
}

async function sealedLogin() {
  const binding = {
    tenantId: 'acme',
    credentialId: randomUUID(),
    serviceId: 'shop',
    type: 'username_password',
    version: 1,
  } as const;
  const sealed = await ask('seal', { binding, sealed: false }, Buffer.from(JSON.stringify(login)));
  return { binding, envelope: sealed.reply.envelope, allowedUrls: [shop.url], uses: [] };
}

const owner = { tenantId: 'acme', actor: 'token:agent' };

async function openSession(about: Partial<CommandRequest<'session.open'>> = {}) {
  const sessionId = randomUUID();
  const opened = await ask('session.open', {
    ...owner,
    sessionId,
    task: 'Sign in and export the orders',
    allowedUrls: [shop.url],
    approval: 'auto',
    credentials: [],
    maskWith: [],
    startUrl: `${shop.url}/login`,
    expiresAt: Date.now() + 120_000,
    ...about,
  });
  const operate = async (
    operation: Operation,
    credential?: CommandRequest<'session.operate'>['credential'],
  ) => {
    const given = { operationId: randomUUID(), operation, ...(credential && { credential }) };
    return (await ask('session.operate', { ...owner, sessionId, ...given })).reply;
  };
  return { sessionId, opened: opened.reply, operate };
}

const fill = (selector: string, field: string): Operation => ({
  operation_type: 'fill',
  selector,
  value: `{{CREDENTIAL.${field}}}`,
});
const extract = (selector: string): Operation => ({ operation_type: 'extract', selector });

test('an agent signs in with a password that it never sees, and exports what is behind the login [vault.sandbox.placeholder] [vault.sandbox.placeholder.script] [vault.sandbox.operation.fill] [vault.sandbox.operation.extract] [vault.sandbox.masking.outputs]', async () => {
  const start = await ask('session.events', { after: 0, waitMs: 0 });
  const credential = await sealedLogin();
  const { credentialId, type } = credential.binding;
  const session = await openSession({
    credentials: [{ credentialId, type, allowedUrls: [shop.url], fillMode: 'network' }],
  });
  const { sessionId } = session;
  expect(session.opened.session).toMatchObject({ status: 'active', currentUrl: `${shop.url}/login` });
  const script =
    "const name = {{CREDENTIAL.username}}; document.querySelector('#username').value = name; return 1;";
  const scripted = await session.operate({ operation_type: 'execute_script', value: script }, credential);
  expect(scripted.operation).toMatchObject({ status: 'rejected', result: null });
  expect(scripted.operation.review.rules).toMatchObject([{ rule: 'script.credential' }]);
  expect(scripted.operation.review.rules[0]?.message).toContain('use fill');
  for (const field of ['username', 'password']) {
    const { operation } = await session.operate(fill(`#${field}`, field), credential);
    expect(operation).toMatchObject({ status: 'executed' });
  }
  await session.operate({ operation_type: 'click', selector: '#sign-in' });
  const read = await session.operate(extract('h1'));
  expect(read).toMatchObject({
    operation: { result: 'Orders' },
    session: { currentUrl: `${shop.url}/orders` },
  });
  expect(shop.logins.map((body) => Object.fromEntries(new URLSearchParams(body)))).toEqual([login]);
  expect((await session.operate(extract('#echo'))).operation.result).toMatch(/^Your password is ███=*$/);

  const act = { ...owner, sessionId };
  const csv = await ask('session.export', { ...act, format: 'csv' });
  expect(csv.body.toString()).toBe('Order,Price\r\n"Tea, green",4.20\r\n');
  const json = await ask('session.export', { ...act, format: 'json' });
  expect(JSON.parse(json.body.toString())).toMatchObject({ title: 'Orders of ███' });
  const picture = await ask('session.screenshot', { ...act, fullPage: false });
  expect(picture.body.subarray(1, 4).toString()).toBe('PNG');
  const closed = await ask('session.close', act);
  expect(closed.reply.session).toMatchObject({ status: 'closed', closedReason: 'asked' });

  const events = await ask('session.events', { after: start.reply.cursor, waitMs: 0 });
  expect(events.reply.events.at(-1)?.event).toMatchObject({ type: 'session.state', status: 'closed' });
  const log = await ask('audit.query', { filter: { tenantId: 'acme', sessionId }, limit: 100, offset: 0 });
  const told = log.reply.items.map(({ eventType }) => eventType).toReversed();
  expect(told.filter((event) => event === 'credential_access').length).toBeGreaterThanOrEqual(4);
  expect([told[0], told.at(-1)]).toEqual(['session_initiated', 'session_closed']);
  const all = JSON.stringify(heard);
  for (const secret of Object.values(login)) {
    const forms = [
      secret,
      encodeURIComponent(secret),
      ...(['base64', 'hex'] as const).map((as) => Buffer.from(secret).toString(as)),
    ];
    for (const form of forms) expect(all).not.toContain(JSON.stringify(form).slice(1, -1));
  }
});

test('what leads elsewhere is rejected, and reaches nobody [vault.review.before-execution] [vault.review.scope]', async () => {
  const session = await openSession();
  const { operation } = await session.operate({ operation_type: 'navigate', value: elsewhere.url });
  expect(operation).toMatchObject({ status: 'rejected', review: { verdict: 'deny' } });
  const script = `const answer = await fetch('${elsewhere.url}/'); return answer.status;`;
  const scripted = await session.operate({ operation_type: 'execute_script', value: script });
  // Without credentials it runs, and its request is not sent.
  expect(scripted.operation).toMatchObject({ status: 'failed', error: { code: 'script_failed' } });
  expect(elsewhere.paths).toEqual([]);
  await ask('session.close', { ...owner, sessionId: session.sessionId });
});

test('the second judge is asked through the launcher, and tightens [vault.review.model.tightens-only]', async () => {
  const session = await openSession({ task: 'Read about the moon' });
  const { operation } = await session.operate(extract('form'));
  expect(operation.review.rules.map(({ rule }) => rule)).toEqual(['second-judge.objects']);
  expect(operation.status).toBe('rejected');
  await ask('session.close', { ...owner, sessionId: session.sessionId });
});

test('an operation that a person agrees to is done; a session whose time is over is expired, its browser gone [vault.sandbox.session.expires] [vault.sandbox.approval.decide]', async () => {
  const session = await openSession({ approval: 'human', expiresAt: Date.now() + 5_000 });
  const { operation } = await session.operate({ operation_type: 'execute_script', value: 'return 6 * 7;' });
  expect(operation.status).toBe('pending_approval');
  const act = { tenantId: 'acme', sessionId: session.sessionId };
  const decided = await ask('session.decide', {
    ...act,
    actor: 'user:owner',
    operationId: operation.operation_id,
    decision: 'approve',
  });
  expect(decided.reply.operation).toMatchObject({ status: 'executed', result: 42 });
  const state = async () => (await ask('session.state', act)).reply.session.status;
  await expect.poll(state).toBe('expired');
});

const statusOf = async (sessionId: string) => {
  const { session } = (await ask('session.state', { tenantId: 'acme', sessionId })).reply;
  return [session.status, session.closedReason];
};

test('browsers that die close their sessions, and touch neither the enclave nor the sessions that follow', async () => {
  const dying = await Promise.all([openSession(), openSession()]);
  for (const pid of browsersBelow(enclave.pid)) signal(pid, 'SIGKILL');
  for (const { sessionId } of dying)
    await expect.poll(() => statusOf(sessionId)).toEqual(['closed', 'crashed']);
  const next = await openSession();
  expect((await next.operate(extract('#username'))).operation.status).toBe('executed');
  await ask('session.close', { ...owner, sessionId: next.sessionId });
});

/** Of sessions, and any that waits for the next one. */
const browsersBelow = (pid: number): number[] =>
  childrenOf(pid).filter((one) => {
    try {
      return readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('--remote-debugging-pipe');
    } catch {
      return false;
    }
  });

test('when the enclave ends so do its sessions, and the log says so', async () => {
  const { sessionId } = await openSession();
  const below = childrenOf(enclave.pid);
  enclave.kill('SIGTERM');
  expect(await enclave.ended).toMatchObject({ code: 0 });
  expect(below.filter((pid) => signal(pid, 0))).toEqual([]);
  client = await enclaves.connect(await enclaves.start(dir));
  const log = await ask('audit.query', { filter: { tenantId: 'acme', sessionId }, limit: 100, offset: 0 });
  expect(log.reply.items[0]).toMatchObject({
    eventType: 'session_closed',
    detail: { reason: 'enclave_gone' },
  });
  const gone = await client.call('session.state', { tenantId: 'acme', sessionId });
  expect(gone).toEqual({ ok: false, error: { code: 'NOT_FOUND' } });
});

/** Whether it was there to hear it. */
function signal(pid: number, what: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(pid, what);
  } catch {
    return false;
  }
}
