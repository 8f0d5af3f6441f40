import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { anchorChainOf } from '@countersign/audit-log/anchor/ethereum';
import { canonicalText } from '@countersign/audit-log/chain';
import { logIdOf } from '@countersign/audit-log/checkpoint';
import { connectEnclave } from '@countersign/service/enclave-client';
import { createLogger } from '@countersign/service/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditVerify } from '../fixtures/audit-verify.ts';
import { expectAlike, isPythonWanted } from '../vault/independent/both.ts';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';

let control: TestControlPlane;
let shop: Server;
let seen: string[] = [];
beforeAll(async () => {
  shop = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'POST') seen.push(Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'text/html');
      response.end(request.method === 'POST' ? orders : signIn);
    });
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  control = await startControlPlane();
});
afterAll(async () => {
  await control?.stop();
  shop?.close();
});

const signIn = `<!doctype html><title>Shop</title><form method="post" action="/session">
  <label>User name <input id="user" name="user" autocomplete="username"></label>
  <label>Password <input id="password" name="password" type="password" autocomplete="current-password"></label>
  <button id="go">Sign in</button></form>`;
const orders = '<!doctype html><title>Orders</title><p id="orders">3 orders</p>';

const login = { username: 'ada.lovelace', password: 'correct horse battery' };
const steps = [
  { operation_type: 'fill', selector: '#user', value: '{{CREDENTIAL.username}}' },
  { operation_type: 'fill', selector: '#password', value: '{{CREDENTIAL.password}}' },
  { operation_type: 'click', selector: '#go' },
  { operation_type: 'wait', selector: '#orders' },
  { operation_type: 'extract', selector: '#orders' },
];

/** A browser connector for the shop, and the policy that lets everybody use it. */
async function shopConnector(): Promise<string> {
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const credential = await control.admin('POST', '/v1/vault/credentials', {
    namespace: 'shop',
    label: 'ada',
    type: 'username_password',
    sensitivity: 3,
    value: JSON.stringify(login),
  });
  const made = await control.admin('POST', '/v1/connectors', {
    service: 'shop',
    type: 'browser',
    credential_id: credential.data.credential_id,
    definition: {
      allowed_urls: [`${origin}/*`],
      start_url: `${origin}/`,
      actions: { orders: { task: 'Sign in to the shop and read the orders', steps } },
    },
  });
  expect(made.status).toBe(201);
  const cedar = 'permit(principal, action, resource);';
  return (await control.admin('POST', '/v1/policies', { name: 'shop', cedar })).data.policy_id;
}

const execute = (policy_id: string, params: object) =>
  control.ask('POST', '/v1/executions', {
    key: control.keys.service,
    headers: { 'idempotency-key': randomUUID() },
    body: { policy_id, user_id: 'ann', service: 'shop', action: 'orders', params, timeout_seconds: 60 },
  });

const bundle = (body: object) =>
  control.ask('POST', '/v1/audit/proof-bundles', { key: control.keys.service, body });

const verified = (text: string, ...options: readonly string[]) =>
  auditVerify(join(control.dir, 'bundle.json'), text, ...options);

/** Brings the root of now on chain, as the vault would. */
async function publish() {
  const { rpcUrl, anchorAddress, operator } = control.card;
  if (rpcUrl === null || anchorAddress === null) throw new Error('there is no chain');
  const enclave = connectEnclave(control.environment.ENCLAVE_SOCKET, createLogger('test', 'silent'));
  await enclave.whenConnected();
  const [head, described] = [await enclave.call('audit.checkpoint', {}), await enclave.call('describe', {})];
  enclave.close();
  if (!head.ok || !described.ok) throw new Error('the enclave does not tell');
  const { size, root } = head.value.reply;
  const logId = logIdOf(described.value.reply.origin);
  const chain = anchorChainOf({ rpcUrl, contract: anchorAddress }, operator.privateKey);
  const next = { logId, size, root: Buffer.from(root, 'base64'), prevRoot: Buffer.alloc(32), flags: 1 };
  return { ...(await chain.publish(next, 0)), size, rpcUrl, anchorAddress };
}

test('an action in a browser is proven: receipt, bundle and chain, checked offline [control-plane.execution.proof] [control-plane.audit.proof-bundle] [control-plane.audit.proof-bundle.verify] [control-plane.connector.browser] [control-plane.credential.typed]', async () => {
  const policyId = await shopConnector();
  const { status, data } = await execute(policyId, { month: 'November' });
  expect({ status, data }).toMatchObject({
    status: 200,
    data: { status: 'completed', data: '3 orders', error: null },
  });
  expect(new URLSearchParams(seen.at(-1))).toEqual(
    new URLSearchParams({ user: login.username, password: login.password }),
  );
  expect(data.proof.receipt).toMatchObject({
    execution_id: data.execution_id,
    status: 'completed',
    params_hash: data.params_hash,
    sandbox: { driver: 'browser' },
  });

  const before = await bundle({ record_ids: [data.audit_ref] });
  expect(before).toMatchObject({ status: 200, data: { anchor: null } });
  const first = await verified(canonicalText(before.data));
  expect(first).toMatchObject({ status: 3 });
  expect(first.stdout).toContain('receipts of executions, 1 of them');

  const { transactionHash, size, rpcUrl, anchorAddress } = await publish();
  const after = await bundle({ record_ids: [data.audit_ref] });
  expect(after.data.anchor).toMatchObject({
    transactionHash,
    size,
    contract: anchorAddress,
    chainId: 84_532,
  });
  const text = canonicalText(after.data);
  const { auditPublicKey } = after.data.attestation;
  expect((await verified(text, '--key', auditPublicKey)).status).toBe(3);
  expect((await verified(text, '--rpc', rpcUrl, '--anchor', anchorAddress)).status).toBe(3);
  const at = text.indexOf('"status":"completed"') + 12;
  expect((await verified(`${text.slice(0, at)}k${text.slice(at + 1)}`)).status).toBe(1);
  for (const secret of ['November', '3 orders', login.password, login.username])
    expect(text).not.toContain(secret);
});

test('records are chosen by their ids or as they are listed, exactly one of both', async () => {
  const all = await bundle({ filter: {} });
  const { total } = (await control.ask('GET', '/v1/audit/records?limit=1', { key: control.keys.service }))
    .data;
  expect(all.data.records).toHaveLength(total);
  expect(all.headers['content-type']).toContain('application/json');
  expect((await verified(canonicalText(all.data))).status).toBe(3);
  expect(await bundle({ filter: { from: '2020-01-01', to: '2020-01-02' } })).toMatchObject({ status: 404 });
  expect(await bundle({ record_ids: ['aud_00000000_0'] })).toMatchObject({ status: 404 });
  const newest = await bundle({ filter: { from: '2020-01-01T00:00:00', limit: 2 } });
  expect(newest.data.records).toHaveLength(2);
  const refused = [{}, { record_ids: ['a'], filter: {} }, { record_ids: [] }, { filter: { event: 'x' } }];
  for (const body of refused)
    expect(await bundle(body)).toMatchObject({ status: 400, data: { code: 'invalid_request' } });
});

test.runIf(isPythonWanted)(
  'the verifier in Python reads a bundle of this control plane, good and tampered, as ours does [vault.audit.independent-verifier.real-files] [control-plane.audit.proof-bundle.verify]',
  async () => {
    const { data } = await bundle({ filter: {} });
    await expectAlike(canonicalText(data), data.attestation.auditPublicKey, 'simulated');
  },
);
