import { hash, randomUUID } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import { readPublicKey } from '@countersign/audit-log/keys';
import { isReceiptSigned } from '@countersign/audit-log/receipt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pace } from '../fixtures/pace.ts';
import { joinControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startReceiver } from './fixtures/receiver.ts';
import { startTarget } from './fixtures/target.ts';

let control: TestControlPlane;
let target: Awaited<ReturnType<typeof startTarget>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let policyId = '';
const secret = `sk_${randomUUID()}`;

const cedar = `
@id("pays") permit(principal, action == Action::"pay", resource) when { context.params.amount <= 100 };
@id("others") permit(principal, action, resource) unless { action == Action::"pay" };
@id("never") forbid(principal == User::"mallory", action, resource);
`;

beforeAll(async () => {
  [control, target, receiver] = await Promise.all([joinControlPlane(), startTarget(), startReceiver()]);
  policyId = await newPolicy({ cedar, hitl: { when: 'context.params has ask && context.params.ask' } });
  const body = { namespace: 'bank', label: 'key', type: 'api_key', sensitivity: 3, value: secret };
  const { credential_id } = (await control.admin('POST', '/v1/vault/credentials', body)).data;
  await newConnector('bank', { credential_id, definition: withKey(target.definition) });
  await newConnector('open', { definition: target.definition });
  const events = ['execution.created', 'execution.completed', 'execution.failed', 'execution.denied'];
  await control.admin('POST', '/v1/webhooks', { url: receiver.url, events });
});
afterAll(async () => {
  target?.release();
  await control?.stop();
  await Promise.all([target?.stop(), receiver?.stop()]);
});

const withKey = (definition: object) => ({
  ...definition,
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  security: [{ key: [] }],
});
const newPolicy = async (policy: object): Promise<string> =>
  (await control.admin('POST', '/v1/policies', { name: 'payments', ...policy })).data.policy_id;
async function newConnector(service: string, more: object) {
  const made = await control.admin('POST', '/v1/connectors', { service, type: 'http', ...more });
  expect(made.status).toBe(201);
}
const asked = (more: object = {}) => ({
  policy_id: policyId,
  user_id: 'ann',
  service: 'bank',
  action: 'pay',
  params: { amount: 7 },
  ...more,
});
const request = (more: object = {}, key: string = randomUUID()) =>
  control.ask('POST', '/v1/executions', {
    key: control.keys.service,
    headers: { 'idempotency-key': key },
    body: asked(more),
  });
const read = async (path: string) => (await control.ask('GET', path, { key: control.keys.service })).data;
const cancel = (id: string) =>
  control.ask('POST', `/v1/executions/${id}/cancel`, { key: control.keys.service });

/** As it stands when it ended, by asking for as long as it takes. */
async function ended(id: string) {
  const nextTime = pace();
  for (;;) {
    const execution = await read(`/v1/executions/${id}`);
    if (execution.ended_at !== null) return execution;
    await nextTime();
  }
}
/** Audit records of an execution, oldest first. */
async function recordsOf(id: string) {
  const { items } = await read('/v1/audit/records?limit=200');
  return items
    .filter(({ detail }: { detail: Record<string, unknown> }) => JSON.stringify(detail).includes(id))
    .toReversed();
}

