import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPublicKey } from '@countersign/audit-log/keys';
import { isReceiptSigned } from '@countersign/audit-log/receipt';
import type { CommandReply, CommandRequest } from '@countersign/protocol/enclave/commands';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { connectEnclave } from '@countersign/service/enclave-client';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningCore, silent, startOnSocket } from '../../../test/core-on-socket.ts';
import { bindingOf, sealed } from '../../../test/credentials.ts';
import { completed, concludeOf, digestOf, minted, paramsText, runOf } from '../../../test/executions.ts';
import type { Run, RunConnector } from '../connector-runs/connector.ts';

let core: RunningCore;
let clock = Date.parse('2026-11-22T10:00:00.000Z');
let runs: Run[] = [];
let connector: RunConnector;

beforeAll(async () => {
  const runConnector: RunConnector = (run) => {
    runs.push(run);
    return connector(run);
  };
  core = await startOnSocket({ now: () => clock, runConnector });
});
afterAll(() => core.stop());
beforeEach(() => {
  runs = [];
  connector = () => Promise.resolve(completed({ ok: true }));
});

type RunRequest = CommandRequest<'control.run'>;
const body = Buffer.from(paramsText);

async function run(request: RunRequest, params = body, client = core.client) {
  const answer = await client.call('control.run', request, params);
  if (!answer.ok) throw new Error(answer.error.code);
  return { ...answer.value.reply, data: answer.value.body.toString() };
}

async function conclude(request: CommandRequest<'control.conclude'>) {
  const answer = await core.client.call('control.conclude', request);
  if (!answer.ok) throw new Error(answer.error.code);
  return { ...answer.value.reply, data: answer.value.body.toString() };
}

async function recordsOf(executionId: string): Promise<AuditRecord[]> {
  const query = { filter: { tenantId: 'acme' }, limit: 1000, offset: 0 };
  const answer = await core.client.call('audit.query', query);
  if (!answer.ok) throw new Error(answer.error.code);
  const isOf = ({ detail }: AuditRecord) =>
    detail['execution_id'] === executionId || detail['reason'] === `execution ${executionId}`;
  return answer.value.reply.items.filter(isOf).toReversed();
}

const ended = (reply: CommandReply<'control.run'>) => {
  if (reply.ended === null) throw new Error('it did not end');
  return reply.ended;
};

test('a run: recorded before it begins, the credential is lent, and the receipt vouches for how it ended [control-plane.execution.proof] [control-plane.execution.params-hash] [control-plane.audit.record.fields] [control-plane.audit.record.no-plaintext]', async () => {
  const { binding, envelope } = await sealed(core.client, {
    binding: bindingOf({ type: 'api_key' }),
    plaintext: Buffer.from('{"key":"plaintext-key"}'),
  });
  const hitlProof = [
    { decision: 'approve', approver: 'boss', at: '2026-11-22T09:59:00.000Z', method: 'key' },
  ] as const;
  const { token, claims } = await minted(core.client, { hitl_confirmed: true });
  const lent: string[] = [];
  connector = async ({ executionId, lend }) => {
    const before = await recordsOf(executionId);
    expect(before.map(({ eventType }) => eventType)).toEqual(['execution_started']);
    expect(await lend?.(async (plaintext) => void lent.push(plaintext.toString()))).toBe(true);
    return completed({ id: 'answer-1', amount: 12 });
  };
  const reply = await run(
    runOf(claims, token, { hitlProof: [...hitlProof], credential: { binding, envelope } }),
  );
  expect(lent).toEqual(['{"key":"plaintext-key"}']);
  expect(runs[0]).toMatchObject({
    type: 'http',
    action: 'pay',
    params: { amount: 12, to: 'Ada Byron' },
    token,
  });
  expect(reply.data).toBe('{"amount":12,"id":"answer-1"}');
  const { status, problem, proof, auditId } = ended(reply);
  expect({ status, problem, durationMs: reply.durationMs }).toEqual({
    status: 'completed',
    problem: null,
    durationMs: 4,
  });
  expect(proof.receipt).toEqual({
    format: 'countersign-execution-receipt-v1',
    execution_id: claims.execution_id,
    tenant: 'acme',
    agent: 'key:service:agent',
    user_id: 'user-1',
    service: 'payroll',
    action: 'pay',
    status: 'completed',
    problem: null,
    policy_id: 'pol-1',
    policy_version: 3,
    policy_digest: digestOf('policy'),
    params_hash: digestOf(paramsText),
    result_hash: digestOf(reply.data),
    target_status: null,
    hitl_proof: hitlProof,
    jti: claims.jti,
    sandbox: {
      sandbox_id: 'sandbox-1',
      driver: 'unshare',
      network: 'none',
      memory_limit: 'rlimit',
      seccomp: true,
    },
    tee_mrenclave: claims.tee_mrenclave,
    started_at: '2026-11-22T10:00:00.000Z',
    ended_at: '2026-11-22T10:00:00.000Z',
  });
  const described = await core.client.call('describe', {});
  const key = described.ok ? described.value.reply.auditPublicKey : '';
  expect(proof.public_key).toBe(key);
  const publicKey = readPublicKey(key);
  if (publicKey === null) throw new Error('no key');
  expect(isReceiptSigned(proof, publicKey)).toBe(true);

  const records = await recordsOf(claims.execution_id);
  expect(records.map(({ eventType }) => eventType)).toEqual([
    'execution_started',
    'credential_access',
    'execution_ended',
  ]);
  const [started, , end] = records;
  expect(started?.detail).toMatchObject({
    params_hash: digestOf(paramsText),
    jti: claims.jti,
    connector: 'http',
    hitl_confirmed: true,
    hitl_proof: hitlProof,
    tee_mrenclave: claims.tee_mrenclave,
  });
  expect(end).toMatchObject({
    auditId,
    actor: 'key:service:agent',
    detail: {
      params_hash: digestOf(paramsText),
      hitl_proof: hitlProof,
      tee_mrenclave: claims.tee_mrenclave,
      execution_receipt: { receipt: proof.receipt, signature: proof.signature },
    },
  });
  for (const secret of ['"amount"', 'Ada Byron', 'answer-1', 'plaintext-key', token])
    expect(JSON.stringify(records)).not.toContain(secret);
});

