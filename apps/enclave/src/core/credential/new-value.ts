import type { ValueRules } from '@countersign/protocol/control/rotation';
import type { CredentialType } from '@countersign/protocol/vault/credential';
import { fieldBytes, ownCopy } from './field.ts';
import { memberSpan } from './json-outline.ts';

/** The field that a new value replaces, by credential type. Other types cannot be rotated. */
const fields: Readonly<Partial<Record<CredentialType, string>>> = {
  api_key: 'key',
  username_password: 'password',
};

/** A value by these rules, as bytes that the caller wipes. `below(n)`: a random whole number from 0 to n - 1. */
export function makeValue({ length, alphabet }: ValueRules, below: (n: number) => number): Buffer {
  const letters = Buffer.from(alphabet, 'latin1');
  const value = Buffer.from(new ArrayBuffer(length));
  for (let at = 0; at < length; at += 1) value[at] = letters[below(letters.length)] ?? 0;
  return value;
}

const [quote, colon] = Buffer.from('":');

/**
 * The plaintext with a value that `makeValue` made in the place of its key or password. Null where a credential of this type has
 * none of its own, or its key may be `user:password`. The caller wipes it.
 */
export function withValue(plaintext: Buffer, type: CredentialType, value: Buffer): Buffer | null {
  const field = fields[type];
  const span = field === undefined ? null : memberSpan(plaintext, field);
  if (span === null || plaintext[span.start] !== quote) return null;
  const before = field === 'key' ? fieldBytes(plaintext, 'key') : null;
  const isLogin = before?.includes(colon ?? 0) === true;
  before?.fill(0);
  if (isLogin) return null;
  const [head, tail] = [plaintext.subarray(0, span.start + 1), plaintext.subarray(span.end - 1)];
  const whole = Buffer.from(new ArrayBuffer(head.length + value.length + tail.length));
  whole.set(head);
  whole.set(value, head.length);
  whole.set(tail, head.length + value.length);
  return whole;
}

/** Returns the value that `withValue` put in. The caller wipes it. */
export function newValueIn(plaintext: Buffer): Buffer | null {
  const value = fieldBytes(plaintext, 'key') ?? fieldBytes(plaintext, 'password');
  if (value === null) return null;
  const own = ownCopy(value);
  value.fill(0);
  return own;
}
