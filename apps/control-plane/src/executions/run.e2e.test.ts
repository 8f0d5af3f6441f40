import type { ActionTokenClaims } from '@countersign/protocol/control/execution';
import type { Database } from '@countersign/service/database';
import { inTransaction } from '@countersign/service/sql';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import {
  addPolicy,
  type Run,
  scriptedEnclave,
  startDatabase,
  startProcess,
  tenantWith,
} from '../../test/scripted-enclave.ts';
import { verifyActionToken } from '../approvals/verify-token.ts';
import { insertKey, revokeKey } from '../keys/store.ts';
import { enqueue } from './queue.ts';
import { findExecution, queueExecution } from './store.ts';

let database: Database;
const scripted = scriptedEnclave();
let processes: Awaited<ReturnType<typeof startProcess>>[] = [];
const ran: string[] = [];
const runs = (run: Run) => {
  scripted.script.run = (id) => {
    ran.push(id);
    return run(id);
  };
};

beforeAll(async () => {
  database = await startDatabase(inject('databaseUrl'));
  processes = [await startProcess(database.pool, scripted), await startProcess(database.pool, scripted)];
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await database?.close();
});
beforeEach(() => {
  ran.length = 0;
  runs(async () => ({ done: true }));
});

const [first, second] = [() => at(0), () => at(1)];
function at(place: number) {
  const found = processes[place];
  if (found === undefined) throw new Error('not started');
  return found;
}
const valueOf = <T>(answer: { ok: true; value: T } | { ok: false; error: { code: string } } | object): T => {
  if (!('value' in answer)) throw new Error(JSON.stringify(answer));
  return answer.value;
};
type Shown = { execution_id: string; status: string; data: unknown; error: { code: string } | null };
const shown = (answer: object) => valueOf<Shown>(answer);
const untilStatus = async (tenantId: string, id: string, status: string) => {
  const found = await findExecution(database.pool, tenantId, id);
  if (found === null) throw new Error('there is none');
  const ended = await first().parts.waitForEnd(found, 20_000);
  expect(ended.status).toBe(status);
  return ended;
};

test('the same request many times at once, in two processes, is one execution', async () => {
  const caller = await tenantWith(database.pool);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => at(i % 2).ask(caller, 'same', { params: { amount: 1 } })),
  );
  const replayed = answers.filter((one) => one.ok);
  expect(new Set(replayed.map((one) => shown(one).execution_id)).size).toBe(1);
  const refused = answers.filter((one) => !one.ok);
  const inUse = { error: { code: 'idempotency_key_in_use' }, headers: { 'retry-after': '1' } };
  expect(refused).toMatchObject(refused.map(() => inUse));
  expect(ran).toHaveLength(1);
  const later = await second().ask(caller, 'same', { params: { amount: 1 } });
  expect(later.headers).toEqual({ 'idempotent-replayed': 'true' });
  expect(shown(later)).toMatchObject({ status: 'completed', data: { done: true } });
  expect(await first().ask(caller, 'same', { params: { amount: 2 } })).toMatchObject({
    ok: false,
    error: { code: 'idempotency_key_reused' },
  });
  expect(ran).toHaveLength(1);
});

test('what was answered at first is answered again, though it ended meanwhile', async () => {
  const caller = await tenantWith(database.pool);
  const once = await first().ask(caller, 'k', { mode: 'async' });
  expect(once).toMatchObject({ status: 202, value: { status: 'pending' } });
  await untilStatus(caller.tenantId, shown(once).execution_id, 'completed');
  const again = await second().ask(caller, '"k"', { mode: 'async' });
  expect(again).toEqual({ ...once, headers: { 'idempotent-replayed': 'true' } });
  const other = { ...caller, keyId: crypto.randomUUID() };
  expect(shown(await first().ask(other, 'k', {})).execution_id).not.toBe(shown(once).execution_id);
});

test('a first answer that an earlier build kept is answered with what it lacks', async () => {
  const caller = await tenantWith(database.pool);
  const once = await first().ask(caller, 'k', { mode: 'async' });
  const { execution_id: id } = shown(once);
  const { auditRef } = await untilStatus(caller.tenantId, id, 'completed');
  const { target_status: _, audit_refs: _1, ...kept } = valueOf<Record<string, unknown>>(once);
  const text = Buffer.from(JSON.stringify(kept));
  const sealed = await first().parts.sealing.seal({ tenantId: caller.tenantId, id }, 'first_answer', text);
  await database.pool.query('update control_plane.execution set first_answer = $2 where id = $1', [
    id,
    sealed,
  ]);
  const again = await second().ask(caller, 'k', { mode: 'async' });
  expect(valueOf(again)).toEqual({ ...kept, target_status: null, audit_refs: [auditRef] });
});

test('cut off midway it is done again, three times at most, where that is safe', async () => {
  const caller = await tenantWith(database.pool, { safeToRetry: true });
  runs(async () => (ran.length < 3 ? 'gone' : { done: true }));
  expect(shown(await first().ask(caller, 'a', {}))).toMatchObject({ status: 'completed' });
  expect(ran).toHaveLength(3);
  runs(async () => null);
  expect(shown(await first().ask(caller, 'b', {}))).toMatchObject({ status: 'outcome_unknown' });
  expect(ran).toHaveLength(6);
});

