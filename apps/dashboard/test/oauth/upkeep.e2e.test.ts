import { expect, onTestFinished, test } from 'vitest';
import { openOauthDashboard } from './connected.ts';

const day = 24 * 60 * 60_000;

test('what has run out, and clients that nobody connected within a day, are forgotten; others go on [dashboard.oauth.forgotten]', async () => {
  const first = await openOauthDashboard();
  const owner = await first.newOwner();
  const connected = await first.connect(owner);
  const { client_id: idle } = (await first.client.register({ client_name: 'Idle client' })).body;
  expect((await first.client.authorize(idle)).uid).not.toBe('');
  expect(await first.everyRecord()).toMatch(/Idle client.*Interaction|Interaction.*Idle client/);
  await first.stop();

  const { storage } = first.config;
  const later = () => new Date(Date.now() + 1.5 * day);
  const second = await openOauthDashboard({ storage, publicUrl: new URL(first.url) }, { now: later });
  onTestFinished(second.stop);
  await expect.poll(() => second.everyRecord()).not.toMatch(/Idle client|Interaction/);
  expect((await second.client.authorize(idle)).status).toBe(400);
  expect(await second.client.refresh(connected.clientId, connected.refreshToken)).toMatchObject({
    status: 200,
  });
});
