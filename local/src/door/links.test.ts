import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLinks } from './links.ts';
import { createDoorSessions } from './sessions.ts';

const minute = 60_000;
const begin = Date.parse('2026-11-26T08:00:00Z');
let clock = begin;
const now = () => new Date(clock);

test('a link is good once, for an hour, and for nobody who guesses [system.door.link] [system.door.used]', () => {
  const links = createLinks(now, randomBytes);
  const [first, second, late] = [links.issue('owner'), links.issue('merchant'), links.issue('owner')];
  expect(first.length).toBeGreaterThanOrEqual(22);
  expect(links.take(`${first.slice(0, -1)}!`)).toBeNull();
  expect(links.take('')).toBeNull();
  expect(links.take(first)).toBe('owner');
  expect(links.take(first)).toBeNull();
  clock = begin + 60 * minute - 1;
  expect(links.take(second)).toBe('merchant');
  clock = begin + 60 * minute;
  expect(links.take(late)).toBeNull();
});

test('a session takes both halves, ends after half a day, and no half of another session helps [system.door.two-halves]', () => {
  clock = begin;
  const sessions = createDoorSessions(now, randomBytes);
  const [one, other] = [sessions.open(), sessions.open()];
  const shown = (cookie: string, key?: string) => ({
    cookie: `theme=dark; ${cookie.split(';')[0]}`,
    ...(key !== undefined && { 'x-door-key': key }),
  });
  expect(one.cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(sessions.isWhole(shown(one.cookie, one.key))).toBe(true);
  expect(sessions.isWhole(shown(one.cookie))).toBe(false);
  expect(sessions.isWhole(shown(one.cookie, other.key))).toBe(false);
  expect(sessions.isWhole({ 'x-door-key': one.key })).toBe(false);
  expect([
    sessions.isKnown(shown(one.cookie)),
    sessions.isKnown({}),
    sessions.isKnown({ cookie: '' }),
  ]).toEqual([true, false, false]);
  clock = begin + 12 * 60 * minute;
  expect(sessions.isKnown(shown(one.cookie))).toBe(false);
});

test('who enters has said yes to one log-in, as that role, for half a minute [system.door.wallet]', () => {
  clock = begin;
  const sessions = createDoorSessions(now, randomBytes);
  const headersOf = ({ cookie }: { cookie: string }) => ({ cookie: cookie.split(';')[0] ?? '' });
  const [one, other] = [headersOf(sessions.open()), headersOf(sessions.open())];
  expect(sessions.takeEntry(one, 'owner')).toBe(false);
  sessions.beginEntry(one, 'owner');
  sessions.beginEntry({}, 'owner');
  expect([sessions.takeEntry(other, 'owner'), sessions.takeEntry({}, 'owner')]).toEqual([false, false]);
  expect([sessions.takeEntry(one, 'owner'), sessions.takeEntry(one, 'owner')]).toEqual([true, false]);
  sessions.beginEntry(one, 'owner');
  expect([sessions.takeEntry(one, 'approver'), sessions.takeEntry(one, 'owner')]).toEqual([false, false]);
  sessions.beginEntry(one, 'owner');
  clock = begin + 29_999;
  expect(sessions.takeEntry(one, 'owner')).toBe(true);
  sessions.beginEntry(one, 'owner');
  clock += 30_000;
  expect(sessions.takeEntry(one, 'owner')).toBe(false);
});
