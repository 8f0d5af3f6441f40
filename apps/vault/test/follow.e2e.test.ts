import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tidySessions } from '../src/sandbox/tidy.ts';
import { done, openSandbox, refused, type Sandbox, state } from './browser-sessions.ts';
import type { Json } from './vault.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox?.stop());

const click = { operation_type: 'click', selector: 'a' };
const session = async (id: string): Promise<Json> =>
  (await sandbox.ask('GET', `/sandbox/sessions/${id}`)).data;
const log = async (id: string): Promise<Json> =>
  (await sandbox.ask('GET', `/sandbox/sessions/${id}/operations`)).data;
const at = () => sandbox.vault.now().toISOString();
const review = { verdict: 'allow' as const, rules: [], duration_ms: 0.3 };

/** Asks until it is as wanted; the test's own limit ends it. */
async function until<T>(ask: () => Promise<T>, wanted: (told: T) => boolean): Promise<T> {
  for (;;) {
    const told = await ask();
    if (wanted(told)) return told;
    await sleep(20);
  }
}

/** An operation that the enclave takes and never answers. */
async function lost(id: string): Promise<string> {
  const known = new Set(sandbox.enclave.asked('session.operate'));
  sandbox.enclave.script['session.operate'] = () => new Promise(() => {});
  void sandbox.ask('POST', `/sandbox/sessions/${id}/execute`, { body: click }).catch(() => {});
  const asked = await until(
    async () => sandbox.enclave.asked('session.operate').find((each) => !known.has(each)),
    (each) => each !== undefined,
  );
  return asked?.operationId ?? '';
}

const tidy = () => tidySessions(sandbox.vault.database, { compare: async () => {} }, sandbox.vault.now)();

test('what events tell is in the table, also when nobody hears the answer [vault.sandbox.session.events-kept]', async () => {
  const { id } = await sandbox.newSession();
  const operation_id = await lost(id);
  expect((await log(id)).total).toBe(0);
  const tell = (event: SessionEvent) => sandbox.enclave.tell(id, event);
  tell({ type: 'operation.started', at: at(), operation_id, operation_type: 'click' });
  tell({ type: 'operation.reviewed', at: at(), operation_id, review });
  tell({ type: 'approval.requested', at: at(), operation_id, review });
  const waits = await until(
    () => session(id),
    ({ pending_approvals }) => pending_approvals.length === 1,
  );
  expect(waits.pending_approvals).toEqual([operation_id]);
  tell({ type: 'approval.received', at: at(), operation_id, decision: 'approve' });
  tell({
    type: 'operation.finished',
    at: at(),
    operation_id,
    status: 'executed',
    audit_id: 'a-7',
    duration_ms: 4,
  });
  const { items } = await until(
    () => log(id),
    (told) => told.items[0]?.status === 'executed',
  );
  expect(items[0]).toMatchObject({ operation_id, audit_id: 'a-7', review, duration_ms: 4, result: null });
  tell({ type: 'session.state', at: at(), status: 'active', current_url: 'https://shop.example/orders' });
  await until(
    () => session(id),
    ({ current_url }) => current_url === 'https://shop.example/orders',
  );
  tell({ type: 'session.state', at: at(), status: 'closed', current_url: null, closed_reason: 'alarm' });
  expect(
    await until(
      () => session(id),
      ({ status }) => status === 'closed',
    ),
  ).toMatchObject({ closed_reason: 'alarm' });
});

test('what an answer has told is not written once more when events tell of it [vault.sandbox.session.events-kept]', async () => {
  const { id } = await sandbox.newSession();
  sandbox.enclave.script['session.operate'] = ({ operationId }) => ({ reply: done(operationId) });
  const asked = await sandbox.ask('POST', `/sandbox/sessions/${id}/execute`, { body: click });
  const { operation_id } = asked.data;
  const written = async () => {
    const sql = 'select xmin::text from vault.operation where id = $1';
    return (await sandbox.vault.database.query(sql, [operation_id])).rows;
  };
  const before = await written();
  const tell = (event: SessionEvent) => sandbox.enclave.tell(id, event);
  tell({ type: 'operation.reviewed', at: at(), operation_id, review });
  tell({
    type: 'operation.finished',
    at: at(),
    operation_id,
    status: 'executed',
    audit_id: 'a-7',
    duration_ms: 4,
  });
  tell({ type: 'session.state', at: at(), status: 'active', current_url: 'https://shop.example/told' });
  await until(
    () => session(id),
    ({ current_url }) => current_url === 'https://shop.example/told',
  );
  expect(await written()).toEqual(before);
});