test('a token works once, also when it is shown twice at once [control-plane.action-token.single-use]', async () => {
  const { token, claims } = await minted(core.client);
  const request = runOf(claims, token);
  const both = await Promise.all([run(request), run(request)]);
  expect(both.map((reply) => ended(reply).status).sort()).toEqual(['completed', 'failed']);
  const again = ended(await run(request));
  expect(again).toMatchObject({ status: 'failed', problem: { code: 'token_refused' } });
  expect(again.proof.receipt).toMatchObject({
    status: 'failed',
    problem: 'token_refused',
    jti: null,
    started_at: null,
  });
  expect(runs.length).toBe(1);
  const records = await recordsOf(claims.execution_id);
  const rules = records.flatMap(({ eventType, detail }) =>
    eventType === 'policy_rejected' ? [detail['rules']] : [],
  );
  expect(rules).toEqual(Array.from({ length: 2 }, () => [{ rule: 'action-token.spent', verdict: 'deny' }]));
});

const uuid = '00000000-0000-4000-8000-000000000000';
const someone = {
  decision: 'approve',
  approver: 'boss',
  at: '2026-11-22T09:59:00.000Z',
  method: 'key',
} as const;
const changes: readonly (readonly [string, Partial<RunRequest>])[] = [
  ['unreadable', { tenantId: 'other' }],
  ['execution', { executionId: uuid }],
  ['agent', { agent: 'other' }],
  ['user', { userId: 'other' }],
  ['service', { service: 'other' }],
  ['action', { action: 'other' }],
  ['policy', { policyId: 'other' }],
  ['policy', { policyVersion: 4 }],
  ['risk-tier', { riskTier: null }],
  ['hitl', { hitlProof: [someone] }],
  ['hitl', { hitlProof: [{ ...someone, decision: 'deny' }] }],
];

test.each(changes)(
  'a token is refused for another %s: %o [control-plane.action-token.bound]',
  async (_, change) => {
    const { token, claims } = await minted(core.client);
    const refused = ended(await run(runOf(claims, token, change)));
    expect(refused).toMatchObject({ status: 'failed', problem: { code: 'token_refused' } });
    expect(runs).toEqual([]);
    // It was not spent by that.
    expect(ended(await run(runOf(claims, token))).status).toBe('completed');
  },
);

test('a token without a person’s word is none with it, and one with it is none without', async () => {
  const { token, claims } = await minted(core.client, { hitl_confirmed: true });
  for (const hitlProof of [null, [], [{ ...someone, decision: 'deny' as const }]])
    expect(ended(await run(runOf(claims, token, { hitlProof }))).problem?.code).toBe('token_refused');
  expect(ended(await run(runOf(claims, token, { hitlProof: [someone] }))).status).toBe('completed');
});

