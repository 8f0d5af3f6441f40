import { expect, test } from 'vitest';
import { fingerprintOf, readIdempotencyKey } from './idempotency.ts';

const code = (header: string | null) => {
  const read = readIdempotencyKey(header);
  return read.ok ? read.value : read.error.code;
};

test('a key is a string of structured fields, or bare as most send it [control-plane.execution.idempotency.required]', () => {
  expect(code('"8e03978e-40d5-43dd-bc93-6894a57f9324"')).toBe('8e03978e-40d5-43dd-bc93-6894a57f9324');
  expect(code('8e03978e-40d5-43dd-bc93-6894a57f9324')).toBe('8e03978e-40d5-43dd-bc93-6894a57f9324');
  expect(code('"with \\"quotes\\" and \\\\"')).toBe('with "quotes" and \\');
  expect(code(' spaces around ')).toBe('spaces around');
  expect(code('x'.repeat(255))).toBe('x'.repeat(255));
  expect(code(null)).toBe('idempotency_key_required');
  expect(code('')).toBe('idempotency_key_required');
  for (const header of ['x'.repeat(256), '""', '"open', '"a"b"', '"\\x"', 'ä', '"tab\there"'])
    expect(code(header)).toBe('invalid_request');
});

test('the order of members makes no other request, anything else does', () => {
  const of = (body: object, route = 'POST /a') => fingerprintOf(route, body).toString('hex');
  expect(of({ a: 1, b: { c: 2, d: 3 } })).toBe(of({ b: { d: 3, c: 2 }, a: 1 }));
  expect(of({ a: 1 })).not.toBe(of({ a: '1' }));
  expect(of({ a: 1 })).not.toBe(of({ a: 1 }, 'POST /b'));
});
