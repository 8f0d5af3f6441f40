import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startReceiver } from './fixtures/receiver.ts';

let control: TestControlPlane;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  control = await startControlPlane();
});
afterAll(() => control?.stop());
beforeEach(async () => {
  receiver = await startReceiver();
  return () => receiver.stop();
});

const cedar = 'permit(principal, action, resource);';
const createPolicy = async () =>
  (await control.admin('POST', '/v1/policies', { name: 'told of', cedar })).data;
const subscribe = async (...events: string[]) =>
  (await control.admin('POST', '/v1/webhooks', { url: receiver.url, events })).data;
const deliveries = async (id: string) =>
  (await control.ask('GET', `/v1/webhooks/${id}/deliveries`, { key: control.keys.service })).data.items;

test('a webhook is told of what happened, signed so that the official library believes it [control-plane.webhook.create] [control-plane.webhook.shared-secret] [control-plane.webhook.body] [control-plane.webhook.signature]', async () => {
  const made = await subscribe('policy.created');
  expect(made).toMatchObject({
    url: receiver.url,
    events: ['policy.created'],
    secret: control.webhookSecret,
  });
  const { policy_id, digest } = await createPolicy();
  await receiver.got(1);
  const [message] = receiver.received;
  const { headers = {}, body = '' } = message ?? {};
  expect(new Webhook(made.secret).verify(body, headers)).toEqual({
    type: 'policy.created',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    data: { policy_id, policy_version: 1, mode: 'active', digest },
  });
  expect(() => new Webhook(made.secret).verify(body.replace('active', 'log_only'), headers)).toThrow(
    'No matching signature',
  );
  const key = Buffer.from(made.secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(body).digest('hex');
  expect(headers['x-webhook-signature-256']).toBe(`sha256=${mac}`);
});

test('it hears of what it asked for alone, and of credentials without their values [control-plane.webhook.event.others]', async () => {
  await subscribe('credential.created');
  await createPolicy();
  const body = { namespace: 'n', label: 'l', type: 't', sensitivity: 1, value: 'sk_never_told' };
  const { credential_id } = (await control.admin('POST', '/v1/vault/credentials', body)).data;
  await receiver.got(1);
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([
    {
      type: 'credential.created',
      timestamp: expect.any(String),
      data: { credential_id, namespace: 'n', label: 'l' },
    },
  ]);
});

test('what fails is tried again after 1 s and 5 s, the same message newly signed, also by a process started since [control-plane.webhook.retries]', async () => {
  const { webhook_id, secret } = await subscribe('policy.created');
  receiver.state.status = 500;
  await createPolicy();
  await receiver.got(2);
  await expect.poll(() => deliveries(webhook_id)).toMatchObject([{ state: 'waiting', attempts: 2 }]);
  await control.killAndRestart();
  receiver.state.status = 204;
  await receiver.got(3);
  const [first, second, third] = receiver.received;
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(third?.body).toBe(first?.body);
  expect(new Webhook(secret).verify(third?.body ?? '', third?.headers ?? {})).toBeTruthy();
  const between = (a = first, b = second) => (b?.at ?? 0) - (a?.at ?? 0);
  expect(between()).toBeGreaterThan(900);
  expect(between(second, third)).toBeGreaterThan(4000);
  await expect
    .poll(() => deliveries(webhook_id), { timeout: 5000 })
    .toMatchObject([{ state: 'delivered', attempts: 3, last_outcome: '204' }]);
});

test('it is told again when asked to, and no more once it is deleted [control-plane.webhook.replay] [control-plane.webhook.list] [control-plane.webhook.delete]', async () => {
  const { webhook_id } = await subscribe('policy.created');
  await createPolicy();
  await receiver.got(1);
  const replay = await control.admin('POST', `/v1/webhooks/${webhook_id}/replay`);
  expect(replay).toMatchObject({ status: 200, data: { webhook_id, replayed: 1 } });
  await receiver.got(2);
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body);
  const { items } = (await control.ask('GET', '/v1/webhooks?limit=200', { key: control.keys.service })).data;
  expect(items.find((one: { webhook_id: string }) => one.webhook_id === webhook_id)).toEqual({
    webhook_id,
    url: receiver.url,
    events: ['policy.created'],
    created_at: expect.any(String),
    disabled_because: null,
  });
  expect(await control.admin('DELETE', `/v1/webhooks/${webhook_id}`)).toMatchObject({ status: 200 });
  expect(await control.admin('DELETE', `/v1/webhooks/${webhook_id}`)).toMatchObject({ status: 404 });
  await subscribe('policy.created');
  await createPolicy();
  await receiver.got(3);
  expect(receiver.received).toHaveLength(3);
});

test('one that is gone is left alone until it is asked for again', async () => {
  const { webhook_id } = await subscribe('policy.created');
  receiver.state.status = 410;
  await createPolicy();
  await receiver.got(1);
  const read = async () =>
    (await control.ask('GET', '/v1/webhooks?limit=200', { key: control.keys.service })).data.items.find(
      (one: { webhook_id: string }) => one.webhook_id === webhook_id,
    );
  await expect.poll(read).toMatchObject({ disabled_because: expect.stringContaining('410') });
  receiver.state.status = 204;
  await control.admin('POST', `/v1/webhooks/${webhook_id}/replay`);
  await receiver.got(2);
  expect(await read()).toMatchObject({ disabled_because: null });
});
