import { createHmac } from 'node:crypto';
import { Pool } from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startReceiver } from './fixtures/receiver.ts';

let control: TestControlPlane;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let database: Pool;
beforeAll(async () => {
  [control, receiver] = await Promise.all([startControlPlane(), startReceiver()]);
  database = new Pool({ connectionString: control.environment.DATABASE_URL, max: 2 });
});
afterAll(async () => {
  await database?.end();
  await control?.stop();
  await receiver?.stop();
});

const subscribe = async () =>
  (await control.admin('POST', '/v1/webhooks', { url: receiver.url, events: ['policy.created'] })).data;
const roll = (id: string) => control.admin('POST', `/v1/webhooks/${id}/roll`);
/** The next message. */
async function told() {
  const before = receiver.received.length;
  await control.admin('POST', '/v1/policies', {
    name: 'told',
    cedar: 'permit(principal, action, resource);',
  });
  await receiver.got(before + 1);
  const { headers, body } = receiver.received[before] ?? { headers: {}, body: '' };
  return { headers: headers as Record<string, string>, body };
}
const isSignedBy = (secret: string, { headers, body }: Awaited<ReturnType<typeof told>>): boolean => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};
const macOf = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(body)
    .digest('hex')}`;

test('the secret that the operator set for all is not rolled by one webhook [control-plane.webhook.roll.shared]', async () => {
  const { webhook_id } = await subscribe();
  expect(await roll(webhook_id)).toMatchObject({ status: 409, data: { code: 'conflict' } });
  await control.admin('DELETE', `/v1/webhooks/${webhook_id}`);
});

test('a rolled secret and the one before both sign for 24 hours, at every process, and then the new one alone [control-plane.webhook.roll]', async () => {
  // Only two secrets of the operator count at once, and none is his: each webhook has its own.
  await control.killAndRestart({ WEBHOOK_SECRET: '' });
  const made = await subscribe();
  expect(made.secret).toMatch(/^whsec_/);
  expect(isSignedBy(made.secret, await told())).toBe(true);
  const begun = Date.now();
  const rolled = await roll(made.webhook_id);
  expect(rolled).toMatchObject({ status: 200, data: { webhook_id: made.webhook_id, url: receiver.url } });
  const { secret, previous_valid_until: until } = rolled.data;
  expect(secret).not.toBe(made.secret);
  expect(Math.abs(Date.parse(until) - begun - 24 * 3_600_000)).toBeLessThan(60_000);
  const both = await told();
  expect([isSignedBy(secret, both), isSignedBy(made.secret, both)]).toEqual([true, true]);
  expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  expect(both.headers['x-webhook-signature-256']).toBe(
    `${macOf(secret, both.body)} ${macOf(made.secret, both.body)}`,
  );

  const again = (await roll(made.webhook_id)).data.secret;
  const three = await told();
  expect([again, secret, made.secret].map((one) => isSignedBy(one, three))).toEqual([true, true, true]);
  expect((await roll(made.webhook_id)).status).toBe(200);
  // A leak is no reason to keep five: there is a largest number.
  expect(await roll(made.webhook_id)).toMatchObject({ status: 409, data: { code: 'conflict' } });

  await database.query(
    `update control_plane.webhook set rolled_at = array[now() - interval '25 h', now() - interval '24 h', now()]`,
  );
  const later = await told();
  expect([again, secret, made.secret].map((one) => isSignedBy(one, later))).toEqual([true, false, false]);
  expect(await roll('6f1c3f0e-8f0a-4b3a-9a3e-0d7f5f6f1a11')).toMatchObject({ status: 404 });
  const asked = { key: control.keys.service, certified: true };
  const path = `/v1/webhooks/${made.webhook_id}/roll`;
  expect(await control.ask('POST', path, asked)).toMatchObject({ status: 403 });
  const { data } = await control.ask('GET', '/v1/webhooks', { key: control.keys.service });
  expect(JSON.stringify(data)).not.toContain('whsec_');
});