test('an operation of which nothing is heard any more is told as interrupted [vault.sandbox.operation.interrupted]', async () => {
  const { id } = await sandbox.newSession();
  const operation_id = await lost(id);
  sandbox.vault.advance(299);
  await tidy();
  expect((await log(id)).total).toBe(0);
  sandbox.vault.advance(2);
  await tidy();
  expect((await log(id)).items).toEqual([
    expect.objectContaining({
      operation_id,
      status: 'failed',
      review: null,
      audit_id: null,
      error: {
        code: 'interrupted',
        message: expect.stringContaining('it is not known whether this was done'),
      },
    }),
  ]);
});

test('when the enclave dies its sessions are over, with all that was under way in them [vault.sandbox.enclave-gone]', async () => {
  const [one, other] = [(await sandbox.newSession()).id, (await sandbox.newSession()).id];
  sandbox.enclave.script['session.operate'] = ({ operationId }) => ({
    reply: {
      operation: {
        operation_id: operationId,
        status: 'pending_approval',
        result: null,
        review,
        audit_id: 'a-8',
        duration_ms: 1,
      },
      session: state(),
    },
  });
  await sandbox.ask('POST', `/sandbox/sessions/${other}/execute`, { body: click });
  sandbox.enclave.script['session.operate'] = () => new Promise(() => {});
  const before = sandbox.enclave.asked('session.operate').length;
  const asked = sandbox.ask('POST', `/sandbox/sessions/${one}/execute`, { body: click });
  await until(
    async () => sandbox.enclave.asked('session.operate').length,
    (count) => count > before,
  );
  sandbox.enclave.script['session.state'] = () => ({ refusal: { code: 'NOT_FOUND' } });
  await sandbox.enclave.die();
  expect(await asked).toMatchObject(refused(500, 'internal_error'));
  await sandbox.enclave.restart();
  const gone = { status: 'closed', closed_reason: 'enclave_gone', pending_approvals: [] };
  expect(
    await until(
      () => session(one),
      ({ status }) => status === 'closed',
    ),
  ).toMatchObject(gone);
  expect(
    await until(
      () => session(other),
      ({ status }) => status === 'closed',
    ),
  ).toMatchObject(gone);
  const interrupted = { status: 'failed', error: { code: 'interrupted' } };
  expect((await log(one)).items).toMatchObject([interrupted]);
  expect((await log(other)).items).toMatchObject([{ ...interrupted, audit_id: 'a-8' }]);
  sandbox.enclave.script['session.state'] = () => ({ reply: { session: state() } });
});

test('an enclave that stays away takes its sessions with it [vault.sandbox.enclave-gone]', async () => {
  const { id } = await sandbox.newSession();
  await sandbox.enclave.die();
  expect((await session(id)).status).toBe('active');
  expect(
    await until(
      () => session(id),
      ({ status }) => status !== 'active',
    ),
  ).toMatchObject({
    closed_reason: 'enclave_gone',
  });
  await sandbox.enclave.restart();
  await until(
    () => sandbox.vault.ask('GET', '/ready'),
    ({ data }) => data.enclave === 'up',
  );
});

test('sessions can be looked up for thirty days after their end [vault.sandbox.session.kept]', async () => {
  const { id } = await sandbox.newSession({ ttl_seconds: 10 });
  sandbox.vault.advance(10);
  await sandbox.vault.database.query(
    "update vault.session set status = 'expired', ended_at = $2 where id = $1",
    [id, sandbox.vault.now()],
  );
  const status = async () => {
    const token = await sandbox.login();
    return (await sandbox.ask('GET', `/sandbox/sessions/${id}`, { token })).status;
  };
  sandbox.vault.advance(30 * 86_400);
  await tidy();
  expect(await status()).toBe(200);
  sandbox.vault.advance(1);
  await tidy();
  expect(await status()).toBe(404);
});
