import { expect, test } from 'vitest';
import { ExpectedSessions } from './expected.ts';

test('a tenant that announces many sessions loses its own first ones, and nobody else any [vault.sandbox.masking.known-meanwhile]', () => {
  const expected = new ExpectedSessions(() => 0);
  expected.expect('globex', 'theirs');
  for (let n = 0; n < 300; n++) expected.expect('acme', `s${n}`);
  expect(expected.isExpected('globex', 'theirs')).toBe(true);
  expect(expected.isExpected('acme', 's267')).toBe(false);
  expect(expected.isExpected('acme', 's268')).toBe(true);
});

test('a session that is announced and never opened is forgotten', () => {
  let now = 0;
  const expected = new ExpectedSessions(() => now);
  expected.expect('acme', 'first');
  now = 5 * 60_000 + 1;
  expected.expect('globex', 'second');
  expect(expected.isExpected('acme', 'first')).toBe(false);
});
