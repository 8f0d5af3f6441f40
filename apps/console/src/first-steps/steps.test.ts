import { expect, test } from 'vitest';
import { type Known, stepsOf } from './steps.ts';

const now = Date.parse('2026-11-26T10:00:00Z');
const stranger: Known = {
  identity: {
    kycStatus: 'pending',
    submitted: false,
    review: null,
    validUntil: null,
    renewableFrom: null,
    withdrawal: null,
  },
  hasActiveMandate: false,
  keys: [],
  hasAsked: false,
  hasPaid: false,
  site: { publicUrl: 'https://countersign.example', chain: 'eip155:8453', chainIsLocal: false },
};
const key = {
  id: 'key_1',
  name: 'gateway',
  prefix: 'csk_ab',
  createdAt: '2026-11-26T09:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
  scopes: null,
  agentWallet: null,
  expiresAt: null,
};

test('whoever has just come has every step before them [dashboard.console.first-steps]', () => {
  expect(new Set(Object.values(stepsOf(stranger, now)))).toEqual(new Set(['open']));
});

test('what waits for others is told apart from what is done [dashboard.console.first-steps]', () => {
  const submitted = { ...stranger.identity, submitted: true };
  const waiting = stepsOf({ ...stranger, identity: submitted, keys: [key] }, now);
  expect(waiting).toMatchObject({ identity: 'waits', agent: 'waits', mandate: 'open' });
  const approved = { ...submitted, kycStatus: 'approved' as const };
  const used = { ...key, lastUsedAt: '2026-11-26T09:30:00.000Z' };
  const known = { ...stranger, identity: approved, keys: [used], hasActiveMandate: true, hasAsked: true };
  expect(stepsOf(known, now)).toEqual({
    identity: 'done',
    mandate: 'done',
    agent: 'done',
    client: 'done',
    payment: 'open',
    live: 'open',
  });
});

test('a key that was revoked starts no gateway [dashboard.console.first-steps]', () => {
  const revoked = { ...key, lastUsedAt: key.createdAt, revokedAt: key.createdAt };
  expect(stepsOf({ ...stranger, keys: [revoked] }, now).agent).toBe('open');
});

test('nor does one that has expired, or that no gateway can use [dashboard.console.first-steps]', () => {
  const expired = { ...key, lastUsedAt: key.createdAt, expiresAt: key.createdAt };
  const accountants = { ...key, scopes: ['transactions:read' as const] };
  for (const other of [expired, accountants])
    expect(stepsOf({ ...stranger, keys: [other] }, now).agent).toBe('open');
});

test('whoever has paid has taken every step, whatever ended since; live is only what is real money [dashboard.console.first-steps]', () => {
  const paid = { ...stranger, hasPaid: true };
  expect(new Set(Object.values(stepsOf(paid, now)))).toEqual(new Set(['done']));
  const local = { ...stranger.site, chainIsLocal: true };
  expect(stepsOf({ ...paid, site: local }, now)).toMatchObject({ payment: 'done', live: 'open' });
  const test = { ...stranger.site, chain: 'eip155:84532' };
  expect(stepsOf({ ...paid, site: test }, now).live).toBe('open');
});