test('what the policy permits is done, and answered with all that vouches for it [control-plane.execution.create] [control-plane.execution.reply] [control-plane.execution.sync] [control-plane.execution.params-hash] [control-plane.execution.audit-ref]', async () => {
  const params = { amount: 7, to: 'Zoë', nested: { b: 2, a: 1 } };
  const { status, data } = await request({ params });
  expect(status).toBe(200);
  expect(data).toMatchObject({
    execution_id: expect.any(String),
    status: 'completed',
    data: { method: 'POST', path: '/pay', body: params },
    policy_id: policyId,
    policy_version: 1,
    error: null,
    determining: ['pays'],
    params_hash: `sha256:${hash('sha256', canonicalText(params))}`,
    action_token: { jti: expect.any(String), exp: expect.any(String), spent_at: expect.any(String) },
    approval: null,
    mode: 'sync',
  });
  expect(data.duration_ms).toBeGreaterThan(0);
  const lifetime = Date.parse(data.action_token.exp) - Date.parse(data.action_token.spent_at);
  expect(lifetime).toBeLessThanOrEqual(15 * 60_000);
  expect(target.received.at(-1)?.headers['authorization']).toBe(`Bearer ${secret}`);
  expect(await read(`/v1/executions/${data.execution_id}`)).toEqual({ ...data, params });
  const records = await recordsOf(data.execution_id);
  const types = records.map(({ eventType }: { eventType: string }) => eventType);
  expect(types.filter((type: string) => type.startsWith('execution_'))).toEqual([
    'execution_requested',
    'execution_started',
    'execution_ended',
  ]);
  expect(records.at(-1).auditId).toBe(data.audit_ref);
});

test('the proof is signed by the enclave over what was asked, approved and answered [control-plane.execution.proof] [control-plane.audit.record.fields] [control-plane.audit.record.no-plaintext]', async () => {
  const { data } = await request({ params: { amount: 8, iban: 'in no record' } });
  const { auditPublicKey, quote } = await read('/v1/attestation/report');
  const key = readPublicKey(auditPublicKey);
  const { receipt } = data.proof;
  expect(quote ?? true).toBeTruthy();
  expect(key !== null && isReceiptSigned(data.proof, key)).toBe(true);
  const changed = { ...data.proof, receipt: { ...receipt, status: 'failed' } };
  expect(key !== null && isReceiptSigned(changed, key)).toBe(false);
  expect(receipt).toMatchObject({
    execution_id: data.execution_id,
    user_id: 'ann',
    status: 'completed',
    policy_id: policyId,
    policy_version: 1,
    params_hash: data.params_hash,
    result_hash: `sha256:${hash('sha256', canonicalText(data.data))}`,
    hitl_proof: null,
    jti: data.action_token.jti,
    tee_mrenclave: expect.any(String),
  });
  const records = await recordsOf(data.execution_id);
  expect(records.at(-1).detail).toMatchObject({
    params_hash: data.params_hash,
    tee_mrenclave: receipt.tee_mrenclave,
    execution_receipt: { receipt },
  });
  for (const text of ['in no record', secret]) expect(JSON.stringify(records)).not.toContain(text);
});

test('an async one is answered at once, and tells how it went when it is asked [control-plane.execution.async]', async () => {
  const { status, data } = await request({ mode: 'async' });
  expect(status).toBe(202);
  expect(data).toMatchObject({ status: 'pending', data: null, proof: null, action_token: null });
  expect(await ended(data.execution_id)).toMatchObject({
    status: 'completed',
    data: { path: '/pay' },
    params: { amount: 7 },
  });
  const refused = { mode: 'async', user_id: 'mallory' };
  const key = randomUUID();
  for (const isReplay of [false, true]) {
    const answer = await request(refused, key);
    expect(answer).toMatchObject({ status: 202, data: { status: 'denied' } });
    expect(answer.headers['idempotent-replayed'] === 'true').toBe(isReplay);
  }
});

test('what the policy does not permit is denied, with a receipt, and nothing is sent [control-plane.execution.status]', async () => {
  const before = target.received.length;
  const denied = await request({ user_id: 'mallory' });
  expect(denied).toMatchObject({
    status: 200,
    data: {
      status: 'denied',
      error: { code: 'policy_denied' },
      proof: { receipt: { status: 'denied', problem: 'policy_denied', jti: null } },
      determining: ['never'],
      action_token: null,
      duration_ms: 0,
    },
  });
  const failing = await request({ params: {} });
  expect(failing).toMatchObject({ status: 200, data: { status: 'denied', error: { code: 'policy_error' } } });
  expect(target.received).toHaveLength(before);
  const records = await recordsOf(denied.data.execution_id);
  expect(records.map(({ eventType }: { eventType: string }) => eventType)).toEqual([
    'execution_requested',
    'execution_ended',
  ]);
  expect(records[0].detail).toMatchObject({ verdict: 'deny', determining: ['never'], log_only: [] });
});

