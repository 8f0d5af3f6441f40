import { randomUUID } from 'node:crypto';
import { fail } from '@countersign/protocol/result';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isolation } from '../../../test/fake-browser.ts';
import { OneSession, Sandbox } from '../../../test/sandbox.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.start();
});
afterEach(() => sandbox.stop());

const extract = { operation_type: 'extract', selector: 'h1' } as const;
const operating = (operation: { operation_type: 'extract'; selector: string } = extract) => ({
  operationId: randomUUID(),
  operation,
});

test('the record of the beginning is on disk before anything is opened, and tells what was agreed [vault.audit.event.session-initiated]', async () => {
  const { named } = sandbox.credential('username_password', {});
  const session = await sandbox.open({
    startUrl: 'https://shop.example/orders?token=abc',
    credentials: [named],
    agentDid: 'did:web:agent.example',
  });
  expect(session.browser.done).toEqual(['navigate https://shop.example/orders?token=abc']);
  const [record] = sandbox.records(session.id);
  expect(record).toMatchObject({
    eventType: 'session_initiated',
    agentDid: 'did:web:agent.example',
    detail: {
      task: 'Read the orders of this month',
      allowedUrls: ['https://shop.example'],
      approval: 'auto',
      isolation,
      startUrl: 'https://shop.example/orders',
      credentials: [{ credentialId: named.credentialId }],
    },
  });
});

test('a session of another tenant is not found [vault.sandbox.tenant-isolation]', async () => {
  const session = await sandbox.open();
  const foreign = new OneSession(sandbox, 'globex', session.id, session.browser);
  const notFound = fail({ code: 'NOT_FOUND' });
  expect(await foreign.ask('session.operate', operating())).toEqual(notFound);
  expect(await foreign.ask('session.close', {})).toEqual(notFound);
  expect(await foreign.ask('session.state', {})).toEqual(notFound);
  expect(await foreign.ask('session.screenshot', { fullPage: false })).toEqual(notFound);
  expect(await foreign.frame('token:agent')).toEqual(notFound);
  expect(session.browser.done).toEqual([]);
});

test('what leads out of scope, is known already or cannot be recorded is not opened', async () => {
  const session = await sandbox.open();
  const refusedField = async (about: Parameters<typeof sandbox.opening>[0]) => {
    const opened = await sandbox.ask('session.open', sandbox.opening(about));
    return opened.ok ? null : [opened.error.code, opened.error.field];
  };
  expect(await refusedField({ startUrl: 'https://evil.example/' })).toEqual(['INVALID_COMMAND', 'startUrl']);
  // Nobody could be asked about it.
  expect(await refusedField({ startUrl: 'https://shop.example/orders/7/approve' })).toEqual([
    'INVALID_COMMAND',
    'startUrl',
  ]);
  expect(await refusedField({ startUrl: 'https://shop.example/orders/7/delete' })).toEqual([
    'INVALID_COMMAND',
    'startUrl',
  ]);
  expect(await refusedField({ sessionId: session.id })).toEqual(['INVALID_COMMAND', 'sessionId']);
  expect(await refusedField({ allowedUrls: ['https://*/'] })).toEqual(['INVALID_COMMAND', 'allowedUrls']);
  const many = Array.from(
    { length: 64 },
    (_, i) =>
      `https://${'x'.repeat(60)}${i}.${'y'.repeat(60)}.${'z'.repeat(60)}.example/${'p'.repeat(200)}/*`,
  );
  expect(await refusedField({ allowedUrls: many })).toEqual(['INVALID_COMMAND', 'allowedUrls']);
  sandbox.host.isBroken = true;
  expect(await refusedField({})).toEqual(['SANDBOX_UNAVAILABLE', undefined]);
});

test('a browser that does not answer is no session, and its beginning has an end in the log', async () => {
  sandbox.isSilent = true;
  const opening = sandbox.opening();
  expect(await sandbox.ask('session.open', opening)).toEqual(fail({ code: 'SANDBOX_UNAVAILABLE' }));
  const told = sandbox.records(opening.sessionId).map(({ eventType }) => eventType);
  expect(told).toEqual(['session_initiated', 'session_closed']);
});

test('a browser that died while it was kept ready is nobody’s session: another takes its place', async () => {
  sandbox.isSilent = 'once';
  const session = await sandbox.open();
  expect(await session.operate(extract)).toMatchObject({ status: 'executed' });
  const told = new Set(sandbox.records(session.id).map(({ eventType }) => eventType));
  expect([...told]).toEqual(['session_initiated', 'sandbox_operation']);
});

test('there are only so many at a time, of one tenant fewer, and of one caller fewer still; one that ended makes room', async () => {
  const sessions: OneSession[] = [];
  const tooMany = fail({ code: 'SANDBOX_UNAVAILABLE', field: 'too_many' });
  const another = (tenantId: string) => sandbox.ask('session.open', { ...sandbox.opening(), tenantId });
  const { tenantId: acme } = sandbox.opening();
  for (let i = 0; i < 10; i++) sessions.push(await sandbox.open());
  expect(await another(acme)).toEqual(tooMany);
  for (let i = 0; i < 2; i++) sessions.push(await sandbox.open({ actor: 'token:another' }));
  expect(await another(acme)).toEqual(tooMany);
  for (let i = 0; i < 4; i++) expect(await another('other')).toMatchObject({ ok: true });
  expect(await another('third')).toEqual(tooMany);
  await sessions[3]?.ask('session.close', {});
  expect(await another(acme)).toMatchObject({ ok: true });
});

