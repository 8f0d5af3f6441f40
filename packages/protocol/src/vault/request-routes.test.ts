import { expect, test } from 'vitest';
import { requestToSend } from './request-routes.ts';

const placeholder = '{{CREDENTIAL.key}}';
const takes = (more: object): boolean =>
  requestToSend.safeParse({
    method: 'POST',
    url: 'https://shop.example/',
    credential_headers: { authorization: placeholder },
    timeout_ms: 120_000,
    ...more,
  }).success;

const nobodys = [
  'Host',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'te',
  'trailer',
  'upgrade',
  'proxy-authorization',
  'expect',
  'range',
  'if-range',
  'countersign-action-token',
  'idempotency-key',
  'x-original-url',
  'x-rewrite-url',
  'x-http-method-override',
];

test.each(nobodys)('nobody sets the header %s [vault.request.headers]', (name) => {
  expect(takes({ headers: { accept: 'a', 'content-type': 'text/plain', 'x-payment': 'p' } })).toBe(true);
  expect(takes({ headers: { [name]: 'a' } })).toBe(false);
  expect(takes({ credential_headers: { [name]: placeholder } })).toBe(false);
});

test.each(['content-type', 'x-payment', 'payment-signature', 'forwarded', 'via'])(
  'no credential stands in the header %s [vault.request.headers]',
  (name) => {
    expect(takes({ credential_headers: { [name]: placeholder } })).toBe(false);
  },
);

test('each credential header has a placeholder, and none is named twice [vault.request.headers]', () => {
  expect(takes({ credential_headers: {} })).toBe(false);
  expect(takes({ credential_headers: { authorization: placeholder, 'x-plain': 'plain' } })).toBe(false);
  expect(takes({ headers: { Authorization: 'Basic a' } })).toBe(false);
  expect(takes({ headers: { 'x-a': '1', 'X-A': '2' } })).toBe(false);
});

test('a request takes two minutes at most [vault.request.bounds]', () => {
  expect(takes({ timeout_ms: 120_001 })).toBe(false);
});