test('a token is refused for any other params, and its params may be spelled otherwise [control-plane.action-token.bound]', async () => {
  const { token, claims } = await minted(core.client);
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (params) => {
      const text = Buffer.from(JSON.stringify(params));
      const answer = await core.client.call('control.run', runOf(claims, token), text);
      const refused = answer.ok ? ended(answer.value.reply).problem?.code : answer.error.code;
      expect(['token_refused', 'INVALID_COMMAND']).toContain(refused);
    }),
    { numRuns: 50 },
  );
  expect(runs).toEqual([]);
  const spelled = Buffer.from('{ "to": "Ada Byron", "amount": 1.2e1 }');
  expect(ended(await run(runOf(claims, token), spelled)).status).toBe('completed');
});

test('what are no params is no command', async () => {
  const { token, claims } = await minted(core.client);
  for (const text of ['[]', 'null', '1', '{', '{"a":"\\ud800"}']) {
    const answer = await core.client.call('control.run', runOf(claims, token), Buffer.from(text));
    expect(answer).toEqual({ ok: false, error: { code: 'INVALID_COMMAND', field: 'params' } });
  }
});

test('an expired token is refused, as is one from before this enclave began [control-plane.action-token.lifetime] [control-plane.action-token.enclave-restart]', async () => {
  const { token, claims } = await minted(core.client);
  clock += 15 * 60_000;
  expect(ended(await run(runOf(claims, token))).problem?.message).toContain('(expired)');

  const dir = mkdtempSync(join(tmpdir(), 'enclave-'));
  const before = await startOnSocket({ dir, now: () => clock });
  const first = await minted(before.client);
  await before.stop();
  const after = await startOnSocket({ dir, now: () => clock + 1 });
  const refused = ended(await run(runOf(first.claims, first.token), body, after.client));
  expect(refused.problem?.message).toContain('(older-than-enclave)');
  await after.stop();
  rmSync(dir, { recursive: true });
});

test('what the service refused and what nobody knows are told apart; what may be done again is not concluded', async () => {
  const target = { code: 'target_error', message: 'The service answered 409.', target_status: 409 } as const;
  connector = () =>
    Promise.resolve({ ended: 'failed', problem: target, data: { why: 'no' }, sandbox: null, durationMs: 1 });
  const one = await minted(core.client);
  const failed = await run(runOf(one.claims, one.token));
  expect(failed).toMatchObject({ ended: { status: 'failed', problem: target }, data: '{"why":"no"}' });

  const lost = { code: 'connector_timeout', message: 'No answer came in time.' } as const;
  connector = () => Promise.resolve({ ended: 'unknown', problem: lost, sandbox: null, durationMs: 1 });
  const two = await minted(core.client);
  expect(ended(await run(runOf(two.claims, two.token)))).toMatchObject({
    status: 'outcome_unknown',
    problem: lost,
  });

  const three = await minted(core.client);
  const cut = await run(runOf(three.claims, three.token, { safeToRetry: true }));
  expect(cut).toMatchObject({ ended: null, data: '' });
  connector = () => Promise.reject(new Error('with a secret'));
  const four = await minted(core.client, { execution_id: three.claims.execution_id });
  expect(await run(runOf(four.claims, four.token, { safeToRetry: true }))).toMatchObject({ ended: null });
  connector = () => Promise.resolve(completed(null));
  const five = await minted(core.client, { execution_id: three.claims.execution_id });
  const done = await run(runOf(five.claims, five.token, { safeToRetry: true }));
  expect(done).toMatchObject({ ended: { status: 'completed' }, data: 'null' });
  const types = (await recordsOf(three.claims.execution_id)).map(({ eventType }) => eventType);
  expect(types).toEqual(['execution_started', 'execution_started', 'execution_started', 'execution_ended']);
});

test('after an attempt that was cut off, whatever does not complete is known of by nobody [control-plane.execution.outcome.attempts]', async () => {
  const again = { safeToRetry: true, cutOffBefore: true };
  const target = { code: 'target_error', message: 'The service answered 409.', target_status: 409 } as const;
  connector = () =>
    Promise.resolve({
      ended: 'failed',
      problem: target,
      data: { why: 'no' },
      sandbox: null,
      durationMs: 1,
      targetStatus: 409,
    });
  const one = await minted(core.client);
  const failed = await run(runOf(one.claims, one.token, again));
  expect(failed).toMatchObject({
    ended: {
      status: 'outcome_unknown',
      problem: { code: 'outcome_unknown', target_status: 409 },
      proof: { receipt: { status: 'outcome_unknown', problem: 'outcome_unknown', target_status: 409 } },
    },
    data: '{"why":"no"}',
  });
  expect(ended(failed).problem?.message).toContain('(target_error)');

  // Of this one nothing ran: but of the attempt before.
  const two = await minted(core.client, { execution_id: one.claims.execution_id });
  const other = await minted(core.client);
  expect(ended(await run(runOf(other.claims, two.token, again)))).toMatchObject({
    status: 'outcome_unknown',
    proof: { receipt: { status: 'outcome_unknown', problem: 'outcome_unknown' } },
  });

  connector = () => Promise.resolve(completed({ ok: true }));
  const three = await minted(core.client);
  expect(ended(await run(runOf(three.claims, three.token, again)))).toMatchObject({ status: 'completed' });
});