test('operations run one at a time, in order; closing ends the one at work and refuses the others', async () => {
  const session = await sandbox.open();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  session.browser.before = () => released;
  const first = session.ask('session.operate', operating());
  const second = session.ask('session.operate', operating());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(session.browser.done).toEqual([]);
  const closed = await session.ask('session.close', {}, 'user:owner');
  release();
  expect(await first).toMatchObject({
    value: { reply: { operation: { status: 'failed', error: { code: 'interrupted' } } } },
  });
  expect(await second).toEqual(fail({ code: 'SESSION_NOT_ACTIVE' }));
  const last = sandbox.records(session.id).at(-1);
  expect(closed).toMatchObject({
    value: { reply: { auditId: last?.auditId, session: { status: 'closed', closedReason: 'asked' } } },
  });
  expect(last).toMatchObject({
    eventType: 'session_closed',
    actor: 'user:owner',
    detail: { reason: 'asked' },
  });
});

test('what waits for a person when a session ends is rejected with it [vault.audit.event.session-closed]', async () => {
  const session = await sandbox.open({ approval: 'human' });
  const script = { operation_type: 'execute_script', value: 'return 1;' } as const;
  const { operation_id } = await session.operate(script);
  const begin = await sandbox.ask('session.events', { after: 0, waitMs: 0 });
  await session.ask('session.close', {});
  const after = begin.ok ? begin.value.reply.cursor : 0;
  const told = await sandbox.ask('session.events', { after, waitMs: 0 });
  const finished = told.ok ? told.value.reply.events.map(({ event }) => event) : [];
  expect(finished).toContainEqual(
    expect.objectContaining({ type: 'operation.finished', operation_id, status: 'rejected' }),
  );
  const closed = sandbox.records(session.id).at(-1);
  expect(closed?.detail).toMatchObject({ rejected: [operation_id] });
});

test('a decoy in a wrong request leaves its record and closes the session [vault.sandbox.decoy.alarm]', async () => {
  const session = await sandbox.open();
  session.browser.alarm({ kind: 'decoy', url: 'https://shop.example/comments', method: 'POST' });
  const closed = await session.ask('session.close', {});
  expect(closed).toMatchObject({ value: { reply: { session: { closedReason: 'alarm' } } } });
  expect(session.told()).toEqual(['session_initiated', 'policy_rejected', 'session_closed']);
  expect(sandbox.records(session.id)[1]?.detail).toMatchObject({
    rules: [{ rule: 'decoy.alarm', verdict: 'deny' }],
    url: 'https://shop.example/comments',
  });
});

test('requests that were refused are recorded, a flood of them as a number', async () => {
  const session = await sandbox.open();
  for (let i = 0; i < 500; i++)
    session.browser.alarm({ kind: 'scope', url: `https://evil.example/${i}`, resource: 'Image' });
  sandbox.host.refuse.get(session.id)?.({ host: 'evil.example', port: 443 });
  await session.ask('session.close', {});
  expect(session.told().filter((event) => event === 'policy_rejected')).toHaveLength(50);
  expect(sandbox.records(session.id).at(-1)?.detail).toMatchObject({ refusedRequests: 501 });
});

test('an end that could not be recorded is one, and is recorded when it is asked for again', async () => {
  const session = await sandbox.open();
  sandbox.isDiskFull = true;
  expect(await session.ask('session.close', {})).toEqual(fail({ code: 'AUDIT_UNAVAILABLE' }));
  expect(session.browser.isClosed).toBe(true);
  sandbox.isDiskFull = false;
  const again = await session.ask('session.close', {});
  expect(await session.ask('session.close', {})).toEqual(again);
  expect(session.told()).toEqual(['session_initiated', 'session_closed']);
});

test('one that ended is known for a while, and then no longer', async () => {
  const session = await sandbox.open();
  await session.ask('session.close', {});
  sandbox.clock.pass(14 * 60_000);
  expect((await session.state()).status).toBe('closed');
  sandbox.clock.pass(2 * 60_000);
  expect(await session.ask('session.state', {})).toEqual(fail({ code: 'NOT_FOUND' }));
});

test('events come in order and in time, to all who wait; a cursor of long ago has missed some', async () => {
  const poll = async (after: number, waitMs = 0) => {
    const answer = await sandbox.ask('session.events', { after, waitMs });
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value.reply;
  };
  const start = await poll(0);
  expect(start).toMatchObject({ missed: false, events: [] });
  expect(start.cursor).toBeGreaterThan(0);
  const waiting = [poll(start.cursor, 30_000), poll(start.cursor, 30_000)];
  const session = await sandbox.open();
  for (const heard of await Promise.all(waiting))
    expect(heard.events).toMatchObject([{ sessionId: session.id, event: { type: 'session.state' } }]);
  await session.operate(extract);
  const all = await poll(start.cursor);
  expect(all.events.map(({ event }) => event.type)).toEqual([
    'session.state',
    'operation.started',
    'operation.reviewed',
    'operation.finished',
  ]);
  const nothing = poll(all.cursor, 30_000);
  sandbox.clock.pass(30_000);
  expect(await nothing).toEqual({ cursor: all.cursor, missed: false, events: [] });
  expect(await poll(1)).toMatchObject({ missed: true, cursor: all.cursor });
});