test('a log_only version decides nothing: what it would say is recorded beside [control-plane.policy.log-only]', async () => {
  const policy_id = await newPolicy({ cedar: 'permit(principal, action, resource);' });
  const forbid = '@id("all") forbid(principal, action, resource);';
  await newPolicy({ policy_id, cedar: forbid, mode: 'log_only' });
  const { data } = await request({ policy_id });
  expect(data).toMatchObject({ status: 'completed', policy_version: 1 });
  const [requested] = await recordsOf(data.execution_id);
  expect(requested.detail).toMatchObject({
    policy_version: 1,
    verdict: 'allow',
    log_only: [{ policy_version: 2, verdict: 'deny', determining: ['all'] }],
  });
  const onlyLogged = await newPolicy({ cedar: 'permit(principal, action, resource);', mode: 'log_only' });
  expect((await request({ policy_id: onlyLogged })).data).toMatchObject({
    status: 'denied',
    error: { code: 'policy_denied' },
  });
});

test('a credential that is bound to another policy is not lent', async () => {
  const mine = await newPolicy({ cedar: 'permit(principal, action, resource);' });
  const body = { namespace: 'bank', label: 'bound', type: 'api_key', sensitivity: 3, value: secret };
  const { credential_id } = (await control.admin('POST', '/v1/vault/credentials', body)).data;
  await newConnector('bound', { credential_id, definition: withKey(target.definition) });
  await control.admin('PATCH', `/v1/vault/policies/${credential_id}`, { policy_id: mine });
  expect((await request({ service: 'bound' })).data).toMatchObject({
    status: 'denied',
    error: { code: 'policy_denied', message: expect.stringContaining('bound') },
  });
  expect((await request({ service: 'bound', policy_id: mine })).data.status).toBe('completed');
});

test('what cannot be done at all is refused before anything is stored [control-plane.execution.idempotency.required]', async () => {
  const { total } = await read('/v1/executions');
  const withoutKey = await control.ask('POST', '/v1/executions', {
    key: control.keys.service,
    body: asked(),
  });
  expect(withoutKey).toMatchObject({ status: 400, data: { code: 'idempotency_key_required' } });
  expect(await request({ service: 'nobody knows' })).toMatchObject({ status: 404 });
  expect(await request({ policy_id: 'nobody knows' })).toMatchObject({ status: 404 });
  expect(await request({ action: 'steal' })).toMatchObject({ status: 400 });
  expect(await request({ params: { amount: null } })).toMatchObject({ status: 400 });
  expect(await request({ timeout_seconds: 0 })).toMatchObject({ status: 400 });
  expect((await read('/v1/executions')).total).toBe(total);
});

test('the same again gives the same answer and does nothing [control-plane.execution.idempotency.replay] [control-plane.execution.idempotency.other-body] [control-plane.execution.idempotency.running]', async () => {
  const key = randomUUID();
  const first = request({ service: 'open', action: 'hold', params: { n: 1 } }, key);
  await target.got('/held', 1);
  const meanwhile = await request({ service: 'open', action: 'hold', params: { n: 1 } }, key);
  expect(meanwhile).toMatchObject({ status: 409, data: { code: 'idempotency_key_in_use' } });
  expect(meanwhile.headers['retry-after']).toBe('1');
  target.release();
  const { status, data } = await first;
  expect({ status, data: data.data }).toEqual({ status: 200, data: { released: true } });
  const before = target.received.length;
  const again = await request({ service: 'open', action: 'hold', params: { n: 1 } }, key);
  expect({ status: again.status, data: again.data }).toEqual({ status, data });
  expect(again.headers['idempotent-replayed']).toBe('true');
  const other = await request({ service: 'open', action: 'hold', params: { n: 2 } }, key);
  expect(other).toMatchObject({ status: 422, data: { code: 'idempotency_key_reused' } });
  expect(target.received).toHaveLength(before);
});

