import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decisionTypedData } from '@countersign/protocol/control/decision';
import type { TypedDataDefinition } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Approvers, withApprovers } from './fixtures/approvers.ts';
import { joinControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startReceiver } from './fixtures/receiver.ts';

let control: TestControlPlane;
let world: Approvers;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let [cfo, ceo] = ['', ''];
/** What the bank was asked. */
const paid: unknown[] = [];
const bank = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    paid.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.setHeader('content-type', 'application/json');
    response.end('{"paid":true}');
  });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
  const bankUrl = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`;
  [control, receiver] = await Promise.all([joinControlPlane(), startReceiver()]);
  world = await withApprovers(control, control.environment.DATABASE_URL, bankUrl);
  [cfo, ceo] = await Promise.all([world.newKey('approver', 'cfo'), world.newKey('approver', 'ceo')]);
  const events = ['approved', 'cancelled', 'denied', 'expired', 'pending_hitl'].map(
    (one) => `execution.${one}`,
  );
  await control.admin('POST', '/v1/webhooks', { url: receiver.url, events });
});
afterAll(async () => {
  await world?.database.end();
  await control?.stop();
  await receiver?.stop();
  bank.close();
});

/** What webhooks were told of an execution, once there are so many. */
async function toldOf(id: string, count: number): Promise<string[]> {
  for (let all = receiver.received.length; ; all++) {
    const events = receiver.received.map(({ body }) => JSON.parse(body));
    const own = events.filter(({ data }) => data.execution_id === id).map(({ type }) => String(type));
    if (own.length >= count) return own.toSorted();
    await receiver.got(all + 1);
  }
}

/** An execution that waits for a person: its id. */
async function waiting(hitl: object = {}, more: object = {}): Promise<string> {
  const asked = await world.request(await world.newPolicy(hitl), more);
  expect(asked).toMatchObject({ status: 202, data: { status: 'pending_hitl' } });
  return asked.data.execution_id;
}

test('what a revoked key asked for ends cancelled and never runs, though somebody would approve it [control-plane.key.revoke.executions]', async () => {
  const agent = await world.newKey('service', 'leaving');
  const asked = await world.request(await world.newPolicy(), {}, agent);
  const id = asked.data.execution_id;
  const revoke = `update control_plane.api_key set revoked_at = now() where name = 'leaving'`;
  await world.database.query(revoke);
  expect(await world.decide(cfo, id)).toMatchObject({ status: 409, data: { code: 'conflict' } });
  const { data } = await control.ask('GET', `/v1/executions/${id}`, { key: cfo });
  expect(data).toMatchObject({ status: 'cancelled', error: { code: 'key_revoked' }, action_token: null });
  const record = await control.ask('GET', `/v1/audit/records/${data.audit_ref}`, { key: cfo });
  expect(record.data.detail).toMatchObject({ execution_id: id, status: 'cancelled', problem: 'key_revoked' });
});

test('whom the policy names approves, and what was said stands in the execution, the record and the webhook [control-plane.hitl.decision] [control-plane.hitl.approvers]', async () => {
  const id = await waiting({ approvers: ['cfo'] });
  expect(await world.decide(ceo, id)).toMatchObject({ status: 403, data: { code: 'not_an_approver' } });
  expect(await world.decide(control.keys.service, id)).toMatchObject({
    status: 403,
    data: { code: 'insufficient_role' },
  });
  const approved = await world.decide(cfo, id, { decision: 'approve', comment: 'as agreed with Ann' });
  expect(approved).toMatchObject({
    status: 200,
    data: {
      execution_id: id,
      status: 'pending',
      approval: {
        decisions: [{ decision: 'approve', approver: 'cfo', method: 'key', comment: 'as agreed with Ann' }],
      },
    },
  });
  const records = await world.records();
  const record = records.find(({ eventType }) => eventType === 'human_approval_received');
  const { params_hash } = approved.data;
  expect(record).toMatchObject({
    actor: 'key:approver:cfo',
    detail: { execution_id: id, params_hash, decision: 'approve', approver: 'cfo', method: 'key' },
  });
  expect(JSON.stringify(records)).not.toContain('as agreed');
  expect(await toldOf(id, 2)).toEqual(['execution.approved', 'execution.pending_hitl']);
  expect(await world.decide(cfo, id)).toMatchObject({ status: 409, data: { code: 'conflict' } });
  expect(await world.decide(cfo, '6f1c3f0e-8f0a-4b3a-9a3e-0d7f5f6f1a11')).toMatchObject({ status: 404 });
});

test('it runs after so many different approvers, each counted once, however many come at once [control-plane.hitl.quorum]', async () => {
  const id = await waiting({ quorum: 2 });
  expect((await world.decide(cfo, id)).data).toMatchObject({ status: 'pending_hitl' });
  expect(await world.decide(cfo, id)).toMatchObject({ status: 409 });
  expect((await world.decide(ceo, id)).data).toMatchObject({ status: 'pending' });
  const keys = await Promise.all(Array.from({ length: 6 }, (_, n) => world.newKey('approver', `racer ${n}`)));
  const raced = await waiting({ quorum: 3 });
  const statuses = (await Promise.all(keys.map((key) => world.decide(key, raced)))).map(
    ({ status }) => status,
  );
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 409, 409, 409]);
  expect((await world.get(raced)).approval.decisions).toHaveLength(3);
  expect(await toldOf(raced, 2)).toEqual(['execution.approved', 'execution.pending_hitl']);
});

test('nobody decides about what they asked for, under another key of the same name neither [control-plane.hitl.not-oneself]', async () => {
  const agent = await world.newKey('service', 'twofold');
  const { data } = await world.request(await world.newPolicy(), {}, agent);
  await world.database.query(`update control_plane.api_key set revoked_at = now() where name = 'twofold'`);
  const again = await world.newKey('approver', 'twofold');
  for (const decision of ['approve', 'deny'])
    expect(await world.decide(again, data.execution_id, { decision })).toMatchObject({
      status: 403,
      data: { code: 'self_approval' },
    });
});

test('whoever it is done for decides nothing either, however the name is spelled, with a key or a wallet [control-plane.hitl.not-oneself]', async () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const self = { status: 403, data: { code: 'self_approval' } };
  for (const user_id of ['cfo', 'CFO', ' cfo ', 'c\u200bfo', '\uff43\uff46\uff4f']) {
    const id = await waiting({}, { user_id });
    for (const decision of ['approve', 'deny'])
      expect(await world.decide(cfo, id, { decision })).toMatchObject(self);
    expect(await world.decide(ceo, id)).toMatchObject({ status: 200 });
  }
  const approvers = [wallet.address, 'ceo'];
  for (const user_id of [wallet.address.toLowerCase(), `did:pkh:eip155:1:${wallet.address}`]) {
    const id = await waiting({ approvers }, { user_id });
    const {
      policy_id: policyId,
      policy_version: policyVersion,
      params_hash: paramsHash,
    } = await world.get(id);
    const what = { executionId: id, policyId, policyVersion, service: 'bank', action: 'pay', paramsHash };
    const typedData: unknown = decisionTypedData({ ...what, decision: 'approve' });
    const hitl_proof = await wallet.signTypedData(typedData as TypedDataDefinition);
    expect(await world.decide(cfo, id, { decision: 'approve', hitl_proof })).toMatchObject(self);
    expect(await world.decide(ceo, id)).toMatchObject({ status: 200 });
  }
});

test('what is cancelled while it waits is told to webhooks as that [control-plane.webhook.event.cancelled]', async () => {
  const id = await waiting();
  const cancel = `/v1/executions/${id}/cancel`;
  expect(await control.ask('POST', cancel, { key: control.keys.service })).toMatchObject({ status: 200 });
  expect(await toldOf(id, 2)).toEqual(['execution.cancelled', 'execution.pending_hitl']);
});

test('a wallet that the policy names must sign this very decision, and signs once [control-plane.hitl.decision] [control-plane.hitl.wallet]', async () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const stranger = privateKeyToAccount(generatePrivateKey());
  const id = await waiting({ approvers: [wallet.address.toLowerCase(), 'ceo'], quorum: 2 });
  const execution = await world.get(id);
  const sign = (by: typeof wallet, decision: 'approve' | 'deny') => {
    const typedData: unknown = decisionTypedData({
      executionId: id,
      policyId: execution.policy_id,
      policyVersion: execution.policy_version,
      service: 'bank',
      action: 'pay',
      paramsHash: execution.params_hash,
      decision,
    });
    return by.signTypedData(typedData as TypedDataDefinition);
  };
  const proof = await sign(wallet, 'approve');
  const approve = (key: string, hitl_proof?: string) =>
    world.decide(key, id, { decision: 'approve', ...(hitl_proof !== undefined && { hitl_proof }) });
  for (const wrong of [undefined, await sign(stranger, 'approve'), await sign(wallet, 'deny')])
    expect(await approve(cfo, wrong)).toMatchObject({ status: 403, data: { code: 'not_an_approver' } });
  for (const none of [`0x${'00'.repeat(65)}`, `${proof.slice(0, 130)}00`, proof.slice(0, 130)])
    expect(await approve(cfo, none)).toMatchObject({ status: 400, data: { code: 'invalid_request' } });
  const signed = { decision: 'approve', method: 'wallet', wallet: wallet.address, signature: proof };
  expect((await approve(cfo, proof)).data.approval.decisions).toEqual([
    { ...signed, approver: 'cfo', at: expect.any(String) },
  ]);
  expect((await world.records(1))[0]).toMatchObject({
    eventType: 'human_approval_received',
    detail: { ...signed, params_hash: execution.params_hash },
  });
  expect(await approve(ceo, proof)).toMatchObject({ status: 409, data: { code: 'conflict' } });
});

test('what was approved runs with exactly these params, and its receipt names who approved [control-plane.hitl.quorum] [control-plane.hitl.decision]', async () => {
  const params = { amount: 123, to: 'Ann' };
  const id = await waiting({}, { params });
  expect(paid).not.toContainEqual(params);
  await world.decide(cfo, id);
  await expect.poll(async () => (await world.get(id)).ended_at, { timeout: 40_000 }).not.toBeNull();
  expect(await world.get(id)).toMatchObject({ status: 'completed', error: null });
  expect(paid.filter((one) => JSON.stringify(one) === JSON.stringify(params))).toHaveLength(1);
  const { params_hash, proof, data } = await world.get(id);
  const hitl_proof = [{ decision: 'approve', approver: 'cfo', method: 'key', at: expect.any(String) }];
  expect(proof.receipt).toMatchObject({ status: 'completed', params_hash, hitl_proof });
  expect(data).toEqual({ paid: true });
});

test('one denial ends it, with a receipt that names who denied [control-plane.hitl.deny] [control-plane.webhook.event.executions]', async () => {
  const id = await waiting({ quorum: 2 });
  await world.decide(cfo, id);
  const denied = await world.decide(ceo, id, { decision: 'deny' });
  const said = [
    { decision: 'approve', approver: 'cfo' },
    { decision: 'deny', approver: 'ceo' },
  ];
  expect(denied).toMatchObject({
    status: 200,
    data: {
      status: 'denied',
      error: { code: 'hitl_denied' },
      action_token: null,
      proof: { receipt: { status: 'denied', hitl_proof: said, jti: null, sandbox: null } },
    },
  });
  expect((await world.records(1))[0]).toMatchObject({ eventType: 'execution_ended' });
  expect(await toldOf(id, 2)).toEqual(['execution.denied', 'execution.pending_hitl']);
});

test('without a decision in time it is expired, also for whoever decides then, and nothing runs [control-plane.hitl.timeout]', async () => {
  const id = await waiting({ timeout_seconds: 1 });
  expect(await toldOf(id, 2)).toEqual(['execution.expired', 'execution.pending_hitl']);
  expect(await world.get(id)).toMatchObject({
    status: 'expired',
    error: { code: 'hitl_expired' },
    action_token: null,
    proof: { receipt: { status: 'expired', hitl_proof: [] } },
  });
  expect(await world.decide(cfo, id)).toMatchObject({ status: 409 });
  const late = await waiting({ timeout_seconds: 600 });
  await world.database.query(
    `update control_plane.execution set approval_expires_at = now() - interval '1 s' where id = $1`,
    [late],
  );
  expect(await world.decide(cfo, late)).toMatchObject({ status: 409, data: { code: 'conflict' } });
  expect(await world.get(late)).toMatchObject({ status: 'expired', approval: { decisions: [] } });
});