test('cut off midway nobody knows how it ended, where it is not safe to do it again', async () => {
  const caller = await tenantWith(database.pool);
  runs(async () => 'gone');
  const { status, error } = shown(await first().ask(caller, 'a', {}));
  expect({ status, code: error?.code }).toEqual({ status: 'outcome_unknown', code: 'outcome_unknown' });
  expect(ran).toHaveLength(1);
});

test('an attempt is told whether one before it was cut off', async () => {
  const caller = await tenantWith(database.pool, { safeToRetry: true });
  runs(async () => (ran.length < 2 ? null : {}));
  const { execution_id: id } = shown(await first().ask(caller, 'a', {}));
  const attempts = scripted.asked.filter(
    ({ command, request }) => command === 'control.run' && request.executionId === id,
  );
  expect(attempts.map(({ request }) => request.cutOffBefore)).toEqual([false, true]);
});

test('whoever comes back after its lease ended changes nothing any more', async () => {
  const caller = await tenantWith(database.pool);
  let finish: (data: object) => void = () => {};
  const begun = new Promise<string>((resolve) =>
    runs((id) => {
      resolve(id);
      return new Promise((end) => {
        finish = end;
      });
    }),
  );
  await first().ask(caller, 'a', { mode: 'async' });
  const id = await begun;
  await database.pool.query(
    `update control_plane.execution set lease = gen_random_uuid(), lease_until = now() where id = $1`,
    [id],
  );
  await enqueue(database.pool, first().parts.jobs, { tenantId: caller.tenantId, id });
  const ended = await untilStatus(caller.tenantId, id, 'outcome_unknown');
  runs(async () => ({}));
  finish({ late: true });
  await first().ask(caller, 'b', { mode: 'sync', params: { after: 1 } });
  expect(await findExecution(database.pool, caller.tenantId, id)).toEqual(ended);
});

/** Waits for a person, and is then let go on. */
async function approveAfter(
  caller: Awaited<ReturnType<typeof tenantWith>>,
  meanwhile: (id: string) => Promise<unknown>,
) {
  const waiting = await first().ask(caller, crypto.randomUUID(), {});
  expect(waiting).toMatchObject({ status: 202, value: { status: 'pending_hitl' } });
  const { execution_id: id } = shown(waiting);
  await meanwhile(id);
  await inTransaction(database.pool, async (db) => {
    const queued = await queueExecution(db, { id, lease: null });
    if (queued !== null) await enqueue(db, first().parts.jobs, queued);
  });
  return { id, tenantId: caller.tenantId };
}
const asksPeople = 'permit(principal, action, resource) when { context.hitl_confirmed };';

test('while the enclave is gone it waits, and goes on when it is back', async () => {
  const caller = await tenantWith(database.pool, { cedar: asksPeople });
  const { script } = scripted;
  const missed = new Promise<void>((resolve) => {
    const whileGone = () => resolve();
    void approveAfter(caller, async () => {
      script.whileGone = whileGone;
    });
  });
  await missed;
  script.whileGone = null;
  const { rows } = await database.pool.query('select id from control_plane.execution where tenant_id = $1', [
    caller.tenantId,
  ]);
  await untilStatus(caller.tenantId, rows[0].id, 'completed');
  expect(ran).toEqual([rows[0].id]);
});

test('the policy is asked again before it runs, by the newest active version too', async () => {
  const caller = await tenantWith(database.pool, { cedar: asksPeople });
  const { tenantId } = caller;
  const same = await approveAfter(caller, async () => {});
  await untilStatus(tenantId, same.id, 'completed');
  const logged = await approveAfter(caller, () =>
    addPolicy(database.pool, tenantId, 2, 'forbid(principal, action, resource);', 'log_only'),
  );
  await untilStatus(tenantId, logged.id, 'completed');
  const denied = await approveAfter(caller, () =>
    addPolicy(database.pool, tenantId, 3, 'forbid(principal, action, resource);'),
  );
  expect((await untilStatus(tenantId, denied.id, 'denied')).problem?.code).toBe('policy_denied');
  expect(ran).toEqual([same.id, logged.id]);
});

test('what leads elsewhere by now does not run [control-plane.execution.changed-meanwhile]', async () => {
  const caller = await tenantWith(database.pool, { cedar: asksPeople });
  const { id, tenantId } = await approveAfter(caller, () =>
    database.pool.query('update control_plane.connector set id = gen_random_uuid() where tenant_id = $1', [
      caller.tenantId,
    ]),
  );
  expect((await untilStatus(tenantId, id, 'failed')).problem?.code).toBe('connector_changed');
  expect(ran).toEqual([]);
});