test('what takes too long is ended, and is known to have changed nothing or is not known [control-plane.execution.timeout]', async () => {
  const about = { service: 'open', timeout_seconds: 1 };
  const [sent, looked] = await Promise.all([
    request({ ...about, action: 'hold', params: { n: 3 } }),
    request({ ...about, action: 'look', params: {} }),
  ]);
  expect(sent).toMatchObject({ status: 200, data: { status: 'outcome_unknown' } });
  expect(looked).toMatchObject({
    status: 200,
    data: { status: 'failed', error: { code: 'connector_timeout' }, data: null },
  });
  target.release();
});

test('what waits for a person is answered 202, and cancelled it never runs [control-plane.execution.sync.waits] [control-plane.execution.cancel]', async () => {
  const before = target.received.length;
  const waiting = await request({ params: { amount: 7, ask: true } });
  expect(waiting).toMatchObject({
    status: 202,
    data: { status: 'pending_hitl', approval: { quorum: 1, approvers: ['*'], decisions: [] } },
  });
  const { execution_id: id } = waiting.data;
  expect(await cancel(id)).toMatchObject({
    status: 200,
    data: { status: 'cancelled', error: { code: 'cancelled' }, proof: { receipt: { status: 'cancelled' } } },
  });
  expect(await cancel(id)).toMatchObject({ status: 409, data: { code: 'conflict' } });
  expect(await cancel(randomUUID())).toMatchObject({ status: 404 });
  const done = await request();
  expect(await cancel(done.data.execution_id)).toMatchObject({ status: 409 });
  expect(target.received).toHaveLength(before + 1);
  expect((await read('/v1/executions?status=cancelled')).items).toMatchObject([{ execution_id: id }]);
});

test('webhooks hear of what happened to it, without params or results [control-plane.webhook.event.executions]', async () => {
  const { data } = await request({ params: { amount: 9, note: 'not to be told' } });
  const id = data.execution_id;
  let told = [];
  for (let all = receiver.received.length; told.length < 2; all++) {
    const events = receiver.received.map(({ body }) => JSON.parse(body));
    told = events.filter((one) => one.data.execution_id === id);
    if (told.length < 2) await receiver.got(all + 1);
  }
  expect(told.map(({ type }) => String(type)).toSorted()).toEqual([
    'execution.completed',
    'execution.created',
  ]);
  for (const one of told)
    expect(one.data).toMatchObject({ execution_id: id, policy_id: policyId, action: 'pay' });
  expect(JSON.stringify(told)).not.toContain('not to be told');
});

test('nobody sees executions of another tenant', async () => {
  const { data } = await request();
  const theirs = control.newKey('service', 'elsewhere');
  const look = (path: string) => control.ask('GET', path, { key: theirs });
  expect(await look(`/v1/executions/${data.execution_id}`)).toMatchObject({ status: 404 });
  expect((await look('/v1/executions')).data).toEqual({ items: [], total: 0 });
  expect((await look('/v1/connectors')).data.total).toBe(0);
});

test('/ready and /metrics tell how many executions wait and run', async () => {
  const first = request({ service: 'open', action: 'hold', params: { n: 4 } });
  const count = target.received.filter(({ path }) => path.startsWith('/held')).length;
  await target.got('/held', count + 1);
  expect((await control.ask('GET', '/ready')).data.executions).toEqual({ waiting: 0, running: 1 });
  const metrics = (await control.ask('GET', '/metrics')).data;
  expect(metrics).toMatch(/^executions_running\{service="control_plane"\} 1$/m);
  expect(metrics).toMatch(/^executions_waiting\{service="control_plane"\} 0$/m);
  target.release();
  expect((await first).data.status).toBe('completed');
});
