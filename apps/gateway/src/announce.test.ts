import { createLogger } from '@countersign/service/logger';
import { expect, onTestFinished, test } from 'vitest';
import { address, merchant, owner } from '../test/samples.ts';
import { type Announcement, whyNotAnnounced } from './adapters/dashboard.ts';
import { keepAnnouncing } from './announce.ts';

const wallet = { address: address(owner), sign: () => '0x' as const, derive: () => '0x' as const };

/** Announces to a dashboard with these answers, the last of them for ever; gives how often it was asked. */
function announceTo(answers: readonly Announcement[]) {
  const asked: number[] = [];
  const dashboard = {
    chain: async () => 'eip155:8453',
    announce: async () => answers[Math.min(asked.push(0), answers.length) - 1] ?? 'unavailable',
  };
  const log = createLogger('test', 'silent');
  const announcing = keepAnnouncing(address(merchant), wallet, dashboard, log, 1);
  onTestFinished(() => announcing.stop());
  return { asked, stop: () => announcing.stop() };
}

test('a wallet is announced again after a refusal that can heal, until it is heard [gateway.agent-wallet.announce]', async () => {
  const { asked } = announceTo(['unavailable', 'not-now', 'full', 'full', 'announced']);
  await expect.poll(() => asked.length).toBe(5);
  const other = announceTo(['not-now']);
  await expect.poll(() => other.asked.length).toBeGreaterThan(20);
  expect(asked).toHaveLength(5);
});

test('a wallet that can never be this owner’s agent is announced once [gateway.agent-wallet.announce]', async () => {
  const [refused, other] = [announceTo(['refused']), announceTo(['not-now'])];
  await expect.poll(() => other.asked.length).toBeGreaterThan(20);
  expect(refused.asked).toHaveLength(1);
});

test('only what no time heals is taken as the last word [gateway.agent-wallet.announce]', () => {
  const refusal = (
    status: number,
    code: 'UNAUTHORIZED_OPERATION' | 'REPEATED_SUBMIT' | 'API_KEY_INVALID' | 'BUSINESS_NOT_FOUND',
  ) => whyNotAnnounced({ kind: 'refused', asked: '', status, code, msg: '', data: null });
  expect(refusal(403, 'UNAUTHORIZED_OPERATION')).toBe('refused');
  expect(refusal(409, 'REPEATED_SUBMIT')).toBe('full');
  // A key that is not rolled yet, and a dashboard that knows of no agents.
  expect([refusal(401, 'API_KEY_INVALID'), refusal(404, 'BUSINESS_NOT_FOUND')]).toEqual([
    'not-now',
    'not-now',
  ]);
  expect(whyNotAnnounced({ kind: 'failed', asked: '', why: 'unreachable' })).toBe('unavailable');
});
