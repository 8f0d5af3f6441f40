import { expect, test } from 'vitest';
import { hashes, shownValue } from './arguments-text.ts';

test('a text is held against the hash that is signed, to the letter', () => {
  expect(hashes('{}', `0x${'00'.repeat(32)}`)).toBe(false);
  expect(hashes('{ }', '0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d')).toBe(false);
  expect(hashes('{}', '0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d')).toBe(true);
});

test('what JSON would not write the same again is shown as it was written', () => {
  expect(shownValue('{"a":[1,"b"]}')).toEqual({ a: [1, 'b'] });
  for (const odd of ['{"a":1,"a":2}', '{"a": 1}', 'not JSON', '{"n":1.0}', '{"n":12345678901234567890}'])
    expect(shownValue(odd)).toBe(odd);
});