test('without the credential that it had when it was asked for, it does not run [control-plane.execution.changed-meanwhile]', async () => {
  const caller = await tenantWith(database.pool, { cedar: asksPeople });
  // While a connector needs it nobody can take it away; a table that was mended by hand can be without.
  await database.pool.query(
    'alter table control_plane.connector drop constraint connector_credential_id_fkey',
  );
  const { id, tenantId } = await approveAfter(caller, () =>
    database.pool.query(
      'update control_plane.connector set credential_id = gen_random_uuid() where tenant_id = $1',
      [caller.tenantId],
    ),
  );
  expect((await untilStatus(tenantId, id, 'failed')).problem?.code).toBe('credential_unusable');
  expect(ran).toEqual([]);
});

/** As it waits for its next attempt: the one before was cut off. */
const cutOffOnce = (id: string) =>
  database.pool.query('update control_plane.execution set attempt = 1 where id = $1', [id]);
const changes: readonly (readonly [string, (tenantId: string) => Promise<unknown>])[] = [
  [
    'connector',
    (tenantId) =>
      database.pool.query('update control_plane.connector set id = gen_random_uuid() where tenant_id = $1', [
        tenantId,
      ]),
  ],
  ['policy', (tenantId) => addPolicy(database.pool, tenantId, 2, 'forbid(principal, action, resource);')],
];

test.each(changes)(
  'after an attempt that was cut off, another %s leaves open whether it was done [control-plane.execution.outcome.attempts]',
  async (_, meanwhile) => {
    const caller = await tenantWith(database.pool, { cedar: asksPeople, safeToRetry: true });
    const { id, tenantId } = await approveAfter(caller, async (waiting) => {
      await cutOffOnce(waiting);
      await meanwhile(caller.tenantId);
    });
    const { problem } = await untilStatus(tenantId, id, 'outcome_unknown');
    expect(problem).toMatchObject({ code: 'outcome_unknown' });
    expect(ran).toEqual([]);
  },
);

test('whoever cancels it after an attempt that was cut off ends it, and hears that nobody knows [control-plane.execution.outcome.attempts]', async () => {
  const caller = await tenantWith(database.pool, { cedar: asksPeople, safeToRetry: true });
  const { execution_id: id } = shown(await first().ask(caller, 'a', {}));
  await cutOffOnce(id);
  await queueExecution(database.pool, { id, lease: null });
  expect(await first().cancel(caller, id)).toMatchObject({
    ok: true,
    value: { status: 'outcome_unknown', error: { code: 'outcome_unknown' } },
  });
});

test('nobody reads params, results or answers in the tables, nor in what is recorded', async () => {
  const caller = await tenantWith(database.pool);
  runs(async () => ({ said: 'of the service alone' }));
  const answer = await first().ask(caller, 'a', { params: { iban: 'never in a table' } });
  const { execution_id: id } = shown(answer);
  const { rows } = await database.pool.query(
    'select e::text as text from control_plane.execution e where id = $1',
    [id],
  );
  const whole = `${JSON.stringify(rows)}${JSON.stringify(scripted.asked.filter(({ command }) => command === 'control.record'))}`;
  for (const secret of ['never in a table', 'of the service alone'])
    for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')])
      expect(whole).not.toContain(form);
  const stored = await findExecution(database.pool, caller.tenantId, id);
  const { sealing } = first().parts;
  const opened = sealing.open({ tenantId: caller.tenantId, id }, 'params', stored?.data ?? Buffer.alloc(0));
  await expect(opened).rejects.toThrow('unable to authenticate');
});

test('what was queued when its key was revoked is not run [control-plane.key.revoke.executions]', async () => {
  const caller = await tenantWith(database.pool);
  const { keyId: id, tenantId, name } = caller;
  const key = { id, tenantId, name, role: 'service', hash: Buffer.from(id), createdAt: new Date() } as const;
  await insertKey(database.pool, key);
  await revokeKey(database.pool, tenantId, name, new Date());
  expect(shown(await first().ask(caller, 'late', {}))).toMatchObject({
    status: 'cancelled',
    error: { code: 'key_revoked' },
  });
  expect(ran).toEqual([]);
});

test('a token that ends while its request is under way is expired, and one of an enclave with other keys is spent [control-plane.action-token.verify.unknown]', async () => {
  const caller = await tenantWith(database.pool);
  const parts = { pool: database.pool, enclave: scripted.enclave, now: () => new Date() };
  const said: unknown[] = [];
  const verify = async () => {
    const { token = '' } = scripted.asked.findLast(({ command }) => command === 'control.run')?.request ?? {};
    const call = { body: { token }, caller: undefined, query: undefined, params: {}, address: '' };
    const answer = await verifyActionToken(parts)({ ...call, headers: new Headers() });
    said.push(answer.ok && 'value' in answer ? answer.value : answer);
  };
  runs(async () => {
    await verify();
    await verify();
    return {};
  });
  const claims = { aud: 'bank' } as ActionTokenClaims;
  scripted.script.token = { claims, expired: true, underWay: true };
  await first().ask(caller, 'expired', {});
  scripted.script.token = { claims: null, expired: false, underWay: false };
  await first().ask(caller, 'other keys', {});
  const [expired, spent] = ['expired', 'spent'].map((reason) => ({ valid: false, reason }));
  expect(said).toEqual([expired, spent, spent, spent]);
});