test('what the service answered is not asked for again, however little of it came [control-plane.execution.outcome.answered]', async () => {
  const problem = { code: 'connector_oom', message: 'It had not enough memory.' } as const;
  connector = () =>
    Promise.resolve({ ended: 'unknown', problem, sandbox: null, durationMs: 1, targetStatus: 200 });
  const { claims, token } = await minted(core.client);
  expect(ended(await run(runOf(claims, token, { safeToRetry: true })))).toMatchObject({
    status: 'outcome_unknown',
    problem,
    proof: { receipt: { target_status: 200 } },
  });
  expect(runs.length).toBe(1);
});

test('an execution that ended here is told, not done again [control-plane.execution.ended-once]', async () => {
  const { token, claims } = await minted(core.client);
  const first = ended(await run(runOf(claims, token)));
  const again = await minted(core.client, { execution_id: claims.execution_id });
  expect(ended(await run(runOf(claims, again.token)))).toEqual(first);
  expect(runs.length).toBe(1);
});

test('it is ended with the connection that asked; who concludes it then hears how it truly ended [control-plane.execution.ended-once]', async () => {
  const client = connectEnclave(core.socket, silent);
  await client.whenConnected();
  let hasBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  connector = async ({ signal }) => {
    hasBegun();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return completed({ late: true });
  };
  const { token, claims } = await minted(core.client);
  const request = runOf(claims, token);
  const asking = run(request, body, client).catch((error: Error) => error.name);
  await begun;
  const concluding = conclude(concludeOf(request));
  client.close();
  expect(await asking).toBe('EnclaveGone');
  const told = await concluding;
  expect(told).toMatchObject({ status: 'completed', problem: null, data: '{"late":true}' });
  expect(await conclude(concludeOf(request))).toEqual(told);
  const records = await recordsOf(claims.execution_id);
  expect(records.map(({ eventType }) => eventType)).toEqual(['execution_started', 'execution_ended']);
});

test('what did not run is concluded with a receipt that says so', async () => {
  const { token, claims } = await minted(core.client);
  const problem = { code: 'hitl_expired', message: 'Nobody decided in time.' } as const;
  const request = concludeOf(runOf(claims, token), { status: 'expired', problem });
  const told = await conclude(request);
  expect(told).toMatchObject({ status: 'expired', problem, data: '' });
  expect(told.proof.receipt).toMatchObject({
    status: 'expired',
    problem: 'hitl_expired',
    jti: null,
    sandbox: null,
    result_hash: null,
    started_at: null,
  });
  const [record] = await recordsOf(claims.execution_id);
  expect(record).toMatchObject({
    eventType: 'execution_ended',
    actor: 'control-plane',
    auditId: told.auditId,
  });
});

test('a credential of another tenant is no command', async () => {
  const { binding, envelope } = await sealed(core.client, { binding: bindingOf({ tenantId: 'other' }) });
  const { token, claims } = await minted(core.client);
  const request = runOf(claims, token, { credential: { binding, envelope } });
  expect(await core.client.call('control.run', request, body)).toEqual({
    ok: false,
    error: { code: 'INVALID_COMMAND', field: 'credential' },
  });
});

test('what cannot be told is an outcome that nobody knows; what is no UTF-8 is told as JSON tells it', async () => {
  connector = () => Promise.resolve(completed({ text: '\ud800!', number: Number.POSITIVE_INFINITY }));
  const one = await minted(core.client);
  expect((await run(runOf(one.claims, one.token))).data).toBe('{"number":null,"text":"\ufffd!"}');
  connector = () => Promise.resolve(completed('x'.repeat(8_000_001)));
  const two = await minted(core.client);
  expect(ended(await run(runOf(two.claims, two.token)))).toMatchObject({
    status: 'outcome_unknown',
    problem: { code: 'answer_too_large' },
  });
});
