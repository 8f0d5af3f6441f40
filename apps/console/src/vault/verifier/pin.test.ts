import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accountOf, pinFound, pinKey, pinnedOr } from './pin.ts';

const now = new Date('2026-11-25T10:00:00Z');
const head = (size: number) => ({ size, root: `root ${size}` });
const account = { user: 'ada', tenantId: 'acme' };
const pinned = () => pinnedOr(null, now);

beforeEach(() => {
  vi.stubGlobal('document', { querySelector: () => null });
  pinKey('first', now);
});
afterEach(() => vi.unstubAllGlobals());

test('what is found good under a key that was replaced meanwhile changes nothing [vault.console.pinned-key]', () => {
  const before = pinned();
  if (before === null) throw new Error('no pin');
  pinKey('other', now);
  pinFound(before, { key: 'first', head: head(5), account });
  expect(pinned()).toEqual({ key: 'other', since: now.toISOString(), seen: null, accounts: [] });
});

test('a larger tree that another window saw stays, and so does the account that was seen first', () => {
  const before = pinned();
  if (before === null) throw new Error('no pin');
  pinFound(before, { key: 'first', head: head(9), account });
  pinFound(before, { key: 'first', head: head(5), account: { user: 'ada', tenantId: 'eves' } });
  const pin = pinned();
  expect(pin?.seen).toEqual(head(9));
  expect(pin && accountOf(pin, 'ada')).toBe('acme');
  expect(pin && accountOf(pin, '__proto__')).toBeNull();
});

test('the pin moves along an endorsed line and keeps what was seen [vault.console.verify-here.rotated]', () => {
  const before = pinned();
  if (before === null) throw new Error('no pin');
  pinFound(before, { key: 'second', head: head(5), account });
  expect(pinned()).toEqual({
    key: 'second',
    since: now.toISOString(),
    seen: head(5),
    accounts: [account],
  });
});
