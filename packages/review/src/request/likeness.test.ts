import { expect, test } from 'vitest';
import { likenessOf } from './likeness.ts';

const of = (body: string, query = '', contentType = 'application/json', isCut = false, action = '') =>
  likenessOf({
    method: 'POST',
    url: `https://shop.example/presence${query}`,
    resource: 'fetch',
    contentType,
    action,
    body,
    isCut,
    carriesCredential: false,
    pageUrl: '',
  });
const asForm = (body: string) => of(body, '', 'application/x-www-form-urlencoded');

test('requests are the same whose clocks, counters and chance numbers differ [vault.review.act.same-before]', () => {
  expect(of('{}')).toBe(of('{}'));
  expect(of('{"ts":1700000000123,"seq":4,"id":7}')).toBe(of('{"ts":1700000009999,"seq":5,"id":7}'));
  expect(of('{"a":{"sentAt":"2026-01-01T10:00:00Z"}}')).toBe(
    of('{"a":{"sentAt":"2026-01-02T11:30:05.123Z"}}'),
  );
  expect(of('', '?_=1700000000123&page=2')).toBe(of('', '?_=1700000009999&page=2'));
  expect(asForm('state=on&nonce=3b5c9a0f11')).toBe(asForm('state=on&nonce=77aa0c1d22'));
});

test.each([
  ['an amount', '{"amount":5}', '{"amount":50000}'],
  ['an id', '{"id":7}', '{"id":8}'],
  ['a verb', '{"action":"keep"}', '{"action":"close"}'],
  ['a value that is no time', '{"ts":5}', '{"ts":6}'],
  ['a value behind the time', '{"ts":1700000000,"to":"a"}', '{"ts":1700000000,"to":"b"}'],
  ['a time that is a text', '{"ts":"1700000000 close"}', '{"ts":"1700000001 close"}'],
  ['values of a list', '{"ids":[1,2]}', '{"ids":[1,3]}'],
  ['the id of a request', '{"requestId":"3b5c9a0f11"}', '{"requestId":"77aa0c1d22"}'],
])('they are not by %s [vault.review.act.same-before]', (_, one, other) => {
  expect(of(one)).not.toBe(of(other));
});

test('nor by their address, their type and what their headers call, and nothing is like what is cut off or no text [vault.review.act.same-before]', () => {
  expect(of('{}', '?id=1')).not.toBe(of('{}', '?id=2'));
  expect(of('{}')).not.toBe(of('{}', '', 'text/plain'));
  const calls = (action: string) => of('[]', '', 'text/plain', false, action);
  expect(calls('a1')).toBe(calls('a1'));
  expect(calls('a1')).not.toBe(calls('b2'));
  expect(of('{', '', 'application/json', true)).toBeNull();
  expect(of('a\uFFFDb')).toBeNull();
});
