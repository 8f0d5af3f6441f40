import { expect, test } from 'vitest';
import { hasCanonicalForm, isDeeperThan } from './json-form.ts';

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

test('counts objects and arrays, not what lies in them', () => {
  expect(isDeeperThan('text', 0)).toBe(false);
  expect(isDeeperThan(null, 0)).toBe(false);
  expect(isDeeperThan({}, 0)).toBe(true);
  expect(isDeeperThan({ a: 1, b: 'x' }, 1)).toBe(false);
  expect(isDeeperThan({ a: [{ b: 1 }] }, 2)).toBe(true);
  expect(isDeeperThan({ a: [{ b: 1 }] }, 3)).toBe(false);
});

test('a depth that overflows any recursion is told', () => {
  expect(isDeeperThan(nested(500_000), 64)).toBe(true);
  expect(isDeeperThan(nested(64), 64)).toBe(false);
});

test('half a surrogate pair is found wherever it stands, and whole text passes', () => {
  for (const broken of ['\ud800', { a: ['x', { b: '\udc00' }] }, { '\ud800': 1 }, ['ok', null, '\ud83d']]) {
    expect(hasCanonicalForm(broken, 8)).toBe(false);
  }
  for (const whole of ['😀', { ü: ['😀', null, 1, false, undefined, ''] }, null, undefined, 0]) {
    expect(hasCanonicalForm(whole, 8)).toBe(true);
  }
});

test('a number that is too large to be one has no canonical form', () => {
  expect(hasCanonicalForm(JSON.parse('{"a":[1e308]}'), 8)).toBe(true);
  for (const text of ['1e999', '{"a":[-1e999]}']) expect(hasCanonicalForm(JSON.parse(text), 8)).toBe(false);
});

test('what is nested too deep has no canonical form for us', () => {
  expect(hasCanonicalForm(nested(64), 64)).toBe(true);
  expect(hasCanonicalForm(nested(65), 64)).toBe(false);
  expect(hasCanonicalForm(nested(500_000), 64)).toBe(false);
});
